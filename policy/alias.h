/* The aliases of a shell: what bash puts in place of a command's name while it reads text. */
#ifndef SBX_POLICY_ALIAS_H
#define SBX_POLICY_ALIAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "policy/arena.h"

#define SBX_ALIASES_MAX_BYTES ((size_t)64 * 1024) /* of a table as bash prints it */
#define SBX_ALIASES_MAX       4096
#define SBX_ALIAS_BUCKETS     64

struct sbx_alias {
    struct sbx_alias *next;
    const char *name, *value;
    uint32_t name_len, value_len;
    uint32_t hash;
    bool is_odd; /* whoever uses it gets something that the parser cannot put in its place */
};

struct sbx_aliases {
    struct sbx_alias *bucket[SBX_ALIAS_BUCKETS];
    unsigned count;
};

/* NULL where there is none. */
const struct sbx_alias *sbx_alias_find(const struct sbx_aliases *table, const char *name,
                                       size_t len);

/* Sets or replaces one; both texts must outlive the table, whose entries live in the arena. false: no
 * such name can be an alias, there are too many, or no memory: the table is not known any more. */
bool sbx_alias_set(struct sbx_arena *arena, struct sbx_aliases *table, const char *name,
                   size_t name_len, const char *value, size_t value_len);
void sbx_alias_remove(struct sbx_aliases *table, const char *name, size_t len);

/* Reads what `alias -p` prints. The text is hostile. Read by hand, since a name may be any of the
 * shell's own bytes but its quotes (`#`, `{`, `a=b`), so that bash itself would not read all of it
 * back. false: something in it is not as bash prints it, or past a bound; nothing is known then. */
bool sbx_aliases_read(struct sbx_arena *arena, const char *text, struct sbx_aliases *table);

/* Whether it could be read. */
bool sbx_aliases_check(const char *text);

#endif
