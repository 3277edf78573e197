/* A terminal between two worlds: the caller's outside terminal on one side, a pty of the jail's own
 * devpts on the other. No descriptor of the outside terminal reaches the account's programs, so
 * nothing they leave running can read what is typed there later or write to it. */
#ifndef SBX_JAIL_RELAY_H
#define SBX_JAIL_RELAY_H

#include <sys/types.h>

#include "policy/err.h"

/* Opens a pty pair in this mount namespace's /dev/pts; window size and modes as on outside_fd. Both
 * ends are close-on-exec. Runs as the account, or as root inside a jail. */
int sbx_relay_open(int outside_fd, int *master_fd, int *slave_fd,
                   struct sbx_err *err) SBX_MUST_CHECK;

/* For the child: a session of its own with the slave as its terminal. Descriptors are the caller's
 * matter. */
int sbx_relay_attach(int slave_fd, struct sbx_err *err) SBX_MUST_CHECK;

/* Copies between outside_fd (set raw meanwhile, put back at the end) and master_fd until `child`
 * ends, following window changes; then drains the master. Returns the wait status of the child.
 *
 * Holds signals back meanwhile. SIGINT and SIGQUIT go on to the inner terminal's foreground programs.
 * A hangup of the outside terminal, SIGHUP or SIGTERM ends the copying: *wait_status then says that
 * signal although the child lives; it is hung up when the caller closes master_fd or ends. What comes
 * from master_fd is hostile and only ever copied. master_fd becomes non-blocking. */
int sbx_relay_run(int outside_fd, int master_fd, pid_t child, int *wait_status,
                  struct sbx_err *err) SBX_MUST_CHECK;

/* The same where standard input is no terminal: shows what the master says and takes no key, since
 * the terminal's input belongs to another program of the same pipeline. */
int sbx_relay_show(int outside_fd, int master_fd, pid_t child, int *wait_status,
                   struct sbx_err *err) SBX_MUST_CHECK;

#endif
