/* Builtins of the shell that set, keep or test something. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS_MAX 64

static void find_evasion(struct sbx_judge *j, enum sbx_verdict_kind verdict, const char *what)
{
    sbx_find(j, verdict, SBX_CLASS_SHELL_EVASION, what,
             "write the command itself instead of hiding it in a value");
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
        if (!equals && !sbx_value_known(word))
            sbx_aliases_lose(j);
        if (!equals)
            continue; /* prints one */
        size_t len = (size_t)(equals - word->text);
        struct sbx_value body = *word;
        body.text += len + 1;
        body.len -= (uint32_t)len + 1;
        body.mask = body.mask ? body.mask + len + 1 : NULL;
        struct sbx_flow ignored = {0};
        sbx_judge_code(j, &body, NULL, &ignored);
        /* alias ls='ls --color': the same tool with flags. */
        bool same = body.len >= len && !memcmp(body.text, word->text, len) &&
                    (body.len == len || body.text[len] == ' ');
        if (!same)
            sbx_classify_shadow(j, word->text, len);
        char *name = sbx_arena_strndup(&j->arena, word->text, len);
        if (name && sbx_value_known(&body))
            sbx_function_define(j, name, len, (struct sbx_function){.alias = body.text});
        sbx_aliases_define(j, name, len, sbx_value_known(word) && !word->unsure ? &body : NULL);
    }
}

/* --- variables ------------------------------------------------------------------------------------------------------ */
void sbx_set_from_word(struct sbx_judge *j, const struct sbx_value *word)
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
    bool reference = sbx_use_letter(use, 'n'), integer = sbx_use_has(use, "-i");
    for (uint32_t i = 0; i < use->operands; i++) {
        const struct sbx_value *word = use->operand[i];
        if (memchr(word->text, '[', word->len) && sbx_value_holds_code(word))
            find_evasion(j, SBX_DENY, "code in a subscript");
        if (sbx_use_letter(use, 'p') && sbx_is_secret_word(word->text))
            sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "a secret of the environment",
                     "programs find their secrets by themselves; no need to print one");
        sbx_set_from_word(j, word);
        const char *equals = memchr(word->text, '=', word->len);
        if (reference || integer)
            sbx_var_mark(j, word->text, equals ? (size_t)(equals - word->text) : word->len,
                         reference, integer);
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
    const struct sbx_opt *named = sbx_use_option(use, "-o");
    j->errexit |= sbx_use_has(use, "-e") || (named && sbx_value_is(named->value, "errexit"));
    for (uint32_t i = use->first; i + 1 < use->words; i++) {
        if (sbx_value_is(use->word[i + 1], "posix"))
            sbx_aliases_option(j, use->word[i + 1], true, true);
        if (sbx_value_is(use->word[i], "+o") && sbx_value_is(use->word[i + 1], "history"))
            sbx_find(j, SBX_DENY, SBX_CLASS_LOG_TAMPER, "shell history switched off",
                     "leave the history as it is");
    }
}

void sbx_check_shopt(struct sbx_judge *j, struct sbx_use *use)
{
    bool on = sbx_use_letter(use, 's'), off = sbx_use_letter(use, 'u');
    for (uint32_t i = 0; i < use->operands && off; i++)
        if (sbx_value_is(use->operand[i], "interactive_comments"))
            find_evasion(j, SBX_ASK, "comments that are read as commands");
    for (uint32_t i = 0; i < use->operands && (on || off); i++)
        sbx_aliases_option(j, use->operand[i], on, on != off);
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
        if (sbx_value_holds_code(word))
            find_evasion(j, SBX_DENY, "code in a subscript");
        history |= sbx_value_is(word, "HISTFILE") || sbx_value_is(word, "HISTSIZE") ||
                   sbx_value_is(word, "HISTFILESIZE") || sbx_value_is(word, "PROMPT_COMMAND0");
    }
    if (history && use->name[0] == 'u')
        sbx_find(j, SBX_DENY, SBX_CLASS_LOG_TAMPER, "shell history switched off",
                 "leave the history as it is");
}

/* read VAR… : known where standard input is. */
/* The next field of a line, or the rest of it; NULL at its end. */
static struct sbx_value *next_field(struct sbx_judge *j, const struct sbx_value *text, size_t *at,
                                    bool rest)
{
    struct sbx_text part = {.arena = &j->arena, .taint = text->taint};
    (void)sbx_step(j, text->len / 4096);
    *at += strspn(text->text + *at, " \t");
    size_t len = strcspn(text->text + *at, rest ? "\n" : " \t\n");
    struct sbx_value piece = *text;
    piece.text += *at;
    piece.mask = piece.mask ? piece.mask + *at : NULL;
    piece.len = (uint32_t)len;
    sbx_text_append(&part, &piece);
    *at += len;
    return sbx_text_value(&part, j->span);
}

/* One line, cut at blanks. */
static bool reads_plainly(const struct sbx_judge *j, const struct sbx_use *use,
                          const struct sbx_value *text)
{
    const char *ifs = sbx_ifs(j);
    return ifs && !strcmp(ifs, " \t\n") && text && sbx_value_known(text) &&
           (sbx_use_has(use, "-r") || !memchr(text->text, '\\', text->len)) &&
           !sbx_use_has(use, "-d -n -N -i -u");
}

