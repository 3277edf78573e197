#include "warden/client.h"
#include "warden/event.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <syslog.h>
#include <time.h>

#include "policy/cleanup.h"
#include "warden/budget.h"
#include "warden/chain.h"
#include "warden/record.h"

#define LOCK_WAIT_MS  500
#define FILE_NAME_MAX (SBX_CHAIN_NAME_BYTES + 48)

struct sbx_log {
    char name[SBX_CHAIN_NAME_BYTES];
    int dirfd, lock_fd, syslog_fd;
    gid_t group;
    bool use_syslog;
    struct sbx_chain_head head; /* seq 0: not known yet */
    dev_t dev;                  /* the file as we left it: another size or inode means a look at */
    ino_t ino;                  /* its end, since somebody else wrote or it was rotated */
    off_t size_bytes;
    struct sbx_budget budget;
    bool is_shared; /* the budget is kept in the lock's file */
    uint64_t written, dropped;
};

static bool is_chain_name(const char *name)
{
    size_t len = strlen(name);
    return len && len < SBX_CHAIN_NAME_BYTES &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == len;
}

/* A file or directory that others can write is no place for a record. */
static int check_owner(int fd, mode_t type, const char *what, struct sbx_err *err)
{
    struct stat st;
    if (fstat(fd, &st))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot look at %s", what);
    if ((st.st_mode & S_IFMT) != type || st.st_uid != geteuid() || (st.st_mode & 022))
        return sbx_fail(err, SBX_E_TRUST, 0, "%s has the wrong kind, owner or mode", what);
    if (type == S_IFREG && st.st_nlink != 1)
        return sbx_fail(err, SBX_E_TRUST, 0, "%s has another name", what);
    return 0;
}

/* Opens NAME.jsonl as it is now, making it where it is missing: a rotated file is let go of. */
static int open_file(const struct sbx_log *log, const char *file, struct sbx_err *err)
{
    _cleanup_fd_ int fd = openat(
        log->dirfd, file, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
    if (fd < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot open the event file %s", file);
    if (check_owner(fd, S_IFREG, file, err))
        return -1;
    struct stat st;
    if (fstat(fd, &st))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot look at %s", file);
    if (st.st_size == 0 &&
        ((st.st_gid != log->group && fchown(fd, (uid_t)-1, log->group)) || fchmod(fd, 0640)))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot set the group of %s", file);
    return sbx_steal_fd(&fd);
}

/* Not syslog(3): its socket blocks while the daemon stands still, and its settings belong to the
 * program that carries our module. Connected when the log is opened, since a process that joins a
 * jail cannot reach the socket any more. No daemon is no failure: the file is the record. */
static int connect_syslog(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "/dev/log"};
    _cleanup_fd_ int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof(address)))
        return -1;
    return sbx_steal_fd(&fd);
}

