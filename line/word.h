/* The word that the cursor stands behind, as far as completing needs to know it. */
#ifndef SBX_LINE_WORD_H
#define SBX_LINE_WORD_H

#include <stdbool.h>
#include <stddef.h>

#define SBX_WORD_BYTES 4096

struct sbx_line_word {
    char text[SBX_WORD_BYTES]; /* unquoted */
    size_t len;
    size_t name;        /* where in text its last part begins: behind the last slash, or 0 */
    size_t name_begin;  /* the same in the line */
    char quote;         /* ' or ", still open at the cursor, else 0 */
    bool quote_in_name; /* it was opened within the last part */
    bool is_command;    /* stands where a command's name does */
    bool has_tilde;     /* begins with an unquoted ~ */
    bool is_too_long;
};

/* Reads line[0..cursor). Knows quotes, operators and the words after which a command begins; what it
 * takes wrongly costs a suggestion, no more. */
void sbx_line_word_find(const char *line, size_t cursor, struct sbx_line_word *out);

#endif
