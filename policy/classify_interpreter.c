/* Interpreters and make: which of their words, files and inputs are programs. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- interpreters -------------------------------------------------------------------------------------------------------- */
static void interpreter_stdin(struct sbx_judge *j, struct sbx_use *use)
{
    const struct sbx_flow *in = use->in;
    if (!in || !in->is_set)
        return;
    if (in->taint & SBX_TAINT_NET)
        sbx_find(j, SBX_DENY, SBX_CLASS_REMOTE_CODE, "code from the network",
                 "save it to a file, read it, and run the file in a later command");
    else if (in->text)
        sbx_classify_program(j, use->name, in->text, NULL);
}

static void python_module(struct sbx_judge *j, struct sbx_use *use, const struct sbx_value *module)
{
    static const char *const runs_command[] = {"pdb",     "trace", "cProfile",
                                               "profile", "runpy", "timeit"};
    if (sbx_value_is(module, "http.server") || sbx_value_is(module, "SimpleHTTPServer") ||
        sbx_value_is(module, "pyftpdlib")) {
        sbx_check_serve(j, use);
        return;
    }
    if (sbx_value_is(module, "pip") || sbx_value_is(module, "uv")) {
        struct sbx_value **words = sbx_arena_alloc(&j->arena, (use->operands + 1) * sizeof(*words));
        uint32_t n = 0;
        bool behind = false;
        if (!words)
            return;
        for (uint32_t i = use->first; i < use->words; i++) {
            if (behind && n <= use->operands)
                words[n++] = use->word[i];
            else if (use->word[i] == module ||
                     (!strncmp(use->word[i]->text, "-m", 2) && use->word[i]->len > 2))
                words[n++] = sbx_value_new(&j->arena, "pip", 3), behind = true;
        }
        if (n)
            sbx_judge_argv(j, (struct sbx_argv){words, n}, use->in, use->out);
        return;
    }
    bool unpacks = sbx_value_is(module, "zipfile") || sbx_value_is(module, "tarfile");
    bool makes = sbx_value_is(module, "venv") || sbx_value_is(module, "virtualenv");
    uint32_t made = makes || sbx_use_has(use, "-c --create") ? 0 : use->operands - 1;
    if (use->operands && (makes || (unpacks && (use->operands > 1 || !made) &&
                                    sbx_use_has(use, "-e --extract -c --create"))))
        (void)sbx_check_path(j, use->operand[made], SBX_ACCESS_WRITE);
    /* json.tool, base64, tokenize and their kin read the files they are given. */
    for (uint32_t i = 0; i < use->operands; i++)
        if (strchr("/.", use->operand[i]->text[0]) || strchr(use->operand[i]->text, '/'))
            use->out->taint |= sbx_check_path(j, use->operand[i], SBX_ACCESS_READ);
    for (size_t i = 0; i < sizeof(runs_command) / sizeof(*runs_command); i++)
        if (sbx_value_is(module, runs_command[i]))
            for (uint32_t k = 0; k < use->operands; k++)
                if (strchr(use->operand[k]->text, '(') || strchr(use->operand[k]->text, ' '))
                    sbx_classify_program(j, "python", use->operand[k], use->in);
}

/* ruby -run -e httpd . -p 8000: the directory is served. */
static void ruby_un(struct sbx_judge *j, const struct sbx_use *use)
{
    const struct sbx_opt *verb = sbx_use_letter(use, 'c');
    bool local = false;
    for (uint32_t i = use->first; i < use->words; i++)
        local |= strstr(use->word[i]->text, "127.0.0.1") || strstr(use->word[i]->text, "localhost");
    if (verb && verb->value && sbx_value_is(verb->value, "httpd") && !local)
        sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "files served to every network",
                 "bind the server to 127.0.0.1");
}

/* Lines that begin with ! are the shell's. */
static void ipython_lines(struct sbx_judge *j, const struct sbx_value *text)
{
    struct sbx_flow out = {0};
    for (size_t at = 0; at < text->len;) {
        size_t len = strcspn(text->text + at, "\n"), gap = strspn(text->text + at, " \t");
        const char *line = text->text + at + gap;
        const struct sbx_value *code =
            gap < len && *line == '!' ? sbx_value_new(&j->arena, line + 1, len - gap - 1) : NULL;
        if (code && code->len)
            sbx_judge_code(j, code, NULL, &out);
        at += len + 1;
    }
}

