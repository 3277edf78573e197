/* One complete command, gathered line by line as bash would read it. */
#ifndef SBX_SBXSH_UNIT_H
#define SBX_SBXSH_UNIT_H

#include <stdbool.h>
#include <stddef.h>

enum sbxsh_unit_state {
    SBXSH_UNIT_MORE = 0, /* inside a construct */
    SBXSH_UNIT_COMPLETE,
    SBXSH_UNIT_BLANK,  /* no command: empty lines, comments */
    SBXSH_UNIT_SYNTAX, /* no shell syntax, whatever follows */
    SBXSH_UNIT_LIMIT,  /* past the parser's limits, or too many lines for its time */
};

struct sbxsh_unit {
    char *text; /* without its last newline */
    size_t len, capacity, lines;
    size_t parsed_bytes; /* work done so far: each new line may mean to parse from the start */
    bool is_open_line;   /* a line ended in an operator or backslash: any line may complete it */
    size_t heredoc_head; /* where not 0: bytes before the body of an open here-document */
};

/* Adds a line (without newline; NUL bytes are dropped, as bash drops them) and says what there is
 * now. is_last: no more lines will come, so that an open here-document counts as ended, as for bash.
 * Bounded in bytes and in work. The caller frees with sbxsh_unit_clear(). */
enum sbxsh_unit_state sbxsh_unit_add(struct sbxsh_unit *unit, const char *line, size_t len,
                                     bool is_last);

/* What the text so far is at the end of input. */
enum sbxsh_unit_state sbxsh_unit_end(struct sbxsh_unit *unit);

/* Empties the unit; keeps its memory. */
void sbxsh_unit_reset(struct sbxsh_unit *unit);
void sbxsh_unit_clear(struct sbxsh_unit *unit);

#endif
