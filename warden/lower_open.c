/* Opens the files, as the account. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jail/caps.h"
#include "jail/open.h"
#include "jail/sys.h"
#include "policy/cleanup.h"
#include "policy/config.h"
#include "warden/lower_internal.h"

#define SEALS (F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

static const struct sbx_lower_found nothing = {
    .errnum = ENOENT, .text_fd = -1, .file_fd = -1, .dir_fd = -1};

void sbx_lower_close(struct sbx_lower_found *found)
{
    int fds[] = {found->text_fd, found->file_fd, found->dir_fd};
    for (size_t i = 0; i < sizeof(fds) / sizeof(*fds); i++)
        if (fds[i] >= 0)
            (void)close(fds[i]);
    *found = nothing;
}

bool sbx_lower_wait(int fd, int64_t deadline_ms)
{
    for (;;) {
        struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
        int64_t left = deadline_ms - sbx_now_ms();
        int n = left > 0 ? poll(&poll_fd, 1, (int)left) : 0;
        if (n >= 0 || errno != EINTR)
            return n > 0;
    }
}

void sbx_lower_reap(pid_t pid)
{
    (void)kill(pid, SIGKILL); /* ours and not reaped: the number is still its own */
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* --- one file --------------------------------------------------------------------------------- */
/* Below its top and without a link on the way: where one leads the jail's rules for these files do not
 * hold, nor would a change be noticed. */
static int open_below(int top_fd, const char *name, uint64_t flags)
{
    const struct sbx_open_how how = {.flags = flags | O_CLOEXEC,
                                     .resolve = SBX_RESOLVE_BENEATH | SBX_RESOLVE_NO_SYMLINKS};
    int fd = sbx_sys_openat2(top_fd, name, &how);
    if (fd >= 0 || errno != ELOOP)
        return fd;
    /* A linked ~/.config is no fault where it holds nothing of ours. */
    _cleanup_fd_ int found = openat(top_fd, name, O_PATH | O_CLOEXEC);
    if (found >= 0 || (errno != ENOENT && errno != ENOTDIR))
        errno = EXDEV;
    return -1;
}

/* The file that was opened, not its name: the directory it lies in. */
static int open_directory(int top_fd, const char *name)
{
    char dir[64];
    const char *slash = strrchr(name, '/');
    size_t len = (size_t)(slash - name);
    memcpy(dir, name, len);
    dir[len] = '\0';
    return open_below(top_fd, dir, O_PATH | O_DIRECTORY);
}

/* Copied once: what is hashed is what is parsed. Returns an errno. */
static int copy(int from, int to)
{
    char bytes[16384];
    size_t all = 0;
    for (ssize_t n; (n = read(from, bytes, sizeof(bytes))) != 0;) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        all += (size_t)n;
        if (all > SBX_CONFIG_FILE_BYTES)
            return EFBIG;
        if (write(to, bytes, (size_t)n) != n)
            return ENOSPC;
    }
    return fcntl(to, F_ADD_SEALS, SEALS) ? errno : 0;
}

static int read_found(const struct sbx_lower_place *place, int top_fd,
                      struct sbx_lower_found *found)
{
    found->file_fd = open_below(top_fd, place->name, O_RDONLY | O_NOCTTY | O_NONBLOCK);
    struct stat st;
    if (found->file_fd < 0 || fstat(found->file_fd, &st))
        return errno;
    if (!S_ISREG(st.st_mode))
        return EINVAL;
    found->dir_fd = open_directory(top_fd, place->name);
    found->text_fd = memfd_create("sbx-lower", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (found->dir_fd < 0 || found->text_fd < 0)
        return errno;
    return copy(found->file_fd, found->text_fd);
}

void sbx_lower_open(const struct sbx_lower_place *place, struct sbx_lower_found *found)
{
    *found = nothing;
    _cleanup_fd_ int root_fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    _cleanup_fd_ int top_fd = root_fd < 0 ? -1 : sbx_open_walk(root_fd, place->top);
    int errnum = top_fd < 0 ? errno : read_found(place, top_fd, found);
    if (errnum == ENOTDIR) /* a file lies where a directory would be: there is nothing below it */
        errnum = ENOENT;
    if (errnum) {
        sbx_lower_close(found);
        found->errnum = errnum;
    } else {
        found->errnum = 0;
    }
}

/* --- the child -------------------------------------------------------------------------------- */
struct answer {
    uint32_t index;
    int32_t errnum;
};
#define FDS 3

union fd_space {
    char space[CMSG_SPACE(FDS * sizeof(int))];
    struct cmsghdr align;
};

static bool send_found(int socket_fd, size_t index, const struct sbx_lower_found *found)
{
    struct answer answer = {(uint32_t)index, found->errnum};
    struct iovec data = {.iov_base = &answer, .iov_len = sizeof(answer)};
    union fd_space control = {0};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};
    const int fds[FDS] = {found->text_fd, found->file_fd, found->dir_fd};
    if (!found->errnum) {
        message.msg_control = control.space;
        message.msg_controllen = sizeof(control.space);
        control.align.cmsg_level = SOL_SOCKET;
        control.align.cmsg_type = SCM_RIGHTS;
        control.align.cmsg_len = CMSG_LEN(sizeof(fds));
        memcpy(CMSG_DATA(&control.align), fds, sizeof(fds));
    }
    return sendmsg(socket_fd, &message, MSG_NOSIGNAL) == (ssize_t)sizeof(answer);
}

