/* Building a jail: one clone into fresh namespaces, a view, and sbx-init as its pid 1. */
#ifndef SBX_JAIL_JAIL_H
#define SBX_JAIL_JAIL_H

#include "jail/guard.h"
#include "jail/open.h"
#include "jail/plan.h"

#define SBX_BUILD_TIMEOUT_MS 20000

/* sbx-init finds its end of the line to the warden here. */
#define SBX_INIT_LINE_FD   3
#define SBX_INIT_FILTER_FD 4 /* and its compiled filter here */

struct sbx_jail_spec {
    const struct sbx_plan *plan;
    const struct sbx_policy *policy;
    struct sbx_credentials account;
    const char *account_name;
    const char *run_path; /* JAIL's directory below /run/sbx/jails: holds stage/, mask/{dir,file} */
    const char *hostname; /* NULL: the host's */
    int cgroup_fd;        /* v2 directory to be born in, or -1 */
    int init_fd;          /* O_PATH of sbx-init, opened before the host is gone */
    int init_filter_fd;   /* the filter that it loads */
    uid_t init_uid;
    gid_t init_gid;
    void (*note)(void *data, const char *message);
    void (*guard)(void *data, const struct sbx_guard *guard); /* jail/view.h */
    void *data;
};

struct sbx_jail {
    pid_t init_pid;
    int init_pidfd;
    int line_fd; /* closing it ends sbx-init, and with it every process in the pid namespace */
};

/* Builds the jail and waits until its init says it is ready, or the time is up. Runs as root in the
 * warden. On failure nothing is left: the child is killed and reaped, and the kernel takes the
 * namespaces and mounts with it. */
int sbx_jail_build(const struct sbx_jail_spec *spec, struct sbx_jail *jail,
                   struct sbx_err *err) SBX_MUST_CHECK;

/* Ends the init and reaps it. The jail's processes die with it; those in its cgroup that were never
 * in the pid namespace (sshd's user children) are the cgroup's business. */
void sbx_jail_end(struct sbx_jail *jail);

#endif
