/* How many events a chain takes: a budget for each kind, and what was dropped over it. */
#ifndef SBX_WARDEN_BUDGET_H
#define SBX_WARDEN_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "warden/event.h"

struct sbx_budget {
    uint32_t rate; /* records a minute */
    struct {
        uint64_t milli; /* thousandths of a record that are left */
        int64_t last_ms;
    } bucket[SBX_EVENT_KIND_COUNT];
    uint64_t pending[SBX_EVENT_KIND_COUNT]; /* dropped and not yet said */
};

/* Full buckets for that rate; 0: the default one. What is pending stays so. */
void sbx_budget_fill(struct sbx_budget *budget, uint32_t per_minute);

/* Takes what an event of `weight` bytes of text costs; false where that is not left. */
bool sbx_budget_take(struct sbx_budget *budget, enum sbx_event_kind kind, size_t weight);

/* Exchanges all but the rate with a file of root's, whose lock the caller holds. A file that holds
 * none yet, or one that makes no sense, leaves the budget as it is. */
void sbx_budget_load(struct sbx_budget *budget, int fd);
void sbx_budget_store(const struct sbx_budget *budget, int fd);

#endif
