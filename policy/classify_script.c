/* sed, awk, TeX: text tools with a language of their own. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- sed ------------------------------------------------------------------------------------------------------------- */
struct sed {
    struct sbx_judge *j;
    const char *at, *end;
    bool reads_files;
};

/* Past an unescaped delimiter. */
static const char *sed_past(const struct sed *s, const char *at, char delimiter)
{
    bool set = false;
    while (at < s->end && (*at != delimiter || set)) {
        if (*at == '\\' && at + 1 < s->end)
            at++;
        else if (*at == '[')
            set = false;
        at++;
    }
    return at < s->end ? at + 1 : at;
}

static void sed_file(struct sed *s, enum sbx_access access)
{
    const char *from = s->at + strspn(s->at, " \t"), *to = from;
    while (to < s->end && *to != '\n' && *to != ';' && *to != '}')
        to++;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    struct sbx_value *file =
        to > from ? sbx_value_new(&s->j->arena, from, (size_t)(to - from)) : NULL;
    if (file)
        (void)sbx_check_path(s->j, file, access);
    s->at = to;
}

static void sed_exec(struct sed *s)
{
    sbx_find(s->j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "a command run by sed",
             "run that command by itself");
    s->at = s->end;
}

static void sed_substitute(struct sed *s)
{
    char delimiter = *s->at++;
    s->at = sed_past(s, s->at, delimiter);
    s->at = sed_past(s, s->at, delimiter);
    for (; s->at < s->end && (isalnum((unsigned char)*s->at)); s->at++) {
        if (*s->at == 'e') {
            sed_exec(s);
            return;
        }
        if (*s->at == 'w') {
            s->at++;
            sed_file(s, SBX_ACCESS_WRITE);
            return;
        }
    }
}

static void sed_address(struct sed *s)
{
    for (;;) {
        s->at += strspn(s->at, " \t;{}\n");
        if (s->at >= s->end)
            return;
        if (*s->at == '/' || *s->at == '\\') {
            char delimiter = *s->at == '\\' && s->at + 1 < s->end ? *++s->at : '/';
            s->at = sed_past(s, s->at + 1, delimiter);
            s->at += strspn(s->at, "IM");
        } else if (isdigit((unsigned char)*s->at) || strchr("$,+~!", *s->at)) {
            s->at++;
        } else {
            return;
        }
    }
}

static void sed_script(struct sbx_judge *j, const struct sbx_value *script)
{
    struct sed s = {.j = j, .at = script->text, .end = script->text + script->len};
    while (s.at < s.end) {
        sed_address(&s);
        if (s.at >= s.end)
            return;
        char c = *s.at++;
        if (c == 's' && s.at < s.end)
            sed_substitute(&s);
        else if (c == 'y' && s.at < s.end)
            s.at = sed_past(&s, sed_past(&s, s.at + 1, *s.at), *s.at);
        else if (c == 'e')
            sed_exec(&s);
        else if (c == 'w' || c == 'W')
            sed_file(&s, SBX_ACCESS_WRITE);
        else if (c == 'r' || c == 'R')
            sed_file(&s, SBX_ACCESS_READ);
        else if (strchr("aic", c) || strchr(":btT#", c))
            while (s.at < s.end && *s.at != '\n' && !(strchr(":btT", c) && *s.at == ';')) {
                s.at += *s.at == '\\' && s.at + 1 < s.end;
                s.at++;
            }
    }
}

static void awk_program(struct sbx_judge *j, const struct sbx_value *program);

