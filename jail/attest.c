#include "jail/attest.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
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

int sbx_attest_read(int ns_dirfd, struct sbx_attest *record, struct sbx_err *err)
{
    *record = (struct sbx_attest){.magic = SBX_ATTEST_MAGIC};
    for (size_t i = 0; i < SBX_NS_COUNT; i++) {
        struct stat st;
        if (fstatat(ns_dirfd, namespaces[i], &st, 0)) /* a magic link: into the namespace */
            return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot read namespace %s", namespaces[i]);
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

/* Mounts, processes, network. The join enters all six in one call that succeeds whole or not at all, and
 * each look into /proc costs every command. */
#define NS_CHECKED 3

/* "mnt:[4026531841]": the number, or 0. Reading the link is cheaper than following it, and all
 * namespaces lie on one file system, whose number the record has for each. */
static uint64_t linked_inode(int ns_dirfd, const char *name)
{
    char link[64];
    ssize_t len = readlinkat(ns_dirfd, name, link, sizeof(link) - 1);
    size_t prefix = strlen(name);
    if (len <= 0)
        return 0;
    link[len] = '\0';
    if (strncmp(link, name, prefix) || strncmp(link + prefix, ":[", 2))
        return 0;
    char *end = NULL;
    uint64_t inode = strtoull(link + prefix + 2, &end, 10);
    return strcmp(end, "]") ? 0 : inode;
}

static int check_namespaces(const struct sbx_attest *record, struct sbx_err *err)
{
    /* openat(), here and elsewhere on this way: musl's open() calls fcntl after it. */
    _cleanup_fd_ int dirfd = openat(AT_FDCWD, "/proc/self/ns", O_PATH | O_DIRECTORY | O_CLOEXEC);
    struct statfs fs;
    if (dirfd < 0 || fstatfs(dirfd, &fs))
        return sbx_fail(err, SBX_E_DENIED, errno, "cannot read this process's namespaces");
    if (fs.f_type != PROC_SUPER_MAGIC)
        return sbx_fail(err, SBX_E_DENIED, 0, "/proc is not the kernel's");
    for (size_t i = 0; i < NS_CHECKED; i++)
        if (!record->ns[i].ino || linked_inode(dirfd, namespaces[i]) != record->ns[i].ino)
            return sbx_fail(err, SBX_E_DENIED, 0, "namespace %s is not the jail's", namespaces[i]);
    return 0;
}

/* The deny list by trying: it answers ENOSYS to clone3, which a bare kernel answers with EINVAL for
 * these arguments. Quiet, so that no login leaves a record of a denial. */
static bool deny_list_answers(void)
{
    return syscall(SYS_clone3, NULL, 0) == -1 && errno == ENOSYS;
}

/* Without new privileges no program gains capabilities; none MUST be there to begin with. */
static int check_rights(struct sbx_err *err)
{
    if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
        return sbx_fail(err, SBX_E_DENIED, 0, "new privileges can be gained here");
    if (prctl(PR_GET_SECCOMP) != SECCOMP_MODE_FILTER || !deny_list_answers())
        return sbx_fail(err, SBX_E_DENIED, 0, "no system call filter is in force");
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
    if (syscall(SYS_capget, &header, data))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot read this process's capabilities");
    for (size_t i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
        if (data[i].effective || data[i].permitted || data[i].inheritable)
            return sbx_fail(err, SBX_E_DENIED, 0, "this process has capabilities");
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
