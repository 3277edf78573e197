/* The event files: whatever happens to one, no record is lost without being said. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "policy/cleanup.h"
#include "warden/budget.h"
#include "warden/chain.h"
#include "warden/event.h"
#include "warden/record.h"

Suite *event_suite(void);

struct place {
    char path[64];
    int dirfd;
};

static void place_open(struct place *place)
{
    (void)snprintf(place->path, sizeof(place->path), "/tmp/sbx-test-event-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(place->path));
    place->dirfd = open(place->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ck_assert_int_ge(place->dirfd, 0);
}

static void place_close(struct place *place)
{
    _cleanup_dir_ DIR *dir = fdopendir(place->dirfd);
    for (struct dirent *entry; (entry = readdir(dir));)
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
            ck_assert_int_eq(unlinkat(place->dirfd, entry->d_name, 0), 0);
    ck_assert_int_eq(rmdir(place->path), 0);
}

static struct sbx_log *log_open(const struct place *place, const char *name)
{
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_log *log;
    int result = sbx_log_open(&log, place->dirfd, name, getegid(), false, &err);
    ck_assert_msg(result == 0, "%s", err.message);
    return log;
}

static int note(struct sbx_log *log, const char *command, uint64_t *seq)
{
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_event event = {.kind = SBX_EVENT_COMMAND,
                              .source = SBX_SOURCE_CLERK,
                              .verdict = "deny",
                              .class = "fs-destroy",
                              .account = "agent",
                              .uid = 1000,
                              .loginuid = -1,
                              .command = command,
                              .command_bytes = strlen(command),
                              .command_total = strlen(command)};
    return sbx_log_append(log, &event, seq, &err);
}

static char *slurp(const struct place *place, const char *file, size_t *len)
{
    _cleanup_fd_ int fd = openat(place->dirfd, file, O_RDONLY | O_CLOEXEC);
    struct stat st;
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(fstat(fd, &st), 0);
    char *text = calloc(1, (size_t)st.st_size + 1);
    *len = (size_t)st.st_size;
    ck_assert_int_eq(read(fd, text, *len), (ssize_t)*len);
    return text;
}

static void append_raw(const struct place *place, const char *file, const void *bytes, size_t len)
{
    _cleanup_fd_ int fd =
        openat(place->dirfd, file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    ck_assert_int_eq(write(fd, bytes, len), (ssize_t)len);
}

/* Walks a file as a reader would; returns the number of records. */
static unsigned walk(const struct place *place, const char *file, unsigned *torn)
{
    size_t len;
    _cleanup_free_ char *text = slurp(place, file, &len);
    char prev[SBX_HASH_TEXT_BYTES] = SBX_CHAIN_GENESIS;
    const char *damage = NULL;
    unsigned records = 0;
    *torn = 0;
    for (const char *line = text; line < text + len;) {
        const char *end = memchr(line, '\n', len - (size_t)(line - text));
        ck_assert_ptr_nonnull(end);
        struct sbx_chain_record record;
        if (!sbx_chain_parse(line, (size_t)(end - line), &record)) {
            damage = damage ? damage : line;
            line = end + 1;
            continue;
        }
        ck_assert_uint_eq(record.seq, ++records);
        ck_assert_str_eq(record.prev, prev);
        ck_assert_int_eq(record.torn.is_there, damage != NULL);
        if (damage) {
            char hash[SBX_HASH_TEXT_BYTES];
            sbx_chain_hash(damage, (size_t)(line - damage) - 1, hash);
            ck_assert_str_eq(record.torn.hash, hash);
            ck_assert_uint_eq(record.torn.bytes, (size_t)(line - damage) - 1);
            damage = NULL;
            ++*torn;
        }
        memcpy(prev, record.hash, sizeof(prev));
        line = end + 1;
    }
    ck_assert_ptr_null(damage);
    return records;
}