/* A script in a file, or on standard input: known where it was made in this input. */
static void script_file(struct sbx_judge *j, const struct sbx_use *use,
                        const struct sbx_value *file, bool awk)
{
    char path[SBX_PATH_BYTES];
    bool standard = sbx_value_is(file, "-") || sbx_value_is(file, "/dev/stdin");
    struct sbx_made *made =
        !standard && sbx_path_of(j, file, path, sizeof(path)) ? sbx_made_find(j, path) : NULL;
    const struct sbx_value *text = standard && use->in ? use->in->text : made ? made->text : NULL;
    uint32_t taint = (standard && use->in ? use->in->taint : 0) | (made ? made->taint : 0);
    if (taint & SBX_TAINT_NET)
        sbx_find(j, SBX_DENY, SBX_CLASS_REMOTE_CODE, "code from the network",
                 "read what was downloaded first, and run it in a later command");
    else if (text && awk)
        awk_program(j, text);
    else if (text)
        sed_script(j, text);
}

void sbx_check_sed(struct sbx_judge *j, struct sbx_use *use)
{
    bool has_script = false, in_place = sbx_use_letter(use, 'i');
    uint32_t taint = use->in ? use->in->taint : 0;
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *o = &use->option[i];
        if (o->letter == 'e' && o->value)
            sed_script(j, o->value);
        has_script |= o->letter == 'e' || o->letter == 'f';
        if (o->letter == 'f' && o->value)
            script_file(j, use, o->value, false);
    }
    for (uint32_t i = 0; i < use->operands; i++) {
        if (!has_script) {
            has_script = true;
            sed_script(j, use->operand[i]);
            continue;
        }
        taint |= sbx_check_path(j, use->operand[i], in_place ? SBX_ACCESS_WRITE : SBX_ACCESS_READ);
    }
    if (in_place)
        j->writes_output = true;
    use->out->is_set = true;
    use->out->taint = taint;
}

/* --- awk ------------------------------------------------------------------------------------------------------------- */
/* A string literal that begins at `at` ('"'); returns what is behind it. */
static const char *awk_string(struct sbx_judge *j, const char *at, const char *end,
                              struct sbx_value **out)
{
    struct sbx_text text = {.arena = &j->arena};
    for (at++; at < end && *at != '"';) {
        char byte = 0;
        size_t n = sbx_escape_byte(at, (size_t)(end - at), &byte);
        sbx_text_put(&text, n ? &byte : at, 1, SBX_MASK_LITERAL);
        at += n ? n : 1;
    }
    *out = sbx_text_value(&text, (struct sbx_span){0, 0});
    return at < end ? at + 1 : at;
}

