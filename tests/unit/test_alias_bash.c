/* Aliases as bash reads them: the words that the judge sees beside those that bash runs, for texts and
 * tables made at random. SBX_ALIAS_CASES=20000 SBX_ALIAS_SEED=7 looks longer, and elsewhere. */
#include <check.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "judge_text.h"
#include "policy/judge_state.h"

Suite *alias_bash_suite(void);

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

struct maker {
    uint32_t random;
    char text[1024];
};

static void put(struct maker *m, const char *text)
{
    size_t used = strlen(m->text);
    (void)snprintf(m->text + used, sizeof(m->text) - used, "%s", text);
}

#define PICK(m, list) ((list)[next_random(&(m)->random) % (sizeof(list) / sizeof(*(list)))])

static const char *const names[] = {"a", "b", "c", "d", "k", "n", "p", "if", "a=b", "[x"};

static const char *const values[] = {
    "p 1",        "p 2 ",         "a",
    "b ",         "c d",          "p 3; p 4",
    "p 5;",       "p 6 | p",      "p 7 &&",
    "{ p",        "p }",          "( p",
    "p 8)",       "p \"9",        "p '10",
    "X=1",        "X=1 ",         "",
    " ",          "p #",          "if p;",
    "then p",     "fi",           "p $(a",
    "p $(\\p y)", "p `\\p z`",    "! ",
    "time ",      "p\\",          "p 11\np 12",
    ">/dev/null", "</dev/null ",  "p >/dev/null ",
    "eval ",      "command ",     "p <<E",
    "case p in",  "p ${",         "p 13 &",
    "p 14\n",     "f()",          "function f",
    "for i in",   "[[ ",          "[[ p = ",
    "p ((",       "((1))",        "p $'x\\'",
    "p {1,2}",    "p b",          "p  a ",
    " p 15",      "\tb\t",        "p 16 |",
    "p 17\\\nq",  "alias a=",     "n",
    "p a=(",      "declare z=1 ", "p <",
    "p 2>&1 ",    "coproc ",      "p ~ ",
};

static const char *const plain_values[] = {
    "p 1",           "p 2 ",     "a",      "b ",   "c d",    "p 3; p 4",   "p 6 | p",
    "X=1",           "X=1 ",     "",       " ",    "p #",    "! ",         "time ",
    "eval ",         "command ", "p b",    "p a ", " p 15",  ">/dev/null", "</dev/null ",
    "p >/dev/null ", "\tb\t",    "p 13 &", "n",    "p {1,2}"};

static void put_word(struct maker *m)
{
    static const char *const words[] = {
        "a",   "b",   "c",    "d",   "k",        "n",        "x",      "\"a\"",
        "'b'", "\\c", "$(a)", "`b`", "x$(a b)y", "if",       "${X-a}", "a=b",
        "X=1", "[x",  "#a",   "a#",  "p",        "\"$(a)\"", "$((1))", "{a,b}"};
    put(m, PICK(m, words));
    put(m, " ");
}

static void put_command(struct maker *m, int depth)
{
    static const char *const fronts[] = {"",
                                         "",
                                         "",
                                         "",
                                         "X=1 ",
                                         ">/dev/null ",
                                         "! ",
                                         "time ",
                                         "2>&1 ",
                                         "command ",
                                         "</dev/null X=2 ",
                                         "&>>/dev/null "};
    static const char *const backs[] = {
        "", "", "", "", ">/dev/null ", "</dev/null ", "2>&1 a ", "<<<a ", "# b ", "\\\n a "};
    uint32_t kind = next_random(&m->random) % (depth > 2 ? 6 : 14);
    static const char *const open[] = {
        "if ", "{ ", "( ", "if ! ", "f() { ", "case a in a) ", "for i in a b; do ", "(( ",
    };
    static const char *const middle[] = {"; then ", "; ", "; ", "; then ", "; ", "; ", "; ", "; "};
    static const char *const close[] = {"; fi ",    "; } ",     ") ",      "; fi ",
                                        "; } ; f ", ";; esac ", "; done ", ") ) "};
    if (kind >= 6) {
        uint32_t i = kind - 6;
        put(m, open[i]);
        put_command(m, depth + 1);
        put(m, middle[i]);
        put_command(m, depth + 1);
        put(m, close[i]);
        return;
    }
    put(m, PICK(m, fronts));
    uint32_t count = next_random(&m->random) % 4;
    put(m, next_random(&m->random) % 3 ? PICK(m, names) : "p");
    put(m, " ");
    for (uint32_t i = 0; i < count; i++)
        put_word(m);
    put(m, PICK(m, backs));
}

