/* Processes of the account outside its jail.
 *
 * The join of an sshd session rests on how sshd behaves; this is the net under it. The kernel tells
 * of every process that takes the account's uid (proc connector, filtered in the kernel to that one
 * uid), and who is not in the jail's cgroup is ended; a scan of /proc now and then finds the rest. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "jail/sys.h"
#include "policy/cleanup.h"
#include "warden/warden.h"

#define EVENTS_AT_ONCE 4096

struct packet {
    struct nlmsghdr netlink;
    struct cn_msg connector;
    union {
        enum proc_cn_mcast_op op;
        struct proc_event event;
    };
} __attribute__((packed));

/* Passes only "a process changed its uid, and its real uid is now this one". */
static int attach_filter(int fd, uid_t uid)
{
    const unsigned base = NLMSG_LENGTH(0) + sizeof(struct cn_msg);
    const unsigned what = base + offsetof(struct proc_event, what);
    const unsigned ruid = base + offsetof(struct proc_event, event_data.id.r.ruid);
    /* BPF loads in network order; what the kernel wrote is in the machine's. */
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, what),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __builtin_bswap32(PROC_EVENT_UID), 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ruid),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __builtin_bswap32(uid), 0, 1),
        BPF_STMT(BPF_RET | BPF_K, 0xffffffff),
        BPF_STMT(BPF_RET | BPF_K, 0),
    };
    const struct sock_fprog program = {.len = sizeof(code) / sizeof(*code), .filter = code};
    return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program));
}

/* -1 where the kernel has no proc connector: the scans by the clock remain. */
int sbx_strays_open(uid_t uid)
{
    _cleanup_fd_ int fd =
        socket(PF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_CONNECTOR);
    struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = CN_IDX_PROC};
    if (fd < 0 || attach_filter(fd, uid) ||
        bind(fd, (const struct sockaddr *)&address, sizeof(address)))
        return -1;
    struct packet request = {
        .netlink = {.nlmsg_len = NLMSG_LENGTH(sizeof(struct cn_msg) + sizeof(request.op)),
                    .nlmsg_type = NLMSG_DONE                                                                        },
        .connector = {.id = {CN_IDX_PROC, CN_VAL_PROC},                                      .len = sizeof(request.op)},
        .op = PROC_CN_MCAST_LISTEN,
    };
    if (send(fd, &request, request.netlink.nlmsg_len, 0) < 0)
        return -1;
    return sbx_steal_fd(&fd);
}

/* /proc/PID/status: the file is the kernel's, only the name in it is the process's, and that is
 * shown with its newlines escaped. */
static bool read_status(pid_t pid, char *text, size_t size)
{
    char path[64];
    (void)snprintf(path, sizeof(path), "/proc/%d/status", pid);
    _cleanup_fd_ int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);
    text[n > 0 ? n : 0] = '\0';
    return n > 0;
}

/* The first numbers after a field's name; how many were found. */
static unsigned numbers(const char *text, const char *field, unsigned long *out, unsigned count)
{
    const char *p = strstr(text, field);
    unsigned found = 0;
    for (p = p ? p + strlen(field) : NULL; p && found < count; found++) {
        char *end;
        out[found] = strtoul(p, &end, 10);
        if (end == p)
            break;
        p = end;
    }
    return found;
}

/* Is it so of one of the process's threads? The first of them, whose files in /proc stand for the
 * process, may have ended while others go on. */
static bool any_thread(const struct sbx_warden *warden, pid_t pid,
                       bool (*is_so)(const struct sbx_warden *, pid_t))
{
    char path[64];
    (void)snprintf(path, sizeof(path), "/proc/%d/task", pid);
    _cleanup_dir_ DIR *threads = opendir(path);
    for (struct dirent *entry; threads && (entry = readdir(threads));) {
        pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10); /* 0: . and .. */
        if (thread > 0 && is_so(warden, thread))
            return true;
    }
    return false;
}

static char state_of(const char *status)
{
    const char *state = strstr(status, "\nState:\t");
    return state ? state[8] : 'X';
}

/* Has not ended, or begun to: its memory goes before its group does, so one seen outside its group with
 * memory left is no process of the jail on its way out. */
static bool is_alive(const char *status, size_t size)
{
    bool is_whole = strlen(status) < size - 1; /* else the memory's lines may be cut off */
    return state_of(status) != 'Z' && state_of(status) != 'X' &&
           (!is_whole || strstr(status, "\nVmSize:\t"));
}

