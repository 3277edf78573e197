/* What this kernel and machine can do: one table, used by the warden (refuses) and doctor (tells). */
#ifndef SBX_JAIL_KERNEL_H
#define SBX_JAIL_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "policy/err.h"

enum sbx_need { SBX_NEED_MUST = 0, SBX_NEED_SHOULD };

struct sbx_feature {
    const char *name; /* "openat2", "landlock" … */
    enum sbx_need need;
    bool is_present;
    bool is_doubtful; /* not present, for all that could be found out: something else went wrong */
    char detail[160]; /* version, ABI, or what is missing and what to do */
};

#define SBX_FEATURES_MAX 32

/* Probes by trying, never by version alone: kernel ≥ 5.14, openat2, mount_setattr, open_tree,
 * pidfd_open and setns by pidfd, close_range, seccomp filters and their log flag, Landlock (missing
 * on 5.19 or newer: MUST; ABI 1 or older kernels: SHOULD), namespaces, cgroup controllers, SELinux
 * enforcing (refused), WSL1 by name, proc connector. Runs as anybody; changes nothing. `root` is the
 * state root ("" for the machine itself): see jail/platform.h. */
size_t sbx_kernel_probe(const char *root, struct sbx_feature features[SBX_FEATURES_MAX]);

/* All that is missing, in one sentence for the log. */
struct sbx_lacks {
    unsigned count;
    bool is_certain; /* one of them is, whoever does what on this machine */
    char text[SBX_ERR_MESSAGE_BYTES];
};
#define SBX_LACKS_INIT                                                                             \
    (struct sbx_lacks)                                                                             \
    {                                                                                              \
        .count = 0                                                                                 \
    }

/* Adds what a MUST lacks; what is there, or only SHOULD be, adds nothing. */
void sbx_lacks_add(struct sbx_lacks *lacks, const struct sbx_feature *features, size_t count);

/* 0 if every MUST is there; else all that are missing, by name, each with its detail. */
int sbx_kernel_require(const char *root, struct sbx_err *err) SBX_MUST_CHECK;

/* --- trial.c -------------------------------------------------------------------------------------
 * What cannot be told without doing it: namespaces, mounts of one's own, a control group, and that this
 * is no chroot. Done in children that end at once; nothing is left. Runs as root, with signals as they
 * are, and never in somebody else's program. Doubtful where the machine was short of something. */
#define SBX_TRIALS_MAX 4
size_t sbx_trial_run(struct sbx_feature features[SBX_TRIALS_MAX]);

#endif
