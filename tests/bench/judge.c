/* How fast commands are judged: common ones, hostile megabytes of many shapes, and with many rules.
 *
 * usage: judge [SHAPE…]: all figures, or the megabytes of those shapes alone.
 * Budgets: 200,000 simple commands a second; texts up to a megabyte in 50 ms, without quadratic work;
 * 10,000 rules cost at most twice what 10 do. Exit status 1 where one is missed. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "policy/judge.h"
#include "tests/bench/policy.h"

#define MEGABYTE       SBX_JUDGE_MAX_BYTES
#define COMMANDS_LEAST 200000.0
#define WORST_MS       50.0
#define GROWTH_MOST    3.5 /* of twice the text: 2, caches and limits add to it, quadratic work is 4 */
#define RULES_MOST     2.0

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static struct sbx_verdict judge(const struct sbx_policy *policy, const char *text, size_t len)
{
    const struct sbx_context context = {.policy = policy, .cwd = "/home/agent/work/proj"};
    struct sbx_verdict verdict;
    sbx_judge(&context, text, len, &verdict);
    return verdict;
}

/* --- hostile megabytes ---------------------------------------------------------------------------------- */
/* head, then unit as often as it fits, then tail; %d in unit is the number of the round. */
static const struct shape {
    const char *name, *head, *unit, *tail;
    const char *second, *end; /* the other half: this as often as it fits, and what ends it */
} shapes[] = {
    {"parens",                "",                                                       "(",                        "",                   NULL,                    NULL  },
    {"closed parens",         "",                                                       "(:);",                     "",                   NULL,                    NULL  },
    {"substitutions",         "",                                                       "$(",                       "",                   NULL,                    NULL  },
    {"mixed opens",           "",                                                       "$($((",                    "",                   NULL,                    NULL  },
    {"arithmetic",            ": ",                                                     "$((",                      "",                   NULL,                    NULL  },
    {"arithmetic sums",       ": $((1",                                                 "+1",                       "))",                 NULL,                    NULL  },
    {"parameters",            ": ",                                                     "${x:-",                    "",                   NULL,                    NULL  },
    {"backquotes",            "",                                                       "`a;",                      "",                   NULL,                    NULL  },
    {"closed backquotes",     "",                                                       "`a`;",                     "",                   NULL,                    NULL  },
    {"escaped backquotes",    "`",                                                      "\\`a",                     "",                   NULL,                    NULL  },
    {"double quotes",         "",                                                       "\"",                       "",                   NULL,                    NULL  },
    {"quote pairs",           "echo ",                                                  "\"a\"'b'",                 "",                   NULL,                    NULL  },
    {"single quotes",         "",                                                       "'",                        "",                   NULL,                    NULL  },
    {"ansi quotes",           "echo ",                                                  "$'\\x41'",                 "",                   NULL,                    NULL  },
    {"open here-documents",   "",                                                       "cat <<A ",                 "\n",                 NULL,                    NULL  },
    {"here-documents",        "",                                                       "cat <<A\nx\nA\n",          "",                   NULL,                    NULL  },
    {"here-documents to sh",  "",                                                       "sh <<A\nx\nA\n",           "",                   NULL,                    NULL  },
    {"one here-document",     "cat <<A\n",                                              "$x ${y} $z\n",             "A\n",                NULL,                    NULL  },
    {"braces",                "echo ",                                                  "{a,b}",                    "",                   NULL,                    NULL  },
    {"open braces",           "echo ",                                                  "{a,",                      "",                   NULL,                    NULL  },
    {"brace words",           "echo ",                                                  "{a,b}{c,d} ",              "",                   NULL,                    NULL  },
    {"sequences",             "echo ",                                                  "{1..200} ",                "",                   NULL,                    NULL  },
    {"long word",             "echo ",                                                  "a",                        "",                   NULL,                    NULL  },
    {"long name",             "",                                                       "a",                        "",                   NULL,                    NULL  },
    {"long path",             "cat /",                                                  "a/",                       "",                   NULL,                    NULL  },
    {"dots",                  "cat ",                                                   "../",                      "",                   NULL,                    NULL  },
    {"globs",                 "rm ",                                                    "*",                        "",                   NULL,                    NULL  },
    {"many words",            "echo ",                                                  "a ",                       "",                   NULL,                    NULL  },
    {"many paths",            "cat ",                                                   "a/b ",                     "",                   NULL,                    NULL  },
    {"many options",          "grep ",                                                  "-e x ",                    "",                   NULL,                    NULL  },
    {"unknown with words",    "some-tool ",                                             "rm ",                      "",                   NULL,                    NULL  },
    {"assignments",           "",                                                       "a%d=1;",                   "",                   NULL,                    NULL  },
    {"one assignment",        "",                                                       "a=$a$a;",                  "",                   NULL,                    NULL  },
    {"appending",             "",                                                       "a+=xy;",                   "",                   NULL,                    NULL  },
    {"array",                 "a=(",                                                    "x ",                       ")",                  NULL,                    NULL  },
    {"assignments in front",  "",                                                       "a=1 ",                     "x",                  NULL,                    NULL  },
    {"exports",               "",                                                       "export a%d=1;",            "",                   NULL,                    NULL  },
    {"functions",             "",                                                       "f%d(){ :;};",              "",                   NULL,                    NULL  },
    {"nested functions",      "",                                                       "f(){ ",                    "",                   NULL,                    NULL  },
    {"calls",                 "f(){ g; };g(){ :; };",                                   "f;",                       "",                   NULL,                    NULL  },
    {"calls of calls",        "a(){ :;};b(){ a;a;a;a;};c(){ b;b;b;b;};d(){ c;c;c;c;};", "d;",                       "",                   NULL,
     NULL                                                                                                                                                                },
    {"aliases",               "",                                                       "alias a%d='ls -l';",       "",                   NULL,                    NULL  },
    {"case",                  "",                                                       "case x in x)",             "",                   NULL,                    NULL  },
    {"case clauses",          "case x in ",                                             "a%d) :;; ",                "esac",               NULL,                    NULL  },
    {"if",                    "",                                                       "if ",                      "",                   NULL,                    NULL  },
    {"closed if",             "",                                                       "if :;then :;fi;",          "",                   NULL,                    NULL  },
    {"while",                 "",                                                       "while :;do ",              "",                   NULL,                    NULL  },
    {"loops",                 "",                                                       "for i in a b;do $i;done;", "",                   NULL,                    NULL  },
    {"words of a loop",       "for i in ",                                              "a%d ",                     "; do echo $i; done", NULL,                    NULL  },
    {"groups",                "",                                                       "{ ",                       "",                   NULL,                    NULL  },
    {"pipes",                 "",                                                       "a|",                       "a",                  NULL,                    NULL  },
    {"pipe of cats",          "echo x",                                                 "|cat",                     "",                   NULL,                    NULL  },
    {"ands",                  "",                                                       "a&&",                      "a",                  NULL,                    NULL  },
    {"semicolons",            "",                                                       "a;",                       "",                   NULL,                    NULL  },
    {"bangs",                 "",                                                       "! ",                       "a",                  NULL,                    NULL  },
    {"newlines",              "",                                                       "\n",                       "",                   NULL,                    NULL  },
    {"blanks",                "",                                                       " ",                        "",                   NULL,                    NULL  },
    {"comments",              "",                                                       "#\n",                      "",                   NULL,                    NULL  },
    {"redirections",          "x ",                                                     ">a%d ",                    "",                   NULL,                    NULL  },
    {"written files",         "",                                                       "echo a>b%d;",              "",                   NULL,                    NULL  },
    {"process substitutions", "cat ",                                                   "<(a) ",                    "",                   NULL,                    NULL  },
    {"conditions",            "[[ ",                                                    "-n a && ",                 "-n a ]]",            NULL,                    NULL  },
    {"negated conditions",    "[[ ",                                                    "! ",                       "a ]]",               NULL,                    NULL  },
    {"extended globs",        "[[ a == ",                                               "@(a|",                     "",                   NULL,                    NULL  },
    {"cd",                    "",                                                       "cd a;",                    "",                   NULL,                    NULL  },
    {"pushd",                 "",                                                       "pushd /tmp;",              "",                   NULL,                    NULL  },
    {"evals",                 "",                                                       "eval 'a b';",              "",                   NULL,                    NULL  },
    {"nested evals",          "",                                                       "eval ",                    "a",                  NULL,                    NULL  },
    {"shells",                "",                                                       "sh -c 'a b';",             "",                   NULL,                    NULL  },
    {"wrappers",              "",                                                       "nice ",                    "a",                  NULL,                    NULL  },
    {"program",               "python3 -c '",                                           "x=\"/a\"\n",               "'",                  NULL,                    NULL  },
    {"programs",              "",                                                       "python3 -c 'f(\"a b\")';", "",                   NULL,                    NULL  },
    {"awk",                   "awk '",                                                  "{print \"a\" > \"b\"}",    "'",                  NULL,                    NULL  },
    {"sed",                   "sed '",                                                  "s/a/b/;",                  "' f",                NULL,                    NULL  },
    {"known text to sh",      "echo '",                                                 "a;",                       "' | sh",             NULL,                    NULL  },
    {"decoded text",          "echo '",                                                 "YTtiCg",                   "' | base64 -d | sh", NULL,                    NULL  },
    {"finds",                 "",                                                       "find . -name a;",          "",                   NULL,                    NULL  },
    {"xargs",                 "echo '",                                                 "a ",                       "' | xargs rm",       NULL,                    NULL  },
    {"unicode",               "echo '",                                                 "\xe2\x80\x8b",             "'",                  NULL,                    NULL  },
    {"letters with marks",    "",                                                       "\xc3\xa9;",                "",                   NULL,                    NULL  },
    {"bytes",                 "echo ",                                                  "\xff",                     "",                   NULL,                    NULL  },
    {"nested code",           "",                                                       "bash -c \"",               "",                   NULL,                    NULL  },
    {"read",                  "",                                                       "read a <<< b;",            "",                   NULL,                    NULL  },
    {"set",                   "",                                                       "set -- a b;",              "",                   NULL,                    NULL  },
    {"traps",                 "",                                                       "trap 'a b' EXIT;",         "",                   NULL,                    NULL  },
    {"git",                   "",                                                       "git -c a.b=c status;",     "",                   NULL,                    NULL  },
    {"tildes",                "ls ",                                                    "~ ",                       "",                   NULL,                    NULL  },
    {"indirection",           "a=b;b=a;",                                               "echo ${!a};",              "",                   NULL,                    NULL  },
    {"replacements",          "a=xxxxxxxx;",                                            "echo ${a//x/yy};",         "",                   NULL,                    NULL  },
    {"group over a text",     "{ ",                                                     "tool;",                    "} <<'E'\n",          "system('a b');\n",      "E\n" },
    {"cats over a text",      "cat <<'E' ",                                             "|cat",                     "\n",                 "a b\n",                 "E\n" },
    {"loop over a text",      "while read l; do ",                                      "tool;",                    "done <<'E'\n",       "a b\n",                 "E\n" },
    {"copies",                "a='",                                                    "xxxxxxxx",                 "';",                 "b=$a;",                 ""    },
    {"words of copies",       "a='",                                                    "x x x x ",                 "';",                 "tool $a;",              ""    },
    {"known code",            "a='",                                                    "x;x;x;x;",                 "';",                 "eval \"$a\";",          ""    },
    {"quoted copies",         "a='",                                                    "xxxxxxxx",                 "';",                 "tool \"$a\";",          ""    },
    {"echoes",                "",                                                       "echo a;",                  "",                   NULL,                    NULL  },
    {"patterns",              "a='",                                                    "xxxxxxxx",                 "';",                 ": ${a##*x*x*x*x*y};",   ""    },
    {"short patterns",        "a='",                                                    "xxxxxxxx",                 "';a=${a:0:1000};",   ": ${a##*x*x*x*x*y};",   ""    },
    {"replacement of copies", "a='",                                                    "xxxxxxxx",                 "';",                 ": ${a//x/yy};",         ""    },
    {"case changes",          "a='",                                                    "xxxxxxxx",                 "';",                 ": ${a^^};",             ""    },
    {"slices",                "a='",                                                    "xxxxxxxx",                 "';",                 ": ${a:3:9};",           ""    },
    {"long function",         "f(){ ",                                                  "a;",                       "};",                 "f;",                    ""    },
    {"function with words",   "f(){ \"$@\"; };set -- ",                                 "x ",                       ";",                  "f \"$@\";",             ""    },
    {"array elements",        "a=(",                                                    "x ",                       ");",                 ": \"${a[@]}\";",        ""    },
    {"alternatives",          "for i in ",                                              "a%d ",                     ";do ",               "$i $i $i;",             "done"},
    {"written text",          "cat >s <<'E'\n",                                         "a;",                       "\nE\n",              "sh s;",                 ""    },
    {"script with literals",  "cat >s.py <<'E'\n",                                      "f('a b')\n",               "E\n",                "python3 s.py;",         ""    },
    {"decoding",              "a='",                                                    "YTtiCg",                   "';",                 "base64 -d <<< $a;",     ""    },
    {"reading",               "a='",                                                    "x x x x ",                 "';",                 "read -a b <<< \"$a\";", ""    },
    {"trailing slashes",      "rm ",                                                    "a/../",                    "",                   NULL,                    NULL  },
    {"commit messages",       "git commit -m '",                                        "co-authored ",             "';",                 "git commit -m \"$a\";", ""    },
    {"sql",                   "psql -c '",                                              "select 1;",                "'",                  NULL,                    NULL  },
    {"make",                  "make -f - <<'E'\n",                                      "a:\n\techo $(shell ls)\n", "E\n",                NULL,                    NULL  },
    {"vim",                   "vim ",                                                   "-c 'w a' ",                "",                   NULL,                    NULL  },
    {"dig",                   "dig ",                                                   "a.b ",                     "",                   NULL,                    NULL  },
    {"curl",                  "curl ",                                                  "-d a=b ",                  "http://x",           NULL,                    NULL  },
};
#define SHAPES (sizeof(shapes) / sizeof(*shapes))

