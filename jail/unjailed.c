#include "jail/unjailed.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "policy/cleanup.h"

#define LOGINS_MAX 4096 /* that are told apart: where more live nothing is removed */

/* --- what the kernel says of a process ------------------------------------------------------------ */
static int read_number(int proc_fd, const char *name, uint32_t *number)
{
    char text[16], *end;
    _cleanup_fd_ int fd = openat(proc_fd, name, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
    if (got <= 0)
        return -1;
    text[got] = '\0';
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (errno || end == text || value >= UINT32_MAX) /* the largest: none */
        return -1;
    *number = (uint32_t)value;
    return 0;
}

/* The number of the calling process's login. */
static int own_login(uint32_t *login, struct sbx_err *err)
{
    _cleanup_fd_ int proc = openat(AT_FDCWD, "/proc/self", O_PATH | O_DIRECTORY | O_CLOEXEC);
    struct statfs fs;
    if (proc < 0 || fstatfs(proc, &fs) || fs.f_type != PROC_SUPER_MAGIC)
        return sbx_fail(err, SBX_E_DENIED, errno, "/proc is not the kernel's");
    if (read_number(proc, "sessionid", login))
        return sbx_fail(err, SBX_E_UNSUPPORTED, 0,
                        "the kernel has no number for this login (it needs audit, and a login uid "
                        "that is set), so a session without a jail could not be told from others");
    return 0;
}

/* --- root's side ---------------------------------------------------------------------------------- */
int sbx_unjailed_write(int dir_fd, uid_t uid, const char *told, struct sbx_err *err)
{
    struct sbx_unjailed record = {.magic = SBX_UNJAILED_MAGIC, .uid = uid};
    char name[32], temporary[64];
    if (own_login(&record.login, err))
        return -1;
    (void)snprintf(record.told, sizeof(record.told), "%s", told);
    (void)snprintf(name, sizeof(name), "s%u", record.login);
    (void)snprintf(temporary, sizeof(temporary), ".%s-%d", name, getpid());
    (void)unlinkat(dir_fd, temporary, 0);
    _cleanup_fd_ int fd =
        openat(dir_fd, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot make the record of a login");
    /* The umask is the login program's. */
    if (write(fd, &record, sizeof(record)) == (ssize_t)sizeof(record) && !fchmod(fd, 0444) &&
        !renameat(dir_fd, temporary, dir_fd, name))
        return 0;
    int saved = errno;
    (void)unlinkat(dir_fd, temporary, 0);
    return sbx_fail(err, SBX_E_SYSTEM, saved, "cannot write the record of a login");
}

struct logins {
    uid_t uid;       /* of the account */
    uint32_t ending; /* lives in processes of that uid alone; UINT32_MAX: none is */
    size_t count;
    uint32_t number[LOGINS_MAX];
};

static bool has_login(const struct logins *logins, uint32_t number)
{
    for (size_t i = 0; i < logins->count; i++)
        if (logins->number[i] == number)
            return true;
    return false;
}

/* Does it run as the account, and will it go on to? sshd's own child is about to end when its monitor
 * ends the session. */
static bool is_of_account(const struct logins *logins, int proc_fd)
{
    char text[2048];
    _cleanup_fd_ int fd = openat(proc_fd, "status", O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
    if (got <= 0)
        return false;
    text[got] = '\0';
    const char *uid = strstr(text, "\nUid:\t"), *state = strstr(text, "\nState:\t"),
               *parent = strstr(text, "\nPPid:\t");
    return uid && state && parent && strtol(parent + 7, NULL, 10) != getpid() && state[8] != 'Z' &&
           state[8] != 'X' && strtoul(uid + 6, NULL, 10) == logins->uid;
}

static int add_process(struct logins *logins, int proc_fd)
{
    uint32_t number;
    if (read_number(proc_fd, "sessionid", &number) || has_login(logins, number) ||
        (number == logins->ending && !is_of_account(logins, proc_fd)))
        return 0;
    if (logins->count == LOGINS_MAX)
        return -1;
    logins->number[logins->count++] = number;
    return 0;
}

/* The logins that have a process. -1 where they cannot all be told. */
static int list_logins(struct logins *logins)
{
    _cleanup_dir_ DIR *proc = opendir("/proc");
    if (!proc)
        return -1;
    for (const struct dirent *entry; (entry = readdir(proc));) {
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
            continue;
        _cleanup_fd_ int fd = openat(dirfd(proc), entry->d_name, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (fd >= 0 && add_process(logins, fd))
            return -1;
    }
    return 0;
}

unsigned sbx_unjailed_sweep(int dir_fd, uid_t uid, bool ends)
{
    unsigned kept = 0;
    int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    _cleanup_dir_ DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    _cleanup_free_ struct logins *logins = calloc(1, sizeof(*logins));
    _cleanup_fd_ int self = open("/proc/self", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (!dir || !logins || self < 0)
        return 1;
    logins->uid = uid;
    if (!ends || read_number(self, "sessionid", &logins->ending))
        logins->ending = UINT32_MAX;
    if (list_logins(logins))
        return 1;
    for (const struct dirent *entry; (entry = readdir(dir));) {
        char *end;
        if (entry->d_name[0] != 's')
            continue;
        unsigned long number = strtoul(entry->d_name + 1, &end, 10);
        if (*end || number >= UINT32_MAX || has_login(logins, (uint32_t)number) ||
            unlinkat(dir_fd, entry->d_name, 0))
            kept++;
    }
    return kept;
}

/* --- the shell's side ----------------------------------------------------------------------------- */
static int step_into(int parent, const char *name, struct stat *st)
{
    _cleanup_fd_ int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || fstat(fd, st) || st->st_uid != 0 || (st->st_mode & 022))
        return -1;
    return sbx_steal_fd(&fd);
}

/* Step by step, so that no part of the way is somebody else's. */
static int open_folder(struct sbx_sessiondir *session, uid_t uid, struct sbx_err *err)
{
    char number[16];
    (void)snprintf(number, sizeof(number), "%u", uid);
    const char *const steps[] = {"/", "run", "sbx", "unjailed", number};
    struct stat st = {0};
    _cleanup_fd_ int at = -1;
    for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
        int next = step_into(i ? at : AT_FDCWD, steps[i], &st);
        if (next < 0)
            return sbx_fail(err, SBX_E_DENIED, errno, "no login of this account is without a jail");
        if (at >= 0)
            (void)close(at);
        at = next;
    }
    *session = (struct sbx_sessiondir){.fd = sbx_steal_fd(&at), .dev = st.st_dev};
    return 0;
}

static int read_record(const struct sbx_sessiondir *session, uint32_t login,
                       struct sbx_unjailed *record, struct sbx_err *err)
{
    char name[32];
    size_t size = 0;
    (void)snprintf(name, sizeof(name), "s%u", login);
    _cleanup_fd_ int fd = sbx_sessiondir_file(session, name, sizeof(*record), &size, err);
    if (fd < 0)
        return -1;
    if (size != sizeof(*record) || pread(fd, record, size, 0) != (ssize_t)size ||
        record->magic != SBX_UNJAILED_MAGIC)
        return sbx_fail(err, SBX_E_TRUST, 0, "the record of this login is no record");
    record->told[sizeof(record->told) - 1] = '\0';
    return 0;
}

int sbx_unjailed_open(struct sbx_sessiondir *session, struct sbx_unjailed *record,
                      struct sbx_err *err)
{
    uint32_t login;
    uid_t real, effective, saved;
    *session = (struct sbx_sessiondir){.fd = -1};
    if (getresuid(&real, &effective, &saved) || real != effective || real != saved)
        return sbx_fail(err, SBX_E_DENIED, 0, "this process is of more than one uid");
    if (own_login(&login, err) || open_folder(session, real, err) ||
        read_record(session, login, record, err))
        return -1;
    if (record->uid != real || record->login != login)
        return sbx_fail(err, SBX_E_DENIED, 0, "the record is of another login");
    return 0;
}
