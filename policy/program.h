/* One program text of another language while it is looked at: classify_code.c, classify_literal.c. */
#ifndef SBX_POLICY_PROGRAM_H
#define SBX_POLICY_PROGRAM_H

#include "policy/judge_state.h"

#define SBX_PROGRAM_PAIRS 2048

struct sbx_program {
    struct sbx_judge *j;
    const char *text, *end;
    const char *language;
    bool runs, sends, fetches, deletes, trees, writes, evaluates;
    unsigned depth; /* program text in program text */
    /* Which pairs of bytes the text holds, as a filter in front of searching for some 300 words. */
    uint64_t pairs[SBX_PROGRAM_PAIRS / 64];
};

bool sbx_program_has(const struct sbx_program *p, const char *word);
/* String literals: paths, commands, program text. */
void sbx_program_literals(struct sbx_program *p);
/* Paths that stand in the text without quotes: perl's <…>, tcl's words, dc, bc. */
void sbx_program_bare_paths(struct sbx_program *p);
/* Program text in a literal of program text. */
void sbx_program_inner(const struct sbx_program *outer, const struct sbx_value *text);

#endif
