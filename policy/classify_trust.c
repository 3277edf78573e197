/* What rule (b) names beside damage: checks of other tools switched off, people asked for what they
 * tell nobody. */
#include "policy/classify.h"

#include <string.h>

static void find_unchecked(struct sbx_judge *j)
{
    sbx_find(j, SBX_ASK, SBX_CLASS_NONE, "certificates not checked",
             "keep the check of certificates on");
}

static bool is_off(const char *value)
{
    return !strcmp(value, "false") || !strcmp(value, "0") || !strcmp(value, "no") ||
           !strcmp(value, "off") || !strcmp(value, "none");
}

/* npm config set strict-ssl false, conda config --set ssl_verify=no */
static bool switches_check_off(const struct sbx_use *use, uint32_t at)
{
    static const char *const names[] = {"strict-ssl", "enableStrictSsl", "secure-http",
                                        "ssl_verify", "ssl-verify",      "verify_ssl",
                                        "verify-ssl", "sslverify"};
    const char *text = use->word[at]->text, *equals = strchr(text, '=');
    const char *value = equals ? equals + 1 : at + 1 < use->words ? use->word[at + 1]->text : "";
    for (size_t i = 0; is_off(value) && i < sizeof(names) / sizeof(*names); i++) {
        const char *hit = strcasestr(text, names[i]);
        if (hit && (!equals || hit < equals))
            return true;
    }
    return false;
}

/* Settings that name what is not checked: go env -w GOINSECURE=*, pip config set global.trusted-host */
static bool names_unchecked(const struct sbx_use *use, uint32_t at)
{
    static const char *const settings[] = {
        "GOINSECURE=", "GONOSUMDB=", "GONOSUMCHECK=", "GOFLAGS=-insecure"};
    const char *text = use->word[at]->text, *dot = strrchr(text, '.');
    for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
        size_t len = strlen(settings[i]);
        if (!strncmp(text, settings[i], len) && (text[len] || settings[i][len - 1] != '='))
            return true;
    }
    return (dot && !strcmp(dot, ".trusted-host")) ||
           (!strncmp(use->name, "kubectl", 7) && sbx_operand_is(use, 0, "config") &&
            !strncmp(text, "--insecure-skip-tls-verify", 26) && !strstr(text, "=false"));
}

void sbx_classify_trust(struct sbx_judge *j, const struct sbx_use *use)
{
    for (uint32_t i = use->first; i < use->words; i++)
        if (switches_check_off(use, i) || names_unchecked(use, i)) {
            find_unchecked(j);
            return;
        }
}

/* --- what people are asked for --------------------------------------------------------------------- */
static void find_asked(struct sbx_judge *j)
{
    sbx_find(j, SBX_ASK, SBX_CLASS_NONE, "somebody asked for a password",
             "do without; people give their passwords to their own programs");
}

/* read -s -p '[sudo] password for x: ' */
void sbx_classify_prompt(struct sbx_judge *j, const struct sbx_value *prompt)
{
    static const char *const others[] = {"sudo", "root", "login", "keyring", "ssh", "gpg"};
    if (!prompt || !strcasestr(prompt->text, "passw"))
        return;
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        if (strcasestr(prompt->text, others[i])) {
            find_asked(j);
            return;
        }
}

/* zenity --password: a window that looks like the desktop's own. */
void sbx_classify_dialog(struct sbx_judge *j, const struct sbx_use *use)
{
    if (sbx_use_has(use, "--password --newpassword --passwordbox --insecure-password"))
        find_asked(j);
}
