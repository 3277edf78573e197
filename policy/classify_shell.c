/* Shells, builtins and wrappers: where words become code. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void find_evasion(struct sbx_judge *j, enum sbx_verdict_kind verdict, const char *what)
{
    sbx_find(j, verdict, SBX_CLASS_SHELL_EVASION, what,
             "write the command itself instead of hiding it in a value");
}

static bool holds_code(const struct sbx_value *v)
{
    return memmem(v->text, v->len, "$(", 2) || memchr(v->text, '`', v->len);
}

static struct sbx_value *tail_from(struct sbx_judge *j, const struct sbx_value *word, uint32_t from)
{
    struct sbx_text text = {.arena = &j->arena};
    struct sbx_value part = *word;
    part.text += from;
    part.len -= from;
    part.mask = part.mask ? part.mask + from : NULL;
    sbx_text_append(&text, &part);
    struct sbx_value *value = sbx_text_value(&text, word->span);
    return value ? value : &j->nothing;
}

static struct sbx_value *tail_copy(struct sbx_judge *j, const struct sbx_value *word)
{
    return tail_from(j, word, 0);
}

/* --- a shell's standard input --------------------------------------------------------------------------------- */
void sbx_judge_stdin(struct sbx_judge *j, struct sbx_use *use)
{
    const struct sbx_flow *in = use->in;
    if (!in || !in->is_set) {
        sbx_find(j, SBX_DENY, SBX_CLASS_NESTED_SHELL, "a shell of its own",
                 "you are in a shell already; run the command itself");
        return;
    }
    if (in->taint & SBX_TAINT_NET) {
        sbx_find(j, SBX_DENY, SBX_CLASS_REMOTE_CODE, "code from the network",
                 "save it to a file, read it, and run the file in a later command");
        return;
    }
    if ((in->taint & SBX_TAINT_DECODED) && !in->text) {
        sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "decoded data run as code",
                 "decode it to a file, read it, and run the file in a later command");
        return;
    }
    if (in->text) {
        /* Blank input runs nothing: < /dev/null. */
        sbx_judge_code(j, in->text, NULL, use->out);
        if (!in->text->len)
            use->out->is_set = true;
        return;
    }
    sbx_find(j, SBX_ASK, SBX_CLASS_REMOTE_CODE, "code from standard input",
             "run the script by its name instead of sending it to a shell");
}

void sbx_check_shell(struct sbx_judge *j, struct sbx_use *use)
{
    if (sbx_use_is_question(use) || sbx_use_letter(use, 'n'))
        return;
    use->out->is_set = true;
    if (sbx_use_letter(use, 'p') && !sbx_use_letter(use, 'c'))
        sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "a shell that keeps set-id rights",
                 "run the command itself");
    const struct sbx_opt *code = sbx_use_letter(use, 'c');
    if (code) {
        struct sbx_value *text = code->value;
        uint32_t first = 0;
        if (!text && use->operands)
            text = use->operand[first++];
        if (!text)
            return;
        /* $0 and the arguments of the text follow it. */
        const struct sbx_value *saved[10];
        struct sbx_values arguments = j->arguments;
        bool known = j->arguments_known;
        memcpy(saved, j->positional, sizeof(saved));
        sbx_args_set(j, use->operand + first + 1,
                     use->operands > first + 1 ? use->operands - first - 1 : 0);
        j->positional[0] = use->operands > first ? use->operand[first] : NULL;
        sbx_judge_code(j, text, use->in, use->out);
        /* Other shells have other grammars: what they name still tells. */
        if (use->name[0] != 'b' && use->name[0] != 's' && use->name[0] != 'd')
            sbx_classify_program(j, use->name, text, use->in);
        memcpy(j->positional, saved, sizeof(saved));
        j->arguments = arguments;
        j->arguments_known = known;
        return;
    }
    if (use->operands && !sbx_use_letter(use, 's') && !sbx_value_is(use->operand[0], "-")) {
        struct sbx_use inner = *use;
        inner.first = use->operand_at + 1;
        if ((sbx_value_has(use->operand[0], SBX_MASK_UNKNOWN) ||
             sbx_value_has(use->operand[0], SBX_MASK_NONEMPTY)) &&
            (use->operand[0]->taint & SBX_TAINT_LIST))
            sbx_find(j, SBX_ASK, SBX_CLASS_SHELL_EVASION, "a shell over files that nobody names",
                     "name the scripts that you run");
        (void)sbx_run_file(j, use->operand[0], &inner);
        return;
    }
    if (sbx_use_letter(use, 'i')) {
        sbx_find(j, SBX_DENY, SBX_CLASS_NESTED_SHELL, "an interactive shell",
                 "you are in a shell already; run the command itself");
        return;
    }
    sbx_judge_stdin(j, use);
}

