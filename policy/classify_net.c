/* The network: who is talked to and what is sent. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"
#include "policy/rule.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool sbx_url_split(const char *text, size_t len, struct sbx_url *url)
{
    memset(url, 0, sizeof(*url));
    const char *end = text + len, *scheme = memmem(text, len, "://", 3);
    if (scheme && (size_t)(scheme - text) < sizeof(url->scheme)) {
        for (size_t i = 0; i < (size_t)(scheme - text); i++)
            url->scheme[i] = (char)tolower((unsigned char)text[i]);
        text = scheme + 3;
    }
    const char *stop = text;
    while (stop < end && !strchr("/?#\\", *stop) && *stop)
        stop++;
    const char *at = memrchr(text, '@', (size_t)(stop - text));
    if (at)
        text = at + 1;
    size_t host = 0;
    const char *c = text;
    bool bracket = c < stop && *c == '[';
    for (c += bracket; c < stop && (bracket ? *c != ']' : *c != ':'); c++) {
        if (host + 1 >= sizeof(url->host))
            return false;
        url->host[host++] = (char)tolower((unsigned char)*c);
    }
    while (host && url->host[host - 1] == '.')
        url->host[--host] = 0;
    if (bracket && c < stop)
        c++;
    if (c < stop && *c == ':')
        url->port = (unsigned)strtoul(c + 1, NULL, 10);
    return host > 0;
}

bool sbx_is_loopback(const char *host)
{
    size_t len = strlen(host);
    return !strcmp(host, "localhost") || !strncmp(host, "127.", 4) || !strcmp(host, "::1") ||
           !strcmp(host, "0.0.0.0") || !strcmp(host, "0") ||
           (len > 10 && !strcmp(host + len - 10, ".localhost")) || !strcmp(host, "ip6-localhost") ||
           !strcmp(host, "::");
}

void sbx_check_host(struct sbx_judge *j, const struct sbx_url *url)
{
    uint32_t count = 0;
    const struct sbx_item *items = sbx_policy_list(j->policy, SBX_KEY_NETWORK_DENY_DOMAIN, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (!sbx_domain_matches(sbx_policy_text(j->policy, items[i].text), url->host, url->port))
            continue;
        sbx_find_path(
            j, (struct sbx_finding){.verdict = SBX_DENY,
                                    .class = SBX_CLASS_NONE,
                                    .what = "deny_domain",
                                    .reason = "this host is closed by policy; use another source",
                                    .origin = &items[i].origin,
                                    .by = SBX_BY_RULE,
                                    .rule = sbx_policy_text(j->policy, items[i].text)});
        return;
    }
}

bool sbx_host_of(const struct sbx_value *value, bool is_url, struct sbx_url *url)
{
    size_t known = sbx_value_prefix(value);
    if (is_url || memmem(value->text, value->len, "://", 3))
        return sbx_url_split(value->text, known, url);
    /* user@host:path, host */
    const char *at = memchr(value->text, '@', known), *from = at ? at + 1 : value->text;
    size_t len = known - (size_t)(from - value->text);
    const char *colon = from[0] == '[' ? NULL : memchr(from, ':', len);
    return sbx_url_split(from, colon ? (size_t)(colon - from) : len, url);
}

void sbx_check_host_value(struct sbx_judge *j, const struct sbx_value *value, bool is_url)
{
    struct sbx_url url;
    if (sbx_host_of(value, is_url, &url))
        sbx_check_host(j, &url);
    if (is_url && !strncasecmp(value->text, "file://", 7)) {
        struct sbx_value path = *value;
        size_t skip = 7 + strcspn(value->text + 7, "/");
        path.text += skip;
        path.len -= (uint32_t)skip;
        path.mask = path.mask ? path.mask + skip : NULL;
        (void)sbx_check_path(j, &path, SBX_ACCESS_READ);
    }
}

void sbx_find_sent(struct sbx_judge *j, uint32_t taint)
{
    if (taint & (SBX_TAINT_SECRET | SBX_TAINT_ENV))
        sbx_find(j, SBX_DENY, SBX_CLASS_EXFIL, "secrets sent to another machine",
                 "keep credentials and the environment here");
    else if (taint & (SBX_TAINT_FILE | SBX_TAINT_UNKNOWN | SBX_TAINT_LIST))
        sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "local data sent to another machine",
                 "sending data away needs approval; say what you need it for");
}

