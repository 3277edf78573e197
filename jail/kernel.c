#include "jail/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "jail/cgroup_tree.h"
#include "jail/landlock.h"
#include "jail/platform.h"
#include "jail/sys.h"
#include "policy/cleanup.h"

#ifndef NETLINK_CONNECTOR
#define NETLINK_CONNECTOR 11
#endif

/* A probe says whether the feature is there, and in detail what is or what to do. It may lower
 * need where a lack is known and bearable. It changes nothing and needs no privilege. */
struct probe {
    const char *name;
    enum sbx_need need;
    void (*run)(struct sbx_feature *feature);
};

static void SBX_PRINTF(3, 4)
    set(struct sbx_feature *feature, bool is_present, const char *format, ...)
{
    va_list ap;
    feature->is_present = is_present;
    va_start(ap, format);
    (void)vsnprintf(feature->detail, sizeof(feature->detail), format, ap);
    va_end(ap);
}

/* The kernel, or a filter, says that there is no such thing; other errors may pass. */
static bool is_absence(int errnum)
{
    return errnum == ENOSYS || errnum == EPERM || errnum == EINVAL || errnum == EOPNOTSUPP;
}

/* A call that is there complains about its arguments; one that is not says ENOSYS (or EPERM under
 * another sandbox's filter, which is as good as absent). */
static void set_call(struct sbx_feature *feature, int result, const char *since)
{
    bool is_present = result >= 0 || (errno != ENOSYS && errno != EPERM);
    set(feature, is_present, is_present ? "available" : "needs Linux %s, or a filter refuses it",
        since);
}

static int kernel_version(struct utsname *name)
{
    if (uname(name))
        return 0;
    char *end;
    long major = strtol(name->release, &end, 10);
    long minor = *end == '.' ? strtol(end + 1, NULL, 10) : 0;
    return (int)(major * 1000 + minor);
}

static void probe_kernel(struct sbx_feature *feature)
{
    struct utsname name;
    int version = kernel_version(&name);
    set(feature, version >= 5014, version >= 5014 ? "Linux %.100s" : "Linux %.100s, needs 5.14",
        name.release);
}

static void probe_openat2(struct sbx_feature *feature)
{
    const struct sbx_open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = SBX_RESOLVE_BENEATH};
    _cleanup_fd_ int fd = sbx_sys_openat2(AT_FDCWD, ".", &how);
    set_call(feature, fd, "5.6");
}

static void probe_mount_setattr(struct sbx_feature *feature)
{
    /* Asks for nothing; without privilege EPERM means "there". */
    const struct sbx_mount_attr attr = {0};
    int result = sbx_sys_mount_setattr(-1, "", 0, &attr);
    bool is_present = result >= 0 || errno != ENOSYS;
    set(feature, is_present, is_present ? "available" : "needs Linux 5.12");
}

static void probe_open_tree(struct sbx_feature *feature)
{
    _cleanup_fd_ int fd = sbx_sys_open_tree(AT_FDCWD, "/", SBX_OPEN_TREE_CLOEXEC);
    set_call(feature, fd, "5.2");
}

static void probe_pidfd(struct sbx_feature *feature)
{
    _cleanup_fd_ int fd = sbx_sys_pidfd_open(getpid(), 0);
    set_call(feature, fd, "5.3");
}

/* Entering the namespace that one is in: nothing changes. Kernels before 5.8 take no pidfd there
 * and say EINVAL, later ones ask for privilege. */
static void probe_setns(struct sbx_feature *feature)
{
    _cleanup_fd_ int fd = sbx_sys_pidfd_open(getpid(), 0);
    bool is_present = fd >= 0 && (!setns(fd, CLONE_NEWUTS) || errno == EPERM);
    feature->is_doubtful = !is_present && !is_absence(errno);
    set(feature, is_present, is_present ? "available" : "needs Linux 5.8");
}

static void probe_close_range(struct sbx_feature *feature)
{
    set_call(feature, sbx_sys_close_range(~0u, ~0u, 0), "5.9");
}

