/* One simple command: its words, its peeled forms, and what the table says of each. */
#include "policy/classify.h"
#include "policy/command_policy.h"
#include "policy/place.h"
#include "policy/rule.h"

#include <fnmatch.h>
#include <string.h>

#define WORDS_MAX 4096 /* looked at by rules and checks; more are past the limits */

/* --- names ------------------------------------------------------------------------------------------------------ */
/* Without the directories of the system: /usr/bin/rm and /proc/self/root/bin/rm are rm. */
static const char *plain_name(const struct sbx_value *word)
{
    const char *slash = strrchr(word->text, '/');
    /* The program that runs this: bash. */
    if (!strncmp(word->text, "/proc/", 6) && slash && !strcmp(slash, "/exe"))
        return "bash";
    return slash ? slash + 1 : word->text;
}

static bool is_path_name(const struct sbx_value *word)
{
    return memchr(word->text, '/', word->len) != NULL;
}

/* A program by this name alone, or in a folder of the machine's own: what lies elsewhere may be anything. */
static bool is_of_system(const struct sbx_value *word)
{
    static const char *const folders[] = {"/bin/",  "/usr/bin/",  "/usr/local/bin/",
                                          "/sbin/", "/usr/sbin/", "/usr/local/sbin/"};
    const char *slash = strrchr(word->text, '/');
    size_t len = slash ? (size_t)(slash - word->text) + 1 : 0;
    for (size_t i = 0; len && i < sizeof(folders) / sizeof(*folders); i++)
        if (strlen(folders[i]) == len && !memcmp(folders[i], word->text, len))
            return true;
    return !len;
}

/* --- rules ------------------------------------------------------------------------------------------------------- */
static bool is_all_known(const struct sbx_argv *argv)
{
    for (uint32_t i = 0; i < argv->count; i++)
        if (argv->word[i]->unsure || !sbx_value_known(argv->word[i]))
            return false;
    return true;
}

static void find_rule(struct sbx_judge *j, const struct sbx_rule *rule,
                      enum sbx_verdict_kind verdict)
{
    sbx_find_path(j, (struct sbx_finding){
                         .verdict = verdict,
                         .class = SBX_CLASS_NONE,
                         .what = "Bash rule",
                         .reason = verdict == SBX_DENY
                                       ? "this command is closed by policy; do it another way"
                                       : "this command needs approval by policy",
                         .origin = &rule->origin,
                         .rule = sbx_policy_text(j->policy, rule->text),
                         .by = SBX_BY_RULE});
}

/* Has a human said yes to this very command? No other rule answers an ask rule. */
static bool is_granted(const struct sbx_judge *j, const struct sbx_words *words)
{
    uint32_t count = 0;
    const struct sbx_rule *rules = sbx_policy_rules(j->policy, &count);
    for (uint32_t i = 0; i < count; i++)
        if (rules[i].origin.scope == SBX_SCOPE_GRANT && rules[i].action == SBX_RULE_ALLOW &&
            rules[i].tool == SBX_TOOL_BASH && rules[i].form != SBX_FORM_ANY &&
            sbx_rule_matches_words(j->policy, &rules[i], words))
            return true;
    return false;
}

/* Deny and ask rules may match with unknown words; allow rules never do. Returns the rule that
 * allows this form, or NULL. */
