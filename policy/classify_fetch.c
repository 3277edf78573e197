/* Transfers whose addresses and options stand in a text of their own, and requests that empty a database
 * over HTTP. */
#include "policy/classify.h"
#include "policy/place.h"

#include <ctype.h>
#include <string.h>

/* What a file holds that an option names: standard input, <(…), a file of this input; NULL: not known. */
static const struct sbx_value *text_of(struct sbx_judge *j, const struct sbx_use *use,
                                       const struct sbx_value *file, uint32_t *taint)
{
    char path[SBX_PATH_BYTES];
    if (sbx_is_stdin(file)) {
        *taint = use->in && use->in->is_set ? use->in->taint : (uint32_t)SBX_TAINT_UNKNOWN;
        return use->in ? use->in->text : NULL;
    }
    struct sbx_made *made =
        sbx_path_of(j, file, path, sizeof(path)) ? sbx_made_find(j, path) : NULL;
    *taint = made ? made->taint : file->taint;
    return made ? made->text : NULL;
}

/* --- curl's configuration ------------------------------------------------------------------------------ */
/* url = "x", -d x, data: x: an option of curl's and its value. */
static uint32_t config_line(struct sbx_judge *j, const char *line, size_t len,
                            struct sbx_value **words)
{
    struct sbx_text name = {.arena = &j->arena};
    const char *at = line, *end = line + len;
    while (at < end && isspace((unsigned char)*at))
        at++;
    if (at == end || *at == '#')
        return 0;
    if (*at != '-')
        sbx_text_put(&name, "--", 2, SBX_MASK_LITERAL);
    for (; at < end && !isspace((unsigned char)*at) && *at != '=' && *at != ':'; at++)
        sbx_text_put(&name, at, 1, SBX_MASK_LITERAL);
    while (at < end && (isspace((unsigned char)*at) || *at == '=' || *at == ':'))
        at++;
    while (end > at && isspace((unsigned char)end[-1]))
        end--;
    bool quoted = end - at > 1 && *at == '"' && end[-1] == '"';
    words[0] = sbx_text_value(&name, j->span);
    words[1] = end > at
                   ? sbx_value_new(&j->arena, at + quoted, (size_t)(end - at) - 2 * (size_t)quoted)
                   : NULL;
    return words[0] ? 1 + (words[1] != NULL) : 0;
}

/* The lines of a configuration, judged as the words of a command line. */
static void judge_config(struct sbx_judge *j, struct sbx_use *use, const struct sbx_value *text)
{
    enum { WORDS = 64 };
    struct sbx_value *words[WORDS + 2] = {sbx_value_new(&j->arena, "curl", 4)};
    uint32_t count = words[0] ? 1 : 0;
    for (size_t at = 0; count && at < text->len && count < WORDS;) {
        size_t len = strcspn(text->text + at, "\n");
        count += config_line(j, text->text + at, len, words + count);
        at += len + 1;
    }
    struct sbx_value **argv = sbx_arena_alloc(&j->arena, (count + 1) * sizeof(*argv));
    if (!argv || count < 2)
        return;
    memcpy(argv, words, count * sizeof(*argv));
    const struct sbx_flow none = {.is_set = true};
    struct sbx_flow out = {0};
    sbx_judge_argv(j, (struct sbx_argv){argv, count}, &none, &out);
    use->out->taint |= out.taint;
}

void sbx_classify_config(struct sbx_judge *j, struct sbx_use *use)
{
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *o = &use->option[i];
        uint32_t taint = 0;
        if (o->letter != 'K' || !o->value)
            continue;
        const struct sbx_value *text = text_of(j, use, o->value, &taint);
        if (text && sbx_value_known(text))
            judge_config(j, use, text);
        else
            sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "a transfer that nobody sees",
                     "give curl its address and options on the command line");
    }
}

/* --- lists of addresses -------------------------------------------------------------------------------- */
/* wget -i FILE: the addresses in it; what a filter made of local data goes away with them. */
void sbx_classify_list(struct sbx_judge *j, struct sbx_use *use)
{
    const struct sbx_opt *list = sbx_use_letter(use, 'i');
    uint32_t taint = 0;
    if (!list || !list->value)
        return;
    const struct sbx_value *text = text_of(j, use, list->value, &taint);
    bool hidden = sbx_is_stdin(list->value) || sbx_value_has(list->value, SBX_MASK_UNKNOWN) ||
                  !strncmp(list->value->text, "/dev/fd/", 8);
    if (text && sbx_value_known(text)) {
        for (size_t at = 0; at < text->len;) {
            size_t len = strcspn(text->text + at, "\n");
            struct sbx_value *url = sbx_value_new(&j->arena, text->text + at, len);
            if (url && len)
                sbx_check_host_value(j, url, true);
            at += len + 1;
        }
        taint &= SBX_TAINT_SECRET | SBX_TAINT_ENV;
    }
    if (hidden || taint & (SBX_TAINT_SECRET | SBX_TAINT_ENV))
        sbx_find_sent(j, taint);
}

/* --- databases over HTTP ------------------------------------------------------------------------------- */
static bool is_database_port(unsigned port)
{
    static const unsigned ports[] = {9200, 9201, 9243, 5984, 6984, 6333, 7700,
                                     8983, 8086, 8108, 8123, 7474, 8529, 28017};
    for (size_t i = 0; i < sizeof(ports) / sizeof(*ports); i++)
        if (ports[i] == port)
            return true;
    return false;
}

/* /_all, /logs-*, /db: an index, a collection or all of them, and not one document of it. */
static bool names_collection(const struct sbx_value *url, bool is_database)
{
    static const char *const whole[] = {"/_all",        "*",         "%2A",           "%2a",
                                        "_data_stream", "/indexes/", "/collections/", "/v1/schema",
                                        "recurse"};
    const char *host = strstr(url->text, "://"), *path = strchr(host ? host + 3 : url->text, '/');
    for (size_t i = 0; path && i < sizeof(whole) / sizeof(*whole); i++)
        if (strstr(path, whole[i]))
            return true;
    if (!is_database || !path)
        return is_database;
    size_t len = strcspn(path + 1, "/?");
    return !path[1 + len] || path[1 + len] == '?' || !path[2 + len];
}

static void find_emptied(struct sbx_judge *j)
{
    sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY, "data dropped from a database",
             "this loses data; ask first, or work on a copy");
}

/* curl -X DELETE localhost:9200/_all; a service of one's own may be told to delete what it likes. */
void sbx_classify_emptied(struct sbx_judge *j, const struct sbx_use *use, bool deletes)
{
    static const char *const bodies[] = {"<delete><query>*:*", "\"delete\":{\"query\":\"*:*\"",
                                         "\"delete\": {\"query\": \"*:*\""};
    for (uint32_t i = use->first; i < use->words; i++) {
        const struct sbx_value *word = use->word[i];
        struct sbx_url url;
        if (strstr(word->text, "_delete_by_query") || sbx_sql_destroys(word))
            find_emptied(j);
        for (size_t k = 0; k < sizeof(bodies) / sizeof(*bodies); k++)
            if (strstr(word->text, bodies[k]))
                find_emptied(j);
        bool address = strchr(word->text, '/') && word->text[0] != '-';
        if (deletes && address && sbx_host_of(word, true, &url) &&
            names_collection(word, is_database_port(url.port)))
            find_emptied(j);
    }
}