static void probe_seccomp(struct sbx_feature *feature)
{
    static const unsigned actions[] = {SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_ERRNO};
    for (size_t i = 0; i < sizeof(actions) / sizeof(*actions); i++) {
        unsigned action = actions[i];
        if (sbx_sys_seccomp(SECCOMP_GET_ACTION_AVAIL, 0, &action)) {
            feature->is_doubtful = !is_absence(errno);
            set(feature, false, "needs CONFIG_SECCOMP_FILTER");
            return;
        }
    }
    set(feature, true, "available");
}

/* No program: EFAULT where the flag is known, EINVAL where it is not. */
static void probe_seccomp_log(struct sbx_feature *feature)
{
    int result = sbx_sys_seccomp(SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_LOG, NULL);
    bool is_present = result < 0 && errno == EFAULT;
    feature->is_doubtful = !is_present && !is_absence(errno);
    set(feature, is_present, is_present ? "available" : "needs Linux 4.14");
}

static void probe_landlock(struct sbx_feature *feature)
{
    struct utsname name;
    int abi = sbx_landlock_abi();
    feature->is_doubtful = !abi && !is_absence(errno);
    int version = kernel_version(&name);
    if (abi >= 2) {
        set(feature, true, "ABI %d", abi);
        return;
    }
    /* The kernel is too old for a Landlock that can be used: the view alone has to hold. */
    if (version && version < 5019)
        feature->need = SBX_NEED_SHOULD;
    set(feature, false, "ABI %d: no second wall; %s", abi,
        version < 5019 ? "Linux 5.19 has it"
                       : "add landlock to the lsm= of the kernel's command line");
}

static void probe_namespaces(struct sbx_feature *feature)
{
    static const char *const names[] = {"mnt", "pid", "net", "ipc", "uts", "cgroup"};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        char path[64];
        struct stat st;
        (void)snprintf(path, sizeof(path), "/proc/self/ns/%s", names[i]);
        if (stat(path, &st)) {
            feature->is_doubtful = errno != ENOENT;
            set(feature, false, "no %s namespaces in this kernel, or no /proc", names[i]);
            return;
        }
    }
    set(feature, true, "mnt pid net ipc uts cgroup");
}

static void probe_cgroup(struct sbx_feature *feature)
{
    _cleanup_free_ struct sbx_hierarchies *tree = calloc(1, sizeof(*tree));
    struct sbx_err err = SBX_ERR_INIT;
    if (!tree || sbx_hierarchies_read(tree, &err)) {
        feature->is_doubtful = true;
        set(feature, false, "%.150s", tree ? err.message : "no memory");
        return;
    }
    bool has_v2 = sbx_hierarchy_v2(tree), has_v1 = sbx_hierarchy_v1(tree, "pids");
    /* With none mounted it is plain; else one may only not have been readable now. */
    feature->is_doubtful = !has_v2 && !has_v1 && tree->count;
    if (!has_v2 && !has_v1)
        set(feature, false, "no pids controller: mount cgroup2 on /sys/fs/cgroup");
    else
        set(feature, true, "%s%s%s", has_v2 ? "version 2" : "version 1: pids",
            !has_v2 && sbx_hierarchy_v1(tree, "memory") ? " memory" : "",
            !has_v2 && sbx_hierarchy_v1(tree, "cpu") ? " cpu" : "");
}

static void probe_selinux(struct sbx_feature *feature)
{
    char text[8] = "";
    bool is_enforcing =
        !sbx_cgroup_read(AT_FDCWD, "/sys/fs/selinux/enforce", text, sizeof(text)) && text[0] == '1';
    set(feature, !is_enforcing,
        is_enforcing ? "SELinux is enforcing: refused until its policy module is there"
                     : "not enforcing");
}

/* Tells of processes of a confined account that start outside its jail; without it they are found
 * by looking from time to time. */