/* --- files that are run ------------------------------------------------------------------------------------------ */
static const char *interpreter_of(const struct sbx_value *text, char *name, size_t size)
{
    if (text->len < 3 || text->text[0] != '#' || text->text[1] != '!')
        return NULL;
    const char *end = memchr(text->text, '\n', text->len);
    size_t len = end ? (size_t)(end - text->text) : text->len;
    size_t at = len;
    /* The last word without a dash: /usr/bin/env -S python3 */
    while (at > 2 && text->text[at - 1] != '/' && text->text[at - 1] != ' ')
        at--;
    if (len - at >= size)
        return NULL;
    memcpy(name, text->text + at, len - at);
    name[len - at] = 0;
    return name;
}

bool sbx_run_file(struct sbx_judge *j, const struct sbx_value *file, struct sbx_use *use)
{
    if (sbx_value_is(file, "/dev/stdin") || sbx_value_is(file, "/dev/fd/0") ||
        sbx_value_is(file, "/proc/self/fd/0")) {
        sbx_judge_stdin(j, use);
        return true;
    }

    char path[SBX_PATH_BYTES], name[64];
    if (file->taint & SBX_TAINT_NET)
        sbx_find(j, SBX_DENY, SBX_CLASS_REMOTE_CODE, "code from the network",
                 "read what was downloaded first, and run it in a later command");
    if (!sbx_path_of(j, file, path, sizeof(path)))
        return false;
    struct sbx_made *made = NULL;
    for (struct sbx_made *m = j->made; m && !made; m = m->next)
        if (!strcmp(m->path, path) ||
            (m->text == NULL && (m->taint & SBX_TAINT_NET) && sbx_path_below(path, m->path)))
            made = m;
    if (made && made->copy_of) {
        struct sbx_value *copy = sbx_value_new(&j->arena, made->copy_of, strlen(made->copy_of));
        struct sbx_value **words = sbx_arena_alloc(&j->arena, use->words * sizeof(*words));
        if (!copy || !words)
            return true;
        memcpy(words, use->word, use->words * sizeof(*words));
        words[0] = copy;
        sbx_judge_argv(j, (struct sbx_argv){words, use->words}, use->in, use->out);
        return true;
    }
    if (!made) {
        (void)sbx_check_path(j, file, SBX_ACCESS_EXECUTE);
        if (use->row)
            (void)sbx_check_path(j, file, SBX_ACCESS_READ);
        return false;
    }
    if (made->taint & SBX_TAINT_NET) {
        sbx_find(j, SBX_DENY, SBX_CLASS_REMOTE_CODE, "a program that was just downloaded",
                 "read what was downloaded first, and run it in a later command");
        return true;
    }
    if (!made->text)
        return use->row != NULL;
    const char *interpreter = interpreter_of(made->text, name, sizeof(name));
    const struct sbx_command_row *row =
        interpreter ? sbx_command_find(interpreter, strlen(interpreter)) : NULL;
    if (row && !(row->flags & SBX_CMD_SHELL))
        sbx_classify_program(j, interpreter, made->text, use->in);
    else
        sbx_judge_code(j, made->text, use->in, use->out);
    return true;
}

/* --- eval, source, trap, alias ----------------------------------------------------------------------------------- */
static struct sbx_value *joined(struct sbx_judge *j, struct sbx_value *const *words, uint32_t count)
{
    struct sbx_text text = {.arena = &j->arena};
    for (uint32_t i = 0; i < count; i++) {
        if (i)
            sbx_text_put(&text, " ", 1, SBX_MASK_LITERAL);
        sbx_text_append(&text, words[i]);
    }
    return sbx_text_value(&text, j->span);
}

void sbx_check_eval(struct sbx_judge *j, struct sbx_use *use)
{
    if (!strcmp(use->name, "watch") && sbx_use_has(use, "-x --exec")) {
        sbx_judge_argv(j, (struct sbx_argv){use->operand, use->operands}, use->in, use->out);
        return;
    }
    struct sbx_value *code = joined(j, use->operand, use->operands);
    if (code && code->len)
        sbx_judge_code(j, code, use->in, use->out);
}

void sbx_check_source(struct sbx_judge *j, struct sbx_use *use)
{
    (void)j;
    use->out->is_set = true;
}

