/* What a login's --set words come to, in one string that two can be compared by. */
#include <stdlib.h>
#include <string.h>

#include "policy/cleanup.h"
#include "warden/chain.h"
#include "warden/client.h"

_Static_assert(SBX_SETTINGS_BYTES == SBX_HASH_TEXT_BYTES, "the digest is such a hash");

static int compare_keys(const char *a, const char *b)
{
    size_t len_a = strcspn(a, "="), len_b = strcspn(b, "=");
    int order = memcmp(a, b, len_a < len_b ? len_a : len_b);
    return order ? order : len_a < len_b ? -1 : len_a > len_b;
}

/* By key, and those of one key in their order: of a list the first may count for more. */
static void sort(const char **words, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const char *word = words[i];
        size_t at = i;
        for (; at && compare_keys(words[at - 1], word) > 0; at--)
            words[at] = words[at - 1];
        words[at] = word;
    }
}

int sbx_settings_digest(const char *const *settings, char out[SBX_SETTINGS_BYTES],
                        struct sbx_err *err)
{
    size_t count = 0, bytes = 0;
    memset(out, 0, SBX_SETTINGS_BYTES);
    for (; settings && settings[count]; count++)
        bytes += strlen(settings[count]) + 1;
    if (!count)
        return 0;
    _cleanup_free_ const char **words = calloc(count, sizeof(*words));
    _cleanup_free_ char *text = malloc(bytes);
    if (!words || !text)
        return sbx_fail(err, SBX_E_MEMORY, 0, "no memory for the settings of the login");
    memcpy(words, settings, count * sizeof(*words));
    sort(words, count);
    char *end = text;
    for (size_t i = 0; i < count; i++)
        end = mempcpy(end, words[i], strlen(words[i]) + 1);
    sbx_chain_hash(text, bytes, out);
    return 0;
}
