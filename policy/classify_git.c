/* git: lost work, settings that run programs, repositories planted by hand, what becomes public. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <ctype.h>
#include <string.h>

static void find_loss(struct sbx_judge *j, const char *what)
{
    sbx_find(j, SBX_ASK, SBX_CLASS_GIT_DESTROY, what,
             "commit or stash first, or name exactly what may go");
}

static bool operand_is(const struct sbx_use *use, uint32_t at, const char *text)
{
    return at < use->operands && sbx_value_is(use->operand[at], text);
}

/* --- settings ------------------------------------------------------------------------------------------------------------ */
static const struct {
    const char *key; /* lower case; * any part */
    bool boolean_ok;
} exec_keys[] = {
    {"core.fsmonitor",             true },
    {"core.sshcommand",            false},
    {"core.pager",                 false},
    {"core.editor",                false},
    {"core.askpass",               false},
    {"core.gitproxy",              false},
    {"core.hookspath",             false},
    {"core.alternaterefscommand",  false},
    {"sequence.editor",            false},
    {"gpg.program",                false},
    {"gpg.*.program",              false},
    {"credential.helper",          false},
    {"credential.*.helper",        false},
    {"diff.external",              false},
    {"*.textconv",                 false},
    {"*.cmd",                      false},
    {"filter.*",                   false},
    {"uploadpack.packobjectshook", false},
    {"pager.*",                    true },
    {"merge.*.driver",             false},
    {"diff.*.command",             false},
    {"interactive.difffilter",     false},
    {"browser.*.path",             false},
    {"web.browser",                false},
    {"man.*.path",                 false},
    {"*.path",                     false},
    {"protocol.ext.allow",         false},
    {"remote.*.uploadpack",        false},
    {"remote.*.receivepack",       false},
    {"remote.*.vcs",               false},
    {"trailer.*.command",          false},
    {"trailer.*.cmd",              false},
    {"sendemail.smtpserver",       false},
    {"sendemail.tocmd",            false},
    {"sendemail.cccmd",            false},
    {"ssh.variant",                true },
    {"init.templatedir",           false},
    {"tar.*.command",              false},
    {"imap.tunnel",                false},
    {"guitool.*",                  false},
    {"submodule.*.update",         true },
    {"core.worktree",              false},
    {"include.path",               false},
    {"includeif.*.path",           false},
    {"diff.tool",                  true },
    {"hook.*.command",             false},
    {"maintenance.*.command",      false},
};

static bool is_boolean(const struct sbx_value *value)
{
    static const char *const words[] = {"",  "true", "false",    "yes",    "no",    "on",  "off",
                                        "0", "1",    "checkout", "rebase", "merge", "none"};
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (!strcasecmp(value->text, words[i]))
            return true;
    return false;
}

static bool is_exec_key(const char *key, const struct sbx_value *value)
{
    for (size_t i = 0; i < sizeof(exec_keys) / sizeof(*exec_keys); i++) {
        if (!sbx_like(exec_keys[i].key, key))
            continue;
        if (!value)
            return !exec_keys[i].boolean_ok;
        if (exec_keys[i].boolean_ok && is_boolean(value))
            return false;
        if (!strcmp(exec_keys[i].key, "filter.*") &&
            (strstr(key, ".required") || strstr(value->text, "git-lfs") == value->text))
            return false;
        if (strstr(key, "include") == key)
            return value->text[0] == '/' || value->text[0] == '~' || !strncmp(value->text, "..", 2);
        if (!strncmp(exec_keys[i].key, "sub", 3))
            return value->text[0] == '!';
        return !sbx_is_harmless_tool(value);
    }
    return false;
}

