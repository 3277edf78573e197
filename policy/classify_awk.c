/* awk: what its programs run, read and write. No interpreter: texts that are put together of literals,
 * variables and known input are followed, nothing else. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <ctype.h>
#include <string.h>

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
static void awk_run(struct sbx_judge *j, const struct sbx_value *command, bool whole, bool piped,
                    const struct sbx_value *input)
{
    bool known = input && sbx_value_known(input);
    const struct sbx_flow in = {.is_set = true,
                                .text = known ? input : NULL,
                                .taint = known ? 0 : (uint32_t)SBX_TAINT_FILE};
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
#define VARS_MAX  32
#define LINES_MAX 32 /* of the input, each of which a program may run */

struct awk_var {
    const char *name;
    size_t len;
    const struct sbx_value *value;
};

struct awk {
    struct sbx_judge *j;
    const char *at, *end;
    char last, before; /* the last two bytes that count */
    bool printing;
    bool runs_variable; /* cmd | getline, print | cmd: what is assigned may be a command */
    const struct sbx_value *input;
    const char *printed; /* what the last print prints begins here */
    const char *name;    /* the last identifier */
    size_t name_len;
    struct awk_var var[VARS_MAX];
    unsigned vars;
};

static void awk_saw(struct awk *a, char byte)
{
    a->before = a->last;
    a->last = byte;
}

/* --- what expressions become --------------------------------------------------------------------------- */
static void awk_set(struct awk *a, const char *name, size_t len, const struct sbx_value *value)
{
    if (len && value && a->vars < VARS_MAX)
        a->var[a->vars++] = (struct awk_var){name, len, value};
}

static const struct sbx_value *awk_get(const struct awk *a, const char *name, size_t len)
{
    for (unsigned i = a->vars; i--;)
        if (a->var[i].len == len && !memcmp(a->var[i].name, name, len))
            return a->var[i].value;
    return NULL;
}

/* Line number `line` of the input; false past its end. */
static bool awk_line(const struct awk *a, unsigned line, const char **at, size_t *len)
{
    const char *text = a->input ? a->input->text : "";
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
        *at = text;
        *len = strcspn(text, "\n");
        if (!line--)
            return true;
    }
    return false;
}

/* $0, $1: the line or one of its fields; how many bytes the expression takes, 0: not known. */
static size_t awk_field(const struct awk *a, const char *at, unsigned line, struct sbx_text *out)
{
    const char *text = "";
    size_t len = 0, field = 0, digits = 1;
    while (isdigit((unsigned char)at[digits]))
        field = field * 10 + (size_t)(at[digits++] - '0');
    if (digits == 1 || !awk_line(a, line, &text, &len))
        return 0;
    const char *end = text + len;
    for (size_t i = 1; field; i++) {
        text += strspn(text, " \t");
        size_t word = 0;
        while (text + word < end && !isspace((unsigned char)text[word]))
            word++;
        len = word;
        if (i == field || !word)
            break;
        text += word;
    }
    sbx_text_put(out, text, len, SBX_MASK_LITERAL);
    return digits;
}

static size_t awk_word_len(const char *at, const char *end)
{
    size_t len = 0;
    while (at + len < end && (isalnum((unsigned char)at[len]) || at[len] == '_'))
        len++;
    return len;
}

/* Literals, variables and fields one after the other, for one line of the input. */
static struct sbx_value *awk_expression(const struct awk *a, const char *at, const char *end,
                                        unsigned line)
{
    struct sbx_text out = {.arena = &a->j->arena};
    while (at < end) {
        struct sbx_value *text = NULL;
        size_t word = awk_word_len(at, end);
        size_t field = *at == '$' ? awk_field(a, at, line, &out) : 0;
        const struct sbx_value *value = word ? awk_get(a, at, word) : NULL;
        if (*at == '"') {
            at = awk_string(a->j, at, end, &text);
            if (text)
                sbx_text_append(&out, text);
            continue;
        }
        if (value)
            sbx_text_append(&out, value);
        else if (word && isdigit((unsigned char)*at))
            sbx_text_put(&out, at, word, SBX_MASK_LITERAL);
        else if (!field && !strchr(" \t()", *at))
            sbx_text_unknown(&out, SBX_MASK_UNKNOWN, 0);
        at += word ? word : field ? field : 1;
    }
    return sbx_text_value(&out, a->j->span);
}

