#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "policy/cleanup.h"
#include "sbxsh/sbxsh.h"
#include "warden/proto.h"

#define DEADLINE_MS 1000

static int64_t now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int connect_clerk(int64_t deadline)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = SBX_SESSION_DIR "/shell.sock"};
    /* Blocking: where others fill the clerk's backlog, the kernel wakes who waits in it, and trying
     * again now and then would seldom find a place. */
    _cleanup_fd_ int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    static const struct timeval patience = {.tv_sec = DEADLINE_MS / 1000};
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience)))
        return -1;
    while (connect(fd, (struct sockaddr *)&address, sizeof(address)))
        if (errno != EINTR || now_ms() >= deadline)
            return -1;
    return sbx_steal_fd(&fd);
}

static bool is_ready(int fd, short events, int64_t deadline)
{
    struct pollfd poll_fd = {.fd = fd, .events = events};
    int64_t left = deadline - now_ms();
    return left > 0 && poll(&poll_fd, 1, (int)left) > 0;
}

/* One attempt. Returns false where the clerk closed the connection unheard: others crowd it. */
static bool deliver(const struct msghdr *message, int64_t deadline)
{
    struct sbx_shell_answer answer;
    _cleanup_fd_ int fd = connect_clerk(deadline);
    if (fd < 0 || !is_ready(fd, POLLOUT, deadline))
        return true;
    if (sendmsg(fd, message, MSG_NOSIGNAL) < 0)
        return errno != EPIPE && errno != ECONNRESET;
    /* Nothing depends on what it answers. */
    return !is_ready(fd, POLLIN, deadline) || recv(fd, &answer, sizeof(answer), MSG_DONTWAIT) > 0;
}

/* --- without a jail ------------------------------------------------------------------------------- */
#define SYSLOG_NOTICE "<85>" /* facility authpriv */

/* What stands between quotes in a line of the log: no control byte, no quote, no backslash. */
static void copy_plain(char *out, size_t size, const char *text, size_t len)
{
    size_t used = 0;
    for (; used < len && used + 1 < size; used++)
        out[used] =
            (unsigned char)text[used] < ' ' || strchr("\"\\\x7f", text[used]) ? '?' : text[used];
    out[used] = '\0';
}

/* A claim of the account's, like everything that comes from there. */
static void tell_syslog(const struct sbxsh *shell, const char *text, size_t len, const char *cwd,
                        const struct sbx_verdict *verdict)
{
    char line[1200], command[512], place[256];
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "/dev/log"};
    _cleanup_fd_ int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    copy_plain(command, sizeof(command), text, len);
    copy_plain(place, sizeof(place), cwd, strlen(cwd));
    int size = snprintf(line, sizeof(line),
                        SYSLOG_NOTICE "sbxsh[%d]: kind=command source=shell jail=none account=%s "
                                      "verdict=%s class=%s cwd=\"%s\" command=\"%s\"",
                        getpid(), sbx_policy_text(shell->policy, shell->policy->account),
                        sbx_verdict_name(verdict->verdict), sbx_class_name(verdict->class), place,
                        command);
    if (fd >= 0 && size > 0)
        (void)sendto(fd, line, (size_t)size < sizeof(line) ? (size_t)size : sizeof(line) - 1,
                     MSG_NOSIGNAL, (const struct sockaddr *)&address, sizeof(address));
}

void sbxsh_report(const struct sbxsh *shell, const char *text, size_t len, const char *cwd,
                  const struct sbx_verdict *verdict)
{
    if (shell->is_unjailed) {
        tell_syslog(shell, text, len, cwd, verdict);
        return;
    }
    size_t sent = len < SBX_REPORT_TEXT_BYTES ? len : SBX_REPORT_TEXT_BYTES;
    struct sbx_shell_report report = {
        .header = {.magic = SBX_PROTO_MAGIC,
                   .version = SBX_PROTO_VERSION,
                   .message = SBX_MSG_REPORT,
                   .size = (uint32_t)(sizeof(report) + sent)},
        .text_bytes = (uint32_t)sent,
        .text_total = len < UINT32_MAX ? (uint32_t)len : UINT32_MAX,
        .verdict = verdict->verdict,
        .class = verdict->class,
        .interactive = shell->is_interactive,
    };
    size_t cwd_len = strnlen(cwd, sizeof(report.cwd) - 1);
    memcpy(report.cwd, cwd, cwd_len);
    int64_t deadline = now_ms() + DEADLINE_MS;
    struct iovec parts[] = {
        {&report,                 sizeof(report)},
        {(void *)(uintptr_t)text, sent          }
    };
    const struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    while (!deliver(&message, deadline) && now_ms() < deadline)
        ;
}
