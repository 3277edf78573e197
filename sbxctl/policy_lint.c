/* sbxctl policy lint: what is valid, and yet opens the jail or does nothing. */
#include <json-c/json.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/cleanup.h"
#include "policy/path.h"
#include "sbxctl/json.h"
#include "sbxctl/lint.h"
#include "sbxctl/policy_words.h"
#include "sbxctl/sbxctl.h"

void sbx_lint_find(struct sbx_lint *lint, const struct sbx_origin *origin, const char *fmt, ...)
{
    char message[1024];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(message, sizeof(message), fmt, args);
    va_end(args);
    lint->count++;
    if (lint->findings) {
        const struct sbx_origin nowhere = {0};
        struct json_object *object = sbx_policy_place(lint->policy, origin ? origin : &nowhere);
        json_object_object_add(object, "message", sbx_json_text(message));
        json_object_array_add(lint->findings, object);
        return;
    }
    if (origin) {
        char lead[4400];
        const struct sbx_place place = {sbx_policy_text(lint->policy, origin->file), origin->line,
                                        origin->column};
        sbx_place_lead(&place, lead, sizeof(lead));
        sbx_print_text(stdout, lead, strlen(lead));
    }
    sbx_print_text(stdout, message, strlen(message));
    (void)putchar('\n');
}

/* The one value of a scalar, or where a list begins. */
static const struct sbx_origin *origin_of(const struct sbx_lint *lint, enum sbx_key key)
{
    uint32_t count = 0;
    const struct sbx_item *items = sbx_policy_list(lint->policy, key, &count);
    return count ? &items[0].origin : NULL;
}

/* --- settings that open the jail as such ------------------------------------------------------------ */
static const struct {
    enum sbx_key key;
    const char *value, *why;
} wide[] = {
    {SBX_KEY_SANDBOX_MODE,                "disabled",
     "no jail at all: logins of the account are those of any other"                                          },
    {SBX_KEY_SANDBOX_FAIL_IF_UNAVAILABLE, "no",
     "where a jail cannot be built the login goes on without one"                                            },
    {SBX_KEY_SANDBOX_WEAKER_NESTED,       "yes",
     "Landlock and seccomp alone: no view, no network of its own, no limits"                                 },
    {SBX_KEY_SANDBOX_ALLOW_UNSANDBOXED,   "yes",      "commands may leave the jail"                          },
    {SBX_KEY_NETWORK_MODE,                "host",     "the machine's own network, loopback services included"},
    {SBX_KEY_NETWORK_ALLOW_ALL_UNIX,      "yes",
     "every socket of the host, those of daemons of root too"                                                },
};

static void find_wide(struct sbx_lint *lint)
{
    for (size_t i = 0; i < sizeof(wide) / sizeof(*wide); i++) {
        const struct sbx_key_row *row = &sbx_key_table[wide[i].key];
        if (!strcmp(sbx_policy_string(lint->policy, wide[i].key), wide[i].value))
            sbx_lint_find(lint, origin_of(lint, wide[i].key), "%s.%s = %s: %s", row->section,
                          row->key, wide[i].value, wide[i].why);
    }
    uint32_t domains = 0;
    (void)sbx_policy_list(lint->policy, SBX_KEY_NETWORK_ALLOW_DOMAIN, &domains);
    if (sbx_policy_flag(lint->policy, SBX_KEY_NETWORK_MANAGED_DOMAINS_ONLY) && !domains)
        sbx_lint_find(lint, origin_of(lint, SBX_KEY_NETWORK_MANAGED_DOMAINS_ONLY),
                      "network.managed_domains_only = yes, and no managed file has an "
                      "allow_domain: nothing can be reached");
}

static void find_lax_classes(struct sbx_lint *lint)
{
    for (unsigned key = SBX_KEY_CLASSIFIER_FS_DESTROY; key <= SBX_KEY_CLASSIFIER_PATH; key++)
        if (!strcmp(sbx_policy_string(lint->policy, (enum sbx_key)key), "allow"))
            sbx_lint_find(lint, origin_of(lint, (enum sbx_key)key),
                          "classifier.%s = allow: its findings are neither refused nor recorded; "
                          "log records them",
                          sbx_key_table[key].key);
}

/* --- places that may be written --------------------------------------------------------------------- */
static void find_writable(struct sbx_lint *lint, const char *path, const char *why)
{
    struct sbx_path_decision decision = sbx_path_decide(lint->policy, path, SBX_OP_WRITE);
    if (decision.allowed)
        sbx_lint_find(lint, decision.rule ? &decision.rule->origin : NULL, "%s is writable: %s",
                      path, why);
}

static void find_writable_in_home(struct sbx_lint *lint, const char *name, const char *why)
{
    char path[4096];
    const char *home = sbx_policy_text(lint->policy, lint->policy->home);
    int len = snprintf(path, sizeof(path), "%s%s%s", home, *name ? "/" : "", name);
    if (len > 0 && (size_t)len < sizeof(path))
        find_writable(lint, path, why);
}

