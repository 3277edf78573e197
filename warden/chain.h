/* The hash chain of one event file: each record names the hash of the one before it.
 *
 * A line that is no record is what a crash or a full disk left of one. It is never taken away: the
 * next record says how long it is and what its hash is, so that a reader can tell it from a change
 * made by hand. docs/events.md has the whole rule. */
#ifndef SBX_WARDEN_CHAIN_H
#define SBX_WARDEN_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "policy/err.h"

#define SBX_HASH_TEXT_BYTES  65 /* SHA-256 as lower-case hex, and a NUL */
#define SBX_RECORD_MAX_BYTES ((size_t)1024 * 1024)
#define SBX_CHAIN_NAME_BYTES 32
#define SBX_CHAIN_GENESIS    "0000000000000000000000000000000000000000000000000000000000000000"

struct sbx_chain_head { /* the last record; seq 0: none yet, hash is the genesis one */
    uint64_t seq;
    char hash[SBX_HASH_TEXT_BYTES];
};

struct sbx_torn { /* what is left of records that were not written whole */
    bool is_there;
    uint64_t bytes;
    char hash[SBX_HASH_TEXT_BYTES];
};

/* What the chain needs to know of one record. */
struct sbx_chain_record {
    uint64_t seq;
    char prev[SBX_HASH_TEXT_BYTES], hash[SBX_HASH_TEXT_BYTES];
    char name[SBX_CHAIN_NAME_BYTES]; /* the jail, or "host" */
    struct sbx_torn torn;            /* the damage that it marks */
    bool is_start, is_end;           /* of the jail */
    bool is_retirement;              /* it gives its id to another, and may still write */
    bool is_refusal;                 /* of a session, or of the whole jail before it started */
};

struct sbx_chain_tail {
    struct sbx_chain_head head;
    struct sbx_torn torn;
    bool has_head;      /* a whole record was found */
    bool is_lost;       /* none within SBX_RECORD_MAX_BYTES of the end: the file is beyond use */
    bool needs_newline; /* the last line is not ended */
    off_t size_bytes;
};

void sbx_chain_hash(const void *bytes, size_t len, char out[SBX_HASH_TEXT_BYTES]);

/* Reads one line (without its newline) as a record. False where it is none. The line may hold
 * anything. */
bool sbx_chain_parse(const char *line, size_t len, struct sbx_chain_record *out);

/* Finds the last whole record of an open file and what follows it. Reads at most the last
 * SBX_RECORD_MAX_BYTES. An empty file has no head and is no failure. */
int sbx_chain_read_tail(int fd, struct sbx_chain_tail *out, struct sbx_err *err) SBX_MUST_CHECK;

#endif
