/* Editors and pagers: what their commands run, read and write. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- editors and pagers ------------------------------------------------------------------------------------------------ */
static void find_editor(struct sbx_judge *j, enum sbx_verdict_kind verdict, const char *what)
{
    sbx_find(j, verdict, SBX_CLASS_SHELL_EVASION, what, "run that command by itself");
}

static void find_fetched(struct sbx_judge *j)
{
    sbx_find(j, SBX_DENY, SBX_CLASS_REMOTE_CODE, "code from the network",
             "save it to a file, read it, and run the file in a later command");
}

/* Editors know ~ themselves. */
static void editor_path(struct sbx_judge *j, const struct sbx_value *file, enum sbx_access access)
{
    struct sbx_text text = {.arena = &j->arena};
    bool home = file->text[0] == '~' && (file->text[1] == '/' || !file->text[1]);
    if (home)
        sbx_text_put(&text, j->home, strlen(j->home), SBX_MASK_LITERAL);
    sbx_text_put(&text, file->text + home, file->len - home, SBX_MASK_LITERAL);
    struct sbx_value *path = sbx_text_value(&text, file->span);
    if (path && path->len)
        (void)sbx_check_path(j, path, access);
}

/* The first argument of a call: a quoted text or a variable, also within expand(…). */
static struct sbx_value *first_argument(struct sbx_judge *j, const char *at)
{
    struct sbx_text path = {.arena = &j->arena};
    at += strncmp(at, "expand(", 7) ? 0 : 7;
    char close = *at == '"' || *at == '\'' ? *at : ',';
    at += close != ',';
    if (!strncmp(at, "$HOME", 5)) {
        sbx_text_put(&path, "~", 1, SBX_MASK_LITERAL);
        at += 5;
    }
    for (; *at && *at != close && *at != ')'; at++)
        sbx_text_put(&path, at, 1, SBX_MASK_LITERAL);
    return path.len ? sbx_text_value(&path, j->span) : NULL;
}

/* :call delete("x", "rf"), rename(): vim's own functions on files. */
static void editor_functions(struct sbx_judge *j, const char *text)
{
    static const char *const deletes = "delete(", *const renames = "rename(";
    for (const char *at = text; (at = strstr(at, deletes)) != NULL;) {
        at += strlen(deletes);
        struct sbx_value *file = first_argument(j, at);
        bool tree = strstr(at, "\"rf\"") || strstr(at, "'rf'");
        if (file)
            editor_path(j, file, tree ? SBX_ACCESS_DELETE_TREE : SBX_ACCESS_DELETE);
    }
    const char *moved = strstr(text, renames);
    struct sbx_value *file = moved ? first_argument(j, moved + strlen(renames)) : NULL;
    if (file)
        editor_path(j, file, SBX_ACCESS_MOVE);
}

/* :source https://x: netrw fetches it. */
static bool sources_address(const char *verb, size_t len, const char *rest)
{
    static const char *const verbs[] = {"so",      "source",   "luafile", "pyfile",
                                        "py3file", "rubyfile", "runtime"};
    for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
        if (len == strlen(verbs[i]) && !strncmp(verb, verbs[i], len) && strstr(rest, "://"))
            return true;
    return false;
}

