#include "jail/open.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jail/caps.h"
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

int sbx_open_walk(int root_fd, const char *path)
{
    struct walk walk = {.root_fd = root_fd};
    size_t len = strlen(path);
    if (path[0] != '/' || len >= sizeof(walk.rest)) {
        errno = path[0] != '/' ? EINVAL : ENAMETOOLONG;
        return -1;
    }
    memcpy(walk.rest, path, len + 1);
    int fd = fcntl(root_fd, F_DUPFD_CLOEXEC, 3);
    char *name, *after;
    while (fd >= 0 && next_component(walk.rest, &name, &after)) {
        if (!strcmp(name, "..")) { /* policy paths are normalised; of root's links few have it */
            (void)close(fd);
            errno = ELOOP;
            return -1;
        }
        int next =
            !strcmp(name, ".") ? fcntl(fd, F_DUPFD_CLOEXEC, 3) : step(&walk, fd, name, after);
        if (!strcmp(name, "."))
            memmove(walk.rest, after, strlen(after) + 1);
        int saved = errno;
        (void)close(fd);
        errno = saved;
        fd = next;
    }
    return fd;
}

/* --- the child ---------------------------------------------------------------------------------- */
struct request {
    uint32_t in_new_root;
    char path[PATH_MAX];
};

static int send_answer(int socket_fd, int errnum, int fd)
{
    struct iovec data = {.iov_base = &errnum, .iov_len = sizeof(errnum)};
    union {
        char space[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control = {0};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};
    if (fd >= 0) {
        message.msg_control = control.space;
        message.msg_controllen = sizeof(control.space);
        struct cmsghdr *header = &control.align;
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &fd, sizeof(fd));
    }
    return sendmsg(socket_fd, &message, MSG_NOSIGNAL) < 0 ? -1 : 0;
}

static int receive_answer(int socket_fd, int *errnum)
{
    struct iovec data = {.iov_base = errnum, .iov_len = sizeof(*errnum)};
    union {
        char space[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control = {0};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = control.space,
                             .msg_controllen = sizeof(control.space)};
    ssize_t n;
    do
        n = recvmsg(socket_fd, &message, MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    if (n != (ssize_t)sizeof(*errnum)) {
        *errnum = n < 0 ? errno : EPIPE;
        return -1;
    }
    int fd = -1;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
        header->cmsg_len == CMSG_LEN(sizeof(int)))
        memcpy(&fd, CMSG_DATA(header), sizeof(fd));
    return fd;
}

static void serve(int socket_fd, int host_root_fd, int new_root_fd)
{
    struct request request;
    while (recv(socket_fd, &request, sizeof(request), 0) == (ssize_t)sizeof(request)) {
        request.path[sizeof(request.path) - 1] = '\0';
        _cleanup_fd_ int fd =
            sbx_open_walk(request.in_new_root ? new_root_fd : host_root_fd, request.path);
        if (send_answer(socket_fd, fd < 0 ? errno : 0, fd))
            break;
    }
}

int sbx_opener_start(struct sbx_opener *opener, const struct sbx_credentials *who, int host_root_fd,
                     int new_root_fd, struct sbx_err *err)
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
        (void)close(pair[0]);
        if (sbx_caps_become(who->uid, who->gid, who->groups, who->group_count, &local))
            _exit(1); /* the parent sees the socket close: every open fails with EPIPE */
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        serve(pair[1], host_root_fd, new_root_fd);
        _exit(0);
    }
    (void)close(pair[1]);
    *opener = (struct sbx_opener){.pid = pid, .socket = pair[0]};
    return 0;
}

int sbx_opener_open(const struct sbx_opener *opener, bool in_new_root, const char *path)
{
    struct request request = {.in_new_root = in_new_root};
    size_t len = strlen(path);
    if (len >= sizeof(request.path)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(request.path, path, len + 1);
    if (send(opener->socket, &request, sizeof(request), MSG_NOSIGNAL) < 0)
        return -1;
    int errnum = 0;
    int fd = receive_answer(opener->socket, &errnum);
    if (fd < 0)
        errno = errnum ? errnum : EPROTO;
    return fd;
}

void sbx_opener_stop(struct sbx_opener *opener)
{
    if (opener->pid <= 0)
        return;
    (void)close(opener->socket);
    while (waitpid(opener->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    opener->pid = 0;
    opener->socket = -1;
}
