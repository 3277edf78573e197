#include "jail/attest.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "jail/sys.h"
#include "policy/cleanup.h"

#define ST_RDONLY_FLAG 0x1 /* of statfs.f_flags */

static const char *const namespaces[SBX_NS_COUNT] = {"mnt", "pid", "net", "ipc", "uts", "cgroup"};

#define NS_PID 1

static int read_one(int ns_dirfd, const char *name, struct stat *st, struct sbx_err *err)
{
    if (fstatat(ns_dirfd, name, st, 0)) /* a magic link: followed into the namespace */
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot read namespace %s", name);
    return 0;
}

int sbx_attest_read(int ns_dirfd, struct sbx_attest *record, struct sbx_err *err)
{
    *record = (struct sbx_attest){.magic = SBX_ATTEST_MAGIC};
    for (size_t i = 0; i < SBX_NS_COUNT; i++) {
        struct stat st;
        if (read_one(ns_dirfd, namespaces[i], &st, err))
            return -1;
        record->ns[i].dev = st.st_dev;
        record->ns[i].ino = st.st_ino;
    }
    return 0;
}

/* MUSTs of the record: a regular file of root's that nobody else can write, on a mount that is
 * read-only here, of exactly our size. All by the open descriptor. */
static int read_record(int session_dirfd, struct sbx_attest *record, struct sbx_err *err)
{
    _cleanup_fd_ int fd =
        openat(session_dirfd, "attest", O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return sbx_fail(err, SBX_E_TRUST, errno, "cannot open the jail's record");
    struct stat st;
    struct statfs fs;
    if (fstat(fd, &st) || fstatfs(fd, &fs))
        return sbx_fail(err, SBX_E_TRUST, errno, "cannot look at the jail's record");
    if (!S_ISREG(st.st_mode) || st.st_uid != 0 || (st.st_mode & 022) ||
        st.st_size != (off_t)sizeof(*record))
        return sbx_fail(err, SBX_E_TRUST, 0, "the jail's record is not root's");
    if (!((unsigned long)fs.f_flags & ST_RDONLY_FLAG))
        return sbx_fail(err, SBX_E_TRUST, 0, "the jail's record can be written here");
    if (pread(fd, record, sizeof(*record), 0) != (ssize_t)sizeof(*record))
        return sbx_fail(err, SBX_E_TRUST, errno, "cannot read the jail's record");
    if (record->magic != SBX_ATTEST_MAGIC ||
        strnlen(record->jail, sizeof(record->jail)) == sizeof(record->jail))
        return sbx_fail(err, SBX_E_TRUST, 0, "the jail's record is of another version");
    return 0;
}

static int check_namespaces(const struct sbx_attest *record, struct sbx_err *err)
{
    _cleanup_fd_ int dirfd = open("/proc/self/ns", O_PATH | O_DIRECTORY | O_CLOEXEC);
    struct statfs fs;
    if (dirfd < 0 || fstatfs(dirfd, &fs))
        return sbx_fail(err, SBX_E_DENIED, errno, "cannot read this process's namespaces");
    if (fs.f_type != PROC_SUPER_MAGIC)
        return sbx_fail(err, SBX_E_DENIED, 0, "/proc is not the kernel's");
    for (size_t i = 0; i <= SBX_NS_COUNT; i++) {
        size_t at = i < SBX_NS_COUNT ? i : NS_PID;
        const char *name = i < SBX_NS_COUNT ? namespaces[i] : "pid_for_children";
        struct stat st;
        if (read_one(dirfd, name, &st, err))
            return -1;
        if (st.st_dev != record->ns[at].dev || st.st_ino != record->ns[at].ino)
            return sbx_fail(err, SBX_E_DENIED, 0, "namespace %s is not the jail's", name);
    }
    return 0;
}

/* The deny list by trying: it answers ENOSYS to clone3, which a bare kernel answers with EINVAL for
 * these arguments. Quiet, so that no login leaves a record of a denial. */
static bool deny_list_answers(void)
{
    return syscall(SYS_clone3, NULL, 0) == -1 && errno == ENOSYS;
}

static int check_rights(struct sbx_err *err)
{
    if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
        return sbx_fail(err, SBX_E_DENIED, 0, "new privileges can be gained here");
    if (prctl(PR_GET_SECCOMP) != SECCOMP_MODE_FILTER || !deny_list_answers())
        return sbx_fail(err, SBX_E_DENIED, 0, "no system call filter is in force");
    for (unsigned long cap = 0; cap < 64; cap++) {
        int is_set = prctl(PR_CAPBSET_READ, cap, 0, 0, 0);
        if (is_set < 0)
            break; /* past the last one */
        if (is_set)
            return sbx_fail(err, SBX_E_DENIED, 0, "the bounding set is not empty");
    }
    return 0;
}

int sbx_attest_check(int session_dirfd, struct sbx_attest *record, struct sbx_err *err)
{
    if (read_record(session_dirfd, record, err))
        return -1;
    uid_t real, effective, saved;
    if (getresuid(&real, &effective, &saved) || real != record->uid || effective != record->uid ||
        saved != record->uid)
        return sbx_fail(err, SBX_E_DENIED, 0, "the jail is of uid %u, not of this one",
                        record->uid);
    if (check_namespaces(record, err))
        return -1;
    return check_rights(err);
}