/* system() inherits the input; what print pipes to a command is its input. */
static void awk_run(struct sbx_judge *j, struct sbx_value *command, bool whole, bool piped)
{
    const struct sbx_flow in = {.is_set = true, .taint = SBX_TAINT_FILE};
    struct sbx_flow out = {0};
    if (command)
        sbx_judge_code(j, command, piped ? &in : NULL, &out);
    if (!command || !whole)
        sbx_find(j, SBX_ASK, SBX_CLASS_SHELL_EVASION, "a command that awk puts together",
                 "run the commands from the shell, where they can be read");
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* Walking an awk program: what was last seen decides what a string is for. */
struct awk {
    struct sbx_judge *j;
    const char *at, *end;
    char last, before; /* the last two bytes that count */
    bool is_system, printing;
    bool runs_variable; /* cmd | getline, print | cmd: what is assigned may be a command */
};

static void awk_saw(struct awk *a, char byte)
{
    a->before = a->last;
    a->last = byte;
}

static bool looks_like_file(const struct sbx_value *text)
{
    return text->len && (strchr("/~.", text->text[0]) || !strchr(text->text, ' '));
}

/* system("…"), "cmd" | getline, print | "cmd", print > "file" */
static void awk_literal(struct awk *a)
{
    struct sbx_value *text = NULL;
    a->at = awk_string(a->j, a->at, a->end, &text);
    const char *next = skip_blanks(a->at, a->end);
    bool whole = next >= a->end || strchr(");}\n|&,", *next);
    bool piped_to = a->last == '|' && a->before != '|';
    bool pipes = next + 1 < a->end && *next == '|' && next[1] != '|' && !a->printing;
    if (a->runs_variable && text && a->last == '=' && a->before == 'a')
        awk_run(a->j, text, whole, false);
    else if (a->is_system || piped_to)
        awk_run(a->j, text, whole, piped_to);
    else if (pipes && text)
        awk_run(a->j, text, true, false);
    else if (text && a->last == '>' && a->printing && looks_like_file(text))
        (void)sbx_check_path(a->j, text, SBX_ACCESS_WRITE);
    else if (text && text->len > 1 && text->text[0] == '/')
        (void)sbx_check_path(a->j, text, SBX_ACCESS_READ);
    if (text && !strncmp(text->text, "/inet/", 6))
        sbx_find(a->j, SBX_DENY, SBX_CLASS_EXFIL, "a network connection of awk's",
                 "use curl for what you need from the network");
    a->is_system = false;
    awk_saw(a, '"');
}

static void awk_name(struct awk *a)
{
    const char *name = a->at;
    while (a->at < a->end && (isalnum((unsigned char)*a->at) || *a->at == '_'))
        a->at++;
    size_t len = (size_t)(a->at - name);
    const char *next = skip_blanks(a->at, a->end);
    if (len == 6 && !memcmp(name, "system", 6) && next < a->end && *next == '(') {
        a->at = skip_blanks(next + 1, a->end);
        a->is_system = true;
        if (a->at < a->end && *a->at != '"')
            awk_run(a->j, NULL, false, false);
    }
    a->printing |=
        (len == 5 && !memcmp(name, "print", 5)) || (len == 6 && !memcmp(name, "printf", 6));
    awk_saw(a, 'a');
}

static void awk_regex(struct awk *a)
{
    for (a->at++; a->at < a->end && *a->at != '/' && *a->at != '\n'; a->at++)
        a->at += *a->at == '\\' && a->at + 1 < a->end;
    a->at += a->at < a->end;
    awk_saw(a, '/');
}

static bool awk_is_name(char byte)
{
    return isalnum((unsigned char)byte) || byte == '_';
}

/* A pipe between a variable and getline, or into a variable. */
static bool awk_runs_variable(const struct sbx_value *program)
{
    const char *at = program->text, *end = at + program->len;
    for (; (at = memchr(at, '|', (size_t)(end - at))) != NULL; at++) {
        const char *next = skip_blanks(at + 1, end), *before = at;
        while (before > program->text && before[-1] == ' ')
            before--;
        bool getline = end - next >= 7 && !memcmp(next, "getline", 7);
        bool named = before > program->text && awk_is_name(before[-1]);
        bool doubled = at + 1 < end && at[1] == '|';
        if (doubled)
            at++;
        else if (next < end && (getline ? named : isalpha((unsigned char)*next)))
            return true;
    }
    return false;
}

static void awk_program(struct sbx_judge *j, const struct sbx_value *program)
{
    struct awk a = {.j = j,
                    .at = program->text,
                    .end = program->text + program->len,
                    .runs_variable = awk_runs_variable(program)};
    while (a.at < a.end) {
        bool operand = isalnum((unsigned char)a.last) || (a.last && strchr(")]$_", a.last));
        if (*a.at == '#') {
            a.at += strcspn(a.at, "\n");
        } else if (*a.at == '/' && !operand) {
            awk_regex(&a);
        } else if (*a.at == '"') {
            awk_literal(&a);
        } else if (isalpha((unsigned char)*a.at) || *a.at == '_') {
            awk_name(&a);
        } else {
            if (strchr(";}\n", *a.at))
                a.printing = false;
            if (!isspace((unsigned char)*a.at))
                awk_saw(&a, *a.at);
            a.at++;
        }
    }
}

void sbx_check_awk(struct sbx_judge *j, struct sbx_use *use)
{
    bool has_program = false;
    uint32_t taint = use->in ? use->in->taint : 0;
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *o = &use->option[i];
        if (o->letter == 'e' && o->value)
            awk_program(j, o->value);
        has_program |= o->letter == 'e' || o->letter == 'f';
        if (o->letter == 'f' && o->value)
            script_file(j, use, o->value, true);
    }
    for (uint32_t i = 0; i < use->operands; i++) {
        const struct sbx_value *word = use->operand[i];
        if (!has_program) {
            has_program = true;
            awk_program(j, word);
        } else if (!memchr(word->text, '=', word->len)) {
            taint |= sbx_check_path(j, word, SBX_ACCESS_READ);
        }
    }
    use->out->is_set = true;
    use->out->taint = taint;
}

