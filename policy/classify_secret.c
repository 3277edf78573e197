/* Tools that print, export or install secrets and keys. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* env | grep TOKEN, env | awk '/TOKEN/': the environment, searched for secrets. */
void sbx_find_filtered(struct sbx_judge *j, const struct sbx_use *use)
{
    if (use->in && (use->in->taint & SBX_TAINT_ENV))
        sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "secrets of the environment",
                 "programs find their secrets by themselves; no need to print one");
}

/* gh config get oauth_token, aws configure get aws_secret_access_key: one setting and no value for it. */
static bool reads_setting(const struct sbx_use *use)
{
    static const char *const gets[] = {"get", "show", "view", "read", "--get"};
    uint32_t at = use->first;
    while (at < use->words && !sbx_value_is(use->word[at], "config") &&
           !sbx_value_is(use->word[at], "configure"))
        at++;
    at++;
    for (size_t i = 0; at < use->words && i < sizeof(gets) / sizeof(*gets); i++)
        if (sbx_value_is(use->word[at], gets[i])) {
            at++;
            break;
        }
    while (at < use->words && use->word[at]->text[0] == '-')
        at++;
    static const char *const marks[] = {"token",   "secret",  "passw",      "oauth",      "_auth",
                                        "api_key", "api-key", "access_key", "private_key"};
    for (size_t i = 0; at + 1 == use->words && i < sizeof(marks) / sizeof(*marks); i++)
        if (strcasestr(use->word[at]->text, marks[i]) && !strchr(use->word[at]->text, '='))
            return true;
    return false;
}

/* Verbs and flags that print a secret, whatever the program. */
static bool shows_secret(const struct sbx_use *use)
{
    static const char *const words[] = {
        "--show-secrets",         "--show-secret",           "--show-token",     "--reveal",
        "--show-passwords",       "--show-password",         "credentials:show", "secrets:show",
        "print-access-token",     "print-identity-token",    "get-access-token", "config-helper",
        "generate-db-auth-token", "get-authorization-token", "auth:token"};
    static const struct {
        const char *program, *first, *second; /* program NULL: any */
    } pairs[] = {
        {NULL,     "auth",       "token"        },
        {NULL,     "create",     "token"        },
        {NULL,     "print",      "token"        },
        {NULL,     "whoami",     "-t"           },
        {NULL,     "wifi",       "show-password"},
        {NULL,     "credential", "show"         },
        {"az",     "keys",       "list"         },
        {"rclone", "config",     "show"         },
        {"rclone", "config",     "dump"         },
    };
    for (uint32_t i = use->first; i < use->words; i++) {
        for (size_t k = 0; k < sizeof(words) / sizeof(*words); k++)
            if (sbx_value_is(use->word[i], words[k]))
                return true;
        for (size_t k = 0; k < sizeof(pairs) / sizeof(*pairs) && i + 1 < use->words; k++)
            if ((!pairs[k].program || !strcmp(use->name, pairs[k].program)) &&
                sbx_value_is(use->word[i], pairs[k].first) &&
                sbx_value_is(use->word[i + 1], pairs[k].second))
                return true;
    }
    return !strcmp(use->name, "nmcli") && sbx_use_has(use, "-s");
}

void sbx_classify_shown(struct sbx_judge *j, const struct sbx_use *use)
{
    bool git = !strncmp(use->name, "git", 3) && (!use->name[3] || use->name[3] == ' ');
    if (git || use->words <= use->first || (!reads_setting(use) && !shows_secret(use)))
        return;
    sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "a secret printed",
             "tools find their secrets by themselves; no need to print one");
    use->out->taint |= SBX_TAINT_SECRET;
}

