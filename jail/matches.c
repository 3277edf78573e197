#include "jail/matches.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jail/globs.h"
#include "policy/cleanup.h"

/* The first byte of a packet; the path or glob follows. */
#define MATCH  'm'
#define CUT    'c'
#define CLOSED 'x'
#define DONE   'd'

#define LIST_MAX ((size_t)2 * SBX_GLOBS_MATCHES) /* what two searches find */

struct teller {
    int socket;
    uid_t account;
    bool said_closed;
};

static bool tell(const struct teller *teller, char kind, const char *text)
{
    char packet[PATH_MAX + 1];
    size_t len = strlen(text);
    if (len >= PATH_MAX)
        return true;
    packet[0] = kind;
    memcpy(packet + 1, text, len);
    return send(teller->socket, packet, len + 1, MSG_NOSIGNAL) > 0;
}

static bool found(void *data, const char *path)
{
    return tell(data, MATCH, path);
}

static void cut(void *data, const char *glob)
{
    (void)tell(data, CUT, glob);
}

/* What others closed stays closed to the account; its own directories it can open again. */
static void closed(void *data, const char *path, uid_t owner)
{
    struct teller *teller = data;
    if (!teller->said_closed && (owner == teller->account || owner == (uid_t)-1))
        teller->said_closed = tell(teller, CLOSED, path);
}

void sbx_matches_search(void *data, int socket_fd)
{
    const struct sbx_matches_search *search = data;
    struct teller teller = {.socket = socket_fd, .account = search->input->account.uid};
    const struct sbx_globs_sink sink = {
        .found = found, .cut = cut, .closed = closed, .data = &teller};
    sbx_globs_walk(search->input->policy, search->host_root_fd, &sink);
    (void)tell(&teller, DONE, "");
}

struct list {
    char *path[LIST_MAX];
    size_t count;
    bool is_closed; /* somewhere, to whoever looked */
};

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Collects what the child says. Without its last word something was missed: no jail then. */
static int collect(struct list *list, int socket_fd, struct sbx_err *err)
{
    char packet[PATH_MAX + 2];
    for (;;) {
        ssize_t n = recv(socket_fd, packet, sizeof(packet) - 1, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 1)
            return sbx_fail(err, SBX_E_MOUNT, n < 0 ? errno : 0,
                            "the search for what the policy's patterns match ended early");
        packet[n] = '\0';
        if (packet[0] == DONE)
            return 0;
        if (packet[0] == CUT) {
            /* The account can make files without number: a rule that it could wear out is none. */
            return sbx_fail(err, SBX_E_LIMIT, 0,
                            "the pattern %s has too much to look through or to protect; name "
                            "directories in policy instead",
                            packet + 1);
        } else if (packet[0] == CLOSED) {
            list->is_closed = true;
        } else if (list->count >= LIST_MAX) {
            return sbx_fail(err, SBX_E_LIMIT, 0,
                            "the policy's patterns match more than %zu paths; name directories",
                            LIST_MAX);
        } else if (packet[1] == '/') {
            char *copy = strdup(packet + 1);
            if (!copy)
                return sbx_fail(err, SBX_E_MEMORY, 0, "out of memory");
            list->path[list->count++] = copy;
        }
    }
}

static int plan_all(struct sbx_plan *plan, struct list *list, const struct sbx_policy *policy,
                    struct sbx_err *err)
{
    /* Parents before children, as in the plan itself. */
    qsort(list->path, list->count, sizeof(*list->path), compare);
    for (size_t i = 0; i < list->count; i++)
        if ((!i || strcmp(list->path[i], list->path[i - 1]) != 0) &&
            sbx_plan_add_match(plan, policy, list->path[i], err))
            return -1;
    return 0;
}

/* The same walk in a child that stays root. */
static int search_as_root(struct list *list, const struct sbx_matches_search *search,
                          struct sbx_err *err)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot make a socket pair");
    pid_t pid = fork();
    if (pid == 0) {
        struct sbx_matches_search own = *search;
        (void)close(pair[0]);
        if (prctl(PR_SET_PDEATHSIG, SIGKILL))
            _exit(1);
        sbx_matches_search(&own, pair[1]);
        _exit(0);
    }
    int saved = errno;
    (void)close(pair[1]);
    _cleanup_fd_ int socket_fd = pair[0];
    if (pid < 0)
        return sbx_fail(err, SBX_E_SYSTEM, saved, "cannot fork the search for patterns");
    int status = collect(list, socket_fd, err);
    (void)close(sbx_steal_fd(&socket_fd)); /* a child that still talks stops */
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    return status;
}

/* As the account, which may see what root cannot (NFS, FUSE); then as root, where the account closed
 * a directory of its own: it would open it again inside. */
static int search_all(struct list *list, const struct sbx_matches_search *search,
                      const struct sbx_opener *opener, struct sbx_err *err)
{
    if (collect(list, opener->socket, err))
        return -1;
    if (!list->is_closed)
        return 0;
    list->is_closed = false;
    if (search_as_root(list, search, err))
        return -1;
    if (list->is_closed)
        return sbx_fail(err, SBX_E_MOUNT, EACCES,
                        "cannot search all that the policy's patterns could match");
    return 0;
}

int sbx_matches_ask(const struct sbx_opener *opener, struct sbx_err *err)
{
    if (sbx_opener_ask(opener))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot ask for the search for patterns");
    return 0;
}

int sbx_matches_plan(struct sbx_plan *plan, const struct sbx_matches_search *search,
                     const struct sbx_opener *opener, struct sbx_err *err)
{
    _cleanup_free_ struct list *list = calloc(1, sizeof(*list));
    if (!list)
        return sbx_fail(err, SBX_E_MEMORY, 0, "out of memory");
    int status = search_all(list, search, opener, err);
    if (!status)
        status = plan_all(plan, list, search->input->policy, err);
    for (size_t i = 0; i < list->count; i++)
        free(list->path[i]);
    return status;
}
