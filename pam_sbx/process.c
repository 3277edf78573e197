#include "pam_sbx/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/cleanup.h"

/* Reads a small file of /proc whole; what does not fit is an error. Returns its length or -1. */
static ssize_t read_proc(const char *path, char *text, size_t size)
{
    _cleanup_fd_ int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    size_t used = 0;
    while (used < size - 1) {
        ssize_t got = read(fd, text + used, size - 1 - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0) {
            text[used] = '\0';
            return (ssize_t)used;
        }
        used += (size_t)got;
    }
    errno = EFBIG;
    return -1;
}

int sbx_process_check_threads(struct sbx_err *err)
{
    char text[8192];
    if (read_proc("/proc/self/status", text, sizeof(text)) < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot count this process's threads");
    const char *line = strstr(text, "\nThreads:\t");
    if (!line)
        return sbx_fail(err, SBX_E_UNSUPPORTED, 0, "cannot count this process's threads");
    if (strncmp(line, "\nThreads:\t1\n", 12))
        return sbx_fail(err, SBX_E_UNSUPPORTED, 0, "the login program has more than one thread");
    return 0;
}

bool sbx_process_is_sshd(void)
{
    char path[4096];
    ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);
    if (len <= 0)
        return false;
    path[len] = '\0';
    /* An upgrade replaces the file under connections that live. */
    char *deleted = strstr(path, " (deleted)");
    if (deleted)
        *deleted = '\0';
    const char *slash = strrchr(path, '/');
    return slash && (!strcmp(slash + 1, "sshd") || !strcmp(slash + 1, "sshd-session"));
}

static bool is_terminal(const char *number)
{
    char *end;
    errno = 0;
    long fd = strtol(number, &end, 10);
    return !errno && !*end && fd >= 0 && fd <= 1 << 24 && isatty((int)fd);
}

bool sbx_process_has_terminal(void)
{
    _cleanup_fd_ int tty = open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (tty >= 0 || (errno != ENXIO && errno != ENOENT))
        return true;
    /* All of them, not 0 to 2 alone: su passes the others on. */
    _cleanup_dir_ DIR *fds = opendir("/proc/self/fd");
    if (!fds)
        return true;
    for (const struct dirent *entry; (errno = 0, entry = readdir(fds));)
        if (entry->d_name[0] != '.' && is_terminal(entry->d_name))
            return true;
    return errno != 0;
}

/* --- su ---------------------------------------------------------------------------------------- */
/* Options of su(1) that take a value; the rest of the word, or the next one, is not an option. */
#define SU_WITH_VALUE "cCgGsTw"
#define SU_SHELL      "smp"

static bool long_picks_shell(const char *word, bool *takes_next)
{
    static const struct {
        const char *name;
        bool has_value, picks;
    } options[] = {
        {"shell",                 true,  true },
        {"preserve-environment",  false, true },
        {"command",               true,  false},
        {"session-command",       true,  false},
        {"group",                 true,  false},
        {"supp-group",            true,  false},
        {"whitelist-environment", true,  false},
    };
    size_t len = strcspn(word, "=");
    for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
        if (strncmp(options[i].name, word, len)) /* getopt takes abbreviations */
            continue;
        if (options[i].picks)
            return true;
        *takes_next = options[i].has_value && !word[len];
    }
    return false;
}

static bool short_picks_shell(const char *word, bool *takes_next)
{
    for (; *word; word++) {
        if (strchr(SU_SHELL, *word))
            return true;
        if (strchr(SU_WITH_VALUE, *word)) {
            *takes_next = !word[1];
            return false;
        }
    }
    return false;
}

bool sbx_process_su_picks_shell(void)
{
    const size_t size = (size_t)256 * 1024;
    _cleanup_free_ char *text = malloc(size);
    ssize_t len = text ? read_proc("/proc/self/cmdline", text, size) : -1;
    if (len <= 0)
        return true;
    bool is_value = true; /* argv[0] is no option */
    for (const char *word = text; word < text + len; word += strlen(word) + 1) {
        bool takes_next = false;
        if (is_value || word[0] != '-' || !word[1]) {
            is_value = false;
            continue;
        }
        if (!strcmp(word, "--"))
            return false;
        if (word[1] == '-' ? long_picks_shell(word + 2, &takes_next)
                           : short_picks_shell(word + 1, &takes_next))
            return true;
        is_value = takes_next;
    }
    return false;
}

/* --- login uid --------------------------------------------------------------------------------- */
#define LOGINUID "/proc/self/loginuid"

/* 1 read, 0 the kernel has no audit, -1 trouble. */
static int read_loginuid(uint32_t *loginuid)
{
    char text[32], *end;
    *loginuid = SBX_LOGINUID_UNSET;
    if (read_proc(LOGINUID, text, sizeof(text)) < 0)
        return errno == ENOENT && !access("/proc/self/status", F_OK) ? 0 : -1;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (errno || end == text || value > UINT32_MAX)
        return -1;
    *loginuid = (uint32_t)value;
    return 1;
}

uint32_t sbx_process_loginuid(void)
{
    uint32_t loginuid;
    return read_loginuid(&loginuid) == 1 ? loginuid : SBX_LOGINUID_UNSET;
}

static int write_loginuid(uid_t uid)
{
    char text[16];
    int len = snprintf(text, sizeof(text), "%u", uid);
    _cleanup_fd_ int fd = open(LOGINUID, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    return fd >= 0 && write(fd, text, (size_t)len) == len ? 0 : -1;
}

int sbx_process_settle_loginuid(uid_t uid, bool keep_other, struct sbx_err *err)
{
    uint32_t now;
    switch (read_loginuid(&now)) {
    case 0:
        return 0;
    case -1:
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot read the login uid");
    default:
        break;
    }
    if (now == uid || (now != SBX_LOGINUID_UNSET && keep_other))
        return 0;
    if (write_loginuid(uid))
        return sbx_fail(err, SBX_E_SYSTEM, errno,
                        "cannot set the login uid (pam_loginuid before pam_sbx does it)");
    if (read_loginuid(&now) != 1 || now != uid)
        return sbx_fail(err, SBX_E_SYSTEM, 0, "the login uid did not take");
    return 0;
}
