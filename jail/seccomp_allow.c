/* The allow list: what a userland of shells, compilers, interpreters, package managers, editors and
 * databases calls. Loaded above the deny list, which keeps deciding over arguments.
 *
 * Anything else is ENOSYS: to a library that is an older kernel, and it falls back. seccomp_tree.c
 * compiles it: of rules it takes those that compare the low half of one argument, and a call that
 * has some is answered as its group says where none of them matches. */
#include <errno.h>

#include "jail/seccomp.h"
#include "jail/seccomp_rules.h"

/* clang-format off */
static const struct sbx_call files[] = {
    {"read", 0}, {"write", 0}, {"readv", 0}, {"writev", 0}, {"pread64", 0}, {"pwrite64", 0},
    {"preadv", 0}, {"pwritev", 0}, {"preadv2", 0}, {"pwritev2", 0}, {"lseek", 0}, {"_llseek", 0},
    {"open", 0}, {"openat", 0}, {"creat", 0}, {"close", 0}, {"close_range", 436},
    {"dup", 0}, {"dup2", 0}, {"dup3", 0}, {"fcntl", 0}, {"ioctl", 0}, {"flock", 0},
    {"stat", 0}, {"lstat", 0}, {"fstat", 0}, {"newfstatat", 0}, {"fstatat64", 0}, {"statx", 332},
    {"statfs", 0}, {"fstatfs", 0}, {"statmount", 457}, {"listmount", 458},
    {"access", 0}, {"faccessat", 0}, {"faccessat2", 439}, {"umask", 0},
    {"truncate", 0}, {"ftruncate", 0}, {"fallocate", 0}, {"copy_file_range", 0},
    {"sendfile", 0}, {"splice", 0}, {"tee", 0}, {"vmsplice", 0}, {"readahead", 0},
    {"fadvise64", 0}, {"sync", 0}, {"syncfs", 0}, {"fsync", 0}, {"fdatasync", 0},
    {"sync_file_range", 0}, {"cachestat", 451}, {"memfd_create", 0},
    {"io_setup", 0}, {"io_submit", 0}, {"io_getevents", 0}, {"io_pgetevents", 333},
    {"io_cancel", 0}, {"io_destroy", 0},
    {NULL, 0},
};

static const struct sbx_call names[] = {
    {"getcwd", 0}, {"chdir", 0}, {"fchdir", 0}, {"getdents", 0}, {"getdents64", 0},
    {"mkdir", 0}, {"mkdirat", 0}, {"rmdir", 0}, {"mknod", 0}, {"mknodat", 0},
    {"link", 0}, {"linkat", 0}, {"symlink", 0}, {"symlinkat", 0}, {"unlink", 0}, {"unlinkat", 0},
    {"readlink", 0}, {"readlinkat", 0}, {"rename", 0}, {"renameat", 0}, {"renameat2", 0},
    {"chmod", 0}, {"fchmod", 0}, {"fchmodat", 0}, {"fchmodat2", 452},
    {"chown", 0}, {"fchown", 0}, {"lchown", 0}, {"fchownat", 0},
    {"utime", 0}, {"utimes", 0}, {"futimesat", 0}, {"utimensat", 0},
    {"getxattr", 0}, {"lgetxattr", 0}, {"fgetxattr", 0}, {"setxattr", 0}, {"lsetxattr", 0},
    {"fsetxattr", 0}, {"listxattr", 0}, {"llistxattr", 0}, {"flistxattr", 0},
    {"removexattr", 0}, {"lremovexattr", 0}, {"fremovexattr", 0},
    {"setxattrat", 463}, {"getxattrat", 464}, {"listxattrat", 465}, {"removexattrat", 466},
    {"file_getattr", 468}, {"file_setattr", 469},
    {"inotify_init", 0}, {"inotify_init1", 0}, {"inotify_add_watch", 0}, {"inotify_rm_watch", 0},
    {NULL, 0},
};

