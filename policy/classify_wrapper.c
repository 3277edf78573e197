/* Wrappers that put words together: env, xargs, parallel; and values that are known. */
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

static struct sbx_value *tail_copy(struct sbx_judge *j, const struct sbx_value *word)
{
    return sbx_value_tail(j, word, 0);
}

/* --- variables ------------------------------------------------------------------------------------------------------ */
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
        sbx_set_from_word(j, use->operand[at++]);
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

/* setarch [ARCH] [OPTION…] [CMD…]: the architecture may be missing, its options may follow it. */
void sbx_check_setarch(struct sbx_judge *j, struct sbx_use *use)
{
    static const char *const known[] = {"linux32", "linux64", "i386",   "i486",    "i586", "i686",
                                        "x86_64",  "uname26", "ppc",    "ppc64",   "s390", "s390x",
                                        "sparc",   "aarch64", "armv7l", "riscv64", "mips"};
    uint32_t at = 0;
    if (SBX_OPERAND_IN(use, 0, known))
        at++;
    while (at < use->operands && use->operand[at]->text[0] == '-')
        at++;
    if (at < use->operands)
        sbx_judge_argv(j, (struct sbx_argv){use->operand + at, use->operands - at}, use->in,
                       use->out);
}

/* torsocks --shell */
void sbx_check_own_shell(struct sbx_judge *j, struct sbx_use *use)
{
    if (sbx_use_letter(use, 'i'))
        sbx_find(j, SBX_DENY, SBX_CLASS_NESTED_SHELL, "a shell of its own",
                 "you are in a shell already; name the command to run");
}

