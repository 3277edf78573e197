/* Text tools whose output is known where their input is. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define EXPANDED_MAX ((uint32_t)256 * 1024)

static void print_text(struct sbx_use *use, struct sbx_text *text, uint32_t taint)
{
    use->out->is_set = true;
    use->out->text = sbx_text_value(text, (struct sbx_span){0, 0});
    use->out->taint = taint | text->taint;
}

/* --- escapes of echo -e, printf, tr ------------------------------------------------------------------------------- */
size_t sbx_escape_byte(const char *at, size_t left, char *out)
{
    static const char names[] = "abefnrtv\\\"'", values[] = "\a\b\033\f\n\r\t\v\\\"'";
    if (left < 2 || at[0] != '\\')
        return 0;
    const char *hit = strchr(names, at[1]);
    if (at[1] && hit) {
        *out = values[hit - names];
        return 2;
    }
    unsigned value = 0;
    size_t i = 1;
    if (at[1] == 'x' && left > 2 && isxdigit((unsigned char)at[2])) {
        for (i = 2; i < left && i < 4 && isxdigit((unsigned char)at[i]); i++)
            value = value * 16 + (unsigned)(isdigit((unsigned char)at[i])
                                                ? at[i] - '0'
                                                : tolower((unsigned char)at[i]) - 'a' + 10);
    } else if (at[1] >= '0' && at[1] <= '7') {
        size_t most = at[1] == '0' ? 5 : 4;
        for (i = 1; i < left && i < most && at[i] >= '0' && at[i] <= '7'; i++)
            value = value * 8 + (unsigned)(at[i] - '0');
    } else {
        return 0;
    }
    *out = (char)value;
    return i;
}

static void put_escaped(struct sbx_text *text, const struct sbx_value *value)
{
    for (size_t i = 0; i < value->len;) {
        char byte = 0;
        size_t n = sbx_value_mask(value, i) == SBX_MASK_LITERAL
                       ? sbx_escape_byte(value->text + i, value->len - i, &byte)
                       : 0;
        if (n)
            sbx_text_put(text, &byte, 1, SBX_MASK_LITERAL);
        else
            sbx_text_put(text, value->text + i, 1, sbx_value_mask(value, i));
        i += n ? n : 1;
    }
    text->taint |= value->taint;
    text->unsure |= value->unsure;
    text->modelled |= value->modelled;
}

/* One word that is printed as it stands: not one of several, no names of files, no \u or \c. */
static bool is_plain(const struct sbx_value *value, bool escapes)
{
    return !value->unsure && !value->several && !sbx_value_has(value, SBX_MASK_GLOB) &&
           (sbx_value_known(value) || value->quoted) &&
           !(escapes && (memmem(value->text, value->len, "\\u", 2) ||
                         memmem(value->text, value->len, "\\U", 2) ||
                         memmem(value->text, value->len, "\\c", 2)));
}

/* -n, -e and -E in a row in front; anything else is text. */
static bool is_echo_option(const struct sbx_value *word)
{
    return sbx_value_known(word) && word->len > 1 && word->text[0] == '-' &&
           strspn(word->text + 1, "neE") == word->len - 1;
}

void sbx_check_echo(struct sbx_judge *j, struct sbx_use *use)
{
    struct sbx_text text = {.arena = &j->arena};
    bool escapes = false, newline = true;
    uint32_t first = use->first;
    for (; first < use->words && is_echo_option(use->word[first]); first++)
        for (const char *c = use->word[first]->text + 1; *c; c++) {
            newline = newline && *c != 'n';
            escapes = *c == 'e' || (escapes && *c != 'E');
        }
    for (uint32_t i = first; i < use->words; i++) {
        if (i > first)
            sbx_text_put(&text, " ", 1, SBX_MASK_LITERAL);
        if (escapes)
            put_escaped(&text, use->word[i]);
        else
            sbx_text_append(&text, use->word[i]);
        text.modelled |= !is_plain(use->word[i], escapes);
    }
    text.several = false;
    if (newline)
        sbx_text_put(&text, "\n", 1, SBX_MASK_LITERAL);
    print_text(use, &text, 0);
}

