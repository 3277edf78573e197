/* Builds the compiled policy: a block that grows, addressed by offsets. */
#ifndef SBX_POLICY_BLOB_H
#define SBX_POLICY_BLOB_H

#include "policy/policy.h"

struct sbx_blob {
    char *bytes; /* malloc'ed; the caller's, also after a failure */
    size_t used, room;
    bool failed; /* past SBX_POLICY_MAX_BYTES, or out of memory: sticky, asked once at the end */
    const char *last_file; /* the origin that was put in last: entries come file by file */
    struct sbx_ref last_file_ref;
};

/* Room for a table, aligned for any struct of it, zeroed. Offset 0 after a failure. */
uint32_t sbx_blob_table(struct sbx_blob *blob, size_t count, size_t each);

struct sbx_ref sbx_blob_text(struct sbx_blob *blob, const char *text);

/* The same for file names, which repeat: equal pointers in a row are stored once. */
struct sbx_ref sbx_blob_file(struct sbx_blob *blob, const char *file);

/* The table or struct at an offset, for filling in. The pointer dies with the next call that
 * adds. */
void *sbx_blob_at(const struct sbx_blob *blob, uint32_t off);

#endif
