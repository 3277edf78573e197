/* A policy file of any bytes: read, compiled, attached. It must end, in bounds, and never invent a
 * value. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/brief.h"
#include "policy/config_internal.h"
#include "policy/ini.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    const char *bytes;
    size_t len;
    unsigned lines;
};

/* The place is one that the file has, and `text` stands there where it is not NULL. */
static void check_place(const struct input *input, unsigned line, unsigned column, const char *text)
{
    const char *at = input->bytes, *end = input->bytes + input->len;
    if (!line || !column || line > input->lines)
        abort();
    if (input->len >= 3 && !memcmp(at, "\xef\xbb\xbf", 3))
        at += 3;
    while (--line)
        at = (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    size_t len = (size_t)((newline ? newline : end) - at);
    if (column > len + 1 || (text && (strlen(text) > len - (column - 1) ||
                                      memcmp(at + column - 1, text, strlen(text)))))
        abort();
}

/* Whatever comes out must stand in the file as it is, and in a line that the file has. */
static void setting(void *data, const char *section, const char *key, const char *value,
                    const struct sbx_ini_at *at)
{
    const struct input *input = data;
    if (!memmem(input->bytes, input->len, value, strlen(value)) ||
        !memmem(input->bytes, input->len, section, strlen(section)) ||
        !memmem(input->bytes, input->len, key, strlen(key)))
        abort();
    check_place(input, at->line, at->column, key);
    check_place(input, at->line, at->value, value);
}

static void section(void *data, const char *name, const struct sbx_ini_at *at)
{
    check_place(data, at->line, at->column, name);
}

static void fault(void *data, const struct sbx_ini_at *at, const char *message)
{
    check_place(data, at->line, at->column, NULL);
    if (!message[0])
        abort();
}

static void check_reader(const char *bytes, size_t len)
{
    struct input input = {.bytes = bytes, .len = len, .lines = 1};
    const struct sbx_ini_sink sink = {
        .section = section, .setting = setting, .fault = fault, .data = &input};
    struct sbx_err err = SBX_ERR_INIT;
    for (size_t i = 0; i < len; i++)
        input.lines += bytes[i] == '\n';
    if (sbx_ini_parse(bytes, len, &sink, &err) && strstr(err.message, "INI library"))
        abort(); /* we and inih must never disagree */
}

static void check_policy(struct sbx_config *config)
{
    const struct sbx_subject subject = {.account = "agent", .home = "/home/agent"};
    struct sbx_policy *policy = NULL;
    struct sbx_err err = SBX_ERR_INIT;
    char text[65536];
    if (sbx_policy_compile(config, &subject, &policy, &err))
        return;
    if (!sbx_policy_attach(policy, policy->size_bytes, &err))
        abort();
    FILE *stream = fmemopen(text, sizeof(text), "w");
    if (!stream || sbx_brief_write(policy, stream, &err))
        abort();
    (void)fclose(stream);
    free(policy);
}

static bool is_lower(uint32_t scope)
{
    return scope > SBX_SCOPE_DEFAULT && scope < SBX_SCOPE_FLAG;
}

/* The same bytes as the file of a project: unless it may extend, it opens no place and allows nothing. */
static void check_project(const char *bytes, size_t len, bool may_extend)
{
    static const char managed[] = "[sandbox]\nenabled = yes\n[filesystem]\nallow_write = ~/x\n"
                                  "deny_read = ~/y\n[scopes]\nproject = extend\n";
    const struct sbx_lower_file file = {.scope = SBX_SCOPE_PROJECT,
                                        .label = "project.ini",
                                        .base = "/home/agent/work",
                                        .may_extend = may_extend};
    const struct sbx_subject subject = {.account = "agent", .home = "/home/agent"};
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_telling telling = {.err = &err};
    struct sbx_config *config = NULL;
    struct sbx_policy *policy = NULL;
    uint32_t count = 0;
    if (sbx_config_new(&config, &err))
        return;
    if (sbx_config_parse(config, SBX_SCOPE_MANAGED, "m.ini", managed, strlen(managed), &telling))
        abort();
    if (!sbx_config_read_lower(config, &file, bytes, len, NULL, &err) &&
        !sbx_policy_compile(config, &subject, &policy, &err)) {
        if (!sbx_policy_attach(policy, policy->size_bytes, &err))
            abort();
        const struct sbx_path_rule *paths = sbx_policy_paths(policy, &count);
        for (uint32_t i = 0; i < count && !may_extend; i++)
            if (is_lower(paths[i].origin.scope) && paths[i].kind == SBX_PATH_ALLOW_WRITE)
                abort();
        const struct sbx_rule *rules = sbx_policy_rules(policy, &count);
        for (uint32_t i = 0; i < count && !may_extend; i++)
            if (is_lower(rules[i].origin.scope) && rules[i].action == SBX_RULE_ALLOW)
                abort();
        free(policy);
    }
    sbx_config_free(config);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *bytes = (const char *)data;
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_telling telling = {.err = &err};
    struct sbx_config *config = NULL;
    check_reader(bytes, size);
    check_project(bytes, size, false);
    check_project(bytes, size, true);
    if (sbx_config_new(&config, &err))
        return 0;
    int status = sbx_config_parse(config, SBX_SCOPE_MANAGED, "fuzz.ini", bytes, size, &telling);
    if ((status != 0) != (telling.errors != 0))
        abort();
    check_policy(config); /* also what a faulty file left behind must compile or be refused */
    sbx_config_free(config);
    return 0;
}
