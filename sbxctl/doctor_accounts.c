/* What about each confined account would lead around its jail. */
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "policy/cleanup.h"
#include "sbxctl/doctor.h"
#include "sbxctl/schedule.h"

#define GROUPS_MAX  1024
#define GROUP_BYTES ((size_t)256 * 1024)

static const struct {
    const char *name, *why;
} dangerous_groups[] = {
    {"docker",          "may start a container with the host's disk in it: as good as root"      },
    {"podman",          "may start containers of root's: as good as root"                        },
    {"lxd",             "may start a container with the host's disk in it: as good as root"      },
    {"incus",           "may start a container with the host's disk in it: as good as root"      },
    {"incus-admin",     "may start a container with the host's disk in it: as good as root"      },
    {"libvirt",         "may start a virtual machine with the host's disk in it: as good as root"},
    {"libvirt-qemu",    "reads and writes the disks of virtual machines"                         },
    {"kvm",             "may use /dev/kvm: kernel surface that an account needs for nothing else"},
    {"disk",            "reads and writes raw disks: as good as root"                            },
    {"sudo",            "may become root"                                                        },
    {"wheel",           "may become root"                                                        },
    {"admin",           "may become root"                                                        },
    {"root",            "reads and writes what group root may"                                   },
    {"shadow",          "reads password hashes"                                                  },
    {"adm",             "reads the machine's logs"                                               },
    {"systemd-journal", "reads the machine's logs"                                               },
    {"kmem",            "reads the kernel's memory"                                              },
    {"tty",             "writes to other users' terminals"                                       },
    {"input",           "reads what is typed on the machine"                                     },
    {"video",           "reads the screen"                                                       },
    {"netdev",          "may change the network"                                                 },
    {"lpadmin",         "may change printers, whose filters run as others"                       },
    {"staff",           "writes /usr/local, from where root runs programs"                       },
    {"wireshark",       "reads the network's packets"                                            },
    {"sbx-operators",   "watches and ends jails, its own too"                                    },
};

const char *sbx_group_danger(const char *group)
{
    for (size_t i = 0; i < sizeof(dangerous_groups) / sizeof(*dangerous_groups); i++)
        if (!strcmp(group, dangerous_groups[i].name))
            return dangerous_groups[i].why;
    return NULL;
}

/* Sockets of daemons that do what they are told. */
static const char *const dangerous_sockets[] = {
    "/run/docker.sock",           "/run/containerd/containerd.sock",
    "/run/crio/crio.sock",        "/run/podman/podman.sock",
    "/run/libvirt/libvirt-sock",  "/var/lib/lxd/unix.socket",
    "/var/lib/incus/unix.socket", "/var/snap/lxd/common/lxd/unix.socket",
    "/run/snapd.socket",
};

struct groups {
    gid_t gid[GROUPS_MAX];
    int count;
};

static bool has_group(const struct groups *groups, gid_t gid)
{
    for (int i = 0; i < groups->count; i++)
        if (groups->gid[i] == gid)
            return true;
    return false;
}

static void check_groups(struct sbx_doctor *doctor, const struct sbx_confined_account *account,
                         const struct groups *groups)
{
    for (int i = 0; i < groups->count; i++) {
        struct group entry, *found = NULL;
        _cleanup_free_ char *buffer = malloc(GROUP_BYTES);
        if (!buffer || getgrgid_r(groups->gid[i], &entry, buffer, GROUP_BYTES, &found) || !found)
            continue;
        const char *name = account->name, *why = sbx_group_danger(entry.gr_name);
        bool is_own = groups->gid[i] == account->gid;
        if (why)
            sbx_doctor_say(doctor, SBX_LEVEL_WARNING, "accounts", why,
                           is_own
                               ? sbx_doctor_remedy(doctor, "groupadd -f %s && usermod -g %s %s",
                                                   name, name, name)
                               : sbx_doctor_remedy(doctor, "gpasswd -d %s %s", name, entry.gr_name),
                           "%s is in group %s", name, entry.gr_name);
    }
}