static const struct sbx_rule *apply_rules(struct sbx_judge *j, const struct sbx_argv *argv)
{
    struct sbx_words words;
    struct sbx_err err = SBX_ERR_INIT;
    if (!j->policy->rules_count)
        return NULL;
    const char **texts = sbx_arena_alloc(&j->arena, (argv->count + 1) * sizeof(*texts));
    if (!texts) {
        j->no_memory = true;
        return NULL;
    }
    for (uint32_t i = 0; i < argv->count; i++) {
        const struct sbx_value *word = argv->word[i];
        texts[i] = !sbx_value_known(word) || strlen(word->text) != word->len ? NULL : word->text;
    }
    if (sbx_words_join(&j->arena, texts, argv->count, &words, &err)) {
        j->limit_hit = true;
        return NULL;
    }
    if (!is_all_known(argv))
        words.is_certain = false;
    const struct sbx_rule *rule = sbx_rules_find(j->policy, SBX_RULE_DENY, &words);
    if (rule)
        find_rule(j, rule, SBX_DENY);
    rule = sbx_rules_find(j->policy, SBX_RULE_ASK, &words);
    if (rule && j->asks_bite && !is_granted(j, &words))
        find_rule(j, rule, SBX_ASK);
    return words.is_certain ? sbx_rules_find(j->policy, SBX_RULE_ALLOW, &words) : NULL;
}

/* --- peeling --------------------------------------------------------------------------------------------------------- */
static void peel(struct sbx_judge *j, struct sbx_use *use)
{
    for (uint32_t i = 0; i < use->operands; i++) {
        if (sbx_use_role(use, i) != 'C')
            continue;
        uint32_t at = use->operand_at + i;
        /* Where options stop at the first operand, operands are the words from there on. */
        while (at < use->words && use->word[at] != use->operand[i])
            at++;
        /* flock FILE -c 'text' */
        bool text = at + 1 == use->words && memchr(use->word[at]->text, ' ', use->word[at]->len);
        if (text)
            sbx_judge_code(j, use->word[at], use->in, use->out);
        if (sbx_value_is(use->word[at], "-c") && at + 1 < use->words)
            sbx_judge_code(j, use->word[at + 1], use->in, use->out);
        else
            sbx_judge_argv(j, (struct sbx_argv){use->word + at, use->words - at}, use->in,
                           use->out);
        return;
    }
}

/* An option that is a flag in this version of a wrapper and takes a value in another: where the value
 * is the name of a dangerous command, that command counts as well. */
static void peel_values(struct sbx_judge *j, struct sbx_use *use)
{
    for (uint32_t i = use->first + 1; i < use->words; i++) {
        struct sbx_value *word = use->word[i];
        const struct sbx_command_row *row =
            word->len > 1 && sbx_value_known(word) ? sbx_command_find(word->text, word->len) : NULL;
        if (!row || !(row->flags & SBX_CMD_DANGER))
            continue;
        for (uint32_t k = 0; k < use->options; k++)
            if (use->option[k].value == word)
                sbx_judge_argv(j, (struct sbx_argv){use->word + i, use->words - i}, use->in,
                               use->out);
        return;
    }
}

/* An unknown program whose words are, one by one, a dangerous command is judged as that. */
static void judge_unknown(struct sbx_judge *j, struct sbx_use *use)
{
    use->out->is_set = true;
    use->out->taint = SBX_TAINT_FILE | (use->in ? use->in->taint : 0);
    bool tried = false, named = false;
    for (uint32_t i = use->first; i < use->words; i++) {
        struct sbx_value *word = use->word[i];
        use->out->taint |= word->taint & SBX_TAINT_SECRET;
        bool met = named;
        named |= word->len && word->text[0] != '-';
        if (!tried && word->len && sbx_value_known(word)) {
            const char *name = plain_name(word);
            const struct sbx_command_row *row = sbx_command_find(name, strlen(name));
            bool bare_shell = row && (row->flags & SBX_CMD_SHELL) && i + 1 == use->words;
            bool leads = !met && i + 1 < use->words;
            if (row && (leads || (row->flags & SBX_CMD_DANGER)) && !bare_shell) {
                sbx_judge_argv(j, (struct sbx_argv){use->word + i, use->words - i}, use->in,
                               use->out);
                tried = true;
                continue;
            }
        }
        const char *equals =
            word->len && word->text[0] == '-' ? memchr(word->text, '=', word->len) : NULL;
        if (equals || (word->len && word->text[0] != '-' && is_path_name(word))) {
            struct sbx_value part = *word;
            size_t from = equals ? (size_t)(equals - word->text) + 1 : 0;
            part.text += from;
            part.len -= (uint32_t)from;
            part.mask = part.mask ? part.mask + from : NULL;
            /* What it is for is not known: a store of the home or a device may be opened. */
            bool opened = part.text[0] == '/';
            if (part.len && is_path_name(&part) && !strstr(part.text, "://"))
                use->out->taint |=
                    sbx_check_path(j, &part, opened ? SBX_ACCESS_READ : SBX_ACCESS_LIST);
        }
    }
}

