/* Everything that inih would get wrong, line by line. */
#include <check.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/ini.h"

Suite *ini_suite(void);

struct seen {
    char text[65536]; /* "LINE section.key=value" or "LINE! COLUMN fault", one a line */
    unsigned settings, faults;
    size_t longest;
};

static void add(struct seen *seen, const char *text)
{
    size_t used = strlen(seen->text);
    (void)snprintf(seen->text + used, sizeof(seen->text) - used, "%s\n", text);
}

static void setting(void *data, const char *section, const char *key, const char *value,
                    const struct sbx_ini_at *at)
{
    struct seen *seen = data;
    char text[1024];
    seen->settings++;
    if (strlen(value) > seen->longest)
        seen->longest = strlen(value);
    (void)snprintf(text, sizeof(text), "%u %s.%s=%.200s", at->line, section, key, value);
    add(seen, text);
}

static void fault(void *data, const struct sbx_ini_at *at, const char *message)
{
    struct seen *seen = data;
    char text[1024];
    seen->faults++;
    (void)snprintf(text, sizeof(text), "%u! %u %s", at->line, at->column, message);
    add(seen, text);
}

static struct seen *parse(const char *bytes, size_t len)
{
    struct seen *seen = calloc(1, sizeof(*seen));
    const struct sbx_ini_sink sink = {.setting = setting, .fault = fault, .data = seen};
    struct sbx_err err = SBX_ERR_INIT;
    int status = sbx_ini_parse(bytes, len, &sink, &err);
    ck_assert_int_eq(status, seen->faults ? -1 : 0);
    ck_assert_int_eq(seen->faults > 0, err.message[0] != '\0');
    return seen;
}

static void expect(const char *bytes, const char *result)
{
    struct seen *seen = parse(bytes, strlen(bytes));
    ck_assert_str_eq(seen->text, result);
    free(seen);
}

/* Exactly these lines are faulty, and so many settings came through. */
static void expect_faults(const char *bytes, size_t len, const char *lines, unsigned settings)
{
    struct seen *seen = parse(bytes, len);
    char found[256] = "";
    for (char *line = seen->text; *line; line = strchr(line, '\n') + 1) {
        unsigned number = 0, used = 0;
        while (line[used] >= '0' && line[used] <= '9')
            number = number * 10 + (unsigned)(line[used++] - '0');
        if (line[used] == '!')
            (void)snprintf(found + strlen(found), sizeof(found) - strlen(found), "%u ", number);
    }
    ck_assert_msg(!strcmp(found, lines), "wanted faults in '%s', found:\n%s", lines, seen->text);
    ck_assert_uint_eq(seen->settings, settings);
    free(seen);
}
#define FAULTS(bytes, lines, settings) expect_faults(bytes, sizeof(bytes) - 1, lines, settings)

START_TEST(keeps_what_inih_takes_for_a_comment)
{
    expect("[p]\ndeny = Bash(echo a ; rm b)\n# c\n; c\n  # c\nx = a # b\ny = # b\n",
           "2 p.deny=Bash(echo a ; rm b)\n6 p.x=a # b\n7 p.y=# b\n");
}
END_TEST

/* The twin: the library alone does cut, swallow and split. */
static int alone(void *data, const char *section, const char *key, const char *value)
{
    setting(data, section, key, value, &(const struct sbx_ini_at){0});
    return 1;
}

START_TEST(inih_alone_falls_into_each_trap)
{
    struct seen *seen = calloc(1, sizeof(*seen));
    char text[512];
    int used = snprintf(text, sizeof(text), "[p]\ndeny = Bash(a ; b)\n allow = x\nlong = ");
    memset(text + used, 'x', 194);
    (void)snprintf(text + used + 194, sizeof(text) - (size_t)used - 194, "=yyyyyyyyyyyy\n");
    ck_assert_int_eq(ini_parse_string(text, alone, seen), 0);
    ck_assert_ptr_nonnull(strstr(seen->text, "p.deny=Bash(a\n"));
    ck_assert_ptr_nonnull(strstr(seen->text, "p.deny=allow = x\n"));
    ck_assert_uint_eq(seen->settings, 4);
    ck_assert_uint_lt(seen->longest, 193);
    free(seen);
}
END_TEST

