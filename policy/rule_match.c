#include <string.h>
#include <strings.h>

#include "policy/path.h"
#include "policy/rule.h"

static bool is_ours(unsigned char byte)
{
    return byte >= SBX_WORD_UNKNOWN && byte <= SBX_WORD_JOIN;
}

int sbx_words_join(struct sbx_arena *arena, const char *const *words, size_t count,
                   struct sbx_words *out, struct sbx_err *err)
{
    size_t need = 1;
    for (size_t i = 0; i < count; i++)
        if (__builtin_add_overflow(need, (words[i] ? strlen(words[i]) : 1) + 1, &need))
            return sbx_fail(err, SBX_E_LIMIT, 0, "the command is too long");
    char *text = sbx_arena_alloc(arena, need);
    if (!text)
        return sbx_fail(err, SBX_E_MEMORY, 0, "the command is too long");
    *out = (struct sbx_words){.text = text, .is_certain = true};
    for (size_t i = 0; i < count; i++) {
        if (i)
            text[out->len++] = SBX_WORD_JOIN;
        if (!words[i]) {
            text[out->len++] = SBX_WORD_UNKNOWN;
            out->is_certain = false;
            continue;
        }
        for (const char *c = words[i]; *c; c++) {
            /* A word that holds one of our bytes must not be able to pass for two words. */
            bool is_foul = is_ours((unsigned char)*c);
            text[out->len++] = is_foul ? SBX_WORD_UNKNOWN : *c;
            out->is_certain = out->is_certain && !is_foul;
        }
    }
    return 0;
}

static bool same_byte(char pattern, char byte, bool is_lenient)
{
    return pattern == byte || (is_lenient && pattern == SBX_WORD_JOIN && byte == ' ');
}

/* Stars stand for any run. Only the last star is ever taken back: at most |pattern| * |text|. */
static bool matches_wildcard(const char *pattern, size_t plen, const struct sbx_words *words,
                             bool is_lenient)
{
    size_t p = 0, t = 0, star = SIZE_MAX, mark = 0;
    for (;;) {
        /* A final " *" also stands for nothing at all. */
        if (t == words->len && p + 2 == plen && pattern[p] == SBX_WORD_JOIN &&
            pattern[p + 1] == SBX_WORD_STAR)
            return true;
        if (p < plen && pattern[p] == SBX_WORD_STAR) {
            if (++p == plen)
                return true;
            star = p;
            mark = t;
        } else if (p < plen && t < words->len &&
                   same_byte(pattern[p], words->text[t], is_lenient)) {
            p++;
            t++;
        } else if (p == plen && t == words->len) {
            return true;
        } else if (star != SIZE_MAX && mark < words->len) {
            p = star;
            t = ++mark;
        } else {
            return false;
        }
    }
}

bool sbx_rule_matches_words(const struct sbx_policy *policy, const struct sbx_rule *rule,
                            const struct sbx_words *words)
{
    const char *content = sbx_policy_text(policy, rule->content);
    size_t len = rule->content.len;
    bool is_allow = rule->action == SBX_RULE_ALLOW;
    if (rule->tool != SBX_TOOL_BASH || (is_allow && !words->is_certain))
        return false;
    switch ((enum sbx_rule_form)rule->form) {
    case SBX_FORM_ANY:
        return true;
    case SBX_FORM_EXACT:
        return words->len == len && !memcmp(words->text, content, len);
    case SBX_FORM_PREFIX:
        return words->len >= len && !memcmp(words->text, content, len) &&
               (words->len == len || words->text[len] == SBX_WORD_JOIN);
    case SBX_FORM_WILDCARD:
        return matches_wildcard(content, len, words, !is_allow);
    }
    return !is_allow; /* a form of a later version: the stricter answer */
}

/* --- the index -------------------------------------------------------------------------------- */
/* Numbers of Bash rules, sorted by the literal start. Going along the command byte by byte, the
 * range of rules that share its start gets narrower until it is empty. */
