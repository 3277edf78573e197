/* "Am I in my jail?", answered by kernel facts and by a record that only root can have written.
 *
 * The warden writes struct sbx_attest to JAIL/session/attest (root, 0444), which the jail sees on a
 * read-only mount as /run/sbx/session/attest. Nothing is taken from the environment. */
#ifndef SBX_JAIL_ATTEST_H
#define SBX_JAIL_ATTEST_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "policy/err.h"

#define SBX_ATTEST_MAGIC 0x31616273u
#define SBX_NS_COUNT     6 /* mnt pid net ipc uts cgroup, in this order */

struct sbx_attest {
    uint32_t magic, uid;
    struct {
        uint64_t dev, ino;
    } ns[SBX_NS_COUNT]; /* of the jail's init; net may be the host's in mode host */
    char jail[32];
};

/* Reads the namespaces of the process behind a /proc/PID/ns directory descriptor into *record. */
int sbx_attest_read(int ns_dirfd, struct sbx_attest *record, struct sbx_err *err) SBX_MUST_CHECK;

/* Checks the calling process against the record below session_dirfd: file root's, not writable, on a
 * read-only mount; uid; mount, pid and network namespace; no_new_privs; a seccomp filter; no
 * capabilities. 0 if all hold. Runs as the account; the caller refuses with 254 otherwise. */
int sbx_attest_check(int session_dirfd, struct sbx_attest *record,
                     struct sbx_err *err) SBX_MUST_CHECK;

#endif
