/* What the compiler of filters and its tables share. Not for use outside jail/seccomp_*.c.
 *
 * A compiled filter is one or two programs, each behind a header instruction that the kernel never
 * sees: the log flag belongs to a whole program, and answers that libraries provoke all the time
 * (clone3, a socket family they merely try) must not flood the log that shows attacks. */
#ifndef SBX_JAIL_SECCOMP_RULES_H
#define SBX_JAIL_SECCOMP_RULES_H

#include <linux/filter.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jail/seccomp.h"
#include "policy/err.h"

/* One system call. nr is its number where libraries older than the call do not know its name (from
 * 424 on numbers are the same everywhere), else 0. A name of another architecture is left out. */
struct sbx_call {
    const char *name;
    int nr;
};

enum sbx_rule_when {
    SBX_WHEN_ALWAYS = 0,
    SBX_WHEN_NO_PTRACE, /* left out under [jail] allow_ptrace */
};

/* Calls answered alike whatever their arguments. */
struct sbx_call_group {
    const char *title;
    const struct sbx_call *calls; /* ended by a NULL name */
    uint32_t action;              /* SCMP_ACT_* */
    bool is_logged;
    enum sbx_rule_when when;
};

#define SBX_RULE_ARGS 3

/* One call answered by its arguments; all of them must match. libseccomp cannot compare one
 * argument twice in a rule, hence several rows for what is an "or". */
struct sbx_call_rule {
    struct sbx_call call;
    uint32_t action;
    bool is_logged;
    unsigned arg_count;
    struct scmp_arg_cmp args[SBX_RULE_ARGS];
};

/* The kernel looks at the low 32 bits of an int argument: comparing all 64 lets a set high bit
 * through (CVE-2019-7303). */
#define SBX_LOW32(index, value)                                                                    \
    {                                                                                              \
        .arg = (index), .op = SCMP_CMP_MASKED_EQ, .datum_a = 0xffffffffu, .datum_b = (value)       \
    }
#define SBX_BITS(index, mask, value)                                                               \
    {                                                                                              \
        .arg = (index), .op = SCMP_CMP_MASKED_EQ, .datum_a = (mask), .datum_b = (value)            \
    }
#define SBX_COMPARE(index, how, value)                                                             \
    {                                                                                              \
        .arg = (index), .op = (how), .datum_a = (value)                                            \
    }

struct sbx_filter_tables {
    const struct sbx_call_group *groups;
    size_t group_count;
    const struct sbx_call_rule *rules;
    size_t rule_count;
    uint32_t default_action;
};

extern const struct sbx_filter_tables sbx_deny_tables, sbx_allow_tables;

/* The calls that the deny list closes altogether: the allow list lets them through. Of two filters
 * that both refuse, the newer one would answer, and nothing would be logged. */
extern const struct sbx_call_group *const sbx_denied_groups;
extern const size_t sbx_denied_group_count;

/* --- programs ------------------------------------------------------------------------------------
 * A context for this architecture alone: other ABIs (i386, x32, arm) are killed. NULL on failure. */
scmp_filter_ctx sbx_filter_begin(uint32_t default_action, struct sbx_err *err);

int sbx_filter_add_call(scmp_filter_ctx filter, const struct sbx_call *call, uint32_t action,
                        struct sbx_err *err) SBX_MUST_CHECK;
int sbx_filter_add_rule(scmp_filter_ctx filter, const struct sbx_call_rule *rule,
                        struct sbx_err *err) SBX_MUST_CHECK;

/* The number of a call, or -1 where this architecture has none of that name. Fails for a name that
 * libseccomp does not know either. */
int sbx_call_number(const struct sbx_call *call, int *nr, struct sbx_err *err) SBX_MUST_CHECK;

/* Compiles tables into one quiet program behind its header. Short: runs of calls that are answered
 * alike are one comparison, and the kernel's time to load a filter goes with its length. *out is the
 * caller's, free(3). */
int sbx_filter_compile_tree(const struct sbx_filter_tables *tables, struct sbx_bpf *out,
                            struct sbx_err *err) SBX_MUST_CHECK;

/* The program as bytes, on the heap, behind `reserve` unused instructions; *count counts both. */
int sbx_filter_export(scmp_filter_ctx filter, unsigned short reserve, struct sock_filter **code,
                      unsigned short *count, struct sbx_err *err) SBX_MUST_CHECK;

static inline void sbx_cleanup_filter(scmp_filter_ctx *filter)
{
    if (*filter)
        seccomp_release(*filter);
}
#define _cleanup_filter_ __attribute__((cleanup(sbx_cleanup_filter)))

#endif
