/* `sbxctl events`: all chains, filtered, in order of time; then what comes, if asked to follow. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <time.h>

#include "policy/cleanup.h"
#include "sbxctl/events.h"
#include "sbxctl/operate.h"
#include "sbxctl/sbxctl.h"
#include "warden/event.h"
#include "warden/record.h"

#define HELD_MAX_BYTES ((size_t)512 * 1024 * 1024)
#define FOLLOW_MS      1000

struct filter {
    const char *jail, *account, *kind;
    char since[SBX_TIME_TEXT_BYTES]; /* "": from the start */
};

struct seen { /* a file, by what it is and not by name: rotation renames it */
    dev_t dev;
    ino_t ino;
    off_t done; /* read so far, whole lines */
};

struct held {                       /* a record that passed the filter */
    char time[SBX_TIME_TEXT_BYTES]; /* never less than that of the one before it in its chain */
    size_t order;
    char *line;
};

struct viewer {
    struct filter filter;
    bool json;
    int dirfd;
    struct seen *seen;
    size_t seen_count;
    struct held *held;
    size_t held_count, held_room, held_bytes;
};

static const char *text_of(struct json_object *record, const char *key)
{
    struct json_object *member;
    if (!record || !json_object_object_get_ex(record, key, &member) ||
        !json_object_is_type(member, json_type_string))
        return NULL;
    return json_object_get_string(member);
}

static bool matches(const char *wanted, struct json_object *record, const char *key)
{
    const char *text = wanted ? text_of(record, key) : NULL;
    return !wanted || (text && !strcmp(text, wanted));
}

static bool passes(const struct filter *filter, struct json_object *record)
{
    const char *when = text_of(record, "time");
    return matches(filter->jail, record, "jail") && matches(filter->account, record, "account") &&
           matches(filter->kind, record, "kind") && when &&
           (!filter->since[0] || strcmp(when, filter->since) >= 0);
}

static void print_field(struct json_object *record, const char *key, const char *before,
                        const char *after)
{
    struct json_object *member;
    if (!json_object_object_get_ex(record, key, &member))
        return;
    const char *text = json_object_get_string(member);
    size_t len = json_object_is_type(member, json_type_string)
                     ? (size_t)json_object_get_string_len(member)
                     : strlen(text);
    (void)fputs(before, stdout);
    sbx_print_text(stdout, text, len);
    (void)fputs(after, stdout);
}

static void print_record(struct json_object *record)
{
    static const struct {
        const char *key, *before, *after;
    } fields[] = {
        {"time",    "",                        " " },
        {"jail",    "",                        ""  },
        {"seq",     "#",                       " " },
        {"account", "",                        ": "},
        {"kind",    "",                        ""  },
        {"action",  " ",                       ""  },
        {"verdict", " ",                       ""  },
        {"class",   " ",                       ""  },
        {"command", ": ",                      ""  },
        {"path",    " path ",                  ""  },
        {"service", " by ",                    ""  },
        {"rhost",   " from ",                  ""  },
        {"rule",    "  [",                     "]" },
        {"origin",  "  at ",                   ""  },
        {"reason",  "  — ",                  ""  },
        {"dropped", "  dropped before this: ", ""  },
        {"torn",    "  torn before this: ",    ""  },
    };
    for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
        print_field(record, fields[i].key, fields[i].before, fields[i].after);
    (void)putchar('\n');
}

static int hold(struct viewer *viewer, const char *line, size_t len, const char *when)
{
    if (viewer->held_bytes + len > HELD_MAX_BYTES)
        return sbx_usage("events: too many to sort; narrow them by --since, --jail or --kind");
    if (viewer->held_count == viewer->held_room) {
        size_t room = viewer->held_room ? viewer->held_room * 2 : 256;
        void *more = reallocarray(viewer->held, room, sizeof(*viewer->held));
        if (!more)
            return sbx_usage("events: no memory");
        viewer->held = more;
        viewer->held_room = room;
    }
    struct held *held = &viewer->held[viewer->held_count];
    held->line = strndup(line, len);
    if (!held->line)
        return sbx_usage("events: no memory");
    held->order = viewer->held_count++;
    (void)snprintf(held->time, sizeof(held->time), "%s", when);
    viewer->held_bytes += len;
    return 0;
}

/* Takes one line, without its newline. A line that is no record is left out here; `events verify`
 * tells of it. */
