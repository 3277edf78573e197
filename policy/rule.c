#include "policy/rule.h"

#include <stdio.h>
#include <string.h>

#include "policy/value.h"

static const struct {
    const char *name;
    enum sbx_tool tool;
} tools[] = {
    {"Bash",      SBX_TOOL_BASH    },
    {"Read",      SBX_TOOL_READ    },
    {"Edit",      SBX_TOOL_EDIT    },
    {"WebFetch",  SBX_TOOL_WEBFETCH},
    {"Write",     SBX_TOOL_EDIT    },
    {"MultiEdit", SBX_TOOL_EDIT    },
    {"FileEdit",  SBX_TOOL_EDIT    },
    {"FileRead",  SBX_TOOL_READ    },
};
#define TOOLS (sizeof(tools) / sizeof(*tools))

const char *sbx_tool_name(enum sbx_tool tool)
{
    for (size_t i = 0; i < TOOLS; i++)
        if (tools[i].tool == tool)
            return tools[i].name;
    return "?";
}

int sbx_tool_find(const char *name, size_t len, enum sbx_tool *tool, struct sbx_err *err)
{
    char word[32];
    if (len >= sizeof(word))
        return sbx_fail(err, SBX_E_POLICY, 0, "a rule is Tool or Tool(content)");
    memcpy(word, name, len);
    word[len] = '\0';
    struct sbx_suggestion best = {.word = word};
    for (size_t i = 0; i < TOOLS; i++) {
        if (!strcmp(tools[i].name, word)) {
            *tool = tools[i].tool;
            return 0;
        }
        sbx_suggestion_try(&best, tools[i].name, strlen(tools[i].name));
    }
    if (best.best)
        return sbx_fail(err, SBX_E_POLICY, 0, "no tool '%s' (did you mean %s?)", word, best.best);
    return sbx_fail(err, SBX_E_POLICY, 0, "no tool '%s' (Bash, Read, Edit and WebFetch are known)",
                    word);
}

/* --- Bash: text to joined words --------------------------------------------------------------- */
struct joiner {
    char *out;
    size_t size, used;
    bool in_word;
};

static bool put(struct joiner *joiner, char byte)
{
    if (joiner->used + 2 > joiner->size)
        return false;
    joiner->out[joiner->used++] = byte;
    joiner->out[joiner->used] = '\0';
    return true;
}

static bool put_in_word(struct joiner *joiner, char byte)
{
    joiner->in_word = true;
    return put(joiner, byte == '*' ? SBX_WORD_STAR : byte);
}

/* The quoted run at text[0], or 0 where the quote has no partner and is a letter like any other. */
static size_t put_quoted(struct joiner *joiner, const char *text, size_t len)
{
    const char *close = memchr(text + 1, text[0], len - 1);
    if (!close)
        return 0;
    joiner->in_word = true;
    for (const char *c = text + 1; c < close; c++)
        if (!put_in_word(joiner, *c))
            return 0;
    return (size_t)(close - text) + 1;
}

/* Takes quotes and backslashes out and puts SBX_WORD_JOIN between words. A backslash makes a star a
 * star. */
static bool join_rule(const char *text, size_t len, struct joiner *joiner)
{
    for (size_t i = 0; i < len;) {
        size_t quoted =
            text[i] == '\'' || text[i] == '"' ? put_quoted(joiner, text + i, len - i) : 0;
        if (quoted) {
            i += quoted;
        } else if (text[i] == ' ' || text[i] == '\t') {
            while (i < len && (text[i] == ' ' || text[i] == '\t'))
                i++;
            if (joiner->in_word && i < len && !put(joiner, SBX_WORD_JOIN))
                return false;
            joiner->in_word = false;
        } else if (text[i] == '\\' && i + 1 < len) {
            joiner->in_word = true;
            if (!put(joiner, text[i + 1]))
                return false;
            i += 2;
        } else if (!put_in_word(joiner, text[i++])) {
            return false;
        }
    }
    return true;
}

static bool ends_with(const char *text, size_t len, const char *end)
{
    size_t end_len = strlen(end);
    return len >= end_len && !memcmp(text + len - end_len, end, end_len);
}