static const struct sbx_call processes[] = {
    {"clone", 0}, {"fork", 0}, {"vfork", 0}, {"execve", 0}, {"execveat", 0}, {"exit", 0},
    {"exit_group", 0}, {"wait4", 0}, {"waitid", 0}, {"kill", 0}, {"tkill", 0}, {"tgkill", 0},
    {"pidfd_open", 434}, {"pidfd_send_signal", 424},
    {"getpid", 0}, {"getppid", 0}, {"gettid", 0}, {"getpgrp", 0}, {"getpgid", 0}, {"setpgid", 0},
    {"getsid", 0}, {"setsid", 0}, {"getuid", 0}, {"geteuid", 0}, {"getgid", 0}, {"getegid", 0},
    {"getresuid", 0}, {"getresgid", 0}, {"getgroups", 0}, {"setgroups", 0},
    {"chroot", 0}, {"setuid", 0}, {"setgid", 0}, {"setreuid", 0}, {"setregid", 0}, {"setresuid", 0},
    {"setresgid", 0}, {"setfsuid", 0}, {"setfsgid", 0}, {"capget", 0}, {"capset", 0},
    {"getrlimit", 0}, {"setrlimit", 0}, {"prlimit64", 0}, {"getrusage", 0}, {"times", 0},
    {"getpriority", 0}, {"setpriority", 0}, {"ioprio_get", 0}, {"ioprio_set", 0},
    {"sched_yield", 0}, {"sched_getaffinity", 0}, {"sched_setaffinity", 0},
    {"sched_getparam", 0}, {"sched_setparam", 0}, {"sched_getscheduler", 0},
    {"sched_setscheduler", 0}, {"sched_getattr", 0}, {"sched_setattr", 0},
    {"sched_get_priority_max", 0}, {"sched_get_priority_min", 0}, {"sched_rr_get_interval", 0},
    {"getcpu", 0}, {"prctl", 0}, {"arch_prctl", 0}, {"set_tid_address", 0}, {"set_robust_list", 0},
    {"get_robust_list", 0}, {"rseq", 334}, {"membarrier", 0},
    {"seccomp", 0}, {"landlock_create_ruleset", 444}, {"landlock_add_rule", 445},
    {"landlock_restrict_self", 446},
    {NULL, 0},
};

static const struct sbx_call memory[] = {
    {"brk", 0}, {"mmap", 0}, {"mmap2", 0}, {"munmap", 0}, {"mremap", 0}, {"mprotect", 0},
    {"madvise", 0}, {"msync", 0}, {"mincore", 0}, {"mlock", 0}, {"mlock2", 0}, {"mlockall", 0},
    {"munlock", 0}, {"munlockall", 0}, {"pkey_alloc", 0}, {"pkey_free", 0}, {"pkey_mprotect", 0},
    {"mbind", 0}, {"get_mempolicy", 0}, {"set_mempolicy", 0}, {"mseal", 462},
    {"map_shadow_stack", 453},
    {"shmget", 0}, {"shmat", 0}, {"shmctl", 0}, {"shmdt", 0}, {"semget", 0}, {"semop", 0},
    {"semtimedop", 0}, {"semctl", 0}, {"msgget", 0}, {"msgsnd", 0}, {"msgrcv", 0}, {"msgctl", 0},
    {"mq_open", 0}, {"mq_unlink", 0}, {"mq_timedsend", 0}, {"mq_timedreceive", 0},
    {"mq_notify", 0}, {"mq_getsetattr", 0},
    {"futex", 0}, {"futex_waitv", 449}, {"futex_wake", 454}, {"futex_wait", 455},
    {"futex_requeue", 456},
    {NULL, 0},
};

