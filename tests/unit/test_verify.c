/* `events verify`: each way of changing the record is found, and what is no change is not. */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/cleanup.h"
#include "sbxctl/events.h"
#include "warden/event.h"

Suite *verify_suite(void);

struct place {
    struct sbx_paths paths;
    char log[300];
    int dirfd;
};

static void place_open(struct place *place)
{
    *place = (struct place){0};
    (void)snprintf(place->paths.root, sizeof(place->paths.root), "/tmp/sbx-test-verify-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(place->paths.root));
    static const char *const dirs[] = {"/var", "/var/log", "/var/log/sbx"};
    for (size_t i = 0; i < 3; i++) {
        (void)snprintf(place->log, sizeof(place->log), "%s%s", place->paths.root, dirs[i]);
        ck_assert_int_eq(mkdir(place->log, 0755), 0);
    }
    place->dirfd = open(place->log, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    ck_assert_int_eq(dup2(null, 1), 1); /* what it finds is not of interest here, that it does is */
}

static void place_close(struct place *place)
{
    _cleanup_dir_ DIR *dir = fdopendir(place->dirfd);
    for (struct dirent *entry; (entry = readdir(dir));)
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
            ck_assert_int_eq(unlinkat(place->dirfd, entry->d_name, 0), 0);
    for (char *slash; strlen(place->log) >= strlen(place->paths.root); *slash = '\0') {
        ck_assert_int_eq(rmdir(place->log), 0);
        slash = strrchr(place->log, '/');
    }
}

/* One life of a jail: start, four denials, end. */
static void live(const struct place *place, const char *name, bool ends)
{
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_log *log;
    ck_assert_int_eq(sbx_log_open(&log, place->dirfd, name, getegid(), false, &err), 0);
    struct sbx_event event = {
        .kind = SBX_EVENT_JAIL, .action = "start", .uid = 1000, .loginuid = -1};
    ck_assert_int_eq(sbx_log_append(log, &event, NULL, &err), 0);
    for (int i = 0; i < 4; i++) {
        struct sbx_event denied = {.verdict = "deny",
                                   .uid = 1000,
                                   .loginuid = -1,
                                   .command = "rm -rf /",
                                   .command_bytes = 8};
        ck_assert_int_eq(sbx_log_append(log, &denied, NULL, &err), 0);
    }
    event.action = "end";
    if (ends)
        ck_assert_int_eq(sbx_log_append(log, &event, NULL, &err), 0);
    sbx_log_close(log);
}

static int verify(const struct place *place)
{
    return sbx_events_verify(&place->paths, NULL, 0);
}

START_TEST(whole_chains)
{
    struct place place;
    place_open(&place);
    ck_assert_int_eq(verify(&place), 0);
    live(&place, "1000", true);
    live(&place, "1000", true); /* the same account's next jail goes on in the same chain */
    live(&place, "1000-7", true);
    ck_assert_int_eq(verify(&place), 0);
    live(&place, "host", false); /* has no end by nature */
    ck_assert_int_eq(verify(&place), 0);
    live(&place, "1001", false);
    ck_assert_int_eq(verify(&place), 1); /* cut off: nothing is live here */
    live(&place, "1001", true);
    ck_assert_int_eq(verify(&place), 1); /* and it stays to be seen once the next one has ended */
    place_close(&place);
}
END_TEST

START_TEST(rotated_chain)
{
    struct place place;
    place_open(&place);
    live(&place, "1000", true);
    ck_assert_int_eq(renameat(place.dirfd, "1000.jsonl", place.dirfd, "1000.jsonl.1"), 0);
    live(&place, "1000", true);
    ck_assert_int_eq(verify(&place), 0);
    ck_assert_int_eq(renameat(place.dirfd, "1000.jsonl.1", place.dirfd, "1000.jsonl.2"), 0);
    ck_assert_int_eq(renameat(place.dirfd, "1000.jsonl", place.dirfd, "1000.jsonl.1"), 0);
    live(&place, "1000", true);
    ck_assert_int_eq(verify(&place), 0);
    ck_assert_int_eq(unlinkat(place.dirfd, "1000.jsonl.2", 0), 0);
    ck_assert_int_eq(verify(&place), 0); /* the oldest went with time */
    live(&place, "1000", true);
    ck_assert_int_eq(unlinkat(place.dirfd, "1000.jsonl.1", 0), 0);
    ck_assert_int_eq(verify(&place), 0);
    place_close(&place);
}
END_TEST

START_TEST(gap_between_rotated_files)
{
    struct place place;
    place_open(&place);
    live(&place, "1000", true);
    ck_assert_int_eq(renameat(place.dirfd, "1000.jsonl", place.dirfd, "1000.jsonl.3"), 0);
    live(&place, "1000", true); /* does not see .3, and begins anew: as if one between were gone */
    ck_assert_int_eq(renameat(place.dirfd, "1000.jsonl", place.dirfd, "1000.jsonl.1"), 0);
    ck_assert_int_eq(verify(&place), 1);
    place_close(&place);
}
END_TEST

struct text {
    char bytes[16384];
    size_t len;
};

static void load(const struct place *place, struct text *text)
{
    _cleanup_fd_ int fd = openat(place->dirfd, "1000.jsonl", O_RDONLY | O_CLOEXEC);
    ssize_t got = read(fd, text->bytes, sizeof(text->bytes) - 1);
    ck_assert_int_gt(got, 0);
    text->len = (size_t)got;
    text->bytes[got] = '\0';
}

static void store(const struct place *place, const struct text *text)
{
    _cleanup_fd_ int fd = openat(place->dirfd, "1000.jsonl", O_WRONLY | O_TRUNC | O_CLOEXEC);
    ck_assert_int_eq(write(fd, text->bytes, text->len), (ssize_t)text->len);
}

static char *line(struct text *text, int number)
{
    char *at = text->bytes;
    while (number--)
        at = strchr(at, '\n') + 1;
    return at;
}

static void cut(struct text *text, char *from, const char *to)
{
    memmove(from, to, (size_t)(text->bytes + text->len - to) + 1);
    text->len -= (size_t)(to - from);
}

static void insert(struct text *text, char *at, const char *bytes)
{
    size_t len = strlen(bytes);
    memmove(at + len, at, (size_t)(text->bytes + text->len - at) + 1);
    memcpy(at, bytes, len);
    text->len += len;
}

static void change_word(struct text *text)
{
    memcpy(strstr(line(text, 2), "rm -rf"), "ls -la", 6);
}
static void remove_middle(struct text *text)
{
    cut(text, line(text, 2), line(text, 3));
}
static void remove_first(struct text *text)
{
    cut(text, line(text, 0), line(text, 1));
}
static void remove_last(struct text *text)
{
    cut(text, line(text, 5), text->bytes + text->len);
}
static void remove_tail(struct text *text)
{
    cut(text, line(text, 3), text->bytes + text->len);
}
static void repeat_line(struct text *text)
{
    char copy[2048];
    (void)snprintf(copy, sizeof(copy), "%.*s", (int)(line(text, 3) - line(text, 2)), line(text, 2));
    insert(text, line(text, 2), copy);
}
static void add_garbage(struct text *text)
{
    insert(text, line(text, 3), "not a record\n");
}
static void add_empty_line(struct text *text)
{
    insert(text, line(text, 3), "\n");
}
static void tear_end(struct text *text)
{
    text->len -= 10;
}
static void change_seq(struct text *text)
{
    *(strstr(line(text, 3), "\"seq\":4") + 6) = '9';
}
static void claim_torn(struct text *text)
{
    insert(text, line(text, 3) - 2,
           ",\"torn\":{\"bytes\":1,\"sha256\":"
           "\"0000000000000000000000000000000000000000000000000000000000000000\"}");
}
static void change_last_words(struct text *text)
{
    memcpy(strstr(line(text, 5), "\"end\""), "\"enc\"", 5);
}

static const struct {
    void (*tamper)(struct text *text);
    int status;
} tampers[] = {
    {change_word,       1},
    {remove_middle,     1},
    {remove_first,      0}, /* as after rotation: a note */
    {remove_last,       1},
    {remove_tail,       1},
    {repeat_line,       1},
    {add_garbage,       1},
    {add_empty_line,    1},
    {tear_end,          1},
    {change_seq,        1},
    {claim_torn,        1},
    {change_last_words, 1},
};

START_TEST(tampering_is_found)
{
    struct place place;
    struct text text;
    place_open(&place);
    live(&place, "1000", true);
    ck_assert_int_eq(verify(&place), 0);
    load(&place, &text);
    tampers[_i].tamper(&text);
    store(&place, &text);
    ck_assert_int_eq(verify(&place), tampers[_i].status);
    place_close(&place);
}
END_TEST

/* A torn line is the record's own account of a crash: no finding, once it is marked. */
START_TEST(marked_damage_is_no_finding)
{
    struct place place;
    struct text text;
    place_open(&place);
    live(&place, "1000", true);
    load(&place, &text);
    insert(&text, text.bytes + text.len, "{\"time\":\"2026-");
    store(&place, &text);
    ck_assert_int_eq(verify(&place), 1);
    live(&place, "1000", true);
    ck_assert_int_eq(verify(&place), 0);
    place_close(&place);
}
END_TEST

START_TEST(marked_damage_that_was_changed)
{
    struct place place;
    struct text text;
    place_open(&place);
    live(&place, "1000", true);
    load(&place, &text);
    insert(&text, text.bytes + text.len, "half a record");
    store(&place, &text);
    live(&place, "1000", true);
    ck_assert_int_eq(verify(&place), 0);
    load(&place, &text);
    memcpy(strstr(text.bytes, "half"), "HALF", 4);
    store(&place, &text);
    ck_assert_int_eq(verify(&place), 1);
    place_close(&place);
}
END_TEST

START_TEST(named_files)
{
    struct place place;
    place_open(&place);
    live(&place, "1000", true);
    char path[400], none[] = "/nonexistent";
    (void)snprintf(path, sizeof(path), "%s/1000.jsonl", place.log);
    char *good[] = {path}, *bad[] = {none};
    ck_assert_int_eq(sbx_events_verify(&place.paths, good, 1), 0);
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    ck_assert_int_eq(dup2(null, 2), 2);
    ck_assert_int_eq(sbx_events_verify(&place.paths, bad, 1), 2);
    place_close(&place);
}
END_TEST

Suite *verify_suite(void)
{
    Suite *suite = suite_create("verify");
    TCase *tcase = tcase_create("core");
    tcase_add_test(tcase, whole_chains);
    tcase_add_test(tcase, rotated_chain);
    tcase_add_test(tcase, gap_between_rotated_files);
    tcase_add_loop_test(tcase, tampering_is_found, 0, sizeof(tampers) / sizeof(*tampers));
    tcase_add_test(tcase, marked_damage_is_no_finding);
    tcase_add_test(tcase, marked_damage_that_was_changed);
    tcase_add_test(tcase, named_files);
    suite_add_tcase(suite, tcase);
    return suite;
}
