/* What the text of a command tells before it is expanded: a secret printed, a name that is put together. */
#include "policy/classify.h"

#include <string.h>

/* As tools and services name them: GITHUB_TOKEN, DB_PASSWORD, AWS_SECRET_ACCESS_KEY. */
static bool is_secret_variable(const struct sbx_judge *j, const struct sbx_param *param)
{
    static const char *const ends[] = {"TOKEN",      "SECRET",      "PASSWORD",   "PASSWD",
                                       "API_KEY",    "ACCESS_KEY",  "SECRET_KEY", "PRIVATE_KEY",
                                       "PASSPHRASE", "CREDENTIALS", "_PAT"};
    if ((param->op && *param->op) || param->length || param->indirect || param->prefix_list ||
        sbx_var_find(j, param->name, param->name_len))
        return false;
    for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
        size_t len = strlen(ends[i]);
        if (param->name_len >= len && !memcmp(param->name + param->name_len - len, ends[i], len))
            return true;
    }
    return false;
}

static bool holds_secret(const struct sbx_judge *j, const struct sbx_part *part)
{
    for (; part; part = part->next)
        if ((part->kind == SBX_PART_PARAM && part->param && is_secret_variable(j, part->param)) ||
            (part->kind == SBX_PART_DOUBLE && holds_secret(j, part->parts)))
            return true;
    return false;
}

/* $(cmd).example.org: a substitution and more text that ends in a domain. */
static void name_parts(const struct sbx_part *part, bool *command, bool *domain)
{
    for (; part; part = part->next) {
        *command |= part->kind == SBX_PART_COMMAND;
        if ((part->kind == SBX_PART_LITERAL || part->kind == SBX_PART_SINGLE) && *command)
            *domain |= part->text_len > 1 && part->text[0] == '.';
        if (part->kind == SBX_PART_DOUBLE)
            name_parts(part->parts, command, domain);
    }
}

static bool is(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

void sbx_classify_spelling(struct sbx_judge *j, const struct sbx_command *command,
                           const struct sbx_value *name)
{
    static const char *const printers[] = {"echo", "printf"};
    static const char *const lookups[] = {"dig",  "nslookup", "host", "drill",
                                          "kdig", "delv",     "ping", "resolvectl"};
    bool prints = is(name->text, printers, sizeof(printers) / sizeof(*printers)) && !j->piped &&
                  !j->redirects_only;
    bool looks = is(name->text, lookups, sizeof(lookups) / sizeof(*lookups));
    for (const struct sbx_word *word = command->words; word && (prints || looks);
         word = word->next) {
        bool substituted = false, domain = false;
        name_parts(word->parts, &substituted, &domain);
        if (prints && holds_secret(j, word->parts))
            sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "a secret of the environment",
                     "programs find their secrets by themselves; no need to print one");
        if (looks && substituted && domain)
            sbx_find_sent(j, SBX_TAINT_UNKNOWN);
    }
}
