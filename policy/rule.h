/* Permission rules: Tool, or Tool(content).
 *
 * Bash rules are matched against words, never against text: the words of one simple command, quotes
 * taken out, joined by a byte that no policy file can hold, so that `git "log main"` is not
 * `git log main`. Rules are kept the same way. */
#ifndef SBX_POLICY_RULE_H
#define SBX_POLICY_RULE_H

#include "policy/arena.h"
#include "policy/policy.h"

#define SBX_WORD_UNKNOWN '\x1d' /* stands for a word (or part) that is not known statically */
#define SBX_WORD_STAR    '\x1e' /* in rules: the wildcard */
#define SBX_WORD_JOIN    '\x1f' /* between words */

/* A rule as read. content: joined words (Bash), or the text between the parentheses (other tools);
 * "" for a rule that means every use. */
struct sbx_rule_parts {
    enum sbx_tool tool;
    enum sbx_rule_form form;
    char content[4096];
};

/* Parses one rule. Hostile input: the text (any bytes but NUL). On failure *err says what is wrong
 * and what to write instead. Content ends at the last ')'; empty or "*" means every use. */
int sbx_rule_parse(const char *text, struct sbx_rule_parts *out,
                   struct sbx_err *err) SBX_MUST_CHECK;

/* NULL, or why a rule that was parsed matches less than its text seems to say. */
const char *sbx_rule_doubt(const char *text);

const char *sbx_tool_name(enum sbx_tool tool); /* Bash, Read, Edit, WebFetch */

/* Finds a tool by its name or an accepted other spelling; 0, or -1 with a suggestion. */
int sbx_tool_find(const char *name, size_t len, enum sbx_tool *tool,
                  struct sbx_err *err) SBX_MUST_CHECK;

/* One simple command, made ready for matching. */
struct sbx_words {
    const char *text; /* joined */
    size_t len;
    bool is_certain; /* every word was known, and none held a byte of ours */
};

/* Joins `count` words; a NULL word is one that is not known. Memory comes from the arena. Returns
 * -1 past its limit: the caller must take that for a deny, since a deny rule could have matched. */
int sbx_words_join(struct sbx_arena *arena, const char *const *words, size_t count,
                   struct sbx_words *out, struct sbx_err *err) SBX_MUST_CHECK;

/* Does a Bash rule match the command? Exact: the same words. `npm run:*`: these words first. `git *
 * main`: * stands for anything, over words too. An allow rule never matches where a word is not
 * certain. In deny and ask rules with a wildcard a space also matches one inside a word. */
bool sbx_rule_matches_words(const struct sbx_policy *policy, const struct sbx_rule *rule,
                            const struct sbx_words *words);

/* The first Bash rule of that action (in the order they were read) that matches, or NULL. Cost
 * grows with the length of the command and the rules that share its start, not with the number of
 * rules. */
const struct sbx_rule *sbx_rules_find(const struct sbx_policy *policy, enum sbx_rule_action action,
                                      const struct sbx_words *words);

/* Does a Read or Edit rule cover the absolute, normalised path? */
bool sbx_rule_matches_path(const struct sbx_policy *policy, const struct sbx_rule *rule,
                           const char *path);

/* Does a domain pattern (name, *.name, *; with :port or without) cover the host? port 0: any. */
bool sbx_domain_matches(const char *pattern, const char *host, unsigned port);

#endif
