#include "jail/relay.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "policy/cleanup.h"

#define COPY_BYTES 16384
/* The outside terminal may be shared with its owner's shell, so that it cannot be made non-blocking:
 * after POLLOUT a write of this size does not wait long. */
#define SLICE_BYTES 1024
#define DRAIN_MS    2000                  /* for a reader that is slow to take the last output */
#define DRAIN_BYTES ((size_t)1024 * 1024) /* more than a pty holds: somebody is still writing */

struct flow { /* one direction */
    int from, to;
    size_t begin, end;
    bool is_closed; /* nothing more comes */
    char bytes[COPY_BYTES];
};

struct setup {
    int outside_fd, master_fd;
    pid_t child;
    bool has_input;
};

struct relay {
    int outside_fd, master_fd, signal_fd;
    pid_t child;
    bool has_input, is_raw, is_over;
    int wait_status;
    struct termios modes; /* of the outside terminal, where is_raw */
    struct flow in, out;
};

int sbx_relay_open(int outside_fd, int *master_fd, int *slave_fd, struct sbx_err *err)
{
    /* Never by the name of a terminal: /dev/ptmx is the jail's, and the peer comes from the master. */
    _cleanup_fd_ int master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot open a terminal in the jail");
    int locked = 0;
    if (ioctl(master, TIOCSPTLCK, &locked))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot unlock the jail's terminal");
    _cleanup_fd_ int slave = ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (slave < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot open the jail's terminal");
    struct winsize size;
    struct termios modes;
    if (!ioctl(outside_fd, TIOCGWINSZ, &size) && ioctl(master, TIOCSWINSZ, &size))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot set the size of the jail's terminal");
    if (!tcgetattr(outside_fd, &modes) && tcsetattr(slave, TCSANOW, &modes))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot set the modes of the jail's terminal");
    *master_fd = sbx_steal_fd(&master);
    *slave_fd = sbx_steal_fd(&slave);
    return 0;
}

int sbx_relay_attach(int slave_fd, struct sbx_err *err)
{
    if (setsid() < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot start a session");
    if (ioctl(slave_fd, TIOCSCTTY, 0))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot take the jail's terminal");
    return 0;
}

static void end_by(struct relay *relay, int sig)
{
    relay->is_over = true;
    relay->wait_status = sig; /* the low bits of a wait status are the signal */
}

/* Raw, where the keys are ours: a job in the background must not touch its terminal. */
static void take_terminal(struct relay *relay)
{
    if (!relay->has_input || relay->is_raw || tcgetpgrp(relay->outside_fd) != getpgrp() ||
        tcgetattr(relay->outside_fd, &relay->modes))
        return;
    struct termios raw = relay->modes;
    cfmakeraw(&raw);
    relay->is_raw = !tcsetattr(relay->outside_fd, TCSADRAIN, &raw);
    relay->in.is_closed = !relay->is_raw;
}

static void fill(struct relay *relay, struct flow *flow)
{
    ssize_t got = read(flow->from, flow->bytes, sizeof(flow->bytes));
    if (got > 0) {
        flow->begin = 0;
        flow->end = (size_t)got;
    } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
        flow->is_closed = true;
        if (flow == &relay->in) /* the outside terminal has gone away */
            end_by(relay, SIGHUP);
    }
}

static void empty(struct relay *relay, struct flow *flow)
{
    size_t len = flow->end - flow->begin;
    if (flow == &relay->out && len > SLICE_BYTES)
        len = SLICE_BYTES;
    ssize_t put = write(flow->to, flow->bytes + flow->begin, len);
    if (put > 0) {
        flow->begin += (size_t)put;
    } else if (put < 0 && errno != EINTR && errno != EAGAIN) {
        flow->begin = flow->end = 0;
        if (flow == &relay->out)
            end_by(relay, SIGHUP);
    }
}

static void take_signal(struct relay *relay, int sig)
{
    struct winsize size;
    switch (sig) {
    case SIGCHLD:
        break; /* the child is looked at in any case */
    case SIGWINCH:
        if (!ioctl(relay->outside_fd, TIOCGWINSZ, &size))
            (void)ioctl(relay->master_fd, TIOCSWINSZ, &size);
        break;
    case SIGINT:
    case SIGQUIT:
        (void)ioctl(relay->master_fd, TIOCSIG, sig);
        break;
    case SIGCONT:
        take_terminal(relay);
        break;
    default:
        end_by(relay, sig);
    }
}

static void take_signals(struct relay *relay)
{
    struct signalfd_siginfo info;
    while (read(relay->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
        take_signal(relay, (int)info.ssi_signo);
    if (waitpid(relay->child, &relay->wait_status, WNOHANG) == relay->child)
        relay->is_over = true;
}

/* What to wait for. A direction with something in its buffer waits to be rid of it, else for more. */
static nfds_t plan(struct relay *relay, struct pollfd *fds)
{
    struct flow *flows[] = {&relay->in, &relay->out};
    fds[0] = (struct pollfd){.fd = relay->signal_fd, .events = POLLIN};
    for (nfds_t i = 0; i < 2; i++) {
        struct flow *flow = flows[i];
        bool is_full = flow->begin < flow->end;
        fds[i + 1] = (struct pollfd){.fd = -1};
        if (is_full)
            fds[i + 1] = (struct pollfd){.fd = flow->to, .events = POLLOUT};
        else if (!flow->is_closed)
            fds[i + 1] = (struct pollfd){.fd = flow->from, .events = POLLIN};
    }
    return 3;
}

/* One round. Returns false where nothing happened in time. */
static bool pump(struct relay *relay, int timeout_ms)
{
    struct pollfd fds[3];
    nfds_t count = plan(relay, fds);
    if (poll(fds, count, timeout_ms) <= 0)
        return false;
    if (fds[0].revents)
        take_signals(relay);
    struct flow *flows[] = {&relay->in, &relay->out};
    for (nfds_t i = 0; i < 2; i++) {
        if (!fds[i + 1].revents)
            continue;
        if (flows[i]->begin < flows[i]->end)
            empty(relay, flows[i]);
        else
            fill(relay, flows[i]);
    }
    return true;
}

static int64_t now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The last output: what is in the pty when the child has ended, not what others write later. */
static void drain(struct relay *relay)
{
    struct flow *out = &relay->out;
    int64_t deadline = now_ms() + DRAIN_MS;
    for (size_t taken = 0; taken < DRAIN_BYTES && now_ms() < deadline;) {
        if (out->begin == out->end) {
            fill(relay, out);
            if (out->begin == out->end)
                return;
            taken += out->end;
        }
        struct pollfd fd = {.fd = out->to, .events = POLLOUT};
        if (poll(&fd, 1, 100) > 0)
            empty(relay, out);
    }
}

static void copy(struct relay *relay)
{
    take_signals(relay); /* the child may have ended, or the window changed, before we looked */
    while (!relay->is_over)
        if (!pump(relay, 1000))
            relay->out.is_closed = false; /* a terminal that all had closed may be open again */
    drain(relay);
}

/* Raw outside, copy, put back. Signals are read from a descriptor, so that none of them can leave
 * the outside terminal raw. */
static int run(struct relay *relay, struct sbx_err *err)
{
    static const int signals[] = {SIGCHLD, SIGWINCH, SIGHUP,  SIGTERM,
                                  SIGINT,  SIGQUIT,  SIGCONT, SIGPIPE};
    sigset_t held, before;
    (void)sigemptyset(&held);
    for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
        (void)sigaddset(&held, signals[i]);
    if (sigprocmask(SIG_BLOCK, &held, &before))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot hold signals back");
    relay->signal_fd = signalfd(-1, &held, SFD_CLOEXEC | SFD_NONBLOCK);
    int result = 0;
    if (relay->signal_fd < 0) {
        result = sbx_fail(err, SBX_E_SYSTEM, errno, "cannot receive signals");
    } else {
        take_terminal(relay);
        copy(relay);
        (void)close(relay->signal_fd);
    }
    if (relay->is_raw && tcsetattr(relay->outside_fd, TCSADRAIN, &relay->modes) && errno != EIO)
        result = sbx_fail(err, SBX_E_SYSTEM, errno, "cannot put the terminal back");
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    return result;
}

static int start(const struct setup *setup, int *wait_status, struct sbx_err *err)
{
    if (fcntl(setup->master_fd, F_SETFL, O_RDWR | O_NONBLOCK))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot prepare the jail's terminal");
    /* On the heap: two buffers are more than a small stack should give. */
    struct relay *relay = calloc(1, sizeof(*relay));
    if (!relay)
        return sbx_fail(err, SBX_E_MEMORY, 0, "no memory for the terminal's buffers");
    relay->outside_fd = relay->in.from = relay->out.to = setup->outside_fd;
    relay->master_fd = relay->out.from = relay->in.to = setup->master_fd;
    relay->child = setup->child;
    relay->has_input = setup->has_input;
    relay->in.is_closed = true; /* until the terminal is taken */
    int result = run(relay, err);
    *wait_status = relay->wait_status;
    free(relay);
    return result;
}

int sbx_relay_run(int outside_fd, int master_fd, pid_t child, int *wait_status, struct sbx_err *err)
{
    const struct setup setup = {outside_fd, master_fd, child, true};
    return start(&setup, wait_status, err);
}

int sbx_relay_show(int outside_fd, int master_fd, pid_t child, int *wait_status,
                   struct sbx_err *err)
{
    const struct setup setup = {outside_fd, master_fd, child, false};
    return start(&setup, wait_status, err);
}
