/* The plan of a jail's view: what is mounted where, in order. Made from the policy alone, so that it
 * can be printed and tested; jail/view.c walks it and decides nothing. */
#ifndef SBX_JAIL_PLAN_H
#define SBX_JAIL_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "policy/arena.h"
#include "policy/policy.h"

#define SBX_PLAN_MAX_STEPS 4096

enum sbx_step_kind {
    SBX_STEP_DIR,   /* a directory on the new root */
    SBX_STEP_LINK,  /* a symbolic link to source */
    SBX_STEP_COPY,  /* a link or directory of the host's root (/bin, /lib): the same here */
    SBX_STEP_BIND,  /* source of the host, at path */
    SBX_STEP_SELF,  /* path of the new root bound onto itself, so that it cannot be renamed away */
    SBX_STEP_TMPFS, /* an own one, of size_bytes and mode */
    SBX_STEP_PROC,
    SBX_STEP_SYSFS,
    SBX_STEP_DEVPTS,
    SBX_STEP_NODE,  /* one device of the host's /dev */
    SBX_STEP_MASK,  /* what is there is unreadable: EACCES */
    SBX_STEP_FREEZE /* the mount at path becomes read-only; its children stay as they are */
};

#define SBX_STEP_WRITABLE 0x01u
#define SBX_STEP_OPTIONAL 0x02u  /* absent: no step, no word */
#define SBX_STEP_ACCOUNT  0x04u  /* opened by a child with the account's credentials */
#define SBX_STEP_TELL     0x08u  /* absent: no step, but a note to the warden */
#define SBX_STEP_MUST     0x10u  /* absent or odd: no jail */
#define SBX_STEP_MISSING  0x20u  /* only where the view lacks the path so far */
#define SBX_STEP_PRESENT  0x80u  /* only where the view has the path already */
#define SBX_STEP_STRICT   0x100u /* absent: a note; there but odd: no jail */
#define SBX_STEP_GUARD    0x200u /* takes away: done whatever the modes on the way say, or no jail */
#define SBX_STEP_SOCKET   0x400u /* only a socket or FIFO: its name is anybody's word */
#define SBX_STEP_HOME     0x40u  /* the account's home: must be a directory of the account's own */

struct sbx_step {
    enum sbx_step_kind kind;
    unsigned flags;
    const char *path;   /* absolute, in the new root */
    const char *source; /* absolute, on the host; or text of a link */
    uint64_t size_bytes;
    unsigned mode;
};

struct sbx_plan {
    struct sbx_arena arena;
    struct sbx_step *steps;
    size_t count;
};

struct sbx_plan_input {
    const struct sbx_policy *policy;
    const char *session_source; /* host path of JAIL/session */
    const char *passwd_source, *group_source;
    const char *const *sockets; /* path sockets and FIFOs of the host; NULL-ended */
    const char *const *extra;   /* folders bound read-only where the view lacks them; NULL-ended */
};

/* Makes the plan. Pure. Free with sbx_plan_free(), also after a failure. */
int sbx_plan_build(struct sbx_plan *plan, const struct sbx_plan_input *input,
                   struct sbx_err *err) SBX_MUST_CHECK;
void sbx_plan_free(struct sbx_plan *plan);

/* An empty plan, and one more path whose protection is looked up in the policy: what a glob matched.
 * The path is copied. */
int sbx_plan_begin(struct sbx_plan *plan, struct sbx_err *err) SBX_MUST_CHECK;
int sbx_plan_add_match(struct sbx_plan *plan, const struct sbx_policy *policy, const char *path,
                       struct sbx_err *err) SBX_MUST_CHECK;

/* The outer envelope for Landlock: all that is writable, or could become so by a grant. Returns the
 * number of paths put into out (at most max). */
size_t sbx_plan_envelope(const struct sbx_policy *policy, const char **out, size_t max);

const char *sbx_step_name(enum sbx_step_kind kind);

#endif