void sbx_check_trap(struct sbx_judge *j, struct sbx_use *use)
{
    if (use->operands < 2)
        return;
    struct sbx_value *code = use->operand[0];
    for (uint32_t i = 1; i < use->operands; i++) {
        bool every = sbx_value_is(use->operand[i], "DEBUG") ||
                     sbx_value_is(use->operand[i], "RETURN") ||
                     sbx_value_is(use->operand[i], "ERR");
        const char *word = code->text + strspn(code->text, " \t");
        size_t len = strcspn(word, " ;\t\n");
        bool builtin = !len || (len == 4 && !strncmp(word, "echo", 4)) ||
                       (len == 1 && *word == ':') || (len == 6 && !strncmp(word, "printf", 6)) ||
                       (len == 1 && *word == '-') || (len == 4 && !strncmp(word, "exit", 4)) ||
                       (len == 6 && !strncmp(word, "return", 6)) ||
                       (len == 3 && !strncmp(word, "set", 3));
        if (every && !builtin)
            sbx_find(j, SBX_DENY, SBX_CLASS_PERSISTENCE, "a trap that runs before every command",
                     "use a trap on EXIT, or call the command where you need it");
    }
    if (!sbx_value_is(code, "-"))
        sbx_judge_code(j, code, use->in, NULL);
}

void sbx_classify_shadow(struct sbx_judge *j, const char *name, size_t len)
{
    static const char *const harmless[] = {
        "usage", "help",    "test", "info",   "start", "run",     "build", "log",
        "warn",  "error",   "die",  "main",   "clean", "install", "check", "step",
        "time",  "cleanup", "open", "script", "serve", "report",  "fetch", "pass"};
    for (size_t i = 0; i < sizeof(harmless) / sizeof(*harmless); i++)
        if (strlen(harmless[i]) == len && !memcmp(harmless[i], name, len))
            return;
    const struct sbx_command_row *row = sbx_command_find(name, len);
    uint32_t common = SBX_CMD_READONLY | SBX_CMD_BUILTIN | SBX_CMD_FILTER | SBX_CMD_SHELL |
                      SBX_CMD_NET | SBX_CMD_SUB | SBX_CMD_SENDER | SBX_CMD_WRAPPER;
    bool danger = row && (row->flags & SBX_CMD_DANGER) && !(row->flags & SBX_CMD_DASHLONG);
    if (row && ((row->flags & common) || danger))
        sbx_find(j, SBX_ASK, SBX_CLASS_PERSISTENCE, "a name that takes the place of a known tool",
                 "choose another name for it");
}

void sbx_check_alias(struct sbx_judge *j, struct sbx_use *use)
{
    for (uint32_t i = 0; i < use->operands; i++) {
        const struct sbx_value *word = use->operand[i];
        const char *equals = memchr(word->text, '=', word->len);
        if (!equals)
            continue;
        size_t len = (size_t)(equals - word->text);
        struct sbx_value body = *word;
        body.text += len + 1;
        body.len -= (uint32_t)len + 1;
        body.mask = body.mask ? body.mask + len + 1 : NULL;
        struct sbx_flow ignored = {0};
        const struct sbx_flow stream = {.is_set = true, .taint = SBX_TAINT_UNKNOWN};
        sbx_judge_code(j, &body, &stream, &ignored);
        /* alias ls='ls --color': the same tool with flags. */
        bool same = body.len >= len && !memcmp(body.text, word->text, len) &&
                    (body.len == len || body.text[len] == ' ');
        if (!same)
            sbx_classify_shadow(j, word->text, len);
        char *name = sbx_arena_strndup(&j->arena, word->text, len);
        if (name && sbx_value_known(&body))
            sbx_function_define(j, name, len, (struct sbx_function){.alias = body.text});
    }
}

/* --- variables ------------------------------------------------------------------------------------------------------ */
static void set_from_word(struct sbx_judge *j, const struct sbx_value *word)
{
    const char *equals = memchr(word->text, '=', word->len);
    size_t len = equals ? (size_t)(equals - word->text) : 0;
    if (!len || !(isalpha((unsigned char)word->text[0]) || word->text[0] == '_'))
        return;
    struct sbx_value value = *word;
    value.next = NULL;
    value.text += len + 1;
    value.len -= (uint32_t)len + 1;
    value.mask = value.mask ? value.mask + len + 1 : NULL;
    sbx_var_set(j, word->text, len, &value);
    sbx_classify_env(j, word->text, len, &value);
}