/* Rows of subcommands: "git push", "docker container rm". */
static void descend(struct sbx_judge *j, struct sbx_use *use, char *name, size_t size)
{
    for (unsigned level = 0; level < 3 && use->row && (use->row->flags & SBX_CMD_SUB); level++) {
        struct sbx_use outer = *use;
        if (!sbx_use_parse(&j->arena, &outer) || !outer.operands)
            return;
        struct sbx_value *word = outer.operand[0];
        const struct sbx_command_row *row =
            sbx_value_known(word) ? sbx_command_sub(name, strlen(name), word->text, word->len)
                                  : NULL;
        if (!sbx_value_known(word) && sbx_mask_unknown(sbx_value_mask(word, 0)))
            use->has_unknown = true;
        if (!row)
            return;
        /* What stands in front of the subcommand: git -c key=value status. */
        for (uint32_t i = 0; (use->row->flags & SBX_CMD_STOP) && i < outer.options; i++)
            if (outer.option[i].value && outer.option[i].role)
                (void)sbx_apply_role(j, &outer, outer.option[i].role, outer.option[i].value);
        if (use->row->check)
            use->row->check(j, &outer);
        size_t len = strlen(name);
        if (len + word->len + 2 > size)
            return;
        name[len] = ' ';
        memcpy(name + len + 1, word->text, word->len + 1);
        use->row = row;
        use->first = outer.operand_at + 1;
    }
}

static bool decodes(const struct sbx_use *use)
{
    static const char *const always[] = {"gunzip", "zcat",     "bunzip2", "bzcat",   "unxz",
                                         "xzcat",  "unlzma",   "unzstd",  "zstdcat", "unlz4",
                                         "lz4cat", "uudecode", "gzcat"};
    static const char *const with_option[] = {"gzip",   "bzip2",  "xz",     "zstd",    "lz4",
                                              "base64", "base32", "basenc", "openssl", "gpg",
                                              "gpg2",   "age",    "brotli", "lzma"};
    for (size_t i = 0; i < sizeof(always) / sizeof(*always); i++)
        if (!strcmp(use->name, always[i]))
            return true;
    for (size_t i = 0; i < sizeof(with_option) / sizeof(*with_option); i++)
        if (!strcmp(use->name, with_option[i]))
            return sbx_use_has(use, "-d --decode --decompress -D --decrypt -dc");
    return !strcmp(use->name, "xxd") && sbx_use_letter(use, 'r');
}

/* A program for sed or awk that lies in a file: nobody has read what it does. */
static bool reads_code(const struct sbx_use *use)
{
    const char *names = use->row->names;
    return (!strncmp(names, "sed|", 4) || !strncmp(names, "awk|", 4)) && sbx_use_letter(use, 'f');
}

static void judge_row(struct sbx_judge *j, struct sbx_use *use)
{
    const struct sbx_command_row *row = use->row;
    if (!sbx_use_parse(&j->arena, use)) {
        j->no_memory = true;
        return;
    }
    if (j->trace && j->trace->command)
        j->trace->command(j->trace->data, use, j->depth);
    bool page = !strncmp(use->name, "git ", 4) && !(use->in && use->in->is_set);
    if (((row->flags & SBX_CMD_VERSION_OK) || page) && sbx_use_is_question(use))
        return;
    if (row->raise.verdict != SBX_ALLOW)
        sbx_find(j, row->raise.verdict, row->raise.class, row->names,
                 row->remedy ? row->remedy : "this is not done from here; ask for it");
    sbx_apply_roles(j, use);
    sbx_classify_words(j, use);
    if (row->check)
        row->check(j, use);
    sbx_classify_build(j, use);
    sbx_classify_recipe(j, use);
    sbx_classify_copies(j, use);
    if (decodes(use))
        use->out->taint |= SBX_TAINT_DECODED;
    if (row->operands && strchr(row->operands, 'C')) {
        peel(j, use);
        peel_values(j, use);
    } else if (!(row->flags & SBX_CMD_READONLY) || j->writes_output)
        j->form_ok = j->form_ok && j->answered;
    sbx_classify_endless(j, use);
}

