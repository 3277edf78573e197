#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "warden/warden.h"

#define SCAN_EVERY_MS       60000 /* with the proc connector; without it every tick */
#define SCAN_BLIND_MS       2000
#define POPULATION_EVERY_MS 1000
#define FIRST_JOIN_MS       30000

/* The first reason counts: the others are its consequences. */
void sbx_warden_end(struct sbx_warden *warden, const char *reason)
{
    if (!warden->is_ending)
        (void)snprintf(warden->end_reason, sizeof(warden->end_reason), "%s", reason);
    warden->is_ending = true;
}

static unsigned background(const struct sbx_warden *warden)
{
    int population = sbx_cgroup_population(&warden->cgroup);
    bool counts_init = sbx_cgroup_has(&warden->cgroup, warden->jail.init_pid);
    return population > 0 ? (unsigned)population - counts_init : 0;
}

/* How long an empty jail waits. Whoever had it made is about to join it; another comes only to a jail of
 * the whole account. */
static int64_t patience_ms(const struct sbx_warden *warden)
{
    int64_t linger = sbx_policy_number(warden->policy, SBX_KEY_JAIL_LINGER) * 1000;
    bool is_for_one =
        warden->params.is_run || sbx_policy_number(warden->policy, SBX_KEY_JAIL_SCOPE) == 1;
    if (warden->last_session)
        return is_for_one ? 0 : linger;
    return is_for_one || linger < FIRST_JOIN_MS ? FIRST_JOIN_MS : linger;
}

/* A jail stays while a session or a process of the account is in it, and `linger` longer. */
static void mind_idleness(struct sbx_warden *warden, int64_t now)
{
    if (warden->session_count || background(warden)) {
        warden->idle_since_ms = 0;
        return;
    }
    if (!warden->idle_since_ms)
        warden->idle_since_ms = now;
    if (now - warden->idle_since_ms >= patience_ms(warden))
        sbx_warden_end(warden, "no session and no process left");
}

static int timeout_ms(const struct sbx_warden *warden, int64_t now)
{
    int64_t next = warden->next_scan_ms;
    if (warden->retire_at_ms && warden->retire_at_ms < next)
        next = warden->retire_at_ms;
    int64_t look_again = sbx_watch_due(warden);
    if (look_again && look_again < next)
        next = look_again;
    if (!warden->session_count) {
        /* Empty and without sessions nothing can appear: sleep the linger through. */
        int64_t look = warden->idle_since_ms ? warden->idle_since_ms + patience_ms(warden)
                                             : now + POPULATION_EVERY_MS;
        if (look < next)
            next = look;
    }
    int64_t left = next - now;
    return left < 0 ? 0 : left > 3600000 ? 3600000 : (int)left;
}

static void reap(struct sbx_warden *warden)
{
    int status;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
        if (pid == warden->jail.init_pid) {
            warden->jail.init_pid = 0; /* reaped: the number is nobody's */
            sbx_warden_end(warden, "the jail's init ended");
        } else if (pid == warden->janitor_pid) {
            warden->janitor_pid = 0;
        } else if (pid == warden->clerk.pid) {
            struct sbx_err err = SBX_ERR_INIT;
            warden->clerk.pid = 0;
            if (sbx_clerk_start(warden, &err))
                sbx_warden_tell(warden, "clerk", err.message);
        }
    }
}

static void take_signal(struct sbx_warden *warden)
{
    struct signalfd_siginfo info;
    if (read(warden->signal_fd, &info, sizeof(info)) != sizeof(info))
        return;
    if (info.ssi_signo == SIGCHLD)
        reap(warden);
    else
        sbx_warden_end(warden, "the warden was told to stop");
}

/* However much has changed since the last one, it is one: this signal does not queue. */
static void take_change(struct sbx_warden *warden)
{
    struct signalfd_siginfo info;
    if (read(warden->change_fd, &info, sizeof(info)) == sizeof(info))
        sbx_watch_notice(warden);
}

static void watch_strays(struct sbx_warden *warden, int64_t now, bool has_news)
{
    if (!has_news && now < warden->next_scan_ms)
        return;
    sbx_strays_scan(warden);
    warden->next_scan_ms = now + (warden->strays_fd >= 0 ? SCAN_EVERY_MS : SCAN_BLIND_MS);
}

enum { P_LISTEN, P_SIGNAL, P_CHANGE, P_JANITOR, P_STRAYS, P_CLERK, P_FIXED };

static unsigned fill(const struct sbx_warden *warden, int64_t now, struct pollfd *fds,
                     unsigned *owner)
{
    const int fixed[P_FIXED] = {
        [P_LISTEN] = warden->listen_fd,
        [P_SIGNAL] = warden->signal_fd,
        [P_CHANGE] = sbx_watch_rests(warden, now) ? -1 : warden->change_fd,
        [P_JANITOR] = warden->janitor_fd,
        [P_STRAYS] = warden->strays_fd,
        [P_CLERK] = warden->clerk.line_fd,
    };
    unsigned count = 0;
    for (; count < P_FIXED; count++)
        fds[count] = (struct pollfd){.fd = fixed[count], .events = POLLIN};
    for (unsigned i = 0; i < warden->session_top; i++)
        if (warden->session[i].fd >= 0) {
            owner[count] = i;
            fds[count++] = (struct pollfd){.fd = warden->session[i].fd, .events = POLLIN};
        }
    return count;
}

static void serve(struct sbx_warden *warden, const struct pollfd *fds, const unsigned *owner,
                  unsigned count)
{
    if (fds[P_SIGNAL].revents)
        take_signal(warden);
    if (fds[P_JANITOR].revents) {
        sbx_warden_end(warden, "the janitor ended");
    }
    if (fds[P_CLERK].revents)
        sbx_clerk_read(warden);
    for (unsigned i = P_FIXED; i < count; i++)
        if (fds[i].revents)
            sbx_control_serve(warden, &warden->session[owner[i]]);
    if (fds[P_LISTEN].revents)
        (void)sbx_control_accept(warden);
}

void sbx_warden_loop(struct sbx_warden *warden)
{
    struct pollfd fds[P_FIXED + SBX_MAX_SESSIONS];
    unsigned owner[P_FIXED + SBX_MAX_SESSIONS];
    while (!warden->is_ending) {
        int64_t now = sbx_now_ms();
        unsigned count = fill(warden, now, fds, owner);
        int n = poll(fds, count, timeout_ms(warden, now));
        if (n < 0 && errno != EINTR)
            return;
        if (n > 0)
            serve(warden, fds, owner, count);
        now = sbx_now_ms();
        take_change(warden); /* one in the rest, too: the next look must know of it */
        sbx_watch_tend(warden, now);
        bool has_news = n > 0 && fds[P_STRAYS].revents && sbx_strays_drain(warden);
        watch_strays(warden, now, has_news);
        if (!warden->session_count)
            mind_idleness(warden, now);
        if (warden->retire_at_ms && now >= warden->retire_at_ms)
            sbx_warden_end(warden, "its grace is over");
    }
}
