/* The jail's directory: /run/sbx/jails/JAIL, 0710 root:operators. No other account gets to what lies
 * below, its own jail's neither: the jail has mounts of it.
 *
 *   control.sock   0660 root:operators      stage/       where the new root is put while it is built
 *   cgroup         the group's name, for    mask/dir     of mode 0: bound over what is denied
 *                  whoever finds us dead    mask/file
 *   session/       0755: seen in the jail as /run/sbx/session, read-only
 *     policy  seal  landlock  brief.md  attest  shell.sock  */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "jail/attest.h"
#include "jail/landlock.h"
#include "policy/brief.h"
#include "policy/cleanup.h"
#include "warden/warden.h"

#define ENVELOPE_MAX 256
#define BRIEF_BYTES  ((size_t)64 * 1024)
#define NAME_DEPTH   4
#define BACKLOG      1024 /* of connections that say nothing there can be many */

static int make_dir(int dir_fd, const char *name, mode_t mode, struct sbx_err *err)
{
    if (mkdirat(dir_fd, name, 0700) || fchmodat(dir_fd, name, mode, 0))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot make the directory %s", name);
    int fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot open the directory %s", name);
    return fd;
}

/* Writes beside and renames, so that a reader sees the old or the new file and never a part. */
int sbx_files_write(int dir_fd, const char *name, const void *data, size_t size, mode_t mode,
                    struct sbx_err *err)
{
    char temporary[64];
    (void)snprintf(temporary, sizeof(temporary), ".%s.new", name);
    (void)unlinkat(dir_fd, temporary, 0);
    _cleanup_fd_ int fd =
        openat(dir_fd, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot make %s", name);
    for (size_t done = 0; done < size;) {
        ssize_t n = write(fd, (const char *)data + done, size - done);
        if (n <= 0)
            return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot write %s", name);
        done += (size_t)n;
    }
    if (fchmod(fd, mode) || renameat(dir_fd, temporary, dir_fd, name))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot put %s in place", name);
    return 0;
}

struct envelope {
    size_t used;
    char text[ENVELOPE_MAX * 256];
};

static int add_line(struct envelope *envelope, const char *mark, const char *path, size_t length)
{
    size_t room = sizeof(envelope->text) - envelope->used;
    int n = snprintf(envelope->text + envelope->used, room, "%s%.*s\n", mark, (int)length, path);
    if (n < 0 || (size_t)n >= room)
        return -1;
    envelope->used += (size_t)n;
    return 0;
}

/* Sockets that may be connected to outside the writable places, where Landlock has a say in it. A
 * glob stands for the directory that holds what it matches: this is the outer wall, the view masks
 * the sockets that policy does not name. */
static int add_sockets(const struct sbx_policy *policy, struct envelope *envelope)
{
    uint32_t count;
    const struct sbx_item *items =
        sbx_policy_list(policy, SBX_KEY_NETWORK_ALLOW_UNIX_SOCKET, &count);
    if (sbx_policy_flag(policy, SBX_KEY_NETWORK_ALLOW_ALL_UNIX))
        return add_line(envelope, SBX_LANDLOCK_UNIX, "/", 1);
    for (uint32_t i = 0; i < count; i++) {
        const char *path = sbx_policy_text(policy, items[i].text);
        size_t length = strlen(path), literal = strcspn(path, "*?[");
        while (literal < length && literal > 1 && path[literal - 1] != '/')
            literal--;
        if (add_line(envelope, SBX_LANDLOCK_UNIX, path, literal))
            return -1;
    }
    return 0;
}

static int write_envelope(const struct sbx_warden *warden, struct sbx_err *err)
{
    const char *paths[ENVELOPE_MAX];
    struct envelope envelope = {.used = 0};
    size_t count = sbx_plan_envelope(warden->policy, paths, ENVELOPE_MAX);
    int failed = 0;
    for (size_t i = 0; i < count && !failed; i++)
        failed = add_line(&envelope, "", paths[i], strlen(paths[i]));
    if (failed || add_sockets(warden->policy, &envelope))
        return sbx_fail(err, SBX_E_LIMIT, 0, "too many paths for the Landlock envelope");
    return sbx_files_write(warden->session_dir_fd, "landlock", envelope.text, envelope.used, 0444,
                           err);
}

static int write_brief(const struct sbx_warden *warden, struct sbx_err *err)
{
    _cleanup_free_ char *text = malloc(BRIEF_BYTES);
    if (!text)
        return sbx_fail(err, SBX_E_MEMORY, 0, "out of memory");
    size_t size = 0;
    FILE *stream = fmemopen(text, BRIEF_BYTES, "w");
    if (!stream)
        return sbx_fail(err, SBX_E_MEMORY, errno, "cannot write the brief");
    int status = sbx_brief_write(warden->policy, stream, err);
    long end = ftell(stream);
    if (fclose(stream) || end < 0)
        status = status ? status : sbx_fail(err, SBX_E_LIMIT, 0, "the brief is too long");
    size = end > 0 ? (size_t)end : 0;
    return status ? status
                  : sbx_files_write(warden->session_dir_fd, "brief.md", text, size, 0444, err);
}

int sbx_files_publish_policy(const struct sbx_warden *warden, struct sbx_err *err)
{
    if (sbx_files_write(warden->session_dir_fd, "policy", warden->policy,
                        (size_t)warden->policy->size_bytes, 0444, err) ||
        write_envelope(warden, err))
        return -1;
    return write_brief(warden, err);
}

/* A memfd that nobody can change any more, for those who are handed its descriptor. */
int sbx_files_seal(const char *name, const void *data, size_t size, struct sbx_err *err)
{
    _cleanup_fd_ int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size ||
        fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot seal %s", name);
    return sbx_steal_fd(&fd);
}

static int seal_filter(const struct sbx_bpf *filter, const char *name, struct sbx_err *err)
{
    return sbx_files_seal(name, filter->code, filter->count * sizeof(*filter->code), err);
}

static int make_helper_filter(enum sbx_helper helper, const char *name, struct sbx_err *err)
{
    struct sbx_bpf filter = {0};
    if (sbx_seccomp_compile_helper(helper, &filter, err))
        return -1;
    int fd = seal_filter(&filter, name, err);
    free(filter.code);
    return fd;
}

/* The deny list goes to those who join as a sealed memfd; the allow list is a file of the jail. */
static int make_filters(struct sbx_warden *warden, struct sbx_err *err)
{
    const struct sbx_filter_options options = {
        .allow_ptrace = sbx_policy_flag(warden->policy, SBX_KEY_JAIL_ALLOW_PTRACE)};
    struct sbx_bpf deny = {0}, allow = {0};
    int status = sbx_seccomp_compile(SBX_FILTER_DENY, &options, &deny, err);
    if (!status)
        status = sbx_seccomp_compile(SBX_FILTER_ALLOW, &options, &allow, err);
    if (!status)
        status = sbx_files_write(warden->session_dir_fd, "seal", allow.code,
                                 allow.count * sizeof(*allow.code), 0444, err);
    if (!status) {
        warden->filter_fd = seal_filter(&deny, "sbx-deny-list", err);
        warden->filter_count = deny.count;
        warden->init_filter_fd = make_helper_filter(SBX_HELPER_INIT, "sbx-init-filter", err);
        warden->clerk_filter_fd = make_helper_filter(SBX_HELPER_CLERK, "sbx-clerk-filter", err);
        if (warden->filter_fd < 0 || warden->init_filter_fd < 0 || warden->clerk_filter_fd < 0)
            status = -1;
    }
    free(deny.code);
    free(allow.code);
    return status;
}

static int make_masks(int run_fd, struct sbx_err *err)
{
    _cleanup_fd_ int mask = make_dir(run_fd, "mask", 0700, err);
    if (mask < 0)
        return -1;
    _cleanup_fd_ int dir = make_dir(mask, "dir", 0, err);
    if (dir < 0 || sbx_files_write(mask, "file", "", 0, 0, err))
        return -1;
    _cleanup_fd_ int stage = make_dir(run_fd, "stage", 0700, err);
    return stage < 0 ? -1 : 0;
}

/* A socket by descriptor of its directory: sun_path is short, and no name is walked twice. */
static int listen_at(int dir_fd, const char *name, mode_t mode, gid_t group, struct sbx_err *err)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    (void)snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d/%s", dir_fd, name);
    _cleanup_fd_ int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || bind(fd, (const struct sockaddr *)&address, sizeof(address)))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot make the socket %s", name);
    if (fchownat(dir_fd, name, 0, group, AT_SYMLINK_NOFOLLOW) || fchmodat(dir_fd, name, mode, 0))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot set the owner of %s", name);
    if (listen(fd, BACKLOG))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot listen on %s", name);
    return sbx_steal_fd(&fd);
}