int sbx_log_open(struct sbx_log **out, int dirfd, const char *name, gid_t group, bool use_syslog,
                 struct sbx_err *err)
{
    *out = NULL;
    if (!is_chain_name(name))
        return sbx_fail(err, SBX_E_USAGE, 0, "'%s' is no name for an event file", name);
    if (check_owner(dirfd, S_IFDIR, "the event directory", err))
        return -1;
    char lock[FILE_NAME_MAX], file[FILE_NAME_MAX];
    (void)snprintf(lock, sizeof(lock), ".%s.lock", name);
    (void)snprintf(file, sizeof(file), "%s.jsonl", name);
    _cleanup_fd_ int dir = fcntl(dirfd, F_DUPFD_CLOEXEC, 0);
    /* A lock file of its own: whoever may read the events could otherwise hold their lock. */
    _cleanup_fd_ int lock_fd =
        openat(dirfd, lock, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
    if (dir < 0 || lock_fd < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot open the lock of the event file %s",
                        file);
    if (check_owner(lock_fd, S_IFREG, lock, err))
        return -1;
    struct stat st;
    if (fstat(dirfd, &st))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot look at the event directory");
    struct sbx_log made = {.dirfd = dir,
                           .lock_fd = lock_fd,
                           .syslog_fd = -1,
                           .group = group ? group : st.st_gid,
                           .use_syslog = use_syslog};
    (void)snprintf(made.name, sizeof(made.name), "%s", name);
    sbx_log_set_rate(&made, 0);
    _cleanup_fd_ int fd = open_file(&made, file, err);
    if (fd < 0)
        return -1;
    *out = malloc(sizeof(**out));
    if (!*out)
        return sbx_fail(err, SBX_E_MEMORY, 0, "no memory for the event file");
    made.syslog_fd = use_syslog ? connect_syslog() : -1;
    **out = made;
    (void)sbx_steal_fd(&dir);
    (void)sbx_steal_fd(&lock_fd);
    return 0;
}

void sbx_log_set_rate(struct sbx_log *log, uint32_t per_minute)
{
    sbx_budget_fill(&log->budget, per_minute);
}

void sbx_log_share(struct sbx_log *log, uint32_t per_minute)
{
    sbx_budget_fill(&log->budget, per_minute);
    log->is_shared = true;
}

/* The jail's start and end are root's doing and once a jail; all else can be brought about by the
 * account, and so has a budget. */
static bool is_exempt(const struct sbx_event *event)
{
    return event->kind == SBX_EVENT_JAIL && event->action &&
           (!strcmp(event->action, "start") || !strcmp(event->action, "end"));
}

/* What the account brings about has a budget. */
static bool is_over(struct sbx_log *log, const struct sbx_event *event)
{
    return !is_exempt(event) &&
           !sbx_budget_take(&log->budget, event->kind, sbx_record_weight(event));
}

static int fail_over(const struct sbx_event *event, struct sbx_err *err)
{
    return sbx_fail(err, SBX_E_LIMIT, 0, "too many %s events: not recorded, counted",
                    sbx_event_kind_name(event->kind));
}

static int take_lock(const struct sbx_log *log, struct sbx_err *err)
{
    for (int64_t end = sbx_now_ms() + LOCK_WAIT_MS;;) {
        if (!flock(log->lock_fd, LOCK_EX | LOCK_NB))
            return 0;
        if (errno != EINTR && (errno != EWOULDBLOCK || sbx_now_ms() > end))
            return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot lock the event file of %s",
                            log->name);
        (void)nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
}

/* Where a new file starts: after what we know, else after what was rotated away, else at 0. */
static int start_after(struct sbx_log *log, struct sbx_err *err)
{
    if (log->head.seq)
        return 0;
    memcpy(log->head.hash, SBX_CHAIN_GENESIS, SBX_HASH_TEXT_BYTES);
    char file[FILE_NAME_MAX];
    (void)snprintf(file, sizeof(file), "%s.jsonl.1", log->name);
    _cleanup_fd_ int fd = openat(log->dirfd, file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return 0;
    struct sbx_chain_tail tail;
    if (check_owner(fd, S_IFREG, file, err) || sbx_chain_read_tail(fd, &tail, err))
        return -1;
    if (tail.has_head)
        log->head = tail.head;
    return 0;
}

/* What append() holds while it has the lock. */
struct place {
    int fd;
    struct sbx_chain_tail tail;
    char file[FILE_NAME_MAX], aside[FILE_NAME_MAX + 48];
};

/* Renames a file in which no record can be found: kept, and named by the first record of the new. */
static int set_aside(struct sbx_log *log, struct place *place, struct sbx_err *err)
{
    (void)snprintf(place->aside, sizeof(place->aside), "%s.damaged-%lld", place->file,
                   (long long)time(NULL));
    if (renameat2(log->dirfd, place->file, log->dirfd, place->aside, RENAME_NOREPLACE))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot set %s aside", place->file);
    (void)close(place->fd);
    place->fd = open_file(log, place->file, err);
    return place->fd < 0 ? -1 : sbx_chain_read_tail(place->fd, &place->tail, err);
}

/* Opens the file and finds the end of its chain. */
static int find_place(struct sbx_log *log, struct place *place, struct sbx_err *err)
{
    struct stat st;
    (void)snprintf(place->file, sizeof(place->file), "%s.jsonl", log->name);
    place->fd = open_file(log, place->file, err);
    if (place->fd < 0)
        return -1;
    if (fstat(place->fd, &st))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot look at %s", place->file);
    if (log->head.seq && st.st_dev == log->dev && st.st_ino == log->ino &&
        st.st_size == log->size_bytes)
        return 0;
    if (sbx_chain_read_tail(place->fd, &place->tail, err))
        return -1;
    if (place->tail.is_lost && set_aside(log, place, err))
        return -1;
    /* A file that ends before what we wrote has lost records: going on from our own head leaves
     * the gap for `events verify` to find. */
    if (place->tail.has_head && place->tail.head.seq >= log->head.seq)
        log->head = place->tail.head;
    return start_after(log, err);
}

/* One write(2). Past RLIMIT_FSIZE the kernel also sends SIGXFSZ, which would end whoever carries
 * our module: it is held back and taken off. */
static int write_line(int fd, const char *line, size_t len, struct sbx_err *err)
{
    sigset_t only, before, waiting;
    (void)sigemptyset(&only);
    (void)sigaddset(&only, SIGXFSZ);
    if (pthread_sigmask(SIG_BLOCK, &only, &before) || sigpending(&waiting))
        return sbx_fail(err, SBX_E_SYSTEM, EINVAL, "cannot hold back a signal");
    ssize_t wrote = write(fd, line, len);
    int errnum = errno;
    if (wrote != (ssize_t)len && !sigismember(&waiting, SIGXFSZ))
        (void)sigtimedwait(&only, NULL, &(struct timespec){0});
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (wrote == (ssize_t)len)
        return 0;
    return sbx_fail(err, SBX_E_SYSTEM, wrote < 0 ? errnum : ENOSPC, "cannot write an event");
}

/* Makes the record for this place and writes it, after ending a torn line before it. */
static int write_record(struct sbx_log *log, struct place *place, const struct sbx_event *event,
                        const struct timespec *when, struct sbx_err *err)
{
    struct sbx_record_place where = {
        .name = log->name,
        .when = *when,
        .seq = log->head.seq + 1,
        .prev = log->head.hash,
        .dropped = log->budget.pending,
        .torn = &place->tail.torn,
        .aside = place->aside[0] ? place->aside : NULL,
    };
    _cleanup_free_ char *line = NULL;
    size_t len;
    if (sbx_record_compose(event, &where, &line, &len, err))
        return -1;
    _cleanup_free_ char *bytes = malloc(len + 2);
    if (!bytes)
        return sbx_fail(err, SBX_E_MEMORY, 0, "no memory for an event");
    size_t lead = place->tail.needs_newline ? 1 : 0;
    bytes[0] = '\n';
    memcpy(bytes + lead, line, len);
    bytes[lead + len] = '\n';
    if (write_line(place->fd, bytes, lead + len + 1, err))
        return -1;
    log->head.seq = where.seq;
    sbx_chain_hash(line, len, log->head.hash);
    return 0;
}

static int append_locked(struct sbx_log *log, const struct sbx_event *event,
                         const struct timespec *when, struct sbx_err *err)
{
    struct place place = {.fd = -1};
    struct stat st;
    int result = find_place(log, &place, err);
    if (!result)
        result = write_record(log, &place, event, when, err);
    if (!result && !fstat(place.fd, &st)) {
        log->dev = st.st_dev;
        log->ino = st.st_ino;
        log->size_bytes = st.st_size;
        memset(log->budget.pending, 0, sizeof(log->budget.pending));
        log->written++;
    } else {
        log->ino = 0; /* whatever is there now: look again next time */
    }
    if (place.fd >= 0)
        (void)close(place.fd);
    return result;
}

/* The budget of all who write here: it is taken from, and given back, under the lock. */
static int append_shared(struct sbx_log *log, const struct sbx_event *event,
                         const struct timespec *when, struct sbx_err *err)
{
    sbx_budget_load(&log->budget, log->lock_fd);
    int result = is_over(log, event) ? fail_over(event, err) : append_locked(log, event, when, err);
    if (result)
        log->budget.pending[event->kind]++;
    sbx_budget_store(&log->budget, log->lock_fd);
    return result;
}

static void tell_syslog(struct sbx_log *log, int priority, const char *text)
{
    char line[4096];
    int len = snprintf(line, sizeof(line), "<%d>sbx[%d]: %s", LOG_AUTHPRIV | priority,
                       (int)getpid(), text);
    size_t bytes = len < 0 ? 0 : (size_t)len < sizeof(line) ? (size_t)len : sizeof(line) - 1;
    for (int attempt = 0; attempt < 2; attempt++) {
        if (log->syslog_fd >= 0 &&
            (send(log->syslog_fd, line, bytes, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0 ||
             errno == EAGAIN))
            return;
        sbx_cleanup_fd(&log->syslog_fd); /* never there, or started anew since */
        log->syslog_fd = attempt ? -1 : connect_syslog();
    }
}

static void summarise(struct sbx_log *log, const struct sbx_event *event,
                      const struct timespec *when, const char *trouble)
{
    char text[3072], line[3584];
    struct sbx_record_place where = {.name = log->name, .when = *when};
    where.seq = trouble ? 0 : log->head.seq;
    sbx_record_summary(event, &where, trouble ? "-" : log->head.hash, text, sizeof(text));
    (void)snprintf(line, sizeof(line), "%s%s%s", text, trouble ? " unrecorded=" : "",
                   trouble ? trouble : "");
    bool is_bad = trouble || (event->verdict && strcmp(event->verdict, "allow") != 0);
    tell_syslog(log, trouble ? LOG_ERR : is_bad ? LOG_NOTICE : LOG_INFO, line);
}

int sbx_log_append(struct sbx_log *log, const struct sbx_event *event, uint64_t *seq,
                   struct sbx_err *err)
{
    struct sbx_err own = SBX_ERR_INIT;
    struct timespec when;
    if (seq)
        *seq = 0;
    if ((size_t)event->kind >= SBX_EVENT_KIND_COUNT)
        return sbx_fail(err, SBX_E_USAGE, 0, "an event of no known kind");
    if (!log->is_shared && is_over(log, event)) {
        log->dropped++;
        log->budget.pending[event->kind]++;
        return fail_over(event, err);
    }
    (void)clock_gettime(CLOCK_REALTIME, &when);
    int result = take_lock(log, &own);
    if (!result) {
        result = log->is_shared ? append_shared(log, event, &when, &own)
                                : append_locked(log, event, &when, &own);
        (void)flock(log->lock_fd, LOCK_UN);
    }
    if (result) {
        log->dropped++;
        if (!log->is_shared)
            log->budget.pending[event->kind]++;
        if (err)
            *err = own;
    } else if (seq) {
        *seq = log->head.seq;
    }
    if (log->use_syslog)
        summarise(log, event, &when, result ? own.message : NULL);
    return result;
}

uint64_t sbx_log_head(const struct sbx_log *log, char hash[65])
{
    memcpy(hash, log->head.seq ? log->head.hash : SBX_CHAIN_GENESIS, SBX_HASH_TEXT_BYTES);
    return log->head.seq;
}

uint64_t sbx_log_written(const struct sbx_log *log)
{
    return log->written;
}

uint64_t sbx_log_dropped(const struct sbx_log *log)
{
    return log->dropped;
}

void sbx_log_close(struct sbx_log *log)
{
    if (!log)
        return;
    (void)close(log->dirfd);
    (void)close(log->lock_fd);
    sbx_cleanup_fd(&log->syslog_fd);
    free(log);
}
