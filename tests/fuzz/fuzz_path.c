/* Paths and rules: the first line is a path, the second a command, the rest a policy file. What
 * search finds must be what looking at every rule finds, and nothing compiled in may ever open. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "policy/config_internal.h"
#include "policy/path.h"
#include "policy/rule.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What a normalised path is, and that it is its own normal form. */
static void check_normal(const char *path, char *out, size_t size)
{
    char again[8192];
    if (sbx_path_normalise("/home/agent/work", path, out, size)) {
        out[0] = '\0';
        return;
    }
    if (out[0] != '/' || strstr(out, "//") || strstr(out, "/./") || strstr(out, "/../") ||
        (out[1] && out[strlen(out) - 1] == '/') ||
        sbx_path_normalise(NULL, out, again, sizeof(again)) || strcmp(out, again) != 0)
        abort();
}

static void check_decisions(const struct sbx_policy *policy, const char *path)
{
    bool can_read = sbx_path_decide(policy, path, SBX_OP_READ).allowed;
    struct sbx_path_decision write = sbx_path_decide(policy, path, SBX_OP_WRITE);
    if (write.allowed && (!can_read || write.grantable || !write.rule))
        abort();
    static const char *const never[] = {"/home/agent/.bashrc", "/home/agent/.config/git/x",
                                        "/etc/sbx/policy.ini"};
    for (size_t i = 0; i < sizeof(never) / sizeof(*never); i++)
        if (sbx_path_decide(policy, never[i], SBX_OP_WRITE).allowed)
            abort();
    uint32_t count = 0;
    const struct sbx_path_rule *rules = sbx_policy_paths(policy, &count);
    for (uint32_t i = 0; i < count; i++) { /* every rule is found by the search for its own path */
        const char *own = sbx_policy_text(policy, rules[i].path);
        bool is_deny = rules[i].kind == SBX_PATH_DENY_READ &&
                       !(rules[i].flags & (SBX_PATH_GLOB | SBX_PATH_OTHERS | SBX_PATH_FIXED));
        if (is_deny && sbx_path_decide(policy, own, SBX_OP_READ).allowed)
            abort();
    }
}

static void check_rules(const struct sbx_policy *policy, char *command)
{
    const char *words[64];
    size_t count = 0;
    char *rest = command;
    for (char *word; count < 64 && (word = strsep(&rest, " "));)
        words[count++] = strcmp(word, "?") ? word : NULL;
    struct sbx_arena arena;
    struct sbx_words joined;
    struct sbx_err err = SBX_ERR_INIT;
    sbx_arena_init(&arena, 1 << 20);
    if (!sbx_words_join(&arena, words, count, &joined, &err)) {
        uint32_t total = 0;
        const struct sbx_rule *rules = sbx_policy_rules(policy, &total);
        for (unsigned action = SBX_RULE_ALLOW; action <= SBX_RULE_DENY; action++) {
            const struct sbx_rule *slow = NULL;
            for (uint32_t i = 0; i < total && !slow; i++)
                if (rules[i].action == action && sbx_rule_matches_words(policy, &rules[i], &joined))
                    slow = &rules[i];
            if (slow != sbx_rules_find(policy, (enum sbx_rule_action)action, &joined))
                abort();
        }
    }
    sbx_arena_free(&arena);
}

static char *take_line(char **text)
{
    char *line = strsep(text, "\n");
    return line ? line : (char *)"";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct sbx_subject subject = {.account = "agent", .home = "/home/agent"};
    char *copy = malloc(size + 1), *rest = copy, path[8192];
    if (!copy)
        return 0;
    memcpy(copy, data, size);
    copy[size] = '\0';
    check_normal(take_line(&rest), path, sizeof(path));
    char *command = rest ? take_line(&rest) : copy + size;
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_telling telling = {.err = &err};
    struct sbx_config *config = NULL;
    struct sbx_policy *policy = NULL;
    if (rest && !sbx_config_new(&config, &err)) {
        (void)!sbx_config_parse(config, SBX_SCOPE_MANAGED, "f", rest, strlen(rest), &telling);
        if (!sbx_policy_compile(config, &subject, &policy, &err)) {
            if (path[0])
                check_decisions(policy, path);
            check_rules(policy, command);
        }
    }
    (void)sbx_path_glob(command, path);
    free(policy);
    sbx_config_free(config);
    free(copy);
    return 0;
}
