/* A command of any bytes: judging it must end, in bounds, and say something sensible. The first byte
 * chooses between judging alone and judging aloud. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "policy/config_internal.h"
#include "policy/explain.h"
#include "policy/judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static struct sbx_policy *policy; /* made once, only read */

static const char managed[] =
    "[filesystem]\nworkspace = ~/work\nallow_write = ~/work\nallow_write = /tmp\n"
    "deny_read = ~/.ssh\n[permissions]\ndeny = Bash(npm publish:*)\nallow = Bash(git push:*)\n"
    "[network]\ndeny_domain = *.bad.example\n[disclosure]\nmode = always\ndeny_pattern = secret\n";

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    struct sbx_config *config = NULL;
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_telling telling = {.err = &err};
    const struct sbx_subject subject = {.account = "agent", .home = "/home/agent", .uid = 1000};
    (void)argc;
    (void)argv;
    if (sbx_config_new(&config, &err) ||
        sbx_config_parse(config, SBX_SCOPE_MANAGED, "p.ini", managed, strlen(managed), &telling) ||
        sbx_policy_compile(config, &subject, &policy, &err))
        abort();
    sbx_config_free(config);
    return 0;
}

static void command(void *data, const struct sbx_told_command *told)
{
    size_t *bytes = data;
    for (uint32_t i = 0; i < told->words; i++)
        *bytes += strlen(told->word[i]);
}

static void path(void *data, const struct sbx_told_path *told)
{
    size_t *bytes = data;
    if (told->path[0] != '/')
        abort();
    *bytes += strlen(told->path) + strlen(told->rule) + strlen(told->origin);
}

static void finding(void *data, const struct sbx_told_finding *told)
{
    size_t *bytes = data;
    *bytes += strlen(told->what) + strlen(told->reason) + strlen(told->path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct sbx_context context = {.policy = policy, .cwd = "/home/agent/work/proj"};
    struct sbx_verdict verdict, again;
    size_t bytes = 0;
    if (!size)
        return 0;
    sbx_judge(&context, (const char *)data + 1, size - 1, &verdict);
    if (verdict.verdict > SBX_DENY || verdict.class >= SBX_CLASS_COUNT ||
        verdict.begin > verdict.end || verdict.end > size ||
        (verdict.verdict != SBX_ALLOW && !verdict.reason[0]))
        abort();
    if (!(data[0] & 1))
        return 0;
    const struct sbx_teller teller = {command, path, finding, &bytes};
    sbx_judge_explained(&context, (const char *)data + 1, size - 1, &teller, &again);
    if (again.verdict != verdict.verdict || again.class != verdict.class)
        abort(); /* telling changes nothing */
    return 0;
}
