#include "jail/seccomp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "jail/seccomp_chunk.h"
#include "jail/seccomp_rules.h"
#include "policy/cleanup.h"

int sbx_call_number(const struct sbx_call *call, int *nr, struct sbx_err *err)
{
    int resolved = seccomp_syscall_resolve_name(call->name);
    if (resolved == __NR_SCMP_ERROR) {
        /* A misspelt name would be a rule that silently is not there. */
        if (!call->nr)
            return sbx_fail(err, SBX_E_UNSUPPORTED, 0, "libseccomp does not know the call %s",
                            call->name);
        resolved = call->nr;
    }
    *nr = resolved < 0 ? -1 : resolved;
    return 0;
}

scmp_filter_ctx sbx_filter_begin(uint32_t default_action, struct sbx_err *err)
{
    scmp_filter_ctx filter = seccomp_init(default_action);
    if (!filter) {
        (void)sbx_fail(err, SBX_E_MEMORY, 0, "cannot begin a system call filter");
        return NULL;
    }
    /* Other ABIs number their calls differently, so no rule of ours means anything there. */
    int failed = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    if (!failed) /* sorted into a tree: the common call passes after a few comparisons */
        failed = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    if (failed) {
        seccomp_release(filter);
        (void)sbx_fail(err, SBX_E_UNSUPPORTED, -failed, "cannot set up a system call filter");
        return NULL;
    }
    return filter;
}

int sbx_filter_add_call(scmp_filter_ctx filter, const struct sbx_call *call, uint32_t action,
                        struct sbx_err *err)
{
    const struct sbx_call_rule rule = {.call = *call, .action = action};
    return sbx_filter_add_rule(filter, &rule, err);
}

int sbx_filter_add_rule(scmp_filter_ctx filter, const struct sbx_call_rule *rule,
                        struct sbx_err *err)
{
    int nr;
    if (sbx_call_number(&rule->call, &nr, err))
        return -1;
    if (nr < 0)
        return 0;
    int failed = seccomp_rule_add_array(filter, rule->action, nr, rule->arg_count, rule->args);
    if (failed)
        return sbx_fail(err, SBX_E_UNSUPPORTED, -failed, "cannot add a filter rule for %s",
                        rule->call.name);
    return 0;
}

/* libseccomp 2.5 exports to a descriptor only. */
static int export_to_memfd(scmp_filter_ctx filter, int *memfd, size_t *size, struct sbx_err *err)
{
    _cleanup_fd_ int fd = memfd_create("sbx-filter", MFD_CLOEXEC);
    if (fd < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot make a file for the filter");
    int failed = seccomp_export_bpf(filter, fd);
    if (failed)
        return sbx_fail(err, SBX_E_UNSUPPORTED, -failed, "cannot compile the filter");
    struct stat st;
    if (fstat(fd, &st))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot read the compiled filter");
    *size = (size_t)st.st_size;
    *memfd = sbx_steal_fd(&fd);
    return 0;
}

/* The exported bytes behind `reserve` instructions, on the heap. */
static struct sock_filter *read_program(int fd, size_t size, unsigned short reserve,
                                        struct sbx_err *err)
{
    struct sock_filter *code = calloc(size / sizeof(*code) + reserve, sizeof(*code));
    if (!code) {
        (void)sbx_fail(err, SBX_E_MEMORY, 0, "no memory for a filter");
        return NULL;
    }
    if (pread(fd, code + reserve, size, 0) != (ssize_t)size) {
        (void)sbx_fail(err, SBX_E_SYSTEM, errno, "cannot read the compiled filter");
        free(code);
        return NULL;
    }
    return code;
}

int sbx_filter_export(scmp_filter_ctx filter, unsigned short reserve, struct sock_filter **code,
                      unsigned short *count, struct sbx_err *err)
{
    _cleanup_fd_ int fd = -1;
    size_t size;
    if (export_to_memfd(filter, &fd, &size, err))
        return -1;
    size_t instructions = size / sizeof(struct sock_filter);
    if (!instructions || instructions > BPF_MAXINSNS || size % sizeof(struct sock_filter))
        return sbx_fail(err, SBX_E_LIMIT, 0, "a filter of %zu bytes cannot be loaded", size);
    *code = read_program(fd, size, reserve, err);
    if (!*code)
        return -1;
    *count = (unsigned short)(instructions + reserve);
    return 0;
}

static bool group_applies(const struct sbx_call_group *group,
                          const struct sbx_filter_options *options)
{
    return group->when == SBX_WHEN_ALWAYS || !(options && options->allow_ptrace);
}

static int add_tables(scmp_filter_ctx filter, const struct sbx_filter_tables *tables,
                      const struct sbx_filter_options *options, bool is_logged, struct sbx_err *err)
{
    for (size_t g = 0; g < tables->group_count; g++) {
        const struct sbx_call_group *group = &tables->groups[g];
        if (group->is_logged != is_logged || !group_applies(group, options))
            continue;
        for (const struct sbx_call *call = group->calls; call->name; call++)
            if (sbx_filter_add_call(filter, call, group->action, err))
                return sbx_err_prefix(err, "%s: ", group->title);
    }
    for (size_t r = 0; r < tables->rule_count; r++)
        if (tables->rules[r].is_logged == is_logged &&
            sbx_filter_add_rule(filter, &tables->rules[r], err))
            return -1;
    return 0;
}

static int compile_program(const struct sbx_filter_options *options, bool is_logged,
                           struct sbx_bpf *out, struct sbx_err *err)
{
    _cleanup_filter_ scmp_filter_ctx filter = sbx_filter_begin(sbx_deny_tables.default_action, err);
    if (!filter || add_tables(filter, &sbx_deny_tables, options, is_logged, err))
        return -1;
    if (sbx_filter_export(filter, 1, &out->code, &out->count, err))
        return -1;
    out->code[0] = sbx_chunk_header((unsigned short)(out->count - 1), is_logged);
    return 0;
}

static int compile_deny_list(const struct sbx_filter_options *options, struct sbx_bpf *out,
                             struct sbx_err *err)
{
    struct sbx_bpf quiet = {0}, logged = {0};
    int failed = compile_program(options, false, &quiet, err) ||
                 compile_program(options, true, &logged, err);
    _cleanup_free_ struct sock_filter *first = quiet.code, *second = logged.code;
    if (failed)
        return -1;
    unsigned total = (unsigned)quiet.count + logged.count;
    struct sock_filter *code = calloc(total, sizeof(*code));
    if (!code)
        return sbx_fail(err, SBX_E_MEMORY, 0, "no memory for a filter");
    /* The logged program is loaded last: where both refuse, it answers. */
    memcpy(code, first, quiet.count * sizeof(*code));
    memcpy(code + quiet.count, second, logged.count * sizeof(*code));
    *out = (struct sbx_bpf){.code = code, .count = (unsigned short)total};
    return 0;
}

int sbx_seccomp_compile(enum sbx_filter which, const struct sbx_filter_options *options,
                        struct sbx_bpf *out, struct sbx_err *err)
{
    int failed = which == SBX_FILTER_DENY ? compile_deny_list(options, out, err)
                                          : sbx_filter_compile_tree(&sbx_allow_tables, out, err);
    return failed ? sbx_err_prefix(err, "system call filter: ") : 0;
}
