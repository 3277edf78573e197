/* Sockets: families that open kernel code, ways to talk to what runs outside. */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/system/tools/attack.h"
#include "warden/proto.h"

static int trick_socket(char **arguments) /* FAMILY TYPE PROTOCOL */
{
    return outcome(socket(atoi(arguments[0]), atoi(arguments[1]), atoi(arguments[2])), "socket");
}

static socklen_t address_of(const char *path, struct sockaddr_un *address)
{
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    size_t len = strlen(path);
    if (len >= sizeof(address->sun_path))
        len = sizeof(address->sun_path) - 1;
    memcpy(address->sun_path, path, len);
    if (path[0] == '@') /* abstract */
        address->sun_path[0] = '\0';
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len + (path[0] != '@'));
}

static int dial(const char *path, int type)
{
    struct sockaddr_un address;
    socklen_t size = address_of(path, &address);
    int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&address, size)) {
        (void)close(fd);
        return -1;
    }
    return fd;
}

static int trick_dial(char **arguments) /* PATH|@NAME: writes "hello", prints what comes */
{
    char text[256];
    int fd = dial(arguments[0], SOCK_STREAM);
    if (fd < 0)
        return refused(arguments[0]);
    (void)send(fd, "hello\n", 6, MSG_NOSIGNAL); /* who answers first may be gone already */
    ssize_t got = read(fd, text, sizeof(text));
    return got <= 0 ? refused("read") : outcome(write(STDOUT_FILENO, text, (size_t)got), "write");
}

/* A datagram pair needs no connect to be refused: one end is pointed elsewhere later. */
static int trick_redial(char **arguments) /* PATH of a datagram socket */
{
    struct sockaddr_un address;
    socklen_t size = address_of(arguments[0], &address);
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair))
        return refused("socketpair");
    return outcome(sendto(pair[0], "hello\n", 6, 0, (struct sockaddr *)&address, size), "sendto");
}

static int report(int fd, uint32_t verdict, const char *text)
{
    struct {
        struct sbx_shell_report head;
        char text[64];
    } packet = {0};
    size_t len = strlen(text);
    if (len > sizeof(packet.text))
        len = sizeof(packet.text);
    packet.head.header = (struct sbx_header){SBX_PROTO_MAGIC, SBX_PROTO_VERSION, SBX_MSG_REPORT,
                                             (uint32_t)(sizeof(packet.head) + len)};
    packet.head.verdict = verdict;
    packet.head.text_bytes = packet.head.text_total = (uint32_t)len;
    memcpy(packet.text, text, len);
    return outcome(send(fd, &packet, sizeof(packet.head) + len, MSG_NOSIGNAL), "send");
}

/* Tells the warden of a command as sbxsh would. */
static int trick_report(char **arguments) /* SOCKET VERDICT TEXT */
{
    int fd = dial(arguments[0], SOCK_SEQPACKET);
    if (fd < 0)
        return refused(arguments[0]);
    return report(fd, (uint32_t)atoi(arguments[1]), arguments[2]);
}

#define LINGERS_SECONDS 15

/* A descriptor whose last close makes the receiver stand still: unsent data and SO_LINGER. */
static int lingering(void)
{
    struct linger linger = {.l_onoff = 1, .l_linger = 30};
    struct sockaddr_storage address = {.ss_family = AF_INET};
    socklen_t size = sizeof(address);
    int listener = socket(AF_INET, SOCK_STREAM, 0), fd = socket(AF_INET, SOCK_STREAM, 0);
    char byte[65536] = {0};
    if (listener < 0 || fd < 0 || listen(listener, 1) ||
        getsockname(listener, (struct sockaddr *)&address, &size) ||
        connect(fd, (struct sockaddr *)&address, size) ||
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger)))
        return -1;
    while (send(fd, byte, sizeof(byte), MSG_DONTWAIT) > 0)
        ;
    return fd;
}

static int trick_linger(char **arguments) /* SOCKET: hands such a descriptor over and lets go */
{
    int bad = lingering(), fd = dial(arguments[0], SOCK_SEQPACKET);
    if (bad < 0 || fd < 0)
        return refused(arguments[0]);
    char text[16] = "garbage";
    struct iovec iov = {text, sizeof(text)};
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {0};
    struct msghdr message = {.msg_iov = &iov,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof(control)};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &bad, sizeof(int));
    if (sendmsg(fd, &message, MSG_NOSIGNAL) < 0)
        return refused("sendmsg");
    (void)close(bad);
    int status = outcome(send(fd, text, sizeof(text), MSG_NOSIGNAL), "send");
    (void)sleep(LINGERS_SECONDS); /* the other end is ours too: without it nothing lingers */
    return status;
}

static int
trick_flood(char **arguments) /* SOCKET COUNT: connections that say nothing, then garbage */
{
    int most = atoi(arguments[1]), got = 0;
    for (int i = 0; i < most; i++) {
        int fd = dial(arguments[0], SOCK_SEQPACKET | SOCK_NONBLOCK);
        if (fd < 0)
            continue;
        got++;
        if (i % 2)
            (void)send(fd, "\xff\xff\xff\xff\0\0\0\0", 8, MSG_NOSIGNAL);
    }
    (void)printf("%d\n", got);
    (void)fflush(stdout);
    (void)sleep(1);
    return 0;
}

const struct trick socket_tricks[] = {
    {"socket", 3, trick_socket},
    {"dial",   1, trick_dial  },
    {"redial", 1, trick_redial},
    {"report", 3, trick_report},
    {"linger", 1, trick_linger},
    {"flood",  2, trick_flood },
    {NULL,     0, NULL        },
};
