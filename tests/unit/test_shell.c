#include <check.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "policy/shell.h"

Suite *shell_suite(void);

static struct sbx_arena arena;

static void setup(void)
{
    sbx_arena_init(&arena, (size_t)256 * 1024 * 1024);
}

static void teardown(void)
{
    sbx_arena_free(&arena);
}

static struct sbx_parse parse(const char *text)
{
    struct sbx_parse out;
    sbx_shell_parse(&arena, text, strlen(text), &out);
    return out;
}

static const struct sbx_command *first(const char *text)
{
    struct sbx_parse out = parse(text);
    ck_assert_msg(out.status == SBX_PARSE_OK, "%s: %s", text, out.message);
    ck_assert_ptr_nonnull(out.script->pipelines);
    return out.script->pipelines->commands;
}

static void is_text(const struct sbx_part *part, enum sbx_part_kind kind, const char *text)
{
    ck_assert_ptr_nonnull(part);
    ck_assert_int_eq(part->kind, kind);
    ck_assert_uint_eq(part->text_len, strlen(text));
    ck_assert_msg(!memcmp(part->text, text, part->text_len), "'%.*s' is not '%s'",
                  (int)part->text_len, part->text, text);
}

static const struct sbx_part *arg(const struct sbx_command *command, unsigned n)
{
    const struct sbx_word *word = command->words;
    while (n-- && word)
        word = word->next;
    ck_assert_ptr_nonnull(word);
    return word->parts;
}

static const struct {
    const char *text;
    enum sbx_parse_status status;
} verdicts[] = {
    {"",                                                   SBX_PARSE_OK        },
    {"# only a comment",                                   SBX_PARSE_OK        },
    {"if a; then b; elif c; then d; else e; fi",           SBX_PARSE_OK        },
    {"if a; then b",                                       SBX_PARSE_INCOMPLETE},
    {"if a; then fi",                                      SBX_PARSE_SYNTAX    },
    {"echo fi",                                            SBX_PARSE_OK        },
    {"fi",                                                 SBX_PARSE_SYNTAX    },
    {"i\\f a",                                             SBX_PARSE_OK        },
    {"while read x; do echo; done < f",                    SBX_PARSE_OK        },
    {"for i in a b; do echo $i; done",                     SBX_PARSE_OK        },
    {"for i do echo; done",                                SBX_PARSE_OK        },
    {"for ((;;)) { a; }",                                  SBX_PARSE_OK        },
    {"for ((a;b)); do c; done",                            SBX_PARSE_SYNTAX    },
    {"select x in 1; do break; done",                      SBX_PARSE_OK        },
    {"case x in (a|b) c;; d) e;& f) g;;& *) esac",         SBX_PARSE_OK        },
    {"case x in esac",                                     SBX_PARSE_OK        },
    {"case x in a) b",                                     SBX_PARSE_INCOMPLETE},
    {"f() { a; }; function g { b; }; function h() (c) >x", SBX_PARSE_OK        },
    {"coproc N { a; }; coproc b c; coproc >x",             SBX_PARSE_OK        },
    {"[[ a == b && ! -f c || ( d -nt e ) ]]",              SBX_PARSE_OK        },
    {"[[ a =~ ^(b|c d)$ ]]",                               SBX_PARSE_OK        },
    {"[[ a ==",                                            SBX_PARSE_INCOMPLETE},
    {"(( a = b ? 1 : 2 ))",                                SBX_PARSE_OK        },
    {"((a) ; (b))",                                        SBX_PARSE_OK        },
    {"echo $((1 + $(echo 2))) $[3]",                       SBX_PARSE_OK        },
    {"echo $((a) | cat)",                                  SBX_PARSE_OK        },
    {"a=(1 [2]=3 'x y') b+=(z) c[1]=d",                    SBX_PARSE_OK        },
    {"declare -a x=(1 2)",                                 SBX_PARSE_OK        },
    {"echo x=(1 2)",                                       SBX_PARSE_SYNTAX    },
    {"cat <<A <<-'B' | wc\na\nA\n\tb\n\tB\n",              SBX_PARSE_OK        },
    {"echo $(cat <<E\nx\nE\n)",                            SBX_PARSE_OK        },
    {"echo $(cat <<E\nx\nE)",                              SBX_PARSE_OK        },
    {"cat <<<x 3<>y >|z &>w 2>&1 <&- {fd}>v",              SBX_PARSE_OK        },
    {"diff <(a) >(b)",                                     SBX_PARSE_OK        },
    {"time -p a | b; ! c; ! ! d; time",                    SBX_PARSE_OK        },
    {"a | ! b",                                            SBX_PARSE_SYNTAX    },
    {"a &&\n\nb ||\nc",                                    SBX_PARSE_OK        },
    {"a &&",                                               SBX_PARSE_INCOMPLETE},
    {"a |",                                                SBX_PARSE_INCOMPLETE},
    {"a && ;",                                             SBX_PARSE_SYNTAX    },
    {"'a",                                                 SBX_PARSE_INCOMPLETE},
    {"echo \"a $(b",                                       SBX_PARSE_INCOMPLETE},
    {"echo ${a",                                           SBX_PARSE_INCOMPLETE},
    {"echo `a",                                            SBX_PARSE_INCOMPLETE},
    {"echo `if`",                                          SBX_PARSE_OK        },
    {"echo $(if)",                                         SBX_PARSE_SYNTAX    },
    {"echo @(a|b)",                                        SBX_PARSE_SYNTAX    },
    {"[[ a == @(a|b) ]]",                                  SBX_PARSE_OK        },
    {"wh\\\nile a; do b; done",                            SBX_PARSE_OK        },
    {"a )",                                                SBX_PARSE_SYNTAX    },
    {"{ a; }",                                             SBX_PARSE_OK        },
    {"{ a }",                                              SBX_PARSE_INCOMPLETE},
    {"echo {a b}",                                         SBX_PARSE_OK        },
};