/* One round of a format; returns how many arguments it took. */
static uint32_t printf_round(struct sbx_text *text, const struct sbx_value *format,
                             struct sbx_value *const *args, uint32_t count)
{
    uint32_t used = 0;
    for (size_t i = 0; i < format->len;) {
        char byte = 0;
        size_t n = sbx_escape_byte(format->text + i, format->len - i, &byte);
        if (n) {
            sbx_text_put(text, &byte, 1, SBX_MASK_LITERAL);
            i += n;
            continue;
        }
        if (format->text[i] != '%' || i + 1 >= format->len) {
            sbx_text_put(text, format->text + i, 1, sbx_value_mask(format, i));
            i++;
            continue;
        }
        size_t end = i + 1;
        while (end < format->len && strchr("-+ #0123456789.*'", format->text[end]))
            end++;
        char verb = end < format->len ? format->text[end] : 's';
        bool is_number = strchr("diu", verb) != NULL;
        if (used < count)
            text->modelled |= !is_plain(args[used], verb == 'b');
        /* Padded, cut or converted: near enough to judge, no more. */
        text->modelled |= end > i + 1 || strchr("qc", verb) || (is_number && used >= count) ||
                          (is_number && strspn(args[used]->text, "123456789") != args[used]->len);
        if (verb == '%')
            sbx_text_put(text, "%", 1, SBX_MASK_LITERAL);
        else if (verb == 'b' && used < count)
            put_escaped(text, args[used++]);
        else if (strchr("sqcdiu", verb) && used < count)
            sbx_text_append(text, args[used++]);
        else if (verb == '(' || used < count)
            sbx_text_unknown(text, SBX_MASK_UNKNOWN, used < count ? args[used++]->taint : 0);
        i = verb == '(' ? format->len : end + 1;
    }
    return used;
}

void sbx_check_printf(struct sbx_judge *j, struct sbx_use *use)
{
    const struct sbx_opt *into = sbx_use_option(use, "-v");
    struct sbx_text text = {.arena = &j->arena};
    if (into && into->value &&
        (memmem(into->value->text, into->value->len, "$(", 2) ||
         memchr(into->value->text, '`', into->value->len)))
        sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "code in a subscript",
                 "write the command itself instead of hiding it in a value");
    if (!use->operands)
        return;
    uint32_t at = 1;
    do {
        uint32_t used = printf_round(&text, use->operand[0], use->operand + at, use->operands - at);
        if (!used)
            break;
        at += used;
    } while (at < use->operands && text.len < EXPANDED_MAX);
    if (into && into->value) {
        sbx_var_set(j, into->value->text, into->value->len, sbx_text_value(&text, j->span));
        use->out->is_set = true;
        return;
    }
    print_text(use, &text, 0);
}

/* --- filters whose result is known ---------------------------------------------------------------------------------- */
void sbx_check_cat(struct sbx_judge *j, struct sbx_use *use)
{
    const char *name = use->name;
    const struct sbx_value *text = use->in ? use->in->text : NULL;
    if (!strcmp(name, "tee")) {
        for (uint32_t i = 0; i < use->operands; i++) {
            char path[SBX_PATH_BYTES];
            if (!sbx_path_of(j, use->operand[i], path, sizeof(path)))
                continue;
            sbx_made_add(j, path, text, use->in ? use->in->taint : 0,
                         use->in ? use->in->copy_of : NULL);
            sbx_classify_written(j, path, text);
        }
        use->out->text = text;
        return;
    }
    if (use->operands == 1 && !sbx_value_is(use->operand[0], "-")) {
        char path[SBX_PATH_BYTES];
        bool known = sbx_path_of(j, use->operand[0], path, sizeof(path));
        struct sbx_made *made = known ? sbx_made_find(j, path) : NULL;
        text = made ? made->text : NULL;
        use->out->endless = known && !strcmp(name, "cat") && sbx_is_endless_source(path);
        if (known && !strcmp(name, "cat"))
            use->out->copy_of = sbx_made_program(j, path);
    } else if (use->operands > 1) {
        text = NULL;
    }
    if (!text)
        return;
    if (!strcmp(name, "cat") || !strcmp(name, "gcat")) {
        use->out->text = use->options ? NULL : text;
        use->out->taint |= text->taint;
    } else if (!strcmp(name, "rev") && text->len < EXPANDED_MAX) {
        struct sbx_text out = {.arena = &j->arena};
        for (size_t start = 0, i = 0; i <= text->len; i++) {
            if (i < text->len && text->text[i] != '\n')
                continue;
            for (size_t k = i; k > start; k--)
                sbx_text_put(&out, text->text + k - 1, 1, sbx_value_mask(text, k - 1));
            if (i < text->len)
                sbx_text_put(&out, "\n", 1, SBX_MASK_LITERAL);
            start = i + 1;
        }
        print_text(use, &out, use->out->taint);
    }
}