static void check_sockets(struct sbx_doctor *doctor, const struct sbx_confined_account *account,
                          const struct groups *groups)
{
    for (size_t i = 0; i < sizeof(dangerous_sockets) / sizeof(*dangerous_sockets); i++) {
        struct stat st;
        if (stat(dangerous_sockets[i], &st))
            continue;
        mode_t bit = st.st_uid == account->uid      ? S_IWUSR
                     : has_group(groups, st.st_gid) ? S_IWGRP
                                                    : S_IWOTH;
        if (!(st.st_mode & bit))
            continue;
        sbx_doctor_say(
            doctor, SBX_LEVEL_WARNING, "accounts",
            "what listens there does as root what it is told; the jail does not show the "
            "socket, a login outside would",
            sbx_doctor_remedy(doctor, "%s %s",
                              bit == S_IWUSR   ? "chown root"
                              : bit == S_IWGRP ? "chgrp root"
                                               : "chmod o-w",
                              dangerous_sockets[i]),
            "%s may write to %s", account->name, dangerous_sockets[i]);
    }
}

static void check_shell(struct sbx_doctor *doctor, const struct sbx_confined_account *account)
{
    const char *slash = strrchr(account->shell, '/');
    if (!slash || strcmp(slash + 1, "sbxsh") != 0)
        sbx_doctor_say(doctor, SBX_LEVEL_WARNING, "accounts",
                       "commands are not judged, and where PAM is bypassed nothing refuses",
                       sbx_doctor_remedy(doctor, "usermod -s /usr/bin/sbxsh %s", account->name),
                       "%s has the shell %s", account->name,
                       account->shell[0] ? account->shell : "/bin/sh");
}

static void check_systemd(struct sbx_doctor *doctor, const struct sbx_confined_account *account)
{
    char path[512], target[64] = "";
    if (access("/run/systemd/system", F_OK))
        return;
    (void)snprintf(path, sizeof(path), "/etc/systemd/system/user@%u.service", account->uid);
    if (readlink(path, target, sizeof(target) - 1) < 0 || strcmp(target, "/dev/null") != 0)
        sbx_doctor_say(doctor, SBX_LEVEL_WARNING, "accounts",
                       "its user manager runs units of the account outside every jail",
                       sbx_doctor_remedy(doctor, "systemctl mask user@%u.service", account->uid),
                       "%s: user@%u.service is not masked", account->name, account->uid);
    (void)snprintf(path, sizeof(path), "/var/lib/systemd/linger/%s", account->name);
    if (!access(path, F_OK))
        sbx_doctor_say(doctor, SBX_LEVEL_WARNING, "accounts",
                       "its user manager starts at boot, outside every jail",
                       sbx_doctor_remedy(doctor, "loginctl disable-linger %s", account->name),
                       "%s lingers", account->name);
}

/* Jobs run in the jail where cron is wired, and with nobody there to see them. */
static void check_jobs(struct sbx_doctor *doctor, const struct sbx_confined_account *account)
{
    char path[600];
    (void)snprintf(path, sizeof(path), "%s/etc", doctor->paths.root);
    _cleanup_fd_ int etc = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    for (size_t i = 0; i < SBX_SCHEDULERS && etc >= 0; i++) {
        const struct sbx_scheduler *scheduler = &sbx_schedulers[i];
        if (access(scheduler->program, F_OK) ||
            sbx_schedule_of(etc, scheduler, account->name) != SBX_SCHEDULE_OPEN)
            continue;
        sbx_doctor_say(
            doctor, SBX_LEVEL_WARNING, "accounts",
            "what it leaves there runs later, with nobody logged in",
            sbx_doctor_remedy(doctor, "echo %s >>%s/%s", account->name, path, scheduler->deny),
            "%s may give jobs to %s", account->name, scheduler->name);
    }
}

static void check_home(struct sbx_doctor *doctor, const struct sbx_confined_account *account)
{
    struct stat st;
    const char *name = account->name, *home = account->home;
    bool is_there = !lstat(home, &st);
    if (!is_there || !S_ISDIR(st.st_mode))
        sbx_doctor_say(
            doctor, SBX_LEVEL_WARNING, "accounts", "its logins are refused",
            is_there ? sbx_doctor_remedy(
                           doctor, "usermod -d DIR %s, DIR being a directory of its own", name)
                     : sbx_doctor_remedy(doctor, "install -d -m 0700 -o %s -g %u %s", name,
                                         account->gid, home),
            "%s: home %s is %s", name, home, is_there ? "no directory" : "not there");
    else if (st.st_uid != account->uid)
        sbx_doctor_say(doctor, SBX_LEVEL_WARNING, "accounts",
                       "its files are somebody else's, or it reads theirs",
                       sbx_doctor_remedy(doctor, "chown -R --from=%u %s %s", st.st_uid, name, home),
                       "%s: home %s is owned by uid %u", name, home, st.st_uid);
}