void sbx_check_export(struct sbx_judge *j, struct sbx_use *use)
{
    bool prints = !use->operands || sbx_use_letter(use, 'p');
    for (uint32_t i = 0; i < use->operands; i++) {
        const struct sbx_value *word = use->operand[i];
        if (memchr(word->text, '[', word->len) && holds_code(word))
            find_evasion(j, SBX_DENY, "code in a subscript");
        set_from_word(j, word);
        struct sbx_var *var = sbx_var_find(j, word->text, word->len);
        for (const struct sbx_value *v = var ? var->values.first : NULL; v; v = v->next)
            sbx_classify_env(j, word->text, word->len, v);
    }
    use->out->is_set = true;
    use->out->taint = prints ? SBX_TAINT_ENV : 0;
}

void sbx_check_set(struct sbx_judge *j, struct sbx_use *use)
{
    use->out->is_set = true;
    if (!use->operands && !use->options && use->words == 1)
        use->out->taint = SBX_TAINT_ENV;
    for (uint32_t i = use->first; i + 1 < use->words; i++) {
        if (sbx_value_is(use->word[i], "+o") && sbx_value_is(use->word[i + 1], "history"))
            sbx_find(j, SBX_DENY, SBX_CLASS_LOG_TAMPER, "shell history switched off",
                     "leave the history as it is");
    }
    if (use->operands || use->has_dashdash)
        sbx_args_set(j, use->operand, use->operands);
}

void sbx_check_shopt(struct sbx_judge *j, struct sbx_use *use)
{
    for (uint32_t i = 0; i < use->operands; i++)
        if (sbx_value_is(use->operand[i], "history") && sbx_use_letter(use, 'u'))
            sbx_find(j, SBX_DENY, SBX_CLASS_LOG_TAMPER, "shell history switched off",
                     "leave the history as it is");
}

void sbx_check_unset(struct sbx_judge *j, struct sbx_use *use)
{
    bool history = false;
    for (uint32_t i = 0; i < use->operands; i++) {
        const struct sbx_value *word = use->operand[i];
        if (holds_code(word))
            find_evasion(j, SBX_DENY, "code in a subscript");
        history |= sbx_value_is(word, "HISTFILE") || sbx_value_is(word, "HISTSIZE") ||
                   sbx_value_is(word, "HISTFILESIZE") || sbx_value_is(word, "PROMPT_COMMAND0");
        if (use->name[0] == 'u')
            sbx_var_unset(j, word->text, word->len);
    }
    if (history && use->name[0] == 'u')
        sbx_find(j, SBX_DENY, SBX_CLASS_LOG_TAMPER, "shell history switched off",
                 "leave the history as it is");
}

/* read VAR… : known where standard input is. */
void sbx_check_read(struct sbx_judge *j, struct sbx_use *use)
{
    const struct sbx_opt *array = sbx_use_letter(use, 'a');
    uint32_t taint = use->in ? use->in->taint : SBX_TAINT_UNKNOWN;
    const struct sbx_value *text = use->in ? use->in->text : NULL;
    size_t at = 0;
    struct sbx_values fields;
    sbx_values_init(&fields);
    for (uint32_t i = 0; i < use->operands || (array && !i); i++) {
        const struct sbx_value *name = array ? array->value : use->operand[i];
        if (holds_code(name))
            find_evasion(j, SBX_DENY, "code in a subscript");
        struct sbx_value *value = NULL;
        if (text) {
            while (at < text->len && strchr(" \t", text->text[at]))
                at++;
            size_t end = at;
            bool last = array ? false : i + 1 == use->operands;
            while (end < text->len && text->text[end] != '\n' &&
                   (last || !strchr(" \t", text->text[end])))
                end++;
            struct sbx_text part = {.arena = &j->arena, .taint = taint};
            struct sbx_value piece = *text;
            piece.text += at;
            piece.mask = piece.mask ? piece.mask + at : NULL;
            piece.len = (uint32_t)(end - at);
            sbx_text_append(&part, &piece);
            value = sbx_text_value(&part, j->span);
            at = end;
            if (array) {
                sbx_values_add(&fields, value);
                while (at < text->len && text->text[at] != '\n' && fields.count < 64) {
                    at += strspn(text->text + at, " \t");
                    end = at + strcspn(text->text + at, " \t\n");
                    if (end > at)
                        sbx_values_add(&fields,
                                       sbx_value_new(&j->arena, text->text + at, end - at));
                    at = end;
                }
            }
            /* In a loop the next line is another value. */
            if (j->loop_depth && value && memchr(text->text, '\n', text->len ? text->len - 1 : 0))
                value = sbx_value_unknown(&j->arena, taint);
        } else {
            value = sbx_value_unknown(&j->arena, taint ? taint : SBX_TAINT_UNKNOWN);
            if (array)
                sbx_values_add(&fields, value);
        }
        if (array)
            sbx_var_set_list(j, name->text, name->len, fields, true);
        else
            sbx_var_set(j, name->text, name->len, value);
    }
}