/* Where an argument or an assigned expression ends. */
static const char *awk_expression_end(const struct awk *a, const char *at)
{
    unsigned depth = 0;
    for (; at < a->end; at++) {
        if (*at == '"') {
            for (at++; at < a->end && *at != '"'; at++)
                at += *at == '\\' && at + 1 < a->end;
            continue;
        }
        if (strchr(";}\n", *at) || (*at == ')' && !depth))
            break;
        depth += *at == '(';
        depth -= *at == ')';
    }
    return at < a->end ? at : a->end;
}

/* system(EXPRESSION), with each line of the input that is known. */
static void awk_system(struct awk *a, const char *from)
{
    const char *end = awk_expression_end(a, from), *text = NULL;
    bool reads = memchr(from, '$', (size_t)(end - from)) != NULL;
    size_t len = 0;
    for (unsigned line = 0; line < LINES_MAX; line++) {
        if (line && !(reads && awk_line(a, line, &text, &len)))
            break;
        const struct sbx_value *command = awk_expression(a, from, end, line);
        awk_run(a->j, command, command && sbx_value_known(command), false, NULL);
    }
}

/* x = "rm -rf " y */
static void awk_assign(struct awk *a)
{
    const char *from = a->at + 1;
    if (a->last != 'a' || from >= a->end || *from == '=' || !a->name_len)
        return;
    awk_set(a, a->name, a->name_len, awk_expression(a, from, awk_expression_end(a, from), 0));
}

/* --- the program --------------------------------------------------------------------------------------- */
static bool looks_like_file(const struct sbx_value *text)
{
    return text->len && (strchr("/~.", text->text[0]) || !strchr(text->text, ' '));
}

/* What print "x" | "cmd" hands over, up to the pipe in front of the command. */
static const struct sbx_value *awk_printed(const struct awk *a, const char *command)
{
    const char *pipe = a->printed && a->printing ? a->printed : command;
    while (pipe < command && *pipe != '|')
        pipe++;
    if (pipe == command)
        return NULL;
    bool line = skip_blanks(a->printed, pipe) == pipe; /* print | "cmd": of $0 */
    return line ? a->input : awk_expression(a, a->printed, pipe, 0);
}

/* "cmd" | getline, print | "cmd", print > "file" */
static void awk_literal(struct awk *a)
{
    struct sbx_value *text = NULL;
    const char *from = a->at;
    a->at = awk_string(a->j, a->at, a->end, &text);
    const char *next = skip_blanks(a->at, a->end);
    bool whole = next >= a->end || strchr(");}\n|&,", *next);
    bool piped_to = a->last == '|' && a->before != '|';
    bool pipes = next + 1 < a->end && *next == '|' && next[1] != '|' && !a->printing;
    if (a->runs_variable && text && a->last == '=' && a->before == 'a')
        awk_run(a->j, text, whole, false, NULL);
    else if (piped_to)
        awk_run(a->j, text, whole, true, awk_printed(a, from));
    else if (pipes && text)
        awk_run(a->j, text, true, false, NULL);
    else if (text && a->last == '>' && a->printing && looks_like_file(text))
        (void)sbx_check_path(a->j, text, SBX_ACCESS_WRITE);
    else if (text && text->len > 1 && text->text[0] == '/')
        (void)sbx_check_path(a->j, text, SBX_ACCESS_READ);
    if (text && !strncmp(text->text, "/inet/", 6))
        sbx_find(a->j, SBX_DENY, SBX_CLASS_EXFIL, "a network connection of awk's",
                 "use curl for what you need from the network");
    awk_saw(a, '"');
}

