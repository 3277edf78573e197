/* The two filters over a table of calls, simulated: what is refused, how, and whether it is logged. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "bpf_sim.h"
#include "jail/seccomp.h"

Suite *seccomp_sim_suite(void);

#define PASS   (-1)
#define KILL   (-2)
#define LOUD   true
#define QUIET  false
#define HIGH   0xdead00000000ull
#define SUID   (S_ISUID | 0755)
#define SGID   (S_ISGID | 0755)
#define UNUSED 0xaaaaaaaaaaaaaaaaull /* what a register may hold that the call does not use */

struct row {
    long nr;
    uint64_t args[4];
    int answer; /* errno, PASS or KILL */
    bool is_logged;
};

#define CLONE_THREAD_FLAGS 0x3d0f00 /* what glibc passes for a thread */

/* clang-format off */
static const struct row deny_rows[] = {
    {SYS_read, {0}, PASS, QUIET}, {SYS_execve, {0}, PASS, QUIET}, {SYS_mmap, {0}, PASS, QUIET},
    {SYS_setgroups, {0}, PASS, QUIET}, {SYS_setresuid, {0}, PASS, QUIET},
    {SYS_setresgid, {0}, PASS, QUIET}, {SYS_chroot, {0}, PASS, QUIET},
    {SYS_prctl, {0}, PASS, QUIET}, {SYS_seccomp, {0}, PASS, QUIET},

    {SYS_unshare, {0}, EPERM, LOUD}, {SYS_setns, {0}, EPERM, LOUD},
    {SYS_mount, {0}, EPERM, LOUD}, {SYS_umount2, {0}, EPERM, LOUD},
    {SYS_pivot_root, {0}, EPERM, LOUD}, {428, {0}, EPERM, LOUD}, {429, {0}, EPERM, LOUD},
    {430, {0}, EPERM, LOUD}, {431, {0}, EPERM, LOUD}, {432, {0}, EPERM, LOUD},
    {433, {0}, EPERM, LOUD}, {442, {0}, EPERM, LOUD}, {467, {0}, EPERM, LOUD},
    {SYS_quotactl, {0}, EPERM, LOUD}, {443, {0}, EPERM, LOUD},
    {SYS_init_module, {0}, EPERM, LOUD}, {SYS_finit_module, {0}, EPERM, LOUD},
    {SYS_delete_module, {0}, EPERM, LOUD}, {SYS_kexec_load, {0}, EPERM, LOUD},
    {SYS_kexec_file_load, {0}, EPERM, LOUD}, {SYS_bpf, {0}, EPERM, LOUD},
    {SYS_perf_event_open, {0}, EPERM, LOUD}, {SYS_userfaultfd, {0}, EPERM, LOUD},
    {425, {0}, EPERM, LOUD}, {426, {0}, EPERM, LOUD}, {427, {0}, EPERM, LOUD},
    {SYS_acct, {0}, EPERM, LOUD}, {SYS_reboot, {0}, EPERM, LOUD},
    {SYS_swapon, {0}, EPERM, LOUD}, {SYS_swapoff, {0}, EPERM, LOUD},
    {SYS_settimeofday, {0}, EPERM, LOUD}, {SYS_clock_settime, {0}, EPERM, LOUD},
    {SYS_sethostname, {0}, EPERM, LOUD}, {SYS_setdomainname, {0}, EPERM, LOUD},
    {SYS_syslog, {0}, EPERM, LOUD}, {SYS_vhangup, {0}, EPERM, LOUD},
    {SYS_fanotify_init, {0}, EPERM, LOUD}, {447, {0}, EPERM, LOUD},
    {SYS_open_by_handle_at, {0}, EPERM, LOUD}, {438, {0}, EPERM, LOUD},
    {SYS_ptrace, {0}, EPERM, LOUD}, {SYS_process_vm_readv, {0}, EPERM, LOUD},
    {SYS_process_vm_writev, {0}, EPERM, LOUD}, {SYS_kcmp, {0}, EPERM, LOUD},
    {SYS_keyctl, {0}, ENOSYS, LOUD}, {SYS_add_key, {0}, ENOSYS, LOUD},
    {SYS_request_key, {0}, ENOSYS, LOUD},
    {435, {0}, ENOSYS, QUIET}, {437, {0}, ENOSYS, QUIET},
#if defined(__x86_64__)
    {SYS_iopl, {0}, EPERM, LOUD}, {SYS_ioperm, {0}, EPERM, LOUD}, {SYS_uselib, {0}, EPERM, LOUD},
#endif

    {SYS_clone, {CLONE_THREAD_FLAGS}, PASS, QUIET}, {SYS_clone, {17}, PASS, QUIET},
    {SYS_clone, {CLONE_VM | CLONE_VFORK | 17}, PASS, QUIET},
    {SYS_clone, {CLONE_NEWNS | 17}, EPERM, LOUD}, {SYS_clone, {CLONE_NEWCGROUP}, EPERM, LOUD},
    {SYS_clone, {CLONE_NEWUTS}, EPERM, LOUD}, {SYS_clone, {CLONE_NEWIPC}, EPERM, LOUD},
    {SYS_clone, {CLONE_NEWUSER}, EPERM, LOUD}, {SYS_clone, {CLONE_NEWPID}, EPERM, LOUD},
    {SYS_clone, {CLONE_NEWNET}, EPERM, LOUD},
    {SYS_clone, {HIGH | CLONE_NEWUSER | CLONE_VM}, EPERM, LOUD},

    {SYS_fchmod, {3, 0755}, PASS, QUIET}, {SYS_fchmod, {3, 01777}, PASS, QUIET},
    {SYS_fchmod, {3, SUID}, EPERM, LOUD}, {SYS_fchmod, {3, SGID}, EPERM, LOUD},
    {SYS_fchmod, {3, HIGH | SUID}, EPERM, LOUD},
    {SYS_fchmodat, {0, 0, 0755, UNUSED}, PASS, QUIET},
    {SYS_fchmodat, {0, 0, SUID}, EPERM, LOUD}, {SYS_fchmodat, {0, 0, SGID}, EPERM, LOUD},
    {452, {0, 0, 0755}, PASS, QUIET}, {452, {0, 0, SUID}, EPERM, LOUD},
    {452, {0, 0, SGID}, EPERM, LOUD},
    {SYS_mkdirat, {0, 0, 0755}, PASS, QUIET}, {SYS_mkdirat, {0, 0, SGID}, EPERM, LOUD},
    {SYS_mknodat, {0, 0, S_IFIFO | 0600}, PASS, QUIET},
    {SYS_mknodat, {0, 0, S_IFREG | SUID}, EPERM, LOUD},
    {SYS_openat, {0, 0, O_RDONLY, UNUSED}, PASS, QUIET},
    {SYS_openat, {0, 0, O_RDONLY | O_DIRECTORY, UNUSED}, PASS, QUIET},
    {SYS_openat, {0, 0, O_CREAT | O_WRONLY, 0644}, PASS, QUIET},
    {SYS_openat, {0, 0, O_TMPFILE | O_WRONLY, 0644}, PASS, QUIET},
    {SYS_openat, {0, 0, O_CREAT | O_WRONLY, SUID}, EPERM, LOUD},
    {SYS_openat, {0, 0, O_CREAT | O_WRONLY, SGID}, EPERM, LOUD},
    {SYS_openat, {0, 0, O_TMPFILE | O_WRONLY, SUID}, EPERM, LOUD},
    {SYS_openat, {0, 0, O_TMPFILE | O_WRONLY, HIGH | SGID}, EPERM, LOUD},
#if defined(__x86_64__)
    {SYS_chmod, {0, 0755}, PASS, QUIET}, {SYS_chmod, {0, SUID}, EPERM, LOUD},
    {SYS_chmod, {0, SGID}, EPERM, LOUD}, {SYS_creat, {0, 0644}, PASS, QUIET},
    {SYS_creat, {0, SUID}, EPERM, LOUD}, {SYS_mkdir, {0, 0755}, PASS, QUIET},
    {SYS_mkdir, {0, SGID}, EPERM, LOUD}, {SYS_mknod, {0, S_IFREG | SUID}, EPERM, LOUD},
    {SYS_open, {0, O_RDONLY, UNUSED}, PASS, QUIET}, {SYS_open, {0, O_CREAT, SUID}, EPERM, LOUD},
    {SYS_open, {0, O_CREAT, SGID}, EPERM, LOUD}, {SYS_open, {0, O_TMPFILE, SUID}, EPERM, LOUD},
#endif

    {SYS_ioctl, {0, TCGETS}, PASS, QUIET}, {SYS_ioctl, {0, TIOCGWINSZ}, PASS, QUIET},
    {SYS_ioctl, {0, TIOCSCTTY}, PASS, QUIET}, {SYS_ioctl, {0, FIONREAD}, PASS, QUIET},
    {SYS_ioctl, {0, TIOCSTI}, EPERM, LOUD}, {SYS_ioctl, {0, HIGH | TIOCSTI}, EPERM, LOUD},
    {SYS_ioctl, {0, 0x541c}, EPERM, LOUD}, {SYS_ioctl, {0, HIGH | 0x541c}, EPERM, LOUD},
    {SYS_ioctl, {0, TIOCSETD}, EPERM, LOUD}, {SYS_ioctl, {0, HIGH | TIOCSETD}, EPERM, LOUD},
    {SYS_ioctl, {0, TIOCCONS}, EPERM, LOUD},

    {SYS_socket, {AF_UNIX, SOCK_DGRAM, 0}, PASS, QUIET},
    {SYS_socket, {AF_INET, SOCK_STREAM, 0}, PASS, QUIET},
    {SYS_socket, {AF_INET, SOCK_STREAM, 6}, PASS, QUIET},
    {SYS_socket, {AF_INET6, SOCK_DGRAM, 17}, PASS, QUIET},
    {SYS_socket, {AF_INET6, SOCK_DGRAM, 58}, PASS, QUIET},
    {SYS_socket, {AF_NETLINK, SOCK_RAW, 0}, PASS, QUIET},
    {SYS_socket, {AF_NETLINK, SOCK_RAW, 9}, EAFNOSUPPORT, QUIET},
    {SYS_socket, {AF_NETLINK, SOCK_RAW, HIGH}, EAFNOSUPPORT, QUIET},
    {SYS_socket, {0}, EAFNOSUPPORT, QUIET}, {SYS_socket, {3}, EAFNOSUPPORT, QUIET},
    {SYS_socket, {4}, EAFNOSUPPORT, QUIET}, {SYS_socket, {5}, EAFNOSUPPORT, QUIET},
    {SYS_socket, {6}, EAFNOSUPPORT, QUIET}, {SYS_socket, {7}, EAFNOSUPPORT, QUIET},
    {SYS_socket, {8}, EAFNOSUPPORT, QUIET}, {SYS_socket, {9}, EAFNOSUPPORT, QUIET},
    {SYS_socket, {11}, EAFNOSUPPORT, QUIET}, {SYS_socket, {12}, EAFNOSUPPORT, QUIET},
    {SYS_socket, {13}, EAFNOSUPPORT, QUIET}, {SYS_socket, {14}, EAFNOSUPPORT, QUIET},
    {SYS_socket, {15}, EAFNOSUPPORT, QUIET}, {SYS_socket, {17}, EAFNOSUPPORT, QUIET},
    {SYS_socket, {30}, EAFNOSUPPORT, QUIET}, {SYS_socket, {38}, EAFNOSUPPORT, QUIET},
    {SYS_socket, {40}, EAFNOSUPPORT, QUIET}, {SYS_socket, {44}, EAFNOSUPPORT, QUIET},
    {SYS_socket, {HIGH | 40}, EAFNOSUPPORT, QUIET}, {SYS_socket, {HIGH | 3}, EAFNOSUPPORT, QUIET},
    {SYS_socket, {HIGH | AF_NETLINK, 3, 9}, EAFNOSUPPORT, QUIET},
    {SYS_socket, {AF_INET, SOCK_STREAM, 262}, EPROTONOSUPPORT, QUIET},
    {SYS_socket, {AF_INET, SOCK_STREAM, 132}, EPROTONOSUPPORT, QUIET},
    {SYS_socket, {AF_INET6, 6, 33}, EPROTONOSUPPORT, QUIET},
    {SYS_socket, {AF_INET, SOCK_STREAM, HIGH | 33}, EPROTONOSUPPORT, QUIET},
    {SYS_socketpair, {AF_UNIX, SOCK_STREAM}, PASS, QUIET},
    {SYS_socketpair, {AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC}, PASS, QUIET},
    {SYS_socketpair, {AF_UNIX, SOCK_SEQPACKET}, PASS, QUIET},
    {SYS_socketpair, {AF_UNIX, SOCK_DGRAM}, EPERM, LOUD},
    {SYS_socketpair, {AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK}, EPERM, LOUD},
    {SYS_socketpair, {AF_UNIX, SOCK_RAW}, EPERM, LOUD},
    {SYS_socketpair, {AF_UNIX, HIGH | SOCK_DGRAM}, EPERM, LOUD},
    {SYS_socketpair, {30, SOCK_STREAM}, EAFNOSUPPORT, QUIET},

    {SYS_prlimit64, {0, RLIMIT_NOFILE, 1, 0}, PASS, QUIET},
    {SYS_prlimit64, {0, RLIMIT_CORE, 0, 1}, PASS, QUIET},
    {SYS_prlimit64, {0, RLIMIT_CORE, 1, 0}, 0, QUIET},
    {SYS_prlimit64, {0, HIGH | RLIMIT_CORE, 1, 0}, 0, QUIET},
    {SYS_prlimit64, {0, RLIMIT_CORE, 1, 1}, EPERM, LOUD},
    {SYS_setrlimit, {RLIMIT_CORE, 1}, 0, QUIET}, {SYS_setrlimit, {HIGH | RLIMIT_CORE, 1}, 0, QUIET},
    {SYS_setrlimit, {RLIMIT_NOFILE, 1}, PASS, QUIET},
};