void sbx_check_mapfile(struct sbx_judge *j, struct sbx_use *use)
{
    const struct sbx_opt *callback = sbx_use_letter(use, 'C');
    if (callback)
        find_evasion(j, SBX_DENY, "a callback that runs code");
    if (!use->operands)
        return;
    struct sbx_values lines;
    sbx_values_init(&lines);
    const struct sbx_value *text = use->in ? use->in->text : NULL;
    for (size_t at = 0; text && at < text->len && lines.count < 64;) {
        size_t len = strcspn(text->text + at, "\n");
        sbx_values_add(&lines, sbx_value_new(&j->arena, text->text + at, len));
        at += len + 1;
    }
    if (!text)
        sbx_values_add(&lines,
                       sbx_value_unknown(&j->arena, use->in ? use->in->taint : SBX_TAINT_UNKNOWN));
    sbx_var_set_list(j, use->operand[0]->text, use->operand[0]->len, lines, true);
}

/* --- places and names -------------------------------------------------------------------------------------------------- */
void sbx_check_cd(struct sbx_judge *j, struct sbx_use *use)
{
    use->out->is_set = true;
    if (use->name[0] == 'd')
        return;
    if (!use->operands) {
        if (use->name[0] == 'c') {
            struct sbx_value *home = sbx_value_new(&j->arena, j->home, strlen(j->home));
            sbx_chdir(j, home);
        } else {
            j->cwd[0] = 0;
        }
        return;
    }
    (void)sbx_check_path(j, use->operand[0], SBX_ACCESS_LIST);
    if (sbx_value_is(use->operand[0], "-") || use->operand[0]->text[0] == '+')
        memcpy(j->cwd, j->project,
               strlen(j->project) < sizeof(j->cwd) ? strlen(j->project) + 1 : 1);
    else
        sbx_chdir(j, use->operand[0]);
}

void sbx_check_hash(struct sbx_judge *j, struct sbx_use *use)
{
    const struct sbx_opt *file = sbx_use_letter(use, 'p');
    if (!file || !file->value)
        return;
    sbx_find(j, SBX_ASK, SBX_CLASS_PERSISTENCE, "a name bound to another program",
             "call that program by its own path");
    const char *slash = strrchr(file->value->text, '/');
    if (use->operands && sbx_value_known(file->value)) {
        char *name = sbx_arena_strndup(&j->arena, use->operand[0]->text, use->operand[0]->len);
        if (name)
            sbx_function_define(
                j, name, use->operand[0]->len,
                (struct sbx_function){.alias = slash ? file->value->text : file->value->text});
    }
}

void sbx_check_enable(struct sbx_judge *j, struct sbx_use *use)
{
    const struct sbx_opt *file = sbx_use_letter(use, 'f');
    if (file && file->value) {
        char path[SBX_PATH_BYTES];
        bool mine =
            sbx_path_of(j, file->value, path, sizeof(path)) && sbx_path_below(path, j->workspace);
        sbx_find(j, mine ? SBX_ASK : SBX_DENY, SBX_CLASS_PERSISTENCE,
                 "a builtin loaded from a file", "run the program as a command of its own");
    }
}

void sbx_check_history(struct sbx_judge *j, struct sbx_use *use)
{
    static const char reason[] = "leave the history as it is";
    if (use->name[0] == 'f') {
        if (sbx_use_letter(use, 's'))
            find_evasion(j, SBX_ASK, "an old command run again");
        return;
    }
    if (sbx_use_letter(use, 'c') || sbx_use_letter(use, 'd'))
        sbx_find(j, SBX_DENY, SBX_CLASS_LOG_TAMPER, "history cleared", reason);
    if (sbx_use_letter(use, 's'))
        sbx_find(j, SBX_DENY, SBX_CLASS_LOG_TAMPER, "history written by hand", reason);
    const struct sbx_opt *write = sbx_use_letter(use, 'w');
    if (!write)
        write = sbx_use_letter(use, 'a');
    if (write && use->operands)
        (void)sbx_check_path(j, use->operand[0], SBX_ACCESS_WRITE);
}

