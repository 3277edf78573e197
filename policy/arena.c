#include "policy/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES ((size_t)16 * 1024)
#define ALIGN       _Alignof(max_align_t)

struct sbx_arena_block {
    struct sbx_arena_block *next;
    size_t size, used;
    _Alignas(max_align_t) unsigned char data[];
};

void sbx_arena_init(struct sbx_arena *arena, size_t limit_bytes)
{
    *arena = (struct sbx_arena){.limit_bytes = limit_bytes};
}

void *sbx_arena_alloc(struct sbx_arena *arena, size_t bytes)
{
    if (bytes > SIZE_MAX - ALIGN)
        return NULL;
    size_t size = (bytes + ALIGN - 1) & ~(ALIGN - 1);
    if (size > arena->limit_bytes - arena->used_bytes)
        return NULL;
    struct sbx_arena_block *block = arena->head;
    if (!block || size > block->size - block->used) {
        size_t want = size > BLOCK_BYTES ? size : BLOCK_BYTES;
        if (want > SIZE_MAX - sizeof(*block) || !(block = malloc(sizeof(*block) + want)))
            return NULL;
        *block = (struct sbx_arena_block){.next = arena->head, .size = want};
        arena->head = block;
    }
    void *memory = block->data + block->used;
    block->used += size;
    arena->used_bytes += size;
    return memset(memory, 0, size);
}

char *sbx_arena_strndup(struct sbx_arena *arena, const char *text, size_t len)
{
    char *copy = len < SIZE_MAX ? sbx_arena_alloc(arena, len + 1) : NULL;
    return copy ? memcpy(copy, text, len) : NULL;
}

void sbx_arena_free(struct sbx_arena *arena)
{
    for (struct sbx_arena_block *block = arena->head, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    *arena = (struct sbx_arena){.limit_bytes = arena->limit_bytes};
}