START_TEST(says_what_bash_says)
{
    struct sbx_parse out = parse(verdicts[_i].text);
    ck_assert_msg(out.status == verdicts[_i].status, "%s: %d %s", verdicts[_i].text,
                  (int)out.status, out.message);
    ck_assert(out.status == SBX_PARSE_OK || out.script == NULL);
}
END_TEST

START_TEST(takes_quotes_apart)
{
    const struct sbx_command *command = first("r'm' \"-r\"\\f $'\\x2fetc\\n' \"a\\$b\\c\"");
    const struct sbx_part *part = arg(command, 0);
    is_text(part, SBX_PART_LITERAL, "r");
    is_text(part->next, SBX_PART_SINGLE, "m");
    part = arg(command, 1);
    ck_assert_int_eq(part->kind, SBX_PART_DOUBLE);
    is_text(part->parts, SBX_PART_LITERAL, "-r");
    is_text(part->next, SBX_PART_LITERAL, "f");
    is_text(arg(command, 2), SBX_PART_ANSI, "/etc\n");
    is_text(arg(command, 3)->parts, SBX_PART_LITERAL, "a$b\\c");
}
END_TEST

START_TEST(finds_globs_braces_tildes)
{
    const struct sbx_command *command = first("ls *.c [a-z]? ~/x ~me x{a,b{1..3}}y \\*'?' [ ]");
    is_text(arg(command, 1), SBX_PART_GLOB, "*");
    is_text(arg(command, 2), SBX_PART_GLOB, "[a-z]");
    is_text(arg(command, 2)->next, SBX_PART_GLOB, "?");
    is_text(arg(command, 3), SBX_PART_TILDE, "");
    is_text(arg(command, 4), SBX_PART_TILDE, "me");
    const struct sbx_part *brace = arg(command, 5)->next;
    ck_assert_int_eq(brace->kind, SBX_PART_BRACE);
    ck_assert(!brace->is_sequence);
    is_text(brace->words->parts, SBX_PART_LITERAL, "a");
    ck_assert_int_eq(brace->words->next->parts->next->kind, SBX_PART_BRACE);
    ck_assert(brace->words->next->parts->next->is_sequence);
    is_text(brace->next, SBX_PART_LITERAL, "y");
    is_text(arg(command, 6), SBX_PART_LITERAL, "*");
    is_text(arg(command, 7), SBX_PART_LITERAL, "[");
}
END_TEST