/* --- one form of a command ---------------------------------------------------------------------------------------------- */
static void judge_candidates(struct sbx_judge *j, struct sbx_argv argv, const struct sbx_flow *in,
                             struct sbx_flow *out);

static void find_unknown_name(struct sbx_judge *j, const struct sbx_value *name)
{
    if (name->taint & SBX_TAINT_ARGUMENT)
        return; /* of a function: judged where it is called */
    if (name->taint & SBX_TAINT_NET)
        sbx_find(j, SBX_DENY, SBX_CLASS_REMOTE_CODE, "a program name from the network",
                 "read what was downloaded first, then write the command out");
    sbx_find(j, SBX_ASK, SBX_CLASS_SHELL_EVASION, "the program is not known before it runs",
             "write the program's name out");
}

/* What a program prints is known, but nobody has asked it; a builtin is bash itself. */
static void mark_modelled(struct sbx_judge *j, struct sbx_flow *out)
{
    struct sbx_value *copy = sbx_value_copy(j, out->text);
    if (copy)
        copy->modelled = true;
    out->text = copy;
}

static void judge_named(struct sbx_judge *j, struct sbx_argv argv, const char *name,
                        const struct sbx_flow *in, struct sbx_flow *out)
{
    char full[96];
    struct sbx_use use = {
        .name = full, .word = argv.word, .words = argv.count, .first = 1, .in = in, .out = out};
    size_t len = strlen(name);
    if (len >= sizeof(full))
        len = sizeof(full) - 1;
    memcpy(full, name, len);
    full[len] = 0;
    use.row = sbx_command_find(full, len);
    if (!use.row)
        use.row = sbx_command_of_policy(j->policy, &j->arena, full, len);
    if (use.row && (use.row->flags & SBX_CMD_BUILTIN) && is_path_name(argv.word[0]) &&
        use.row->check)
        use.row = (use.row->flags & SBX_CMD_DATA) ? use.row : NULL;
    const struct sbx_rule *rule = apply_rules(j, &argv);
    bool answered = j->answered, form_ok = j->form_ok;
    j->answered = rule && rule->origin.scope >= SBX_SCOPE_GRANT && rule->form != SBX_FORM_ANY;
    j->form_ok = form_ok || rule ||
                 (use.row && (use.row->flags & SBX_CMD_READONLY) && is_all_known(&argv) &&
                  is_of_system(argv.word[0]) && !j->writes_output);
    if (rule)
        j->allow_rule = rule;
    j->rule_covers |= rule != NULL;
    if (use.row) {
        bool keep = j->form_ok;
        bool is_cd = use.row->flags & SBX_CMD_BUILTIN;
        const char *cwd = sbx_cwd_save(j);
        descend(j, &use, full, sizeof(full));
        judge_row(j, &use);
        if (is_cd)
            sbx_builtin_effects(j, &use);
        if (out->text && (!is_cd || is_path_name(argv.word[0])))
            mark_modelled(j, out);
        if (!is_cd)
            sbx_cwd_restore(j, cwd);
        bool wraps = use.row->operands && strchr(use.row->operands, 'C');
        if (!wraps)
            j->form_ok = rule || form_ok ||
                         (keep && (use.row->flags & SBX_CMD_READONLY) && !j->writes_output &&
                          !reads_code(&use));
    } else {
        if (!sbx_use_parse(&j->arena, &use))
            j->no_memory = true;
        if (j->trace && j->trace->command)
            j->trace->command(j->trace->data, &use, j->depth);
        sbx_classify_words(j, &use);
        judge_unknown(j, &use);
        j->form_ok = rule || form_ok;
    }
    j->answered = answered;
}