/* First line: the name to sweep by; then every group's path, once they are made, for the wardens of the
 * account's other jails to know our processes by. */
static int write_groups(const struct sbx_warden *warden, struct sbx_err *err)
{
    char text[64 + SBX_CGROUP_MAX * sizeof(warden->cgroup.group[0].path)];
    int used = snprintf(text, sizeof(text), "%s\n", warden->cgroup_name);
    for (unsigned i = 0; i < warden->cgroup.count; i++)
        used += snprintf(text + used, sizeof(text) - (size_t)used, "%s\n",
                         warden->cgroup.group[i].path);
    return sbx_files_write(warden->run_fd, "cgroup", text, (size_t)used, 0444, err);
}

/* The name is written before there is a group: killed at any moment, we leave word of what we made. */
int sbx_files_claim(struct sbx_warden *warden, struct sbx_err *err)
{
    /* What a dead warden of this id left: the caller holds the id's lock. */
    sbx_janitor_sweep_left(warden->jails_fd, warden->jail_id);
    sbx_files_remove(warden->jails_fd, warden->jail_id);
    warden->has_dir = true;
    warden->run_fd = make_dir(warden->jails_fd, warden->jail_id, 0710, err);
    if (warden->run_fd >= 0 && fchown(warden->run_fd, (uid_t)-1, warden->operators))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot set the group of the jail's directory");
    return warden->run_fd < 0 || write_groups(warden, err) ? -1 : 0;
}

