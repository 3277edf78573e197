/* Lines of a script on standard input, taken as bash takes them: not a byte past the newline, since
 * the rest belongs to the commands that the script runs. */
#ifndef SBX_SBXSH_READER_H
#define SBX_SBXSH_READER_H

#include <stddef.h>

#include "sbxsh/bash.h"

enum sbxsh_line {
    SBXSH_LINE = 0,
    SBXSH_LINE_LAST, /* ended by end of input, not by a newline; may be empty */
    SBXSH_LINE_TOO_LONG,
    SBXSH_LINE_INTERRUPT, /* SIGINT: what was read of the line is dropped */
    SBXSH_LINE_OVER,      /* bash has ended, or the session is to end */
};

struct sbxsh_reader {
    enum { SBXSH_READ_BYTES = 0, SBXSH_READ_FILE, SBXSH_READ_SOCKET } kind;
    char *line; /* the last one, without its newline */
    size_t len, capacity;
};

/* Looks at what standard input is. */
void sbxsh_reader_init(struct sbxsh_reader *reader);

/* Reads one line, watching bash meanwhile. */
enum sbxsh_line sbxsh_reader_next(struct sbxsh_reader *reader, struct sbxsh_bash *bash);

/* The line is this one, which somebody else has read. */
enum sbxsh_line sbxsh_reader_put(struct sbxsh_reader *reader, const char *bytes, size_t len);

void sbxsh_reader_clear(struct sbxsh_reader *reader);

#endif