/* unit as often as it fits in front of tail, and tail. */
static size_t fill_part(char *text, size_t at, size_t size, const char *form, const char *end)
{
    size_t tail = strlen(end);
    const char *number = strstr(form, "%d");
    for (unsigned i = 0;; i++) {
        char unit[64];
        int before = number ? (int)(number - form) : 0;
        int len = number ? snprintf(unit, sizeof(unit), "%.*s%u%s", before, form, i, number + 2)
                         : snprintf(unit, sizeof(unit), "%s", form);
        if (at + (size_t)len + tail > size)
            break;
        memcpy(text + at, unit, (size_t)len);
        at += (size_t)len;
    }
    memcpy(text + at, end, tail + 1);
    return at + tail;
}

static size_t fill(char *text, size_t size, const struct shape *shape)
{
    size_t at = strlen(shape->head);
    memcpy(text, shape->head, at);
    at = fill_part(text, at, shape->second ? size / 2 : size, shape->unit, shape->tail);
    return shape->second ? fill_part(text, at, size, shape->second, shape->end) : at;
}

static double timed(const struct sbx_policy *policy, const char *text, size_t len,
                    struct sbx_verdict *out)
{
    double best = 1e9;
    for (unsigned i = 0; i < 3; i++) {
        double start = now_ms();
        *out = judge(policy, text, len);
        double took = now_ms() - start;
        best = took < best ? took : best;
    }
    return best;
}