/* On top: answered by both filters in a row, as a sealed shell has them. */
static const struct row sealed_rows[] = {
    {SYS_read, {0}, PASS, QUIET}, {SYS_execve, {0}, PASS, QUIET},
    {SYS_openat, {0, 0, O_CREAT, 0644}, PASS, QUIET},
    {SYS_openat, {0, 0, O_CREAT, SUID}, EPERM, LOUD},
    {SYS_mount, {0}, EPERM, LOUD}, {SYS_unshare, {0}, EPERM, LOUD}, {SYS_ptrace, {0}, EPERM, LOUD},
    {SYS_clone, {CLONE_NEWUSER}, EPERM, LOUD}, {SYS_clone, {17}, PASS, QUIET},
    {435, {0}, ENOSYS, QUIET}, {437, {0}, ENOSYS, QUIET},
    {SYS_name_to_handle_at, {0}, ENOSYS, QUIET}, {SYS_chroot, {0}, PASS, QUIET},
    {SYS_move_pages, {0}, ENOSYS, QUIET}, {SYS_remap_file_pages, {0}, ENOSYS, QUIET},
    {470, {0}, ENOSYS, QUIET}, {999, {0}, ENOSYS, QUIET}, {0x3fffffff, {0}, ENOSYS, QUIET},
    {SYS_socketpair, {AF_UNIX, SOCK_STREAM}, PASS, QUIET},
    {SYS_socketpair, {AF_UNIX, SOCK_DGRAM}, EPERM, LOUD},
    {SYS_personality, {0}, PASS, QUIET}, {SYS_personality, {0xffffffff}, PASS, QUIET},
    {SYS_personality, {0x40000}, PASS, QUIET}, {SYS_personality, {0x400000}, ENOSYS, QUIET},
    {SYS_personality, {HIGH | 0x400000}, ENOSYS, QUIET}, {-1, {0}, ENOSYS, QUIET},
    {SYS_prctl, {SBX_SEAL_PRCTL}, SBX_SEAL_ERRNO, QUIET},
    {SYS_prctl, {HIGH | SBX_SEAL_PRCTL}, SBX_SEAL_ERRNO, QUIET}, {SYS_prctl, {15}, PASS, QUIET},
#if defined(__x86_64__)
    {SYS_modify_ldt, {0}, ENOSYS, QUIET}, {335, {0}, PASS, QUIET}, {336, {0}, PASS, QUIET},
#endif
};
/* clang-format on */

