/* The home as programs of other languages spell it: os.path.expanduser("~"), Dir.home, $ENV{HOME}. */
#include "policy/classify.h"
#include "policy/program.h"

#include <ctype.h>
#include <string.h>

/* A " stands for any quote. */
static const char *const spellings[] = {
    "expanduser(\"~\")",
    "expand_path(\"~\")",
    "path.expand(\"~\")",
    "expand(\"~\")",
    "Path(\"~\")",
    "delete-directory \"~\"",
    "expand-file-name \"~\"",
    "Dir.home",
    "homedir()",
    "home_dir()",
    "Path.home()",
    "UserHomeDir()",
    "user_home!()",
    "user_home!",
    "getHomeDirectory",
    "$ENV{HOME}",
    "$ENV{\"HOME\"}",
    "ENV[\"HOME\"]",
    "ENV.fetch(\"HOME\")",
    "env.HOME",
    "env[\"HOME\"]",
    "environ[\"HOME\"]",
    "environ.get(\"HOME\")",
    "getenv(\"HOME\")",
    "getenv \"HOME\"",
    "Getenv(\"HOME\")",
    "env(HOME)",
    "env.get(\"HOME\")",
    "_SERVER[\"HOME\"]",
    "_ENV[\"HOME\"]",
    "getProperty(\"user.home\")",
};

static bool is_quote(char c)
{
    return c == '"' || c == '\'';
}

static size_t spelled_at(const struct sbx_program *p, const char *at, const char *spelling)
{
    size_t i = 0;
    for (; spelling[i]; i++)
        if (at + i >= p->end || (spelling[i] == '"' ? !is_quote(at[i]) : at[i] != spelling[i]))
            return 0;
    bool open = isalnum((unsigned char)spelling[i - 1]) && at + i < p->end;
    return open && (isalnum((unsigned char)at[i]) || at[i] == '_') ? 0 : i;
}

/* Looking for a spelling at every byte is dear: most programs hold none of these. */
bool sbx_program_names_home(const struct sbx_program *p)
{
    static const char *const marks[] = {
        "HOME",          "Dir.home", "homedir", "home_dir", ".home()", "UserHome", "user_home",
        "HomeDirectory", "r.home",   "(\"~\")", "('~')",    "y \"~\"", "e \"~\""};
    for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
        if (sbx_program_has(p, marks[i]))
            return true;
    return false;
}

size_t sbx_program_home(const struct sbx_program *p, const char *at)
{
    if (!p->names_home)
        return 0;
    /* os.path. and the like stand in front of it. */
    for (size_t k = 0; k < 24 && at + k < p->end; k++) {
        for (size_t i = 0; i < sizeof(spellings) / sizeof(*spellings); i++) {
            size_t len = spelled_at(p, at + k, spellings[i]);
            if (len)
                return k + len;
        }
        if (!isalnum((unsigned char)at[k]) && !strchr("._:", at[k]))
            return 0;
    }
    return 0;
}

size_t sbx_program_inserted_home(const struct sbx_program *p, const char *at)
{
    size_t skip = *at == '{' ? 1 : at + 1 < p->end && strchr("#$", *at) && at[1] == '{' ? 2 : 0;
    size_t len = skip && at + skip < p->end ? sbx_program_home(p, at + skip) : 0;
    if (len && at + skip + len < p->end && at[skip + len] == '}')
        return skip + len + 1;
    return *at == '$' && !strncmp(p->language, "perl", 4) ? sbx_program_home(p, at) : 0;
}

/* One more part behind the home: / "x", + "/x", , "x" of a join, .joinpath("x"), /x in a string. Where it
 * begins; *quote is its delimiter, 0 for a bare one. NULL: no more. */
