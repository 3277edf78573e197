/* Database clients: statements that lose data, commands that run programs. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- databases --------------------------------------------------------------------------------------------------------------- */
/* The statement without its string literals: SELECT 'drop table x' drops nothing. */
static struct sbx_value *without_strings(struct sbx_judge *j, const struct sbx_value *text)
{
    struct sbx_text out = {.arena = &j->arena};
    bool inside = false;
    for (uint32_t i = 0; i < text->len; i++) {
        if (text->text[i] == '\'')
            inside = !inside;
        else if (!inside)
            sbx_text_put(&out, text->text + i, 1, SBX_MASK_LITERAL);
    }
    struct sbx_value *value = sbx_text_value(&out, text->span);
    return value ? value : &j->nothing;
}

static bool destroys_data(const struct sbx_value *bare)
{
    static const char *const destroys[] = {
        "drop table",     "drop database",   "drop schema",    "drop index",     "truncate",
        "delete from",    "drop user",       "drop view",      "flushall",       "flushdb",
        "dropdatabase",   ".drop(",          "deletemany({})", "drop owned",     "drop role",
        "dropcollection", "remove({})",      "alter system",   "drop column",    "drop keyspace",
        "shutdown",       "drop tablespace", "drop stage",     "drop warehouse", "purge",
        "config set dir", "drop function",   "drop trigger",   "detach delete",  "drop collection"};
    for (size_t i = 0; i < sizeof(destroys) / sizeof(*destroys); i++) {
        const char *hit = strcasestr(bare->text, destroys[i]);
        bool whole = isalnum((unsigned char)destroys[i][0]);
        if (!hit || (whole && hit > bare->text && isalnum((unsigned char)hit[-1])))
            continue;
        /* delete from t where id=1: one row by its key. */
        if (!strncasecmp(hit, "delete from", 11) && strcasestr(hit, " where ") &&
            !strcasestr(hit, "1=1"))
            continue;
        return true;
    }
    return false;
}

static void sql_text(struct sbx_judge *j, const char *client, const struct sbx_value *text)
{
    static const char *const runs_programs[] = {
        "\\!",         "to program",    "from program",   ".shell", ".system",
        "xp_cmdshell", "sys_exec",      "os.execute",     "!sh",    "!bash",
        "lo_export",   "into dumpfile", "load_extension", ".load",  "plpythonu",
        "plpython3u",  "plperlu",       "module load"};
    if (destroys_data(without_strings(j, text)))
        sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY, "data dropped from a database",
                 "this loses data; ask first, or work on a copy");
    sbx_classify_statements(j, client, text);
    for (size_t i = 0; i < sizeof(runs_programs) / sizeof(*runs_programs); i++)
        if (strcasestr(text->text, runs_programs[i]))
            sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "a program run by a database client",
                     "run that program by itself");
    const char *load = strcasestr(text->text, "load ");
    if ((load && strstr(load, ".so")) ||
        (strcasestr(text->text, "language c") && strstr(text->text, ".so")))
        sbx_find(j, SBX_DENY, SBX_CLASS_PERSISTENCE, "a library to load into a database",
                 "run the database without libraries of your own");
    bool writes = strcasestr(text->text, "outfile") || strcasestr(text->text, ".output") ||
                  strcasestr(text->text, ".once") || strcasestr(text->text, " to '") ||
                  strcasestr(text->text, "writefile(") || strcasestr(text->text, ".backup") ||
                  strcasestr(text->text, "attach") || strcasestr(text->text, "vacuum into") ||
                  strcasestr(text->text, "\\o ");
    sbx_classify_paths(j, text, writes);
}

bool sbx_sql_destroys(const struct sbx_value *text)
{
    return destroys_data(text);
}

/* A statement that changes the file of a database. */
static void check_changed(struct sbx_judge *j, const struct sbx_use *use)
{
    static const char *const verbs[] = {"create ", "insert ", "update ", "delete ",
                                        "drop ",   "alter ",  "vacuum",  "replace "};
    const struct sbx_value *text = use->in ? use->in->text : NULL;
    bool hit = false;
    for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++) {
        hit |= text && strcasestr(text->text, verbs[i]);
        for (uint32_t k = 1; k < use->operands; k++)
            hit |= strcasestr(use->operand[k]->text, verbs[i]) != NULL;
    }
    if (hit && use->operands)
        (void)sbx_check_path(j, use->operand[0], SBX_ACCESS_WRITE);
}