/* --- curl and its kin --------------------------------------------------------------------------------------------------- */
struct transfer {
    bool local; /* every host is the loopback */
    bool has_host;
    uint32_t taint;
};

static void note_url(struct sbx_judge *j, struct transfer *t, const struct sbx_value *value)
{
    struct sbx_url url;
    if (!sbx_host_of(value, true, &url) || sbx_mask_unknown(sbx_value_mask(value, 0))) {
        t->has_host = true;
        t->local = false;
        t->taint |= value->taint & (SBX_TAINT_SECRET | SBX_TAINT_ENV);
        return;
    }
    if (!strcmp(url.scheme, "file"))
        return;
    t->local = (!t->has_host || t->local) && sbx_is_loopback(url.host);
    t->has_host = true;
    t->taint |= value->taint;
    (void)j;
}

/* text, @file, name=@file, name@file (urlencode), name=<file */
static void sent_field(struct sbx_judge *j, struct transfer *t, const struct sbx_value *value,
                       bool form)
{
    t->taint |= value->taint;
    const char *at = value->text;
    const char *equals = strchr(at, '=');
    if (*at == '@')
        at++;
    else if (form && equals && (equals[1] == '@' || equals[1] == '<'))
        at = equals + 2;
    else if (form && !equals && strchr(at, '@'))
        at = strchr(at, '@') + 1;
    else
        return;
    size_t skip = (size_t)(at - value->text);
    struct sbx_text text = {.arena = &j->arena};
    struct sbx_value file = *value;
    file.text += skip;
    file.mask = file.mask ? file.mask + skip : NULL;
    file.len = (uint32_t)(value->len - skip);
    const char *cut = memchr(file.text, ';', file.len);
    if (cut)
        file.len = (uint32_t)(cut - file.text);
    sbx_text_append(&text, &file);
    struct sbx_value *path = sbx_text_value(&text, value->span);
    if (!path || !path->len)
        return;
    if (sbx_value_is(path, "-"))
        t->taint |= j->input ? j->input->taint : (uint32_t)SBX_TAINT_UNKNOWN;
    else
        t->taint |= SBX_TAINT_FILE | sbx_check_path(j, path, SBX_ACCESS_READ);
}

static void sent_options(struct sbx_judge *j, struct sbx_use *use, struct transfer *t)
{
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *o = &use->option[i];
        if (!o->value)
            continue;
        if (o->role == 'F') {
            bool header =
                o->name_len > 1 && (o->name[1] == 'H' || !strncmp(o->name, "--header", 8));
            struct sbx_value *value = o->value;
            /* A header with a token in it is how services are used. */
            if (header && value->text[0] != '@' &&
                !(value->taint & (SBX_TAINT_SECRET | SBX_TAINT_FILE | SBX_TAINT_ENV)))
                continue;
            sent_field(j, t, value,
                       !strncmp(o->name, "-F", 2) || !strncmp(o->name, "--data-urlencode", 8));
        } else if (o->role == 'f') {
            if (sbx_value_is(o->value, "-") || sbx_value_is(o->value, "."))
                t->taint |= use->in ? use->in->taint : (uint32_t)SBX_TAINT_UNKNOWN;
            else
                t->taint |= SBX_TAINT_FILE | sbx_check_path(j, o->value, SBX_ACCESS_READ);
        } else if (o->letter == 'D') {
            t->taint |= o->value->taint;
        } else if (o->role == 'u' && !strncmp(o->name, "--url", 5)) {
            note_url(j, t, o->value);
        }
        if (o->letter == 'S' && strstr(o->value->text, ".sock"))
            sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "a control socket",
                     "there is no such socket here");
    }
}