static bool thread_lives(const struct sbx_warden *warden, pid_t thread)
{
    char text[4096];
    (void)warden;
    return read_status(thread, text, sizeof(text)) && is_alive(text, sizeof(text));
}

/* True for a process that lives and runs as the account: real and effective uid are its. Real alone
 * would hit root: pam_keyinit lends sshd's monitor the account's real uid for a moment. */
static bool runs_as_account(const struct sbx_warden *warden, pid_t pid)
{
    char text[4096];
    unsigned long uids[2];
    uid_t uid = warden->account.uid;
    if (!read_status(pid, text, sizeof(text)) || numbers(text, "\nUid:\t", uids, 2) != 2 ||
        uids[0] != uid || uids[1] != uid)
        return false;
    return is_alive(text, sizeof(text)) ||
           (state_of(text) == 'Z' && any_thread(warden, pid, thread_lives));
}

static bool is_in_jail(const struct sbx_warden *warden, pid_t thread)
{
    return sbx_cgroup_has(&warden->cgroup, thread);
}

/* True if there was one. */
static bool end_stray(struct sbx_warden *warden, pid_t pid)
{
    _cleanup_fd_ int pidfd = sbx_sys_pidfd_open(pid, 0);
    /* Looked at again after the pidfd pins it: the number may have gone to somebody else. */
    if (pidfd < 0 || any_thread(warden, pid, is_in_jail) || !runs_as_account(warden, pid))
        return false;
    if (!sbx_account_is_same(&warden->account)) {
        sbx_warden_end(warden, "the account was removed or changed");
        return false;
    }
    if (!sbx_rules_confine(warden)) /* its owner's own business */
        return false;
    if (sbx_sys_pidfd_send_signal(pidfd, SIGKILL))
        return false;
    struct sbx_event event = {.kind = SBX_EVENT_JAIL,
                              .verdict = "deny",
                              .action = "stray",
                              .reason =
                                  "a process of the account ran outside its jail; it was ended",
                              .pid = pid,
                              .loginuid = -1};
    if (pid != warden->last_stray) /* seen again while it dies */
        sbx_warden_record(warden, &event);
    warden->last_stray = pid;
    return true;
}

/* Does root run this very program as that process? Anybody may run it. */
static bool is_roots(pid_t pid, const char *program)
{
    char path[64], text[4096];
    unsigned long uid;
    struct stat wanted, its;
    if (!read_status(pid, text, sizeof(text)) || numbers(text, "\nUid:\t", &uid, 1) != 1 ||
        uid != 0)
        return false;
    (void)snprintf(path, sizeof(path), "/proc/%d/exe", pid);
    return !stat(program, &wanted) && !stat(path, &its) && wanted.st_dev == its.st_dev &&
           wanted.st_ino == its.st_ino;
}

bool sbx_is_warden(pid_t pid)
{
    return is_roots(pid, "/proc/self/exe");
}

static bool is_sbxctl(const struct sbx_warden *warden, pid_t pid)
{
    char beside[sizeof(warden->paths.programs) + sizeof("/sbxctl")];
    (void)snprintf(beside, sizeof(beside), "%s/sbxctl", warden->paths.programs);
    return is_roots(pid, beside) || is_roots(pid, SBX_BINDIR "/sbxctl");
}

/* The children that look at the account's paths have its uid by design, and run nothing else: their
 * parent is a warden, or an administrator's sbxctl. */
static bool is_ours(const struct sbx_warden *warden, pid_t pid)
{
    char text[4096];
    unsigned long parent;
    if (!read_status(pid, text, sizeof(text)))
        return true; /* gone */
    return numbers(text, "\nPPid:\t", &parent, 1) == 1 && parent > 1 &&
           (sbx_is_warden((pid_t)parent) || is_sbxctl(warden, (pid_t)parent));
}

/* True where one of the lines of /proc/PID/cgroup names a group of the list (absolute paths). */
static bool is_in_groups(const char *lines, const char *groups)
{
    for (const char *line = lines; line && *line; line = strchr(line, '\n') + 1) {
        const char *colon = strchr(line, ':'), *end = strchr(line, '\n');
        const char *path = colon && end ? strchr(colon + 1, ':') : NULL;
        if (!path || !end || path > end)
            return false;
        size_t len = (size_t)(end - ++path);
        for (const char *group = groups; len > 1 && *group; group = strchr(group, '\n') + 1) {
            const char *group_end = strchr(group, '\n');
            if (!group_end)
                break;
            if ((size_t)(group_end - group) > len && !memcmp(group_end - len, path, len))
                return true;
        }
    }
    return false;
}