START_TEST(chain_goes_on_after_a_restart)
{
    struct place place;
    uint64_t seq;
    unsigned torn;
    char hash[65];
    place_open(&place);
    struct sbx_log *log = log_open(&place, "1000");
    ck_assert_int_eq(note(log, "rm -rf /", &seq), 0);
    ck_assert_uint_eq(seq, 1);
    ck_assert_int_eq(note(log, "rm -rf ~", &seq), 0);
    sbx_log_close(log);
    log = log_open(&place, "1000");
    ck_assert_int_eq(note(log, "rm -rf .", &seq), 0);
    ck_assert_uint_eq(seq, 3);
    ck_assert_uint_eq(sbx_log_head(log, hash), 3);
    sbx_log_close(log);
    ck_assert_uint_eq(walk(&place, "1000.jsonl", &torn), 3);
    ck_assert_uint_eq(torn, 0);
    place_close(&place);
}
END_TEST

START_TEST(chain_goes_on_after_rotation)
{
    struct place place;
    uint64_t seq;
    place_open(&place);
    struct sbx_log *log = log_open(&place, "1000");
    ck_assert_int_eq(note(log, "a", &seq), 0);
    ck_assert_int_eq(renameat(place.dirfd, "1000.jsonl", place.dirfd, "1000.jsonl.1"), 0);
    ck_assert_int_eq(note(log, "b", &seq), 0); /* the same writer */
    ck_assert_uint_eq(seq, 2);
    sbx_log_close(log);
    ck_assert_int_eq(renameat(place.dirfd, "1000.jsonl", place.dirfd, "1000.jsonl.1"), 0);
    log = log_open(&place, "1000"); /* another one */
    ck_assert_int_eq(note(log, "c", &seq), 0);
    ck_assert_uint_eq(seq, 3);
    sbx_log_close(log);
    place_close(&place);
}
END_TEST

/* A crash in the middle of a write, at any byte of the record. */
START_TEST(torn_line_is_kept_and_marked)
{
    struct place place;
    uint64_t seq;
    unsigned torn;
    size_t len;
    place_open(&place);
    struct sbx_log *log = log_open(&place, "1000");
    ck_assert_int_eq(note(log, "first", &seq), 0);
    sbx_log_close(log);
    _cleanup_free_ char *whole = slurp(&place, "1000.jsonl", &len);
    for (size_t cut = 1; cut < len - 1; cut += 37) {
        append_raw(&place, "1000.jsonl", whole, cut);
        log = log_open(&place, "1000");
        ck_assert_int_eq(note(log, "next", &seq), 0);
        sbx_log_close(log);
    }
    ck_assert_uint_eq(walk(&place, "1000.jsonl", &torn), seq);
    ck_assert_uint_eq(torn, seq - 1);
    place_close(&place);
}
END_TEST

START_TEST(torn_first_line)
{
    struct place place;
    uint64_t seq;
    unsigned torn;
    place_open(&place);
    append_raw(&place, "1000.jsonl", "{\"time\"", 7);
    struct sbx_log *log = log_open(&place, "1000");
    ck_assert_int_eq(note(log, "first", &seq), 0);
    ck_assert_uint_eq(seq, 1);
    sbx_log_close(log);
    ck_assert_uint_eq(walk(&place, "1000.jsonl", &torn), 1);
    ck_assert_uint_eq(torn, 1);
    place_close(&place);
}
END_TEST

START_TEST(damaged_file_is_set_aside)
{
    struct place place;
    uint64_t seq;
    size_t len;
    place_open(&place);
    size_t size = 2 * SBX_RECORD_MAX_BYTES;
    _cleanup_free_ char *zeros = calloc(1, size);
    append_raw(&place, "1000.jsonl", zeros, size);
    struct sbx_log *log = log_open(&place, "1000");
    ck_assert_int_eq(note(log, "first", &seq), 0);
    sbx_log_close(log);
    _cleanup_free_ char *text = slurp(&place, "1000.jsonl", &len);
    const char *aside = strstr(text, "\"aside\":\"1000.jsonl.damaged-");
    ck_assert_ptr_nonnull(aside);
    char file[64];
    ck_assert_int_eq(sscanf(aside, "\"aside\":\"%63[^\"]", file), 1);
    struct stat st;
    ck_assert_int_eq(fstatat(place.dirfd, file, &st, 0), 0);
    ck_assert_int_eq(st.st_size, (off_t)size);
    place_close(&place);
}
END_TEST