/* A command of vi's or ed's: ! runs, w and r name files, languages have their own. */
static void editor_command(struct sbx_judge *j, const char *text, size_t len)
{
    static const char *const languages[] = {"python", "py",   "py3", "python3", "lua",
                                            "perl",   "ruby", "tcl", "mzscheme"};
    struct sbx_value *line = sbx_value_new(&j->arena, text, len);
    if (!line)
        return;
    const char *at = line->text + strspn(line->text, ": \t%$.,0123456789'<>+-");
    size_t word = 0;
    while (isalpha((unsigned char)at[word]) || isdigit((unsigned char)at[word]))
        word++;
    const char *gap = at + word + strspn(at + word, " 	");
    const char *rest = at + word + strspn(at + word, "! 	");
    bool bang = *at == '!' || (gap > at + word && *gap == '!'); /* w! forces, w !cmd runs */
    if (*at == '!' ||
        (bang &&
         (!strncmp(at, "w", word) || !strncmp(at, "r", word) || !strncmp(at, "read", word) ||
          !strncmp(at, "write", word)) &&
         at[word] == ' ') ||
        (word && !strncmp(at, "r!", 2)) || !strncmp(at, "ter", 3) ||
        (word > 1 && !strncmp(at, "shell", word))) {
        const char *code = *at == '!' ? at + 1 : strchr(at, '!') ? strchr(at, '!') + 1 : "";
        struct sbx_value *value = sbx_value_new(&j->arena, code, strlen(code));
        struct sbx_flow out = {0};
        const struct sbx_flow in = {.is_set = true, .taint = SBX_TAINT_FILE};
        if (*code && value)
            sbx_judge_code(j, value, &in, &out);
        find_editor(j, SBX_DENY, "a command run from an editor");
        return;
    }
    for (size_t i = 0; i < sizeof(languages) / sizeof(*languages); i++)
        if (word == strlen(languages[i]) && !strncmp(at, languages[i], word)) {
            struct sbx_value *value = sbx_value_new(&j->arena, rest, strlen(rest));
            if (value)
                sbx_classify_program(j, languages[i], value, NULL);
            if (strstr(rest, "vim.command") || strstr(rest, "exec"))
                find_editor(j, SBX_DENY, "a command run from an editor");
            return;
        }
    if (strstr(line->text, "system(") || strstr(line->text, "job_start") ||
        strstr(line->text, "jobstart") || strstr(line->text, "term_start") ||
        strstr(line->text, "termopen") || strstr(line->text, "libcall"))
        find_editor(j, SBX_DENY, "a command run from an editor");
    editor_functions(j, line->text);
    if (sources_address(at, word, rest))
        find_fetched(j);
    if (!strncmp(at, "e ", 2) || !strncmp(at, "r ", 2) || !strncmp(at, "sp ", 3) ||
        !strncmp(at, "source ", 7) || !strncmp(at, "read ", 5)) {
        struct sbx_value *file = sbx_value_new(&j->arena, rest, strcspn(rest, " |\n"));
        if (file && file->len)
            editor_path(j, file, SBX_ACCESS_READ);
    }
    if ((!strncmp(at, "w", word) || !strncmp(at, "write", word) ||
         (word > 2 && !strncmp(at, "saveas", word))) &&
        word && *rest && at[word] != 'q') {
        struct sbx_value *file = sbx_value_new(&j->arena, rest, strcspn(rest, " |\n"));
        if (file && file->len)
            editor_path(j, file, SBX_ACCESS_WRITE);
    }
}

/* vim -c 'so %' https://x: what was fetched is run. */
static bool sources_itself(const struct sbx_use *use)
{
    static const char *const lines[] = {"so %",     "source %", "luafile %",
                                        "pyfile %", "w !sh",    "w !bash"};
    for (uint32_t i = use->first; i < use->words; i++)
        for (size_t k = 0; k < sizeof(lines) / sizeof(*lines); k++)
            if (strstr(use->word[i]->text, lines[k]))
                return true;
    return false;
}

static void editor_lines(struct sbx_judge *j, const struct sbx_value *text)
{
    for (size_t at = 0; at < text->len;) {
        size_t len = strcspn(text->text + at, "\n|");
        if (len)
            editor_command(j, text->text + at, len);
        at += len + 1;
    }
}

static bool is_emacs(const char *name)
{
    return strstr(name, "emacs") != NULL || !strcmp(name, "mg");
}

static bool is_save(const char *line, size_t len)
{
    static const char *const verbs[] = {"w",  "w!",  "wq", "wq!", "x",  "x!",     "xit",
                                        "wa", "wqa", "xa", "up",  "wn", "update", "wall"};
    while (len && strchr(": \t+", *line)) {
        line++;
        len--;
    }
    while (len && strchr(" \t\r", line[len - 1]))
        len--;
    for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
        if (strlen(verbs[i]) == len && !memcmp(verbs[i], line, len))
            return true;
    return false;
}

