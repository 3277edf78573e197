#include "jail/open.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jail/caps.h"
#include "jail/sys.h"
#include "policy/cleanup.h"

#define MAX_LINKS 40

/* A link counts as root's own only if nobody else could have made or replaced it. */
static bool is_roots_link(int dir_fd, const struct stat *link)
{
    struct stat dir;
    return !fstat(dir_fd, &dir) && link->st_uid == 0 && dir.st_uid == 0 && !(dir.st_mode & 022);
}

struct walk {
    int root_fd;
    char rest[PATH_MAX]; /* what is still to be walked, without leading slash */
    unsigned links;
};

/* Puts the target of the link behind fd in front of what is left to walk. */
static int take_link(struct walk *walk, int link_fd, const char *after)
{
    char target[PATH_MAX];
    ssize_t n = readlinkat(link_fd, "", target, sizeof(target) - 1);
    if (n < 0)
        return -1;
    target[n] = '\0';
    if (++walk->links > MAX_LINKS) {
        errno = ELOOP;
        return -1;
    }
    char joined[PATH_MAX];
    size_t used = strlen(target), left = strlen(after);
    if (used + 1 + left >= sizeof(joined)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(joined, target, used);
    joined[used] = '/';
    memcpy(joined + used + 1, after, left + 1);
    memcpy(walk->rest, joined, used + left + 2);
    return 0;
}

/* Takes the next component off the rest: *name in place, *after what follows. False at the end. */
static bool next_component(char *rest, char **name, char **after)
{
    char *p = rest + strspn(rest, "/");
    if (!*p)
        return false;
    *name = p;
    p += strcspn(p, "/");
    *after = *p ? p + 1 : p;
    *p = '\0';
    return true;
}

/* One step from dir_fd. Returns the new descriptor, or -1. A link replaces walk->rest and starts
 * again at dir_fd, or at the root where its target is absolute. */
static int step(struct walk *walk, int dir_fd, const char *name, char *after)
{
    _cleanup_fd_ int fd = openat(dir_fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st))
        return -1;
    if (!S_ISLNK(st.st_mode)) {
        memmove(walk->rest, after, strlen(after) + 1);
        return sbx_steal_fd(&fd);
    }
    if (!is_roots_link(dir_fd, &st)) {
        errno = ELOOP;
        return -1;
    }
    char rest[PATH_MAX];
    memcpy(rest, after, strlen(after) + 1);
    if (take_link(walk, fd, rest))
        return -1;
    return fcntl(walk->rest[0] == '/' ? walk->root_fd : dir_fd, F_DUPFD_CLOEXEC, 3);
}

/* Most paths have no link at all: one call opens them. openat2(2), RESOLVE_NO_SYMLINKS. */
static int open_plain(int root_fd, const char *path)
{
    static const struct sbx_open_how how = {
        .flags = O_PATH | O_CLOEXEC, .resolve = SBX_RESOLVE_NO_SYMLINKS | SBX_RESOLVE_BENEATH};
    path += strspn(path, "/");
    return sbx_sys_openat2(root_fd, *path ? path : ".", &how);
}

static bool has_parent_step(const char *path)
{
    for (const char *p = path; (p = strstr(p, "/..")); p += 3)
        if (p[3] == '/' || !p[3])
            return true;
    return false;
}

/* Component by component, with the links that are root's. */
static int walk_links(struct walk *walk)
{
    int fd = fcntl(walk->root_fd, F_DUPFD_CLOEXEC, 3);
    char *name, *after;
    while (fd >= 0 && next_component(walk->rest, &name, &after)) {
        if (!strcmp(name, ".")) {
            memmove(walk->rest, after, strlen(after) + 1);
            continue;
        }
        int next = -1;
        if (strcmp(name, "..") != 0)
            next = step(walk, fd, name, after);
        else
            errno = ELOOP; /* policy paths are normalised; of root's links few have it */
        int saved = errno;
        (void)close(fd);
        errno = saved;
        fd = next;
    }
    return fd;
}

int sbx_open_walk(int root_fd, const char *path)
{
    struct walk walk = {.root_fd = root_fd};
    size_t len = strlen(path);
    if (path[0] != '/' || len >= sizeof(walk.rest)) {
        errno = path[0] != '/' ? EINVAL : ENAMETOOLONG;
        return -1;
    }
    if (!has_parent_step(path)) {
        int fd = open_plain(root_fd, path);
        if (fd >= 0 || errno != ELOOP)
            return fd;
    }
    memcpy(walk.rest, path, len + 1);
    return walk_links(&walk);
}

int sbx_open_above(int root_fd, const char *path)
{
    char above[PATH_MAX];
    size_t len = strlen(path);
    if (len >= sizeof(above)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(above, path, len + 1);
    for (char *slash; (slash = strrchr(above, '/')) && slash != above;) {
        *slash = '\0';
        int fd = sbx_open_walk(root_fd, above);
        if (fd >= 0)
            return fd;
    }
    return sbx_open_walk(root_fd, "/");
}

/* --- the child ---------------------------------------------------------------------------------- */
/* A request is a path, which begins with a slash, or this. */
static const char work_word[] = "work";

struct answer {
    int host_errno, new_errno; /* 0: its descriptor comes with this, the host's first */
};

union two_fds {
    char space[CMSG_SPACE(2 * sizeof(int))];
    struct cmsghdr align;
};

static int send_answer(int socket_fd, const struct sbx_opened *opened)
{
    struct answer answer = {opened->host_errno, opened->new_errno};
    struct iovec data = {.iov_base = &answer, .iov_len = sizeof(answer)};
    union two_fds control = {0};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};
    int fds[2];
    size_t count = 0;
    if (opened->host_fd >= 0)
        fds[count++] = opened->host_fd;
    if (opened->new_fd >= 0)
        fds[count++] = opened->new_fd;
    if (count) {
        message.msg_control = control.space;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        struct cmsghdr *header = &control.align;
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(count * sizeof(int));
        memcpy(CMSG_DATA(header), fds, count * sizeof(int));
    }
    return sendmsg(socket_fd, &message, MSG_NOSIGNAL) < 0 ? -1 : 0;
}