static int take_line(struct viewer *viewer, const char *line, size_t len,
                     char latest[SBX_TIME_TEXT_BYTES])
{
    struct json_object *record = json_tokener_parse(line);
    const char *when = text_of(record, "time");
    if (when && strcmp(when, latest) > 0) /* a clock set back must not turn a chain around */
        (void)snprintf(latest, SBX_TIME_TEXT_BYTES, "%s", when);
    bool is_wanted = record && passes(&viewer->filter, record);
    json_object_put(record);
    return is_wanted ? hold(viewer, line, len, latest) : 0;
}

/* Reads the whole lines that a file has beyond *done. */
static int read_file(struct viewer *viewer, FILE *file, off_t *done)
{
    _cleanup_free_ char *line = NULL;
    size_t room = 0;
    ssize_t len;
    char latest[SBX_TIME_TEXT_BYTES] = "";
    if (fseeko(file, *done, SEEK_SET))
        return sbx_usage("events: cannot read: %s", strerrordesc_np(errno));
    while ((len = getline(&line, &room, file)) > 0 && line[len - 1] == '\n') {
        *done += len;
        line[len - 1] = '\0';
        if (take_line(viewer, line, (size_t)len - 1, latest))
            return -1;
    }
    return ferror(file) ? sbx_usage("events: cannot read: %s", strerrordesc_np(errno)) : 0;
}

static struct seen *find_seen(struct viewer *viewer, const struct stat *st)
{
    for (size_t i = 0; i < viewer->seen_count; i++)
        if (viewer->seen[i].ino == st->st_ino && viewer->seen[i].dev == st->st_dev)
            return &viewer->seen[i];
    void *more = reallocarray(viewer->seen, viewer->seen_count + 1, sizeof(*viewer->seen));
    if (!more)
        return NULL;
    viewer->seen = more;
    viewer->seen[viewer->seen_count] = (struct seen){st->st_dev, st->st_ino, 0};
    return &viewer->seen[viewer->seen_count++];
}

static int collect_file(struct viewer *viewer, const char *name)
{
    struct stat st;
    _cleanup_fd_ int fd =
        openat(viewer->dirfd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0 && errno == ENOENT)
        return 0; /* rotated away meanwhile */
    if (fd < 0 || fstat(fd, &st))
        return sbx_usage("events: cannot open %s: %s", name, strerrordesc_np(errno));
    struct seen *seen = find_seen(viewer, &st);
    if (!seen)
        return sbx_usage("events: no memory");
    if (st.st_size < seen->done)
        seen->done = 0; /* another file under a used number */
    if (!S_ISREG(st.st_mode) || st.st_size == seen->done)
        return 0;
    _cleanup_file_ FILE *file = fdopen(fd, "r");
    if (!file)
        return sbx_usage("events: cannot read: %s", strerrordesc_np(errno));
    (void)sbx_steal_fd(&fd);
    return read_file(viewer, file, &seen->done);
}

static int by_time(const void *left, const void *right)
{
    const struct held *a = left, *b = right;
    int order = strcmp(a->time, b->time);
    return order ? order : (a->order > b->order) - (a->order < b->order);
}

static void print_held(struct viewer *viewer)
{
    if (viewer->held_count)
        qsort(viewer->held, viewer->held_count, sizeof(*viewer->held), by_time);
    for (size_t i = 0; i < viewer->held_count; i++) {
        struct json_object *record = NULL;
        if (viewer->json)
            (void)puts(viewer->held[i].line);
        else if ((record = json_tokener_parse(viewer->held[i].line)))
            print_record(record);
        json_object_put(record);
        free(viewer->held[i].line);
    }
    viewer->held_count = viewer->held_bytes = 0;
    (void)fflush(stdout);
}

/* Shows everything that is new since the last time. */
static int show(struct viewer *viewer)
{
    struct sbx_err err = SBX_ERR_INIT;
    _cleanup_free_ struct sbx_event_file *files = NULL;
    size_t count;
    if (sbx_event_files(viewer->dirfd, &files, &count, &err))
        return sbx_complain(&err);
    for (size_t i = 0; i < count; i++) {
        const char *jail = viewer->filter.jail;
        if (jail && strcmp(files[i].chain, jail) != 0)
            continue;
        if (collect_file(viewer, files[i].name))
            return SBX_EXIT_USAGE;
    }
    print_held(viewer);
    return ferror(stdout) ? SBX_EXIT_USAGE : SBX_EXIT_OK;
}

