#include "pam_sbx/stack.h"

#include <stdint.h>
#include <stdlib.h>

#define DATA_NAME "sbx_stack"

struct seen {
    unsigned setcreds;
    bool is_opened;
    bool is_refused;
};

static void seen_cleanup(pam_handle_t *pamh, void *data, int status)
{
    (void)pamh;
    (void)status;
    free(data);
}

static struct seen *seen_of(pam_handle_t *pamh)
{
    const void *data = NULL;
    if (pam_get_data(pamh, DATA_NAME, &data) == PAM_SUCCESS && data)
        return (struct seen *)(uintptr_t)data; /* ours; PAM only lends it as const */
    struct seen *seen = calloc(1, sizeof(*seen));
    if (seen && pam_set_data(pamh, DATA_NAME, seen, seen_cleanup) != PAM_SUCCESS) {
        free(seen);
        return NULL;
    }
    return seen;
}

bool sbx_stack_saw_setcred(pam_handle_t *pamh)
{
    struct seen *seen = seen_of(pamh);
    if (!seen)
        return false;
    seen->setcreds++;
    return seen->setcreds > 1 && !seen->is_opened;
}

bool sbx_stack_saw_open(pam_handle_t *pamh)
{
    struct seen *seen = seen_of(pamh);
    if (!seen)
        return false;
    seen->is_opened = true;
    return seen->setcreds > 0;
}

void sbx_stack_note_refusal(pam_handle_t *pamh)
{
    struct seen *seen = seen_of(pamh);
    if (seen)
        seen->is_refused = true;
}

bool sbx_stack_is_refused(pam_handle_t *pamh)
{
    struct seen *seen = seen_of(pamh);
    return seen && seen->is_refused;
}
