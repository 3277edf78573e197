/* Permission rules against the words of a command: the index must find what a look at every rule finds.
 * Lines "deny …", "ask …", "allow …" are rules; the rest, after an empty line, are words. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "policy/config_internal.h"
#include "policy/rule.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define TEXT_MAX  4096
#define WORDS_MAX 32

/* "[permissions]" and a line for each rule that is one: the files of policy hold nothing else. */
static size_t take_rules(char **rest, char *out, size_t size)
{
    static const char *const actions[] = {"deny", "ask", "allow"};
    size_t at = (size_t)snprintf(out, size, "[permissions]\n");
    for (char *line; *rest && **rest && **rest != '\n';) {
        line = *rest;
        char *end = strchr(line, '\n');
        *rest = end ? end + 1 : line + strlen(line);
        if (end)
            *end = '\0';
        struct sbx_rule_parts parts;
        struct sbx_err err = SBX_ERR_INIT;
        if (sbx_rule_parse(line + (*line != '\0'), &parts, &err) || strpbrk(line, ";#\\\"'\r\t"))
            continue;
        int put =
            snprintf(out + at, size - at, "%s = %s\n", actions[(unsigned char)*line % 3], line + 1);
        if (put < 0 || (size_t)put >= size - at) {
            out[at] = '\0';
            break;
        }
        at += (size_t)put;
    }
    return at;
}

static struct sbx_policy *compile(const char *text, size_t len)
{
    struct sbx_config *config = NULL;
    struct sbx_policy *policy = NULL;
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_telling telling = {.err = &err};
    const struct sbx_subject subject = {.account = "agent", .home = "/home/agent", .uid = 1000};
    if (sbx_config_new(&config, &err))
        abort();
    if (sbx_config_parse(config, SBX_SCOPE_MANAGED, "p.ini", text, len, &telling) ||
        sbx_policy_compile(config, &subject, &policy, &err))
        policy = NULL;
    sbx_config_free(config);
    return policy;
}

static void compare(const struct sbx_policy *policy, const struct sbx_words *words)
{
    uint32_t count = 0;
    const struct sbx_rule *rules = sbx_policy_rules(policy, &count);
    for (int action = SBX_RULE_DENY; action <= SBX_RULE_ALLOW; action++) {
        const struct sbx_rule *first = NULL;
        for (uint32_t i = 0; i < count && !first; i++)
            if (rules[i].action == action && sbx_rule_matches_words(policy, &rules[i], words))
                first = &rules[i];
        if (sbx_rules_find(policy, (enum sbx_rule_action)action, words) != first)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[TEXT_MAX + 1], config[2 * TEXT_MAX], *rest = text;
    if (size > TEXT_MAX)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    size_t len = take_rules(&rest, config, sizeof(config));
    struct sbx_policy *policy = compile(config, len);
    struct sbx_arena arena;
    struct sbx_words words;
    struct sbx_err err = SBX_ERR_INIT;
    const char *word[WORDS_MAX];
    size_t count = 0;
    sbx_arena_init(&arena, (size_t)1024 * 1024);
    while (policy && *rest == '\n')
        rest++;
    for (char *at = rest; at && count < WORDS_MAX; count++) {
        word[count] = strsep(&at, "\n");
        if (!strcmp(word[count], "?"))
            word[count] = NULL;
    }
    if (policy && count && !sbx_words_join(&arena, word, count, &words, &err))
        compare(policy, &words);
    sbx_arena_free(&arena);
    free(policy);
    return 0;
}
