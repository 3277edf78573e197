/* Numbers of jails beyond the account's own: UID-N. Given out once for the life of the machine. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "policy/cleanup.h"
#include "warden/client.h"

int sbx_jail_number(const struct sbx_paths *paths, uid_t uid, char jail[SBX_JAIL_ID_BYTES],
                    struct sbx_err *err)
{
    _cleanup_fd_ int dir = sbx_paths_open(paths, SBX_LIB_DIR, 0700, err);
    if (dir < 0)
        return -1;
    _cleanup_fd_ int fd =
        openat(dir, "jail-number", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    char text[32] = "";
    if (fd < 0 || flock(fd, LOCK_EX) || pread(fd, text, sizeof(text) - 1, 0) < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot read the number of the last jail");
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (errno || (text[0] && *end != '\n') || number >= 1000000000000ULL)
        return sbx_fail(err, SBX_E_TRUST, 0,
                        "%s/jail-number holds no number; write the highest "
                        "number of a jail so far into it",
                        SBX_LIB_DIR);
    int len = snprintf(text, sizeof(text), "%llu\n", ++number);
    if (pwrite(fd, text, (size_t)len, 0) != len || ftruncate(fd, len))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot write the number of a jail");
    (void)snprintf(jail, SBX_JAIL_ID_BYTES, "%u-%llu", uid, number);
    return 0;
}