static void read_array(struct sbx_judge *j, const struct sbx_use *use, const struct sbx_value *name)
{
    struct sbx_values fields;
    const struct sbx_value *text = use->in ? use->in->text : NULL;
    size_t at = 0;
    sbx_values_init(&fields);
    while (text && at < text->len && text->text[at] != '\n' && fields.count < FIELDS_MAX)
        sbx_values_add(&fields, next_field(j, text, &at, false));
    if (!text)
        sbx_values_add(&fields,
                       sbx_value_unknown(&j->arena, use->in ? use->in->taint : SBX_TAINT_UNKNOWN));
    for (struct sbx_value *v = fields.first; v && !reads_plainly(j, use, text); v = v->next)
        v->modelled = v->several = true;
    sbx_var_set_list(j, name->text, name->len, fields, true);
}

void sbx_check_read(struct sbx_judge *j, struct sbx_use *use)
{
    const struct sbx_opt *array = sbx_use_letter(use, 'a');
    const struct sbx_value *text = use->in ? use->in->text : NULL;
    uint32_t taint = use->in && use->in->taint ? use->in->taint : SBX_TAINT_UNKNOWN;
    /* In a loop the next line is another value. */
    bool several = j->loop_depth && text && memchr(text->text, '\n', text->len ? text->len - 1 : 0);
    bool near = !reads_plainly(j, use, text);
    size_t at = 0;
    const struct sbx_opt *prompt = sbx_use_option(use, "-p");
    if (sbx_use_has(use, "-s") && prompt)
        sbx_classify_prompt(j, prompt->value);
    if (array && array->value) {
        if (sbx_value_holds_code(array->value))
            find_evasion(j, SBX_DENY, "code in a subscript");
        read_array(j, use, array->value);
        return;
    }
    for (uint32_t i = 0; i < use->operands; i++) {
        const struct sbx_value *name = use->operand[i];
        if (sbx_value_holds_code(name))
            find_evasion(j, SBX_DENY, "code in a subscript");
        struct sbx_value *value = text && !several
                                      ? next_field(j, text, &at, i + 1 == use->operands)
                                      : sbx_value_unknown(&j->arena, taint);
        if (value)
            value->modelled |= near; /* or cut elsewhere */
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
    bool open = text && (!sbx_value_known(text) || text->unsure || text->modelled ||
                         !sbx_use_has(use, "-t") || sbx_use_has(use, "-d -n -O -s -u"));
    if (open) {
        struct sbx_value *unknown = sbx_value_unknown(&j->arena, text->taint);
        if (unknown)
            unknown->several = true;
        sbx_values_add(&lines, unknown);
    }
    for (size_t at = 0; text && !open && at < text->len && lines.count < 64;) {
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
/* Where CDPATH takes a plain name, by the first of its folders that is no work of the account's: which of
 * them has such a directory is not known here, so the worst counts. NULL: it leads nowhere else. */
static struct sbx_value *by_cdpath(struct sbx_judge *j, const struct sbx_value *name)
{
    const struct sbx_var *var = sbx_var_find(j, "CDPATH", 6);
    bool is_plain = name->len && name->text[0] != '/' && name->text[0] != '.' &&
                    sbx_value_mask(name, 0) == SBX_MASK_LITERAL && sbx_value_known(name);
    for (struct sbx_value *v = var && is_plain ? var->values.first : NULL; v; v = v->next)
        for (size_t at = 0, len; at < v->len; at += len + 1) {
            char path[SBX_PATH_BYTES];
            len = strcspn(v->text + at, ":");
            int put = snprintf(path, sizeof(path), "%.*s/%s", (int)len, v->text + at, name->text);
            if (v->text[at] == '/' && put > 0 && (size_t)put < sizeof(path) &&
                !sbx_path_in_work(j, path))
                return sbx_value_new(&j->arena, path, (size_t)put);
        }
    return NULL;
}

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
    struct sbx_value *elsewhere = by_cdpath(j, use->operand[0]);
    if (elsewhere)
        sbx_chdir(j, elsewhere);
    else if (sbx_value_is(use->operand[0], "-") || use->operand[0]->text[0] == '+')
        memcpy(j->cwd, j->project,
               strlen(j->project) < sizeof(j->cwd) ? strlen(j->project) + 1 : 1);
    else
        sbx_chdir(j, use->operand[0]);
    j->cwd_maybe = true; /* nobody knows whether it is there */
}

void sbx_check_hash(struct sbx_judge *j, struct sbx_use *use)
{
    const struct sbx_opt *file = sbx_use_letter(use, 'p');
    if (!file || !file->value)
        return;
    sbx_find(j, SBX_ASK, SBX_CLASS_PERSISTENCE, "a name bound to another program",
             "call that program by its own path");
    if (use->operands && sbx_value_known(file->value)) {
        char *name = sbx_arena_strndup(&j->arena, use->operand[0]->text, use->operand[0]->len);
        if (name)
            sbx_function_define(j, name, use->operand[0]->len,
                                (struct sbx_function){.alias = file->value->text});
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
        if (v->len == 2 && (v->text[1] == 'v' || v->text[1] == 'R') &&
            sbx_value_holds_code(v->next))
            find_evasion(j, SBX_DENY, "code in a subscript");
        if (v->len == 2 && strchr("abcdefghkprstuwxGLNOS", v->text[1]) && v->next->len &&
            v->next->text[0] != '-')
            (void)sbx_check_path(j, v->next, SBX_ACCESS_LIST);
        if (v->len == 3 &&
            (!strcmp(v->text, "-eq") || !strcmp(v->text, "-ne") || !strcmp(v->text, "-lt") ||
             !strcmp(v->text, "-gt") || !strcmp(v->text, "-le") || !strcmp(v->text, "-ge")))
            for (const struct sbx_value *o = words->first; o; o = o->next)
                if (sbx_value_holds_code(o) && memchr(o->text, '[', o->len))
                    find_evasion(j, SBX_DENY, "code in a value that arithmetic evaluates");
    }
}
