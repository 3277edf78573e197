/* Bytes from the terminal, character by character, for the line editor.
 *
 * Never more is read than the line that is typed: what comes behind it is the next command's input.
 * A paste that the terminal brackets is the exception: it is taken as a whole and given out line by
 * line, so that none of it runs into a program, or through a terminal in line mode, which would cut
 * its long lines. */
#ifndef SBX_LINE_KEYS_H
#define SBX_LINE_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

#define SBX_PASTE_BYTES ((size_t)4 * 1024 * 1024)

enum sbx_key_state {
    SBX_KEY_CHAR = 0,
    SBX_KEY_INTERRUPT, /* ^C, or the asker has changed its mind */
    SBX_KEY_GONE,      /* the terminal or the asker has */
};

struct sbx_keys {
    int terminal_fd, asker_fd;
    char unread[16]; /* looked at and put back */
    size_t unread_len;
    char *paste;
    size_t paste_at, paste_len, paste_capacity;
    bool paste_is_cut;  /* it was too long: nothing of it is given out */
    bool is_quoted;     /* the next byte of the paste stands behind a ^V */
    bool is_new_line;   /* nothing of this line was read yet */
    size_t line_bytes;  /* read of this line */
    size_t stale_bytes; /* what was typed before this line was asked for, in line mode */
    bool may_be_cut;    /* and was as much as a terminal holds of one line */
    void (*resized)(void *data);
    void *data;
};

/* To be called before each line. */
void sbx_keys_begin(struct sbx_keys *keys);

/* The next character. A byte that begins no character comes as U+FFFD. */
enum sbx_key_state sbx_keys_next(struct sbx_keys *keys, wchar_t *out);

/* A whole line of a paste, if the next one is: it needs no editing. The text is valid until the next
 * call and has no newline; NULL: there is none. */
const char *sbx_keys_pasted_line(struct sbx_keys *keys, size_t *len);

void sbx_keys_clear(struct sbx_keys *keys);

#endif
