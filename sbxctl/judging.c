#include "sbxctl/judging.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "policy/cleanup.h"
#include "policy/path.h"
#include "sbxctl/effective.h"
#include "sbxctl/operate.h"
#include "sbxctl/policy_words.h"

void sbx_judging_options(struct sbx_judging *judging, struct sbx_option *options)
{
    const struct sbx_option all[SBX_JUDGING_OPTIONS] = {
        {"--policy",             SBX_OPT_TEXT, &judging->policy_path},
        {"--root", SBX_OPT_TEXT, &judging->root},
        {"--account",               SBX_OPT_TEXT, &judging->account},
        {"--home",        SBX_OPT_TEXT, &judging->home},
        {"--workspace",            SBX_OPT_TEXT, &judging->workspace},
        {"--cwd",     SBX_OPT_TEXT, &judging->cwd},
        {"--set",               SBX_OPT_LIST, &judging->settings},
        {"--json",        SBX_OPT_FLAG, &judging->is_json},
        {"--batch",          SBX_OPT_FLAG, &judging->is_batch},
        {"-0",   SBX_OPT_FLAG, &judging->is_nul},
        {"-c",                SBX_OPT_TEXT, &judging->command},
        {"-f",         SBX_OPT_TEXT, &judging->file},
        {"--tool",                SBX_OPT_TEXT, &judging->tool},
        {0   },
    };
    memcpy(options, all, sizeof(all));
}

static void say(void *data, enum sbx_severity severity, const struct sbx_place *place,
                const char *message)
{
    bool *is_told = data;
    if (severity != SBX_SEVERITY_ERROR)
        return;
    *is_told = true;
    sbx_policy_complain(severity, place, message);
}

static int load(struct sbx_judging *judging)
{
    bool is_told = false;
    if (sbx_operate_check_root(judging->root))
        return SBX_EXIT_USAGE;
    const struct sbx_reporter reporter = {.say = say, .data = &is_told};
    const struct sbx_effective_spec spec = {.policy = judging->policy_path,
                                            .root = judging->root,
                                            .whom = judging->whom,
                                            .settings = &judging->settings,
                                            .reporter = &reporter};
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_config *config = NULL;
    int status = sbx_effective_load(&spec, &config, &judging->policy, &err);
    sbx_config_free(config);
    if (status && !is_told)
        (void)sbx_complain(&err);
    return status ? SBX_EXIT_USAGE : 0;
}

int sbx_judging_open(struct sbx_judging *judging)
{
    judging->whom = calloc(1, sizeof(*judging->whom));
    if (!judging->whom)
        return sbx_usage("out of memory");
    int status = sbx_whom_find(judging->whom, judging->account, judging->home, judging->workspace);
    if (!status)
        status = load(judging);
    if (status)
        return status;
    const char *workspace = sbx_policy_text(judging->policy, judging->policy->workspace);
    const char *cwd = judging->cwd ? judging->cwd : workspace;
    if (cwd[0] != '/' || sbx_path_normalise("/", cwd, judging->where, sizeof(judging->where)))
        return sbx_usage("--cwd must be an absolute path of less than 4096 bytes");
    judging->context = (struct sbx_context){.policy = judging->policy, .cwd = judging->where};
    return 0;
}

void sbx_judging_close(struct sbx_judging *judging)
{
    free(judging->policy);
    free(judging->whom);
    judging->policy = NULL;
    judging->whom = NULL;
}

char *sbx_judging_read(const char *path, size_t *len)
{
    bool is_stdin = !strcmp(path, "-");
    _cleanup_fd_ int fd = is_stdin ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    _cleanup_free_ char *text = malloc(SBX_JUDGE_MAX_BYTES + 2);
    *len = 0;
    if (fd < 0 || !text) {
        (void)sbx_usage("cannot open '%s': %s", path, strerror(errno));
        return NULL;
    }
    while (*len <= SBX_JUDGE_MAX_BYTES) {
        ssize_t got = read(fd, text + *len, SBX_JUDGE_MAX_BYTES + 1 - *len);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            (void)sbx_usage("cannot read '%s': %s", path, strerror(errno));
            return NULL;
        }
        if (!got)
            break;
        *len += (size_t)got;
    }
    text[*len] = 0;
    return sbx_steal_ptr(&text);
}

int sbx_judging_exit(enum sbx_verdict_kind verdict)
{
    return verdict == SBX_ALLOW ? SBX_EXIT_OK : verdict == SBX_ASK ? SBX_EXIT_ASK : SBX_EXIT_DENY;
}