static bool asked(int argc, char **argv, const char *name)
{
    bool found = argc < 2;
    for (int i = 1; i < argc; i++)
        found |= !strcmp(argv[i], name);
    return found;
}

/* From 32 KiB to a megabyte: what is refused when it is long may still be slow when it is shorter. */
static bool megabytes(const struct sbx_policy *policy, int argc, char **argv)
{
    char *text = malloc(MEGABYTE + 1);
    bool ok = text != NULL;
    for (size_t i = 0; text && i < SHAPES; i++) {
        struct sbx_verdict verdict = {0};
        double worst = 0, growth = 0, before = 0;
        size_t worst_len = 0;
        if (!asked(argc, argv, shapes[i].name))
            continue;
        for (size_t size = MEGABYTE / 32; size <= MEGABYTE; size *= 2) {
            size_t len = fill(text, size, &shapes[i]);
            double took = timed(policy, text, len, &verdict);
            if (before > 8 && took / before > growth)
                growth = took / before;
            if (took > worst) {
                worst = took;
                worst_len = size;
            }
            if (argc > 1)
                printf("%24zu KiB %8.1f ms\n", size / 1024, took);
            before = took;
        }
        bool good = worst < WORST_MS && growth < GROWTH_MOST;
        ok &= good;
        printf("%-24s %8.1f ms at %4zu KiB  x%4.1f  %-5s %-12s %s\n", shapes[i].name, worst,
               worst_len / 1024, growth, sbx_verdict_name(verdict.verdict),
               sbx_class_name(verdict.class), good ? "" : "over the budget");
    }
    free(text);
    return ok;
}