/* PATH as policy sets it, else the usual folders, those of administrators too. */
static void find_path(struct sbx_lint *lint)
{
    static const char usual[] = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin";
    const char *path = sbx_policy_string(lint->policy, SBX_KEY_ENVIRONMENT_PATH);
    if (!*path)
        path = usual;
    for (const char *at = path, *end; at; at = *end ? end + 1 : NULL) {
        char folder[4096];
        end = strchrnul(at, ':');
        size_t len = (size_t)(end - at);
        if (!len || at[0] == '.') {
            sbx_lint_find(lint, origin_of(lint, SBX_KEY_ENVIRONMENT_PATH),
                          "PATH holds the current directory: what lies there runs instead of "
                          "programs");
        } else if (len > 2 && at[0] == '~' && at[1] == '/') {
            (void)snprintf(folder, sizeof(folder), "%.*s", (int)(len - 2), at + 2);
            find_writable_in_home(lint, folder,
                                  "it is on PATH, so what is put there runs instead of programs");
        } else if (len < sizeof(folder)) {
            (void)snprintf(folder, sizeof(folder), "%.*s", (int)len, at);
            find_writable(lint, folder,
                          "it is on PATH, so what is put there runs instead of programs");
        }
    }
}

static void find_places(struct sbx_lint *lint)
{
    static const char *const start_up[] = {
        ".profile", ".bashrc",          ".bash_profile", ".bash_login",       ".zshrc",
        ".ssh",     ".netrc",           ".gitconfig",    ".config/git",       ".config/systemd",
        ".vimrc",   ".pam_environment", ".local/bin",    ".config/autostart",
    };
    find_writable(lint, "/", "the jail's whole view");
    find_writable_in_home(lint, "", "start-up files, keys and settings of every program lie there");
    find_writable(lint, "/etc", "the machine's settings, accounts among them");
    for (size_t i = 0; i < sizeof(start_up) / sizeof(*start_up); i++)
        find_writable_in_home(lint, start_up[i], "later sessions, or programs outside, take it up");
    find_path(lint);
}

/* --- sockets and domains ------------------------------------------------------------------------------- */
static void find_sockets(struct sbx_lint *lint)
{
    static const char *const daemons[] = {
        "docker", "containerd", "podman",  "crio", "libvirt",
        "lxd",    "incus",      "systemd", "dbus", "snapd",
    };
    uint32_t count = 0;
    const struct sbx_item *items =
        sbx_policy_list(lint->policy, SBX_KEY_NETWORK_ALLOW_UNIX_SOCKET, &count);
    for (uint32_t i = 0; i < count; i++) {
        const char *path = sbx_policy_text(lint->policy, items[i].text);
        for (size_t k = 0; k < sizeof(daemons) / sizeof(*daemons); k++)
            if (strstr(path, daemons[k])) {
                sbx_lint_find(lint, &items[i].origin,
                              "the socket %s: who may talk to %s there is as good as root", path,
                              daemons[k]);
                break;
            }
    }
}

/* Where anybody may put anything, or which anybody may stand behind. */
static void find_domains(struct sbx_lint *lint)
{
    static const char *const drops[] = {
        "pastebin.com",
        "transfer.sh",
        "file.io",
        "0x0.st",
        "ngrok.io",
        "ngrok-free.app",
        "webhook.site",
        "requestbin.com",
        "pipedream.net",
        "workers.dev",
        "trycloudflare.com",
        "amazonaws.com",
        "googleapis.com",
        "blob.core.windows.net",
        "discord.com",
        "slack.com",
        "telegram.org",
        "gist.github.com",
        "githubusercontent.com",
    };
    uint32_t count = 0;
    const struct sbx_item *items =
        sbx_policy_list(lint->policy, SBX_KEY_NETWORK_ALLOW_DOMAIN, &count);
    for (uint32_t i = 0; i < count; i++) {
        const char *domain = sbx_policy_text(lint->policy, items[i].text);
        const char *bare = strncmp(domain, "*.", 2) ? domain : domain + 2;
        if (!strcmp(domain, "*") || (bare != domain && !strchr(bare, '.')))
            sbx_lint_find(lint, &items[i].origin, "the domain %s: everything can be sent anywhere",
                          domain);
        for (size_t k = 0; k < sizeof(drops) / sizeof(*drops); k++)
            if (!strncmp(bare, drops[k], strlen(drops[k])) &&
                strchr(":", bare[strlen(drops[k])])) /* also the end of the text */
                sbx_lint_find(lint, &items[i].origin,
                              "the domain %s: whoever has an account there can be sent anything",
                              domain);
    }
}

int sbx_policy_lint(const struct sbx_policy_request *request)
{
    _cleanup_free_ struct sbx_policy *policy = NULL;
    int status = sbx_policy_load(request, request->policy, NULL, &policy);
    if (status)
        return status;
    struct sbx_lint lint = {.policy = policy,
                            .findings = request->is_json ? json_object_new_array() : NULL};
    find_wide(&lint);
    find_lax_classes(&lint);
    find_places(&lint);
    find_sockets(&lint);
    find_domains(&lint);
    status = sbx_lint_rules(&lint);
    if (lint.findings)
        (void)puts(json_object_to_json_string_ext(
            lint.findings, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    else if (!status)
        (void)printf("policy lint: %u finding%s\n", lint.count, lint.count == 1 ? "" : "s");
    json_object_put(lint.findings);
    return status ? status : lint.count ? 1 : SBX_EXIT_OK;
}
