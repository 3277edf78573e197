/* What the module must know of the process it runs in. Read from the kernel, never from the
 * environment, which for su and sudo is the caller's. */
#ifndef SBX_PAM_PROCESS_H
#define SBX_PAM_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "policy/err.h"

#define SBX_LOGINUID_UNSET ((uint32_t)-1)

/* 0 if the process has one thread: setns and limits act on threads, PAM acts on processes. */
int sbx_process_check_threads(struct sbx_err *err) SBX_MUST_CHECK;

/* True where the program is OpenSSH's server, which calls setcred again in the user's child. Only
 * the program counts: anything can call its terminal "ssh", and a program that is taken for sshd
 * and never calls again would run unconfined, while the other mistake merely joins earlier. */
bool sbx_process_is_sshd(void);

/* True where any descriptor of the process is a terminal, or it has a controlling one; also where
 * that cannot be found out. */
bool sbx_process_has_terminal(void);

/* True where su's own arguments ask for another shell than the account's (-s, -m and their kin), or
 * cannot be read. They are those su acts on, whoever chose them. */
bool sbx_process_su_picks_shell(void);

/* The login uid of this process; SBX_LOGINUID_UNSET where none is set or the kernel has no audit. */
uint32_t sbx_process_loginuid(void);

/* Makes sure that a login uid is set, so that the account cannot set one of its choice (framing
 * another). With keep_other, as for su and sudo, whoever logged in before stays named; otherwise it
 * must be the account's. Writes only where that is needed. 0 too where the kernel has no audit.
 * Not undone on failure: it says who this process serves, whatever comes of it. */
int sbx_process_settle_loginuid(uid_t uid, bool keep_other, struct sbx_err *err) SBX_MUST_CHECK;

#endif
