#include "sbxctl/json.h"

#include <stdlib.h>
#include <string.h>

#include "policy/cleanup.h"

/* Length of the valid UTF-8 sequence at text, 0 where there is none. */
static size_t utf8_len(const unsigned char *text, size_t len)
{
    unsigned char first = text[0];
    size_t want = first < 0x80                    ? 1
                  : first >= 0xc2 && first < 0xe0 ? 2
                  : first >= 0xe0 && first < 0xf0 ? 3
                                                  : 4;
    if (first >= 0xf5 || (first >= 0x80 && first < 0xc2) || want > len)
        return 0;
    for (size_t i = 1; i < want; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    if ((first == 0xe0 && text[1] < 0xa0) || (first == 0xed && text[1] > 0x9f) ||
        (first == 0xf0 && text[1] < 0x90) || (first == 0xf4 && text[1] > 0x8f))
        return 0;
    return want;
}

struct json_object *sbx_json_text_len(const char *text, size_t len)
{
    size_t bad = 0, out = 0;
    for (size_t i = 0, n; i < len; i += n ? n : 1)
        bad += !(n = utf8_len((const unsigned char *)text + i, len - i));
    if (!bad)
        return json_object_new_string_len(text ? text : "", (int)len);
    _cleanup_free_ char *copy = malloc(len + 2 * bad + 1);
    if (!copy)
        return NULL;
    for (size_t i = 0, n; i < len; i += n ? n : 1) {
        n = utf8_len((const unsigned char *)text + i, len - i);
        memcpy(copy + out, n ? text + i : "\xef\xbf\xbd", n ? n : 3);
        out += n ? n : 3;
    }
    return json_object_new_string_len(copy, (int)out);
}

struct json_object *sbx_json_text(const char *text)
{
    return sbx_json_text_len(text, strlen(text));
}