/* Two records past RLIMIT_FSIZE. No assertion in here: Check writes a file of its own at each. */
static int note_two_without_room(struct sbx_log *log, rlim_t size)
{
    uint64_t seq;
    struct rlimit small = {size, RLIM_INFINITY}, none = {RLIM_INFINITY, RLIM_INFINITY};
    if (setrlimit(RLIMIT_FSIZE, &small))
        return 0;
    int failed = (note(log, "lost one", &seq) == -1) + (note(log, "lost two", &seq) == -1);
    return setrlimit(RLIMIT_FSIZE, &none) || seq ? 0 : failed;
}

/* No room: what fits of the record stays, the count is said later, nobody is killed. */
START_TEST(full_disk_is_counted_and_said)
{
    struct place place;
    uint64_t seq;
    unsigned torn;
    size_t len;
    struct stat st;
    place_open(&place);
    struct sbx_log *log = log_open(&place, "1000");
    ck_assert_int_eq(note(log, "first", &seq), 0);
    ck_assert_int_eq(fstatat(place.dirfd, "1000.jsonl", &st, 0), 0);
    ck_assert_int_eq(note_two_without_room(log, (rlim_t)st.st_size + 40), 2);
    ck_assert_uint_eq(sbx_log_dropped(log), 2);
    ck_assert_int_eq(note(log, "room again", &seq), 0);
    ck_assert_uint_eq(seq, 2);
    ck_assert_uint_eq(sbx_log_written(log), 2);
    sbx_log_close(log);
    ck_assert_uint_eq(walk(&place, "1000.jsonl", &torn), 2);
    ck_assert_uint_eq(torn, 1);
    _cleanup_free_ char *text = slurp(&place, "1000.jsonl", &len);
    ck_assert_ptr_nonnull(strstr(text, "\"dropped\":{\"command\":2}"));
    place_close(&place);
}
END_TEST

START_TEST(rate_is_kept_a_kind)
{
    struct place place;
    struct sbx_err err = SBX_ERR_INIT;
    uint64_t seq;
    size_t len;
    place_open(&place);
    struct sbx_log *log = log_open(&place, "1000");
    sbx_log_set_rate(log, 5);
    for (int i = 0; i < 5; i++)
        ck_assert_int_eq(note(log, "x", &seq), 0);
    ck_assert_int_eq(note(log, "x", &seq), -1);
    ck_assert_int_eq(note(log, "x", &seq), -1);
    struct sbx_event other = {.kind = SBX_EVENT_FILE, .loginuid = -1, .path = "/etc/shadow"};
    ck_assert_int_eq(sbx_log_append(log, &other, &seq, &err), 0); /* another kind is not hidden */
    struct sbx_event end = {.kind = SBX_EVENT_JAIL, .action = "end", .loginuid = -1};
    for (int i = 0; i < 10; i++)
        ck_assert_int_eq(sbx_log_append(log, &end, &seq, &err), 0);
    ck_assert_uint_eq(sbx_log_dropped(log), 2);
    sbx_log_close(log);
    _cleanup_free_ char *text = slurp(&place, "1000.jsonl", &len);
    const char *said = strstr(text, "\"dropped\":{\"command\":2}");
    ck_assert_ptr_nonnull(said);
    ck_assert_ptr_null(strstr(said + 1, "\"dropped\"")); /* once */
    place_close(&place);
}
END_TEST