void sbx_classify_git_key(struct sbx_judge *j, const struct sbx_value *name,
                          const struct sbx_value *value)
{
    char key[256];
    if (name->len >= sizeof(key))
        return;
    for (uint32_t i = 0; i < name->len; i++)
        key[i] = (char)tolower((unsigned char)name->text[i]);
    key[name->len] = 0;
    if (!strncmp(key, "alias.", 6)) {
        if (value && value->text[0] == '!') {
            struct sbx_value *code = sbx_value_new(&j->arena, value->text + 1, value->len - 1);
            struct sbx_flow out = {0};
            const struct sbx_flow in = {.is_set = true, .taint = SBX_TAINT_UNKNOWN};
            if (code)
                sbx_judge_code(j, code, &in, &out);
            sbx_find(j, SBX_ASK, SBX_CLASS_PERSISTENCE, "a shell alias of git's",
                     "use a script in the project instead");
        }
        return;
    }
    if (!strcmp(key, "safe.directory") && value && sbx_value_is(value, "*"))
        sbx_find(j, SBX_ASK, SBX_CLASS_PLANTED_REPO, "every repository trusted",
                 "name the repository that you trust");
    if (!strcmp(key, "safe.barerepository") && value && sbx_value_is(value, "all"))
        sbx_find(j, SBX_ASK, SBX_CLASS_PLANTED_REPO, "every bare repository trusted",
                 "name the repository that you mean");
    if ((!strncmp(key, "http.", 5) && strstr(key, "sslverify") && value &&
         !strcasecmp(value->text, "false")))
        sbx_find(j, SBX_ASK, SBX_CLASS_NONE, "certificates not checked",
                 "keep the check of certificates on");
    if (!strcmp(key, "credential.helper") && value && !strncmp(value->text, "store", 5))
        sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "passwords kept in a file",
                 "let the operator set credentials up");
    if ((strstr(key, ".pushurl") || (!strncmp(key, "remote.", 7) && strstr(key, ".url"))) &&
        value) {
        j->remote_changed = true;
        sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "another address for a remote",
                 "changing where work is sent needs approval");
    }
    if (!strncmp(key, "url.", 4) && (strstr(key, "insteadof")))
        sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "another address for a remote",
                 "changing where work is sent needs approval");
    if ((!strcmp(key, "user.email") || !strcmp(key, "user.name")) && value)
        sbx_classify_public(j, value);
    if (!is_exec_key(key, value))
        return;
    bool folder =
        !strcmp(key, "core.hookspath") || !strcmp(key, "init.templatedir") ||
        (!strncmp(key, "include", 7) && value && value->text[0] != '/' && value->text[0] != '~');
    if (folder && !j->git_inline) {
        sbx_find(j, SBX_ASK, SBX_CLASS_PERSISTENCE, "hooks or settings of another folder",
                 "keep hooks where git looks for them, or ask");
        return;
    }
    bool worktree = !strcmp(key, "core.worktree");
    sbx_find(j, SBX_DENY, worktree ? SBX_CLASS_PLANTED_REPO : SBX_CLASS_PERSISTENCE,
             "a setting that makes git run a program", "run that program as a command of its own");
}

static void split_setting(struct sbx_judge *j, const struct sbx_value *setting)
{
    const char *equals = memchr(setting->text, '=', setting->len);
    size_t len = equals ? (size_t)(equals - setting->text) : setting->len;
    struct sbx_value *key = sbx_value_new(&j->arena, setting->text, len);
    if (!key)
        return;
    if (!equals) {
        sbx_classify_git_key(j, key, NULL);
        return;
    }
    struct sbx_value value = *setting;
    value.text += len + 1;
    value.len -= (uint32_t)len + 1;
    value.mask = value.mask ? value.mask + len + 1 : NULL;
    /* On the command line an alias runs now. */
    if (!strncasecmp(key->text, "alias.", 6) && value.text[0] == '!')
        sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "a shell alias on git's command line",
                 "run that command by itself");
    sbx_classify_git_key(j, key, &value);
}

/* Options in front of the subcommand, and subcommands that the table has no row for. */
static void git_globals(struct sbx_judge *j, struct sbx_use *use)
{
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *o = &use->option[i];
        char path[SBX_PATH_BYTES];
        if (!o->value)
            continue;
        if (o->letter == 'c') {
            j->git_inline = true;
            split_setting(j, o->value);
            j->git_inline = false;
        } else if (o->letter == 'x')
            sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "git's programs from elsewhere",
                     "use the git that is installed");
        else if (o->letter == 'v')
            split_setting(j, &(struct sbx_value){.text = o->value->text,
                                                 .len = (uint32_t)strcspn(o->value->text, "=")});
        else if (o->letter == 'g' && sbx_path_of(j, o->value, path, sizeof(path)) &&
                 !sbx_path_below(path, j->project) && !sbx_path_below(path, j->cwd))
            sbx_find(j, SBX_ASK, SBX_CLASS_PLANTED_REPO,
                     "a repository outside the current work tree",
                     "change into that repository and let git find it");
    }
}

void sbx_check_git(struct sbx_judge *j, struct sbx_use *use)
{
    git_globals(j, use);
    use->out->is_set = true;
}