static struct sbx_bpf compile(enum sbx_filter which, bool allow_ptrace)
{
    struct sbx_bpf out = {0};
    struct sbx_err err = SBX_ERR_INIT;
    const struct sbx_filter_options options = {.allow_ptrace = allow_ptrace};
    ck_assert_msg(!sbx_seccomp_compile(which, &options, &out, &err), "%s", err.message);
    return out;
}

/* The deny list, and above it, where asked for, the allow list. */
static struct sbx_bpf stack(bool is_sealed)
{
    struct sbx_bpf deny = compile(SBX_FILTER_DENY, false);
    if (!is_sealed)
        return deny;
    struct sbx_bpf allow = compile(SBX_FILTER_ALLOW, false), both;
    both.count = (unsigned short)(deny.count + allow.count);
    both.code = calloc(both.count, sizeof(*both.code));
    memcpy(both.code, deny.code, deny.count * sizeof(*deny.code));
    memcpy(both.code + deny.count, allow.code, allow.count * sizeof(*allow.code));
    free(deny.code);
    free(allow.code);
    return both;
}

static uint32_t expected_action(int answer)
{
    if (answer == PASS)
        return SECCOMP_RET_ALLOW;
    return answer == KILL ? SECCOMP_RET_KILL_PROCESS : SECCOMP_RET_ERRNO | (uint32_t)answer;
}