void sbx_check_test(struct sbx_judge *j, struct sbx_use *use)
{
    struct sbx_values values;
    sbx_values_init(&values);
    for (uint32_t i = use->first; i < use->words; i++) {
        struct sbx_value *copy = sbx_arena_alloc(&j->arena, sizeof(*copy));
        if (!copy)
            return;
        *copy = *use->word[i];
        sbx_values_add(&values, copy);
    }
    sbx_classify_test(j, &values);
}

void sbx_classify_test(struct sbx_judge *j, const struct sbx_values *words)
{
    for (const struct sbx_value *v = words->first; v; v = v->next) {
        if (v->len != 2 && v->len != 3)
            continue;
        if (v->text[0] != '-' || !v->next)
            continue;
        if (v->len == 2 && (v->text[1] == 'v' || v->text[1] == 'R') && holds_code(v->next))
            find_evasion(j, SBX_DENY, "code in a subscript");
        if (v->len == 2 && strchr("abcdefghkprstuwxGLNOS", v->text[1]) && v->next->len &&
            v->next->text[0] != '-')
            (void)sbx_check_path(j, v->next, SBX_ACCESS_LIST);
        if (v->len == 3 &&
            (!strcmp(v->text, "-eq") || !strcmp(v->text, "-ne") || !strcmp(v->text, "-lt") ||
             !strcmp(v->text, "-gt") || !strcmp(v->text, "-le") || !strcmp(v->text, "-ge")))
            for (const struct sbx_value *o = words->first; o; o = o->next)
                if (holds_code(o) && memchr(o->text, '[', o->len))
                    find_evasion(j, SBX_DENY, "code in a value that arithmetic evaluates");
    }
}

/* --- wrappers ------------------------------------------------------------------------------------------------------------- */
void sbx_check_exec(struct sbx_judge *j, struct sbx_use *use)
{
    (void)j;
    use->out->is_set = true;
}

void sbx_check_command(struct sbx_judge *j, struct sbx_use *use)
{
    if (sbx_use_letter(use, 'v') || sbx_use_letter(use, 'V')) {
        sbx_check_known(j, use);
        return;
    }
    if (use->operands)
        sbx_judge_argv(j, (struct sbx_argv){use->operand, use->operands}, use->in, use->out);
}

void sbx_check_env(struct sbx_judge *j, struct sbx_use *use)
{
    uint32_t at = 0;
    use->out->is_set = true;
    if (use->name[0] == 'p') {
        bool secret = false;
        for (uint32_t i = 0; i < use->operands; i++)
            secret |= sbx_is_secret_word(use->operand[i]->text);
        if (secret)
            sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "a secret of the environment",
                     "programs find their secrets by themselves; no need to print one");
        use->out->taint = SBX_TAINT_ENV;
        return;
    }
    const struct sbx_opt *split = sbx_use_letter(use, 'S');
    struct sbx_var_log *mark = sbx_vars_mark(j);
    while (at < use->operands && memchr(use->operand[at]->text, '=', use->operand[at]->len) &&
           use->operand[at]->text[0] != '=')
        set_from_word(j, use->operand[at++]);
    if (split && split->value) {
        struct sbx_text text = {.arena = &j->arena};
        sbx_text_append(&text, split->value);
        for (; at < use->operands; at++) {
            sbx_text_put(&text, " ", 1, SBX_MASK_LITERAL);
            sbx_text_append(&text, use->operand[at]);
        }
        struct sbx_value *code = sbx_text_value(&text, j->span);
        if (code)
            sbx_judge_code(j, code, use->in, use->out);
    } else if (at < use->operands) {
        sbx_judge_argv(j, (struct sbx_argv){use->operand + at, use->operands - at}, use->in,
                       use->out);
    } else {
        use->out->taint = SBX_TAINT_ENV;
    }
    sbx_vars_rollback(j, mark);
}

/* busybox ls: an applet is the command of that name. */
void sbx_check_busybox(struct sbx_judge *j, struct sbx_use *use)
{
    (void)j;
    use->out->is_set = true;
}

