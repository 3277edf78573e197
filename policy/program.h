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
    bool names_home; /* in some spelling */
    unsigned depth;  /* program text in program text */
    /* Which pairs of bytes the text holds, as a filter in front of searching for some 300 words. */
    uint64_t pairs[SBX_PROGRAM_PAIRS / 64];
};

bool sbx_program_has(const struct sbx_program *p, const char *word);
/* String literals: paths, commands, program text. */
void sbx_program_literals(struct sbx_program *p);
/* A path that it names, as far as its other words tell what for. */
void sbx_program_path(struct sbx_program *p, const char *text, size_t len);
/* Spellings of the home, program_home.c: how many bytes the one takes that begins at `at`, 0: none. */
size_t sbx_program_home(const struct sbx_program *p, const char *at);
/* The same within a string: {Path.home()}, #{Dir.home}, ${process.env.HOME}, $ENV{HOME}. */
size_t sbx_program_inserted_home(const struct sbx_program *p, const char *at);
bool sbx_program_names_home(const struct sbx_program *p);
/* The path that begins with the home at `at`; returns what follows it. Unknown parts are masked so. */
const char *sbx_program_home_path(const struct sbx_program *p, const char *at,
                                  struct sbx_text *path);
void sbx_program_homes(struct sbx_program *p);
/* Paths that stand in the text without quotes: perl's <…>, tcl's words, dc, bc. */
void sbx_program_bare_paths(struct sbx_program *p);
void sbx_program_printed_secrets(struct sbx_program *p);
/* Command lines that are put together of names. */
void sbx_program_unknown_commands(struct sbx_program *p);
/* Commands without quotes: of Tcl and expect. */
void sbx_program_bare_commands(struct sbx_program *p);
/* An address in numbers that is not the loopback; load x.so; require(x) of a computed name; a size that no
 * file should have: program_scan.c */
bool sbx_program_has_numeric_address(const struct sbx_program *p);
bool sbx_program_loads_file(const struct sbx_program *p);
bool sbx_program_requires_value(const struct sbx_program *p);
bool sbx_program_names_huge_number(const struct sbx_program *p);
/* Program text in a literal of program text. */
void sbx_program_inner(const struct sbx_program *outer, const struct sbx_value *text);

#endif
