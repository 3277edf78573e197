/* Commands of a database client's own: lines that run a program, read or write files, and what goes to
 * the server of somebody else. */
#include "policy/classify.h"
#include "policy/place.h"

#include <ctype.h>
#include <string.h>

enum does { DOES_RUN, DOES_TOOL, DOES_READ, DOES_WRITE, DOES_SCRIPT };

static const struct {
    const char *clients, *verb; /* verb: as it stands at the beginning of a statement */
    enum does does;
} verbs[] = {
    {" mysql mariadb mycli ",           "system",    DOES_RUN   },
    {" mysql mariadb mycli ",           "pager",     DOES_TOOL  },
    {" mysql mariadb mycli ",           "\\P",       DOES_TOOL  },
    {" mysql mariadb mycli ",           "source",    DOES_SCRIPT},
    {" mysql mariadb mycli ",           "\\.",       DOES_SCRIPT},
    {" mysql mariadb mycli ",           "tee",       DOES_WRITE },
    {" mysql mariadb mycli ",           "\\T",       DOES_WRITE },
    {" psql pgcli usql cockroach ",     "\\!",       DOES_RUN   },
    {" psql pgcli usql cockroach ",     "\\i",       DOES_SCRIPT},
    {" psql pgcli usql cockroach ",     "\\ir",      DOES_SCRIPT},
    {" psql pgcli usql cockroach ",     "\\include", DOES_SCRIPT},
    {" psql pgcli usql cockroach ",     "\\o",       DOES_WRITE },
    {" psql pgcli usql cockroach ",     "\\out",     DOES_WRITE },
    {" psql pgcli usql cockroach ",     "\\w",       DOES_WRITE },
    {" psql pgcli usql cockroach ",     "\\write",   DOES_WRITE },
    {" psql pgcli usql cockroach ",     "\\g",       DOES_WRITE },
    {" psql pgcli usql cockroach ",     "\\gx",      DOES_WRITE },
    {" psql pgcli usql cockroach ",     "\\s",       DOES_WRITE },
    {" sqlite3 sqlite litecli duckdb ", ".shell",    DOES_RUN   },
    {" sqlite3 sqlite litecli duckdb ", ".system",   DOES_RUN   },
    {" sqlite3 sqlite litecli duckdb ", ".output",   DOES_WRITE },
    {" sqlite3 sqlite litecli duckdb ", ".once",     DOES_WRITE },
    {" sqlite3 sqlite litecli duckdb ", ".log",      DOES_WRITE },
    {" sqlite3 sqlite litecli duckdb ", ".trace",    DOES_WRITE },
    {" sqlite3 sqlite litecli duckdb ", ".save",     DOES_WRITE },
    {" sqlite3 sqlite litecli duckdb ", ".backup",   DOES_WRITE },
    {" sqlite3 sqlite litecli duckdb ", ".clone",    DOES_WRITE },
    {" sqlite3 sqlite litecli duckdb ", ".read",     DOES_SCRIPT},
    {" sqlite3 sqlite litecli duckdb ", ".import",   DOES_READ  },
    {" sqlite3 sqlite litecli duckdb ", ".restore",  DOES_READ  },
    {" sqlite3 sqlite litecli duckdb ", ".open",     DOES_READ  },
    {" sqlplus ",                       "host",      DOES_RUN   },
    {" sqlplus ",                       "!",         DOES_RUN   },
    {" sqlplus ",                       "spool",     DOES_WRITE },
    {" sqlplus ",                       "start",     DOES_SCRIPT},
    {" sqlplus ",                       "@",         DOES_SCRIPT},
    {" sqlcmd ",                        "!!",        DOES_RUN   },
    {" sqlcmd ",                        ":!!",       DOES_RUN   },
    {" sqlcmd ",                        ":r",        DOES_SCRIPT},
    {" sqlcmd ",                        ":out",      DOES_WRITE },
    {" beeline hive spark-sql trino ",  "!",         DOES_RUN   },
    {" beeline ",                       "!sh",       DOES_RUN   },
    {" beeline ",                       "!run",      DOES_SCRIPT},
    {" cqlsh ",                         "source",    DOES_SCRIPT},
    {" cqlsh ",                         "capture",   DOES_WRITE },
};

static bool names(const char *clients, const char *name)
{
    size_t len = strlen(name);
    for (const char *at = clients; len && (at = strstr(at, name)) != NULL; at++)
        if (at > clients && at[-1] == ' ' && at[len] == ' ')
            return true;
    return false;
}

static void find_program(struct sbx_judge *j)
{
    sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "a program run by a database client",
             "run that program by itself");
}

/* The file that a statement names, without the quotes around it. */
static const struct sbx_value *named_file(struct sbx_judge *j, const char *text, size_t len)
{
    if (len && strchr("'\"", *text)) {
        text++;
        len--;
    }
    size_t word = 0;
    while (word < len && !strchr("'\" \t\r\n;", text[word]))
        word++;
    return word ? sbx_value_new(&j->arena, text, word) : NULL;
}

