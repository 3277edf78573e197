/* "Am I in my jail?": yes for the real thing, no for each way of faking or lacking a part of it. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "child.h"
#include "jail/attest.h"
#include "jail/caps.h"
#include "jail/seccomp.h"
#include "policy/cleanup.h"

Suite *attest_suite(void);

#define SOMEBODY 64321

enum flaw {
    FLAW_NONE = 0,
    FLAW_ABSENT,
    FLAW_OWNER,
    FLAW_MODE,
    FLAW_MOUNT,
    FLAW_SYMLINK,
    FLAW_FIFO,
    FLAW_SHORT,
    FLAW_LONG,
    FLAW_MAGIC,
    FLAW_NAME,
    FLAW_UID,
    FLAW_NEW_PRIVS,
    FLAW_FILTER,
    FLAW_OTHER_FILTER,
    FLAW_CAPABLE,
    FLAW_NAMESPACE, /* and the two after it */
};
#define FLAWS (FLAW_NAMESPACE + 3)

static bool write_record(const struct sbx_attest *record, enum flaw flaw)
{
    size_t size = flaw == FLAW_SHORT ? sizeof(*record) - 1 : sizeof(*record);
    const char *name = flaw == FLAW_SYMLINK ? "real" : "attest";
    if (flaw == FLAW_ABSENT)
        return true;
    if (flaw == FLAW_FIFO)
        return !mkfifo("attest", 0444);
    _cleanup_fd_ int fd = open(name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0444);
    if (fd < 0 || write(fd, record, size) != (ssize_t)size)
        return false;
    if (flaw == FLAW_LONG && write(fd, "x", 1) != 1)
        return false;
    if (flaw == FLAW_OWNER && fchown(fd, SOMEBODY, SOMEBODY))
        return false;
    if (fchmod(fd, flaw == FLAW_MODE ? 0466 : 0444))
        return false;
    return flaw != FLAW_SYMLINK || !symlink("real", "attest");
}

/* A read-only mount with the record of this very process on it. */
static int session_dir(enum flaw flaw)
{
    struct sbx_attest record;
    struct sbx_err err = SBX_ERR_INIT;
    _cleanup_fd_ int ns = open("/proc/self/ns", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (ns < 0 || sbx_attest_read(ns, &record, &err))
        return -1;
    record.uid = flaw == FLAW_UID ? SOMEBODY + 1 : SOMEBODY;
    memset(record.jail, flaw == FLAW_NAME ? 'x' : 0, sizeof(record.jail));
    record.magic += flaw == FLAW_MAGIC;
    if (flaw >= FLAW_NAMESPACE)
        record.ns[flaw - FLAW_NAMESPACE].ino++;
    if (mount("sbx-test", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755") || chdir("/tmp") ||
        !write_record(&record, flaw))
        return -1;
    if (flaw != FLAW_MOUNT && mount(NULL, "/tmp", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL))
        return -1;
    return open("/tmp", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* A filter that is not ours: it lets everything through. */
static int load_other(struct sbx_err *err)
{
    struct sock_filter code[] = {
        {.code = 0x5853,          .k = 1         },
        {.code = BPF_RET | BPF_K, .k = 0x7fff0000}
    };
    return sbx_seccomp_load(code, 2, err);
}

static int load_deny(struct sbx_err *err)
{
    struct sbx_bpf bpf;
    if (sbx_seccomp_compile(SBX_FILTER_DENY, NULL, &bpf, err))
        return -1;
    _cleanup_free_ struct sock_filter *code = bpf.code;
    return sbx_seccomp_load(code, bpf.count, err);
}

/* What a join does, but for the flaw. no_new_privs comes last where it is to be missing. */
static bool confine(enum flaw flaw, struct sbx_err *err)
{
    if (flaw != FLAW_NEW_PRIVS && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        return false;
    if (flaw == FLAW_OTHER_FILTER ? load_other(err) : flaw != FLAW_FILTER && load_deny(err))
        return false;
    if (flaw == FLAW_CAPABLE) /* permitted, not effective */
        return !prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) && !setgroups(0, NULL) &&
               !setresgid(SOMEBODY, SOMEBODY, SOMEBODY) && !setresuid(SOMEBODY, SOMEBODY, SOMEBODY);
    return !sbx_caps_become(SOMEBODY, SOMEBODY, NULL, 0, err);
}

static int attest_inside(void *data)
{
    enum flaw flaw = *(enum flaw *)data;
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_attest record;
    if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL))
        return 90;
    _cleanup_fd_ int dirfd = session_dir(flaw);
    if (dirfd < 0)
        return 91;
    if (!confine(flaw, &err))
        return 92;
    return sbx_attest_check(dirfd, &record, &err) ? 1 : 0;
}

static int in_jail(void *data)
{
    if (unshare(CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS |
                CLONE_NEWCGROUP) ||
        mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
        return 93;
    int status = in_child(attest_inside, data);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 94;
}

START_TEST(only_the_real_thing)
{
    if (!has_root("only_the_real_thing"))
        return;
    for (int flaw = FLAW_NONE; flaw < FLAWS; flaw++) {
        enum flaw one = (enum flaw)flaw;
        int status = in_child(in_jail, &one);
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == (flaw != FLAW_NONE),
                      "flaw %d: status %#x", flaw, status);
    }
}
END_TEST

/* On the host there is no record, and this process is in no jail. */
START_TEST(not_outside)
{
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_attest record;
    _cleanup_fd_ int dirfd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    ck_assert_int_eq(sbx_attest_check(dirfd, &record, &err), -1);
    ck_assert_int_eq(err.code, SBX_E_TRUST);
}
END_TEST

Suite *attest_suite(void)
{
    Suite *suite = suite_create("attest");
    TCase *tcase = tcase_create("core");
    tcase_set_timeout(tcase, 30);
    tcase_add_test(tcase, only_the_real_thing);
    tcase_add_test(tcase, not_outside);
    suite_add_tcase(suite, tcase);
    return suite;
}
