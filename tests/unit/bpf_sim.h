/* Runs a compiled filter over made-up system calls: other ABIs and high bits included, nothing
 * executed. Knows what seccomp's verifier lets through and libseccomp emits; anything else aborts. */
#ifndef SBX_TESTS_BPF_SIM_H
#define SBX_TESTS_BPF_SIM_H

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "jail/seccomp_chunk.h"

#if defined(__x86_64__)
#define SIM_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define SIM_ARCH AUDIT_ARCH_AARCH64
#endif

struct sim_result {
    uint32_t action;
    bool is_logged;
    unsigned steps; /* instructions run, over all programs */
};

static inline bool sim_jumps(uint16_t code, uint32_t a, uint32_t k)
{
    switch (code) {
    case BPF_JMP | BPF_JEQ | BPF_K:
        return a == k;
    case BPF_JMP | BPF_JGT | BPF_K:
        return a > k;
    case BPF_JMP | BPF_JGE | BPF_K:
        return a >= k;
    case BPF_JMP | BPF_JSET | BPF_K:
        return (a & k) != 0;
    default:
        abort();
    }
}

static inline uint32_t sim_program(const struct sock_filter *code, unsigned count,
                                   const struct seccomp_data *data, unsigned *steps)
{
    uint32_t a = 0, memory[16] = {0};
    for (unsigned at = 0; at < count; at++) {
        const struct sock_filter *in = &code[at];
        ++*steps;
        if (in->code == (BPF_LD | BPF_W | BPF_ABS))
            memcpy(&a, (const char *)data + in->k, sizeof(a));
        else if (in->code == (BPF_ALU | BPF_AND | BPF_K))
            a &= in->k;
        else if (in->code == BPF_ST)
            memory[in->k & 15] = a;
        else if (in->code == (BPF_LD | BPF_MEM))
            a = memory[in->k & 15];
        else if (in->code == (BPF_RET | BPF_K))
            return in->k;
        else if (in->code == (BPF_JMP | BPF_JA))
            at += in->k;
        else
            at += sim_jumps(in->code, a, in->k) ? in->jt : in->jf;
    }
    abort(); /* fell off the end: the kernel would not have loaded it */
}

/* As the kernel does: the newest program first, the strictest answer counts, the newest on a tie. */
static inline struct sim_result sim_run(const struct sock_filter *code, unsigned count,
                                        const struct seccomp_data *data)
{
    struct sim_result result = {.action = SECCOMP_RET_ALLOW};
    for (unsigned at = 0; at < count; at += code[at].k + 1) {
        if (code[at].code != SBX_CHUNK_CODE)
            abort();
        uint32_t action = sim_program(&code[at + 1], code[at].k, data, &result.steps);
        int32_t rank = (int32_t)(action & SECCOMP_RET_ACTION_FULL);
        int32_t best = (int32_t)(result.action & SECCOMP_RET_ACTION_FULL);
        if (action != SECCOMP_RET_ALLOW && rank <= best) {
            result.action = action;
            result.is_logged = code[at].jt == 1;
        }
    }
    return result;
}

#endif