int sbx_files_make(struct sbx_warden *warden, struct sbx_err *err)
{
    if (make_masks(warden->run_fd, err) || write_groups(warden, err))
        return -1;
    warden->session_dir_fd = make_dir(warden->run_fd, "session", 0755, err);
    if (warden->session_dir_fd < 0 ||
        sbx_account_write_files(&warden->account, warden->run_fd, err) ||
        sbx_files_publish_policy(warden, err) || make_filters(warden, err))
        return -1;
    warden->clerk.shell_fd = listen_at(warden->session_dir_fd, "shell.sock", 0666, 0, err);
    if (warden->clerk.shell_fd < 0)
        return -1;
    warden->listen_fd = listen_at(warden->run_fd, "control.sock", 0660, warden->operators, err);
    return warden->listen_fd < 0 ? -1 : 0;
}

/* Facts of the kernel about the jail's init, for sbxsh to compare itself with. */
int sbx_files_attest(const struct sbx_warden *warden, struct sbx_err *err)
{
    char path[64];
    (void)snprintf(path, sizeof(path), "/proc/%d/ns", warden->jail.init_pid);
    _cleanup_fd_ int ns = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (ns < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot open %s", path);
    struct sbx_attest record = {0};
    if (sbx_attest_read(ns, &record, err))
        return -1;
    record.magic = SBX_ATTEST_MAGIC;
    record.uid = warden->account.uid;
    (void)snprintf(record.jail, sizeof(record.jail), "%s", warden->jail_id);
    return sbx_files_write(warden->session_dir_fd, "attest", &record, sizeof(record), 0444, err);
}

int sbx_files_rename(struct sbx_warden *warden, const char *to, struct sbx_err *err)
{
    if (renameat(warden->jails_fd, warden->jail_id, warden->jails_fd, to))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot rename the directory of jail %s",
                        warden->jail_id);
    return 0;
}

/* Removes a tree of ours, never following a link: only root writes below /run/sbx/jails. */
static void remove_tree(int dir_fd, const char *name, unsigned depth)
{
    if (!unlinkat(dir_fd, name, 0) || errno == ENOENT || depth == NAME_DEPTH)
        return;
    int fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (!dir) {
        if (fd >= 0)
            (void)close(fd);
        return;
    }
    for (struct dirent *entry; (entry = readdir(dir));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            remove_tree(dirfd(dir), entry->d_name, depth + 1);
    (void)closedir(dir);
    (void)unlinkat(dir_fd, name, AT_REMOVEDIR);
}

void sbx_files_remove(int jails_fd, const char *name)
{
    remove_tree(jails_fd, name, 0);
}