static int base64_digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

static void decode_base64(struct sbx_text *out, const struct sbx_value *in)
{
    uint32_t bits = 0, have = 0;
    for (size_t i = 0; i < in->len; i++) {
        int digit = base64_digit(in->text[i]);
        if (digit < 0)
            continue;
        bits = bits << 6 | (uint32_t)digit;
        have += 6;
        if (have >= 8) {
            have -= 8;
            char byte = (char)(bits >> have & 0xff);
            sbx_text_put(out, &byte, 1, SBX_MASK_LITERAL);
        }
    }
}

static void decode_base32(struct sbx_text *out, const struct sbx_value *in)
{
    uint64_t bits = 0;
    uint32_t have = 0;
    for (size_t i = 0; i < in->len; i++) {
        int c = toupper((unsigned char)in->text[i]);
        int digit = c >= 'A' && c <= 'Z' ? c - 'A' : c >= '2' && c <= '7' ? c - '2' + 26 : -1;
        if (digit < 0)
            continue;
        bits = bits << 5 | (uint64_t)digit;
        have += 5;
        if (have >= 8) {
            have -= 8;
            char byte = (char)(bits >> have & 0xff);
            sbx_text_put(out, &byte, 1, SBX_MASK_LITERAL);
        }
    }
}

static void decode_hex(struct sbx_text *out, const struct sbx_value *in)
{
    int high = -1;
    for (size_t i = 0; i < in->len; i++) {
        char c = (char)tolower((unsigned char)in->text[i]);
        if (!isxdigit((unsigned char)c))
            continue;
        int digit = isdigit((unsigned char)c) ? c - '0' : c - 'a' + 10;
        if (high < 0) {
            high = digit;
        } else {
            char byte = (char)(high * 16 + digit);
            sbx_text_put(out, &byte, 1, SBX_MASK_LITERAL);
            high = -1;
        }
    }
}

/* A tr set written out: ranges, escapes, classes of letters. */
static size_t tr_set(const struct sbx_value *spec, char *out, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < spec->len && n < size;) {
        char from = 0;
        size_t used = sbx_escape_byte(spec->text + i, spec->len - i, &from);
        if (!used)
            from = spec->text[i];
        i += used ? used : 1;
        if (!strncmp(spec->text + i - 1, "[:upper:]", 9) ||
            !strncmp(spec->text + i - 1, "[:lower:]", 9)) {
            char first = spec->text[i + 1] == 'u' ? 'A' : 'a';
            for (int k = 0; k < 26 && n < size; k++)
                out[n++] = (char)(first + k);
            i += 8;
            continue;
        }
        if (i + 1 < spec->len && spec->text[i] == '-' &&
            (unsigned char)spec->text[i + 1] >= (unsigned char)from) {
            for (int c = (unsigned char)from; c <= (unsigned char)spec->text[i + 1] && n < size;
                 c++)
                out[n++] = (char)c;
            i += 2;
            continue;
        }
        out[n++] = from;
    }
    return n;
}

static void translate(struct sbx_use *use, struct sbx_text *out, const struct sbx_value *in)
{
    char from[256], to[256];
    bool deletes = sbx_use_letter(use, 'd');
    size_t from_len = use->operands ? tr_set(use->operand[0], from, sizeof(from)) : 0;
    size_t to_len = use->operands > 1 && !deletes ? tr_set(use->operand[1], to, sizeof(to)) : 0;
    bool complement = sbx_use_has(use, "-c -C --complement");
    for (size_t i = 0; i < in->len; i++) {
        const char *hit = memchr(from, in->text[i], from_len);
        bool matches = (hit != NULL) != complement;
        char byte = in->text[i];
        if (matches && deletes)
            continue;
        if (matches && to_len) {
            size_t at = hit && !complement ? (size_t)(hit - from) : to_len - 1;
            byte = to[at < to_len ? at : to_len - 1];
        }
        sbx_text_put(out, &byte, 1, sbx_value_mask(in, i));
    }
}

