/* System calls that the C library does not wrap everywhere, under names of our own.
 *
 * glibc got the mount calls in 2.36 and openat2 later still, and kernel headers differ too, so
 * structures, numbers and constants that a 5.14 kernel has are spelled out here. Each function
 * returns what the call returns: -1 with errno set on failure. Nothing is checked or logged here. */
#ifndef SBX_JAIL_SYS_H
#define SBX_JAIL_SYS_H

#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mount.h>
#include <sys/types.h>

/* include/uapi/linux/openat2.h */
struct sbx_open_how {
    uint64_t flags, mode, resolve;
};

#define SBX_RESOLVE_NO_XDEV       0x01u
#define SBX_RESOLVE_NO_MAGICLINKS 0x02u
#define SBX_RESOLVE_NO_SYMLINKS   0x04u
#define SBX_RESOLVE_BENEATH       0x08u
#define SBX_RESOLVE_IN_ROOT       0x10u

/* include/uapi/linux/mount.h */
struct sbx_mount_attr {
    uint64_t attr_set, attr_clr, propagation, userns_fd;
};

#define SBX_OPEN_TREE_CLONE   0x1u
#define SBX_OPEN_TREE_CLOEXEC 02000000u /* O_CLOEXEC */

#define SBX_MOVE_MOUNT_F_SYMLINKS   0x01u
#define SBX_MOVE_MOUNT_F_AUTOMOUNTS 0x02u
#define SBX_MOVE_MOUNT_F_EMPTY_PATH 0x04u
#define SBX_MOVE_MOUNT_T_SYMLINKS   0x10u
#define SBX_MOVE_MOUNT_T_AUTOMOUNTS 0x20u
#define SBX_MOVE_MOUNT_T_EMPTY_PATH 0x40u

#define SBX_FSOPEN_CLOEXEC  0x1u
#define SBX_FSMOUNT_CLOEXEC 0x1u

#define SBX_FSCONFIG_SET_FLAG   0u
#define SBX_FSCONFIG_SET_STRING 1u
#define SBX_FSCONFIG_SET_FD     5u
#define SBX_FSCONFIG_CREATE     6u

#define SBX_MOUNT_ATTR_RDONLY      0x001u
#define SBX_MOUNT_ATTR_NOSUID      0x002u
#define SBX_MOUNT_ATTR_NODEV       0x004u
#define SBX_MOUNT_ATTR_NOEXEC      0x008u
#define SBX_MOUNT_ATTR_NOATIME     0x010u
#define SBX_MOUNT_ATTR_NOSYMFOLLOW 0x200000u

#define SBX_AT_RECURSIVE 0x8000u

/* include/uapi/linux/sched.h; set_tid and cgroup as of 5.7 (CLONE_ARGS_SIZE_VER2) */
struct sbx_clone_args {
    uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid,
        set_tid_size, cgroup;
};

#define SBX_CLONE_PIDFD       0x00001000ull
#define SBX_CLONE_INTO_CGROUP 0x200000000ull
#ifndef CLONE_NEWCGROUP
#define CLONE_NEWCGROUP 0x02000000
#endif
#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x00000080
#endif

#define SBX_CLOSE_RANGE_CLOEXEC 0x4u

int sbx_sys_openat2(int dirfd, const char *path, const struct sbx_open_how *how);
int sbx_sys_open_tree(int dirfd, const char *path, unsigned flags);
int sbx_sys_move_mount(int from_fd, const char *from, int to_fd, const char *to, unsigned flags);
int sbx_sys_fsopen(const char *fstype, unsigned flags);
int sbx_sys_fsconfig(int fs_fd, unsigned command, const char *key, const void *value, int aux);
int sbx_sys_fsmount(int fs_fd, unsigned flags, unsigned mount_attrs);
int sbx_sys_mount_setattr(int dirfd, const char *path, unsigned flags,
                          const struct sbx_mount_attr *attr);
int sbx_sys_pivot_root(const char *new_root, const char *put_old);

int sbx_sys_pidfd_open(pid_t pid, unsigned flags);
int sbx_sys_pidfd_send_signal(int pidfd, int sig);
int sbx_sys_pidfd_getfd(int pidfd, int fd);
int sbx_sys_close_range(unsigned first, unsigned last, unsigned flags);

/* Like fork(2): returns twice. No atfork handler runs and the C library's idea of the thread's id
 * is stale in the child, so the child keeps to plain system calls or execs. `args->stack` stays 0. */
pid_t sbx_sys_clone3(const struct sbx_clone_args *args);

/* seccomp(2) and the three calls of landlock(7), raw. */
int sbx_sys_seccomp(unsigned operation, unsigned flags, void *args);
int sbx_sys_landlock_create_ruleset(const void *attr, size_t size, unsigned flags);
int sbx_sys_landlock_add_rule(int ruleset_fd, unsigned type, const void *attr);
int sbx_sys_landlock_restrict_self(int ruleset_fd, unsigned flags);

#endif