START_TEST(knows_where_a_tilde_counts)
{
    is_text(arg(first("dd of=~/x"), 1)->next, SBX_PART_TILDE, "");
    is_text(arg(first("dd --of=~/x"), 1), SBX_PART_LITERAL, "--of=~/x");
    const struct sbx_part *part = arg(first("ls {~,~root,x}/y"), 1);
    ck_assert_int_eq(part->kind, SBX_PART_BRACE);
    is_text(part->words->parts, SBX_PART_TILDE, "");
    is_text(part->words->next->parts, SBX_PART_TILDE, "root");
    is_text(arg(first("ls a{~,b}"), 1)->next->words->parts, SBX_PART_LITERAL, "~");
    is_text(arg(first("ls ~{root,bin}"), 1), SBX_PART_TILDE, "?");
    const struct sbx_assign *assign = first("PATH=~/bin:~me/x")->assigns;
    is_text(assign->value->parts, SBX_PART_TILDE, "");
    is_text(assign->value->parts->next->next, SBX_PART_TILDE, "me");
}
END_TEST

static const struct {
    const char *text, *name, *op;
    bool indirect, length, bad, subscript;
} params[] = {
    {"$x",        "x",  "",   false, false, false, false},
    {"$10",       "1",  "",   false, false, false, false},
    {"$@",        "@",  "",   false, false, false, false},
    {"${x}",      "x",  "",   false, false, false, false},
    {"${10}",     "10", "",   false, false, false, false},
    {"${#x}",     "x",  "",   false, true,  false, false},
    {"${#}",      "#",  "",   false, false, false, false},
    {"${#:-a}",   "#",  ":-", false, false, false, false},
    {"${!x}",     "x",  "",   true,  false, false, false},
    {"${!x*}",    "x",  "",   true,  false, false, false},
    {"${!x[@]}",  "x",  "",   true,  false, false, true },
    {"${!#}",     "#",  "",   true,  false, false, false},
    {"${!}",      "!",  "",   false, false, false, false},
    {"${x:-y}",   "x",  ":-", false, false, false, false},
    {"${x##*/}",  "x",  "##", false, false, false, false},
    {"${x/a/b}",  "x",  "/",  false, false, false, false},
    {"${x//a}",   "x",  "//", false, false, false, false},
    {"${x:1:2}",  "x",  ":",  false, false, false, false},
    {"${x: -1}",  "x",  ":",  false, false, false, false},
    {"${x^^}",    "x",  "^^", false, false, false, false},
    {"${x@P}",    "x",  "@",  false, false, false, false},
    {"${x[1]%b}", "x",  "%",  false, false, false, true },
    {"${a b}",    "",   "",   false, false, true,  false},
    {"${$(id)}",  "$",  "",   false, false, true,  false},
    {"${x@}",     "",   "",   false, false, true,  false},
};

START_TEST(reads_parameters)
{
    char text[128];
    for (int in_double = 0; in_double < 2; in_double++) {
        (void)snprintf(text, sizeof(text), in_double ? "echo \"%s\"" : "echo %s", params[_i].text);
        const struct sbx_part *part = arg(first(text), 1);
        if (in_double)
            part = part->parts;
        ck_assert_int_eq(part->kind, SBX_PART_PARAM);
        const struct sbx_param *param = part->param;
        ck_assert_int_eq(param->bad, params[_i].bad);
        if (param->bad)
            continue;
        ck_assert_msg(param->name_len == strlen(params[_i].name) &&
                          !memcmp(param->name, params[_i].name, param->name_len),
                      "%s: name %.*s", text, (int)param->name_len, param->name);
        ck_assert_str_eq(param->op, params[_i].op);
        ck_assert_int_eq(param->indirect, params[_i].indirect);
        ck_assert_int_eq(param->length, params[_i].length);
        ck_assert_int_eq(param->subscript != NULL, params[_i].subscript);
    }
}
END_TEST