static void awk_name(struct awk *a)
{
    const char *name = a->at;
    size_t len = awk_word_len(a->at, a->end);
    a->at += len;
    a->name = name;
    a->name_len = len;
    const char *next = skip_blanks(a->at, a->end);
    if (len == 6 && !memcmp(name, "system", 6) && next < a->end && *next == '(') {
        a->at = skip_blanks(next + 1, a->end);
        awk_system(a, a->at);
    }
    bool prints =
        (len == 5 && !memcmp(name, "print", 5)) || (len == 6 && !memcmp(name, "printf", 6));
    a->printing |= prints;
    if (prints)
        a->printed = a->at;
    awk_saw(a, 'a');
}

static void awk_regex(struct awk *a)
{
    for (a->at++; a->at < a->end && *a->at != '/' && *a->at != '\n'; a->at++)
        a->at += *a->at == '\\' && a->at + 1 < a->end;
    a->at += a->at < a->end;
    awk_saw(a, '/');
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
        bool named = before > program->text && awk_word_len(before - 1, before);
        bool doubled = at + 1 < end && at[1] == '|';
        if (doubled)
            at++;
        else if (next < end && (getline ? named : isalpha((unsigned char)*next)))
            return true;
    }
    return false;
}

/* -v name=value */
static void awk_variables(struct awk *a, const struct sbx_use *use)
{
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_value *word = use->option[i].letter == 'v' ? use->option[i].value : NULL;
        const char *equals = word ? memchr(word->text, '=', word->len) : NULL;
        size_t len = equals ? (size_t)(equals - word->text) : 0;
        if (!equals)
            continue;
        const struct sbx_value *value = sbx_value_tail(a->j, word, (uint32_t)len + 1);
        awk_set(a, word->text, len, value);
        if (a->runs_variable)
            awk_run(a->j, value, true, false, NULL);
    }
}

static void awk_program(struct sbx_judge *j, const struct sbx_use *use,
                        const struct sbx_value *program)
{
    bool by_option = sbx_use_letter(use, 'e') || sbx_use_letter(use, 'f');
    bool has_files = use->operands > (by_option ? 0 : 1);
    bool piped = !has_files && use->in && use->in->text && sbx_value_known(use->in->text);
    struct awk a = {.j = j,
                    .at = program->text,
                    .end = program->text + program->len,
                    .input = piped ? use->in->text : NULL,
                    .runs_variable = awk_runs_variable(program)};
    awk_variables(&a, use);
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
            if (*a.at == '=')
                awk_assign(&a);
            if (!isspace((unsigned char)*a.at))
                awk_saw(&a, *a.at);
            a.at++;
        }
    }
}

void sbx_check_awk(struct sbx_judge *j, struct sbx_use *use)
{
    bool has_program = false, in_place = false;
    uint32_t taint = use->in ? use->in->taint : 0;
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *o = &use->option[i];
        if (o->letter == 'e' && o->value)
            awk_program(j, use, o->value);
        bool includes = o->letter == 'i' && o->value;
        in_place |= includes && sbx_value_is(o->value, "inplace");
        if (includes && strchr(o->value->text, '/'))
            (void)sbx_check_path(j, o->value, SBX_ACCESS_READ);
        has_program |= o->letter == 'e' || o->letter == 'f';
        const struct sbx_value *script =
            o->letter == 'f' && o->value ? sbx_script_text(j, use, o->value) : NULL;
        if (script)
            awk_program(j, use, script);
    }
    for (uint32_t i = 0; i < use->operands; i++) {
        const struct sbx_value *word = use->operand[i];
        if (!has_program) {
            has_program = true;
            awk_program(j, use, word);
            if (sbx_is_secret_word(word->text))
                sbx_find_filtered(j, use);
        } else if (!memchr(word->text, '=', word->len)) {
            taint |= sbx_check_path(j, word, in_place ? SBX_ACCESS_WRITE : SBX_ACCESS_READ);
        }
    }
    use->out->is_set = true;
    use->out->taint = taint;
}
