/* [command NAME] of policy: commands that the table does not know, described by whoever runs them.
 *
 * A place is the number of an operand (1 to 12), N- for that one and all after it, last, * for all, or
 * the name of an option whose value is meant. Values hold several, parted by blanks or commas. */
#ifndef SBX_POLICY_COMMAND_POLICY_H
#define SBX_POLICY_COMMAND_POLICY_H

#include "policy/arena.h"
#include "policy/command.h"
#include "policy/policy.h"

/* 0, or -1 with what is wrong with a value of reads, writes, deletes, executes, code; of options. */
int sbx_command_places_check(const char *value, struct sbx_err *err) SBX_MUST_CHECK;
int sbx_command_options_check(const char *value, struct sbx_err *err) SBX_MUST_CHECK;

/* The row that the policy's sections make for a command, in the arena; NULL where there is none, or no
 * memory (the name is then unknown, which allows no more). */
const struct sbx_command_row *sbx_command_of_policy(const struct sbx_policy *policy,
                                                    struct sbx_arena *arena, const char *name,
                                                    size_t len);

#endif
