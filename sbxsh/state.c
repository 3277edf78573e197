#include "sbxsh/state.h"

#include <string.h>

#include "policy/alias.h"

static const char begin[] = "\0\1sbx"; /* and its NUL */

/* The fields of a record, each ended by a NUL. */
static int take_fields(const char *at, const char *end, struct sbxsh_state *out)
{
    const char *aside = ""; /* the prompt that was set aside earlier */
    const char **fields[] = {&out->prompt,    &aside,        &out->path, &out->options,
                             &out->functions, &out->aliases, &out->done};
    for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
        const char *stop = at < end ? memchr(at, '\0', (size_t)(end - at)) : NULL;
        if (!stop)
            return -1;
        *fields[i] = at;
        at = stop + 1;
    }
    if (!*out->prompt)
        out->prompt = aside;
    return 0;
}

int sbxsh_state_find(const char *bytes, size_t len, struct sbxsh_state *out)
{
    const char *end = bytes + len;
    int result = -1;
    while (bytes && bytes < end) {
        const char *found = memmem(bytes, (size_t)(end - bytes), begin, sizeof(begin));
        if (!found)
            break;
        struct sbxsh_state state;
        bytes = found + sizeof(begin);
        if (take_fields(bytes, end, &state))
            break; /* and so is none behind it */
        *out = state;
        result = 0;
    }
    return result;
}

/* Whether a word stands in a list that colons part. */
static bool lists(const char *list, const char *word)
{
    size_t len = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at++)
        if ((at == list || at[-1] == ':') && (!at[len] || at[len] == ':'))
            return true;
    return false;
}

bool sbxsh_state_has_comments(const struct sbxsh_state *state)
{
    return lists(state->options, "interactive_comments");
}

enum sbx_alias_mode sbxsh_state_aliases(const struct sbxsh_state *state, const char **text)
{
    *text = NULL;
    if (!lists(state->options, "expand_aliases"))
        return SBX_ALIASES_OFF;
    /* In posix mode bash reads by other rules. */
    if (strcmp(state->done, "0") != 0 || lists(state->options, "posix") ||
        !sbx_aliases_check(state->aliases))
        return SBX_ALIASES_UNKNOWN;
    *text = state->aliases;
    return SBX_ALIASES_ON;
}

static size_t add_name(char *out, size_t used, size_t size, const char *name, size_t len)
{
    if (used + len + 1 >= size)
        return used;
    memcpy(out + used, name, len);
    out[used + len] = '\n';
    return used + len + 1;
}

void sbxsh_state_names(const struct sbxsh_state *state, char *out, size_t size)
{
    static const char behind[] = " () ",
                      alias[] = "alias "; /* at the end of a function's first line */
    size_t used = 0, tail = sizeof(behind) - 1, front = sizeof(alias) - 1;
    for (const char *line = state->functions; *line;) {
        size_t len = strcspn(line, "\n");
        if (len > tail && line[0] != ' ' && !memcmp(line + len - tail, behind, tail))
            used = add_name(out, used, size, line, len - tail);
        line += len + (line[len] == '\n');
    }
    for (const char *line = state->aliases; *line;) {
        size_t len = strcspn(line, "\n");
        if (len > front && !memcmp(line, alias, front)) {
            size_t name = strcspn(line + front, "=\n");
            if (line[front + name] == '=')
                used = add_name(out, used, size, line + front, name);
        }
        line += len + (line[len] == '\n');
    }
    out[used] = '\0';
}