/* Words that xargs and parallel add: the text on standard input, or unknown names. */
static struct sbx_values added_words(struct sbx_judge *j, const struct sbx_use *use)
{
    struct sbx_values added;
    sbx_values_init(&added);
    const struct sbx_flow *in = use->in;
    const struct sbx_value *text = in && !sbx_use_letter(use, 'a') ? in->text : NULL;
    if (text && text->len) {
        for (size_t at = 0; at < text->len && added.count < 64;) {
            at += strspn(text->text + at, " \t\n");
            size_t len = strcspn(text->text + at, " \t\n");
            if (!len)
                break;
            struct sbx_text part = {.arena = &j->arena, .taint = in->taint};
            struct sbx_value piece = *text;
            piece.text += at;
            piece.mask = piece.mask ? piece.mask + at : NULL;
            piece.len = (uint32_t)len;
            sbx_text_append(&part, &piece);
            sbx_values_add(&added, sbx_text_value(&part, j->span));
            at += len;
        }
        if (added.first)
            return added;
    }
    if (text && !text->len)
        return added;
    uint32_t taint = in && in->is_set && !sbx_use_letter(use, 'a') ? in->taint : SBX_TAINT_UNKNOWN;
    sbx_values_add(&added, sbx_value_unknown(&j->arena, taint | SBX_TAINT_LIST));
    return added;
}

static struct sbx_value *replace_mark(struct sbx_judge *j, const struct sbx_value *word,
                                      const char *mark, const struct sbx_value *with)
{
    size_t len = strlen(mark);
    const char *hit = len ? memmem(word->text, word->len, mark, len) : NULL;
    if (!hit)
        return NULL;
    size_t before = (size_t)(hit - word->text);
    struct sbx_text text = {.arena = &j->arena};
    struct sbx_value head = *word, tail = *word;
    head.len = (uint32_t)before;
    tail.text += before + len;
    tail.len -= (uint32_t)(before + len);
    tail.mask = tail.mask ? tail.mask + before + len : NULL;
    sbx_text_append(&text, &head);
    sbx_text_append(&text, with);
    sbx_text_append(&text, &tail);
    return sbx_text_value(&text, word->span);
}

void sbx_check_xargs(struct sbx_judge *j, struct sbx_use *use)
{
    const struct sbx_opt *insert = sbx_use_letter(use, 'I');
    bool is_parallel = use->name[0] == 'p';
    const char *mark = insert && insert->value && insert->value->len ? insert->value->text : "{}";
    struct sbx_values added = added_words(j, use);
    uint32_t count = use->operands, room;
    use->out->is_set = true;
    /* parallel cmd ::: a b */
    if (is_parallel) {
        for (uint32_t i = 0; i < use->operands; i++) {
            if (strncmp(use->operand[i]->text, ":::", 3) != 0)
                continue;
            sbx_values_init(&added);
            for (uint32_t k = i + 1; k < use->operands; k++)
                sbx_values_add(&added, tail_copy(j, use->operand[k]));
            count = i;
            break;
        }
    }
    room = count + added.count + 2;
    struct sbx_value **words = sbx_arena_alloc(&j->arena, room * sizeof(*words));
    if (!words || !count) {
        if (words && is_parallel && added.first)
            for (struct sbx_value *v = added.first; v; v = v->next)
                sbx_judge_code(j, v, NULL, use->out);
        else if (is_parallel)
            sbx_judge_stdin(j, use);
        return;
    }
    bool replaced = false;
    uint32_t n = 0;
    struct sbx_value *first =
        added.first ? added.first : sbx_value_unknown(&j->arena, SBX_TAINT_UNKNOWN);
    for (uint32_t i = 0; i < count && first; i++) {
        struct sbx_value *with =
            insert || is_parallel ? replace_mark(j, use->operand[i], mark, first) : NULL;
        replaced |= with != NULL;
        words[n++] = with ? with : use->operand[i];
    }
    if (!replaced)
        for (struct sbx_value *v = added.first; v; v = v->next)
            words[n++] = v;
    const struct sbx_flow none = {.is_set = true, .text = sbx_value_new(&j->arena, "", 0)};
    if (is_parallel && memchr(words[0]->text, ' ', words[0]->len)) {
        struct sbx_value *code = joined(j, words, n);
        if (code)
            sbx_judge_code(j, code, &none, use->out);
        return;
    }
    sbx_judge_argv(j, (struct sbx_argv){words, n}, &none, use->out);
}

/* --- values that are known ----------------------------------------------------------------------------------------------- */
static void print_value(struct sbx_judge *j, struct sbx_use *use, const char *text)
{
    use->out->is_set = true;
    use->out->taint = 0;
    use->out->text = sbx_value_new(&j->arena, text, strlen(text));
}

