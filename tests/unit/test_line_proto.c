/* What sbxsh and the line editor say to each other: bounds, and that nonsense is none of it. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "line/proto.h"

Suite *line_proto_suite(void);

static char packet[SBX_LINE_MESSAGE_BYTES + 16];

static size_t pack(enum sbx_line_kind kind, const char *body, size_t len)
{
    const struct sbx_line_message message = {.kind = kind, .serial = 7, .body = body, .len = len};
    return sbx_line_pack(packet, sizeof(packet), &message);
}

START_TEST(a_line_comes_back)
{
    struct sbx_line_message out;
    size_t size = pack(SBX_LINE_TEXT, "echo 'hi'", 9);
    ck_assert_uint_eq(size, sizeof(struct sbx_line_header) + 9);
    ck_assert_int_eq(sbx_line_unpack(packet, size, &out), 0);
    ck_assert(out.kind == SBX_LINE_TEXT && out.serial == 7 && out.len == 9);
    ck_assert_int_eq(memcmp(out.body, "echo 'hi'", 9), 0);
}
END_TEST

START_TEST(the_longest_line_fits_and_no_longer_one)
{
    struct sbx_line_message out;
    char *line = malloc(SBX_LINE_TEXT_BYTES + 1);
    ck_assert_ptr_nonnull(line);
    memset(line, 'x', SBX_LINE_TEXT_BYTES + 1);
    size_t size = pack(SBX_LINE_TEXT, line, SBX_LINE_TEXT_BYTES);
    ck_assert_uint_eq(size, SBX_LINE_MESSAGE_BYTES);
    ck_assert_int_eq(sbx_line_unpack(packet, size, &out), 0);
    ck_assert_uint_eq(pack(SBX_LINE_TEXT, line, SBX_LINE_TEXT_BYTES + 1), 0);
    const struct sbx_line_message message = {.kind = SBX_LINE_TEXT, .body = line, .len = 100};
    ck_assert_uint_eq(sbx_line_pack(packet, 100, &message), 0);
    free(line);
}
END_TEST

/* The editor's end may be in the hand of any program of the account. */
START_TEST(nonsense_is_refused)
{
    struct sbx_line_message out;
    struct sbx_line_header header;
    size_t size = pack(SBX_LINE_TEXT, "echo", 4);
    for (size_t cut = 0; cut < size; cut++)
        ck_assert_int_eq(sbx_line_unpack(packet, cut, &out), -1);
    ck_assert_int_eq(sbx_line_unpack(packet, size + 1, &out), -1);
    memcpy(&header, packet, sizeof(header));
    const struct sbx_line_header good = header;
    const struct sbx_line_header bad[] = {
        {good.magic ^ 1, good.kind,             good.serial, good.size },
        {good.magic,     0,                     good.serial, good.size },
        {good.magic,     SBX_LINE_TOO_LONG + 1, good.serial, good.size },
        {good.magic,     good.kind,             good.serial, 0xffffffff},
        {good.magic,     good.kind,             good.serial, 5         },
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        memcpy(packet, &bad[i], sizeof(bad[i]));
        ck_assert_int_eq(sbx_line_unpack(packet, size, &out), -1);
    }
    memcpy(packet, &good, sizeof(good));
    ck_assert_int_eq(sbx_line_unpack(packet, size, &out), 0);
}
END_TEST

START_TEST(a_line_holds_no_newline)
{
    struct sbx_line_message out;
    ck_assert_int_eq(sbx_line_unpack(packet, pack(SBX_LINE_TEXT, "a\nb", 3), &out), -1);
    ck_assert_int_eq(sbx_line_unpack(packet, pack(SBX_LINE_TEXT, "a\0b", 3), &out), -1);
    ck_assert_int_eq(sbx_line_unpack(packet, pack(SBX_LINE_TEXT, "a b", 3), &out), 0);
}
END_TEST

static int ask_round(const struct sbx_line_ask *ask, struct sbx_line_ask *out)
{
    static char body[SBX_LINE_TEXT_BYTES];
    struct sbx_line_message message = {.kind = SBX_LINE_ASK, .body = body};
    message.len = sbx_line_pack_ask(body, sizeof(body), ask);
    return message.len ? sbx_line_unpack_ask(&message, out) : -1;
}

START_TEST(an_ask_comes_back)
{
    const struct sbx_line_ask ask = {"a$ ", "/tmp", "/bin:/usr/bin", "f\ng\n", true};
    struct sbx_line_ask out;
    ck_assert_int_eq(ask_round(&ask, &out), 0);
    ck_assert_str_eq(out.prompt, "a$ ");
    ck_assert_str_eq(out.cwd, "/tmp");
    ck_assert_str_eq(out.path, "/bin:/usr/bin");
    ck_assert_str_eq(out.words, "f\ng\n");
    ck_assert(out.is_first);
}
END_TEST

START_TEST(words_without_room_are_left_out)
{
    char *words = malloc(2 * SBX_LINE_TEXT_BYTES);
    ck_assert_ptr_nonnull(words);
    for (size_t i = 0; i < 2 * SBX_LINE_TEXT_BYTES; i++)
        words[i] = i % 8 == 7 ? '\n' : 'w';
    words[2 * SBX_LINE_TEXT_BYTES - 1] = '\0';
    struct sbx_line_ask ask = {"$ ", "/", "/bin", words, false}, out;
    ck_assert_int_eq(ask_round(&ask, &out), 0);
    size_t len = strlen(out.words);
    ck_assert(len > SBX_LINE_TEXT_BYTES - 64 && len % 8 == 0 && !out.is_first);
    ask.prompt = words; /* without these there is no ask */
    ck_assert_int_eq(ask_round(&ask, &out), -1);
    free(words);
}
END_TEST

START_TEST(a_broken_ask_is_refused)
{
    struct sbx_line_ask out;
    static const char body[] = "1p\0c\0h\0w";
    struct sbx_line_message message = {.kind = SBX_LINE_ASK, .body = body, .len = sizeof(body)};
    ck_assert_int_eq(sbx_line_unpack_ask(&message, &out), 0);
    message.len--;
    ck_assert_int_eq(sbx_line_unpack_ask(&message, &out), -1);
    message.len = 6;
    ck_assert_int_eq(sbx_line_unpack_ask(&message, &out), -1);
    message.len = sizeof(body);
    message.kind = SBX_LINE_TEXT;
    ck_assert_int_eq(sbx_line_unpack_ask(&message, &out), -1);
}
END_TEST

Suite *line_proto_suite(void)
{
    Suite *suite = suite_create("line_proto");
    TCase *tc = tcase_create("line_proto");
    tcase_add_test(tc, a_line_comes_back);
    tcase_add_test(tc, the_longest_line_fits_and_no_longer_one);
    tcase_add_test(tc, nonsense_is_refused);
    tcase_add_test(tc, a_line_holds_no_newline);
    tcase_add_test(tc, an_ask_comes_back);
    tcase_add_test(tc, words_without_room_are_left_out);
    tcase_add_test(tc, a_broken_ask_is_refused);
    suite_add_tcase(suite, tc);
    return suite;
}
