#include "policy/blob.h"

#include <stdlib.h>
#include <string.h>

#define ALIGN _Alignof(uint64_t)

static bool grow(struct sbx_blob *blob, size_t more)
{
    if (blob->failed || more > SBX_POLICY_MAX_BYTES - blob->used) {
        blob->failed = true;
        return false;
    }
    if (blob->used + more <= blob->room)
        return true;
    size_t room = blob->room * 2 + more + 4096;
    char *bytes = realloc(blob->bytes, room);
    if (!bytes) {
        blob->failed = true;
        return false;
    }
    memset(bytes + blob->room, 0, room - blob->room);
    blob->bytes = bytes;
    blob->room = room;
    return true;
}

uint32_t sbx_blob_table(struct sbx_blob *blob, size_t count, size_t each)
{
    size_t pad = (ALIGN - blob->used % ALIGN) % ALIGN, bytes = 0;
    if (__builtin_mul_overflow(count, each, &bytes) || __builtin_add_overflow(bytes, pad, &bytes)) {
        blob->failed = true;
        return 0;
    }
    if (!grow(blob, bytes))
        return 0;
    size_t off = blob->used + pad;
    blob->used += bytes;
    return (uint32_t)off;
}

struct sbx_ref sbx_blob_text(struct sbx_blob *blob, const char *text)
{
    size_t len = strlen(text);
    if (!grow(blob, len + 1))
        return (struct sbx_ref){0};
    struct sbx_ref ref = {.off = (uint32_t)blob->used, .len = (uint32_t)len};
    memcpy(blob->bytes + blob->used, text, len + 1);
    blob->used += len + 1;
    return ref;
}

struct sbx_ref sbx_blob_file(struct sbx_blob *blob, const char *file)
{
    if (!file || !*file)
        return (struct sbx_ref){0};
    if (blob->last_file != file) {
        blob->last_file_ref = sbx_blob_text(blob, file);
        blob->last_file = file;
    }
    return blob->last_file_ref;
}

void *sbx_blob_at(const struct sbx_blob *blob, uint32_t off)
{
    return blob->bytes + off;
}
