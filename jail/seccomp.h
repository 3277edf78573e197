/* The two system-call filters, compiled once when a jail is built and loaded as bytes at every join.
 *
 * deny list  closes every family, namespace, module and the kernel surface the account does not need.
 * allow list ENOSYS for calls it does not know. Part of the seal (jail/sessiondir.h), which the join puts
 *            on every session, also where no sbxsh runs (cron, sudo -u, internal-sftp). */
#ifndef SBX_JAIL_SECCOMP_H
#define SBX_JAIL_SECCOMP_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>

#include "policy/err.h"

/* A magic prctl(2) option that the allow list answers with SBX_SEAL_ERRNO: how sbxsh finds out
 * whether this process is sealed. A process that fakes the answer only leaves itself
 * without the second filter; the first one and the namespaces do not depend on it. */
#define SBX_SEAL_PRCTL 0x53425853
#define SBX_SEAL_ERRNO 133 /* EHWPOISON: no real prctl gives it */

enum sbx_filter { SBX_FILTER_DENY = 0, SBX_FILTER_ALLOW };

struct sbx_filter_options {
    bool allow_ptrace; /* [jail] allow_ptrace: own processes only, the kernel sees to that */
};

struct sbx_bpf {
    struct sock_filter *code; /* heap; owned by the caller, free(3) */
    unsigned short count;
};

/* Compiles a filter with libseccomp. Runs anywhere, needs no privilege, changes nothing. */
int sbx_seccomp_compile(enum sbx_filter which, const struct sbx_filter_options *options,
                        struct sbx_bpf *out, struct sbx_err *err) SBX_MUST_CHECK;

/* Loads a filter for this thread, with SECCOMP_FILTER_FLAG_LOG. Needs no_new_privs, or
 * CAP_SYS_ADMIN. There is no way back. */
int sbx_seccomp_load(const struct sock_filter *code, unsigned short count,
                     struct sbx_err *err) SBX_MUST_CHECK;

/* True where the allow list is in force for this process. */
bool sbx_seccomp_is_sealed(void);

/* Small filters for our own helpers: everything but a short list kills the process. */
enum sbx_helper { SBX_HELPER_INIT = 0, SBX_HELPER_CLERK };

/* Compiled by the warden, as above; the helper itself only loads bytes, and stays small. */
int sbx_seccomp_compile_helper(enum sbx_helper helper, struct sbx_bpf *out,
                               struct sbx_err *err) SBX_MUST_CHECK;

/* Reads a compiled filter from a descriptor at offset 0 (a memfd of the warden's) and loads it. Takes
 * no memory. The descriptor stays open. */
int sbx_seccomp_load_fd(int fd, struct sbx_err *err) SBX_MUST_CHECK;

#endif