/* As refused logins do: each process opens, writes one record, and ends. */
START_TEST(rate_is_kept_over_processes)
{
    struct place place;
    size_t len;
    unsigned torn;
    place_open(&place);
    for (int i = 0; i < 8; i++) {
        struct sbx_log *log = log_open(&place, "host");
        sbx_log_share(log, 5);
        ck_assert_int_eq(note(log, "x", NULL), i < 5 ? 0 : -1);
        ck_assert_uint_eq(sbx_log_dropped(log), i < 5 ? 0 : 1);
        sbx_log_close(log);
    }
    struct sbx_log *log = log_open(&place, "host");
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_event other = {.kind = SBX_EVENT_JAIL, .action = "refuse", .loginuid = -1};
    sbx_log_share(log, 5);
    ck_assert_int_eq(sbx_log_append(log, &other, NULL, &err), 0); /* another kind is not hidden */
    ck_assert_int_eq(sbx_log_append(log, &other, NULL, &err), 0);
    sbx_log_close(log);
    ck_assert_uint_eq(walk(&place, "host.jsonl", &torn), 7);
    _cleanup_free_ char *text = slurp(&place, "host.jsonl", &len);
    const char *said = strstr(text, "\"dropped\":{\"command\":3}");
    ck_assert_ptr_nonnull(said);
    ck_assert_ptr_null(strstr(said + 1, "\"dropped\"")); /* once, by whoever comes first */
    place_close(&place);
}
END_TEST

/* The clock of another start of the machine, or bytes of another version: nobody is shut out. */
START_TEST(kept_rate_of_another_time)
{
    struct place place;
    struct sbx_budget budget = {.rate = 0};
    place_open(&place);
    _cleanup_fd_ int fd =
        openat(place.dirfd, ".host.lock", O_RDWR | O_CREAT | O_CLOEXEC | O_TRUNC, 0600);
    sbx_budget_fill(&budget, 5);
    budget.bucket[SBX_EVENT_COMMAND].last_ms += (int64_t)1 << 40;
    budget.bucket[SBX_EVENT_COMMAND].milli = UINT64_MAX;
    sbx_budget_store(&budget, fd);
    sbx_budget_load(&budget, fd);
    for (int i = 0; i < 6; i++)
        ck_assert_int_eq(sbx_budget_take(&budget, SBX_EVENT_COMMAND, 1), i < 5);
    budget.bucket[SBX_EVENT_COMMAND].last_ms -= 24000; /* 24 s of a minute: two of five */
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(sbx_budget_take(&budget, SBX_EVENT_COMMAND, 1), i < 2);
    ck_assert_int_eq(pwrite(fd, "nonsense", 8, 0), 8);
    sbx_budget_fill(&budget, 5);
    sbx_budget_load(&budget, fd);
    ck_assert(sbx_budget_take(&budget, SBX_EVENT_COMMAND, 1));
    place_close(&place);
}
END_TEST

/* A long command costs more than a short one, but is never shut out for its length alone. */
START_TEST(rate_counts_size)
{
    struct place place;
    uint64_t seq;
    place_open(&place);
    static const char letter = 'x';
    _cleanup_free_ char *big = calloc(1, 60001);
    memset(big, letter, 60000);
    struct sbx_log *log = log_open(&place, "1000");
    sbx_log_set_rate(log, 5);
    ck_assert_int_eq(note(log, big, &seq), 0);
    ck_assert_int_eq(note(log, "x", &seq), -1);
    sbx_log_close(log);
    place_close(&place);
}
END_TEST

static struct json_object *last_record(const struct place *place, const char *file)
{
    size_t len;
    _cleanup_free_ char *text = slurp(place, file, &len);
    ck_assert_uint_gt(len, 1);
    text[len - 1] = '\0';
    char *line = strrchr(text, '\n');
    struct json_object *object = json_tokener_parse(line ? line + 1 : text);
    ck_assert_ptr_nonnull(object);
    return object;
}

