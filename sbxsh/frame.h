/* The line by which a text is handed to bash. */
#ifndef SBX_SBXSH_FRAME_H
#define SBX_SBXSH_FRAME_H

#include <stdbool.h>
#include <stddef.h>

/* A script's bash gets  \eval 'TEXT' 0<&N-  with the text as it is; no alias is named so.
 *
 * An interactive bash drops the line that it is reading when a SIGINT comes, and what is left of it
 * would be read as a line of its own: part of a text, run without having been judged. So there each
 * byte stands as \NNN within $'...', and whatever end of the line is left names no command. The frame
 * also puts back PS1, which the hook of state.h has set aside, as a side effect of a redirection that
 * is undone at once: no command does it, so that $? stays for the text.
 *
 * N is the number of the real standard input; the next one is free in bash. The caller frees. */
char *sbxsh_frame_make(const char *text, size_t len, int input, bool is_interactive, size_t *size);

#endif
