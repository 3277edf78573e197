/* A terminal between two worlds: the caller's outside terminal on one side, a pty of the jail's own
 * devpts on the other. No descriptor of the outside terminal reaches the account's programs, so
 * nothing they leave running can read what is typed there later or write to it. */
#ifndef SBX_JAIL_RELAY_H
#define SBX_JAIL_RELAY_H

#include <sys/types.h>

#include "policy/err.h"

/* Opens a pty pair in this mount namespace's /dev/pts; window size and modes as on outside_fd. */
int sbx_relay_open(int outside_fd, int *master_fd, int *slave_fd,
                   struct sbx_err *err) SBX_MUST_CHECK;

/* Copies between outside_fd (set raw meanwhile, put back at the end) and master_fd until `child`
 * ends, following window changes; then drains the master. Returns the wait status of the child. */
int sbx_relay_run(int outside_fd, int master_fd, pid_t child, int *wait_status,
                  struct sbx_err *err) SBX_MUST_CHECK;

#endif