START_TEST(bytes_are_escaped)
{
    static const struct {
        const char *bytes, *text;
        size_t len;
        bool is_escaped;
    } rows[] = {
        {"echo \\x41",           "echo \\x41",           9,  false},
        {"echo \xff\\",          "echo \\xff\\\\",       7,  true },
        {"a\0b",                 "a\\x00b",              3,  true },
        {"\xc3\xa9\xe2\x82\xac", "\xc3\xa9\xe2\x82\xac", 5,  false},
        {"\xc0\xaf",             "\\xc0\\xaf",           2,  true }, /* overlong */
        {"\xed\xa0\x80",         "\\xed\\xa0\\x80",      3,  true }, /* surrogate */
        {"\xf4\x90\x80\x80",     "\\xf4\\x90\\x80\\x80", 4,  true }, /* past the end */
        {"\xc2\x9b"
         "31m",         "\\xc2\\x9b31m",        5,  true }, /* C1: a terminal obeys it */
        {"\xe2\x82",             "\\xe2\\x82",           2,  true }, /* cut */
        {"line\nforged\x1b[2J",  "line\nforged\x1b[2J",  15, false},
    };
    struct place place;
    place_open(&place);
    struct sbx_log *log = log_open(&place, "1000");
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct sbx_err err = SBX_ERR_INIT;
        struct sbx_event event = {.command = rows[i].bytes,
                                  .command_bytes = rows[i].len,
                                  .command_total = rows[i].len,
                                  .loginuid = -1};
        ck_assert_int_eq(sbx_log_append(log, &event, NULL, &err), 0);
        struct json_object *record = last_record(&place, "1000.jsonl"), *member;
        ck_assert(json_object_object_get_ex(record, "command", &member));
        ck_assert_str_eq(json_object_get_string(member), rows[i].text);
        ck_assert_int_eq(json_object_object_get_ex(record, "escaped", &member), rows[i].is_escaped);
        json_object_put(record);
    }
    sbx_log_close(log);
    unsigned torn; /* a newline in a command makes no line of its own */
    ck_assert_uint_eq(walk(&place, "1000.jsonl", &torn), sizeof(rows) / sizeof(*rows));
    place_close(&place);
}
END_TEST

START_TEST(long_command_is_cut_and_said)
{
    struct place place;
    struct sbx_err err = SBX_ERR_INIT;
    struct json_object *member;
    place_open(&place);
    struct sbx_log *log = log_open(&place, "1000");
    _cleanup_free_ char *big = calloc(1, 100000);
    memset(big, 0x01, 100000); /* the worst case for the length of the line */
    struct sbx_event event = {
        .command = big, .command_bytes = 100000, .command_total = 5000000, .loginuid = -1};
    ck_assert_int_eq(sbx_log_append(log, &event, NULL, &err), 0);
    sbx_log_close(log);
    struct json_object *record = last_record(&place, "1000.jsonl");
    ck_assert(json_object_object_get_ex(record, "command_total", &member));
    ck_assert_int_eq(json_object_get_int64(member), 5000000);
    ck_assert(json_object_object_get_ex(record, "command", &member));
    ck_assert_int_eq(json_object_get_string_len(member), 65536);
    json_object_put(record);
    log = log_open(&place, "1000"); /* the next writer still finds the end of so long a line */
    uint64_t seq;
    ck_assert_int_eq(note(log, "x", &seq), 0);
    ck_assert_uint_eq(seq, 2);
    sbx_log_close(log);
    place_close(&place);
}
END_TEST

/* Two processes on one file, each with a log of its own: no record lost, one chain. */
START_TEST(two_writers_make_one_chain)
{
    enum { EACH = 200 };
    struct place place;
    unsigned torn;
    place_open(&place);
    pid_t child[2];
    for (int i = 0; i < 2; i++) {
        child[i] = fork();
        ck_assert_int_ge(child[i], 0);
        if (child[i])
            continue;
        struct sbx_log *log = log_open(&place, "host");
        for (int n = 0; n < EACH; n++)
            if (note(log, "x", NULL))
                _exit(1);
        _exit(0);
    }
    for (int i = 0; i < 2; i++) {
        int status;
        ck_assert_int_eq(waitpid(child[i], &status, 0), child[i]);
        ck_assert_int_eq(status, 0);
    }
    ck_assert_uint_eq(walk(&place, "host.jsonl", &torn), 2 * EACH);
    ck_assert_uint_eq(torn, 0);
    place_close(&place);
}
END_TEST