struct range {
    uint32_t low, high;
};

static const struct sbx_rule *rule_at(const struct sbx_policy *policy, uint32_t i)
{
    uint32_t count = 0;
    const struct sbx_rule *rules = sbx_policy_rules(policy, &count);
    const uint32_t *index =
        (const uint32_t *)(const void *)((const char *)policy + policy->index_off);
    return index[i] < count ? &rules[index[i]] : NULL;
}

/* The byte at `at` of the literal start, or -1 where it ends there. All rules of a range have a
 * start of at least `at` bytes, so nothing before needs a look. */
static int head_byte(const struct sbx_policy *policy, uint32_t i, size_t at)
{
    const struct sbx_rule *rule = rule_at(policy, i);
    if (!rule || at >= rule->content.len)
        return -1;
    unsigned char byte = (unsigned char)sbx_policy_text(policy, rule->content)[at];
    return byte == SBX_WORD_STAR ? -1 : byte;
}

/* The first of the range whose byte at `at` is `byte` or more. */
static uint32_t first_from(const struct sbx_policy *policy, struct range range, size_t at, int byte)
{
    while (range.low < range.high) {
        uint32_t middle = range.low + (range.high - range.low) / 2;
        if (head_byte(policy, middle, at) < byte)
            range.low = middle + 1;
        else
            range.high = middle;
    }
    return range.low;
}

static const struct sbx_rule *earlier(const struct sbx_rule *a, const struct sbx_rule *b)
{
    return !a || (b && b < a) ? b : a;
}

const struct sbx_rule *sbx_rules_find(const struct sbx_policy *policy, enum sbx_rule_action action,
                                      const struct sbx_words *words)
{
    const struct sbx_rule *found = NULL;
    struct range range = {.low = 0, .high = policy->index_count};
    for (size_t at = 0; range.low < range.high; at++) {
        uint32_t ended = first_from(policy, range, at, 0);
        for (uint32_t i = range.low; i < ended; i++) {
            const struct sbx_rule *rule = rule_at(policy, i);
            if (rule && rule->action == action && sbx_rule_matches_words(policy, rule, words))
                found = earlier(found, rule);
        }
        range.low = ended;
        if (at >= words->len)
            break;
        int byte = (unsigned char)words->text[at];
        range = (struct range){.low = first_from(policy, range, at, byte),
                               .high = first_from(policy, range, at, byte + 1)};
    }
    return found;
}

bool sbx_rule_matches_path(const struct sbx_policy *policy, const struct sbx_rule *rule,
                           const char *path)
{
    const char *content = sbx_policy_text(policy, rule->content);
    size_t len = rule->content.len;
    switch ((enum sbx_rule_form)rule->form) {
    case SBX_FORM_ANY:
        return true;
    case SBX_FORM_WILDCARD:
        return sbx_path_glob(content, path);
    case SBX_FORM_EXACT:
    case SBX_FORM_PREFIX:
        return len == 1 || (!strncmp(path, content, len) && (path[len] == '/' || !path[len]));
    }
    return rule->action != SBX_RULE_ALLOW;
}

bool sbx_domain_matches(const char *pattern, const char *host, unsigned port)
{
    size_t len = strcspn(pattern, ":"), host_len = strlen(host);
    if (pattern[len] == ':' && port) {
        unsigned wanted = 0;
        for (const char *c = pattern + len + 1; *c >= '0' && *c <= '9' && wanted < 65536; c++)
            wanted = wanted * 10 + (unsigned)(*c - '0');
        if (wanted != port)
            return false;
    }
    if (host_len && host[host_len - 1] == '.') /* the root's dot changes no name */
        host_len--;
    if (len == 1 && pattern[0] == '*')
        return host_len > 0;
    if (pattern[0] != '*')
        return len == host_len && !strncasecmp(pattern, host, len);
    return host_len > len - 1 && !strncasecmp(pattern + 1, host + host_len - (len - 1), len - 1);
}
