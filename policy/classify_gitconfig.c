/* git: settings that run programs, repositories planted by hand. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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
         (!strcasecmp(value->text, "false") || !strcasecmp(value->text, "no") ||
          !strcasecmp(value->text, "off") || !strcmp(value->text, "0"))))
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

void sbx_classify_git_setting(struct sbx_judge *j, const struct sbx_value *setting)
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
            sbx_classify_git_setting(j, o->value);
            j->git_inline = false;
        } else if (o->letter == 'x')
            sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "git's programs from elsewhere",
                     "use the git that is installed");
        else if (o->letter == 'v')
            sbx_classify_git_setting(
                j, &(struct sbx_value){.text = o->value->text,
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

/* http.extraheader, github.token: a key that holds a secret, also as a pattern of keys. */
static bool is_secret_key(const struct sbx_value *key)
{
    static const char *const marks[] = {"extraheader", "token", "passw",   "secret",
                                        "smtppass",    "oauth", "api_key", "apikey"};
    for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
        if (strcasestr(key->text, marks[i]))
            return true;
    return false;
}

/* --- settings, modules, runs ------------------------------------------------------------------------------------------------------ */
void sbx_check_git_config(struct sbx_judge *j, struct sbx_use *use)
{
    uint32_t at = sbx_operand_is(use, 0, "set") || sbx_operand_is(use, 0, "get") ||
                  sbx_operand_is(use, 0, "list") || sbx_operand_is(use, 0, "unset");
    bool reads =
        sbx_use_letter(use, 'g') || sbx_operand_is(use, 0, "get") || sbx_operand_is(use, 0, "list");
    const struct sbx_opt *file = sbx_use_letter(use, 'f');
    if (file && file->value)
        (void)sbx_check_path(j, file->value, reads ? SBX_ACCESS_READ : SBX_ACCESS_WRITE);
    bool drops = sbx_use_letter(use, 'u') || sbx_operand_is(use, 0, "unset");
    const struct sbx_opt *asked = sbx_use_letter(use, 'g');
    const struct sbx_value *key = asked && asked->value          ? asked->value
                                  : at < use->operands && !drops ? use->operand[at]
                                                                 : NULL;
    if (key && (reads || at + 1 == use->operands) && is_secret_key(key))
        sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "a secret printed",
                 "tools find their secrets by themselves; no need to print one");
    if (sbx_use_has(use, "-l --list") || sbx_operand_is(use, 0, "list"))
        use->out->taint |= SBX_TAINT_ENV;
    if (reads || drops)
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
