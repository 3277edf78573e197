/* $'...' */
#include "policy/shell_int.h"

#include <string.h>

struct ansi {
    const char *text;
    size_t pos, len;
    char *out;
    size_t out_len;
};

static int digit_of(char byte, unsigned base)
{
    int value = -1;
    if (byte >= '0' && byte <= '9')
        value = byte - '0';
    else if (byte >= 'a' && byte <= 'f')
        value = byte - 'a' + 10;
    else if (byte >= 'A' && byte <= 'F')
        value = byte - 'A' + 10;
    return value >= 0 && (unsigned)value < base ? value : -1;
}

/* Up to `most` digits. */
static uint32_t number(struct ansi *a, unsigned base, unsigned most, unsigned *count)
{
    uint32_t value = 0;
    for (*count = 0; *count < most && a->pos < a->len; (*count)++) {
        int digit = digit_of(a->text[a->pos], base);
        if (digit < 0)
            break;
        value = value * base + (uint32_t)digit;
        a->pos++;
    }
    return value;
}

static void put(struct ansi *a, uint32_t byte)
{
    a->out[a->out_len++] = (char)(unsigned char)byte;
}

static void put_utf8(struct ansi *a, uint32_t rune)
{
    if (rune < 0x80) {
        put(a, rune);
        return;
    }
    static const uint32_t most[] = {0x7ff, 0xffff, 0x1fffff, 0x3ffffff, 0x7fffffff};
    static const uint32_t lead[] = {0xc0, 0xe0, 0xf0, 0xf8, 0xfc};
    unsigned more = 0;
    while (more < 4 && rune > most[more])
        more++;
    put(a, lead[more] | (rune >> (6 * (more + 1))));
    for (unsigned i = more + 1; i-- > 0;)
        put(a, 0x80 | ((rune >> (6 * i)) & 0x3f));
}

/* \x41, \x{41}, \u20ac, \U0001f600 */
static void hexadecimal(struct ansi *a, char kind)
{
    unsigned count, most = kind == 'x' ? 2 : kind == 'u' ? 4 : 8;
    bool has_brace = kind == 'x' && a->pos < a->len && a->text[a->pos] == '{';
    size_t begin = a->pos;
    a->pos += has_brace;
    uint32_t value = number(a, 16, has_brace ? (unsigned)(a->len - a->pos) : most, &count);
    if (has_brace && count && a->pos < a->len && a->text[a->pos] == '}')
        a->pos++;
    if (!count) {
        /* No digits: the bytes stand for themselves. */
        a->pos = begin;
        put(a, '\\');
        put(a, (unsigned char)kind);
    } else if (kind == 'x') {
        put(a, value & 0xff);
    } else {
        put_utf8(a, value & 0x7fffffff);
    }
}

static void control(struct ansi *a)
{
    if (a->pos >= a->len) {
        put(a, '\\');
        put(a, 'c');
        return;
    }
    char byte = a->text[a->pos++];
    if (byte == '\\' && a->pos < a->len && a->text[a->pos] == '\\')
        a->pos++;
    if (byte == '?')
        put(a, 0x7f);
    else
        put(a, (unsigned char)byte & 0x1f);
}

static void escape(struct ansi *a)
{
    static const char from[] = "abeEfnrtv\\'\"?";
    static const char to[] = "\a\b\033\033\f\n\r\t\v\\'\"?";
    char kind = a->text[a->pos++];
    const char *simple = strchr(from, kind);
    unsigned count;
    if (simple) {
        put(a, (unsigned char)to[simple - from]);
    } else if (kind == 'x' || kind == 'u' || kind == 'U') {
        hexadecimal(a, kind);
    } else if (kind == 'c') {
        control(a);
    } else if (digit_of(kind, 8) >= 0) {
        a->pos--;
        put(a, number(a, 8, 3, &count) & 0xff);
    } else {
        put(a, '\\');
        put(a, (unsigned char)kind);
    }
}

bool sbx_sh_ansi(struct sbx_parser *p, const char *text, size_t len, struct sbx_part *part)
{
    struct ansi a = {.text = text, .len = len};
    part->text = text;
    part->text_len = len;
    if (!memchr(text, '\\', len))
        return true;
    /* No escape gives more than it takes, \uXXXX three for six, \U six for three at least. */
    a.out = sbx_sh_bytes(p, 2 * len + 8);
    if (!a.out)
        return false;
    while (a.pos < a.len) {
        char byte = a.text[a.pos++];
        if (byte != '\\' || a.pos >= a.len)
            put(&a, (unsigned char)byte);
        else
            escape(&a);
        /* bash keeps strings that end at a NUL: the rest of this quote is lost. */
        if (a.out_len && a.out[a.out_len - 1] == '\0') {
            a.out_len--;
            break;
        }
    }
    part->text = a.out;
    part->text_len = a.out_len;
    return true;
}