static void check_jail(struct sbx_doctor *doctor, const struct sbx_confined_account *account)
{
    struct sbx_exempt exempt;
    if (sbx_unjailed_account(&doctor->paths, account, &doctor->look.machine, &exempt))
        sbx_doctor_say(doctor, SBX_LEVEL_WARNING, "accounts",
                       "its commands are judged, and nothing holds them",
                       "change that line, unless it is meant",
                       "%s logs in without a jail: %s; %s (%s)", account->name, exempt.why,
                       exempt.rule, exempt.origin);
}

static int check_account(void *data, const struct sbx_confined_account *account)
{
    struct sbx_doctor *doctor = data;
    char place[600];
    if (!sbx_doctor_wants(doctor, account))
        return 0;
    sbx_policy_origin(doctor->confined->policy, account->origin, place, sizeof(place));
    if (!account->exists) {
        sbx_doctor_say(doctor, SBX_LEVEL_WARNING, "accounts",
                       "policy names nobody by it; it may be misspelt",
                       sbx_doctor_remedy(doctor,
                                         "useradd -m -s /usr/bin/sbxsh %s, or take the name out of "
                                         "%s; fine where policy serves several machines",
                                         account->name, place),
                       "no account %s", account->name);
        return 0;
    }
    if (account->uid == 0) {
        sbx_doctor_say(doctor, SBX_LEVEL_WARNING, "accounts",
                       "uid 0 is never confined, and policy that says so refuses confined accounts",
                       sbx_doctor_remedy(doctor, "take it out of %s", place), "%s is root",
                       account->name);
        return 0;
    }
    _cleanup_free_ struct groups *groups = calloc(1, sizeof(*groups));
    if (!groups)
        return -1;
    unsigned before = doctor->count[SBX_LEVEL_WARNING];
    groups->count = GROUPS_MAX;
    if (getgrouplist(account->name, account->gid, groups->gid, &groups->count) < 0)
        groups->count = GROUPS_MAX;
    check_groups(doctor, account, groups);
    check_sockets(doctor, account, groups);
    check_shell(doctor, account);
    check_systemd(doctor, account);
    check_jobs(doctor, account);
    check_home(doctor, account);
    check_jail(doctor, account);
    if (doctor->count[SBX_LEVEL_WARNING] == before)
        sbx_doctor_say(doctor, SBX_LEVEL_OK, "accounts", NULL, NULL, "%s", account->name);
    return 0;
}

/* Nobody is confined through a group that is not there. */
static void check_listed_groups(struct sbx_doctor *doctor)
{
    uint32_t count = 0;
    const struct sbx_policy *policy = doctor->confined->policy;
    const struct sbx_item *items = sbx_policy_list(policy, SBX_KEY_ACCOUNTS_GROUP, &count);
    for (uint32_t i = 0; i < count && !doctor->account; i++) {
        struct group entry, *found = NULL;
        char place[600];
        const char *name = sbx_policy_text(policy, items[i].text);
        _cleanup_free_ char *buffer = malloc(GROUP_BYTES);
        if (!buffer || getgrnam_r(name, &entry, buffer, GROUP_BYTES, &found) || found)
            continue;
        sbx_policy_origin(policy, &items[i].origin, place, sizeof(place));
        sbx_doctor_say(doctor, SBX_LEVEL_WARNING, "accounts",
                       "policy names nobody by it; it may be misspelt",
                       sbx_doctor_remedy(doctor,
                                         "groupadd %s, or take the name out of %s; fine where "
                                         "policy serves several machines",
                                         name, place),
                       "no group %s", name);
    }
}

void sbx_doctor_accounts(struct sbx_doctor *doctor)
{
    check_listed_groups(doctor);
    (void)!sbx_confined_each(doctor->confined, check_account, doctor);
}