/* --- secrets ------------------------------------------------------------------------------------------------------------------------- */
void sbx_check_secret(struct sbx_judge *j, struct sbx_use *use)
{
    static const char *const harmless[] = {
        "ls",      "list",   "--version", "version", "--help", "help", "status",   "init",
        "git",     "search", "find",      "lock",    "login",  "sync", "generate", "insert",
        "store",   "clear",  "rm",        "edit",    "verify", "sign", "encrypt",  "updatekeys",
        "newring", "set",    "link",      "seal",    "auth"};
    static const char *const wrappers[] = {"run", "exec"};
    const char *name = use->name;
    if (!strcmp(name, "getent")) {
        if (sbx_operand_is(use, 0, "shadow") || sbx_operand_is(use, 0, "gshadow"))
            sbx_find(j, SBX_DENY, SBX_CLASS_CRED_READ, "password hashes",
                     "leave credential places alone");
        if (sbx_operand_is(use, 0, "hosts") && use->operands > 1)
            sbx_check_lookup(j, use);
        return;
    }
    if (strstr(name, "auth status")) {
        if (sbx_use_letter(use, 't'))
            sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "a token printed",
                     "tools find their token by themselves");
        return;
    }
    if (sbx_use_is_question(use) || (SBX_OPERAND_IN(use, 0, harmless)) ||
        (!use->operands && strcmp(name, "pass") != 0 && strcmp(name, "age") != 0 &&
         strcmp(name, "sops") != 0))
        return;
    if (SBX_OPERAND_IN(use, 0, wrappers)) {
        uint32_t at = 1;
        while (at < use->operands &&
               (use->operand[at]->text[0] == '-' || strchr(use->operand[at]->text, '=')))
            at++;
        if (at < use->operands &&
            (use->has_dashdash || sbx_command_find(use->operand[at]->text, use->operand[at]->len)))
            sbx_judge_argv(j, (struct sbx_argv){use->operand + at, use->operands - at}, use->in,
                           use->out);
        return;
    }
    bool file_tool = !strcmp(name, "age") || !strcmp(name, "sops") || !strcmp(name, "rage") ||
                     !strcmp(name, "minisign") || !strcmp(name, "cosign") ||
                     !strcmp(name, "signify");
    if (file_tool && !sbx_use_has(use, "-d --decrypt"))
        return;
    if (!strcmp(name, "pass") && !use->operands)
        return;
    sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "a secret printed",
             "tools find their secrets by themselves; no need to print one");
    use->out->is_set = true;
    use->out->taint = SBX_TAINT_SECRET;
}

/* ps eww: without a dash the letter e shows what is in each process' environment. */
void sbx_check_ps(struct sbx_judge *j, struct sbx_use *use)
{
    const struct sbx_value *first = use->words > use->first ? use->word[use->first] : NULL;
    use->out->is_set = true;
    if (!first || !first->len || !sbx_value_known(first) || first->text[0] == '-' ||
        strspn(first->text, "aAcdefghjklmnNoOrsStTuUvVwxXZ") != first->len ||
        !strchr(first->text, 'e'))
        return;
    use->out->taint |= SBX_TAINT_ENV;
    sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "the environment of processes",
             "look at your own program's settings instead");
}

void sbx_check_gpg(struct sbx_judge *j, struct sbx_use *use)
{
    const char *name = use->name;
    if (sbx_use_letter(use, 'x'))
        sbx_find(j, SBX_DENY, SBX_CLASS_CRED_READ, "a secret key exported",
                 "keys stay where they are");
    if (sbx_use_letter(use, 'd') && !strncmp(name, "gpg", 3))
        sbx_find(j, SBX_DENY, SBX_CLASS_FS_DESTROY, "a secret key deleted",
                 "keys stay where they are");
    if (!strcmp(name, "ssh-copy-id") || !strcmp(name, "ssh-import-id"))
        sbx_find(j, SBX_DENY, SBX_CLASS_PERSISTENCE, "a login key installed",
                 "login keys belong to people");
    if (!strcmp(name, "ssh-agent")) {
        if (use->operands)
            sbx_judge_argv(j, (struct sbx_argv){use->operand, use->operands}, use->in, use->out);
        else if (sbx_use_letter(use, 'k'))
            return;
    }
    if (!strcmp(name, "ssh-keygen") && sbx_use_letter(use, 'f') &&
        sbx_use_letter(use, 'f')->value) {
        bool makes = !sbx_use_has(use, "-l -y -B -e -i -R -F -H -Y -V -Q -L");
        (void)sbx_check_path(j, sbx_use_letter(use, 'f')->value,
                             makes ? SBX_ACCESS_WRITE : SBX_ACCESS_READ);
    } else if (!strcmp(name, "ssh-keygen") && !sbx_use_has(use, "-R -F -Y -l -V -Q -?")) {
        struct sbx_text text = {.arena = &j->arena};
        sbx_text_put(&text, j->home, strlen(j->home), SBX_MASK_LITERAL);
        sbx_text_put(&text, "/.ssh/id_ed25519", 16, SBX_MASK_LITERAL);
        struct sbx_value *key = sbx_text_value(&text, (struct sbx_span){0, 0});
        if (key && use->words > 1)
            (void)sbx_check_path(j, key, SBX_ACCESS_WRITE);
    }
    for (uint32_t i = 0; i < use->operands; i++)
        if (!strncmp(name, "gpg", 3) || !strncmp(name, "ssh-add", 7))
            (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_READ);
    if (!strncmp(name, "gpg", 3) && sbx_use_has(use, "--send-keys"))
        sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "a key sent to a server",
                 "publishing needs approval");
}