START_TEST(never_cuts_or_splits_a_long_line)
{
    static const size_t lengths[] = {1,   46,  47,  48,  98,  99,   196,   198,
                                     199, 200, 201, 398, 400, 5000, 900000};
    for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
        size_t len = lengths[i], used = 0;
        char *text = malloc(len + 64);
        used += (size_t)sprintf(text, "[s]\nkey = ");
        for (size_t at = 0; at < len; at++)
            text[used++] = "a=b;[c]: d#"[at % 11];
        text[used - 1] = 'z'; /* no blank at the end, which is trimmed */
        used += (size_t)sprintf(text + used, "\nnext = x\n");
        struct seen *seen = parse(text, used);
        ck_assert_uint_eq(seen->settings, 2);
        ck_assert_uint_eq(seen->longest, len);
        ck_assert_ptr_nonnull(strstr(seen->text, "\n3 s.next=x\n"));
        free(seen);
        free(text);
    }
}
END_TEST

START_TEST(an_indented_line_is_a_line)
{
    expect("[s]\na = 1\n  b = 2\n\tc = 3\n", "2 s.a=1\n3 s.b=2\n4 s.c=3\n");
    FAULTS("[s]\na = 1\n  more of it\nb = 2\n", "3 ", 2);
}
END_TEST

START_TEST(line_ends_and_marks_of_other_systems)
{
    expect("\xef\xbb\xbf[s]\r\na = 1\r\n\r\nb = 2\r\n", "2 s.a=1\n4 s.b=2\n");
    FAULTS("[s]\na = 1\rb = 2\nc = 3\n", "2 ", 1);
    FAULTS("; comment\rdeny = x\n", "1 ", 0);
    FAULTS("[s]\na = 1\n\xef\xbb\xbf[t]\n", "3 ", 1);
}
END_TEST

START_TEST(half_written_and_binary_files_are_faulty)
{
    FAULTS("[s]\na = 1\ndeny_read = ~/.ss", "3 ", 2);
    FAULTS("[s]\na = 1\n# no end", "3 ", 1);
    FAULTS("[s]\na = 1\0b\nc = 2\n", "2 ", 1);
    FAULTS("[s]\n# a comment with a NUL \0\n", "2 ", 0);
    FAULTS("\x7f"
           "ELF\x01\x02\n\xff\xfe\n",
           "1 2 ", 0);
    FAULTS("[s]\na = caf\xe9\nb = caf\xc3\xa9\n", "2 ", 1);
    FAULTS("[s]\na = \x1b[31m\nb = x\ty\nc = \xc2\x9b\nd = \xe2\x80\xae\ne = \x7f\n", "2 3 4 5 6 ",
           0);
    FAULTS("[s]\na = \xc0\xaf\nb = \xed\xa0\x80\nc = \xf5\x80\x80\x80\nd = \xe2\x82\n", "2 3 4 5 ",
           0);
}
END_TEST

START_TEST(every_fault_of_a_file_is_told)
{
    FAULTS("a = 1\n[s\nb = 2\n[t] x\nc\n= d\ne =\n[u]\nf = 3\n", "1 2 3 4 5 6 7 ", 1);
    FAULTS("[]\na = 1\n[ok]\nb = 1\n[a[b]\n[x;y]\n", "1 2 5 6 ", 1);
    FAULTS("[0123456789012345678901234567890123456789012345678]\nk = 1\n", "", 1);
    FAULTS("[01234567890123456789012345678901234567890123456789]\nk = 1\n", "1 2 ", 0);
    FAULTS("[s]\n01234567890123456789012345678901234567890123456789 = 1\nk = 1\n", "2 ", 1);
    FAULTS("[s\xc3\xa9]\n[t]\nk\xc3\xa9 = 1\nk;x = 1\n", "1 3 4 ", 0);
}
END_TEST

START_TEST(sections_and_signs)
{
    expect("[s]\na : 1\nb:2=3\nc=4:5\n[t] ; comment\nd = e\n[s]\nf = g\n[ u ]\nh = i\n",
           "2 s.a=1\n3 s.b=2=3\n4 s.c=4:5\n6 t.d=e\n8 s.f=g\n10 u.h=i\n");
    expect("", "");
    expect("\n\n\n", "");
    expect("[command NAME]\nreads = 1\n", "2 command NAME.reads=1\n");
    expect("[s]\nk = \"quoted\"\nl = a\\\nm = [x]\n", "2 s.k=\"quoted\"\n3 s.l=a\\\n4 s.m=[x]\n");
}
END_TEST