/* --- subcommands that lose something --------------------------------------------------------------------------------------- */
void sbx_check_git_reset(struct sbx_judge *j, struct sbx_use *use)
{
    if (sbx_use_letter(use, 'h') || sbx_use_letter(use, 'k'))
        find_loss(j, "git reset that drops work");
}

void sbx_check_git_checkout(struct sbx_judge *j, struct sbx_use *use)
{
    bool creates = sbx_use_has(use, "-b -B --orphan -t --track");
    if (sbx_use_letter(use, 'f'))
        find_loss(j, "git checkout that drops work");
    else if (!creates &&
             (use->has_dashdash
                  ? use->words > use->operand_at
                  : operand_is(use, 0, ".") || operand_is(use, 1, ".") || use->operands > 1 ||
                        sbx_use_has(use, "--ours --theirs --pathspec-from-file")))
        find_loss(j, "files taken back from git");
}

void sbx_check_git_switch(struct sbx_judge *j, struct sbx_use *use)
{
    if (sbx_use_letter(use, 'f'))
        find_loss(j, "git switch that drops work");
}

void sbx_check_git_restore(struct sbx_judge *j, struct sbx_use *use)
{
    if (!sbx_use_letter(use, 'S') || sbx_use_letter(use, 'W'))
        find_loss(j, "files taken back from git");
}

void sbx_check_git_clean(struct sbx_judge *j, struct sbx_use *use)
{
    if (sbx_use_letter(use, 'f') && !sbx_use_letter(use, 'n'))
        find_loss(j, "untracked files deleted by git");
}

void sbx_check_git_branch(struct sbx_judge *j, struct sbx_use *use)
{
    if (sbx_use_letter(use, 'D') || sbx_use_letter(use, 'f') || sbx_use_letter(use, 'M') ||
        sbx_use_letter(use, 'C'))
        find_loss(j, "a branch dropped or moved");
    for (uint32_t i = 0; i < use->operands; i++)
        sbx_classify_public(j, use->operand[i]);
}

void sbx_check_git_stash(struct sbx_judge *j, struct sbx_use *use)
{
    if (operand_is(use, 0, "drop") || operand_is(use, 0, "clear"))
        find_loss(j, "a stash dropped");
}

void sbx_check_git_gc(struct sbx_judge *j, struct sbx_use *use)
{
    const struct sbx_opt *prune = sbx_use_letter(use, 'p');
    if (prune && prune->value &&
        (sbx_value_is(prune->value, "now") || sbx_value_is(prune->value, "all")))
        find_loss(j, "unreachable commits dropped");
}

void sbx_check_git_worktree(struct sbx_judge *j, struct sbx_use *use)
{
    if (operand_is(use, 0, "remove") && sbx_use_letter(use, 'f'))
        find_loss(j, "a work tree dropped");
    if (operand_is(use, 0, "add"))
        for (uint32_t i = 1; i < use->operands && i < 2; i++) {
            (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_WRITE);
            if (sbx_like("*.git", use->operand[i]->text))
                sbx_find(j, SBX_DENY, SBX_CLASS_PLANTED_REPO, "a work tree named like a repository",
                         "give the folder another name");
        }
}

