#include "sbxsh/state.h"

#include <string.h>

static const char begin[] = "\0\1sbx"; /* and its NUL */

/* The fields of a record, each ended by a NUL. */
static int take_fields(const char *at, const char *end, struct sbxsh_state *out)
{
    const char *aside = ""; /* the prompt that was set aside earlier */
    const char **fields[] = {&out->prompt, &aside, &out->path, &out->options, &out->functions};
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

void sbxsh_state_names(const struct sbxsh_state *state, char *out, size_t size)
{
    static const char behind[] = " () "; /* at the end of a function's first line */
    size_t used = 0, tail = sizeof(behind) - 1;
    for (const char *line = state->functions; *line;) {
        size_t len = strcspn(line, "\n");
        if (len > tail && line[0] != ' ' && !memcmp(line + len - tail, behind, tail) &&
            used + len < size) {
            memcpy(out + used, line, len - tail);
            used += len - tail;
            out[used++] = '\n';
        }
        line += len + (line[len] == '\n');
    }
    out[used] = '\0';
}
