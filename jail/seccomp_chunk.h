/* How programs lie one behind the other in a compiled filter: shared by the compiler and by the
 * loader, which must not know libseccomp (sbxsh is linked without it). */
#ifndef SBX_JAIL_SECCOMP_CHUNK_H
#define SBX_JAIL_SECCOMP_CHUNK_H

#include <linux/filter.h>
#include <stdbool.h>

/* The header instruction: no instruction of the kernel's has this code. k counts the instructions
 * that follow, jt is 1 where what they refuse is logged. */
#define SBX_CHUNK_CODE 0x5853u

#define SBX_CHUNKS_MAX 4

static inline struct sock_filter sbx_chunk_header(unsigned short count, bool is_logged)
{
    return (struct sock_filter){.code = SBX_CHUNK_CODE, .jt = is_logged ? 1 : 0, .k = count};
}

#endif