START_TEST(keeps_operands)
{
    const struct sbx_param *param = arg(first("echo \"${x/$(a)\\/b/c'd'}\""), 1)->parts->param;
    ck_assert_int_eq(param->arg->parts->kind, SBX_PART_COMMAND);
    is_text(param->arg->parts->next, SBX_PART_LITERAL, "/b");
    is_text(param->arg2->parts, SBX_PART_LITERAL, "c");
    is_text(param->arg2->parts->next, SBX_PART_SINGLE, "d");
    param = arg(first("echo ${x:y?1:2:z}"), 1)->param;
    is_text(param->arg->parts, SBX_PART_LITERAL, "y?1:2");
    is_text(param->arg2->parts, SBX_PART_LITERAL, "z");
    param = arg(first("echo \"${x:-'a}b'}\""), 1)->parts->param;
    is_text(param->arg->parts, SBX_PART_LITERAL, "'a}b'");
    param = arg(first("echo ${a b$(c)}"), 1)->param;
    ck_assert(param->bad);
    ck_assert_int_eq(param->arg->parts->next->kind, SBX_PART_COMMAND);
}
END_TEST

START_TEST(knows_what_grows_together)
{
    const struct sbx_part *part = arg(first("echo $x{a,b}"), 1);
    ck_assert(part->param->bad);
    ck_assert(!arg(first("echo ${x}{a,b}"), 1)->param->bad);
    ck_assert(!arg(first("echo $x{/a,'b'}"), 1)->param->bad);
    ck_assert(arg(first("echo {$x,b}c"), 1)->words->parts->param->bad);
    ck_assert(!arg(first("echo {$x,b}/c"), 1)->words->parts->param->bad);
    ck_assert(arg(first("echo {$,b}HOME"), 1)->words->parts->param->bad);
    is_text(arg(first("echo {~,b}root"), 1)->words->parts, SBX_PART_TILDE, "?");
    is_text(arg(first("echo {~,b}/root"), 1)->words->parts, SBX_PART_TILDE, "");
    ck_assert(arg(first("echo \"${x:-\"{a,b}\"}\""), 1)->parts->param->bad);
    ck_assert(arg(first("echo \"${x:-\"$\"y}\""), 1)->parts->param->bad);
    part = arg(first("echo \"${x:-a\"\\b\"\\c}\""), 1)->parts->param->arg->parts;
    is_text(part, SBX_PART_LITERAL, "a");
    is_text(part->next->parts, SBX_PART_LITERAL, "b");
    is_text(part->next->next, SBX_PART_LITERAL, "\\c");
    is_text(arg(first("echo {a},b}"), 1)->words->parts, SBX_PART_LITERAL, "a}");
    is_text(arg(first("echo {a..$x}"), 1), SBX_PART_LITERAL, "{a..");
    is_text(arg(first("echo a\\{b,c}"), 1), SBX_PART_LITERAL, "a{b,c}");
}
END_TEST

START_TEST(looks_into_what_bash_reads_later)
{
    const struct sbx_part *part = arg(first("echo `ls \\`id\\` \"\\$x\"`"), 1);
    ck_assert(part->is_backquote);
    const struct sbx_command *inner = part->script->pipelines->commands;
    ck_assert_int_eq(arg(inner, 1)->kind, SBX_PART_COMMAND);
    ck_assert_uint_eq(arg(inner, 1)->span.begin, 9);
    ck_assert_int_eq(arg(inner, 2)->parts->kind, SBX_PART_PARAM);
    ck_assert_ptr_null(arg(first("echo `if`"), 1)->script);
    part = arg(first("echo $((a) | (b))"), 1);
    ck_assert_int_eq(part->kind, SBX_PART_COMMAND);
    ck_assert_ptr_nonnull(part->script);
    ck_assert_int_eq(arg(first("echo $((a)+(b))"), 1)->kind, SBX_PART_COMMAND);
    ck_assert_int_eq(arg(first("echo $(((a)+(b)))"), 1)->kind, SBX_PART_ARITH);
}
END_TEST