static const struct sbx_call waiting[] = {
    {"rt_sigaction", 0}, {"rt_sigprocmask", 0}, {"rt_sigpending", 0}, {"rt_sigqueueinfo", 0},
    {"rt_tgsigqueueinfo", 0}, {"rt_sigreturn", 0}, {"rt_sigsuspend", 0}, {"rt_sigtimedwait", 0},
    {"sigaltstack", 0}, {"restart_syscall", 0}, {"pause", 0}, {"alarm", 0},
    {"signalfd", 0}, {"signalfd4", 0}, {"eventfd", 0}, {"eventfd2", 0},
    {"pipe", 0}, {"pipe2", 0}, {"poll", 0}, {"ppoll", 0}, {"select", 0}, {"pselect6", 0},
    {"epoll_create", 0}, {"epoll_create1", 0}, {"epoll_ctl", 0}, {"epoll_wait", 0},
    {"epoll_pwait", 0}, {"epoll_pwait2", 441},
    {"nanosleep", 0}, {"clock_nanosleep", 0}, {"clock_gettime", 0}, {"clock_getres", 0},
    {"clock_adjtime", 0}, {"adjtimex", 0}, {"gettimeofday", 0}, {"time", 0},
    {"getitimer", 0}, {"setitimer", 0}, {"timer_create", 0}, {"timer_settime", 0},
    {"timer_gettime", 0}, {"timer_getoverrun", 0}, {"timer_delete", 0},
    {"timerfd_create", 0}, {"timerfd_settime", 0}, {"timerfd_gettime", 0},
    {"uname", 0}, {"sysinfo", 0}, {"getrandom", 0},
    {NULL, 0},
};

static const struct sbx_call sockets[] = {
    {"socket", 0}, {"socketpair", 0}, {"bind", 0}, {"listen", 0}, {"accept", 0}, {"accept4", 0},
    {"connect", 0}, {"getsockname", 0}, {"getpeername", 0}, {"setsockopt", 0}, {"getsockopt", 0},
    {"sendto", 0}, {"recvfrom", 0}, {"sendmsg", 0}, {"recvmsg", 0}, {"sendmmsg", 0},
    {"recvmmsg", 0}, {"shutdown", 0},
    {NULL, 0},
};

#if defined(__x86_64__)
/* Trampolines of the kernel's own probes: refusing them kills the process that is being watched. */
static const struct sbx_call probes[] = {{"uretprobe", 335}, {"uprobe", 336}, {NULL, 0}};
#define PROBES {"probes", probes, SCMP_ACT_ALLOW, false, SBX_WHEN_ALWAYS},
#else
#define PROBES
#endif

static const struct sbx_call_group groups[] = {
    {"files",     files,     SCMP_ACT_ALLOW, false, SBX_WHEN_ALWAYS},
    {"names",     names,     SCMP_ACT_ALLOW, false, SBX_WHEN_ALWAYS},
    {"processes", processes, SCMP_ACT_ALLOW, false, SBX_WHEN_ALWAYS},
    {"memory",    memory,    SCMP_ACT_ALLOW, false, SBX_WHEN_ALWAYS},
    {"waiting",   waiting,   SCMP_ACT_ALLOW, false, SBX_WHEN_ALWAYS},
    {"sockets",   sockets,   SCMP_ACT_ALLOW, false, SBX_WHEN_ALWAYS},
    PROBES
};

/* PER_LINUX, PER_LINUX32, each with UNAME26 (old build scripts) or without randomised addresses
 * (debuggers, sanitizers), and the query. */
#define PERSONALITY(value) {{"personality", 0}, SCMP_ACT_ALLOW, false, 1, {SBX_LOW32(0, value)}}

static const struct sbx_call_rule rules[] = {
    PERSONALITY(0), PERSONALITY(0x8), PERSONALITY(0x20000), PERSONALITY(0x20008),
    PERSONALITY(0x40000), PERSONALITY(0x40008), PERSONALITY(0xffffffff),

    {{"prctl", 0}, SCMP_ACT_ERRNO(SBX_SEAL_ERRNO), false, 1, {SBX_LOW32(0, SBX_SEAL_PRCTL)}},
};
/* clang-format on */

const struct sbx_filter_tables sbx_allow_tables = {
    .groups = groups,
    .group_count = sizeof(groups) / sizeof(*groups),
    .rules = rules,
    .rule_count = sizeof(rules) / sizeof(*rules),
    .default_action = SCMP_ACT_ERRNO(ENOSYS),
};
