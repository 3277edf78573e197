/* Writes every command in many spellings that bash runs alike: wrapped, quoted, indirect, redirected.
 *
 * stdin: commands, NUL-terminated. stdout: the command itself, then its spellings, NUL-terminated.
 * Argument: a file that gets "NUMBER TAB KIND TAB NAME" for each of them. KIND: base; harder, whose
 * verdict must not be weaker; same, whose verdict must be the same. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a command must be for a spelling to mean the same. */
enum needs {
    ANY,      /* whole lines, here-documents included */
    PLAIN,    /* without find's {} and without $0 */
    LINE,     /* one line, no here-document, nothing open at its end */
    NAMED,    /* begins with the name of a command */
    EXTERNAL, /* one that is no builtin of the shell */
    SIMPLE,   /* nothing but one simple command */
    PROGRAM,  /* nothing but one simple command that is no builtin */
};

/* @R the text, @Q in single quotes, @N its first word, @T what follows it,
 * @B @S @E @D @C the first word as r\m, 'r'm, r''m, "rm", r\<newline>m. */
static const struct {
    const char *name, *form;
    enum needs needs;
    bool same;
} rows[] = {
    {"after true",            "true; @R",                                          ANY,      false},
    {"after and",             "true && @R",                                        LINE,     false},
    {"after or",              "false || @R",                                       LINE,     false},
    {"in front",              "@R\ntrue",                                          ANY,      false},
    {"subshell",              "(\n@R\n)",                                          ANY,      false},
    {"group",                 "{\n@R\n}",                                          ANY,      false},
    {"if",                    "if true; then\n@R\nfi",                             ANY,      false},
    {"else",                  "if false; then :; else\n@R\nfi",                    ANY,      false},
    {"condition",             "if\n@R\nthen :; fi",                                ANY,      false},
    {"for",                   "for i in 1; do\n@R\ndone",                          ANY,      false},
    {"while",                 "while true; do\n@R\nbreak; done",                   ANY,      false},
    {"until",                 "until\n@R\ndo break; done",                         ANY,      false},
    {"case",                  "case x in x)\n@R\n;; esac",                         ANY,      false},
    {"function",              "zq() {\n@R\n}\nzq",                                 ANY,      false},
    {"uncalled function",     "zq() {\n@R\n}",                                     ANY,      false},
    {"substitution",          "echo \"$(\n@R\n)\"",                                ANY,      false},
    {"assignment",            "zq=$(\n@R\n)",                                      ANY,      false},
    {"process substitution",  "cat <(\n@R\n)",                                     ANY,      false},
    {"negated",               "! @R",                                              LINE,     false},
    {"timed",                 "time @R",                                           NAMED,    false},
    {"background",            "{\n@R\n} &",                                        ANY,      false},
    {"coprocess",             "coproc zq {\n@R\n}",                                ANY,      false},
    {"in a pipe",             "{\n@R\n} | cat",                                    ANY,      false},
    {"bash -c",               "bash -c @Q",                                        ANY,      false},
    {"sh -c",                 "sh -c @Q",                                          LINE,     false},
    {"bash -ec",              "bash -euo pipefail -c @Q",                          ANY,      false},
    {"env bash -c",           "env -i PATH=/bin bash -c @Q",                       ANY,      false},
    {"timeout bash -c",       "timeout -s KILL 9 bash -c @Q",                      ANY,      false},
    {"nohup nice bash -c",    "nohup nice -n 5 bash -c @Q &",                      ANY,      false},
    {"sudo bash -c",          "sudo -u nobody bash -c @Q",                         ANY,      false},
    {"find bash -c",          "find . -maxdepth 0 -exec bash -c @Q \\;",           PLAIN,    false},
    {"xargs bash -c",         "echo zq | xargs -o -I zq bash -c @Q",               LINE,     false},
    {"eval",                  "eval @Q",                                           ANY,      false},
    {"eval of a variable",    "zq=@Q; eval \"$zq\"",                               ANY,      false},
    {"bash -c of a variable", "zq=@Q; bash -c \"$zq\"",                            ANY,      false},
    {"trap",                  "trap @Q EXIT",                                      ANY,      false},
    {"alias",                 "alias zq=@Q",                                       ANY,      false},
    {"here-document",         "bash <<'ZQ'\n@R\nZQ",                               ANY,      false},
    {"cat to bash",           "cat <<'ZQ' | bash\n@R\nZQ",                         ANY,      false},
    {"here-string",           "bash <<< @Q",                                       ANY,      false},
    {"printf to sh",          "printf '%s\\n' @Q | sh",                            ANY,      false},
    {"echo to bash -s",       "echo @Q | bash -s",                                 LINE,     false},
    {"source",                ". <(printf '%s\\n' @Q)",                            ANY,      false},
    {"script file",           "cat >zq.sh <<'ZQ'\n@R\nZQ\nbash zq.sh",             ANY,      false},
    {"script by name",        "printf '%s\\n' @Q >zq; chmod +x zq; ./zq",          ANY,      false},
    {"read",                  "read -r zq <<< @Q; eval \"$zq\"",                   LINE,     false},
    {"array",                 "zq=(@Q); eval \"${zq[0]}\"",                        ANY,      false},
    {"brace list",            "true; { true; @R\n}",                               ANY,      false},
    {"python",                "python3 -c 'import os; os.system(\"\"\"@Y\"\"\")'", LINE,     false},
    {"backslash",             "@B@T",                                              NAMED,    false},
    {"quoted letter",         "@S@T",                                              NAMED,    false},
    {"empty quotes",          "@E@T",                                              NAMED,    false},
    {"double quotes",         "@D@T",                                              NAMED,    false},
    {"line continuation",     "@C@T",                                              NAMED,    false},
    {"name in a variable",    "zq=@N; $zq@T",                                      NAMED,    false},
    {"default of a variable", "${zq:-@N}@T",                                       NAMED,    false},
    {"name from echo",        "$(echo @N)@T",                                      NAMED,    false},
    {"name from an array",    "zq=(@N); ${zq[0]}@T",                               NAMED,    false},
    {"name by reference",     "zr=@N; zq=zr; ${!zq}@T",                            NAMED,    false},
    {"name by read",          "read zq <<< @N; $zq@T",                             NAMED,    false},
    {"name in $''",           "$'\\x@X'@Z@T",                                      NAMED,    false},
    {"command",               "command @N@T",                                      NAMED,    false},
    {"env",                   "env @N@T",                                          EXTERNAL, false},
    {"env with values",       "env -u A B=c @N@T",                                 EXTERNAL, false},
    {"nice",                  "nice -n 5 @N@T",                                    EXTERNAL, false},
    {"timeout",               "timeout -k 1 30s @N@T",                             EXTERNAL, false},
    {"nohup",                 "nohup @N@T",                                        EXTERNAL, false},
    {"setsid",                "setsid -w @N@T",                                    EXTERNAL, false},
    {"stdbuf",                "stdbuf -oL @N@T",                                   EXTERNAL, false},
    {"ionice",                "ionice -c 3 @N@T",                                  EXTERNAL, false},
    {"flock",                 "flock /tmp/zq.lock @N@T",                           EXTERNAL, false},
    {"sudo",                  "sudo -u nobody @N@T",                               EXTERNAL, false},
    {"exec",                  "exec @N@T",                                         EXTERNAL, false},
    {"unknown wrapper",       "zq-wrapper @N@T",                                   PROGRAM,  false},
    {"assignment in front",   "ZQ=1 @N@T",                                         NAMED,    false},
    {"redirection in front",  "2>/dev/null @N@T",                                  NAMED,    false},
    {"positional",            "set -- @R; \"$@\"",                                 SIMPLE,   false},
    {"array of words",        "zq=(@R); \"${zq[@]}\"",                             SIMPLE,   false},
    {"function argument",     "zq() { \"$@\"; }; zq @R",                           SIMPLE,   false},
    {"loop over names",       "for zq in @N; do $zq@T; done",                      SIMPLE,   false},
    {"alias of the name",     "alias zq=@N\nzq@T",                                 SIMPLE,   false},
    {"find -exec",            "find . -maxdepth 0 -exec @R \\;",                   PROGRAM,  false},
    {"xargs",                 "echo zq | xargs -o -I zq @R",                       PROGRAM,  false},
    {"busybox nice",          "busybox nice @R",                                   PROGRAM,  false},
    {"comment",               "@R\n# rest",                                        ANY,      true },
    {"comment in front",      "# first\n\n@R",                                     ANY,      true },
    {"blank lines",           "\n\n@R\n\n",                                        ANY,      true },
    {"errors to nowhere",     "{\n:\n@R\n} 2>/dev/null",                           ANY,      true },
    {"output to nowhere",     "{\n:\n@R\n} >/dev/null 2>&1",                       ANY,      true },
    {"all to nowhere",        "{\n:\n@R\n} &>/dev/null",                           ANY,      true },
};
#define ROWS (sizeof(rows) / sizeof(*rows))

