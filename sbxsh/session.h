/* What a script on standard input and a terminal have in common: gather a command, judge, run. */
#ifndef SBX_SBXSH_SESSION_H
#define SBX_SBXSH_SESSION_H

#include "sbxsh/bash.h"
#include "sbxsh/edit.h"
#include "sbxsh/reader.h"
#include "sbxsh/unit.h"

struct sbxsh_session {
    struct sbxsh *shell;
    struct sbxsh_bash bash;
    struct sbxsh_reader reader;
    struct sbxsh_edit edit; /* interactive: the line editor, if there is one */
    struct sbxsh_unit unit;
    char *told; /* a script's functions: the texts that defined some, one after another */
    size_t told_len;
    enum sbxsh_line last_line; /* why gathering ended */
};

/* Starts bash and the reader. */
int sbxsh_session_open(struct sbxsh_session *session, struct sbxsh *shell,
                       struct sbx_err *err) SBX_MUST_CHECK;

/* Puts the next line into the session's reader; is_first: the one that begins a command. */
typedef enum sbxsh_line sbxsh_next_line(struct sbxsh_session *session, bool is_first);

/* Reads lines until they are a whole command, or there are no more. The unit is emptied first. */
enum sbxsh_unit_state sbxsh_session_gather(struct sbxsh_session *session, sbxsh_next_line *next);

/* Judges the gathered unit and runs or refuses it. Returns false where the script must end: text
 * that is no shell syntax, of which bash has said so. */
bool sbxsh_session_run(struct sbxsh_session *session, enum sbxsh_unit_state state);

/* Ends bash and frees all; returns the wait status. */
int sbxsh_session_close(struct sbxsh_session *session);

#endif