START_TEST(no_byte_changes_on_the_way)
{
    char text[4096];
    size_t used = (size_t)sprintf(text, "[s]\n");
    for (int byte = 0x21; byte < 0x7f; byte++)
        used += (size_t)sprintf(text + used, "k = %c %c;%c #%c x\n", byte, byte, byte, byte);
    struct seen *seen = parse(text, used);
    char *line = seen->text;
    for (int byte = 0x21; byte < 0x7f; byte++) {
        char wanted[64];
        int len =
            sprintf(wanted, "%d s.k=%c %c;%c #%c x\n", byte - 0x21 + 2, byte, byte, byte, byte);
        ck_assert_msg(!strncmp(line, wanted, (size_t)len), "%s against %.40s", wanted, line);
        line += len;
    }
    free(seen);
}
END_TEST

/* Columns count bytes from 1: of the name, the key, the value, and of the very byte that is wrong. */
static void column_of_section(void *data, const char *section, const struct sbx_ini_at *at)
{
    char text[128];
    (void)snprintf(text, sizeof(text), "%u:%u [%s]", at->line, at->column, section);
    add(data, text);
}

static void column_of_setting(void *data, const char *section, const char *key, const char *value,
                              const struct sbx_ini_at *at)
{
    char text[128];
    (void)section;
    (void)snprintf(text, sizeof(text), "%u:%u %s:%u %s", at->line, at->column, key, at->value,
                   value);
    add(data, text);
}

START_TEST(places_of_names_keys_and_values)
{
    static const char text[] = "\xef\xbb\xbf[s]\n a\t=  1\n[ caf ] # x\r\nb:\xc3\xa4 2\r\n";
    struct seen *seen = calloc(1, sizeof(*seen));
    const struct sbx_ini_sink sink = {
        .section = column_of_section, .setting = column_of_setting, .fault = fault, .data = seen};
    struct sbx_err err = SBX_ERR_INIT;
    ck_assert_int_eq(sbx_ini_parse(text, strlen(text), &sink, &err), 0);
    ck_assert_str_eq(seen->text, "1:2 [s]\n2:2 a:7 1\n3:3 [caf]\n4:1 b:3 \xc3\xa4 2\n");
    free(seen);
}
END_TEST

START_TEST(places_of_faults)
{
    static const struct {
        const char *line;
        unsigned column;
    } cases[] = {
        {"k = x\ty",       1 + 5},
        {"k = a\xe2\x80\x8b"
         "b",     1 + 5},
        {"k = caf\xe9",    1 + 7},
        {" k\xc3\xa9 = 1", 1 + 2},
        {"a;b = 1",        1 + 1},
        {"  no sign",      1 + 2},
        {" = 1",           1 + 1},
        {"key =",          1 + 5},
        {"key =  ",        1 + 5},
        {"a\rb = 1",       1 + 1},
        {"  [s",           1 + 2},
        {"[s] x",          1 + 4},
        {"[]",             1 + 1},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char text[128], wanted[32];
        int len = snprintf(text, sizeof(text), "[s]\n%s\n", cases[i].line);
        struct seen *seen = parse(text, (size_t)len);
        (void)snprintf(wanted, sizeof(wanted), "2! %u ", cases[i].column);
        ck_assert_msg(!strncmp(seen->text, wanted, strlen(wanted)), "'%s': wanted %s, seen %s",
                      cases[i].line, wanted, seen->text);
        free(seen);
    }
    struct seen *seen = parse("[s]\nk = 1", 9);
    ck_assert_msg(!strncmp(seen->text, "2! 6 ", 5), "%s", seen->text);
    free(seen);
}
END_TEST

Suite *ini_suite(void)
{
    Suite *suite = suite_create("ini");
    TCase *tcase = tcase_create("core");
    tcase_add_test(tcase, keeps_what_inih_takes_for_a_comment);
    tcase_add_test(tcase, inih_alone_falls_into_each_trap);
    tcase_add_test(tcase, never_cuts_or_splits_a_long_line);
    tcase_add_test(tcase, an_indented_line_is_a_line);
    tcase_add_test(tcase, line_ends_and_marks_of_other_systems);
    tcase_add_test(tcase, half_written_and_binary_files_are_faulty);
    tcase_add_test(tcase, every_fault_of_a_file_is_told);
    tcase_add_test(tcase, sections_and_signs);
    tcase_add_test(tcase, no_byte_changes_on_the_way);
    tcase_add_test(tcase, places_of_names_keys_and_values);
    tcase_add_test(tcase, places_of_faults);
    suite_add_tcase(suite, tcase);
    return suite;
}