/* TeX reads, writes and, with -shell-escape, runs what its text says. */
void sbx_check_tex(struct sbx_judge *j, struct sbx_use *use)
{
    for (uint32_t i = 0; i < use->operands; i++) {
        const struct sbx_value *text = use->operand[i];
        const char *hit = strstr(text->text, "write18{");
        if (!strchr(text->text, '\\'))
            continue;
        sbx_classify_program(j, "tex", text, NULL);
        if (hit) {
            struct sbx_value *code = sbx_value_new(&j->arena, hit + 8, strcspn(hit + 8, "}"));
            struct sbx_flow out = {0};
            if (code)
                sbx_judge_code(j, code, NULL, &out);
        }
    }
}

/* cmake -E has a tool set of its own; each tool is judged as what it is elsewhere. */
static void cmake_tool(struct sbx_judge *j, struct sbx_use *use)
{
    static const struct {
        const char *tool, *command, *option;
    } tools[] = {
        {"rm",                          "rm",        NULL},
        {"remove",                      "rm",        NULL},
        {"remove_directory",            "rm",        "-r"},
        {"rename",                      "mv",        NULL},
        {"copy",                        "cp",        NULL},
        {"copy_if_different",           "cp",        NULL},
        {"copy_directory",              "cp",        "-r"},
        {"copy_directory_if_different", "cp",        "-r"},
        {"create_symlink",              "ln",        "-s"},
        {"create_hardlink",             "ln",        NULL},
        {"make_directory",              "mkdir",     "-p"},
        {"touch",                       "touch",     NULL},
        {"cat",                         "cat",       NULL},
        {"md5sum",                      "md5sum",    NULL},
        {"sha1sum",                     "sha1sum",   NULL},
        {"sha256sum",                   "sha256sum", NULL},
        {"compare_files",               "cmp",       NULL},
        {"tar",                         "tar",       NULL},
    };
    uint32_t first = 1;
    while (first < use->words && use->word[first - 1] != use->operand[0])
        first++;
    struct sbx_value **words = sbx_arena_alloc(&j->arena, (use->words + 2) * sizeof(*words));
    for (size_t i = 0; words && i < sizeof(tools) / sizeof(*tools); i++) {
        if (!sbx_value_is(use->operand[0], tools[i].tool))
            continue;
        uint32_t count = 0;
        words[count++] = sbx_value_new(&j->arena, tools[i].command, strlen(tools[i].command));
        if (tools[i].option)
            words[count++] = sbx_value_new(&j->arena, tools[i].option, strlen(tools[i].option));
        for (uint32_t k = first; k < use->words; k++)
            words[count++] = use->word[k];
        if (words[0] && words[1])
            sbx_judge_argv(j, (struct sbx_argv){words, count}, use->in, use->out);
        return;
    }
}

/* cmake -E env CMD, cmake -E time CMD */
void sbx_check_cmake(struct sbx_judge *j, struct sbx_use *use)
{
    if (!sbx_use_letter(use, 'E') || use->operands < 2)
        return;
    uint32_t at = 1;
    if (!sbx_value_is(use->operand[0], "env") && !sbx_value_is(use->operand[0], "time")) {
        cmake_tool(j, use);
        return;
    }
    while (at < use->operands && strchr(use->operand[at]->text, '='))
        at++;
    if (at < use->operands)
        sbx_judge_argv(j, (struct sbx_argv){use->operand + at, use->operands - at}, use->in,
                       use->out);
}