static void check_rows(const struct sbx_bpf *bpf, const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct seccomp_data data = {.nr = (int)rows[i].nr, .arch = SIM_ARCH};
        memcpy(data.args, rows[i].args, sizeof(rows[i].args));
        struct sim_result got = sim_run(bpf->code, bpf->count, &data);
        ck_assert_msg(got.action == expected_action(rows[i].answer),
                      "row %zu: call %ld(%#lx, %#lx, %#lx, %#lx) gave %#x", i, rows[i].nr,
                      (unsigned long)rows[i].args[0], (unsigned long)rows[i].args[1],
                      (unsigned long)rows[i].args[2], (unsigned long)rows[i].args[3], got.action);
        ck_assert_msg(got.is_logged == rows[i].is_logged, "row %zu: call %ld: logged %d", i,
                      rows[i].nr, got.is_logged);
    }
}

START_TEST(deny_list)
{
    struct sbx_bpf bpf = stack(false);
    check_rows(&bpf, deny_rows, sizeof(deny_rows) / sizeof(*deny_rows));
    free(bpf.code);
}
END_TEST

START_TEST(sealed)
{
    struct sbx_bpf bpf = stack(true);
    check_rows(&bpf, sealed_rows, sizeof(sealed_rows) / sizeof(*sealed_rows));
    free(bpf.code);
}
END_TEST