/* An alias that is plain words stands in front of the words that follow: `alias x='rm -rf'; x *`. */
static bool alias_words(struct sbx_judge *j, const struct sbx_function *f, struct sbx_argv argv,
                        struct sbx_argv *out)
{
    size_t len = strlen(f->alias);
    uint32_t count = 0;
    if (strcspn(f->alias, "'\"\\$`;&|<>(){}[]*?~!#\n") < len)
        return false;
    out->word = sbx_arena_alloc(&j->arena, (len / 2 + 2 + argv.count) * sizeof(*out->word));
    if (!out->word)
        return false;
    for (const char *at = f->alias; *at;) {
        at += strspn(at, " \t");
        size_t word = strcspn(at, " \t");
        if (word && !(out->word[count++] = sbx_value_new(&j->arena, at, word)))
            return false;
        at += word;
    }
    for (uint32_t i = 1; i < argv.count; i++)
        out->word[count++] = argv.word[i];
    out->count = count;
    return true;
}

static void judge_alias(struct sbx_judge *j, struct sbx_function *f, struct sbx_argv argv,
                        const struct sbx_flow *in, struct sbx_flow *out)
{
    struct sbx_argv words = {0};
    struct sbx_text text = {.arena = &j->arena};
    if (f->is_running)
        return;
    f->is_running = true;
    if (alias_words(j, f, argv, &words)) {
        if (j->trace && j->trace->words)
            j->trace->words(j->trace->data, &words, j->guessed > 0);
        sbx_judge_argv(j, words, in, out);
    } else {
        sbx_text_put(&text, f->alias, strlen(f->alias), SBX_MASK_LITERAL);
        for (uint32_t i = 1; i < argv.count; i++) {
            sbx_text_put(&text, " '", 2, SBX_MASK_LITERAL);
            sbx_text_append(&text, argv.word[i]);
            sbx_text_put(&text, "'", 1, SBX_MASK_LITERAL);
        }
        struct sbx_value *code = sbx_text_value(&text, argv.word[0]->span);
        if (code)
            sbx_judge_own_code(j, code, in, out);
    }
    f->is_running = false;
}

/* Functions, aliases and files made in this input take the place of a name. True: nothing else to do. */
static bool judge_replaced(struct sbx_judge *j, struct sbx_argv argv, const struct sbx_flow *in,
                           struct sbx_flow *out)
{
    struct sbx_value *name = argv.word[0];
    struct sbx_function *f = sbx_function_find(j, name->text, name->len);
    if (f && f->alias) {
        const bool form_ok = j->form_ok;
        judge_alias(j, f, argv, in, out);
        j->form_ok = form_ok;
        return false; /* in a script aliases are not expanded: the plain name counts too */
    }
    if (f && !f->is_gone) {
        struct sbx_use use = {.name = name->text,
                              .word = argv.word,
                              .words = argv.count,
                              .first = 1,
                              .in = in,
                              .out = out};
        sbx_walk_call(j, f, &use);
        if (f->is_maybe)
            return false; /* or the plain name */
        if (f->is_told)
            return false; /* what the shell told may be false: the name has to be covered too */
        j->form_ok = true;
        return true;
    }
    if (!is_path_name(name))
        return false;
    struct sbx_use use = {.name = name->text,
                          .word = argv.word,
                          .words = argv.count,
                          .first = 1,
                          .in = in,
                          .out = out};
    return sbx_run_file(j, name, &use);
}