void sbx_check_git_destroy(struct sbx_judge *j, struct sbx_use *use)
{
    const char *name = use->name;
    if (!strcmp(name, "git rm")) {
        bool cached = sbx_use_letter(use, 'c'), dry = sbx_use_letter(use, 'n');
        bool all = operand_is(use, 0, ".") || operand_is(use, 0, "*");
        if (!cached && !dry && (all || sbx_use_has(use, "-f")))
            find_loss(j, "files dropped by git");
        return;
    }
    if (!strcmp(name, "git symbolic-ref") || !strcmp(name, "git replace") ||
        !strcmp(name, "git lfs") || !strcmp(name, "git notes")) {
        if (sbx_use_has(use, "-d --delete") || operand_is(use, 0, "remove") ||
            (operand_is(use, 0, "prune") && !sbx_use_has(use, "-n --dry-run")))
            find_loss(j, "references or objects dropped");
        return;
    }
    if (!strncmp(name, "git ", 4)) {
        bool reads =
            sbx_use_letter(use, 'n') || (!strcmp(name, "git symbolic-ref") && use->operands < 2 &&
                                         !sbx_use_has(use, "-d --delete"));
        reads |= !strcmp(name, "git read-tree") && !sbx_use_has(use, "-u --reset");
        if (!reads)
            find_loss(j, "history rewritten or references dropped");
        return;
    }
    if (!strncmp(name, "gh api", 6) || !strncmp(name, "glab api", 8)) {
        const struct sbx_opt *method = sbx_use_letter(use, 'X');
        if (method && method->value && strcasecmp(method->value->text, "GET") != 0)
            find_loss(j, "something changed at the forge");
        return;
    }
    static const char *const losses[] = {"strip",      "rollback", "purge",  "histedit", "revert",
                                         "update",     "up",       "co",     "abandon",  "restore",
                                         "undo",       "prune",    "obslog", "clean",    "cleanup",
                                         "debugstrip", "backout",  "op",     "forget",   "shelve"};
    for (uint32_t i = 0; i < use->options; i++)
        if (use->option[i].letter == 'c' && use->option[i].value &&
            (strstr(use->option[i].value->text, "alias.") ||
             strstr(use->option[i].value->text, "hooks.") ||
             strstr(use->option[i].value->text, "extensions.") ||
             strstr(use->option[i].value->text, "ui.editor") ||
             strstr(use->option[i].value->text, "ui.ssh") ||
             strstr(use->option[i].value->text, "ui.merge")))
            sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "a setting that runs a program",
                     "run that program by itself");
    for (size_t i = 0; i < sizeof(losses) / sizeof(*losses); i++) {
        bool jj =
            !strcmp(name, "jj") && (!strcmp(losses[i], "undo") || !strcmp(losses[i], "revert") ||
                                    !strcmp(losses[i], "obslog"));
        bool risky = !jj && strcmp(losses[i], "update") && strcmp(losses[i], "up") &&
                     strcmp(losses[i], "co") && strcmp(losses[i], "shelve") &&
                     strcmp(losses[i], "forget") && strcmp(losses[i], "op") &&
                     strcmp(losses[i], "cleanup");
        if (operand_is(use, 0, losses[i]) &&
            (risky || sbx_use_has(use, "-C --clean --remove-unversioned")) &&
            !sbx_use_has(use, "-n --dry-run"))
            find_loss(j, "work dropped by version control");
    }
    if (operand_is(use, 0, "push") && sbx_use_has(use, "-f --force"))
        find_loss(j, "remote history replaced");
}

/* --- what leaves ---------------------------------------------------------------------------------------------------------------- */
static bool is_address(const struct sbx_value *word)
{
    const char *text = word->text, *colon = strchr(text, ':');
    return strstr(text, "://") || text[0] == '/' || text[0] == '.' ||
           (colon && colon != text && !memchr(text, '/', (size_t)(colon - text))) ||
           strstr(text, "::");
}

static void check_address(struct sbx_judge *j, const struct sbx_value *word)
{
    if (!strncmp(word->text, "ext::", 5) || !strncmp(word->text, "fd::", 4))
        sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "an address that runs a program",
                 "use an https address");
    else if (strstr(word->text, "://") || strchr(word->text, '@'))
        sbx_check_host_value(j, word, strstr(word->text, "://") != NULL);
}

void sbx_check_git_push(struct sbx_judge *j, struct sbx_use *use)
{
    bool dry = sbx_use_letter(use, 'n') != NULL;
    if (dry)
        return;
    if (sbx_use_letter(use, 'f') || sbx_use_letter(use, 'd') || sbx_use_letter(use, 'm'))
        find_loss(j, "remote history replaced or dropped");
    const struct sbx_opt *repo = sbx_use_option(use, "--repo");
    if (repo && repo->value && is_address(repo->value))
        sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "a push to an address",
                 "push to the remotes that are set up");
    for (uint32_t i = 0; i < use->operands; i++) {
        const struct sbx_value *word = use->operand[i];
        if (!i) {
            check_address(j, word);
            if (is_address(word))
                sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "a push to an address",
                         "push to the remotes that are set up");
            continue;
        }
        if (word->text[0] == '+' || word->text[0] == ':')
            find_loss(j, "remote history replaced or dropped");
        sbx_classify_public(j, word);
    }
    if (j->remote_changed)
        sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "a push to a remote that was just changed",
                 "push to the remotes that are set up");
}

void sbx_check_git_remote(struct sbx_judge *j, struct sbx_use *use)
{
    for (uint32_t i = 0; i < use->operands; i++)
        check_address(j, use->operand[i]);
    if (strcmp(use->name, "git remote") != 0)
        return;
    if (operand_is(use, 0, "set-url")) {
        j->remote_changed = true;
        sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "another address for a remote",
                 "changing where work is sent needs approval");
    }
    if (operand_is(use, 0, "add"))
        j->remote_changed = true;
}