static void make_text(struct maker *m)
{
    static const char *const between[] = {"; ", "\n", " | ", " && ", " || ", " & ", "\n"};
    m->text[0] = 0;
    put_command(m, 0);
    for (uint32_t i = next_random(&m->random) % 3; i; i--) {
        put(m, PICK(m, between));
        put_command(m, 0);
    }
}

/* 'text' as bash quotes it. */
static void put_quoted(FILE *out, const char *text)
{
    (void)fputc('\'', out);
    for (; *text; text++)
        (void)fputs(*text == '\'' ? "'\\''" : (char[]){*text, 0}, out);
    (void)fputc('\'', out);
}

struct oracle_case {
    char text[1024], table[2048];
};

static void make_case(struct maker *m, struct oracle_case *one)
{
    one->table[0] = 0;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        if (next_random(&m->random) % (i < 6 ? 2 : 12))
            continue;
        FILE *out =
            fmemopen(one->table + strlen(one->table), sizeof(one->table) - strlen(one->table), "w");
        ck_assert_ptr_nonnull(out);
        (void)fprintf(out, "alias %s=", names[i]);
        put_quoted(out, next_random(&m->random) % 4 ? PICK(m, plain_values) : PICK(m, values));
        (void)fputc('\n', out);
        (void)fclose(out);
    }
    make_text(m);
    (void)snprintf(one->text, sizeof(one->text), "%s", m->text);
}

/* Each case in a subshell; every call of p is a line: its words, each behind a "<". */
static void write_script(FILE *out, const struct oracle_case *cases, size_t count)
{
    (void)fputs("shopt -s expand_aliases\n"
                "function p { local IFS='<'; local s=\"$*\"; \\builtin printf '%s\\n' "
                "\"$N ${#}<${s//$'\\n'/N}\" >&9; }\n"
                "FUNCNEST=20 HOME=/home/agent\n"
                "exec 9>&1 </dev/null >/dev/null 2>&1\n",
                out);
    for (size_t i = 0; i < count; i++) {
        (void)fprintf(out, "\\builtin printf '=%zu\\n' >&9\n( N=%zu; ", i, i);
        for (const char *at = cases[i].table; *at;) {
            const char *quote = strchr(at, '\'');
            (void)fprintf(out, "BASH_ALIASES['%.*s']=", (int)(quote - 1 - (at + 6)), at + 6);
            const char *end = quote;
            while (end[0] != '\n' || (end[1] && strncmp(end + 1, "alias ", 6) != 0))
                end++;
            (void)fprintf(out, "%.*s; ", (int)(end - quote), quote);
            at = end + 1;
        }
        (void)fputs("\\eval ", out);
        put_quoted(out, cases[i].text);
        (void)fputs(" 0<&0; \\wait )\n", out);
    }
}

struct prediction {
    char lines[65536];
    bool open;
};

static void foretell(void *data, const struct sbx_argv *argv, bool guessed)
{
    struct prediction *p = data;
    size_t used = strlen(p->lines);
    if (guessed)
        p->open = true;
    if (!argv->count || used + 1024 > sizeof(p->lines)) {
        p->open |= argv->count > 0;
        return;
    }
    char *at = p->lines + used, *end = p->lines + sizeof(p->lines) - 2;
    uint32_t first = 0;
    while (first + 1 < argv->count && sbx_value_is(argv->word[first], "command"))
        first++;
    if (!sbx_value_is(argv->word[first], "p") && sbx_value_known(argv->word[first]))
        return;
    bool is_open = !sbx_value_known(argv->word[first]);
    for (uint32_t i = first + 1; i < argv->count; i++)
        is_open |= !sbx_value_known(argv->word[i]) || argv->word[i]->unsure;
    at += is_open ? snprintf(at, 32, "*") : snprintf(at, 32, "%u", argv->count - 1 - first);
    for (uint32_t i = first + 1; i < argv->count; i++) {
        const struct sbx_value *v = argv->word[i];
        *at++ = sbx_value_known(v) && !v->unsure ? '<' : '*'; /* may be no word at all */
        for (uint32_t k = 0; k < v->len && at < end; k++)
            *at++ = v->unsure || sbx_value_mask(v, k) != SBX_MASK_LITERAL ? '*'
                    : v->text[k] == '\n'                                  ? 'N'
                                                                          : v->text[k];
    }
    if (argv->count - 1 == first)
        *at++ = '<';
    *at++ = '\n';
    *at = 0;
}

static void notice(void *data, const struct sbx_finding *finding)
{
    struct prediction *p = data;
    p->open |= finding->class == SBX_CLASS_UNPARSED || finding->class == SBX_CLASS_SHELL_EVASION;
}