/* The descriptors of a message; how many there were. */
static size_t take_fds(struct msghdr *message, int fds[2])
{
    const struct cmsghdr *header = CMSG_FIRSTHDR(message);
    if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
        return 0;
    size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    if (count > 2)
        return 0;
    memcpy(fds, CMSG_DATA(header), count * sizeof(int));
    return count;
}

static int receive_answer(int socket_fd, struct sbx_opened *opened)
{
    struct answer answer = {0};
    struct iovec data = {.iov_base = &answer, .iov_len = sizeof(answer)};
    union two_fds control = {0};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = control.space,
                             .msg_controllen = sizeof(control.space)};
    ssize_t n;
    do
        n = recvmsg(socket_fd, &message, MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    int fds[2] = {-1, -1};
    size_t count = n < 0 ? 0 : take_fds(&message, fds), wanted = 0;
    if (n == (ssize_t)sizeof(answer)) {
        wanted = (size_t)!answer.host_errno + (size_t)!answer.new_errno;
        if (count == wanted) {
            opened->host_errno = answer.host_errno;
            opened->new_errno = answer.new_errno;
            opened->host_fd = answer.host_errno ? -1 : fds[0];
            opened->new_fd = answer.new_errno ? -1 : fds[answer.host_errno ? 0 : 1];
            return 0;
        }
    }
    for (size_t i = 0; i < count; i++)
        (void)close(fds[i]);
    errno = n < 0 ? errno : EPIPE;
    return -1;
}

static void serve(const struct sbx_opener_spec *spec, int socket_fd)
{
    char path[PATH_MAX];
    for (ssize_t n; (n = recv(socket_fd, path, sizeof(path) - 1, 0)) > 0;) {
        path[n] = '\0';
        if (spec->work && !strcmp(path, work_word)) {
            spec->work(spec->data, socket_fd);
            continue;
        }
        struct sbx_opened opened = {0};
        opened.host_fd = sbx_open_walk(spec->host_root_fd, path);
        opened.host_errno = opened.host_fd < 0 ? errno : 0;
        opened.new_fd = sbx_open_walk(spec->new_root_fd, path);
        opened.new_errno = opened.new_fd < 0 ? errno : 0;
        int failed = send_answer(socket_fd, &opened);
        if (failed) { /* the account may have too many descriptors under way: unix(7) */
            const struct sbx_opened none = {-1, -1, errno, errno};
            failed = send_answer(socket_fd, &none);
        }
        if (opened.host_fd >= 0)
            (void)close(opened.host_fd);
        if (opened.new_fd >= 0)
            (void)close(opened.new_fd);
        if (failed)
            break;
    }
}

int sbx_opener_start(struct sbx_opener *opener, const struct sbx_opener_spec *spec,
                     struct sbx_err *err)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot make a socket pair");
    pid_t pid = fork();
    if (pid < 0) {
        int saved = errno;
        (void)close(pair[0]);
        (void)close(pair[1]);
        return sbx_fail(err, SBX_E_SYSTEM, saved, "cannot fork the opener");
    }
    if (pid == 0) {
        struct sbx_err local;
        const struct sbx_credentials *who = spec->who;
        (void)close(pair[0]);
        if (sbx_caps_become_reader(who->uid, who->gid, who->groups, who->group_count, &local) ||
            prctl(PR_SET_PDEATHSIG, SIGKILL))
            _exit(1); /* the parent sees the socket close: every open fails with EPIPE */
        serve(spec, pair[1]);
        _exit(0);
    }
    (void)close(pair[1]);
    *opener = (struct sbx_opener){.pid = pid, .socket = pair[0]};
    return 0;
}

void sbx_opener_open(const struct sbx_opener *opener, const char *path, struct sbx_opened *opened)
{
    size_t len = strlen(path);
    int errnum = path[0] != '/' ? EINVAL : len >= PATH_MAX ? ENAMETOOLONG : 0;
    *opened = (struct sbx_opened){.host_fd = -1, .new_fd = -1};
    if (!errnum && (send(opener->socket, path, len, MSG_NOSIGNAL) < 0 ||
                    receive_answer(opener->socket, opened)))
        errnum = errno;
    if (errnum)
        opened->host_errno = opened->new_errno = errnum;
}

int sbx_opener_ask(const struct sbx_opener *opener)
{
    return send(opener->socket, work_word, sizeof(work_word) - 1, MSG_NOSIGNAL) < 0 ? -1 : 0;
}

void sbx_opener_dismiss(struct sbx_opener *opener)
{
    if (opener->socket >= 0)
        (void)close(opener->socket);
    opener->socket = -1;
}

void sbx_opener_stop(struct sbx_opener *opener)
{
    if (opener->pid <= 0)
        return;
    sbx_opener_dismiss(opener);
    while (waitpid(opener->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    opener->pid = 0;
}
