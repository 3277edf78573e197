#include <stdio.h>
#include <string.h>

#include "policy/glob.h"
#include "policy/value.h"

#define COMMENT_HINT "comments stand on a line of their own"

static int refuse_odd(const char *text, struct sbx_err *err)
{
    size_t len = strlen(text);
    if (!len)
        return sbx_fail(err, SBX_E_POLICY, 0, "the path is empty");
    if (text[0] == ' ' || text[len - 1] == ' ')
        return sbx_fail(err, SBX_E_POLICY, 0, "white space around the path");
    if (strchr("\"'`", text[0]))
        return sbx_fail(err, SBX_E_POLICY, 0, "a path is written without quotes");
    if (text[0] == '!')
        return sbx_fail(err, SBX_E_POLICY, 0,
                        "a path cannot be negated with '!'; use the opposite key");
    if (strstr(text, " ;") || strstr(text, " #"))
        return sbx_fail(err, SBX_E_POLICY, 0, "what follows the path belongs to it: " COMMENT_HINT);
    if (strstr(text, "\\/"))
        return sbx_fail(err, SBX_E_POLICY, 0, "a backslash before '/'");
    if (text[0] == '~' && text[1] && text[1] != '/')
        return sbx_fail(err, SBX_E_POLICY, 0,
                        "~name is not known: write the absolute path, or ~/…");
    return 0;
}

/* Splits off the root that a path is relative to: *base is "" for an absolute one. */
static int find_base(const char *text, const struct sbx_path_base *from,
                     enum sbx_path_spelling spelling, const char **base, const char **rest,
                     struct sbx_err *err)
{
    static const char *const homes[] = {"~", "$HOME", "${HOME}"};
    *base = from->root;
    *rest = text;
    for (size_t i = 0; i < sizeof(homes) / sizeof(*homes); i++) {
        size_t len = strlen(homes[i]);
        if (!strncmp(text, homes[i], len) && (!text[len] || text[len] == '/')) {
            *base = from->home;
            *rest = text + len;
            return 0;
        }
    }
    /* A variable nobody will ever put in would make a rule that protects nothing. */
    const char *dollar = strchr(text, '$');
    if (dollar && (dollar == text || dollar[-1] != '\\'))
        return sbx_fail(err, SBX_E_POLICY, 0,
                        "only $HOME, in front, is known in a path; '\\$' is the plain sign");
    if (text[0] == '/' && (spelling == SBX_PATH_IN_KEY || text[1] == '/'))
        *base = "";
    return 0;
}

/* Adds "/" and a component, with backslashes before glob signs where asked. */
static bool add(char *out, size_t *used, const char *begin, size_t len, bool escape)
{
    size_t at = *used;
    if (at + 2 * len + 2 > SBX_VALUE_PATH_BYTES)
        return false;
    out[at++] = '/';
    for (size_t i = 0; i < len; i++) {
        if (escape && strchr("*?[\\", begin[i]))
            out[at++] = '\\';
        out[at++] = begin[i];
    }
    out[at] = '\0';
    *used = at;
    return true;
}

struct builder {
    struct sbx_value_path *out;
    size_t text_used, anchor_used;
    bool past_literals;
};

/* One component as the kernel will see it, or a glob. `raw` says that no backslash has a
 * meaning. */
static int add_component(struct builder *builder, const char *begin, size_t len, bool raw,
                         struct sbx_err *err)
{
    struct sbx_value_path *out = builder->out;
    char piece[SBX_VALUE_PATH_BYTES], plain[SBX_VALUE_PATH_BYTES];
    if (len >= sizeof(piece))
        return sbx_fail(err, SBX_E_LIMIT, 0, "the path is too long");
    memcpy(piece, begin, len);
    piece[len] = '\0';
    bool is_glob = !raw && sbx_glob_is(piece);
    memcpy(plain, piece, len + 1);
    size_t plain_len = raw || is_glob ? len : sbx_glob_unescape(piece, len, plain);
    if (!plain_len || !strcmp(plain, "."))
        return 0;
    if (!strcmp(plain, ".."))
        return sbx_fail(err, SBX_E_POLICY, 0, "'..' in a path: write the place it means");
    builder->past_literals = builder->past_literals || is_glob;
    if (!builder->past_literals) {
        out->literals++;
        if (!add(out->anchor, &builder->anchor_used, plain, plain_len, false))
            return sbx_fail(err, SBX_E_LIMIT, 0, "the path is too long");
    }
    bool fits = out->is_glob && !is_glob
                    ? add(out->text, &builder->text_used, plain, plain_len, true)
                    : add(out->text, &builder->text_used, plain, plain_len, false);
    return fits ? 0 : sbx_fail(err, SBX_E_LIMIT, 0, "the path is too long");
}

static int add_components(struct builder *builder, const char *text, bool raw, struct sbx_err *err)
{
    while (*text) {
        size_t len = strcspn(text, "/");
        if (add_component(builder, text, len, raw, err))
            return -1;
        text += len;
        text += *text == '/';
    }
    return 0;
}

int sbx_value_path(const char *text, const struct sbx_path_base *from,
                   enum sbx_path_spelling spelling, struct sbx_value_path *out, struct sbx_err *err)
{
    const char *base = "", *rest = text;
    if (refuse_odd(text, err) || find_base(text, from, spelling, &base, &rest, err))
        return -1;
    out->text[0] = out->anchor[0] = '\0';
    out->literals = 0;
    out->is_glob = sbx_glob_is(rest);
    const char *fault = sbx_glob_fault(rest);
    if (fault)
        return sbx_fail(err, SBX_E_POLICY, 0, "'%s': %s", rest, fault);
    struct builder builder = {.out = out};
    if (add_components(&builder, base, true, err) || add_components(&builder, rest, false, err))
        return -1;
    if (!builder.text_used)
        (void)snprintf(out->text, sizeof(out->text), "/");
    if (!builder.anchor_used)
        (void)snprintf(out->anchor, sizeof(out->anchor), "/");
    return 0;
}
