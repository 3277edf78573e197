/* What the kernel can do, and settings of it that open something. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

void sbx_doctor_kernel(struct sbx_doctor *doctor)
{
    struct sbx_look *look = &doctor->look;
    sbx_unjailed_look(&doctor->paths, look);
    sbx_doctor_say(doctor, SBX_LEVEL_OK, "kernel", NULL, NULL, "platform %s (%s)",
                   sbx_platform_name(look->machine.platform), look->platform);
    for (size_t i = 0; i < look->count; i++) {
        const struct sbx_feature *feature = &look->feature[i];
        bool is_must = feature->need == SBX_NEED_MUST;
        if (feature->is_present)
            sbx_doctor_say(doctor, SBX_LEVEL_OK, "kernel", NULL, NULL, "%s %s", feature->name,
                           feature->detail);
        else
            sbx_doctor_say(doctor, is_must ? SBX_LEVEL_UNAVAILABLE : SBX_LEVEL_WARNING, "kernel",
                           is_must ? "no jail can be built without it" : "jails have one wall less",
                           feature->detail, "%s is missing", feature->name);
    }
    check_settings(doctor);
}
