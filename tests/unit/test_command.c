#include <check.h>
#include <string.h>

#include "policy/command.h"
#include "policy/explain.h"

Suite *command_suite(void);

#define NAMES_LEAST 400

static const struct sbx_command_row *row_at(size_t group, size_t row)
{
    return &sbx_command_groups[group]->rows[row];
}

/* Calls `visit` for each name of each row. */
static void each_name(void (*visit)(const struct sbx_command_row *row, const char *name,
                                    void *data),
                      void *data)
{
    for (size_t g = 0; g < SBX_COMMAND_GROUPS; g++)
        for (size_t r = 0; r < sbx_command_groups[g]->count; r++) {
            const char *at = row_at(g, r)->names;
            while (*at) {
                char name[128];
                size_t len = strcspn(at, "|");
                ck_assert_uint_lt(len, sizeof(name));
                ck_assert_msg(len > 0, "an empty name in %s", row_at(g, r)->names);
                memcpy(name, at, len);
                name[len] = 0;
                visit(row_at(g, r), name, data);
                at += len + (at[len] == '|');
            }
        }
}

static void found(const struct sbx_command_row *row, const char *name, void *data)
{
    size_t *count = data;
    const char *blank = strrchr(name, ' ');
    const struct sbx_command_row *got =
        blank ? sbx_command_sub(name, (size_t)(blank - name), blank + 1, strlen(blank + 1))
              : sbx_command_find(name, strlen(name));
    ck_assert_msg(got == row, "%s is found elsewhere: is it in two rows?", name);
    ++*count;
}

START_TEST(every_name_is_found)
{
    size_t count = 0;
    each_name(found, &count);
    ck_assert_uint_ge(count, NAMES_LEAST);
    ck_assert_ptr_null(sbx_command_find("no-such-program", 15));
    ck_assert_ptr_null(sbx_command_find("", 0));
    ck_assert_ptr_null(sbx_command_find("git push", 8));
}
END_TEST

static void has_parent(const struct sbx_command_row *row, const char *name, void *data)
{
    (void)row;
    (void)data;
    const char *blank = strchr(name, ' ');
    if (!blank)
        return;
    const struct sbx_command_row *parent = sbx_command_find(name, (size_t)(blank - name));
    ck_assert_msg(parent && parent->flags & SBX_CMD_SUB, "%s: %.*s takes no subcommand", name,
                  (int)(blank - name), name);
}

START_TEST(subcommands_have_a_parent)
{
    each_name(has_parent, NULL);
}
END_TEST

static void check_options(const struct sbx_command_row *row)
{
    for (const char *at = row->options; *at;) {
        size_t len = strcspn(at, " ");
        ck_assert_msg(len && at[0] == '-', "%s: option '%.*s'", row->names, (int)len, at);
        const char *role = at + strcspn(at, "=? ");
        if ((size_t)(role - at) < len)
            ck_assert_msg(role[1] && strchr(SBX_ROLES, role[1]), "%s: no role '%c' in '%.*s'",
                          row->names, role[1], (int)len, at);
        at += len + (at[len] == ' ');
    }
}

START_TEST(rows_are_well_formed)
{
    for (size_t g = 0; g < SBX_COMMAND_GROUPS; g++)
        for (size_t r = 0; r < sbx_command_groups[g]->count; r++) {
            const struct sbx_command_row *row = row_at(g, r);
            check_options(row);
            for (const char *c = row->operands; *c; c++)
                ck_assert_msg(strchr(SBX_ROLES " *m", *c), "%s: operand role '%c'", row->names, *c);
            ck_assert_msg(row->raise.verdict == SBX_ALLOW || row->remedy, "%s: no remedy",
                          row->names);
        }
}
END_TEST

/* --- options of one use ------------------------------------------------------------------------ */
struct used {
    struct sbx_arena arena;
    struct sbx_use use;
    struct sbx_value *word[16];
};

static void use(struct used *used, const char *line)
{
    memset(used, 0, sizeof(*used));
    sbx_arena_init(&used->arena, 65536);
    used->use = (struct sbx_use){.word = used->word, .first = 1};
    while (*line) {
        size_t len = strcspn(line, " ");
        used->word[used->use.words++] = sbx_value_new(&used->arena, line, len);
        line += len + (line[len] == ' ');
    }
    used->use.row = sbx_command_find(used->word[0]->text, used->word[0]->len);
    ck_assert_ptr_nonnull(used->use.row);
    ck_assert(sbx_use_parse(&used->arena, &used->use));
}

START_TEST(options_and_operands)
{
    struct used u;
    use(&u, "sort -k 2 -rn -o out --compress-prog=x a b");
    ck_assert_uint_eq(u.use.operands, 2);
    ck_assert_str_eq(u.use.operand[0]->text, "a");
    ck_assert_str_eq(sbx_use_option(&u.use, "-o")->value->text, "out");
    ck_assert_str_eq(sbx_use_option(&u.use, "--compress-program")->value->text, "x");
    ck_assert(sbx_use_has(&u.use, "-n"));
    ck_assert(!sbx_use_has(&u.use, "-z"));
    sbx_arena_free(&u.arena);

    use(&u, "tar xzf a.tgz -C d");
    ck_assert_ptr_nonnull(sbx_use_letter(&u.use, 'x'));
    ck_assert_str_eq(sbx_use_option(&u.use, "-f")->value->text, "a.tgz");
    ck_assert_str_eq(sbx_use_option(&u.use, "-C")->value->text, "d");
    sbx_arena_free(&u.arena);

    use(&u, "cp -t d -- -a b");
    ck_assert_uint_eq(u.use.operands, 2);
    ck_assert_str_eq(u.use.operand[0]->text, "-a");
    sbx_arena_free(&u.arena);

    use(&u, "timeout -k1 5 rm -rf x");
    ck_assert_str_eq(u.use.operand[0]->text, "5");
    ck_assert_str_eq(u.use.operand[2]->text, "-rf");
    ck_assert_int_eq(sbx_use_role(&u.use, 1), 'C');
    sbx_arena_free(&u.arena);
}
END_TEST

START_TEST(roles_of_operands)
{
    struct used u;
    use(&u, "cp a b c");
    ck_assert_int_eq(sbx_use_role(&u.use, 0), 'r');
    ck_assert_int_eq(sbx_use_role(&u.use, 1), 'r');
    ck_assert_int_eq(sbx_use_role(&u.use, 2), 'w');
    sbx_arena_free(&u.arena);
}
END_TEST

START_TEST(what_cannot_work_here)
{
    ck_assert_ptr_nonnull(sbx_command_instead("docker"));
    ck_assert_ptr_nonnull(sbx_command_instead("docker-compose"));
    ck_assert_ptr_nonnull(sbx_command_instead("watchman"));
    ck_assert_ptr_nonnull(sbx_command_instead("ping"));
    ck_assert_ptr_null(sbx_command_instead("dock"));
    ck_assert_ptr_null(sbx_command_instead("compose"));
    ck_assert_ptr_null(sbx_command_instead("ls"));
    ck_assert_ptr_null(sbx_command_instead(""));
}
END_TEST

Suite *command_suite(void)
{
    Suite *suite = suite_create("command");
    TCase *tests = tcase_create("table");
    tcase_add_test(tests, what_cannot_work_here);
    tcase_add_test(tests, every_name_is_found);
    tcase_add_test(tests, subcommands_have_a_parent);
    tcase_add_test(tests, rows_are_well_formed);
    tcase_add_test(tests, options_and_operands);
    tcase_add_test(tests, roles_of_operands);
    suite_add_tcase(suite, tests);
    return suite;
}