void sbx_check_transform(struct sbx_judge *j, struct sbx_use *use)
{
    const char *name = use->name;
    const struct sbx_value *in = use->in ? use->in->text : NULL;
    struct sbx_text out = {.arena = &j->arena};
    bool compressor = strcmp(name, "base64") != 0 && strcmp(name, "base32") != 0 &&
                      strcmp(name, "basenc") != 0 && strcmp(name, "tr") != 0 &&
                      strcmp(name, "xxd") != 0;
    if (compressor && use->operands && !sbx_use_has(use, "-c --stdout -l -t -k --keep")) {
        /* The file is replaced by its packed or unpacked form; a tree, each file in it. */
        bool tree = sbx_use_has(use, "-r --recursive");
        for (uint32_t i = 0; i < use->operands; i++)
            (void)sbx_check_path(j, use->operand[i],
                                 tree ? SBX_ACCESS_DELETE_TREE : SBX_ACCESS_WRITE);
        return;
    }
    if (use->operands == 1 && strcmp(name, "tr") != 0 && !sbx_value_is(use->operand[0], "-")) {
        char path[SBX_PATH_BYTES];
        struct sbx_made *made =
            sbx_path_of(j, use->operand[0], path, sizeof(path)) ? sbx_made_find(j, path) : NULL;
        in = made ? made->text : NULL;
    }
    if (!in || !sbx_value_known(in) || in->len > EXPANDED_MAX)
        return;
    if (!strcmp(name, "tr"))
        translate(use, &out, in);
    else if (!strcmp(name, "base64") && sbx_use_letter(use, 'd'))
        decode_base64(&out, in);
    else if (!strcmp(name, "base32") && sbx_use_letter(use, 'd'))
        decode_base32(&out, in);
    else if (!strcmp(name, "xxd") && sbx_use_letter(use, 'r') && sbx_use_letter(use, 'p'))
        decode_hex(&out, in);
    else
        return;
    print_text(use, &out, use->out->taint);
}

/* ls, head, git ls-files: names, not contents. */
void sbx_check_narrow(struct sbx_judge *j, struct sbx_use *use)
{
    const char *name = use->name;
    use->out->is_set = true;
    if (!strcmp(name, "head") || !strcmp(name, "tail")) {
        if (use->in && use->in->text && !use->operands) {
            use->out->text = use->in->text;
            use->out->taint |= use->in->taint;
        }
        return;
    }
    if (!strcmp(name, "ls") || !strcmp(name, "git ls-files") || !strcmp(name, "dir"))
        use->out->taint = SBX_TAINT_LIST | (use->out->taint & SBX_TAINT_SECRET);
    /* ls -d prints the words that it is given. */
    if (!strcmp(name, "ls") && use->operands && sbx_use_letter(use, 'd')) {
        struct sbx_text names = {.arena = &j->arena, .taint = SBX_TAINT_LIST};
        for (uint32_t i = 0; i < use->operands; i++) {
            sbx_text_append(&names, use->operand[i]);
            sbx_text_put(&names, "\n", 1, SBX_MASK_LITERAL);
        }
        use->out->text = sbx_text_value(&names, j->span);
    }
    if (!strcmp(name, "git rev-parse") && sbx_use_has(use, "--show-toplevel")) {
        use->out->text = sbx_value_new(&j->arena, j->project, strlen(j->project));
        use->out->taint = 0;
    }
}

/* --- sort ------------------------------------------------------------------------------------------------------------- */
void sbx_check_sort(struct sbx_judge *j, struct sbx_use *use)
{
    (void)j;
    if (use->in && use->in->text && !use->operands && (use->in->taint & SBX_TAINT_LIST)) {
        use->out->text = use->in->text;
        use->out->taint |= use->in->taint;
    }
}
