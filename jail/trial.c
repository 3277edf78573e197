#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jail/cgroup.h"
#include "jail/kernel.h"
#include "jail/root.h"
#include "jail/sys.h"

#define NAMESPACES                                                                                 \
    (CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP)
#define NO_ERRNO 255 /* it failed, and no system call says why */

/* Each of these runs in a child and returns an errno, 0 where it worked. */
static int make_namespaces(void)
{
    if (!unshare(NAMESPACES))
        return 0;
    return errno == EINVAL ? ENOSYS : errno; /* a kind that the kernel was built without */
}

static int make_mounts(void)
{
    if (unshare(CLONE_NEWNS))
        return errno;
    return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
                   mount("sbx-trial", "/proc", "tmpfs", MS_NOSUID | MS_NODEV, "size=4k")
               ? errno
               : 0;
}

static int make_group(void)
{
    char name[32];
    struct sbx_cgroup cgroup;
    struct sbx_err err = SBX_ERR_INIT;
    const struct sbx_cgroup_limits limits = {.memory_bytes = -1, .tasks = 1, .cpu_percent = -1};
    (void)snprintf(name, sizeof(name), "trial-w%d", getpid());
    if (sbx_cgroup_create(&cgroup, name, &limits, &err))
        return err.errnum ? err.errnum : NO_ERRNO;
    (void)sbx_cgroup_remove(&cgroup, &err);
    return 0;
}

static int leave_chroot(void)
{
    struct sbx_err err = SBX_ERR_INIT;
    if (!sbx_root_verify(&err))
        return 0;
    return err.code == SBX_E_UNSUPPORTED ? EPERM : NO_ERRNO;
}

static const struct {
    const char *name, *remedy;
    int (*run)(void);
} trials[] = {
    {"new-namespaces", "in a container give its root CAP_SYS_ADMIN, and no filter against it",
     make_namespaces                                                                                       },
    {"new-mounts",     "in a container take off what keeps its root from mounting",            make_mounts },
    {"control-groups", "in a container mount /sys/fs/cgroup writable",                         make_group  },
    {"own-root",
     "sbx runs in a chroot, and who joins a jail would land outside of its view: use a "
     "container, or pivot_root into the directory",                                            leave_chroot},
};
_Static_assert(sizeof(trials) / sizeof(*trials) == SBX_TRIALS_MAX, "as the header says");

/* Refused as such: by a right that root lacks, a filter, a read-only mount or a kernel without it. All
 * else may be a shortage, and others can bring that about. */
static bool is_refusal(int errnum)
{
    return errnum == EPERM || errnum == EACCES || errnum == ENOSYS || errnum == EROFS;
}

/* The errno of a trial; -1 where there is none to be had. */
static int run_in_child(int (*run)(void))
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0)
        _exit(run());
    while (pid > 0 && waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

size_t sbx_trial_run(struct sbx_feature features[SBX_TRIALS_MAX])
{
    for (size_t i = 0; i < SBX_TRIALS_MAX; i++) {
        int errnum = run_in_child(trials[i].run);
        struct sbx_feature *feature = &features[i];
        *feature = (struct sbx_feature){.name = trials[i].name,
                                        .need = SBX_NEED_MUST,
                                        .is_present = !errnum,
                                        .is_doubtful = errnum && !is_refusal(errnum)};
        if (!errnum)
            (void)snprintf(feature->detail, sizeof(feature->detail), "tried: it works");
        else if (feature->is_doubtful)
            (void)snprintf(feature->detail, sizeof(feature->detail), "%s",
                           errnum > 0 && errnum != NO_ERRNO ? strerrordesc_np(errnum)
                                                            : "it could not be tried");
        else
            (void)snprintf(feature->detail, sizeof(feature->detail), "%s: %s",
                           strerrordesc_np(errnum), trials[i].remedy);
    }
    return SBX_TRIALS_MAX;
}
