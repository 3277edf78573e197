/* The brief: what the account may do, in plain words for a model. */
#ifndef SBX_POLICY_BRIEF_H
#define SBX_POLICY_BRIEF_H

#include <stdio.h>

#include "policy/exempt.h"

/* Writes the brief of an effective policy as Markdown: workspace, what is writable, what is not
 * readable, network, limits, how to ask. Bounded: long lists are cut and say so. Rules for commands
 * are not told: they are the operator's. The stream is the caller's. */
int sbx_brief_write(const struct sbx_policy *policy, FILE *out, struct sbx_err *err) SBX_MUST_CHECK;

/* The same for sessions without a jail: that nothing but the file system's own rules holds them, that
 * commands are judged all the same, and how to ask. */
int sbx_brief_write_unjailed(const struct sbx_policy *policy, const struct sbx_exempt *exempt,
                             FILE *out, struct sbx_err *err) SBX_MUST_CHECK;

#endif
