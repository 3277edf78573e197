/* A bump allocator with a ceiling: everything a parser makes from one input goes at once.
 *
 * Bounded so that hostile input meets a limit instead of the machine's memory. */
#ifndef SBX_POLICY_ARENA_H
#define SBX_POLICY_ARENA_H

#include <stddef.h>

struct sbx_arena_block;

struct sbx_arena {
    struct sbx_arena_block *head;
    unsigned char *first; /* the caller's memory, or NULL */
    size_t first_size, first_used;
    size_t used_bytes;  /* handed out so far */
    size_t limit_bytes; /* never more than this */
};

/* Sets up an empty arena; allocates nothing. Free with sbx_arena_free(), also after a failure. */
void sbx_arena_init(struct sbx_arena *arena, size_t limit_bytes);

/* The same, and what fits into `memory` comes from there: for inputs that are short as a rule. It MUST be
 * aligned for any type and outlive the arena; it is the caller's, also afterwards. */
void sbx_arena_init_on(struct sbx_arena *arena, size_t limit_bytes, void *memory, size_t size);

/* Returns zeroed memory aligned for any type, or NULL past the limit or out of memory. */
void *sbx_arena_alloc(struct sbx_arena *arena, size_t bytes);

/* Copies len bytes and adds a NUL. NULL as above. */
char *sbx_arena_strndup(struct sbx_arena *arena, const char *text, size_t len);

void sbx_arena_free(struct sbx_arena *arena);

#endif