void sbx_check_sql(struct sbx_judge *j, struct sbx_use *use)
{
    const char *name = use->name;
    static const char *const drops[] = {"dropdb", "dropuser", "pg_restore", "mongorestore"};
    use->out->is_set = true;
    if (use->in && use->in->is_set && (use->in->taint & SBX_TAINT_NET))
        sbx_find(j, SBX_DENY, SBX_CLASS_REMOTE_CODE, "code from the network",
                 "save it to a file, read it, and run the file in a later command");
    sbx_classify_database_host(j, use);
    static const char *const deletes[] = {"del", "DEL", "unlink", "UNLINK"};
    bool listed = use->operands > 1 && sbx_value_has(use->operand[1], SBX_MASK_UNKNOWN);
    if ((!strcmp(name, "redis-cli") || !strcmp(name, "valkey-cli")) &&
        SBX_OPERAND_IN(use, 0, deletes) && (listed || use->operands == 1))
        sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY, "data dropped from a database",
                 "this loses data; ask first, or work on a copy");
    if (!strcmp(name, "influx") && sbx_operand_is(use, 0, "delete"))
        sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY, "data dropped from a database",
                 "this loses data; ask first, or work on a copy");
    for (size_t i = 0; i < sizeof(drops) / sizeof(*drops); i++)
        if (!strcmp(name, drops[i]) && (i < 2 || sbx_use_has(use, "--clean -c --drop")))
            sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY, "a database dropped",
                     "this loses data; ask first");
    for (uint32_t i = 0; i < use->options; i++)
        if (use->option[i].letter == 'q' && use->option[i].value)
            sql_text(j, name, use->option[i].value);
    static const char *const resets[] = {"reset",   "rollback", "drop",          "clean",
                                         "db:drop", "db:reset", "migrate:reset", "undo:all",
                                         "revert",  "fresh",    "down",          "drop-all",
                                         "dropAll", "flush",    "delete",        "purge"};
    bool migration = !strcmp(name, "alembic") || !strcmp(name, "prisma") || !strcmp(name, "knex") ||
                     !strcmp(name, "sequelize") || !strcmp(name, "typeorm") ||
                     !strcmp(name, "flyway") || !strcmp(name, "liquibase") ||
                     !strcmp(name, "dbmate") || !strcmp(name, "sqlx") || !strcmp(name, "diesel") ||
                     !strncmp(name, "rabbitmq", 8) || !strcmp(name, "mysqladmin") ||
                     !strncmp(name, "kafka", 5);
    bool lines = strstr(name, "sqlite") || !strcmp(name, "duckdb"); /* each operand is one */
    struct sbx_text joined = {.arena = &j->arena};
    /* A database that lives in memory has nothing to lose. */
    bool volatile_db = use->operands && sbx_value_is(use->operand[0], ":memory:");
    for (uint32_t i = 0; i < use->operands; i++) {
        for (size_t k = 0; migration && k < sizeof(resets) / sizeof(*resets); k++)
            if (strcasestr(use->operand[i]->text, resets[k]))
                sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY, "a migration that resets",
                         "this loses data; ask first, or work on a copy");
        if (i)
            sbx_text_put(&joined, lines ? "\n" : " ", 1, SBX_MASK_LITERAL);
        sbx_text_append(&joined, use->operand[i]);
        if (use->operand[i]->text[0] == '/')
            (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_READ);
    }
    if (sbx_use_letter(use, 'd') && !strncmp(name, "kafka", 5))
        sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY, "a topic deleted",
                 "this loses data; ask first");
    if (lines)
        check_changed(j, use);
    struct sbx_value *words = sbx_text_value(&joined, (struct sbx_span){0, 0});
    if (words && words->len)
        sql_text(j, name, words);
    if (use->in && use->in->is_set && use->in->text && !volatile_db)
        sql_text(j, name, use->in->text);
}