static bool has_group(const struct sbx_warden *warden, const char *jail, const char *lines)
{
    char name[NAME_MAX + 16], groups[4096];
    (void)snprintf(name, sizeof(name), "%.*s/cgroup", NAME_MAX, jail);
    _cleanup_fd_ int file = openat(warden->jails_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    ssize_t size = file < 0 ? -1 : read(file, groups, sizeof(groups) - 1);
    if (size <= 0)
        return false;
    groups[size] = '\0';
    return is_in_groups(lines, groups);
}

/* The jail that a group's name speaks of, sbx-JAIL-wWARDEN: where hundreds of jails of one account
 * live, each of their wardens looks at one folder, not at all of them. */
static bool is_in_named_jail(const struct sbx_warden *warden, const char *lines)
{
    const char *leaf = strstr(lines, "/sbx-");
    const char *end = leaf ? strchr(leaf, '\n') : NULL;
    char jail[64], retired[96];
    if (!end || end - leaf >= (ptrdiff_t)sizeof(jail))
        return false;
    (void)snprintf(jail, sizeof(jail), "%.*s", (int)(end - leaf) - 5, leaf + 5);
    char *mark = strrchr(jail, '-');
    if (!mark || mark[1] != 'w' || mark[2 + strspn(mark + 2, "0123456789")] || strchr(jail, '/'))
        return false;
    *mark = '\0';
    (void)snprintf(retired, sizeof(retired), "%s~%s", jail, mark + 2);
    return has_group(warden, jail, lines) || has_group(warden, retired, lines);
}

/* Jails of one account can be several (retired ones, sbxctl run): each has its own warden, and none
 * may end what belongs to another. Their groups are written beside their control sockets. */
static bool is_in_another_jail(const struct sbx_warden *warden, pid_t thread)
{
    char path[64], lines[4096];
    (void)snprintf(path, sizeof(path), "/proc/%d/cgroup", thread);
    _cleanup_fd_ int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, lines, sizeof(lines) - 1);
    if (n <= 0)
        return false; /* gone: the others speak for the process */
    lines[n] = '\0';
    if (is_in_named_jail(warden, lines))
        return true;
    int jails_fd = openat(warden->jails_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    _cleanup_dir_ DIR *jails = jails_fd >= 0 ? fdopendir(jails_fd) : NULL;
    for (struct dirent *entry; jails && (entry = readdir(jails));)
        if (has_group(warden, entry->d_name, lines))
            return true;
    return false;
}

static bool is_stray(const struct sbx_warden *warden, pid_t pid)
{
    return !any_thread(warden, pid, is_in_jail) && !is_ours(warden, pid) &&
           !any_thread(warden, pid, is_in_another_jail);
}

void sbx_strays_scan(struct sbx_warden *warden)
{
    _cleanup_dir_ DIR *proc = opendir("/proc");
    if (!proc)
        return;
    for (struct dirent *entry; (entry = readdir(proc));) {
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10); /* 0 for what is no process */
        if (pid > 0 && runs_as_account(warden, pid) && is_stray(warden, pid))
            (void)end_stray(warden, pid);
    }
}

/* Looks at each process that took the uid. True where everything should be looked at: something was
 * missed, or a stray was found, which may have children already. */
bool sbx_strays_drain(struct sbx_warden *warden)
{
    bool needs_scan = false;
    for (int i = 0; i < EVENTS_AT_ONCE; i++) {
        struct packet packet;
        ssize_t n = recv(warden->strays_fd, &packet, sizeof(packet), 0);
        if (n < 0 && errno == ENOBUFS)
            needs_scan = true;
        else if (n < 0)
            break;
        else if (n < (ssize_t)(offsetof(struct packet, event.event_data.id) +
                               sizeof(packet.event.event_data.id)))
            continue;
        pid_t pid = packet.event.event_data.id.process_tgid;
        if (is_stray(warden, pid))
            needs_scan |= end_stray(warden, pid);
    }
    return needs_scan;
}