static void be_opener(const struct sbx_lower_place *places, size_t count,
                      const struct sbx_lower_spec *spec, int socket_fd)
{
    struct sbx_err err;
    if (dup2(socket_fd, 3) < 0 || sbx_sys_close_range(4, ~0u, 0) ||
        prctl(PR_SET_PDEATHSIG, SIGKILL) ||
        sbx_caps_become_reader(spec->uid, spec->gid, spec->groups, spec->group_count, &err) ||
        prctl(PR_SET_PDEATHSIG, SIGKILL)) /* lost when the ids change */
        _exit(1);
    for (size_t i = 0; i < count; i++) {
        struct sbx_lower_found found;
        sbx_lower_open(&places[i], &found);
        if (!send_found(3, i, &found)) { /* too many descriptors under way: unix(7) */
            found.errnum = errno;
            if (!send_found(3, i, &found))
                _exit(1);
        }
        sbx_lower_close(&found);
    }
    _exit(0);
}

/* The one answer for place `index`. */
static int receive(int socket_fd, size_t index, struct sbx_lower_found *found)
{
    struct answer answer = {0};
    struct iovec data = {.iov_base = &answer, .iov_len = sizeof(answer)};
    union fd_space control = {0};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = control.space,
                             .msg_controllen = sizeof(control.space)};
    ssize_t n = recvmsg(socket_fd, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    const struct cmsghdr *header = n < 0 ? NULL : CMSG_FIRSTHDR(&message);
    int fds[FDS] = {-1, -1, -1};
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
        header->cmsg_len <= CMSG_LEN(sizeof(fds)))
        memcpy(fds, CMSG_DATA(header), header->cmsg_len - CMSG_LEN(0));
    *found = (struct sbx_lower_found){
        .errnum = answer.errnum, .text_fd = fds[0], .file_fd = fds[1], .dir_fd = fds[2]};
    bool is_sound = n == (ssize_t)sizeof(answer) && answer.index == index &&
                    !(message.msg_flags & MSG_CTRUNC) && (answer.errnum == 0) == (fds[2] >= 0) &&
                    (answer.errnum || fcntl(found->text_fd, F_GET_SEALS) == SEALS);
    return is_sound ? 0 : -1;
}

int sbx_lower_open_as(const struct sbx_lower_place *places, size_t count,
                      const struct sbx_lower_spec *spec, struct sbx_lower_found *found,
                      struct sbx_err *err)
{
    int pair[2], status = 0;
    int64_t deadline = sbx_now_ms() + SBX_LOWER_TIMEOUT_MS;
    for (size_t i = 0; i < count; i++)
        found[i] = nothing;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot make a socket pair");
    pid_t pid = fork();
    if (pid == 0)
        be_opener(places, count, spec, pair[1]);
    int saved = errno;
    (void)close(pair[1]);
    _cleanup_fd_ int socket_fd = pair[0];
    if (pid < 0)
        return sbx_fail(err, SBX_E_SYSTEM, saved,
                        "cannot fork for the policy files of the account");
    for (size_t i = 0; i < count && !status; i++)
        if (!sbx_lower_wait(socket_fd, deadline) || receive(socket_fd, i, &found[i]))
            status = sbx_fail(err, SBX_E_POLICY, 0,
                              "%s: cannot be looked for as the account; a file system may hang, or "
                              "its programs have too many descriptors under way",
                              places[i].path);
    sbx_lower_reap(pid);
    return status;
}