/* Whatever the deny list refuses, the allow list must not answer in its place: that would be a
 * refusal that nobody sees. */
START_TEST(denials_stay_logged_when_sealed)
{
    struct sbx_bpf bpf = stack(true);
    for (size_t i = 0; i < sizeof(deny_rows) / sizeof(*deny_rows); i++) {
        if (!deny_rows[i].is_logged)
            continue;
        struct seccomp_data data = {.nr = (int)deny_rows[i].nr, .arch = SIM_ARCH};
        memcpy(data.args, deny_rows[i].args, sizeof(deny_rows[i].args));
        ck_assert_msg(sim_run(bpf.code, bpf.count, &data).is_logged, "row %zu: call %ld", i,
                      deny_rows[i].nr);
    }
    free(bpf.code);
}
END_TEST

START_TEST(ptrace_only_where_policy_says_so)
{
    static const long calls[] = {SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp};
    struct sbx_bpf bpf = compile(SBX_FILTER_DENY, true);
    for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
        const struct seccomp_data data = {.nr = (int)calls[i], .arch = SIM_ARCH};
        ck_assert_uint_eq(sim_run(bpf.code, bpf.count, &data).action, SECCOMP_RET_ALLOW);
    }
    const struct seccomp_data getfd = {.nr = 438, .arch = SIM_ARCH};
    ck_assert_uint_eq(sim_run(bpf.code, bpf.count, &getfd).action, SECCOMP_RET_ERRNO | EPERM);
    free(bpf.code);
}
END_TEST