/* busybox ls: an applet is the command of that name. */
/* start-stop-daemon -S -x PROGRAM -- WORDS */
void sbx_check_daemon(struct sbx_judge *j, struct sbx_use *use)
{
    const struct sbx_opt *program = sbx_use_letter(use, 'x');
    struct sbx_value **words = sbx_arena_alloc(&j->arena, (use->operands + 1) * sizeof(*words));
    if (!program || !program->value || sbx_use_letter(use, 'k') || !words)
        return;
    words[0] = program->value;
    for (uint32_t i = 0; i < use->operands; i++)
        words[i + 1] = use->operand[i];
    sbx_judge_argv(j, (struct sbx_argv){words, use->operands + 1}, use->in, use->out);
}

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
    const struct sbx_opt *list = sbx_use_letter(use, 'a');
    char path[SBX_PATH_BYTES];
    struct sbx_made *made = list && list->value && sbx_path_of(j, list->value, path, sizeof(path))
                                ? sbx_made_find(j, path)
                                : NULL;
    const struct sbx_flow made_in = {
        .is_set = true, .text = made ? made->text : NULL, .taint = made ? made->taint : 0};
    const struct sbx_flow *in = made && made->text ? &made_in : use->in;
    const struct sbx_value *text = in && (in == &made_in || !list) ? in->text : NULL;
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
    const struct sbx_opt *jobs = sbx_use_option(use, is_parallel ? "-j" : "-P");
    if (use->in && use->in->endless && (is_parallel || (jobs && sbx_value_is(jobs->value, "0"))))
        sbx_find_fork_bomb(j);
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
    if (!replaced && !insert)
        for (struct sbx_value *v = added.first; v; v = v->next)
            words[n++] = v;
    /* -o leaves the terminal to the command, so a shell stays a shell. */
    const struct sbx_flow none = {
        .is_set = !is_parallel && sbx_use_has(use, "-o --open-tty") ? false : true,
        .text = sbx_value_new(&j->arena, "", 0)};
    if (is_parallel && memchr(words[0]->text, ' ', words[0]->len)) {
        struct sbx_value *code = sbx_join_words(j, words, n);
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

/* command -v rm: where the program lies, as far as one of the table's is concerned. */
static void print_program(struct sbx_judge *j, struct sbx_use *use, const struct sbx_value *name)
{
    const struct sbx_command_row *row = sbx_command_find(name->text, name->len);
    struct sbx_text text = {.arena = &j->arena};
    if (row && !(row->flags & SBX_CMD_BUILTIN))
        sbx_text_put(&text, "/usr/bin/", 9, SBX_MASK_LITERAL);
    sbx_text_append(&text, name);
    use->out->is_set = true;
    use->out->taint = 0;
    use->out->text = sbx_text_value(&text, name->span);
}

/* Where the name of a program is asked for, the name is what counts. */
void sbx_check_known(struct sbx_judge *j, struct sbx_use *use)
{
    const char *name = use->name;
    use->out->is_set = true;
    if (!strcmp(name, "true") || !strcmp(name, ":") || !strcmp(name, "false") ||
        !strcmp(name, "sleep")) {
        print_value(j, use, "");
    } else if (!strcmp(name, "yes") || !strcmp(name, "seq")) {
        const struct sbx_value *last = use->operands ? use->operand[use->operands - 1] : NULL;
        use->out->endless =
            name[0] == 'y' || (last && (sbx_value_is(last, "inf") ||
                                        sbx_value_is(last, "infinity") || sbx_is_huge_size(last)));
    } else if (!strcmp(name, "expr") || !strcmp(name, "factor") || !strcmp(name, "numfmt")) {
        return;
    } else if (!strcmp(name, "pwd") && *j->cwd) {
        print_value(j, use, j->cwd);
    } else if (!strcmp(name, "whoami") || !strcmp(name, "logname") ||
               (!strcmp(name, "id") && sbx_use_has(use, "-un -n"))) {
        print_value(j, use, j->account);
    } else if (!strcmp(name, "mktemp")) {
        print_value(j, use, SBX_FRESH_NAME);
        j->fresh_unchecked |= !j->checked && !j->errexit;
    } else if (!strcmp(name, "which") || !strcmp(name, "type") || !strcmp(name, "command")) {
        if (use->operands == 1 && sbx_value_known(use->operand[0]))
            print_program(j, use, use->operand[0]);
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

/* jq -n '"text"' prints the text. */
static void print_string(struct sbx_judge *j, struct sbx_use *use)
{
    const struct sbx_value *program = use->operands ? use->operand[0] : NULL;
    bool literal = program && program->len > 2 && program->text[0] == '"' &&
                   program->text[program->len - 1] == '"' &&
                   !memchr(program->text + 1, '"', program->len - 2) &&
                   !memchr(program->text, '\\', program->len);
    if (literal && sbx_use_has(use, "-n --null-input"))
        use->out->text = sbx_value_new(&j->arena, program->text + 1, program->len - 2);
}

/* Programs with one word or option that matters. */
static void check_more_codes(struct sbx_judge *j, struct sbx_use *use)
{
    const char *name = use->name;
    if (!strcmp(name, "yq") || !strcmp(name, "dasel") || !strcmp(name, "tomlq")) {
        print_string(j, use);
        for (uint32_t i = 1; sbx_use_letter(use, 'i') && i < use->operands; i++)
            (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_WRITE);
    } else if (!strcmp(name, "dialog") || !strcmp(name, "whiptail") || !strcmp(name, "zenity") ||
               !strcmp(name, "kdialog")) {
        sbx_classify_dialog(j, use);
    } else if (!strcmp(name, "crudini") || !strcmp(name, "ar")) {
        bool writes = name[0] == 'a' ? sbx_use_letter(use, 'w') != NULL
                                     : sbx_use_has(use, "--set --del --merge");
        if (use->operands)
            (void)sbx_check_path(j, use->operand[0], writes ? SBX_ACCESS_WRITE : SBX_ACCESS_READ);
    } else if (!strcmp(name, "jq") || !strcmp(name, "gojq")) {
        print_string(j, use);
    } else if (!strcmp(name, "distrobox") || !strcmp(name, "toolbox")) {
        uint32_t at = use->operands;
        for (uint32_t i = 1; i < use->operands && at == use->operands; i++)
            if (sbx_command_find(use->operand[i]->text, use->operand[i]->len))
                at = i;
        if (at < use->operands) /* the home is the same in there */
            sbx_judge_argv(j, (struct sbx_argv){use->operand + at, use->operands - at}, use->in,
                           use->out);
    } else if (!strcmp(name, "java")) {
        const struct sbx_opt *jar = sbx_use_option(use, "-jar");
        const char *slash = jar && jar->value ? strrchr(jar->value->text, '/') : NULL;
        if (jar && jar->value && !strncmp(slash ? slash + 1 : jar->value->text, "bfg", 3))
            sbx_find(j, SBX_ASK, SBX_CLASS_GIT_DESTROY, "history rewritten",
                     "ask first, or work on a copy of the repository");
    }
}

/* Options and operands that are code in ways of their own. */
void sbx_check_codes(struct sbx_judge *j, struct sbx_use *use)
{
    const char *name = use->name;
    check_more_codes(j, use);
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
            if (sbx_value_holds_code(use->operand[i]))
                find_evasion(j, SBX_DENY, "code bound to a key");
    } else if (!strcmp(name, "complete") || !strcmp(name, "compgen")) {
        const struct sbx_opt *words = sbx_use_option(use, "-W");
        if (words && words->value && sbx_value_holds_code(words->value))
            find_evasion(j, SBX_DENY, "code in a completion");
        const struct sbx_opt *function = sbx_use_option(use, "-F");
        if (function && name[4] == 'g')
            find_evasion(j, SBX_ASK, "a completion that runs a function");
        if (name[4] == 'g' && sbx_use_has(use, "-v -e -A"))
            use->out->taint = SBX_TAINT_ENV; /* names of variables */
    } else if (!strcmp(name, "nix-shell") || !strcmp(name, "nix")) {
        if (!sbx_use_has(use, "--run --command -c") && !use->operands && name[3] == '-')
            sbx_find(j, SBX_DENY, SBX_CLASS_NESTED_SHELL, "a shell of its own",
                     "name the command to run");
        static const char *const runs[] = {"run", "shell", "develop", "build", "profile", "bundle"};
        for (uint32_t i = 1; SBX_OPERAND_IN(use, 0, runs) && i < use->operands; i++)
            if (sbx_is_remote_source(use->operand[i]->text))
                sbx_find_source(j);
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
                (void)sbx_check_path(j, sbx_value_tail(j, use->operand[i], 1), SBX_ACCESS_READ);
    }
}
