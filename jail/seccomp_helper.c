/* Filters of our own helpers. They hold no secret worth more than what they may do anyway, but the
 * clerk reads hostile bytes and init sits in the jail: what they never call, they shall not call. */
#include "jail/seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "jail/seccomp_chunk.h"
#include "jail/seccomp_rules.h"
#include "policy/cleanup.h"

#define KILL SCMP_ACT_KILL_PROCESS

/* clang-format off */
static const struct sbx_call init_calls[] = {
    {"read", 0}, {"write", 0}, {"close", 0}, {"poll", 0}, {"ppoll", 0}, {"wait4", 0},
    {"waitid", 0}, {"kill", 0}, {"getpid", 0}, {"gettid", 0}, {"tgkill", 0},
    {"rt_sigaction", 0}, {"rt_sigprocmask", 0}, {"rt_sigtimedwait", 0}, {"rt_sigsuspend", 0},
    {"rt_sigreturn", 0}, {"signalfd4", 0}, {"restart_syscall", 0}, {"pause", 0},
    {"nanosleep", 0}, {"clock_nanosleep", 0}, {"clock_gettime", 0},
    {"munmap", 0}, {"brk", 0}, {"exit", 0}, {"exit_group", 0},
    {NULL, 0},
};

/* The clerk looks at paths (read-only) since it judges again what a shell reports. */
static const struct sbx_call clerk_calls[] = {
    {"read", 0}, {"readv", 0}, {"pread64", 0}, {"write", 0}, {"writev", 0}, {"close", 0},
    {"lseek", 0}, {"fstat", 0}, {"newfstatat", 0}, {"stat", 0}, {"lstat", 0}, {"statx", 332},
    {"readlink", 0}, {"readlinkat", 0}, {"access", 0}, {"faccessat", 0}, {"faccessat2", 439},
    {"getdents64", 0}, {"getcwd", 0}, {"fcntl", 0}, {"dup", 0}, {"dup3", 0},
    {"accept4", 0}, {"listen", 0}, {"recvmsg", 0}, {"recvfrom", 0}, {"recvmmsg", 0},
    {"sendmsg", 0}, {"sendto", 0}, {"shutdown", 0}, {"getsockopt", 0}, {"setsockopt", 0},
    {"getsockname", 0}, {"getpeername", 0},
    {"poll", 0}, {"ppoll", 0}, {"select", 0}, {"pselect6", 0}, {"epoll_create1", 0},
    {"epoll_ctl", 0}, {"epoll_wait", 0}, {"epoll_pwait", 0}, {"epoll_pwait2", 441},
    {"eventfd2", 0}, {"timerfd_create", 0}, {"timerfd_settime", 0}, {"signalfd4", 0},
    {"brk", 0}, {"munmap", 0}, {"mremap", 0}, {"madvise", 0}, {"futex", 0},
    {"rt_sigaction", 0}, {"rt_sigprocmask", 0}, {"rt_sigtimedwait", 0}, {"rt_sigreturn", 0},
    {"restart_syscall", 0}, {"setitimer", 0}, {"alarm", 0},
    {"nanosleep", 0}, {"clock_nanosleep", 0}, {"clock_gettime", 0}, {"clock_getres", 0},
    {"gettimeofday", 0}, {"time", 0}, {"getrandom", 0}, {"uname", 0}, {"sysinfo", 0},
    {"getpid", 0}, {"gettid", 0}, {"getppid", 0}, {"getuid", 0}, {"geteuid", 0}, {"getgid", 0},
    {"getegid", 0}, {"tgkill", 0}, {"sched_getaffinity", 0}, {"sched_yield", 0},
    {"getrusage", 0}, {"exit", 0}, {"exit_group", 0},
    {NULL, 0},
};

#define OPEN_WRITES ((scmp_datum_t)(O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY)))
#define PROT_EXEC_BIT 0x4

/* The loader reads back that the filter is in force. */
#define READ_BACK \
    {{"prctl", 0}, SCMP_ACT_ALLOW, false, 1, {SBX_COMPARE(0, SCMP_CMP_EQ, PR_GET_SECCOMP)}}

static const struct sbx_call_rule init_rules[] = {READ_BACK};

static const struct sbx_call_rule clerk_rules[] = {
    READ_BACK,
    {{"open", 0}, SCMP_ACT_ALLOW, false, 1, {SBX_BITS(1, OPEN_WRITES, O_RDONLY)}},
    {{"openat", 0}, SCMP_ACT_ALLOW, false, 1, {SBX_BITS(2, OPEN_WRITES, O_RDONLY)}},
    {{"mmap", 0}, SCMP_ACT_ALLOW, false, 1, {SBX_BITS(2, PROT_EXEC_BIT, 0)}},
    {{"mprotect", 0}, SCMP_ACT_ALLOW, false, 1, {SBX_BITS(2, PROT_EXEC_BIT, 0)}},
    {{"prlimit64", 0}, SCMP_ACT_ALLOW, false, 1, {SBX_COMPARE(2, SCMP_CMP_EQ, 0)}},
};
static const struct {
    const char *name;
    const struct sbx_call *calls;
    const struct sbx_call_rule *rules;
    size_t rule_count;
} helpers[] = {
    [SBX_HELPER_INIT] = {"init", init_calls, init_rules, 1},
    [SBX_HELPER_CLERK] = {"clerk", clerk_calls, clerk_rules,
                          sizeof(clerk_rules) / sizeof(*clerk_rules)},
};
/* clang-format on */

static int add_helper(scmp_filter_ctx filter, enum sbx_helper helper, struct sbx_err *err)
{
    for (const struct sbx_call *call = helpers[helper].calls; call->name; call++)
        if (sbx_filter_add_call(filter, call, SCMP_ACT_ALLOW, err))
            return -1;
    for (size_t r = 0; r < helpers[helper].rule_count; r++)
        if (sbx_filter_add_rule(filter, &helpers[helper].rules[r], err))
            return -1;
    return 0;
}

int sbx_seccomp_compile_helper(enum sbx_helper helper, struct sbx_bpf *out, struct sbx_err *err)
{
    if ((size_t)helper >= sizeof(helpers) / sizeof(*helpers))
        return sbx_fail(err, SBX_E_USAGE, 0, "no such helper");
    _cleanup_filter_ scmp_filter_ctx filter = sbx_filter_begin(KILL, err);
    if (!filter || add_helper(filter, helper, err) ||
        sbx_filter_export(filter, 1, &out->code, &out->count, err))
        return sbx_err_prefix(err, "%s: ", helpers[helper].name);
    out->code[0] = sbx_chunk_header((unsigned short)(out->count - 1), true);
    return 0;
}
