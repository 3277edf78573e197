#include "policy/known.h"

#include <string.h>

#define TEXT_FIRST_BYTES 48
#define TEXT_MAX_BYTES   ((uint32_t)4 * 1024 * 1024)

void sbx_values_init(struct sbx_values *values)
{
    *values = (struct sbx_values){.end = &values->first};
}

void sbx_values_add(struct sbx_values *values, struct sbx_value *value)
{
    if (!value)
        return;
    value->next = NULL;
    *values->end = value;
    values->end = &value->next;
    values->count++;
}

static bool text_grow(struct sbx_text *text, size_t more)
{
    if (text->failed)
        return false;
    size_t need = (size_t)text->len + more + 1;
    if (need <= text->cap)
        return true;
    size_t cap = text->cap ? (size_t)text->cap * 2 : TEXT_FIRST_BYTES;
    if (cap < need)
        cap = need;
    char *bytes = cap <= TEXT_MAX_BYTES ? sbx_arena_alloc(text->arena, cap * 2) : NULL;
    if (!bytes) {
        text->failed = true;
        return false;
    }
    if (text->len) {
        memcpy(bytes, text->text, text->len);
        memcpy(bytes + cap, text->mask, text->len);
    }
    text->text = bytes;
    text->mask = bytes + cap;
    text->cap = (uint32_t)cap;
    return true;
}

void sbx_text_put(struct sbx_text *text, const char *bytes, size_t len, enum sbx_mask mask)
{
    if (!len || !text_grow(text, len))
        return;
    memcpy(text->text + text->len, bytes, len);
    if (mask != SBX_MASK_LITERAL) {
        memset(text->mask + text->len, (int)mask, len);
        text->masked = true;
    }
    text->len += (uint32_t)len;
}

void sbx_text_unknown(struct sbx_text *text, enum sbx_mask mask, uint32_t taint)
{
    const char byte = SBX_UNKNOWN_BYTE;
    text->taint |= taint;
    /* A run of unknowns is one unknown: input of a million $x stays small. */
    if (text->len && text->mask[text->len - 1] == (char)mask && sbx_mask_unknown(mask))
        return;
    sbx_text_put(text, &byte, 1, mask);
}

void sbx_text_append(struct sbx_text *text, const struct sbx_value *value)
{
    text->taint |= value->taint;
    text->unsure |= value->unsure;
    text->guarded |= value->guarded;
    text->several |= value->several;
    text->modelled |= value->modelled;
    if (!value->len || !text_grow(text, value->len))
        return;
    memcpy(text->text + text->len, value->text, value->len);
    if (value->mask) {
        memcpy(text->mask + text->len, value->mask, value->len);
        text->masked = true;
    }
    text->len += value->len;
}

struct sbx_text sbx_text_fork(const struct sbx_text *text)
{
    struct sbx_text copy = *text;
    copy.text = copy.mask = NULL;
    copy.len = copy.cap = 0;
    if (text->len && text_grow(&copy, text->len) && copy.text && copy.mask) {
        memcpy(copy.text, text->text, text->len);
        memcpy(copy.mask, text->mask, text->len);
        copy.len = text->len;
    }
    return copy;
}

struct sbx_value *sbx_text_value(struct sbx_text *text, struct sbx_span span)
{
    static const char unknown_text[] = {SBX_UNKNOWN_BYTE, 0},
                      unknown_mask[] = {SBX_MASK_UNKNOWN, 0};
    struct sbx_value *value = sbx_arena_alloc(text->arena, sizeof(*value));
    if (!value)
        return NULL;
    *value = (struct sbx_value){.text = "",
                                .len = text->len,
                                .taint = text->taint,
                                .span = span,
                                .unsure = text->unsure,
                                .quoted = text->quoted,
                                .guarded = text->guarded,
                                .several = text->several,
                                .modelled = text->modelled};
    if (text->failed) {
        /* Too long to hold: unknown, never a shorter text. */
        value->text = unknown_text;
        value->mask = unknown_mask;
        value->len = 1;
    } else if (text->text) {
        text->text[text->len] = 0;
        value->text = text->text;
        value->mask = text->masked ? text->mask : NULL;
    }
    return value;
}

struct sbx_value *sbx_value_new(struct sbx_arena *arena, const char *bytes, size_t len)
{
    struct sbx_value *value = sbx_arena_alloc(arena, sizeof(*value));
    char *text = value ? sbx_arena_strndup(arena, bytes, len) : NULL;
    if (!text || len > TEXT_MAX_BYTES)
        return NULL;
    *value = (struct sbx_value){.text = text, .len = (uint32_t)len};
    return value;
}

struct sbx_value *sbx_value_unknown(struct sbx_arena *arena, uint32_t taint)
{
    struct sbx_text text = {.arena = arena};
    sbx_text_unknown(&text, SBX_MASK_UNKNOWN, taint);
    return sbx_text_value(&text, (struct sbx_span){0, 0});
}

bool sbx_value_known(const struct sbx_value *value)
{
    if (!value->mask)
        return true;
    for (uint32_t i = 0; i < value->len; i++)
        if (value->mask[i] != SBX_MASK_LITERAL)
            return false;
    return true;
}

bool sbx_value_has(const struct sbx_value *value, enum sbx_mask mask)
{
    return value->mask && memchr(value->mask, (int)mask, value->len);
}

bool sbx_value_is(const struct sbx_value *value, const char *text)
{
    return value && value->len == strlen(text) && !memcmp(value->text, text, value->len) &&
           sbx_value_known(value);
}

size_t sbx_value_prefix(const struct sbx_value *value)
{
    if (!value->mask)
        return value->len;
    size_t i = 0;
    while (i < value->len && value->mask[i] == SBX_MASK_LITERAL)
        i++;
    return i;
}

bool sbx_value_holds_code(const struct sbx_value *value)
{
    return memmem(value->text, value->len, "$(", 2) || memchr(value->text, '`', value->len);
}