void sbx_check_git_clone(struct sbx_judge *j, struct sbx_use *use)
{
    for (uint32_t i = 0; i < use->options; i++)
        if (use->option[i].letter == 'c' && use->option[i].value)
            split_setting(j, use->option[i].value);
    if (!use->operands)
        return;
    const struct sbx_value *from = use->operand[0];
    check_address(j, from);
    if (!strstr(from->text, "://") && from->text[0] == '/')
        (void)sbx_check_path(j, from, SBX_ACCESS_READ);
    struct sbx_value *into = use->operands > 1 ? use->operand[1] : NULL;
    if (!into) {
        const char *slash = strrchr(from->text, '/');
        const char *base = slash                     ? slash + 1
                           : strchr(from->text, ':') ? strchr(from->text, ':') + 1
                                                     : from->text;
        size_t len = strlen(base);
        if (len > 4 && !strcmp(base + len - 4, ".git") && !sbx_use_letter(use, 'b'))
            len -= 4;
        into = sbx_value_new(&j->arena, base, len);
    }
    char path[SBX_PATH_BYTES];
    bool far = strstr(from->text, "://") || (strchr(from->text, ':') && from->text[0] != '/');
    if (far && into && sbx_path_of(j, into, path, sizeof(path)))
        sbx_made_add(j, path, NULL, SBX_TAINT_NET, NULL);
}

void sbx_check_git_tag(struct sbx_judge *j, struct sbx_use *use)
{
    if (sbx_use_letter(use, 'f') && !sbx_use_letter(use, 'l'))
        find_loss(j, "a tag moved");
    for (uint32_t i = 0;
         i < use->operands && !sbx_use_letter(use, 'l') && !sbx_use_letter(use, 'd'); i++)
        sbx_classify_public(j, use->operand[i]);
    sbx_check_git_public(j, use);
}

void sbx_check_git_init(struct sbx_judge *j, struct sbx_use *use)
{
    (void)j;
    use->out->is_set = true;
    use->out->taint = 0;
}

/* Text that becomes public comes by options (role i), by a file, or by standard input. */
void sbx_check_git_public(struct sbx_judge *j, struct sbx_use *use)
{
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *o = &use->option[i];
        if (o->role != 'i' || !o->value)
            continue;
        bool file = !strncmp(o->name, "-F", 2) || strstr(o->name, "-file") != NULL;
        char path[SBX_PATH_BYTES];
        if (file && sbx_value_is(o->value, "-") && use->in && use->in->text) {
            sbx_classify_public(j, use->in->text);
        } else if (file) {
            struct sbx_made *made =
                sbx_path_of(j, o->value, path, sizeof(path)) ? sbx_made_find(j, path) : NULL;
            (void)sbx_check_path(j, o->value, SBX_ACCESS_READ);
            if (made && made->text)
                sbx_classify_public(j, made->text);
        }
    }
    if (!strcmp(use->name, "git notes"))
        sbx_check_git_destroy(j, use);
    const struct sbx_opt *trailer = sbx_use_option(use, "--trailer");
    if (trailer && trailer->value) {
        struct sbx_text text = {.arena = &j->arena};
        sbx_text_put(&text, trailer->value->text, strcspn(trailer->value->text, "=:"),
                     SBX_MASK_LITERAL);
        sbx_text_put(&text, ":", 1, SBX_MASK_LITERAL);
        struct sbx_value *value = sbx_text_value(&text, (struct sbx_span){0, 0});
        if (value)
            sbx_classify_public(j, value);
    }
}

/* --- settings, modules, runs ------------------------------------------------------------------------------------------------------ */
void sbx_check_git_config(struct sbx_judge *j, struct sbx_use *use)
{
    uint32_t at = operand_is(use, 0, "set") || operand_is(use, 0, "get") ||
                  operand_is(use, 0, "list") || operand_is(use, 0, "unset");
    bool reads =
        sbx_use_letter(use, 'g') || operand_is(use, 0, "get") || operand_is(use, 0, "list");
    const struct sbx_opt *file = sbx_use_letter(use, 'f');
    if (file && file->value)
        (void)sbx_check_path(j, file->value, reads ? SBX_ACCESS_READ : SBX_ACCESS_READ);
    if (reads || sbx_use_letter(use, 'u') || operand_is(use, 0, "unset"))
        return;
    if (sbx_use_letter(use, 'e'))
        return;
    if (at >= use->operands || at + 1 >= use->operands)
        return;
    if (sbx_use_letter(use, 'Y'))
        sbx_find(j, SBX_DENY, SBX_CLASS_PATH, "git's settings of the whole machine",
                 "set it in the repository");
    sbx_classify_git_key(j, use->operand[at], use->operand[at + 1]);
}