/* --- common commands and rules -------------------------------------------------------------------------- */
static const char *const common[] = {
    "ls -la src",        "git status --short", "cat README.md",    "grep -rn main src",
    "make -j4",          "cd build",           "echo done",        "python3 -m pytest -q",
    "rm -rf build/tmp",  "npm run build",      "sed -n 1,20p a.c", "find . -name '*.c'",
    "cargo test --lib",  "git diff HEAD~1",    "mkdir -p out/x",   "cp a.txt out/",
    "head -n 5 log.txt", "docker ps -a",       "wc -l src/main.c", "chmod +x run.sh",
};
#define COMMON (sizeof(common) / sizeof(*common))

static double common_per_second(const struct sbx_policy *policy)
{
    double best = 0;
    for (unsigned round = 0; round < 3; round++) {
        unsigned count = 0;
        double start = now_ms(), took = 0;
        while ((took = now_ms() - start) < 400)
            for (unsigned k = 0; k < 50; k++)
                for (size_t i = 0; i < COMMON; i++, count++)
                    (void)judge(policy, common[i], strlen(common[i]));
        double rate = count / took * 1e3;
        best = rate > best ? rate : best;
    }
    return best;
}

static struct sbx_policy *with_rules(unsigned count)
{
    size_t size = sizeof(base_policy) + 64 + (size_t)count * 64, at = 0;
    char *text = malloc(size);
    if (!text)
        exit(2);
    at += (size_t)snprintf(text, size, "%s[permissions]\n", base_policy);
    for (unsigned i = 0; i < count; i++)
        at += (size_t)snprintf(text + at, size - at, "%s = Bash(tool%u sub%u:*)\n",
                               i % 3   ? "allow"
                               : i % 2 ? "ask"
                                       : "deny",
                               i, i % 7);
    struct sbx_policy *policy = policy_of(text);
    free(text);
    return policy;
}

int main(int argc, char **argv)
{
    struct sbx_policy *policy = policy_of(base_policy);
    bool ok = true;
    if (argc < 2) {
        struct sbx_policy *few = with_rules(10), *many = with_rules(10000);
        double rate = common_per_second(policy), slow = common_per_second(few),
               slower = common_per_second(many);
        ok = rate >= COMMANDS_LEAST && slow / slower <= RULES_MOST;
        printf("%-24s %8.0f a second\n", "simple commands", rate);
        printf("%-24s %8.2f times as long as with 10\n", "with 10,000 rules", slow / slower);
        free(few);
        free(many);
    }
    ok &= megabytes(policy, argc, argv);
    free(policy);
    return ok ? 0 : 1;
}
