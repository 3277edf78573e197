/* Between the clerk and its warden: one struct of fixed size a report, nothing to parse. */
#ifndef SBX_WARDEN_CLERK_H
#define SBX_WARDEN_CLERK_H

#include <stdint.h>

#include "warden/proto.h"

/* Descriptors of the clerk: the line to the warden, the listening shell socket, the policy, its filter. */
enum {
    SBX_CLERK_LINE_FD = 3,
    SBX_CLERK_SHELL_FD = 4,
    SBX_CLERK_POLICY_FD = 5,
    SBX_CLERK_FILTER_FD = 6
};

/* Clerk → warden. Strings are made NUL-terminated again by the warden; text is bytes. */
struct sbx_clerk_report {
    uint32_t magic;
    uint32_t pid;                /* of the shell, as the kernel gave it (SO_PEERCRED) */
    uint32_t uid;                /* likewise */
    uint32_t verdict, class, by; /* the clerk's own judgement of the text */
    uint32_t is_claimed;         /* the text was cut or judged otherwise: the shell's word alone */
    uint32_t text_bytes, text_total;
    uint32_t interactive;
    char rule[128], origin[256], reason[256], path[256];
    char claimed_cwd[1024];
    char text[SBX_REPORT_TEXT_BYTES];
};

/* Warden → clerk: the number of the record, 0 where it was dropped. */
struct sbx_clerk_noted {
    uint32_t magic, unused;
    uint64_t event;
};

#endif