static bool is_one_of(const char *word, size_t len, const char *list)
{
    for (const char *at = list; *at; at += strspn(at, " ")) {
        size_t n = strcspn(at, " ");
        if (n == len && !memcmp(at, word, len))
            return true;
        at += n;
    }
    return false;
}

static size_t name_of(const char *text)
{
    static const char reserved[] = "if then else elif fi for while until do done case esac select "
                                   "function in time coproc";
    size_t len = 0;
    while (isalnum((unsigned char)text[len]) || (len && strchr("._/+-", text[len]) && text[len]) ||
           (!len && strchr("./", *text) && *text))
        len++;
    bool ends = !text[len] || text[len] == ' ';
    const char *next = text + len + strspn(text + len, " ");
    if (!len || !ends || *next == '(' || is_one_of(text, len, reserved))
        return 0;
    return len;
}

static bool is_builtin(const char *text, size_t len)
{
    static const char names[] =
        "cd pushd popd export declare typeset local readonly unset set shopt alias unalias eval "
        "exec "
        "source . trap read mapfile readarray hash enable history fc bind complete compgen command "
        "builtin let ulimit umask wait jobs bg fg disown suspend exit return break continue shift "
        "getopts caller logout times dirs type printf PATH coproc";
    return is_one_of(text, len, names);
}

