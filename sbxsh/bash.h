/* One bash that lives as long as the session and runs one judged text after another.
 *
 * bash reads its commands from a socket on its standard input, and each text is handed to it as
 *     eval 'TEXT' 0<&N-
 * where N is the real standard input (frame.h). So text and framing cannot be mixed up whatever the text is
 * (an alias, a here-document or a quote that the parser saw otherwise ends where the text ends);
 * break, return, set -e, traps and $? work as at a prompt; and what the text runs has the real
 * standard input and no descriptor of ours: bash keeps the socket close-on-exec above N meanwhile.
 * A socket, since unlike a pipe it cannot be opened a second time through /proc and written to. Its
 * sending side is shut on bash's end; an interactive bash alone tells there what it is asked before
 * each prompt (state.h), and nothing but prompts and the judge's hints depends on it.
 *
 * That a text has been run is seen by the kernel's count of unread bytes: a blank that was sent
 * behind the text is taken from the socket when bash asks for more. Nothing is added to what bash
 * runs, so $?, $_, LINENO and traps stay as they are. */
#ifndef SBX_SBXSH_BASH_H
#define SBX_SBXSH_BASH_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "sbxsh/sbxsh.h"
#include "sbxsh/state.h"

#define SBXSH_BASH "/bin/bash"

struct sbxsh_bash {
    pid_t pid;
    int control; /* our end of the socket */
    int signals; /* signalfd: SIGCHLD; interactive also SIGINT, SIGHUP, SIGTERM */
    int epoll;   /* tells when bash took something from control, or a signal came */
    int input;   /* number of the real standard input in bash; the next one is free there too */
    bool is_interactive;
    bool has_told;     /* at the last prompt bash said something of itself */
    bool lost_aliases; /* they were switched off then */
    char *said;        /* what bash has written since the last text was handed to it */
    size_t said_len, said_capacity;
    sigset_t mask_before;
    bool was_interrupted; /* SIGINT came since the last look */
    int ended_by;         /* SIGHUP or SIGTERM came: the session is to end */
    bool is_gone;
    int wait_status; /* where is_gone */
};

/* Starts bash, interactive (job control, no history, no prompt of its own) or not. Holds the signals
 * above back in this process from here on, and those that the terminal sends to bash as well. */
int sbxsh_bash_start(struct sbxsh_bash *bash, const struct sbxsh *shell,
                     struct sbx_err *err) SBX_MUST_CHECK;

/* Runs a text without its last newline and returns when bash is ready for another, or gone. */
void sbxsh_bash_run(struct sbxsh_bash *bash, const char *text, size_t len);

/* Sets $? as a command that failed with this status would, set -e and traps included. */
void sbxsh_bash_fail(struct sbxsh_bash *bash, int status);

/* Takes the signals that came. */
void sbxsh_bash_signals(struct sbxsh_bash *bash);

/* Lines that hold no command: bash counts them, and tells about background jobs. */
void sbxsh_bash_blank(struct sbxsh_bash *bash, size_t lines);

/* What bash said of itself at its last prompt; valid until the next text. Where it said nothing, the
 * account has taken the hook away: it is put back. Where aliases are on and cannot be known (they are too
 * many, or bash reads by the rules of POSIX) they are switched off. -1: even then nothing is heard. */
int sbxsh_bash_state(struct sbxsh_bash *bash, struct sbxsh_state *out);

/* Whether bash has ended; fills in wait_status. */
bool sbxsh_bash_is_gone(struct sbxsh_bash *bash);

/* No more commands: bash ends with the status of the last one. Returns its wait status. */
int sbxsh_bash_finish(struct sbxsh_bash *bash);

/* bash's working directory by the kernel's word; "/" where it has none any more. */
void sbxsh_bash_cwd(const struct sbxsh_bash *bash, char *out, size_t size);

#endif