static void predict(const struct sbx_policy *policy, const struct oracle_case *one,
                    struct prediction *p)
{
    const struct sbx_context context = {.policy = policy,
                                        .cwd = "/home/agent/work/proj",
                                        .alias_mode = SBX_ALIASES_ON,
                                        .aliases = one->table};
    const struct sbx_trace trace = {.words = foretell, .finding = notice, .data = p};
    struct sbx_verdict verdict;
    p->lines[0] = '\n';
    p->lines[1] = 0;
    p->open = false;
    sbx_judge_traced(&context, one->text, strlen(one->text), &trace, &verdict);
}

/* One of the lines, where * stands for anything. */
static bool is_foretold(const struct prediction *p, const char *line)
{
    char one[4096];
    for (const char *at = p->lines; *at; at += strcspn(at, "\n") + 1) {
        (void)snprintf(one, sizeof(one), "%.*s\n", (int)strcspn(at, "\n"), at);
        for (char *c = one; *c; c++)
            if (strchr("?[\\", *c))
                *c = '?';
        if (!fnmatch(one, line, 0))
            return true;
    }
    return false;
}

static size_t cases_wanted(void)
{
    const char *wanted = getenv("SBX_ALIAS_CASES");
    return wanted ? strtoul(wanted, NULL, 10) : 600;
}

static FILE *run_bash(const struct oracle_case *cases, size_t count)
{
    char folder[] = "/tmp/sbx-unit-alias.XXXXXX", script[64];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    (void)snprintf(script, sizeof(script), "%s/script", folder);
    FILE *out = fopen(script, "w");
    ck_assert_ptr_nonnull(out);
    write_script(out, cases, count);
    ck_assert_int_eq(fclose(out), 0);
    FILE *seen = tmpfile();
    ck_assert_ptr_nonnull(seen);
    pid_t pid = fork();
    if (pid == 0) {
        if (!chdir(folder) && dup2(fileno(seen), 1) == 1)
            (void)execl("/usr/bin/timeout", "timeout", "200", "/bin/bash", "script", (char *)NULL);
        _exit(127);
    }
    ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
    const char *const argv[] = {"rm", "-rf", "--", folder, NULL};
    if ((pid = fork()) == 0) {
        (void)execv("/bin/rm", (char **)(uintptr_t)argv);
        _exit(127);
    }
    ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
    rewind(seen);
    return seen;
}

START_TEST(bash_runs_what_was_foretold)
{
    size_t count = cases_wanted(), at = 0, open = 0, calls = 0, wrong = 0, ended = 0;
    const char *seed = getenv("SBX_ALIAS_SEED");
    struct maker m = {.random = seed ? (uint32_t)strtoul(seed, NULL, 10) : 20240607};
    struct oracle_case *cases = calloc(count, sizeof(*cases));
    struct prediction *p = malloc(sizeof(*p));
    struct sbx_policy *policy = policy_of(JUDGE_POLICY);
    ck_assert(cases && p);
    for (size_t i = 0; i < count; i++)
        make_case(&m, &cases[i]);
    FILE *seen = run_bash(cases, count);
    char line[4096] = "";
    while (fgets(line, sizeof(line), seen)) {
        /* What runs in the background may be late. */
        bool begins = line[0] == '=';
        char *words = line + 1;
        size_t number = strtoul(line + begins, &words, 10);
        if (number >= count)
            continue;
        if (begins || number != at)
            predict(policy, &cases[number], p);
        at = number;
        ended += begins;
        open += begins && p->open;
        calls += !begins;
        if (begins || p->open || *words++ != ' ' || is_foretold(p, words))
            continue;
        wrong++;
        if (wrong <= 20)
            (void)fprintf(stderr, "--- %zu\n%s\ntable:\n%sbash: %sjudge:%s", at, cases[at].text,
                          cases[at].table, words, p->lines);
    }
    (void)fclose(seen);
    if (getenv("SBX_ALIAS_CASES"))
        (void)fprintf(stderr,
                      "last: %s\n%salias: %zu texts, %zu run, %zu open, %zu calls, %zu wrong\n",
                      cases[at].text, cases[at].table, count, ended, open, calls, wrong);
    ck_assert_uint_eq(wrong, 0);
    ck_assert_uint_eq(ended, count);
    ck_assert_uint_gt(calls, count / 4);
    ck_assert_uint_lt(open, count / 3 * 2);
    free(policy);
    free(cases);
    free(p);
}
END_TEST

Suite *alias_bash_suite(void)
{
    Suite *suite = suite_create("alias_bash");
    TCase *tc = tcase_create("alias_bash");
    tcase_set_timeout(tc, 240);
    tcase_add_test(tc, bash_runs_what_was_foretold);
    suite_add_tcase(suite, tc);
    return suite;
}
