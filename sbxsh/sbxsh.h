/* The login shell: what its files share.
 *
 * Everything here runs as the account, inside the jail. The text of commands, descriptors, working
 * directory and inherited environment are hostile; the session folder is root's. */
#ifndef SBX_SBXSH_SBXSH_H
#define SBX_SBXSH_SBXSH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "jail/attest.h"
#include "jail/sessiondir.h"
#include "jail/unjailed.h"
#include "policy/arena.h"
#include "policy/err.h"
#include "policy/judge.h"
#include "policy/policy.h"

#define SBXSH_EXIT_REFUSED 126 /* a command was denied or needs approval */
#define SBXSH_EXIT_SYNTAX  2   /* as bash */
#define SBXSH_EXIT_START   254 /* the shell itself does not start */

#define SBXSH_PATH_BYTES        4096
#define SBXSH_ENVIRONMENT_BYTES 4096 /* more of it comes from the heap */

struct sbxsh {
    struct sbx_sessiondir session;
    const struct sbx_policy *policy;
    void *policy_bytes; /* mapped */
    size_t policy_size;
    ino_t policy_ino; /* a new file means a new policy */
    struct sbx_attest record;
    struct sbx_unjailed unjailed; /* where is_unjailed: why */
    bool is_unjailed; /* outside any jail, as a managed file lets it be: judged all the same */
    bool is_nested;   /* a program of the session called us, not a login program */
    bool is_interactive;
    const char *functions; /* that the next text may call: as bash prints them, or NULL */
    const char *aliases;   /* with which it will be read: likewise */
    enum sbx_alias_mode alias_mode;
    bool is_piecewise;  /* it is one of many, and nobody asks bash about aliases */
    char **environment; /* for bash; in the arena */
    struct sbx_arena arena;
    max_align_t environment_memory[SBXSH_ENVIRONMENT_BYTES / sizeof(max_align_t)];
};

/* --- say.c ------------------------------------------------------------------------------------- */
/* Writes "sbxsh: " and a sentence to standard error in one write. Control bytes become '?'. */
void sbxsh_say(const char *fmt, ...) SBX_PRINTF(1, 2);

/* The sentence of a refusal, one line. In colour where standard error is a terminal that has some and the
 * environment of the session does not decline it (NO_COLOR). */
void sbxsh_say_verdict(char *const *environment, bool is_deny, const char *reason);

/* Ends this process as `wait_status` says another one ended: same status or same signal. */
_Noreturn void sbxsh_end_like(int wait_status);

/* --- start.c ----------------------------------------------------------------------------------- */
/* Opens the session folder, attests the jail, or that this login is let be without one, and maps the
 * policy. On -1 the caller says one sentence
 * and ends with 254. Releases nothing on failure: the process ends. */
int sbxsh_start(struct sbxsh *shell, struct sbx_err *err) SBX_MUST_CHECK;

/* Maps the policy anew where the warden has published another. On failure the old one stays. */
void sbxsh_refresh(struct sbxsh *shell);

/* Whether a shell of this session came before us: descriptors, terminal and environment were settled
 * then. Handed down by the kernel, so no environment and no command forges it; a program of the session
 * that does is inside what it would be kept from. */
bool sbxsh_is_nested(void);
int sbxsh_mark_entry(struct sbx_err *err) SBX_MUST_CHECK;

/* From the home, where login programs leave us, to the workspace, if there is one. Not for the file
 * servers that ssh clients start (command; NULL: none): by their convention a relative path, as in
 * `scp file account:work/`, begins at the home, as it does with sshd's own sftp server. */
void sbxsh_enter_workspace(const struct sbxsh *shell, const char *command);

/* --- judge.c ----------------------------------------------------------------------------------- */
/* Judges text for a bash whose working directory is cwd. */
void sbxsh_judge(struct sbxsh *shell, const char *text, size_t len, const char *cwd,
                 struct sbx_verdict *verdict);

/* Reports a refusal to the clerk (one second at most) and says the sentence. */
void sbxsh_refuse(const struct sbxsh *shell, const char *text, size_t len, const char *cwd,
                  const struct sbx_verdict *verdict);

/* Lets bash say what it thinks of text that is no shell syntax, without running any of it.
 * Returns bash's exit status; 0 where bash finds nothing wrong: then the text is to be refused. */
int sbxsh_let_bash_complain(const struct sbxsh *shell, const char *text, size_t len);

/* --- report.c ---------------------------------------------------------------------------------- */
/* Tells the clerk and waits for the answer, one second at most. Never fails: the refusal stands. Where
 * there is no jail there is no clerk: then the system's log gets a line. */
void sbxsh_report(const struct sbxsh *shell, const char *text, size_t len, const char *cwd,
                  const struct sbx_verdict *verdict);

/* --- resolve.c --------------------------------------------------------------------------------- */
/* sbx_fs.resolve: where the kernel would go for an absolute path. Opens nothing for reading. */
int sbxsh_resolve(void *data, const char *path, char *out, size_t size);
/* sbx_fs.is_absent. */
bool sbxsh_is_absent(void *data, const char *path);

/* --- the three ways to run: each returns a wait status ------------------------------------------ */
int sbxsh_command(struct sbxsh *shell, const char *command); /* -c, already judged: execs bash */
int sbxsh_script(struct sbxsh *shell);                       /* standard input is a script */
int sbxsh_interactive(struct sbxsh *shell);                  /* standard input is a terminal */

#endif
