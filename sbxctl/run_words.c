#include <string.h>

#include "sbxctl/run.h"
#include "sbxctl/sbxctl.h"

int sbx_run_read(int argc, char **argv, struct sbx_run_words *out)
{
    *out = (struct sbx_run_words){0};
    const struct sbx_option options[] = {
        {"--account",      SBX_OPT_TEXT, &out->account},
        {"--policy",   SBX_OPT_TEXT, &out->policy},
        {"--workspace",       SBX_OPT_TEXT, &out->workspace},
        {"--root",    SBX_OPT_TEXT, &out->root},
        {"--set",    SBX_OPT_LIST, &out->settings},
        {0}
    };
    int first;
    if (sbx_options_read(argc, argv, options, false, &first))
        return SBX_EXIT_USAGE;
    if (first == argc)
        return sbx_usage("run: no command; sbxctl run --account A -- CMD…");
    if (!out->account || !out->account[0])
        return sbx_usage("run: --account says whose jail it is; it is missing");
    if (!sbx_is_account_word(out->account))
        return SBX_EXIT_USAGE;
    if (!argv[first][0])
        return sbx_usage("run: the command is empty");
    if (out->workspace && out->workspace[0] != '/')
        return sbx_usage("run: --workspace %s: an absolute path is needed", out->workspace);
    for (size_t i = 0; i < out->settings.count; i++) {
        const char *setting = out->settings.text[i];
        const char *equals = strchr(setting, '='), *dot = strchr(setting, '.');
        if (!equals || !dot || dot > equals || dot == setting || dot + 1 == equals)
            return sbx_usage("run: --set %s: write --set section.key=value", setting);
    }
    out->command = argv + first;
    return 0;
}