/* Where the name of a program is asked for, the name is what counts. */
void sbx_check_known(struct sbx_judge *j, struct sbx_use *use)
{
    const char *name = use->name;
    use->out->is_set = true;
    if (!strcmp(name, "true") || !strcmp(name, ":") || !strcmp(name, "false") ||
        !strcmp(name, "sleep")) {
        print_value(j, use, "");
    } else if (!strcmp(name, "pwd") && *j->cwd) {
        print_value(j, use, j->cwd);
    } else if (!strcmp(name, "whoami") || !strcmp(name, "logname") ||
               (!strcmp(name, "id") && sbx_use_has(use, "-un -n"))) {
        print_value(j, use, j->account);
    } else if (!strcmp(name, "mktemp")) {
        print_value(j, use, "/tmp/tmp.sbxXXXXXXXX");
    } else if (!strcmp(name, "which") || !strcmp(name, "type") || !strcmp(name, "command")) {
        if (use->operands == 1 && sbx_value_known(use->operand[0]))
            print_value(j, use, use->operand[0]->text);
    } else if (use->operands == 1 && sbx_value_known(use->operand[0])) {
        const char *text = use->operand[0]->text, *slash = strrchr(text, '/');
        char path[SBX_PATH_BYTES];
        if (!strcmp(name, "basename")) {
            print_value(j, use, slash ? slash + 1 : text);
        } else if (!strcmp(name, "dirname")) {
            struct sbx_value *dir =
                slash ? sbx_value_new(&j->arena, text, slash == text ? 1 : (size_t)(slash - text))
                      : sbx_value_new(&j->arena, ".", 1);
            use->out->text = dir;
            use->out->taint = 0;
        } else if ((!strcmp(name, "realpath") || !strcmp(name, "readlink")) &&
                   sbx_path_of(j, use->operand[0], path, sizeof(path)) && !use->option) {
            print_value(j, use, path);
        }
    }
}

/* Options and operands that are code in ways of their own. */
void sbx_check_codes(struct sbx_judge *j, struct sbx_use *use)
{
    const char *name = use->name;
    if (!strcmp(name, "script")) {
        if (!sbx_use_has(use, "-c --command") && !sbx_use_is_question(use))
            sbx_find(j, SBX_DENY, SBX_CLASS_NESTED_SHELL, "a shell of its own",
                     "you are in a shell already; run the command itself");
    } else if (!strcmp(name, "run-parts")) {
        char path[SBX_PATH_BYTES];
        if (use->operands && sbx_path_of(j, use->operand[0], path, sizeof(path)) &&
            !sbx_path_in_work(j, path) && !sbx_use_has(use, "--test --list"))
            find_evasion(j, SBX_DENY, "programs of a system folder, run one by one");
    } else if (!strcmp(name, "entr")) {
        if (sbx_use_letter(use, 's') && use->operands)
            sbx_judge_code(j, use->operand[0], NULL, use->out);
    } else if (!strcmp(name, "bind")) {
        if (sbx_use_has(use, "-x"))
            find_evasion(j, SBX_DENY, "code bound to a key");
        for (uint32_t i = 0; i < use->operands; i++)
            if (holds_code(use->operand[i]))
                find_evasion(j, SBX_DENY, "code bound to a key");
    } else if (!strcmp(name, "complete") || !strcmp(name, "compgen")) {
        const struct sbx_opt *words = sbx_use_option(use, "-W");
        if (words && words->value && holds_code(words->value))
            find_evasion(j, SBX_DENY, "code in a completion");
        const struct sbx_opt *function = sbx_use_option(use, "-F");
        if (function && name[4] == 'g')
            find_evasion(j, SBX_ASK, "a completion that runs a function");
    } else if (!strcmp(name, "nix-shell") || !strcmp(name, "nix")) {
        if (!sbx_use_has(use, "--run --command -c") && !use->operands && name[3] == '-')
            sbx_find(j, SBX_DENY, SBX_CLASS_NESTED_SHELL, "a shell of its own",
                     "name the command to run");
    } else if (!strcmp(name, "fzf") || !strcmp(name, "sk")) {
        for (uint32_t i = 0; i < use->options; i++)
            if (use->option[i].letter == 'x' && use->option[i].value &&
                (strstr(use->option[i].value->text, "execute") ||
                 strstr(use->option[i].value->text, "reload(") ||
                 strstr(use->option[i].value->text, "become(") ||
                 strstr(use->option[i].value->text, "transform")))
                find_evasion(j, SBX_DENY, "a key that runs a program");
    } else if (!strcmp(name, "gcc") || !strcmp(name, "cc") || !strcmp(name, "ld") ||
               !strcmp(name, "g++")) {
        for (uint32_t i = 0; i < use->operands; i++)
            if (use->operand[i]->text[0] == '@')
                (void)sbx_check_path(j, tail_from(j, use->operand[i], 1), SBX_ACCESS_READ);
    }
}
