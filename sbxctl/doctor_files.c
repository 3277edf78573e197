/* Modes and owners of what is installed, and of the directories that hold state. */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "policy/cleanup.h"
#include "sbxctl/doctor.h"

/* A file and every directory above it: root's, and written by nobody else. Returns what is not. */
static bool find_loose(const char *path, char *out, size_t size)
{
    char at[512];
    (void)snprintf(at, sizeof(at), "%s", path);
    for (;;) {
        struct stat st;
        if (stat(at, &st))
            return false;
        bool is_sticky = S_ISDIR(st.st_mode) && (st.st_mode & S_ISVTX);
        if (st.st_uid != 0 || ((st.st_mode & 022) && !is_sticky)) {
            (void)snprintf(out, size, "%s", at);
            return true;
        }
        char *slash = strrchr(at, '/');
        if (!slash || !at[1])
            return false;
        slash[slash == at ? 1 : 0] = '\0';
    }
}

static void check_program(struct sbx_doctor *doctor, const char *path, bool is_needed)
{
    char loose[512];
    if (access(path, F_OK)) {
        if (is_needed)
            sbx_doctor_say(doctor, SBX_LEVEL_UNAVAILABLE, "files",
                           "no jail can be built without it",
                           "install sbx again: apt-get install --reinstall sbx, dnf reinstall sbx, "
                           "or make install",
                           "%s is not there", path);
        return;
    }
    if (find_loose(path, loose, sizeof(loose)))
        sbx_doctor_say(doctor, SBX_LEVEL_WARNING, "files",
                       "who can change it becomes root, or leaves the jail",
                       sbx_doctor_remedy(doctor, "chown root %s && chmod go-w %s", loose, loose),
                       "%s: %s is not root's, or others may write it", path, loose);
    else
        sbx_doctor_say(doctor, SBX_LEVEL_OK, "files", NULL, NULL, "%s", path);
}

static void check_programs(struct sbx_doctor *doctor)
{
    static const char *const names[] = {"sbx-warden", "sbx-clerk", "sbx-init"};
    char path[512];
    struct stat st;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        (void)snprintf(path, sizeof(path), "%s/%s", doctor->paths.programs, names[i]);
        check_program(doctor, path, true);
    }
    if (!doctor->is_system)
        return;
    check_program(doctor, "/usr/bin/sbxsh", false);
    if (!stat("/usr/bin/sbxsh", &st) && (st.st_mode & 07777) != 0711)
        sbx_doctor_say(doctor, SBX_LEVEL_WARNING, "files",
                       "readable, it can be traced by its user; set-id, it would be a way up",
                       "chmod 0711 /usr/bin/sbxsh", "/usr/bin/sbxsh has mode %04o, not 0711",
                       st.st_mode & 07777u);
    glob_t found;
    if (!glob("/usr/lib/*/security/pam_sbx.so", 0, NULL, &found) ||
        !glob("/usr/lib*/security/pam_sbx.so", 0, NULL, &found)) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            check_program(doctor, found.gl_pathv[i], false);
        globfree(&found);
    } else {
        sbx_doctor_say(doctor, SBX_LEVEL_WARNING, "files",
                       "logins do not come by the jail; `sbxctl run` works without",
                       "install sbx as a whole, then wire PAM (docs/operating.md)",
                       "pam_sbx.so is not installed");
    }
}

/* How the state directories have to be. Missing ones are made when they are needed. */
static const struct {
    const char *dir;
    mode_t most; /* permissions that may be there at most */
    const char *why;
} state_dirs[] = {
    {SBX_ETC_DIR,   0755,
     "policy that others can write is not trusted: confined accounts are refused"                },
    {SBX_RUN_DIR,   0755, "who can write here can stand in for a warden"                         },
    {SBX_JAILS_DIR, 0755, "who can write here can stand in for a warden"                         },
    {SBX_LIB_DIR,   0700, "grants and numbers are kept here"                                     },
    {SBX_LOG_DIR,   0750, "who can write here can change the record; it quotes what accounts ran"},
};

static void check_state(struct sbx_doctor *doctor)
{
    for (size_t i = 0; i < sizeof(state_dirs) / sizeof(*state_dirs); i++) {
        char path[512], remedy[1100];
        struct stat st;
        (void)snprintf(path, sizeof(path), "%s%s", doctor->paths.root, state_dirs[i].dir);
        (void)snprintf(remedy, sizeof(remedy), "chown root %s && chmod %04o %s", path,
                       state_dirs[i].most, path);
        if (lstat(path, &st)) {
            if (errno != ENOENT)
                sbx_doctor_say(doctor, SBX_LEVEL_WARNING, "files", state_dirs[i].why,
                               "sudo sbxctl doctor", "%s cannot be looked at", path);
            continue;
        }
        bool is_good = S_ISDIR(st.st_mode) && st.st_uid == 0 &&
                       !(st.st_mode & 07777u & ~(unsigned)state_dirs[i].most & ~01000u);
        if (is_good)
            sbx_doctor_say(doctor, SBX_LEVEL_OK, "files", NULL, NULL, "%s", path);
        else
            sbx_doctor_say(doctor, SBX_LEVEL_WARNING, "files", state_dirs[i].why, remedy,
                           "%s: owner %u, mode %04o; root and %04o at most are right", path,
                           st.st_uid, st.st_mode & 07777u, state_dirs[i].most);
    }
}

static void check_names(struct sbx_doctor *doctor)
{
    static const char *const users[] = {"sbx-clerk", "sbx-init"};
    for (size_t i = 0; i < sizeof(users) / sizeof(*users); i++) {
        struct passwd entry, *found = NULL;
        char buffer[4096];
        if (!getpwnam_r(users[i], &entry, buffer, sizeof(buffer), &found) && !found)
            sbx_doctor_say(
                doctor, SBX_LEVEL_WARNING, "files",
                "the warden takes an unused number instead, which somebody may get later",
                "systemd-sysusers sbx.conf, or install the package", "no user %s", users[i]);
    }
    struct group entry, *found = NULL;
    char buffer[16384];
    if (!getgrnam_r("sbx-operators", &entry, buffer, sizeof(buffer), &found) && !found)
        sbx_doctor_say(doctor, SBX_LEVEL_WARNING, "files", "only root can watch jails",
                       "systemd-sysusers sbx.conf, or install the package",
                       "no group sbx-operators");
}

void sbx_doctor_files(struct sbx_doctor *doctor)
{
    check_programs(doctor);
    check_state(doctor);
    if (doctor->is_system)
        check_names(doctor);
}
