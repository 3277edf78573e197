/* Bytes of a terminal: characters, pastes, and never more than the line that is typed. */
#include <check.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "line/keys.h"
#include "line/prompt.h"

Suite *line_keys_suite(void);

static struct sbx_keys keys;
static int typing, asker;

static void set_up(void)
{
    int terminal[2], asking[2];
    ck_assert_ptr_nonnull(setlocale(LC_CTYPE, "C.UTF-8"));
    ck_assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, terminal));
    ck_assert(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, asking));
    typing = terminal[1];
    asker = asking[1];
    keys = (struct sbx_keys){.terminal_fd = terminal[0], .asker_fd = asking[0]};
    sbx_keys_begin(&keys);
}

static void type(const char *text)
{
    ck_assert_int_eq(write(typing, text, strlen(text)), (ssize_t)strlen(text));
}

static void expect(const wchar_t *text)
{
    for (; *text; text++) {
        wchar_t got = L'\0';
        ck_assert_int_eq(sbx_keys_next(&keys, &got), SBX_KEY_CHAR);
        ck_assert_msg(got == *text, "%lx instead of %lx", (unsigned long)got, (unsigned long)*text);
    }
}

START_TEST(characters)
{
    type("a\xc3\xa4\xe2\x82\xac\r");
    expect(L"a\u00e4\u20ac\n");
}
END_TEST

START_TEST(broken_characters_take_nothing_with_them)
{
    type("\xff"
         "b\xc3\nc");
    expect(L"\ufffd"
           L"b\ufffd\nc");
}
END_TEST

START_TEST(not_a_byte_past_the_line)
{
    char rest[8];
    type("ls\nrest");
    expect(L"ls\n");
    ck_assert_int_eq(read(keys.terminal_fd, rest, sizeof(rest)), 4);
}
END_TEST

START_TEST(interrupts_and_ends)
{
    wchar_t got;
    type("a\003");
    expect(L"a");
    ck_assert_int_eq(sbx_keys_next(&keys, &got), SBX_KEY_INTERRUPT);
    ck_assert_int_eq(send(asker, "x", 1, 0), 1);
    ck_assert_int_eq(sbx_keys_next(&keys, &got), SBX_KEY_INTERRUPT);
    char byte;
    ck_assert_int_eq(recv(keys.asker_fd, &byte, 1, 0), 1);
    (void)close(typing);
    ck_assert_int_eq(sbx_keys_next(&keys, &got), SBX_KEY_GONE);
}
END_TEST

START_TEST(the_asker_is_gone)
{
    wchar_t got;
    (void)close(asker);
    ck_assert_int_ne(sbx_keys_next(&keys, &got), SBX_KEY_CHAR);
}
END_TEST

START_TEST(other_escape_sequences_come_as_they_are)
{
    type("\033[A\033[20x\033");
    expect(L"\033[A\033[20x\033");
}
END_TEST

START_TEST(a_paste_is_taken_whole)
{
    size_t len = 0;
    type("x\033[200~one\rtwo\xff\033[201\nlast\033[201~y");
    expect(L"xone\n");
    ck_assert_int_eq(memcmp(sbx_keys_pasted_line(&keys, &len), "two\xff\033[201", 9), 0);
    ck_assert_uint_eq(len, 9);
    ck_assert_ptr_null(sbx_keys_pasted_line(&keys, &len));
    expect(L"lasty");
}
END_TEST

/* Neither a Tab nor a ^C of a paste is a command to the editor. */
START_TEST(control_bytes_of_a_paste_are_quoted)
{
    type("\033[200~a\tb\003c\033[201~");
    expect(L"a\026\tb\026\003c");
}
END_TEST

START_TEST(a_paste_past_the_bound_is_dropped)
{
    type("\033[200~");
    pid_t pid = fork();
    if (!pid) {
        static char block[65536];
        memset(block, 'x', sizeof(block));
        for (size_t sent = 0; sent <= SBX_PASTE_BYTES; sent += sizeof(block))
            if (write(typing, block, sizeof(block)) != (ssize_t)sizeof(block))
                _exit(1);
        type("\033[201~z");
        _exit(0);
    }
    expect(L"z");
    ck_assert(keys.paste_is_cut);
}
END_TEST

START_TEST(a_line_that_a_terminal_may_have_cut_is_told)
{
    static char line[4200];
    wchar_t got = L'\0';
    memset(line, 'x', 4094);
    line[4094] = '\n';
    type(line);
    while (got != L'\n')
        ck_assert_int_eq(sbx_keys_next(&keys, &got), SBX_KEY_CHAR);
    ck_assert(keys.may_be_cut);
    sbx_keys_begin(&keys);
    memset(line, 'x', 4199);
    line[100] = '\n';
    type(line);
    expect(L"x");
    for (got = L'\0'; got != L'\n';)
        ck_assert_int_eq(sbx_keys_next(&keys, &got), SBX_KEY_CHAR);
    ck_assert(!keys.may_be_cut);
}
END_TEST

START_TEST(prompts)
{
    static struct sbx_prompt prompt;
    sbx_prompt_set(&prompt, "a$ ");
    ck_assert_str_eq(prompt.line, "a$ ");
    ck_assert_str_eq(prompt.head, "");
    sbx_prompt_set(&prompt, "top\n\033[1;31m\033[4mred\033[0m$ ");
    ck_assert_str_eq(prompt.head, "top\n");
    ck_assert_str_eq(prompt.line, "\1\033[1;31m\033[4m\1red\1\033[0m\1$ ");
    sbx_prompt_set(&prompt, "\033]0;title\a\001$\002\tx");
    ck_assert_str_eq(prompt.line, "\1\033]0;title\a\1$?x");
    sbx_prompt_set(&prompt, "$ \033[0m"); /* the editor would lose one at the end */
    ck_assert_str_eq(prompt.line, "$\1\033[0m\1 ");
    sbx_prompt_set(&prompt, "\033[0m");
    sbx_prompt_set(&prompt, "\033");
    ck_assert_str_eq(prompt.line, "?");
    static char longest[3 * SBX_PROMPT_BYTES];
    memset(longest, '\033', sizeof(longest) - 1);
    sbx_prompt_set(&prompt, longest);
    ck_assert_uint_lt(strlen(prompt.line), sizeof(prompt.line));
}
END_TEST

Suite *line_keys_suite(void)
{
    Suite *suite = suite_create("line_keys");
    TCase *tc = tcase_create("line_keys");
    tcase_add_checked_fixture(tc, set_up, NULL);
    tcase_set_timeout(tc, 60); /* 4 MiB in small reads, on a busy machine */
    tcase_add_test(tc, characters);
    tcase_add_test(tc, broken_characters_take_nothing_with_them);
    tcase_add_test(tc, not_a_byte_past_the_line);
    tcase_add_test(tc, interrupts_and_ends);
    tcase_add_test(tc, the_asker_is_gone);
    tcase_add_test(tc, other_escape_sequences_come_as_they_are);
    tcase_add_test(tc, a_paste_is_taken_whole);
    tcase_add_test(tc, control_bytes_of_a_paste_are_quoted);
    tcase_add_test(tc, a_paste_past_the_bound_is_dropped);
    tcase_add_test(tc, a_line_that_a_terminal_may_have_cut_is_told);
    tcase_add_test(tc, prompts);
    suite_add_tcase(suite, tc);
    return suite;
}
