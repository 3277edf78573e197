/* What kind of machine this is: the word that sandbox.platform has for it. */
#ifndef SBX_JAIL_PLATFORM_H
#define SBX_JAIL_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>

#include "policy/exempt.h"

/* Facts that root alone makes; nothing of an account's is among them. */
struct sbx_platform_facts {
    char version[256];  /* /proc/version */
    bool has_interop;   /* WSL's own entry in binfmt_misc */
    bool is_contained;  /* a pid or user namespace that is not the machine's first */
    bool is_apart;      /* mounts other than those of process 1 */
    bool is_told;       /* the marker was looked for below a state root, where somebody put it */
    const char *marker; /* file that a container's maker leaves, NULL: none */
};

/* A marker alone is no container: images of containers become the root of virtual machines. */
enum sbx_platform sbx_platform_of(const struct sbx_platform_facts *facts);

/* Reads the facts and says in `detail` what told. Below a state root ("" for the machine itself)
 * ROOT/proc/version and markers there count before the machine's own, for tests. Runs as anybody. */
enum sbx_platform sbx_platform_find(const char *root, char *detail, size_t size);

#endif