/* What stands outside quotes: is it one command, is it one line that is complete? */
static void look(const char *text, bool *simple, bool *line)
{
    char quote = 0;
    *simple = *line = true;
    for (const char *at = text; *at; at++) {
        if (*at == '\n' || (*at == '\\' && at[1] == '\n'))
            *simple = *line = false;
        if (quote) {
            if (*at == '\\' && quote == '"' && at[1])
                at++;
            else if (*at == quote)
                quote = 0;
            else if (quote == '"' && (*at == '`' || (*at == '$' && at[1] == '(')))
                *simple = false;
        } else if (*at == '\\' && at[1]) {
            at++;
        } else if (*at == '\'' || *at == '"') {
            quote = *at;
        } else if (strchr(";&|<>()`{}#", *at)) {
            *simple = false;
            if (*at == '#' || (at[0] == '<' && at[1] == '<'))
                *line = false;
        }
    }
    size_t len = strlen(text);
    if (quote || !len || strchr("&\\;", text[len - 1]))
        *simple = *line = false;
}

struct command {
    const char *text;
    size_t name;
    bool builtin, simple, line;
};

static bool fits(const struct command *c, enum needs needs)
{
    switch (needs) {
    case ANY:
        return true;
    case PLAIN:
        return !strstr(c->text, "{}") && !strstr(c->text, "$0");
    case LINE:
        return c->line && !strstr(c->text, "$0");
    case NAMED:
        return c->name;
    case EXTERNAL:
        return c->name && !c->builtin;
    case SIMPLE:
        return c->name && c->simple;
    case PROGRAM:
        return c->name && c->simple && !c->builtin;
    }
    return false;
}

static void put_single(const char *text)
{
    putchar('\'');
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text);
    }
    putchar('\'');
}

/* Inside a triple-quoted string of Python inside single quotes. */
static void put_python(const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else if (*text == '"' || *text == '\\')
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

static void put_name(const struct command *c, char how)
{
    const char *t = c->text;
    int first = c->name > 1 ? 1 : 0, n = (int)c->name;
    switch (how) {
    case 'N':
        printf("%.*s", n, t);
        break;
    case 'B':
        printf("%.*s\\%.*s", first, t, n - first, t + first);
        break;
    case 'S':
        printf("'%c'%.*s", t[0], n - 1, t + 1);
        break;
    case 'E':
        printf("%.*s''%.*s", first, t, n - first, t + first);
        break;
    case 'D':
        printf("\"%.*s\"", n, t);
        break;
    case 'C':
        printf("%.*s\\\n%.*s", first, t, n - first, t + first);
        break;
    case 'X':
        printf("%02x", (unsigned char)t[0]);
        break;
    default:
        printf("%.*s", n - 1, t + 1);
    }
}

static void put_form(const struct command *c, const char *form)
{
    for (; *form; form++) {
        if (form[0] != '@' || !strchr("RQYTNBSEDCXZ", form[1])) {
            putchar(*form);
            continue;
        }
        form++;
        if (*form == 'R')
            fputs(c->text, stdout);
        else if (*form == 'Q')
            put_single(c->text);
        else if (*form == 'Y')
            put_python(c->text);
        else if (*form == 'T')
            fputs(c->text + c->name, stdout);
        else
            put_name(c, *form);
    }
    putchar(0);
}

int main(int argc, char **argv)
{
    char *text = NULL;
    size_t size = 0;
    FILE *names = argc == 2 ? fopen(argv[1], "we") : NULL;
    if (!names) {
        fputs("usage: vary NAMES <COMMANDS >SPELLINGS\n", stderr);
        return 2;
    }
    for (unsigned number = 1; getdelim(&text, &size, 0, stdin) > 0; number++) {
        struct command c = {.text = text, .name = name_of(text)};
        c.builtin = is_builtin(text, c.name);
        look(text, &c.simple, &c.line);
        fputs(text, stdout);
        putchar(0);
        fprintf(names, "%u\tbase\t-\n", number);
        for (size_t i = 0; i < ROWS; i++) {
            if (!fits(&c, rows[i].needs))
                continue;
            put_form(&c, rows[i].form);
            fprintf(names, "%u\t%s\t%s\n", number, rows[i].same ? "same" : "harder", rows[i].name);
        }
    }
    free(text);
    return fclose(names) || fflush(stdout) ? 2 : 0;
}