START_TEST(unsafe_places_are_refused)
{
    struct place place;
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_log *log;
    place_open(&place);
    ck_assert_int_eq(sbx_log_open(&log, place.dirfd, "../x", 0, false, &err), -1);
    ck_assert_int_eq(sbx_log_open(&log, place.dirfd, "", 0, false, &err), -1);
    ck_assert_int_eq(symlinkat("/dev/null", place.dirfd, "1000.jsonl"), 0);
    ck_assert_int_eq(sbx_log_open(&log, place.dirfd, "1000", getegid(), false, &err), -1);
    ck_assert_ptr_null(log);
    ck_assert_int_eq(fchmod(place.dirfd, 0777), 0);
    ck_assert_int_eq(sbx_log_open(&log, place.dirfd, "1001", getegid(), false, &err), -1);
    ck_assert_int_eq(err.code, SBX_E_TRUST);
    ck_assert_int_eq(fchmod(place.dirfd, 0700), 0);
    place_close(&place);
}
END_TEST

START_TEST(nothing_else_is_a_record)
{
    struct sbx_chain_record record;
    static const char *const lines[] = {
        "",
        "{}",
        "[]",
        "{\"seq\":1}",
        "\0\0\0",
        "{{{{{{{{{{{{}",
        "{\"seq\":0,\"prev\":\"" SBX_CHAIN_GENESIS "\",\"jail\":\"1\"}",
        "{\"seq\":1,\"prev\":\"zz\",\"jail\":\"1\"}",
        "{\"seq\":1,\"prev\":\"" SBX_CHAIN_GENESIS "\",\"jail\":\"1\"}}"};
    for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
        ck_assert(!sbx_chain_parse(lines[i], strlen(lines[i]), &record));
    const char *good = "{\"seq\":1,\"prev\":\"" SBX_CHAIN_GENESIS "\",\"jail\":\"1\"}";
    ck_assert(sbx_chain_parse(good, strlen(good), &record));
}
END_TEST

/* What is escaped grows when it is written: the budget counts what the disk gets. */
START_TEST(escapes_count_as_they_are_written)
{
    const struct sbx_event plain = {.command = "aaaa", .command_bytes = 4, .loginuid = -1};
    const struct sbx_event odd = {
        .command = "\xff\xff\x01\x01", .command_bytes = 4, .loginuid = -1};
    ck_assert_uint_eq(sbx_record_weight(&plain), 4);
    ck_assert_uint_eq(sbx_record_weight(&odd), 24);
}
END_TEST

Suite *event_suite(void)
{
    Suite *suite = suite_create("event");
    TCase *tcase = tcase_create("core");
    tcase_set_timeout(tcase, 30);
    tcase_add_test(tcase, escapes_count_as_they_are_written);
    tcase_add_test(tcase, chain_goes_on_after_a_restart);
    tcase_add_test(tcase, chain_goes_on_after_rotation);
    tcase_add_test(tcase, torn_line_is_kept_and_marked);
    tcase_add_test(tcase, torn_first_line);
    tcase_add_test(tcase, damaged_file_is_set_aside);
    tcase_add_test(tcase, full_disk_is_counted_and_said);
    tcase_add_test(tcase, rate_is_kept_a_kind);
    tcase_add_test(tcase, rate_is_kept_over_processes);
    tcase_add_test(tcase, kept_rate_of_another_time);
    tcase_add_test(tcase, rate_counts_size);
    tcase_add_test(tcase, bytes_are_escaped);
    tcase_add_test(tcase, long_command_is_cut_and_said);
    tcase_add_test(tcase, two_writers_make_one_chain);
    tcase_add_test(tcase, unsafe_places_are_refused);
    tcase_add_test(tcase, nothing_else_is_a_record);
    suite_add_tcase(suite, tcase);
    return suite;
}
