#include "sbxsh/unit.h"

#include <stdlib.h>
#include <string.h>

#include "policy/shell.h"

/* A unit of n lines may be parsed n times. Commands of thousands of lines are met in generated
 * scripts; this much work takes a second or so and then the unit is refused. */
#define WORK_BYTES  ((size_t)128 * 1024 * 1024)
#define ARENA_BYTES ((size_t)256 * 1024 * 1024)

/* Whether a line can complete an open construct: only these end quotes, expansions and compound
 * commands. Saves parsing after every line of a long body. */
static bool may_close(const char *line, size_t len)
{
    static const char *const words[] = {"fi", "done", "esac"};
    for (size_t i = 0; i < len; i++)
        if (memchr("})]'\"`", line[i], 6))
            return true;
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (memmem(line, len, words[i], strlen(words[i])))
            return true;
    return false;
}

/* A here-document ends at a line that stands, but for leading tabs, as a word before its body. True
 * too often (the parser decides), never too seldom but for delimiters quoted in their middle, whose
 * documents then end at the end of input. */
static bool may_end_heredoc(const struct sbxsh_unit *unit, const char *line, size_t len)
{
    static const char before[] = "<- \t'\"\\", behind[] = " \t\n;&|<>)'\"";
    const char *head = unit->text, *end = head + unit->heredoc_head;
    while (len && *line == '\t') {
        line++;
        len--;
    }
    if (!len)
        return memmem(head, unit->heredoc_head, "''", 2) ||
               memmem(head, unit->heredoc_head, "\"\"", 2);
    for (const char *at = head; (at = memmem(at, (size_t)(end - at), line, len)); at++)
        if (at > head && strchr(before, at[-1]) && (at + len == end || strchr(behind, at[len])))
            return true;
    return false;
}

static bool ends_open(const char *text, size_t len)
{
    while (len && (text[len - 1] == ' ' || text[len - 1] == '\t'))
        len--;
    return len && memchr("|&\\", text[len - 1], 3);
}

static enum sbxsh_unit_state parse(struct sbxsh_unit *unit, bool is_last)
{
    unit->parsed_bytes += unit->len;
    if (unit->parsed_bytes > WORK_BYTES)
        return SBXSH_UNIT_LIMIT;
    struct sbx_arena arena;
    struct sbx_parse result;
    sbx_arena_init(&arena, ARENA_BYTES);
    /* With the newline: a here-document or a backslash at its end is open only then. */
    unit->text[unit->len] = '\n';
    sbx_shell_parse(&arena, unit->text, unit->len + 1, &result);
    unit->text[unit->len] = '\0';
    bool is_blank = result.status == SBX_PARSE_OK && !(result.script && result.script->pipelines);
    sbx_arena_free(&arena);
    if (!result.heredoc_warning)
        unit->heredoc_head = 0;
    else if (!unit->heredoc_head)
        unit->heredoc_head = unit->len;
    if (result.wants_more && !is_last)
        return SBXSH_UNIT_MORE;
    switch (result.status) {
    case SBX_PARSE_OK:
        return is_blank ? SBXSH_UNIT_BLANK : SBXSH_UNIT_COMPLETE;
    case SBX_PARSE_LIMIT:
        return SBXSH_UNIT_LIMIT;
    default:
        return SBXSH_UNIT_SYNTAX;
    }
}

static int make_room(struct sbxsh_unit *unit, size_t more)
{
    size_t need = unit->len + more + 2; /* a newline before it, a NUL or newline behind */
    if (need <= unit->capacity)
        return 0;
    size_t capacity = unit->capacity ? unit->capacity : 1024;
    while (capacity < need)
        capacity *= 2;
    char *text = realloc(unit->text, capacity);
    if (!text)
        return -1;
    unit->text = text;
    unit->capacity = capacity;
    return 0;
}

enum sbxsh_unit_state sbxsh_unit_add(struct sbxsh_unit *unit, const char *line, size_t len,
                                     bool is_last)
{
    if (len > SBX_SHELL_MAX_BYTES || unit->len + len + 1 > SBX_SHELL_MAX_BYTES ||
        make_room(unit, len))
        return SBXSH_UNIT_LIMIT;
    bool is_first = unit->lines++ == 0;
    bool must_parse =
        is_first || is_last || unit->is_open_line ||
        (unit->heredoc_head ? may_end_heredoc(unit, line, len) : may_close(line, len));
    if (!is_first)
        unit->text[unit->len++] = '\n';
    for (size_t i = 0; i < len; i++)
        if (line[i])
            unit->text[unit->len++] = line[i];
    unit->text[unit->len] = '\0';
    enum sbxsh_unit_state state = must_parse ? parse(unit, is_last) : SBXSH_UNIT_MORE;
    if (state == SBXSH_UNIT_MORE && must_parse && ends_open(unit->text, unit->len))
        unit->is_open_line = true;
    return state;
}

enum sbxsh_unit_state sbxsh_unit_end(struct sbxsh_unit *unit)
{
    return unit->lines ? parse(unit, true) : SBXSH_UNIT_BLANK;
}

void sbxsh_unit_reset(struct sbxsh_unit *unit)
{
    *unit = (struct sbxsh_unit){.text = unit->text, .capacity = unit->capacity};
}

void sbxsh_unit_clear(struct sbxsh_unit *unit)
{
    free(unit->text);
    *unit = (struct sbxsh_unit){0};
}
