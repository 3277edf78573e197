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

/* The file is root's own, written by the client moments ago; checked all the same. */
static int read_file(struct sbx_params *params, int jails_fd, const char *jail, struct sbx_err *err)
{
    char name[SBX_JAIL_ID_BYTES + sizeof(".launch")];
    (void)snprintf(name, sizeof(name), "%s.launch", jail);
    _cleanup_fd_ int fd = openat(jails_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot open %s", name);
    if (!S_ISREG(st.st_mode) || st.st_uid != geteuid() || st.st_mode & 077)
        return sbx_fail(err, SBX_E_TRUST, 0, "%s is not root's alone", name);
    ssize_t n = read(fd, params->text, sizeof(params->text) - 1);
    if (n < 0 || n == (ssize_t)sizeof(params->text) - 1)
        return sbx_fail(err, SBX_E_LIMIT, n < 0 ? errno : 0, "cannot read %s", name);
    params->text[n] = '\0';
    return 0;
}

int sbx_params_read(struct sbx_params *params, int jails_fd, const char *jail, struct sbx_err *err)
{
    *params = (struct sbx_params){.uid = (uint32_t)-1};
    if (read_file(params, jails_fd, jail, err))
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