void sbx_check_git_submodule(struct sbx_judge *j, struct sbx_use *use)
{
    if (!operand_is(use, 0, "foreach")) {
        for (uint32_t i = 0; i < use->operands; i++)
            check_address(j, use->operand[i]);
        if (operand_is(use, 0, "deinit"))
            for (uint32_t i = 1; i < use->operands; i++)
                if (sbx_value_is(use->operand[i], "-f") || sbx_value_is(use->operand[i], "--force"))
                    find_loss(j, "a submodule's work dropped");
        return;
    }
    uint32_t at = 1;
    while (at < use->operands && use->operand[at]->text[0] == '-')
        at++;
    if (at + 1 == use->operands)
        sbx_judge_code(j, use->operand[at], use->in, use->out);
    else if (at < use->operands)
        sbx_judge_argv(j, (struct sbx_argv){use->operand + at, use->operands - at}, use->in,
                       use->out);
}

void sbx_check_git_bisect(struct sbx_judge *j, struct sbx_use *use)
{
    if (operand_is(use, 0, "run") && use->operands > 1)
        sbx_judge_argv(j, (struct sbx_argv){use->operand + 1, use->operands - 1}, use->in,
                       use->out);
}

void sbx_check_git_rebase(struct sbx_judge *j, struct sbx_use *use)
{
    if (sbx_use_has(use, "--root"))
        find_loss(j, "all of history rewritten");
    use->out->is_set = true;
}

void sbx_check_git_show(struct sbx_judge *j, struct sbx_use *use)
{
    for (uint32_t i = 0; sbx_use_has(use, "--no-index") && i < use->operands; i++)
        (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_READ);
    if (!strcmp(use->name, "git reflog") &&
        (operand_is(use, 0, "expire") || operand_is(use, 0, "delete")))
        find_loss(j, "reflog dropped");
}

void sbx_check_git_grep(struct sbx_judge *j, struct sbx_use *use)
{
    const struct sbx_opt *pager = sbx_use_option(use, "-O");
    if (pager && pager->value && !sbx_is_harmless_tool(pager->value))
        sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "an option that runs a program",
                 "run that program by itself");
    for (uint32_t i = 0; sbx_use_has(use, "--no-index") && i < use->operands; i++)
        (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_READ);
}

/* --- repositories planted by hand ---------------------------------------------------------------------------------------------------- */
enum { PLANT_HEAD = 1, PLANT_OBJECTS = 2, PLANT_REFS = 4, PLANT_CONFIG = 8 };

void sbx_classify_written(struct sbx_judge *j, const char *path, const struct sbx_value *text)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    unsigned before = j->planted;
    if (!strcmp(base, "HEAD"))
        j->planted |= PLANT_HEAD;
    else if (!strcmp(base, "objects"))
        j->planted |= PLANT_OBJECTS;
    else if (!strcmp(base, "refs") || strstr(path, "refs/heads"))
        j->planted |= PLANT_REFS;
    else if (!strcmp(base, "config"))
        j->planted |= PLANT_CONFIG;
    unsigned repository = PLANT_HEAD | PLANT_OBJECTS | PLANT_REFS;
    if (before != j->planted && (j->planted & repository) == repository)
        sbx_find(j, SBX_DENY, SBX_CLASS_PLANTED_REPO, "a repository made by hand",
                 "use git init in a folder of its own");
    if (!text || !text->len)
        return;
    static const char *const keys[] = {
        "fsmonitor",  "sshcommand",      "hookspath",  "textconv",  "[filter",
        "uploadpack", "packobjectshook", "askpass",    "gitproxy",  "worktree =",
        "worktree=",  "[include",        "update = !", "update=!",  "external =",
        "external=",  "[alias",          "pager =",    "pager=",    "editor =",
        "editor=",    "helper =",        "helper=",    "program =", "program="};
    bool config =
        !strcmp(base, "config") || !strcmp(base, ".gitmodules") || !strcmp(base, "config.worktree");
    for (size_t i = 0; config && i < sizeof(keys) / sizeof(*keys); i++)
        if (strcasestr(text->text, keys[i]))
            sbx_find(j, SBX_DENY, SBX_CLASS_PLANTED_REPO,
                     "git settings that run a program, written by hand",
                     "run that program as a command of its own");
}
