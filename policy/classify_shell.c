/* Shells, and what makes text or a file into their code. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct sbx_value *sbx_value_tail(struct sbx_judge *j, const struct sbx_value *word, uint32_t from)
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

/* sash has its own commands with a dash in front: -exec, -cp, -rm */
static void check_sash(struct sbx_judge *j, struct sbx_use *use)
{
    for (uint32_t i = use->first; i + 1 < use->words; i++)
        if (sbx_value_is(use->word[i], "-c") && use->word[i + 1]->text[0] == '-')
            sbx_judge_code(j, sbx_value_tail(j, use->word[i + 1], 1), use->in, use->out);
}

static void check_shell(struct sbx_judge *j, struct sbx_use *use);

void sbx_check_shell(struct sbx_judge *j, struct sbx_use *use)
{
    if (!strcmp(use->name, "sash"))
        check_sash(j, use);
    if (sbx_use_is_question(use) || sbx_use_letter(use, 'n'))
        return;
    bool near = j->near_shell;
    use->out->is_set = true;
    j->near_shell = !strncmp(use->name, "zsh", 3) || strstr(use->name, "ksh") != NULL;
    check_shell(j, use);
    j->near_shell = near;
}

static void check_shell(struct sbx_judge *j, struct sbx_use *use)
{
    if (sbx_use_letter(use, 'p') && !sbx_use_letter(use, 'c'))
        sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "a shell that keeps set-id rights",
                 "run the command itself");
    const struct sbx_opt *code = sbx_use_letter(use, 'c');
    if (code) {
        struct sbx_value *text = code->value;
        uint32_t first = 0;
        if (!text && use->operands)
            text = use->operand[first++];
        if (!text) {
            sbx_find(j, SBX_ASK, SBX_CLASS_SHELL_EVASION, "code that is not known before it runs",
                     "write the command out instead of computing it");
            return;
        }
        /* $0 and the arguments of the text follow it. */
        struct sbx_args saved;
        sbx_args_save(j, &saved);
        sbx_args_set(j, use->operand + first + 1,
                     use->operands > first + 1 ? use->operands - first - 1 : 0);
        j->positional[0] = use->operands > first ? use->operand[first] : NULL;
        sbx_judge_code(j, text, use->in, use->out);
        /* Other shells have other grammars: what they name still tells. */
        if (use->name[0] != 'b' && use->name[0] != 's' && use->name[0] != 'd')
            sbx_classify_program(j, use->name, text, use->in);
        sbx_args_restore(j, &saved);
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

/* A script that was written here: $0 is its name, $1 … are the words behind it. */
static void run_script(struct sbx_judge *j, struct sbx_made *made, const struct sbx_value *file,
                       const struct sbx_use *use)
{
    struct sbx_args saved;
    if (made->is_running) {
        /* It starts itself without waiting, or twice in a pipe. */
        if (j->background > made->background || j->piped > made->piped)
            sbx_find_fork_bomb(j);
        return;
    }
    sbx_args_save(j, &saved);
    uint32_t at = 0;
    while (at < use->words && use->word[at] != file)
        at++;
    bool sourced = !strcmp(use->name, ".") || !strcmp(use->name, "source");
    if (at + 1 < use->words || !sourced)
        sbx_args_set(j, use->word + at + (at < use->words),
                     at < use->words ? use->words - at - 1 : 0);
    if (!sourced)
        j->positional[0] = file;
    made->is_running = true;
    made->background = j->background;
    made->piped = j->piped;
    sbx_judge_code(j, made->text, use->in, use->out);
    made->is_running = false;
    sbx_args_restore(j, &saved);
}

/* /dev/fd/3: what 3<<< or 3< opened. */
static bool run_descriptor(struct sbx_judge *j, const struct sbx_value *file, struct sbx_use *use)
{
    const char *number = !strncmp(file->text, "/dev/fd/", 8)          ? file->text + 8
                         : !strncmp(file->text, "/proc/self/fd/", 14) ? file->text + 14
                                                                      : "";
    if (number[0] <= '2' || number[0] > '9' || number[1] || !j->descriptor[number[0] - '0'].is_set)
        return false;
    struct sbx_use inner = *use;
    inner.in = &j->descriptor[number[0] - '0'];
    sbx_judge_stdin(j, &inner);
    return true;
}

bool sbx_run_file(struct sbx_judge *j, const struct sbx_value *file, struct sbx_use *use)
{
    if (sbx_value_is(file, "/dev/stdin") || sbx_value_is(file, "/dev/fd/0") ||
        sbx_value_is(file, "/proc/self/fd/0")) {
        sbx_judge_stdin(j, use);
        return true;
    }

    if (run_descriptor(j, file, use))
        return true;
    if (strstr(file->text, "://") && sbx_is_remote_source(file->text)) {
        sbx_find_source(j);
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
        run_script(j, made, file, use);
    return true;
}

/* --- eval, source, trap, alias ----------------------------------------------------------------------------------- */
struct sbx_value *sbx_join_words(struct sbx_judge *j, struct sbx_value *const *words,
                                 uint32_t count)
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
    struct sbx_value *code = sbx_join_words(j, use->operand, use->operands);
    if (!code || !code->len)
        return;
    if (!strcmp(use->name, "eval"))
        sbx_judge_own_code(j, code, use->in, use->out);
    else
        sbx_judge_code(j, code, use->in, use->out);
}

void sbx_check_source(struct sbx_judge *j, struct sbx_use *use)
{
    sbx_aliases_lose(j); /* what is in the file */
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
    if (sbx_value_is(code, "-"))
        return;
    unsigned serial = j->alias.serial;
    sbx_judge_own_code(j, code, use->in, NULL);
    if (serial != j->alias.serial)
        sbx_find(j, SBX_ASK, SBX_CLASS_SHELL_EVASION, "a trap that changes aliases",
                 "change aliases in a command of its own");
}
