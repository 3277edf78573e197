#include "jail/sys.h"

#include <sys/syscall.h>
#include <unistd.h>

/* From 424 on a call has the same number on every architecture but alpha, so headers older than
 * the call do no harm. */
#ifndef __NR_mount_setattr
#define __NR_mount_setattr 442
#endif
#ifndef __NR_landlock_create_ruleset
#define __NR_landlock_create_ruleset 444
#define __NR_landlock_add_rule       445
#define __NR_landlock_restrict_self  446
#endif

int sbx_sys_openat2(int dirfd, const char *path, const struct sbx_open_how *how)
{
    return (int)syscall(__NR_openat2, dirfd, path, how, sizeof(*how));
}

int sbx_sys_open_tree(int dirfd, const char *path, unsigned flags)
{
    return (int)syscall(__NR_open_tree, dirfd, path, flags);
}

int sbx_sys_move_mount(int from_fd, const char *from, int to_fd, const char *to, unsigned flags)
{
    return (int)syscall(__NR_move_mount, from_fd, from, to_fd, to, flags);
}

int sbx_sys_fsopen(const char *fstype, unsigned flags)
{
    return (int)syscall(__NR_fsopen, fstype, flags);
}

int sbx_sys_fsconfig(int fs_fd, unsigned command, const char *key, const void *value, int aux)
{
    return (int)syscall(__NR_fsconfig, fs_fd, command, key, value, aux);
}

int sbx_sys_fsmount(int fs_fd, unsigned flags, unsigned mount_attrs)
{
    return (int)syscall(__NR_fsmount, fs_fd, flags, mount_attrs);
}

int sbx_sys_mount_setattr(int dirfd, const char *path, unsigned flags,
                          const struct sbx_mount_attr *attr)
{
    return (int)syscall(__NR_mount_setattr, dirfd, path, flags, attr, sizeof(*attr));
}

int sbx_sys_pivot_root(const char *new_root, const char *put_old)
{
    return (int)syscall(__NR_pivot_root, new_root, put_old);
}

int sbx_sys_pidfd_open(pid_t pid, unsigned flags)
{
    return (int)syscall(__NR_pidfd_open, pid, flags);
}

int sbx_sys_pidfd_send_signal(int pidfd, int sig)
{
    return (int)syscall(__NR_pidfd_send_signal, pidfd, sig, NULL, 0);
}

int sbx_sys_pidfd_getfd(int pidfd, int fd)
{
    return (int)syscall(__NR_pidfd_getfd, pidfd, fd, 0);
}

int sbx_sys_close_range(unsigned first, unsigned last, unsigned flags)
{
    return (int)syscall(__NR_close_range, first, last, flags);
}

pid_t sbx_sys_clone3(const struct sbx_clone_args *args)
{
    return (pid_t)syscall(__NR_clone3, args, sizeof(*args));
}

int sbx_sys_seccomp(unsigned operation, unsigned flags, void *args)
{
    return (int)syscall(__NR_seccomp, operation, flags, args);
}

int sbx_sys_landlock_create_ruleset(const void *attr, size_t size, unsigned flags)
{
    return (int)syscall(__NR_landlock_create_ruleset, attr, size, flags);
}

int sbx_sys_landlock_add_rule(int ruleset_fd, unsigned type, const void *attr)
{
    return (int)syscall(__NR_landlock_add_rule, ruleset_fd, type, attr, 0);
}

int sbx_sys_landlock_restrict_self(int ruleset_fd, unsigned flags)
{
    return (int)syscall(__NR_landlock_restrict_self, ruleset_fd, flags);
}
