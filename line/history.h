/* The lines that were typed, kept from session to session in a file of the account's own.
 *
 * The file is the account's: whatever it holds is only shown. It lies in the first of the state
 * folders below that can be written in the jail; where none can, lines are remembered while the
 * session lasts. */
#ifndef SBX_LINE_HISTORY_H
#define SBX_LINE_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

#define SBX_HISTORY_LINES      1000
#define SBX_HISTORY_LINE_BYTES 4096
#define SBX_HISTORY_FILE_BYTES ((size_t)256 * 1024) /* cut to half of it, and the lines above */

/* Opens, or makes, the folder of the history below a home. Returns a descriptor, -1: there is none
 * that can be written. */
int sbx_history_open(const char *home);

/* Whether a line is remembered: not blank, not begun with a space, no control bytes, not too long. */
bool sbx_history_keeps(const char *line);

/* Hands the last SBX_HISTORY_LINES lines to `each`, the oldest first, and cuts a file that has grown
 * beyond its bounds. */
void sbx_history_load(int folder, void (*each)(void *data, const char *line), void *data);

/* Adds a line that is to be kept. */
void sbx_history_add(int folder, const char *line);

#endif
