#include "policy/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define BLOCK_BYTES ((size_t)16 * 1024)
/* From a megabyte on, blocks that the kernel may back with huge pages: with ordinary ones, more than
 * half of the time for a hostile text went into page faults. */
#define LARGE_FROM_BYTES  ((size_t)1024 * 1024)
#define LARGE_BLOCK_BYTES ((size_t)8 * 1024 * 1024)
#define ALIGN             _Alignof(max_align_t)

struct sbx_arena_block {
    struct sbx_arena_block *next;
    size_t size, used;
    bool is_mapped; /* from the kernel, and so zeroed */
    _Alignas(max_align_t) unsigned char data[];
};

void sbx_arena_init(struct sbx_arena *arena, size_t limit_bytes)
{
    *arena = (struct sbx_arena){.limit_bytes = limit_bytes};
}

void sbx_arena_init_on(struct sbx_arena *arena, size_t limit_bytes, void *memory, size_t size)
{
    *arena = (struct sbx_arena){.limit_bytes = limit_bytes, .first = memory, .first_size = size};
}

static struct sbx_arena_block *map_block(void)
{
    struct sbx_arena_block *block =
        mmap(NULL, LARGE_BLOCK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED)
        return NULL;
    (void)madvise(block, LARGE_BLOCK_BYTES, MADV_HUGEPAGE); /* only a wish */
    block->size = LARGE_BLOCK_BYTES - sizeof(*block);
    block->is_mapped = true;
    return block;
}

static struct sbx_arena_block *new_block(const struct sbx_arena *arena, size_t size)
{
    size_t want = size > BLOCK_BYTES ? size : BLOCK_BYTES;
    if (arena->used_bytes >= LARGE_FROM_BYTES &&
        size <= LARGE_BLOCK_BYTES - sizeof(struct sbx_arena_block))
        return map_block();
    struct sbx_arena_block *block = NULL;
    if (want > SIZE_MAX - sizeof(*block) || !(block = malloc(sizeof(*block) + want)))
        return NULL;
    *block = (struct sbx_arena_block){.size = want};
    return block;
}

void *sbx_arena_alloc(struct sbx_arena *arena, size_t bytes)
{
    if (bytes > SIZE_MAX - ALIGN)
        return NULL;
    size_t size = (bytes + ALIGN - 1) & ~(ALIGN - 1);
    if (size > arena->limit_bytes - arena->used_bytes)
        return NULL;
    if (size <= arena->first_size - arena->first_used) {
        void *memory = arena->first + arena->first_used;
        arena->first_used += size;
        arena->used_bytes += size;
        return memset(memory, 0, size);
    }
    struct sbx_arena_block *block = arena->head;
    if (!block || size > block->size - block->used) {
        if (!(block = new_block(arena, size)))
            return NULL;
        block->next = arena->head;
        arena->head = block;
    }
    void *memory = block->data + block->used;
    block->used += size;
    arena->used_bytes += size;
    return block->is_mapped ? memory : memset(memory, 0, size);
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
        if (block->is_mapped)
            (void)munmap(block, LARGE_BLOCK_BYTES);
        else
            free(block);
    }
    sbx_arena_init_on(arena, arena->limit_bytes, arena->first, arena->first_size);
}
