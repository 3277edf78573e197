/* The line editor, sbx-line: a program of its own, since the library it uses knows glibc alone, and
 * one more thing between keys and judge that may fail without harm.
 *
 * It runs in this process's group, so that the terminal is its own while ours is in the foreground,
 * and as the account: what it sends is hostile. Where it is missing, fails or is killed, the terminal
 * gets its modes back and lines are read plainly. */
#ifndef SBX_SBXSH_EDIT_H
#define SBX_SBXSH_EDIT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "line/proto.h"
#include "sbxsh/reader.h"

struct sbxsh_edit {
    int fd; /* -1: there is no editor */
    pid_t pid;
    uint32_t serial;
};

/* Starts the editor where there is one and the terminal can do more than print. */
void sbxsh_edit_start(struct sbxsh_edit *edit, const struct sbxsh *shell,
                      const struct sbxsh_bash *bash);

/* Lets the editor read one line into the reader, watching bash meanwhile. The terminal MUST be in our
 * hand. Returns false where the editor is no more: the line is still to be read. */
bool sbxsh_edit_next(struct sbxsh_edit *edit, const struct sbx_line_ask *ask,
                     struct sbxsh_bash *bash, struct sbxsh_reader *reader, enum sbxsh_line *what);

void sbxsh_edit_stop(struct sbxsh_edit *edit);

/* The value of a variable in an environment, NULL where it has none. */
const char *sbxsh_edit_variable(char *const *environment, const char *name);

#endif
