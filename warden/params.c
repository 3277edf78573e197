#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "policy/cleanup.h"
#include "warden/warden.h"

static int take(struct sbx_params *params, const char *key, const char *value, struct sbx_err *err)
{
    const struct {
        const char *key, **place;
    } strings[] = {
        {"account",   &params->account  },
        {"policy",    &params->policy   },
        {"workspace", &params->workspace},
        {"programs",  &params->programs },
    };
    for (size_t i = 0; i < sizeof(strings) / sizeof(*strings); i++)
        if (!strcmp(key, strings[i].key)) {
            *strings[i].place = value;
            return 0;
        }
    if (!strcmp(key, "set") && params->setting_count < SBX_MAX_SETTINGS) {
        params->settings[params->setting_count++] = value;
        return 0;
    }
    if (!strcmp(key, "run")) {
        params->is_run = !strcmp(value, "yes");
        return 0;
    }
    char *end;
    errno = 0;
    unsigned long uid = strtoul(value, &end, 10);
    if (!strcmp(key, "uid") && !errno && !*end && end != value && uid < UINT32_MAX) {
        params->uid = (uint32_t)uid;
        return 0;
    }
    return sbx_fail(err, SBX_E_USAGE, 0, "launch file: cannot use %s=%s", key, value);
}

int sbx_params_open(int jails_fd, const char *jail, struct sbx_err *err)
{
    char name[SBX_JAIL_ID_BYTES + sizeof(".launch")];
    (void)snprintf(name, sizeof(name), "%s.launch", jail);
    _cleanup_fd_ int fd = openat(jails_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot open %s", name);
    if (!S_ISREG(st.st_mode) || st.st_uid != geteuid() || st.st_mode & 077)
        return sbx_fail(err, SBX_E_TRUST, 0, "%s is not root's alone", name);
    return sbx_steal_fd(&fd);
}

static ssize_t read_all(int fd, char *text, size_t size, struct sbx_err *err)
{
    ssize_t n = pread(fd, text, size - 1, 0);
    if (n < 0 || n == (ssize_t)size - 1)
        return sbx_fail(err, SBX_E_LIMIT, n < 0 ? errno : 0, "cannot read the launch parameters");
    text[n] = '\0';
    return n;
}

static int copy_to(int out, int from)
{
    char bytes[4096];
    off_t at = 0;
    for (ssize_t n; (n = pread(from, bytes, sizeof(bytes), at)) != 0; at += n)
        if (n < 0 || write(out, bytes, (size_t)n) != n)
            return -1;
    return 0;
}

int sbx_params_put(int fd, int jails_fd, const char *jail, struct sbx_err *err)
{
    char name[SBX_JAIL_ID_BYTES + sizeof(".launch")];
    (void)snprintf(name, sizeof(name), "%s.launch", jail);
    if (unlinkat(jails_fd, name, 0) && errno != ENOENT) /* left by a launcher that was killed */
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot remove an old %s", name);
    _cleanup_fd_ int out =
        openat(jails_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (out < 0 || copy_to(out, fd)) {
        int saved = errno;
        (void)unlinkat(jails_fd, name, 0);
        return sbx_fail(err, SBX_E_SYSTEM, saved, "cannot write %s", name);
    }
    return 0;
}

int sbx_params_read(struct sbx_params *params, int fd, struct sbx_err *err)
{
    *params = (struct sbx_params){.uid = (uint32_t)-1};
    if (read_all(fd, params->text, sizeof(params->text), err) < 0)
        return -1;
    for (char *line = params->text, *next; *line; line = next) {
        next = strchr(line, '\n');
        if (!next)
            return sbx_fail(err, SBX_E_USAGE, 0, "launch file: the last line is cut off");
        *next++ = '\0';
        char *value = strchr(line, '=');
        if (!value)
            return sbx_fail(err, SBX_E_USAGE, 0, "launch file: no '=' in '%s'", line);
        *value++ = '\0';
        if (take(params, line, value, err))
            return -1;
    }
    if (!params->account || params->uid == (uint32_t)-1)
        return sbx_fail(err, SBX_E_USAGE, 0, "launch file: account or uid is missing");
    return 0;
}