static int parse_bash(const char *text, size_t len, struct sbx_rule_parts *out, struct sbx_err *err)
{
    bool is_prefix = ends_with(text, len, ":*");
    struct joiner joiner = {.out = out->content, .size = sizeof(out->content)};
    if (!join_rule(text, is_prefix ? len - 2 : len, &joiner))
        return sbx_fail(err, SBX_E_LIMIT, 0, "the rule is longer than %zu bytes",
                        sizeof(out->content) - 1);
    const char tail[] = {SBX_WORD_JOIN, SBX_WORD_STAR, '\0'};
    /* "npm run *" is another spelling of "npm run:*". */
    if (!is_prefix && ends_with(out->content, joiner.used, tail)) {
        joiner.used -= 2;
        is_prefix = true;
    } else if (is_prefix && joiner.used && out->content[joiner.used - 1] == SBX_WORD_JOIN) {
        joiner.used--;
    }
    out->content[joiner.used] = '\0';
    bool has_star = memchr(out->content, SBX_WORD_STAR, joiner.used) != NULL;
    if (is_prefix && has_star) /* git * push:* : the words after it are free */
        (void)snprintf(out->content + joiner.used, sizeof(out->content) - joiner.used, "%s", tail);
    out->form = has_star       ? SBX_FORM_WILDCARD
                : !joiner.used ? SBX_FORM_ANY
                : is_prefix    ? SBX_FORM_PREFIX
                               : SBX_FORM_EXACT;
    return 0;
}

/* --- other tools ------------------------------------------------------------------------------ */
static int parse_web(const char *text, size_t len, struct sbx_rule_parts *out, struct sbx_err *err)
{
    static const char prefix[] = "domain:";
    const size_t skip = sizeof(prefix) - 1;
    if (len <= skip || memcmp(text, prefix, skip) || len - skip >= sizeof(out->content))
        return sbx_fail(err, SBX_E_POLICY, 0,
                        "WebFetch takes domain:NAME, as WebFetch(domain:*.example.com)");
    memcpy(out->content, text + skip, len - skip);
    out->content[len - skip] = '\0';
    out->form = out->content[0] == '*' ? SBX_FORM_WILDCARD : SBX_FORM_EXACT;
    return sbx_value_check_domain(out->content, err);
}

/* Only whether it is a path: where it leads is known when policy is compiled. */
static const struct sbx_path_base anywhere = {"/home", "/home"};

static int parse_path(const char *text, size_t len, struct sbx_rule_parts *out, struct sbx_err *err)
{
    if (len >= sizeof(out->content))
        return sbx_fail(err, SBX_E_LIMIT, 0, "the path is too long");
    memcpy(out->content, text, len);
    out->content[len] = '\0';
    struct sbx_value_path path;
    if (sbx_value_path(out->content, &anywhere, SBX_PATH_IN_RULE, &path, err))
        return -1;
    out->form = path.is_glob ? SBX_FORM_WILDCARD : SBX_FORM_EXACT;
    return 0;
}

int sbx_rule_parse(const char *text, struct sbx_rule_parts *out, struct sbx_err *err)
{
    const char *open = strchr(text, '('), *close = strrchr(text, ')');
    size_t name_len = open ? (size_t)(open - text) : strlen(text);
    out->form = SBX_FORM_ANY;
    out->content[0] = '\0';
    if (sbx_tool_find(text, name_len, &out->tool, err))
        return -1;
    if (!open)
        return 0;
    if (!close || close < open)
        return sbx_fail(err, SBX_E_POLICY, 0, "the rule has no closing ')': is the line whole?");
    if (close[1])
        return sbx_fail(err, SBX_E_POLICY, 0,
                        "text after the last ')': comments stand on a line of their own");
    const char *content = open + 1;
    size_t len = (size_t)(close - content);
    if (!len || (len == 1 && *content == '*'))
        return 0;
    if (strspn(content, " \t") >= len)
        return sbx_fail(err, SBX_E_POLICY, 0,
                        "the rule holds nothing but white space; every use is %s",
                        sbx_tool_name(out->tool));
    if (out->tool == SBX_TOOL_BASH)
        return parse_bash(content, len, out, err);
    if (out->tool == SBX_TOOL_WEBFETCH)
        return parse_web(content, len, out, err);
    return parse_path(content, len, out, err);
}

/* What the shell takes out of a command before there are words; `close`: inside of that quote. */
static const char *sign_doubt(char sign, bool is_first, char close)
{
    if (!close && strchr(";|&<>()", sign))
        return "words are matched, and ; | & < > ( ) are in none: one rule a command, or quote "
               "them";
    if ((close != '\'' && (sign == '$' || sign == '`')) || (!close && is_first && sign == '~'))
        return "words are matched after $, ` and ~ were put in: write the value, or quote the sign";
    return NULL;
}

const char *sbx_rule_doubt(const char *text)
{
    const char *end = strrchr(text, ')'), *doubt = NULL;
    char quote = '\0';
    if (strncmp(text, "Bash(", 5) != 0 || !end)
        return NULL;
    for (const char *c = text + 5; c < end && !doubt; c++) {
        bool is_first = c[-1] == ' ' || c[-1] == '\t' || c == text + 5;
        if (*c == quote)
            quote = '\0';
        else if (!quote && (*c == '\'' || *c == '"') && memchr(c + 1, *c, (size_t)(end - c - 1)))
            quote = *c;
        else if (!quote && *c == '\\' && c + 1 < end)
            c++;
        else
            doubt = sign_doubt(*c, is_first, quote);
    }
    return doubt;
}