static void run_script(struct sbx_judge *j, const char *client, const struct sbx_value *file)
{
    char path[SBX_PATH_BYTES];
    (void)sbx_check_path(j, file, SBX_ACCESS_READ);
    struct sbx_made *made =
        sbx_path_of(j, file, path, sizeof(path)) ? sbx_made_find(j, path) : NULL;
    if (made && made->text && !made->is_running) {
        made->is_running = true; /* it may name itself */
        sbx_classify_statements(j, client, made->text);
        made->is_running = false;
    }
}

static void statement(struct sbx_judge *j, const char *client, enum does does, const char *rest,
                      size_t len)
{
    struct sbx_value *text = sbx_value_new(&j->arena, rest, len);
    struct sbx_flow out = {0};
    if (!text || !len)
        return;
    bool piped = *rest == '|' || (len > 1 && strchr("'\"", *rest) && rest[1] == '|');
    if (does == DOES_RUN)
        sbx_judge_code(j, text, NULL, &out);
    if (does == DOES_RUN || (does == DOES_TOOL ? !sbx_is_harmless_tool(text) : piped)) {
        find_program(j);
        return;
    }
    const struct sbx_value *file = does == DOES_TOOL ? NULL : named_file(j, rest, len);
    if (file && does == DOES_SCRIPT)
        run_script(j, client, file);
    else if (file)
        (void)sbx_check_path(j, file, does == DOES_WRITE ? SBX_ACCESS_WRITE : SBX_ACCESS_READ);
}

void sbx_classify_statements(struct sbx_judge *j, const char *client, const struct sbx_value *text)
{
    const char *at = text->text, *end = at + text->len;
    while (at < end) {
        at += strspn(at, " \t\r\n;");
        size_t len = strcspn(at, ";\n"), line = strcspn(at, "\n");
        for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++) {
            size_t verb = strlen(verbs[i].verb);
            bool sign = !isalpha((unsigned char)verbs[i].verb[verb - 1]);
            if (strncasecmp(at, verbs[i].verb, verb) != 0 || !names(verbs[i].clients, client) ||
                (at[verb] && !sign && !isspace((unsigned char)at[verb])))
                continue;
            /* A command of the client takes the rest of the line. */
            len = line;
            size_t gap = verb + strspn(at + verb, " \t");
            if (verbs[i].does == DOES_TOOL)
                len = strcspn(at, ";\n");
            if (gap < len)
                statement(j, client, verbs[i].does, at + gap, len - gap);
            break;
        }
        /* \set x `id` */
        if (*at == '\\' && names(" psql pgcli usql ", client) && memchr(at, '`', line))
            find_program(j);
        at += len;
    }
    /* select 1 \g |sh */
    for (at = text->text; names(" psql pgcli usql ", client) && (at = strchr(at, '\\')) != NULL;) {
        at++;
        while (isalpha((unsigned char)*at))
            at++;
        if (at[strspn(at, " ")] == '|' && isalpha((unsigned char)at[-1]))
            find_program(j);
    }
}

/* --- the other end --------------------------------------------------------------------------------- */
static bool is_far(const struct sbx_value *host, bool is_url)
{
    struct sbx_url url;
    if (!host || !host->len || strchr("/.", host->text[0]))
        return false;
    return sbx_host_of(host, is_url, &url) && !sbx_is_loopback(url.host);
}

/* -h db.example.com, --host=…, postgresql://…, -H ldap://… */
static bool is_remote(const struct sbx_use *use)
{
    bool far = false;
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *o = &use->option[i];
        bool host = o->name_len == 2 ? o->name[0] == '-' && strchr("hHS", o->name[1]) != NULL
                                     : !strncmp(o->name, "--host", 6);
        if (o->value)
            far |= (host && is_far(o->value, false)) ||
                   (strstr(o->value->text, "://") && is_far(o->value, true));
    }
    for (uint32_t i = 0; i < use->operands; i++)
        far |= strstr(use->operand[i]->text, "://") && is_far(use->operand[i], true);
    return far;
}

/* Statements that send a local file. */
static bool sends_file(const struct sbx_use *use)
{
    static const char *const words[] = {"\\copy", "local infile", "from stdin"};
    static const char *const loaders[] = {"mongoimport", "mongorestore", "mysqlimport", "bcp",
                                          "elasticdump", "ldapadd",      "pgloader"};
    for (size_t i = 0; i < sizeof(loaders) / sizeof(*loaders); i++)
        if (!strcmp(use->name, loaders[i]))
            return use->operands || sbx_use_has(use, "--file -f --input --dir");
    for (uint32_t i = use->first; i < use->words; i++)
        for (size_t k = 0; k < sizeof(words) / sizeof(*words); k++) {
            const char *hit = strcasestr(use->word[i]->text, words[k]);
            if (hit && strcasestr(hit, "from"))
                return true;
            if (hit && k)
                return true;
        }
    return false;
}

void sbx_classify_database_host(struct sbx_judge *j, const struct sbx_use *use)
{
    uint32_t taint = 0;
    if (!is_remote(use))
        return;
    if (use->in && use->in->is_set && !(use->in->text && !use->in->taint))
        taint |= use->in->taint;
    for (uint32_t i = use->first; i < use->words; i++)
        taint |= use->word[i]->taint & (SBX_TAINT_SECRET | SBX_TAINT_ENV);
    sbx_find_sent(j, taint | (sends_file(use) ? (uint32_t)SBX_TAINT_FILE : 0));
}
