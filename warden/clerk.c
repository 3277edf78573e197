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
#include "policy/cleanup.h"
#include "policy/judge.h"
#include "warden/clerk.h"

#define PATIENCE_MS 1000 /* for one report, from the connection to the last byte */
#define WAITING_MAX 64u

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

/* Sets *is_early where nothing has been sent yet. */
static bool receive(int fd, struct packet *packet, bool *is_early)
{
    ssize_t n = recv(fd, packet, sizeof(*packet), MSG_DONTWAIT);
    *is_early = n < 0 && (errno == EAGAIN || errno == EINTR);
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

/* --- connections ------------------------------------------------------------------------------ */
/* Many may be open: one that says nothing must not keep the others waiting, whose reports would be
 * lost. A shell sends at once, so the oldest silent one goes where there is no room. */
struct waiting {
    int fd;
    int64_t deadline;
    struct ucred peer;
};

struct clerk {
    const struct sbx_policy *policy;
    struct waiting waiting[WAITING_MAX]; /* oldest first */
    unsigned count;
};

/* Returns false where the report is still to come. */
static bool serve(const struct clerk *clerk, const struct waiting *from)
{
    struct packet packet;
    struct sbx_clerk_report report;
    bool is_early;
    if (!receive(from->fd, &packet, &is_early))
        return !is_early;
    fill(&report, &packet, &from->peer);
    judge(clerk->policy, &packet, &report);
    const struct sbx_shell_answer answer = {
        .header = {SBX_PROTO_MAGIC, SBX_PROTO_VERSION, SBX_MSG_NOTED, sizeof(answer)},
        .event = pass_on(&report),
    };
    (void)send(from->fd, &answer, sizeof(answer), MSG_NOSIGNAL | MSG_DONTWAIT);
    return true;
}

static void drop(struct clerk *clerk, unsigned at)
{
    (void)close(clerk->waiting[at].fd);
    clerk->count--;
    memmove(&clerk->waiting[at], &clerk->waiting[at + 1],
            (clerk->count - at) * sizeof(clerk->waiting[0]));
}

/* Takes one connection. Returns false where there is none. */
static bool admit(struct clerk *clerk)
{
    static const int off = 0;
    int fd = accept4(SBX_CLERK_SHELL_FD, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0)
        return false;
    struct waiting new = {.fd = fd, .deadline = now_ms() + PATIENCE_MS};
    socklen_t size = sizeof(new.peer);
    (void)setsockopt(fd, SOL_SOCKET, SO_PASSRIGHTS, &off, sizeof(off));
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &new.peer, &size) ||
        new.peer.uid != clerk->policy->uid || serve(clerk, &new)) {
        (void)close(fd);
        return true;
    }
    if (clerk->count == WAITING_MAX)
        drop(clerk, 0);
    clerk->waiting[clerk->count++] = new;
    return true;
}

enum { P_SHELL, P_LINE, P_FIXED };

/* One round. Returns false at the end. */
static bool attend(struct clerk *clerk)
{
    struct pollfd fds[P_FIXED + WAITING_MAX] = {
        [P_SHELL] = {.fd = SBX_CLERK_SHELL_FD, .events = POLLIN},
        [P_LINE] = {.fd = SBX_CLERK_LINE_FD,  .events = POLLIN},
    };
    for (unsigned i = 0; i < clerk->count; i++)
        fds[P_FIXED + i] = (struct pollfd){.fd = clerk->waiting[i].fd, .events = POLLIN};
    int64_t left = clerk->count ? clerk->waiting[0].deadline - now_ms() : -1;
    if (poll(fds, P_FIXED + clerk->count, clerk->count && left < 0 ? 0 : (int)left) < 0)
        return errno == EINTR;
    if (fds[P_LINE].revents) /* the warden says nothing unasked: it ended, or a late answer */
        return false;
    int64_t now = now_ms();
    for (unsigned i = clerk->count; i-- > 0;)
        if ((fds[P_FIXED + i].revents && serve(clerk, &clerk->waiting[i])) ||
            now >= clerk->waiting[i].deadline)
            drop(clerk, i);
    for (unsigned i = 0; fds[P_SHELL].revents && i < WAITING_MAX && admit(clerk); i++)
        ;
    return true;
}

static int run(struct clerk *clerk)
{
    static const int off = 0;
    struct sbx_err err;
    clerk->policy = map_policy();
    (void)setsockopt(SBX_CLERK_SHELL_FD, SOL_SOCKET, SO_PASSRIGHTS, &off, sizeof(off));
    if (!clerk->policy || prctl(PR_SET_DUMPABLE, 0) ||
        sbx_seccomp_load_fd(SBX_CLERK_FILTER_FD, &err))
        return 1;
    while (attend(clerk))
        ;
    return 0;
}

int main(void)
{
    struct clerk *clerk = calloc(1, sizeof(*clerk)); /* too large for the stack */
    int status = clerk ? run(clerk) : 1;
    free(clerk);
    return status;
}
