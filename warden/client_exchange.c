/* One connection to a warden, one question, one answer. Two rules hold for every exchange:
 *  - the other side MUST be root's: its directory is, and so is the peer of the connection;
 *  - nothing it sends or leaves out MUST be able to hold the caller up or be believed unchecked:
 *    deadlines, sizes, counts; descriptors that came with a wrong answer MUST be closed. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "policy/cleanup.h"
#include "warden/client_parts.h"

void sbx_answer_release(struct sbx_answer *answer)
{
    for (unsigned i = 0; i < answer->fd_count; i++)
        sbx_cleanup_fd(&answer->fd[i]);
    answer->fd_count = 0;
}

struct sbx_header sbx_header_of(enum sbx_message message, size_t size)
{
    return (struct sbx_header){.magic = SBX_PROTO_MAGIC,
                               .version = SBX_PROTO_VERSION,
                               .message = message,
                               .size = (uint32_t)size};
}

/* --- connection -------------------------------------------------------------------------------- */
static int check_peer(int fd, const char *jail, struct sbx_err *err)
{
    struct ucred peer = {.uid = (uid_t)-1};
    socklen_t size = sizeof(peer);
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot ask who serves jail %s", jail);
    /* For root this is 0 and nothing else; without root only tests have a server of their own. */
    if (peer.uid != 0 && peer.uid != geteuid())
        return sbx_fail(err, SBX_E_TRUST, 0, "jail %s is served by uid %u, not by root", jail,
                        peer.uid);
    return 0;
}

static int connect_at(int socket_fd, int jail_fd, const char *jail,
                      const struct sbx_deadline *deadline, struct sbx_err *err)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    /* By descriptor: no name is resolved twice, and a long --root fits into sun_path. */
    (void)snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d/control.sock",
                   jail_fd);
    while (connect(socket_fd, (const struct sockaddr *)&address, sizeof(address))) {
        if (errno == ENOENT || errno == ECONNREFUSED)
            return sbx_fail(err, SBX_E_GONE, errno, "no warden answers for jail %s", jail);
        if (errno != EAGAIN && errno != EINTR)
            return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot connect to jail %s", jail);
        if (!sbx_deadline_nap(deadline))
            return sbx_fail(err, SBX_E_SYSTEM, ETIMEDOUT, "cannot connect to jail %s", jail);
    }
    return check_peer(socket_fd, jail, err);
}

int sbx_connect_jail(int jails_fd, const char *jail, const struct sbx_deadline *deadline,
                     struct sbx_err *err)
{
    _cleanup_fd_ int jail_fd =
        openat(jails_fd, jail, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (jail_fd < 0)
        return sbx_fail(err, errno == ENOENT ? SBX_E_GONE : SBX_E_SYSTEM, errno,
                        "cannot open the directory of jail %s", jail);
    _cleanup_fd_ int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot make a socket");
    if (connect_at(fd, jail_fd, jail, deadline, err))
        return -1;
    return sbx_steal_fd(&fd);
}

static int wait_for(int fd, short events, const struct sbx_deadline *deadline, struct sbx_err *err)
{
    struct pollfd watched = {.fd = fd, .events = events};
    for (;;) {
        int ready = poll(&watched, 1, sbx_deadline_left_ms(deadline));
        if (ready > 0)
            return 0;
        if (ready < 0 && errno != EINTR)
            return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot wait for the warden");
        if (!sbx_deadline_left_ms(deadline))
            return sbx_fail(err, SBX_E_SYSTEM, ETIMEDOUT, "the warden does not answer");
    }
}

static int send_packet(int fd, const void *packet, size_t size, const struct sbx_deadline *deadline,
                       struct sbx_err *err)
{
    for (;;) {
        ssize_t sent = send(fd, packet, size, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent == (ssize_t)size)
            return 0;
        if (sent >= 0 || (errno != EAGAIN && errno != EINTR))
            return sbx_fail(err, SBX_E_GONE, sent < 0 ? errno : 0, "the warden went away");
        if (wait_for(fd, POLLOUT, deadline, err))
            return -1;
    }
}

/* Takes every descriptor out of the message before anything is judged, so that none is leaked. */
static void take_fds(struct msghdr *message, struct sbx_answer *answer)
{
    for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c; c = CMSG_NXTHDR(message, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
            continue;
        size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(c) + i * sizeof(int), sizeof(int));
            if (answer->fd_count < SBX_ANSWER_FDS)
                answer->fd[answer->fd_count++] = fd;
            else
                (void)close(fd);
        }
    }
}

static int receive(int fd, struct sbx_answer *answer, const struct sbx_deadline *deadline,
                   struct sbx_err *err)
{
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(SBX_ANSWER_FDS * sizeof(int))];
    } control;
    struct iovec data = {answer->packet.bytes, sizeof(answer->packet.bytes)};
    struct msghdr message;
    ssize_t got;
    do {
        if (wait_for(fd, POLLIN, deadline, err))
            return -1;
        message = (struct msghdr){.msg_iov = &data,
                                  .msg_iovlen = 1,
                                  .msg_control = control.bytes,
                                  .msg_controllen = sizeof(control.bytes)};
        got = recvmsg(fd, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    } while (got < 0 && (errno == EAGAIN || errno == EINTR));
    if (got >= 0)
        take_fds(&message, answer);
    if (got <= 0)
        return sbx_fail(err, SBX_E_GONE, got < 0 ? errno : 0, "the warden went away");
    if (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC))
        return sbx_fail(err, SBX_E_PROTOCOL, 0, "the warden's answer is too large");
    answer->size = (size_t)got;
    return 0;
}

/* The size each answer must have; nothing else is ever an answer. */
static size_t size_of(uint32_t message)
{
    switch (message) {
    case SBX_MSG_JOINED:
    case SBX_MSG_REFUSED:
    case SBX_MSG_RETIRED:
        return sizeof(struct sbx_join_reply);
    case SBX_MSG_STATE:
        return sizeof(struct sbx_state);
    case SBX_MSG_DONE:
        return sizeof(struct sbx_header);
    default:
        return 0;
    }
}

int sbx_exchange(int fd, const void *request, size_t size, struct sbx_answer *answer,
                 const struct sbx_deadline *deadline, struct sbx_err *err)
{
    if (send_packet(fd, request, size, deadline, err) || receive(fd, answer, deadline, err))
        return -1;
    const struct sbx_header *header = &answer->packet.header;
    if (answer->size < sizeof(*header) || header->magic != SBX_PROTO_MAGIC ||
        header->version != SBX_PROTO_VERSION || header->size != answer->size ||
        answer->size != size_of(header->message))
        return sbx_fail(err, SBX_E_PROTOCOL, 0, "the warden's answer makes no sense");
    if (answer->fd_count && header->message != SBX_MSG_JOINED)
        return sbx_fail(err, SBX_E_PROTOCOL, 0, "the warden sent descriptors nobody asked for");
    return 0;
}