static const char *next_part(const struct sbx_program *p, const char *at, char *quote)
{
    static const char *const methods[] = {".joinpath(", ".join(", ".resolve(", ".append("};
    bool glued = false, joins = sbx_program_has(p, "join") || sbx_program_has(p, "resolve(");
    for (size_t i = 0; i < sizeof(methods) / sizeof(*methods); i++)
        if ((size_t)(p->end - at) > strlen(methods[i]) &&
            !strncmp(at, methods[i], strlen(methods[i]))) {
            at += strlen(methods[i]);
            glued = true;
        }
    const char *from = at;
    while (at < p->end && *at && strchr(" )}]+.", *at)) {
        glued |= *at == '+' || (*at == '.' && at > from && at[-1] == ' ');
        at++;
    }
    if (at < p->end && *at == ',' && joins) {
        glued = true;
        at += 1 + strspn(at + 1, " ");
    }
    if (at + 1 < p->end && *at == '/') {
        bool spaced = at[1] == ' ';
        const char *next = at + 1 + strspn(at + 1, " ");
        if (!spaced && !is_quote(*next)) {
            *quote = 0;
            return at;
        }
        glued = true;
        at = next;
    }
    *quote = at < p->end && is_quote(*at) ? *at : 1;
    bool unknown = *quote == 1 && at < p->end && (isalpha((unsigned char)*at) || *at == '_');
    return !glued ? NULL : *quote != 1 ? at + 1 : unknown ? at : NULL;
}

const char *sbx_program_home_path(const struct sbx_program *p, const char *at,
                                  struct sbx_text *path)
{
    at += sbx_program_home(p, at);
    sbx_text_put(path, p->j->home, strlen(p->j->home), SBX_MASK_LITERAL);
    for (unsigned parts = 0; parts < 8; parts++) {
        char quote = 0;
        const char *from = next_part(p, at, &quote), *to = from;
        if (!from)
            break;
        if (quote == 1) {
            sbx_text_put(path, "/?", 2, SBX_MASK_UNKNOWN);
            break;
        }
        while (to < p->end && (quote ? *to != quote : !strchr(" \t\n\"'`)}];,", *to)))
            to++;
        if (*from != '/')
            sbx_text_put(path, "/", 1, SBX_MASK_LITERAL);
        sbx_text_put(path, from, (size_t)(to - from), SBX_MASK_LITERAL);
        at = to + (quote && to < p->end);
        if (!quote)
            break;
    }
    return at;
}

/* puts Dir.home; os.chdir(Path.home()): named, and nothing done to it. */
static bool is_only_shown(const struct sbx_program *p, const char *at)
{
    static const char *const verbs[] = {"puts", "print", "println", "printf", "p",   "pp",
                                        "say",  "echo",  "log",     "chdir",  "Cwd", "display"};
    while (at > p->text && strchr(" (", at[-1]))
        at--;
    const char *end = at;
    while (at > p->text && isalnum((unsigned char)at[-1]))
        at--;
    for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
        if (strlen(verbs[i]) == (size_t)(end - at) && !memcmp(at, verbs[i], strlen(verbs[i])))
            return true;
    return false;
}

void sbx_program_homes(struct sbx_program *p)
{
    if (!p->names_home || !(p->deletes || p->writes))
        return;
    for (const char *at = p->text; at < p->end; at++) {
        size_t len = sbx_program_home(p, at);
        bool shown = len && is_only_shown(p, at);
        at += shown ? len - 1 : 0;
        if (!len || shown)
            continue;
        struct sbx_text text = {.arena = &p->j->arena};
        const char *next = sbx_program_home_path(p, at, &text);
        struct sbx_value *path = sbx_text_value(&text, p->j->span);
        /* A program that names the home itself seldom writes there. */
        if (path && path->mask && p->deletes)
            sbx_find(p->j, SBX_ASK, SBX_CLASS_FS_DESTROY, "deletion somewhere in the home",
                     "only the workspace and /tmp are yours to change; ask for the rest");
        else if (path && !path->mask && (p->deletes || path->len > strlen(p->j->home)))
            sbx_program_path(p, path->text, path->len);
        at = next - 1;
    }
}