/* What the options say; true where one of them is the program. */
static bool interpreter_options(struct sbx_judge *j, struct sbx_use *use)
{
    bool has_code = false;
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *o = &use->option[i];
        if (!o->value)
            continue;
        bool module_code = o->letter == 'M' && memchr(o->value->text, ';', o->value->len);
        has_code |= o->role == 'k';
        if (o->role == 'k' || module_code)
            sbx_classify_program(j, use->name, o->value, use->in);
        if (o->role == 'k' && !strncmp(use->name, "ipython", 7))
            ipython_lines(j, o->value);
        if (o->role == 'k')
            use->out->endless |= sbx_program_is_endless(use->name, o->value);
        const char *library = o->letter == 'r' ? strstr(o->value->text, ".so") : NULL;
        if (library && !library[3] && strchr(o->value->text, '/'))
            sbx_find(j, SBX_DENY, SBX_CLASS_PERSISTENCE, "a library loaded by a program",
                     "use the language's own modules");
        if (o->letter == 'r' && sbx_value_is(o->value, "un"))
            ruby_un(j, use);
        if (o->letter == 'r' && o->value->text[0] == '/')
            (void)sbx_check_path(j, o->value, SBX_ACCESS_READ);
        if (o->letter == 'f')
            (void)sbx_run_file(j, o->value, use);
        if (o->letter == 'd' && strstr(o->value->text, "auto_prepend"))
            sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "an option that runs code",
                     "run the script by its name");
        if (o->letter == 'S') {
            const struct sbx_opt *root = sbx_use_option(use, "-t");
            sbx_check_host_value(j, o->value, false);
            if (root && root->value)
                (void)sbx_check_path(j, root->value, SBX_ACCESS_READ_TREE);
        }
        if (o->letter == 'S' &&
            (strstr(o->value->text, "0.0.0.0") || strstr(o->value->text, "[::]")))
            sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "files served to every network",
                     "bind the server to 127.0.0.1");
    }
    return has_code;
}

/* perl -i, -n and -p work on the files that are named; elsewhere they are arguments. */
static void interpreter_operands(struct sbx_judge *j, struct sbx_use *use, bool has_code)
{
    bool edits = !strncmp(use->name, "perl", 4) || !strncmp(use->name, "ruby", 4) ||
                 !strcmp(use->name, "rename");
    enum sbx_access access = edits && sbx_use_letter(use, 'i') ? SBX_ACCESS_WRITE : SBX_ACCESS_READ;
    bool renames = strstr(use->name, "rename") && !sbx_use_letter(use, 'n');
    for (uint32_t i = has_code ? 0 : 1; renames && i < use->operands; i++)
        (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_WRITE);
    for (uint32_t i = 0; i < use->operands; i++) {
        const struct sbx_value *word = use->operand[i];
        if (edits ? has_code : word->text[0] == '/' || word->text[0] == '.')
            (void)sbx_check_path(j, word, access);
    }
}

/* manage.py flush, manage.py migrate APP zero */
static void find_reset(struct sbx_judge *j, const struct sbx_use *use)
{
    static const char *const resets[] = {
        "flush",       "reset_db",      "sqlflush", "dropdb",        "zero",
        "clear_index", "migrate:fresh", "db:wipe",  "migrate:reset", "migrate:refresh"};
    if (use->operands < 2 ||
        (!strstr(use->operand[0]->text, "manage.py") && !strstr(use->operand[0]->text, "artisan") &&
         !strstr(use->operand[0]->text, "console")))
        return;
    if (SBX_OPERAND_IN(use, 1, resets) || SBX_OPERAND_IN(use, 3, resets))
        sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY, "a database emptied",
                 "this loses data; ask first, or work on a copy");
}

static void interpreter_file(struct sbx_judge *j, struct sbx_use *use)
{
    struct sbx_use inner = *use;
    char path[SBX_PATH_BYTES];
    struct sbx_made *made =
        sbx_path_of(j, use->operand[0], path, sizeof(path)) ? sbx_made_find(j, path) : NULL;
    inner.first = use->operand_at + 1;
    if (made && made->text && !(made->taint & SBX_TAINT_NET))
        sbx_classify_program(j, use->name, made->text, use->in);
    else
        (void)sbx_run_file(j, use->operand[0], &inner);
}

void sbx_check_interpreter(struct sbx_judge *j, struct sbx_use *use)
{
    const struct sbx_opt *module = sbx_use_letter(use, 'm');
    use->out->is_set = true;
    bool has_code = interpreter_options(j, use);
    if (module && module->value && !strncmp(use->name, "py", 2)) {
        python_module(j, use, module->value);
        return;
    }
    for (uint32_t i = 0; i < use->operands; i++)
        if (sbx_use_role(use, i) == 'k') {
            sbx_classify_program(j, use->name, use->operand[i], use->in);
            return;
        }
    interpreter_operands(j, use, has_code);
    find_reset(j, use);
    if (has_code || sbx_use_letter(use, 'V') || sbx_use_is_question(use))
        return;
    bool file = use->operands && !sbx_value_is(use->operand[0], "-");
    if (file)
        interpreter_file(j, use);
    if (!file || !(use->row->flags & SBX_CMD_STOP))
        interpreter_stdin(j, use);
}

void sbx_check_rake(struct sbx_judge *j, struct sbx_use *use)
{
    (void)interpreter_options(j, use);
    sbx_check_infra(j, use);
}