/* ed FILE <<< $'1d\nw', vim -c wq FILE: what was opened is written. */
static bool saves_file(const struct sbx_use *use)
{
    const struct sbx_value *text = use->in ? use->in->text : NULL;
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_value *value = use->option[i].letter == 'c' ? use->option[i].value : NULL;
        const char *bar = value ? strrchr(value->text, '|') : NULL;
        if (value &&
            (is_save(value->text, value->len) || (bar && is_save(bar + 1, strlen(bar + 1)))))
            return true;
    }
    for (uint32_t i = use->first; i < use->words; i++)
        if (use->word[i]->text[0] == '+' && is_save(use->word[i]->text, use->word[i]->len))
            return true;
    for (size_t at = 0; text && at < text->len;) {
        size_t len = strcspn(text->text + at, "\n");
        if (is_save(text->text + at, len))
            return true;
        at += len + 1;
    }
    return false;
}

void sbx_check_editor(struct sbx_judge *j, struct sbx_use *use)
{
    const char *name = use->name;
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *o = &use->option[i];
        if (o->letter == 'x' && o->value && is_emacs(name)) {
            if (!strncmp(o->name, "-l", 2) && strstr(o->value->text, "://"))
                find_fetched(j);
            else if (strstr(o->value->text, "shell") || strstr(o->value->text, "term") ||
                     strstr(o->value->text, "process"))
                find_editor(j, SBX_DENY, "a command run from an editor");
            else
                sbx_classify_program(j, "emacs", o->value, NULL);
        } else if (o->letter == 'x' && o->value && strstr(o->value->text, "%sh{")) {
            const char *code = strstr(o->value->text, "%sh{") + 4;
            struct sbx_value *value = sbx_value_new(&j->arena, code, strcspn(code, "}"));
            if (value)
                sbx_judge_code(j, value, NULL, use->out);
        } else if (o->letter == 'c' && o->value) {
            editor_lines(j, o->value);
        } else if ((o->letter == 'f' || o->letter == 'u') && o->value &&
                   !sbx_value_is(o->value, "NONE") && !sbx_value_is(o->value, "DEFAULTS")) {
            const struct sbx_value *script = sbx_script_text(j, use, o->value);
            if (script)
                editor_lines(j, script);
            sbx_find(j, SBX_ASK, SBX_CLASS_SHELL_EVASION, "an editor script that nobody sees",
                     "use sed, or write the file as a whole");
        } else if (!o->letter && o->name[0] == '+' && o->name_len > 1) {
            editor_command(j, o->name + 1, o->name_len - 1);
        }
    }
    for (uint32_t i = use->first; i < use->words; i++)
        if (use->word[i]->text[0] == '+' && use->word[i]->len > 1 && !is_emacs(name))
            editor_lines(j, &(struct sbx_value){.text = use->word[i]->text + 1,
                                                .len = use->word[i]->len - 1});
    if (use->in && use->in->is_set && use->in->text && !is_emacs(name))
        editor_lines(j, use->in->text);
    for (uint32_t i = 0; saves_file(use) && i < use->operands; i++)
        (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_WRITE);
    for (uint32_t i = 0; i < use->operands; i++)
        if (strstr(use->operand[i]->text, "://") && sources_itself(use))
            find_fetched(j);
    /* Who opens a start-up file in an editor means to change it. */
    for (uint32_t i = 0; i < use->operands && !strstr(name, "view"); i++) {
        char path[SBX_PATH_BYTES];
        if (!sbx_path_of(j, use->operand[i], path, sizeof(path)))
            continue;
        enum sbx_class class = sbx_system_class(path);
        if (sbx_place_is_startup(j, path) || class == SBX_CLASS_PERSISTENCE ||
            class == SBX_CLASS_PRIV_ESC)
            (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_WRITE);
    }
    use->out->is_set = true;
    use->out->taint = SBX_TAINT_FILE;
}

void sbx_check_pager(struct sbx_judge *j, struct sbx_use *use)
{
    for (uint32_t i = use->first; i < use->words; i++) {
        const char *word = use->word[i]->text;
        if (word[0] == '+' && (strchr(word, '!') || strchr(word, '|') || strstr(word, "v")) &&
            word[1] && use->name[0] != 'b')
            find_editor(j, SBX_DENY, "a command run from a pager");
    }
    if (!strcmp(use->name, "man") && sbx_use_letter(use, 'l'))
        for (uint32_t i = 0; i < use->operands; i++)
            (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_READ);
    if (!strcmp(use->name, "man") || !strcmp(use->name, "mandoc"))
        for (uint32_t i = 0; i < use->operands; i++)
            if (strchr(use->operand[i]->text, '/'))
                (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_READ);
}
