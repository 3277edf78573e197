#include "line/prompt.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Bytes of the escape sequence at the beginning of text: CSI, OSC, or one with a single letter. 1: the
 * escape alone, since nothing ends it. */
static size_t escape_bytes(const char *text)
{
    size_t at = 2;
    if (text[1] == '[') {
        while (text[at] >= ' ' && text[at] < '@')
            at++;
        return text[at] >= '@' && text[at] < 0x7f ? at + 1 : 1;
    }
    if (text[1] == ']') {
        while ((unsigned char)text[at] >= ' ')
            at++;
        if (text[at] == '\a')
            return at + 1;
        return text[at] == '\033' && text[at + 1] == '\\' ? at + 2 : 1;
    }
    return text[1] > ' ' && text[1] < 0x7f ? 2 : 1;
}

/* The editor loses a sequence that nothing follows (colours switched off at the very end): it changes
 * places with the character before it. */
static size_t move_last(char *line, size_t used, size_t begin)
{
    char last[4];
    size_t from = begin;
    while (from && ((unsigned char)line[from - 1] & 0xc0) == 0x80)
        from--;
    if (!from || begin - --from > sizeof(last) || line[from] == SBX_PROMPT_MARK)
        return used;
    size_t len = begin - from;
    memcpy(last, line + from, len);
    memmove(line + from, line + begin, used - begin);
    memcpy(line + used - len, last, len);
    return used;
}

static void mark(char *line, size_t size, const char *text)
{
    size_t used = 0, begin = 0;
    bool ends_marked = false;
    while (*text && used + 8 < size) {
        size_t len = *text == '\033' ? escape_bytes(text) : 0;
        if (len > 1 && used + len + 8 < size) {
            if (!ends_marked) {
                begin = used;
                line[used++] = SBX_PROMPT_MARK;
            } else {
                used--; /* one mark for several in a row */
            }
            memcpy(line + used, text, len);
            used += len;
            line[used++] = SBX_PROMPT_MARK;
            text += len;
            ends_marked = true;
            continue;
        }
        bool is_control = (unsigned char)*text < ' ' || *text == 0x7f;
        if (*text != '\1' && *text != '\2') { /* bash's own marks */
            line[used++] = is_control ? '?' : *text;
            ends_marked = false;
        }
        text++;
    }
    if (ends_marked)
        used = move_last(line, used, begin);
    line[used] = '\0';
}

void sbx_prompt_set(struct sbx_prompt *prompt, const char *text)
{
    const char *last = strrchr(text, '\n');
    size_t len = last ? (size_t)(last - text) + 1 : 0;
    if (len >= sizeof(prompt->head))
        len = 0;
    for (size_t i = 0; i < len; i++)
        prompt->head[i] = text[i] == '\1' || text[i] == '\2' ? '\r' : text[i];
    prompt->head[len] = '\0';
    mark(prompt->line, sizeof(prompt->line), last ? last + 1 : text);
}
