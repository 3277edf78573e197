/* What sbxsh and its line editor say to each other, one message a packet of a SOCK_SEQPACKET pair.
 *
 * sbxsh asks, the editor answers; an answer bears the serial of what it answers. To sbxsh the editor
 * is as hostile as the terminal: a program of the account may have taken its place. Sizes are bounded
 * and checked before anything is looked at. */
#ifndef SBX_LINE_PROTO_H
#define SBX_LINE_PROTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SBX_LINE_PROGRAM "sbx-line"
#define SBX_LINE_FD      3 /* where the editor finds its end */

#define SBX_LINE_TEXT_BYTES    ((size_t)65536) /* of a line, or of all that an ask holds */
#define SBX_LINE_MESSAGE_BYTES (SBX_LINE_TEXT_BYTES + sizeof(struct sbx_line_header))

enum sbx_line_kind {
    SBX_LINE_ASK = 1, /* to the editor: read a line */
    SBX_LINE_CANCEL,  /* to the editor: drop it */
    SBX_LINE_TEXT,    /* from the editor: the line, without newline and NUL */
    SBX_LINE_END,     /* ^D on an empty line, or the terminal is gone */
    SBX_LINE_INTERRUPT,
    SBX_LINE_TOO_LONG, /* the line was longer than a message, or the terminal may have cut it */
};

struct sbx_line_header {
    uint32_t magic;
    uint32_t kind;
    uint32_t serial;
    uint32_t size; /* of the body behind it */
};

struct sbx_line_message {
    enum sbx_line_kind kind;
    uint32_t serial;
    const char *body;
    size_t len;
};

/* What an ask holds. */
struct sbx_line_ask {
    const char *prompt; /* may hold escape sequences and newlines */
    const char *cwd;    /* of bash: paths are completed from there */
    const char *path;   /* where commands are looked for */
    const char *words;  /* functions and aliases, one a line */
    bool is_first;      /* of a command: not a line that continues one */
};

/* Writes a packet. Returns its size, 0 where it does not fit. */
size_t sbx_line_pack(char *packet, size_t size, const struct sbx_line_message *message);

/* Reads a packet; the body points into it. -1: it is none. */
int sbx_line_unpack(const char *packet, size_t size, struct sbx_line_message *out);

/* The body of an ask. Words that have no room are left out; 0 where the rest has none. */
size_t sbx_line_pack_ask(char *body, size_t size, const struct sbx_line_ask *ask);
int sbx_line_unpack_ask(const struct sbx_line_message *message, struct sbx_line_ask *out);

#endif