/* What was saved was downloaded: -o FILE, -O, the last part of the address. */
static void note_saved(struct sbx_judge *j, const struct sbx_use *use, bool by_name)
{
    const struct sbx_opt *output = sbx_use_letter(use, 'o');
    if (!output)
        output = use->name[0] == 'w' ? sbx_use_letter(use, 'O') : NULL;
    if (output && output->value && !sbx_value_is(output->value, "-")) {
        char path[SBX_PATH_BYTES];
        if (sbx_path_of(j, output->value, path, sizeof(path)))
            sbx_made_add(j, path, NULL, SBX_TAINT_NET, NULL);
        use->out->taint = 0;
        return;
    }
    if (!by_name)
        return;
    use->out->taint = 0;
    const struct sbx_opt *dir = sbx_use_letter(use, 'P');
    for (uint32_t i = 0; i < use->operands; i++) {
        struct sbx_text text = {.arena = &j->arena};
        const char *slash = strrchr(use->operand[i]->text, '/');
        if (!slash || !slash[1])
            continue;
        if (dir && dir->value) {
            sbx_text_append(&text, dir->value);
            sbx_text_put(&text, "/", 1, SBX_MASK_LITERAL);
        }
        sbx_text_put(&text, slash + 1, strcspn(slash + 1, "?#"), SBX_MASK_LITERAL);
        struct sbx_value *name = sbx_text_value(&text, (struct sbx_span){0, 0});
        char path[SBX_PATH_BYTES];
        if (name && sbx_path_of(j, name, path, sizeof(path)))
            sbx_made_add(j, path, NULL, SBX_TAINT_NET, NULL);
    }
}

void sbx_check_curl(struct sbx_judge *j, struct sbx_use *use)
{
    struct transfer t = {0};
    bool httpie = !strncmp(use->name, "http", 4) || !strcmp(use->name, "xh");
    for (uint32_t i = 0; i < use->operands; i++) {
        if (httpie && i) {
            const char *at = strpbrk(use->operand[i]->text, "=@");
            if (at && (*at == '@' || at[1] == '@')) {
                struct sbx_value file = *use->operand[i];
                size_t skip = (size_t)(at - file.text) + (*at == '@' ? 1 : 2);
                file.text += skip;
                file.len -= (uint32_t)skip;
                file.mask = file.mask ? file.mask + skip : NULL;
                if (file.len)
                    t.taint |= SBX_TAINT_FILE | sbx_check_path(j, &file, SBX_ACCESS_READ);
            }
            t.taint |= use->operand[i]->taint;
            continue;
        }
        note_url(j, &t, use->operand[i]);
    }
    if ((httpie || sbx_use_has(use, "-post_data")) && use->in && use->in->is_set)
        t.taint |= use->in->taint;
    sent_options(j, use, &t);
    if (t.has_host && !t.local)
        sbx_find_sent(j, t.taint);
    const struct sbx_opt *method = sbx_use_option(use, "-X");
    bool deletes = (method && method->value && sbx_value_is(method->value, "DELETE")) ||
                   (httpie && use->operands && sbx_value_is(use->operand[0], "DELETE"));
    sbx_classify_config(j, use);
    sbx_classify_emptied(j, use, deletes);
    if (deletes && !t.local)
        sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY, "something deleted at a service",
                 "this cannot be taken back; ask first");
    use->out->is_set = true;
    use->out->taint = SBX_TAINT_NET;
    note_saved(j, use,
               sbx_use_has(use, "-O --remote-name --remote-name-all") || use->name[0] == 'a');
    if (use->name[0] == 'l' || !strcmp(use->name, "w3m"))
        for (uint32_t i = 0; i < use->operands; i++)
            if (use->operand[i]->text[0] == '/')
                (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_READ);
}

void sbx_check_wget(struct sbx_judge *j, struct sbx_use *use)
{
    struct transfer t = {0};
    const struct sbx_opt *output = sbx_use_letter(use, 'O');
    for (uint32_t i = 0; i < use->operands; i++)
        note_url(j, &t, use->operand[i]);
    sent_options(j, use, &t);
    sbx_classify_list(j, use);
    if (t.has_host && !t.local)
        sbx_find_sent(j, t.taint);
    for (uint32_t i = 0; i < use->options; i++)
        if (use->option[i].letter == 'e' && use->option[i].value &&
            strstr(use->option[i].value->text, "askpass"))
            sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "an option that runs a program",
                     "run that program by itself");
    use->out->is_set = true;
    use->out->taint =
        output && output->value &&
                (sbx_value_is(output->value, "-") || sbx_value_is(output->value, "/dev/stdout"))
            ? (uint32_t)SBX_TAINT_NET
            : 0;
    note_saved(j, use, !output);
}
