/* What the kernel can do, and settings of it that open something. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jail/kernel.h"
#include "jail/root.h"
#include "sbxctl/doctor.h"

static bool is_one(const char *value)
{
    return !strcmp(value, "1");
}

static bool is_pipe(const char *value)
{
    return value[0] == '|';
}

/* A setting is only told of where it is as `is_bad` says; one that the kernel lacks is fine. */
static const struct {
    const char *path, *name, *why, *remedy;
    bool (*is_bad)(const char *value);
} settings[] = {
    {"/proc/sys/fs/suid_dumpable",       "fs.suid_dumpable = 1",
     "processes that changed their uid, such as sshd's child, can be traced by the account", "sysctl fs.suid_dumpable=0 (or 2)",                                                         is_one},
    {"/proc/sys/kernel/core_pattern",    "kernel.core_pattern starts a program",
     "the program runs as root on the host when something in a jail crashes; the jail's core limit "
     "of 1 "
     "byte holds it off, no pipe is better",                                                 "sysctl kernel.core_pattern=core, or see that the program takes no core of a confined uid",
     is_pipe                                                                                                                                                                                   },
    {"/proc/sys/dev/tty/legacy_tiocsti", "dev.tty.legacy_tiocsti = 1",
     "a program can type into a terminal that it shares with another user; the jail's filter "
     "refuses "
     "it, but nothing does for accounts outside",                                            "sysctl dev.tty.legacy_tiocsti=0",                                                          is_one},
};

static void check_settings(struct sbx_doctor *doctor)
{
    for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
        char value[256];
        if (sbx_doctor_read(settings[i].path, value, sizeof(value)) && settings[i].is_bad(value))
            sbx_doctor_say(doctor, SBX_LEVEL_WARNING, "kernel", settings[i].why, settings[i].remedy,
                           "%s", settings[i].name);
    }
}

/* In a child, which moves to the root that it compares with. */
static bool is_in_chroot(void)
{
    struct sbx_err err = SBX_ERR_INIT;
    int status = 0;
    pid_t child = fork();
    if (!child)
        _exit(sbx_root_verify(&err) && err.code == SBX_E_UNSUPPORTED);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status);
}

void sbx_doctor_kernel(struct sbx_doctor *doctor)
{
    struct sbx_feature features[SBX_FEATURES_MAX];
    size_t count = sbx_kernel_probe(features);
    for (size_t i = 0; i < count; i++) {
        const struct sbx_feature *feature = &features[i];
        bool is_must = feature->need == SBX_NEED_MUST;
        if (feature->is_present)
            sbx_doctor_say(doctor, SBX_LEVEL_OK, "kernel", NULL, NULL, "%s %s", feature->name,
                           feature->detail);
        else
            sbx_doctor_say(doctor, is_must ? SBX_LEVEL_UNAVAILABLE : SBX_LEVEL_WARNING, "kernel",
                           is_must ? "no jail can be built without it" : "jails have one wall less",
                           feature->detail, "%s is missing", feature->name);
    }
    if (is_in_chroot())
        sbx_doctor_say(doctor, SBX_LEVEL_UNAVAILABLE, "kernel",
                       "who joins a jail would land outside of its view: none is built",
                       "use a container, or pivot_root into the directory", "sbx runs in a chroot");
    check_settings(doctor);
}
