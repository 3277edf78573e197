/* sbx-clerk: reads what the jail writes, so that nothing privileged has to.
 *
 * Runs as an own uid without capabilities, outside the jail, under a filter of its own. Everything it
 * receives on the shell socket is hostile. It judges the text again by the same policy and hands the
 * warden one struct of fixed size. It may hang or die: the warden goes on and starts a new one. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "jail/seccomp.h"
#include "policy/judge.h"
#include "warden/clerk.h"

#define PATIENCE_MS 1000 /* for one report, from the connection to the last byte */

#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS                                                                              \
    83 /* Linux 6.16: no descriptor is ever installed in, or put by, the receiver */
#endif

struct packet {
    struct sbx_shell_report head;
    char text[SBX_REPORT_TEXT_BYTES];
};

static const struct sbx_policy *map_policy(void)
{
    struct stat st;
    struct sbx_err err;
    if (fstat(SBX_CLERK_POLICY_FD, &st) || st.st_size <= 0)
        return NULL;
    void *bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, SBX_CLERK_POLICY_FD, 0);
    return bytes == MAP_FAILED ? NULL : sbx_policy_attach(bytes, (size_t)st.st_size, &err);
}

static int64_t now_ms(void)
{
    struct timespec ts;
    (void)clock_gettime(CLOCK_MONOTONIC, &ts);
    return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static bool wait_for(int fd, short events, int64_t deadline)
{
    for (;;) {
        struct pollfd poll_fd = {.fd = fd, .events = events};
        int64_t left = deadline - now_ms();
        int n = left > 0 ? poll(&poll_fd, 1, (int)left) : 0;
        if (n > 0)
            return true;
        if (n == 0 || errno != EINTR)
            return false;
    }
}

static bool receive(int fd, struct packet *packet)
{
    if (!wait_for(fd, POLLIN, now_ms() + PATIENCE_MS))
        return false;
    ssize_t n = recv(fd, packet, sizeof(*packet), MSG_DONTWAIT);
    if (n < (ssize_t)sizeof(packet->head) || packet->head.header.magic != SBX_PROTO_MAGIC ||
        packet->head.header.version != SBX_PROTO_VERSION ||
        packet->head.header.message != SBX_MSG_REPORT || packet->head.header.size != (uint32_t)n ||
        packet->head.text_bytes != (size_t)n - sizeof(packet->head))
        return false;
    packet->head.cwd[sizeof(packet->head.cwd) - 1] = '\0';
    return true;
}

/* Judged here again. Where the text came whole and the judgement agrees it is the clerk's word; where
 * not, the event says that only the shell claims it. */
static void judge(const struct sbx_policy *policy, const struct packet *packet,
                  struct sbx_clerk_report *report)
{
    const struct sbx_context context = {
        .policy = policy,
        .cwd = packet->head.cwd[0] == '/' ? packet->head.cwd : "/",
    };
    struct sbx_verdict verdict;
    sbx_judge(&context, packet->text, packet->head.text_bytes, &verdict);
    bool is_whole = packet->head.text_total == packet->head.text_bytes;
    bool agrees = packet->head.verdict == (uint32_t)verdict.verdict;
    bool is_sane = packet->head.verdict <= SBX_DENY && packet->head.class < SBX_CLASS_COUNT;
    report->is_claimed = !is_whole || !agrees;
    report->verdict = report->is_claimed && is_sane ? packet->head.verdict : verdict.verdict;
    report->class = report->is_claimed && is_sane ? packet->head.class : verdict.class;
    report->by = verdict.by;
    memcpy(report->rule, verdict.rule, sizeof(report->rule));
    memcpy(report->origin, verdict.origin, sizeof(report->origin));
    memcpy(report->reason, verdict.reason, sizeof(report->reason));
    memcpy(report->path, verdict.path, sizeof(report->path));
}

static void fill(struct sbx_clerk_report *report, const struct packet *packet,
                 const struct ucred *peer)
{
    *report = (struct sbx_clerk_report){
        .magic = SBX_PROTO_MAGIC,
        .pid = (uint32_t)peer->pid,
        .uid = peer->uid,
        .text_bytes = packet->head.text_bytes,
        .text_total = packet->head.text_total,
        .interactive = packet->head.interactive,
    };
    memcpy(report->claimed_cwd, packet->head.cwd, sizeof(report->claimed_cwd));
    memcpy(report->text, packet->text, packet->head.text_bytes);
}

/* The warden's answer carries the record's number. It answers at once or not at all. */
static uint64_t pass_on(const struct sbx_clerk_report *report)
{
    int64_t deadline = now_ms() + PATIENCE_MS;
    struct sbx_clerk_noted noted = {0};
    if (!wait_for(SBX_CLERK_LINE_FD, POLLOUT, deadline) ||
        send(SBX_CLERK_LINE_FD, report, sizeof(*report), MSG_NOSIGNAL) !=
            (ssize_t)sizeof(*report) ||
        !wait_for(SBX_CLERK_LINE_FD, POLLIN, deadline) ||
        recv(SBX_CLERK_LINE_FD, &noted, sizeof(noted), 0) != (ssize_t)sizeof(noted))
        return 0;
    return noted.event;
}

static void serve(int fd, const struct sbx_policy *policy)
{
    static const int off = 0;
    struct packet packet;
    struct sbx_clerk_report report;
    struct ucred peer;
    socklen_t size = sizeof(peer);
    (void)setsockopt(fd, SOL_SOCKET, SO_PASSRIGHTS, &off, sizeof(off));
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) || peer.uid != policy->uid ||
        !receive(fd, &packet))
        return;
    fill(&report, &packet, &peer);
    judge(policy, &packet, &report);
    const struct sbx_shell_answer answer = {
        .header = {SBX_PROTO_MAGIC, SBX_PROTO_VERSION, SBX_MSG_NOTED, sizeof(answer)},
        .event = pass_on(&report),
    };
    (void)send(fd, &answer, sizeof(answer), MSG_NOSIGNAL | MSG_DONTWAIT);
}

int main(void)
{
    static const int off = 0;
    struct sbx_err err;
    const struct sbx_policy *policy = map_policy();
    (void)setsockopt(SBX_CLERK_SHELL_FD, SOL_SOCKET, SO_PASSRIGHTS, &off, sizeof(off));
    if (!policy || prctl(PR_SET_DUMPABLE, 0) || sbx_seccomp_load_fd(SBX_CLERK_FILTER_FD, &err))
        return 1;
    for (;;) {
        struct pollfd fds[] = {
            {.fd = SBX_CLERK_SHELL_FD, .events = POLLIN},
            {.fd = SBX_CLERK_LINE_FD,  .events = POLLIN}
        };
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            return 1;
        if (fds[1].revents) /* the warden says nothing unasked: it ended, or a late answer */
            return 0;
        int fd = accept4(SBX_CLERK_SHELL_FD, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0)
            continue;
        serve(fd, policy);
        (void)close(fd);
    }
}
