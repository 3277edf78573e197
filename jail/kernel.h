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
    char detail[160]; /* version, ABI, or what is missing and what to do */
};

#define SBX_FEATURES_MAX 32

/* Probes by trying, never by version alone: kernel ≥ 5.14, openat2, mount_setattr, open_tree,
 * pidfd_open and setns by pidfd, close_range, seccomp filters and their log flag, Landlock (missing
 * on 5.19 or newer: MUST; ABI 1 or older kernels: SHOULD), namespaces, cgroup controllers, SELinux
 * enforcing (refused), WSL1 by name, proc connector. Runs as anybody; changes nothing. */
size_t sbx_kernel_probe(struct sbx_feature features[SBX_FEATURES_MAX]);

/* 0 if every MUST is there; else the first missing one, by name, with its detail. */
int sbx_kernel_require(struct sbx_err *err) SBX_MUST_CHECK;

#endif
