/* What the command table says of options, for options.sh.
 *
 * usage: optcheck -l             every name: NAME TAB what it is (deny, ask, builtin, dashlong or -)
 *        optcheck < NAME TAB OPTION TAB KIND lines: how the table's own parser takes each of them
 * KIND   value (the next word, or the rest of this one, is its value), optional (only the rest), joined
 *        (always the rest), flag
 * Output: VERDICT TAB NAME TAB OPTION TAB KIND TAB ROLE; VERDICT is ok, missing (takes a value, or may,
 * and is not named), shifts (takes a word that is none of its, or leaves one that is), unnamed (a flag). */
#include "policy/command.h"
#include "policy/judge_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROBE "probe/value"

static const struct sbx_command_row *row_of(const char *name)
{
    const char *blank = strrchr(name, ' ');
    return blank ? sbx_command_sub(name, (size_t)(blank - name), blank + 1, strlen(blank + 1))
                 : sbx_command_find(name, strlen(name));
}

static void list_row(const struct sbx_command_row *row)
{
    const char *kind = row->raise.verdict == SBX_DENY  ? "deny"
                       : row->raise.verdict == SBX_ASK ? "ask"
                       : row->flags & SBX_CMD_BUILTIN  ? "builtin"
                       : row->flags & SBX_CMD_DASHLONG ? "dashlong"
                                                       : "-";
    for (const char *at = row->names; *at;) {
        size_t len = strcspn(at, "|");
        printf("%.*s\t%s\n", (int)len, at, kind);
        at += len + (at[len] == '|');
    }
}

static bool names_option(const char *options, const char *word)
{
    size_t len = strlen(word);
    for (const char *at = options; at && *at; at++) {
        bool begins = at == options || at[-1] == ' ' || at[-1] == ',';
        if (begins && !strncmp(at, word, len) && (!at[len] || strchr(",=?: ", at[len])))
            return true;
    }
    return false;
}

static struct sbx_value value_of(char *text)
{
    return (struct sbx_value){.text = text, .len = (uint32_t)strlen(text)};
}

/* The use of `first` and, where it is given, `second` as words of the row. */
static bool parse(struct sbx_arena *arena, const struct sbx_command_row *row, char *first,
                  char *second, struct sbx_use *use)
{
    static char name[] = "program";
    struct sbx_value *word = sbx_arena_alloc(arena, 3 * sizeof(*word));
    struct sbx_value **words = sbx_arena_alloc(arena, 3 * sizeof(*words));
    if (!word || !words)
        return false;
    word[0] = value_of(name);
    word[1] = value_of(first);
    for (size_t i = 0; i < 3; i++)
        words[i] = &word[i];
    if (second)
        word[2] = value_of(second);
    *use = (struct sbx_use){
        .row = row, .name = name, .word = words, .words = second ? 3 : 2, .first = 1};
    return sbx_use_parse(arena, use);
}

static bool is_probe(const struct sbx_value *value)
{
    return value && value->len == strlen(PROBE) && !memcmp(value->text, PROBE, value->len);
}

/* The first option of the use where it has the probe as its value. */
static const struct sbx_opt *taken(const struct sbx_use *use)
{
    for (uint32_t i = 0; i < use->options; i++)
        if (is_probe(use->option[i].value) && use->option[i].role)
            return &use->option[i];
    return NULL;
}

/* --name=VALUE and -nVALUE: role of the value, 0 where the table knows of none. */
static char attached_role(struct sbx_arena *arena, const struct sbx_command_row *row,
                          const char *option)
{
    bool is_long = option[1] == '-' || (row->flags & SBX_CMD_DASHLONG && strlen(option) > 2);
    char word[160];
    struct sbx_use use;
    (void)snprintf(word, sizeof(word), "%s%s" PROBE, option, is_long ? "=" : "");
    char *copy = sbx_arena_strndup(arena, word, strlen(word));
    if (!copy || !parse(arena, row, copy, NULL, &use))
        return 0;
    const struct sbx_opt *option_taken = taken(&use);
    return option_taken ? option_taken->role : 0;
}

static const char *judge(struct sbx_arena *arena, const struct sbx_command_row *row,
                         const char *option, const char *kind, char *role)
{
    char *first = sbx_arena_strndup(arena, option, strlen(option));
    char *second = sbx_arena_strndup(arena, PROBE, strlen(PROBE));
    struct sbx_use use;
    if (!first || !second || !parse(arena, row, first, second, &use))
        return "broken";
    const struct sbx_opt *next = taken(&use);
    *role = next ? next->role : '-';
    if (!strcmp(kind, "value"))
        return next ? "ok" : attached_role(arena, row, option) ? "shifts" : "missing";
    if (!strcmp(kind, "joined"))
        return "ok"; /* the value cannot be a word of its own */
    if (next)
        return "shifts";
    if (!strcmp(kind, "flag"))
        return names_option(row->options, option) ? "ok" : "unnamed";
    char attached = attached_role(arena, row, option);
    *role = attached ? attached : '-';
    return attached ? "ok" : "missing";
}

static int check_lines(void)
{
    char line[512], *save = NULL;
    while (fgets(line, sizeof(line), stdin)) {
        line[strcspn(line, "\n")] = 0;
        const char *name = strtok_r(line, "\t", &save), *option = strtok_r(NULL, "\t", &save),
                   *kind = strtok_r(NULL, "\t", &save);
        const struct sbx_command_row *row = name ? row_of(name) : NULL;
        if (!row || !option || !kind || strlen(option) < 2 || strlen(option) > 100) {
            (void)fprintf(stderr, "optcheck: no such line: %s\n", line);
            return 2;
        }
        struct sbx_arena arena;
        sbx_arena_init(&arena, (size_t)1 << 20);
        char role = '-';
        const char *verdict = judge(&arena, row, option, kind, &role);
        (void)printf("%s\t%s\t%s\t%s\t%c\n", verdict, name, option, kind, role);
        sbx_arena_free(&arena);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return check_lines();
    if (strcmp(argv[1], "-l") != 0)
        return 2;
    for (size_t i = 0; i < SBX_COMMAND_GROUPS; i++)
        for (size_t k = 0; k < sbx_command_groups[i]->count; k++)
            list_row(&sbx_command_groups[i]->rows[k]);
    return 0;
}