static int follow(struct viewer *viewer)
{
    char path[64], buffer[4096];
    _cleanup_fd_ int watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    (void)snprintf(path, sizeof(path), "/proc/self/fd/%d", viewer->dirfd);
    /* Without a watch it goes on by looking once a second. */
    if (watch >= 0)
        (void)inotify_add_watch(watch, path, IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_ONLYDIR);
    for (;;) {
        struct pollfd poll_fd = {.fd = watch, .events = POLLIN};
        int ready = poll(&poll_fd, 1, FOLLOW_MS);
        if (ready < 0 && errno != EINTR)
            return sbx_usage("events: cannot wait: %s", strerrordesc_np(errno));
        while (ready > 0 && read(watch, buffer, sizeof(buffer)) > 0)
            ;
        int status = show(viewer);
        if (status)
            return status;
    }
}

/* "10m", "2h", "3d", "45s" ago; "2026-11-30", "2026-11-30 16:00[:00]" (UTC), with T and Z too. */
static int read_since(const char *text, char out[SBX_TIME_TEXT_BYTES])
{
    static const struct {
        char unit;
        int64_t seconds;
    } units[] = {
        {'s', 1     },
        {'m', 60    },
        {'h', 3600  },
        {'d', 86400 },
        {'w', 604800}
    };
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    for (size_t i = 0; end != text && end[0] && !end[1] && i < sizeof(units) / sizeof(*units); i++)
        if (*end == units[i].unit && !errno && number >= 0 && number < 1000000) {
            struct timespec when = {.tv_sec = time(NULL) - number * units[i].seconds};
            sbx_time_text(&when, out);
            return 0;
        }
    static const char *const forms[] = {"%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S",
                                        "%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%dT%H:%M:%S"};
    for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
        struct tm tm = {0};
        const char *rest = strptime(text, forms[i], &tm);
        if (rest && !*rest) {
            struct timespec when = {.tv_sec = timegm(&tm)};
            sbx_time_text(&when, out);
            return 0;
        }
    }
    return sbx_usage("events: --since %s: write 10m, 2h, 3d, 2026-11-30 or '2026-11-30 16:00'",
                     text);
}

static int check_filter(struct filter *filter, const char *since)
{
    if (since && read_since(since, filter->since))
        return SBX_EXIT_USAGE;
    if (filter->jail && strcmp(filter->jail, "host") != 0 && !sbx_jail_id_valid(filter->jail))
        return sbx_usage("events: '%s' is no jail's name (UID, UID-N or host)", filter->jail);
    for (int kind = 0; filter->kind && kind < SBX_EVENT_KIND_COUNT; kind++)
        if (!strcmp(filter->kind, sbx_event_kind_name((enum sbx_event_kind)kind)))
            return 0;
    return !filter->kind ? 0
                         : sbx_usage("events: no kind '%s'; there are command, exec, file, net, "
                                     "syscall, approval, policy, scrub, disclosure, jail",
                                     filter->kind);
}

int sbx_verb_events(int argc, char **argv)
{
    struct viewer viewer = {.dirfd = -1};
    const char *root = NULL, *since = NULL;
    bool is_following = false;
    const struct sbx_option options[] = {
        {"--root",                SBX_OPT_TEXT, &root},
        {"--jail",                  SBX_OPT_TEXT, &viewer.filter.jail},
        {"--account",                SBX_OPT_TEXT, &viewer.filter.account},
        {"--kind",    SBX_OPT_TEXT, &viewer.filter.kind},
        {"--since",             SBX_OPT_TEXT, &since},
        {"--follow", SBX_OPT_FLAG, &is_following},
        {"--json",                SBX_OPT_FLAG, &viewer.json},
        {0   }
    };
    struct sbx_paths paths;
    int first;
    if (sbx_options_read(argc, argv, options, true, &first) || sbx_operate_paths(root, &paths))
        return SBX_EXIT_USAGE;
    if (first < argc && !strcmp(argv[first], "verify"))
        return sbx_events_verify(&paths, argv + first + 1, argc - first - 1);
    if (first < argc)
        return sbx_usage("events: '%s'? 'verify' is the only word it takes", argv[first]);
    if (check_filter(&viewer.filter, since))
        return SBX_EXIT_USAGE;
    viewer.dirfd = sbx_operate_open_dir(&paths, SBX_LOG_DIR);
    if (viewer.dirfd < 0 && errno == ENOENT && !is_following)
        return SBX_EXIT_OK; /* nothing was ever recorded */
    if (viewer.dirfd < 0)
        return sbx_usage("events: cannot open %s%s: %s", paths.root, SBX_LOG_DIR,
                         strerrordesc_np(errno));
    int status = show(&viewer);
    if (!status && is_following)
        status = follow(&viewer);
    (void)close(viewer.dirfd);
    free(viewer.seen);
    free(viewer.held);
    return status;
}
