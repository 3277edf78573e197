#include "warden/client.h"
#include "warden/budget.h"

#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define MILLI         1000        /* the buckets count thousandths of a record */
#define BUDGET_FORMAT 0x31646273u /* "sbd1" */

void sbx_budget_fill(struct sbx_budget *budget, uint32_t per_minute)
{
    budget->rate = per_minute ? per_minute : SBX_LOG_RATE_DEFAULT;
    for (int kind = 0; kind < SBX_EVENT_KIND_COUNT; kind++) {
        budget->bucket[kind].milli = (uint64_t)budget->rate * MILLI;
        budget->bucket[kind].last_ms = sbx_now_ms();
    }
}

bool sbx_budget_take(struct sbx_budget *budget, enum sbx_event_kind kind, size_t weight)
{
    uint64_t *milli = &budget->bucket[kind].milli;
    int64_t *last_ms = &budget->bucket[kind].last_ms, now = sbx_now_ms();
    uint64_t full = (uint64_t)budget->rate * MILLI;
    uint64_t passed = now > *last_ms ? (uint64_t)(now - *last_ms) : 0;
    uint64_t gained =
        passed > 60000 ? full : passed * budget->rate / 60; /* rate milli-records a 60 ms */
    if (gained || passed > 60000) {
        *milli = *milli + gained < full ? *milli + gained : full;
        *last_ms = now;
    }
    uint64_t cost = (1 + weight / 1024) * MILLI;
    cost = cost < full ? cost : full; /* or the longest ones would never pass */
    if (*milli < cost)
        return false;
    *milli -= cost;
    return true;
}

struct kept {
    uint32_t format, size;
    struct sbx_budget budget;
};

void sbx_budget_load(struct sbx_budget *budget, int fd)
{
    struct kept kept = {0};
    int64_t now = sbx_now_ms();
    uint64_t full = (uint64_t)budget->rate * MILLI;
    if (pread(fd, &kept, sizeof(kept), 0) != (ssize_t)sizeof(kept) ||
        kept.format != BUDGET_FORMAT || kept.size != sizeof(kept))
        return;
    kept.budget.rate = budget->rate;
    for (int kind = 0; kind < SBX_EVENT_KIND_COUNT; kind++) {
        if (kept.budget.bucket[kind].milli > full) /* it was another rate's */
            kept.budget.bucket[kind].milli = full;
        if (kept.budget.bucket[kind].last_ms >
            now) /* the machine started anew: so does its clock */
            kept.budget.bucket[kind].last_ms = now;
    }
    *budget = kept.budget;
}

void sbx_budget_store(const struct sbx_budget *budget, int fd)
{
    struct kept kept;
    struct rlimit limit;
    /* A process on its way into a jail has the jail's limits: over this one the kernel sends a signal. */
    if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur < sizeof(kept))
        return;
    memset(&kept, 0, sizeof(kept)); /* the gaps of the struct, too, go into the file */
    kept.format = BUDGET_FORMAT;
    kept.size = sizeof(kept);
    memcpy(&kept.budget, budget, sizeof(*budget));
    /* Where the disk has no room for it, the next one starts with a full budget. */
    (void)!pwrite(fd, &kept, sizeof(kept), 0);
}