/* A glob in the program's name stands for each program that it could match. */
static void judge_glob_name(struct sbx_judge *j, struct sbx_argv argv, const struct sbx_flow *in,
                            struct sbx_flow *out)
{
    const char *pattern = plain_name(argv.word[0]);
    unsigned tried = 0;
    bool outer = j->in_pattern;
    j->in_pattern = true;
    for (size_t g = 0; g < SBX_COMMAND_GROUPS && !outer; g++) {
        for (size_t r = 0; r < sbx_command_groups[g]->count; r++) {
            const char *names = sbx_command_groups[g]->rows[r].names;
            char name[64];
            size_t len = strcspn(names, "|");
            if (len >= sizeof(name))
                continue;
            memcpy(name, names, len);
            name[len] = 0;
            if (memchr(name, ' ', len) || fnmatch(pattern, name, 0) || tried++ > 48)
                continue;
            struct sbx_flow scratch = {0};
            judge_named(j, argv, name, in, &scratch);
        }
    }
    j->in_pattern = outer;
    out->is_set = true;
    out->taint |= SBX_TAINT_UNKNOWN;
    sbx_find(j, SBX_ASK, SBX_CLASS_SHELL_EVASION, "a pattern as the program's name",
             "write the program's name out");
}

static void judge_candidates(struct sbx_judge *j, struct sbx_argv argv, const struct sbx_flow *in,
                             struct sbx_flow *out)
{
    struct sbx_value *name = argv.word[0];
    bool unknown = sbx_value_has(name, SBX_MASK_UNKNOWN) || sbx_value_has(name, SBX_MASK_NONEMPTY);
    sbx_classify_name(j, name);
    if (sbx_value_has(name, SBX_MASK_GLOB) && !unknown) {
        if (is_path_name(name))
            judge_glob_name(j, argv, in, out);
        else
            find_unknown_name(j, name); /* a file of the current directory */
        return;
    }
    if (!unknown) {
        if (!judge_replaced(j, argv, in, out))
            judge_named(j, argv, plain_name(name), in, out);
        return;
    }
    /* r$x''m is rm where x is empty: the name without its unknown parts is judged as well. */
    char rest[96];
    size_t len = 0;
    bool only_directory = true;
    for (uint32_t i = 0; i < name->len && len + 1 < sizeof(rest); i++) {
        if (!sbx_mask_unknown(sbx_value_mask(name, i)))
            rest[len++] = name->text[i];
        else
            only_directory = only_directory && memchr(name->text + i, '/', name->len - i);
    }
    rest[len] = 0;
    const char *base = strrchr(rest, '/') ? strrchr(rest, '/') + 1 : rest;
    if (!strncmp(rest, "/proc/", 6) && !strcmp(base, "exe"))
        base = "bash";
    bool known_base = only_directory && *base &&
                      (sbx_command_find(base, strlen(base)) != NULL || strlen(base) > 0);
    if (*base)
        judge_named(j, argv, base, in, out);
    if (!known_base)
        find_unknown_name(j, name);
    else if (name->taint & SBX_TAINT_NET)
        find_unknown_name(j, name);
    if (!*base && argv.count > 1) {
        struct sbx_use use = {
            .name = "", .word = argv.word, .words = argv.count, .first = 1, .in = in, .out = out};
        judge_unknown(j, &use);
    }
    out->is_set = true;
    out->taint |= SBX_TAINT_UNKNOWN;
}

void sbx_judge_argv(struct sbx_judge *j, struct sbx_argv argv, const struct sbx_flow *in,
                    struct sbx_flow *out)
{
    struct sbx_flow scratch = {0};
    if (!argv.count || j->no_memory)
        return;
    if (j->depth >= SBX_JUDGE_DEPTH || argv.count > WORDS_MAX) {
        j->limit_hit = true;
        return;
    }
    size_t bytes = 0;
    for (uint32_t i = 0; i < argv.count; i++)
        bytes += argv.word[i]->len;
    if (!sbx_step(j, 1 + argv.count / 16 + bytes / 64))
        return;
    const struct sbx_flow *input = j->input;
    j->input = in;
    j->depth++;
    judge_candidates(j, argv, in, out ? out : &scratch);
    j->depth--;
    j->input = input;
}
