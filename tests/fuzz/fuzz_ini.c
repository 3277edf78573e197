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

/* Whatever comes out must stand in the file as it is, and in a line that the file has. */
static void setting(void *data, const char *section, const char *key, const char *value,
                    unsigned line)
{
    const struct input *input = data;
    if (!memmem(input->bytes, input->len, value, strlen(value)) ||
        !memmem(input->bytes, input->len, section, strlen(section)) ||
        !memmem(input->bytes, input->len, key, strlen(key)) || !line || line > input->lines)
        abort();
}

static void fault(void *data, unsigned line, const char *message)
{
    const struct input *input = data;
    if (!line || line > input->lines || !message[0])
        abort();
}

static void check_reader(const char *bytes, size_t len)
{
    struct input input = {.bytes = bytes, .len = len, .lines = 1};
    const struct sbx_ini_sink sink = {.setting = setting, .fault = fault, .data = &input};
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *bytes = (const char *)data;
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_telling telling = {.err = &err};
    struct sbx_config *config = NULL;
    check_reader(bytes, size);
    if (sbx_config_new(&config, &err))
        return 0;
    int status = sbx_config_parse(config, SBX_SCOPE_MANAGED, "fuzz.ini", bytes, size, &telling);
    if ((status != 0) != (telling.errors != 0))
        abort();
    check_policy(config); /* also what a faulty file left behind must compile or be refused */
    sbx_config_free(config);
    return 0;
}