START_TEST(takes_here_documents)
{
    const struct sbx_redir *redir = first("cat <<A <<-'B'\nx $(y)\nA\n\t$z\n\tB\n")->redirs;
    is_text(redir->heredoc->parts, SBX_PART_LITERAL, "x ");
    ck_assert_int_eq(redir->heredoc->parts->next->kind, SBX_PART_COMMAND);
    ck_assert(redir->next->heredoc_quoted);
    is_text(redir->next->heredoc->parts, SBX_PART_SINGLE, "$z\n");
    redir = first("cat <<E\n$(if)\n\"`x`\nE\n")->redirs;
    ck_assert_int_eq(redir->heredoc->parts->kind, SBX_PART_COMMAND);
    ck_assert_ptr_null(redir->heredoc->parts->script);
    /* Bodies in bodies: places are those of the input, through two rounds of taken-out tabs. */
    redir = first("cat <<-A\n\t\t$(cat <<-'B'\n\t\tb\n\tB\n)\n\tA\n")->redirs;
    redir = redir->heredoc->parts->script->pipelines->commands->redirs;
    is_text(redir->heredoc->parts, SBX_PART_SINGLE, "b\n");
    ck_assert_uint_eq(redir->heredoc->parts->span.begin, 26);
    struct sbx_parse out = parse("cat <<E\nx");
    ck_assert_int_eq(out.status, SBX_PARSE_OK);
    ck_assert(out.heredoc_warning);
    ck_assert(out.wants_more);
    out = parse("echo $(cat <<E) b\nx\nE\necho c\n");
    ck_assert_int_eq(out.status, SBX_PARSE_OK);
    ck_assert_ptr_nonnull(out.script->pipelines->next);
    ck_assert_ptr_null(out.script->pipelines->next->next);
    is_text(arg(out.script->pipelines->next->commands, 1), SBX_PART_LITERAL, "c");
}
END_TEST

START_TEST(keeps_assignments)
{
    const struct sbx_command *command = first(">x a=1 b[$i]+='2' env c=3");
    ck_assert_ptr_nonnull(command->assigns->next);
    ck_assert(command->assigns->next->append);
    ck_assert_ptr_nonnull(command->assigns->next->subscript);
    is_text(arg(command, 1), SBX_PART_LITERAL, "c=3");
    command = first("export PATH=/x y z=(1 2)");
    ck_assert_ptr_nonnull(command->assigns->next);
    ck_assert(command->assigns->next->is_array);
    ck_assert_ptr_nonnull(command->assigns->next->elements->next);
    is_text(arg(command, 1), SBX_PART_LITERAL, "y");
    ck_assert_ptr_null(command->words->next->next);
}
END_TEST

START_TEST(tells_files_from_descriptors)
{
    const struct sbx_redir *redir = first("a >&2 >&f 2>&- >&\"1\" >&$x <&3")->redirs;
    ck_assert_int_eq(redir->kind, SBX_REDIR_DUP_OUT);
    ck_assert_int_eq((redir = redir->next)->kind, SBX_REDIR_BOTH);
    ck_assert_int_eq((redir = redir->next)->kind, SBX_REDIR_DUP_OUT);
    ck_assert_int_eq((redir = redir->next)->kind, SBX_REDIR_DUP_OUT);
    ck_assert_int_eq((redir = redir->next)->kind, SBX_REDIR_BOTH);
    ck_assert_int_eq((redir = redir->next)->kind, SBX_REDIR_DUP_IN);
}
END_TEST

START_TEST(asks_for_more)
{
    ck_assert(parse("a \\\n").wants_more);
    ck_assert(parse("a &&\n").wants_more);
    ck_assert(parse("if a\n").wants_more);
    ck_assert(!parse("a # \\\n").wants_more);
    ck_assert(!parse("a\n").wants_more);
    ck_assert(!parse("a )\n").wants_more);
}
END_TEST