/* --- make ------------------------------------------------------------------------------------------------------------------ */
/* A recipe as the shell gets it: make's own variables are words that nobody knows, $$ is $. */
static struct sbx_value *recipe(struct sbx_judge *j, const char *text, size_t len)
{
    struct sbx_text out = {.arena = &j->arena};
    for (size_t i = 0; i < len; i++) {
        if (text[i] != '$' || i + 1 >= len) {
            sbx_text_put(&out, text + i, 1, SBX_MASK_LITERAL);
        } else if (text[i + 1] == '$') {
            sbx_text_put(&out, "$", 1, SBX_MASK_LITERAL);
            i++;
        } else {
            char open = text[i + 1], close = open == '(' ? ')' : open == '{' ? '}' : 0;
            const char *end = close ? memchr(text + i, close, len - i) : text + i + 1;
            sbx_text_put(&out, "_", 1, SBX_MASK_LITERAL);
            i = end ? (size_t)(end - text) : len;
        }
    }
    return sbx_text_value(&out, j->span);
}

static void make_text(struct sbx_judge *j, const struct sbx_value *text)
{
    /* Recipes are shell code; so is what $(shell …) holds. */
    for (size_t at = 0; at < text->len;) {
        size_t len = strcspn(text->text + at, "\n");
        const char *line = text->text + at, *shell = memmem(line, len, "$(shell ", 8);
        const char *code = NULL;
        if (line[0] == '\t')
            code = line + 1 + strspn(line + 1, "@-+");
        else if (shell)
            code = shell + 8;
        const char *file = memmem(line, len, "$(file ", 7);
        if (file) {
            const char *name = file + 7 + strspn(file + 7, "<> ");
            struct sbx_value *path = sbx_value_new(&j->arena, name, strcspn(name, ",) \n"));
            if (path)
                (void)sbx_check_path(j, path, file[7] == '>' ? SBX_ACCESS_WRITE : SBX_ACCESS_READ);
        }
        if (line[0] != '\t' && !shell && memchr(line, ';', len) && memchr(line, ':', len))
            code = (const char *)memchr(line, ';', len) + 1;
        if (code) {
            size_t code_len = (size_t)(line + len - code);
            if (code == (shell ? shell + 8 : NULL) && code_len && code[code_len - 1] == ')')
                code_len--;
            struct sbx_value *value = recipe(j, code, code_len);
            struct sbx_flow out = {0};
            if (value)
                sbx_judge_code(j, value, NULL, &out);
        }
        at += len + 1;
    }
}

void sbx_check_make(struct sbx_judge *j, struct sbx_use *use)
{
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *o = &use->option[i];
        if (o->letter == 'e' && o->value)
            make_text(j, o->value);
        if (o->letter != 'f' || !o->value)
            continue;
        char path[SBX_PATH_BYTES];
        if (sbx_is_stdin(o->value)) {
            if (use->in && use->in->taint & SBX_TAINT_NET)
                sbx_find(j, SBX_DENY, SBX_CLASS_REMOTE_CODE, "code from the network",
                         "read the makefile first");
            else if (use->in && use->in->text)
                make_text(j, use->in->text);
            else if (use->in && use->in->is_set)
                sbx_find(j, SBX_ASK, SBX_CLASS_SHELL_EVASION, "a build file that nobody sees",
                         "put it into the project under its own name and run make there");
            continue;
        }
        struct sbx_made *made =
            sbx_path_of(j, o->value, path, sizeof(path)) ? sbx_made_find(j, path) : NULL;
        if (made && made->taint & SBX_TAINT_NET)
            sbx_find(j, SBX_DENY, SBX_CLASS_REMOTE_CODE, "code from the network",
                     "read the makefile first");
        else if (made && made->text)
            make_text(j, made->text);
    }
    for (uint32_t i = 0; i < use->operands; i++) {
        const struct sbx_value *word = use->operand[i];
        const char *shell =
            strrchr(word->text, '/') ? strrchr(word->text, '/') + 1 : word->text + 6;
        const struct sbx_command_row *row = sbx_command_find(shell, strlen(shell));
        if (!strncmp(word->text, "SHELL=", 6) && !(row && (row->flags & SBX_CMD_SHELL)) &&
            !sbx_is_harmless_tool(
                &(struct sbx_value){.text = word->text + 6, .len = word->len - 6}))
            sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "make with a shell of its own",
                     "let make use sh");
    }
    struct sbx_made *made = NULL;
    for (struct sbx_made *m = j->made; m; m = m->next)
        if (sbx_like("*/Makefile", m->path) || sbx_like("*/makefile", m->path) ||
            sbx_like("*/GNUmakefile", m->path))
            made = m;
    if (made && made->taint & SBX_TAINT_NET)
        sbx_find(j, SBX_DENY, SBX_CLASS_REMOTE_CODE, "code from the network",
                 "read the makefile first");
    else if (made && made->text)
        make_text(j, made->text);
}