START_TEST(other_abis_are_killed)
{
    struct sbx_bpf bpf = stack(false);
    static const uint32_t archs[] = {AUDIT_ARCH_I386, AUDIT_ARCH_ARM, AUDIT_ARCH_MIPS, 0};
    for (size_t i = 0; i < sizeof(archs) / sizeof(*archs); i++) {
        const struct seccomp_data data = {.nr = 20, .arch = archs[i]};
        ck_assert_uint_eq(sim_run(bpf.code, bpf.count, &data).action, SECCOMP_RET_KILL_PROCESS);
    }
#if defined(__x86_64__)
    const struct seccomp_data x32 = {.nr = 0x40000000 | SYS_read, .arch = SIM_ARCH};
    ck_assert_uint_eq(sim_run(bpf.code, bpf.count, &x32).action, SECCOMP_RET_KILL_PROCESS);
#endif
    free(bpf.code);
}
END_TEST

/* Every call of every session pays for the length. The kernel remembers the calls that pass by
 * number alone, so the few that are looked at by argument count most. */
START_TEST(stays_small)
{
    struct sbx_bpf deny = stack(false), sealed_stack = stack(true);
    ck_assert_uint_lt(deny.count, 310);
    ck_assert_uint_lt(sealed_stack.count, deny.count + 130);
    static const long hot[] = {SYS_openat, SYS_ioctl, SYS_clone, SYS_socket, SYS_prlimit64};
    for (size_t i = 0; i < sizeof(hot) / sizeof(*hot); i++) {
        const struct seccomp_data data = {
            .nr = (int)hot[i], .arch = SIM_ARCH, .args = {1, 1}
        };
        ck_assert_uint_lt(sim_run(deny.code, deny.count, &data).steps, 80);
    }
    free(deny.code);
    free(sealed_stack.code);
}
END_TEST

Suite *seccomp_sim_suite(void)
{
    Suite *suite = suite_create("seccomp_sim");
    TCase *tcase = tcase_create("core");
    tcase_add_test(tcase, deny_list);
    tcase_add_test(tcase, sealed);
    tcase_add_test(tcase, denials_stay_logged_when_sealed);
    tcase_add_test(tcase, ptrace_only_where_policy_says_so);
    tcase_add_test(tcase, other_abis_are_killed);
    tcase_add_test(tcase, stays_small);
    suite_add_tcase(suite, tcase);
    return suite;
}