START_TEST(follows_extglob)
{
    struct sbx_parse out;
    const char *text = "shopt -s extglob\nls !(a)\n";
    ck_assert_int_eq(parse(text).status, SBX_PARSE_SYNTAX);
    sbx_shell_parse_flags(&arena, text, strlen(text), SBX_SHELL_FOLLOW_EXTGLOB, &out);
    ck_assert_int_eq(out.status, SBX_PARSE_OK);
    is_text(out.script->pipelines->next->commands->words->parts, SBX_PART_LITERAL, "ls");
    ck_assert_int_eq(out.script->pipelines->next->commands->words->next->parts->kind,
                     SBX_PART_EXTGLOB);
    text = "shopt -s extglob; ls !(a)\n";
    sbx_shell_parse_flags(&arena, text, strlen(text), SBX_SHELL_FOLLOW_EXTGLOB, &out);
    ck_assert_int_eq(out.status, SBX_PARSE_SYNTAX);
}
END_TEST

START_TEST(says_what_bash_only_mutters)
{
    struct sbx_parse out = parse("echo a\n[[ b c ]]; echo d\necho e");
    ck_assert_int_eq(out.status, SBX_PARSE_OK);
    ck_assert(out.cond_error);
    ck_assert_ptr_nonnull(out.script->pipelines);
    ck_assert_ptr_null(out.script->pipelines->next);
    ck_assert_int_eq(parse("echo $([[ b c ]])").status, SBX_PARSE_SYNTAX);
}
END_TEST

START_TEST(keeps_the_lines_in_front_of_an_error)
{
    struct sbx_parse out = parse("a\nb; c\nd; if\n");
    ck_assert_int_eq(out.status, SBX_PARSE_INCOMPLETE);
    ck_assert_ptr_null(out.script);
    ck_assert_ptr_nonnull(out.partial->pipelines->next->next);
    ck_assert_ptr_null(out.partial->pipelines->next->next->next);
    out = parse("a\nb )\nc\n");
    ck_assert_int_eq(out.status, SBX_PARSE_SYNTAX);
    ck_assert_ptr_null(out.partial->pipelines->next);
    ck_assert_ptr_null(parse("a )").partial->pipelines);
    ck_assert_ptr_null(parse("a").partial);
}
END_TEST

static const char *const patterns[] = {
    "$(",  "`",    "((",  "${a:-",  "{",    "{,", "[",   "\"$(",         "$((",  "$[",
    "a[",  "(",    "{ ",  "<(",     "~",    "*",  "if ", "case a in a)", "f()",  "! ",
    "a=(", "<<a ", "'",   "\\\n",   "a b ", "@(", "$'",  "[[ a == @(",   "[[ (", "a\n",
    "$a",  "a|",   "\\`", "{a..b}", "[a]",  "}",  "$(("};

/* Nothing hostile gets past the bounds: it ends, and soon. The time itself is measured elsewhere. */
START_TEST(bounds_everything)
{
    const char *pattern = patterns[_i];
    size_t len = strlen(pattern), total = SBX_SHELL_MAX_BYTES / len * len;
    char *text = malloc(SBX_SHELL_MAX_BYTES + 1);
    struct sbx_parse out;
    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < total; i++)
        text[i] = pattern[i % len];
    sbx_shell_parse(&arena, text, total, &out);
    ck_assert(out.status == SBX_PARSE_OK || out.script == NULL);
    text[SBX_SHELL_MAX_BYTES] = 'x';
    memset(text, 'x', SBX_SHELL_MAX_BYTES);
    sbx_shell_parse(&arena, text, SBX_SHELL_MAX_BYTES + 1, &out);
    ck_assert_int_eq(out.status, SBX_PARSE_LIMIT);
    free(text);
}
END_TEST

/* The body of <<- is read in a copy without its tabs, where places are counted anew. */
START_TEST(tells_where_in_a_stripped_body)
{
    char text[4096] = "";
    for (int i = 0; i < 50; i++)
        strcat(text, ": x\n");
    strcat(text, "cat <<-E\n\t");
    for (int i = 0; i < 20; i++)
        strcat(text, "${x/a[");
    strcat(text, "\n\tE\n");
    struct sbx_parse out = parse(text);
    ck_assert_int_eq(out.status, SBX_PARSE_LIMIT);
    ck_assert_uint_ge(out.error_at, 50 * 4 + 9);
    ck_assert_uint_lt(out.error_at, strlen(text));
}
END_TEST