static void probe_connector(struct sbx_feature *feature)
{
    _cleanup_fd_ int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_CONNECTOR);
    set(feature, fd >= 0,
        fd >= 0 ? "available" : "needs CONFIG_PROC_EVENTS: strays are found late");
}

static const struct probe probes[] = {
    {"kernel",         SBX_NEED_MUST,   probe_kernel       },
    {"openat2",        SBX_NEED_MUST,   probe_openat2      },
    {"open_tree",      SBX_NEED_MUST,   probe_open_tree    },
    {"mount_setattr",  SBX_NEED_MUST,   probe_mount_setattr},
    {"pidfd",          SBX_NEED_MUST,   probe_pidfd        },
    {"setns-pidfd",    SBX_NEED_MUST,   probe_setns        },
    {"close_range",    SBX_NEED_MUST,   probe_close_range  },
    {"namespaces",     SBX_NEED_MUST,   probe_namespaces   },
    {"seccomp",        SBX_NEED_MUST,   probe_seccomp      },
    {"seccomp-log",    SBX_NEED_MUST,   probe_seccomp_log  },
    {"landlock",       SBX_NEED_MUST,   probe_landlock     },
    {"cgroup",         SBX_NEED_MUST,   probe_cgroup       },
    {"selinux",        SBX_NEED_MUST,   probe_selinux      },
    {"proc-connector", SBX_NEED_SHOULD, probe_connector    },
};
_Static_assert(sizeof(probes) / sizeof(*probes) < SBX_FEATURES_MAX, "too many features");

/* WSL 1 is no Linux kernel, whatever the others say. */
static void name_wsl(const char *root, struct sbx_feature *feature)
{
    char detail[128];
    enum sbx_platform platform = sbx_platform_find(root, detail, sizeof(detail));
    bool is_wsl1 = platform == SBX_PLATFORM_WSL1;
    *feature = (struct sbx_feature){.name = "wsl", .need = SBX_NEED_MUST};
    set(feature, !is_wsl1,
        is_wsl1 ? "WSL 1 (%s) is no Linux kernel and has no namespaces: use WSL 2" : "not WSL 1",
        detail);
}

size_t sbx_kernel_probe(const char *root, struct sbx_feature features[SBX_FEATURES_MAX])
{
    size_t count = sizeof(probes) / sizeof(*probes);
    name_wsl(root, &features[0]);
    for (size_t i = 0; i < count; i++) {
        features[i + 1] = (struct sbx_feature){.name = probes[i].name, .need = probes[i].need};
        probes[i].run(&features[i + 1]);
    }
    return count + 1;
}

/* Adds one item, or in its place that there are more, once there is no room for it. */
static void add_text(struct sbx_lacks *lacks, const struct sbx_feature *feature)
{
    static const char more[] = "; and more (sbxctl doctor)";
    size_t used = strlen(lacks->text), end = sizeof(lacks->text) - sizeof(more);
    if (used > end || strstr(lacks->text, more))
        return;
    int len = snprintf(lacks->text + used, end - used + 1, "%s%s: %s",
                       lacks->count ? "; " : "this machine lacks ", feature->name, feature->detail);
    if (len < 0 || (size_t)len > end - used)
        memcpy(lacks->text + used, more, sizeof(more));
}

void sbx_lacks_add(struct sbx_lacks *lacks, const struct sbx_feature *features, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (features[i].need != SBX_NEED_MUST || features[i].is_present)
            continue;
        add_text(lacks, &features[i]);
        lacks->count++;
        lacks->is_certain = lacks->is_certain || !features[i].is_doubtful;
    }
}

int sbx_kernel_require(const char *root, struct sbx_err *err)
{
    struct sbx_feature features[SBX_FEATURES_MAX];
    struct sbx_lacks lacks = SBX_LACKS_INIT;
    size_t count = sbx_kernel_probe(root, features);
    sbx_lacks_add(&lacks, features, count);
    return lacks.count ? sbx_fail(err, SBX_E_UNSUPPORTED, 0, "%s", lacks.text) : 0;
}