/* What the fuzzer found, each at the end of a page with nothing behind it: a byte too far ends the test. */
START_TEST(reads_no_byte_too_far)
{
    glob_t found;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    ck_assert_int_eq(glob("tests/fuzz/corpus/shell/found-*", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *pages =
            mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        ck_assert_ptr_ne(pages, MAP_FAILED);
        ck_assert_int_eq(mprotect(pages + page, page, PROT_NONE), 0);
        FILE *file = fopen(found.gl_pathv[i], "re");
        ck_assert_ptr_nonnull(file);
        size_t len = fread(pages, 1, page, file);
        (void)fclose(file);
        memmove(pages + page - (len - 1), pages + 1, len - 1); /* the first byte chooses flags */
        struct sbx_parse out;
        sbx_shell_parse(&arena, pages + page - (len - 1), len - 1, &out);
        ck_assert_uint_le(out.error_at, len - 1);
        /* Here-documents in one another: their substitutions stand in each, twice as often at each depth. */
        if (strstr(found.gl_pathv[i], "found-tree-in-many-places"))
            ck_assert_int_eq(out.status, SBX_PARSE_LIMIT);
        (void)munmap(pages, 2 * page);
    }
    globfree(&found);
}
END_TEST

START_TEST(refuses_a_nul)
{
    struct sbx_parse out;
    sbx_shell_parse(&arena, "a\0b", 3, &out);
    ck_assert_int_eq(out.status, SBX_PARSE_SYNTAX);
    ck_assert_uint_eq(out.error_at, 1);
}
END_TEST

START_TEST(stops_when_memory_does)
{
    struct sbx_parse out;
    const char *text = "for i in a b; do echo \"$i $(x)\" >f; done\ncat <<E\n`y`\nE\n";
    for (size_t limit = 0; limit < 8192; limit += 64) {
        struct sbx_arena small;
        sbx_arena_init(&small, limit);
        sbx_shell_parse(&small, text, strlen(text), &out);
        ck_assert(out.status == SBX_PARSE_LIMIT || out.status == SBX_PARSE_OK);
        sbx_arena_free(&small);
    }
}
END_TEST

Suite *shell_suite(void)
{
    Suite *suite = suite_create("shell");
    TCase *tcase = tcase_create("core");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, says_what_bash_says, 0, sizeof(verdicts) / sizeof(*verdicts));
    tcase_add_test(tcase, takes_quotes_apart);
    tcase_add_test(tcase, finds_globs_braces_tildes);
    tcase_add_test(tcase, knows_where_a_tilde_counts);
    tcase_add_loop_test(tcase, reads_parameters, 0, sizeof(params) / sizeof(*params));
    tcase_add_test(tcase, keeps_operands);
    tcase_add_test(tcase, knows_what_grows_together);
    tcase_add_test(tcase, looks_into_what_bash_reads_later);
    tcase_add_test(tcase, takes_here_documents);
    tcase_add_test(tcase, keeps_assignments);
    tcase_add_test(tcase, tells_files_from_descriptors);
    tcase_add_test(tcase, asks_for_more);
    tcase_add_test(tcase, follows_extglob);
    tcase_add_test(tcase, says_what_bash_only_mutters);
    tcase_add_test(tcase, keeps_the_lines_in_front_of_an_error);
    tcase_add_loop_test(tcase, bounds_everything, 0, sizeof(patterns) / sizeof(*patterns));
    tcase_add_test(tcase, tells_where_in_a_stripped_body);
    tcase_add_test(tcase, reads_no_byte_too_far);
    tcase_add_test(tcase, refuses_a_nul);
    tcase_add_test(tcase, stops_when_memory_does);
    suite_add_tcase(suite, tcase);
    return suite;
}
