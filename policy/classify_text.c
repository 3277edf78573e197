/* Text tools: what they print is known where their input is; some of them run programs. */
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
static size_t escape_byte(const char *at, size_t left, char *out)
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
                       ? escape_byte(value->text + i, value->len - i, &byte)
                       : 0;
        if (n)
            sbx_text_put(text, &byte, 1, SBX_MASK_LITERAL);
        else
            sbx_text_put(text, value->text + i, 1, sbx_value_mask(value, i));
        i += n ? n : 1;
    }
    text->taint |= value->taint;
}

void sbx_check_echo(struct sbx_judge *j, struct sbx_use *use)
{
    struct sbx_text text = {.arena = &j->arena};
    bool escapes = sbx_use_letter(use, 'e');
    for (uint32_t i = 0; i < use->operands; i++) {
        if (i)
            sbx_text_put(&text, " ", 1, SBX_MASK_LITERAL);
        if (escapes)
            put_escaped(&text, use->operand[i]);
        else
            sbx_text_append(&text, use->operand[i]);
    }
    if (!sbx_use_has(use, "-n"))
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
        size_t n = escape_byte(format->text + i, format->len - i, &byte);
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
            sbx_made_add(j, path, text, use->in ? use->in->taint : 0, NULL);
            sbx_classify_written(j, path, text);
        }
        use->out->text = text;
        return;
    }
    if (use->operands == 1 && !sbx_value_is(use->operand[0], "-")) {
        char path[SBX_PATH_BYTES];
        struct sbx_made *made =
            sbx_path_of(j, use->operand[0], path, sizeof(path)) ? sbx_made_find(j, path) : NULL;
        text = made ? made->text : NULL;
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
        size_t used = escape_byte(spec->text + i, spec->len - i, &from);
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
        /* The file is replaced by its packed or unpacked form. */
        for (uint32_t i = 0; i < use->operands; i++)
            (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_WRITE);
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
    (void)j;
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
    if (!strcmp(name, "git rev-parse") && sbx_use_has(use, "--show-toplevel")) {
        use->out->text = sbx_value_new(&j->arena, j->project, strlen(j->project));
        use->out->taint = 0;
    }
}

/* --- sed ------------------------------------------------------------------------------------------------------------- */
struct sed {
    struct sbx_judge *j;
    const char *at, *end;
    bool reads_files;
};

/* Past an unescaped delimiter. */
static const char *sed_past(const struct sed *s, const char *at, char delimiter)
{
    bool set = false;
    while (at < s->end && (*at != delimiter || set)) {
        if (*at == '\\' && at + 1 < s->end)
            at++;
        else if (*at == '[')
            set = false;
        at++;
    }
    return at < s->end ? at + 1 : at;
}

static void sed_file(struct sed *s, enum sbx_access access)
{
    const char *from = s->at + strspn(s->at, " \t"), *to = from;
    while (to < s->end && *to != '\n' && *to != ';' && *to != '}')
        to++;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    struct sbx_value *file =
        to > from ? sbx_value_new(&s->j->arena, from, (size_t)(to - from)) : NULL;
    if (file)
        (void)sbx_check_path(s->j, file, access);
    s->at = to;
}

static void sed_exec(struct sed *s)
{
    sbx_find(s->j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "a command run by sed",
             "run that command by itself");
    s->at = s->end;
}

static void sed_substitute(struct sed *s)
{
    char delimiter = *s->at++;
    s->at = sed_past(s, s->at, delimiter);
    s->at = sed_past(s, s->at, delimiter);
    for (; s->at < s->end && (isalnum((unsigned char)*s->at)); s->at++) {
        if (*s->at == 'e') {
            sed_exec(s);
            return;
        }
        if (*s->at == 'w') {
            s->at++;
            sed_file(s, SBX_ACCESS_WRITE);
            return;
        }
    }
}

static void sed_address(struct sed *s)
{
    for (;;) {
        s->at += strspn(s->at, " \t;{}\n");
        if (s->at >= s->end)
            return;
        if (*s->at == '/' || *s->at == '\\') {
            char delimiter = *s->at == '\\' && s->at + 1 < s->end ? *++s->at : '/';
            s->at = sed_past(s, s->at + 1, delimiter);
            s->at += strspn(s->at, "IM");
        } else if (isdigit((unsigned char)*s->at) || strchr("$,+~!", *s->at)) {
            s->at++;
        } else {
            return;
        }
    }
}

static void sed_script(struct sbx_judge *j, const struct sbx_value *script)
{
    struct sed s = {.j = j, .at = script->text, .end = script->text + script->len};
    while (s.at < s.end) {
        sed_address(&s);
        if (s.at >= s.end)
            return;
        char c = *s.at++;
        if (c == 's' && s.at < s.end)
            sed_substitute(&s);
        else if (c == 'y' && s.at < s.end)
            s.at = sed_past(&s, sed_past(&s, s.at + 1, *s.at), *s.at);
        else if (c == 'e')
            sed_exec(&s);
        else if (c == 'w' || c == 'W')
            sed_file(&s, SBX_ACCESS_WRITE);
        else if (c == 'r' || c == 'R')
            sed_file(&s, SBX_ACCESS_READ);
        else if (strchr("aic", c) || strchr(":btT#", c))
            while (s.at < s.end && *s.at != '\n' && !(strchr(":btT", c) && *s.at == ';')) {
                s.at += *s.at == '\\' && s.at + 1 < s.end;
                s.at++;
            }
    }
}

static void awk_program(struct sbx_judge *j, const struct sbx_value *program);

/* A script in a file, or on standard input: known where it was made in this input. */
static void script_file(struct sbx_judge *j, const struct sbx_use *use,
                        const struct sbx_value *file, bool awk)
{
    char path[SBX_PATH_BYTES];
    bool standard = sbx_value_is(file, "-") || sbx_value_is(file, "/dev/stdin");
    struct sbx_made *made =
        !standard && sbx_path_of(j, file, path, sizeof(path)) ? sbx_made_find(j, path) : NULL;
    const struct sbx_value *text = standard && use->in ? use->in->text : made ? made->text : NULL;
    uint32_t taint = (standard && use->in ? use->in->taint : 0) | (made ? made->taint : 0);
    if (taint & SBX_TAINT_NET)
        sbx_find(j, SBX_DENY, SBX_CLASS_REMOTE_CODE, "code from the network",
                 "read what was downloaded first, and run it in a later command");
    else if (text && awk)
        awk_program(j, text);
    else if (text)
        sed_script(j, text);
}

void sbx_check_sed(struct sbx_judge *j, struct sbx_use *use)
{
    bool has_script = false, in_place = sbx_use_letter(use, 'i');
    uint32_t taint = use->in ? use->in->taint : 0;
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *o = &use->option[i];
        if (o->letter == 'e' && o->value)
            sed_script(j, o->value);
        has_script |= o->letter == 'e' || o->letter == 'f';
        if (o->letter == 'f' && o->value)
            script_file(j, use, o->value, false);
    }
    for (uint32_t i = 0; i < use->operands; i++) {
        if (!has_script) {
            has_script = true;
            sed_script(j, use->operand[i]);
            continue;
        }
        taint |= sbx_check_path(j, use->operand[i], in_place ? SBX_ACCESS_WRITE : SBX_ACCESS_READ);
    }
    if (in_place)
        j->writes_output = true;
    use->out->is_set = true;
    use->out->taint = taint;
}

/* --- awk ------------------------------------------------------------------------------------------------------------- */
/* A string literal that begins at `at` ('"'); returns what is behind it. */
static const char *awk_string(struct sbx_judge *j, const char *at, const char *end,
                              struct sbx_value **out)
{
    struct sbx_text text = {.arena = &j->arena};
    for (at++; at < end && *at != '"';) {
        char byte = 0;
        size_t n = escape_byte(at, (size_t)(end - at), &byte);
        sbx_text_put(&text, n ? &byte : at, 1, SBX_MASK_LITERAL);
        at += n ? n : 1;
    }
    *out = sbx_text_value(&text, (struct sbx_span){0, 0});
    return at < end ? at + 1 : at;
}

/* system() inherits the input; what print pipes to a command is its input. */
static void awk_run(struct sbx_judge *j, struct sbx_value *command, bool whole, bool piped)
{
    const struct sbx_flow in = {.is_set = true, .taint = SBX_TAINT_FILE};
    struct sbx_flow out = {0};
    if (command)
        sbx_judge_code(j, command, piped ? &in : NULL, &out);
    if (!command || !whole)
        sbx_find(j, SBX_ASK, SBX_CLASS_SHELL_EVASION, "a command that awk puts together",
                 "run the commands from the shell, where they can be read");
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* system("…"), "cmd" | getline, print > "file", print | "cmd" */
static void awk_program(struct sbx_judge *j, const struct sbx_value *program)
{
    const char *at = program->text, *end = at + program->len, *before = NULL;
    char last = 0, last_but_one = 0;
    bool is_system = false, printing = false;
    while (at < end) {
        if (*at == '#') {
            while (at < end && *at != '\n')
                at++;
            continue;
        }
        if (*at == '/' && !isalnum((unsigned char)last) && last != ')' && last != ']' &&
            last != '$' && last != '_') {
            for (at++; at < end && *at != '/' && *at != '\n'; at++)
                at += *at == '\\' && at + 1 < end;
            last = '/';
            at += at < end;
            continue;
        }
        if (*at == '"') {
            struct sbx_value *text = NULL;
            at = awk_string(j, at, end, &text);
            const char *next = skip_blanks(at, end);
            bool whole = next >= end || strchr(");}\n|&,", *next);
            if (is_system || (last == '|' && last_but_one != '|'))
                awk_run(j, text, whole, !is_system);
            else if (next + 1 < end && *next == '|' && next[1] != '|' && text && !printing)
                awk_run(j, text, true, false);
            else if (last == '>' && printing && text && text->len &&
                     (text->text[0] == '/' || text->text[0] == '~' || text->text[0] == '.' ||
                      !strchr(text->text, ' ')))
                (void)sbx_check_path(j, text, SBX_ACCESS_WRITE);
            else if (text && text->len > 1 && text->text[0] == '/')
                (void)sbx_check_path(j, text, SBX_ACCESS_READ);
            if (text && !strncmp(text->text, "/inet/", 6))
                sbx_find(j, SBX_DENY, SBX_CLASS_EXFIL, "a network connection of awk's",
                         "use curl for what you need from the network");
            is_system = false;
            last_but_one = last;
            last = '"';
            continue;
        }
        if (isalpha((unsigned char)*at) || *at == '_') {
            before = at;
            while (at < end && (isalnum((unsigned char)*at) || *at == '_'))
                at++;
            size_t len = (size_t)(at - before);
            const char *next = skip_blanks(at, end);
            if (len == 6 && !memcmp(before, "system", 6) && next < end && *next == '(') {
                const char *arg = skip_blanks(next + 1, end);
                is_system = true;
                if (arg < end && *arg != '"')
                    awk_run(j, NULL, false, false);
                at = arg;
            }
            printing |= (len == 5 && !memcmp(before, "print", 5)) ||
                        (len == 6 && !memcmp(before, "printf", 6));
            last_but_one = last;
            last = 'a';
            continue;
        }
        if (*at == ';' || *at == '}' || *at == '\n')
            printing = false;
        if (!isspace((unsigned char)*at)) {
            last_but_one = last;
            last = *at;
        }
        at++;
    }
}

void sbx_check_awk(struct sbx_judge *j, struct sbx_use *use)
{
    bool has_program = false;
    uint32_t taint = use->in ? use->in->taint : 0;
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *o = &use->option[i];
        if (o->letter == 'e' && o->value)
            awk_program(j, o->value);
        has_program |= o->letter == 'e' || o->letter == 'f';
        if (o->letter == 'f' && o->value)
            script_file(j, use, o->value, true);
    }
    for (uint32_t i = 0; i < use->operands; i++) {
        const struct sbx_value *word = use->operand[i];
        if (!has_program) {
            has_program = true;
            awk_program(j, word);
        } else if (!memchr(word->text, '=', word->len)) {
            taint |= sbx_check_path(j, word, SBX_ACCESS_READ);
        }
    }
    use->out->is_set = true;
    use->out->taint = taint;
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

/* --- editors and pagers ------------------------------------------------------------------------------------------------ */
static void find_editor(struct sbx_judge *j, enum sbx_verdict_kind verdict, const char *what)
{
    sbx_find(j, verdict, SBX_CLASS_SHELL_EVASION, what, "run that command by itself");
}

/* Editors know ~ themselves. */
static void editor_path(struct sbx_judge *j, const struct sbx_value *file, enum sbx_access access)
{
    struct sbx_text text = {.arena = &j->arena};
    bool home = file->text[0] == '~' && file->text[1] == '/';
    if (home)
        sbx_text_put(&text, j->home, strlen(j->home), SBX_MASK_LITERAL);
    sbx_text_put(&text, file->text + home, file->len - home, SBX_MASK_LITERAL);
    struct sbx_value *path = sbx_text_value(&text, file->span);
    if (path && path->len)
        (void)sbx_check_path(j, path, access);
}

/* A command of vi's or ed's: ! runs, w and r name files, languages have their own. */
static void editor_command(struct sbx_judge *j, const char *text, size_t len)
{
    static const char *const languages[] = {"python", "py",   "py3", "python3", "lua",
                                            "perl",   "ruby", "tcl", "mzscheme"};
    struct sbx_value *line = sbx_value_new(&j->arena, text, len);
    if (!line)
        return;
    const char *at = line->text + strspn(line->text, ": \t%$.,0123456789'<>+-");
    size_t word = 0;
    while (isalpha((unsigned char)at[word]) || isdigit((unsigned char)at[word]))
        word++;
    const char *gap = at + word + strspn(at + word, " 	");
    const char *rest = at + word + strspn(at + word, "! 	");
    bool bang = *at == '!' || (gap > at + word && *gap == '!'); /* w! forces, w !cmd runs */
    if (*at == '!' ||
        (bang &&
         (!strncmp(at, "w", word) || !strncmp(at, "r", word) || !strncmp(at, "read", word) ||
          !strncmp(at, "write", word)) &&
         at[word] == ' ') ||
        (word && !strncmp(at, "r!", 2)) || !strncmp(at, "te", 2) ||
        !strncmp(at, "sh", word ? word : 1) || !strncmp(at, "shell", word ? word : 1)) {
        const char *code = *at == '!' ? at + 1 : strchr(at, '!') ? strchr(at, '!') + 1 : "";
        struct sbx_value *value = sbx_value_new(&j->arena, code, strlen(code));
        struct sbx_flow out = {0};
        const struct sbx_flow in = {.is_set = true, .taint = SBX_TAINT_FILE};
        if (*code && value)
            sbx_judge_code(j, value, &in, &out);
        find_editor(j, SBX_DENY, "a command run from an editor");
        return;
    }
    for (size_t i = 0; i < sizeof(languages) / sizeof(*languages); i++)
        if (word == strlen(languages[i]) && !strncmp(at, languages[i], word)) {
            struct sbx_value *value = sbx_value_new(&j->arena, rest, strlen(rest));
            if (value)
                sbx_classify_program(j, languages[i], value, NULL);
            if (strstr(rest, "vim.command") || strstr(rest, "exec"))
                find_editor(j, SBX_DENY, "a command run from an editor");
            return;
        }
    if (strstr(line->text, "system(") || strstr(line->text, "job_start") ||
        strstr(line->text, "jobstart") || strstr(line->text, "term_start") ||
        strstr(line->text, "termopen") || strstr(line->text, "libcall"))
        find_editor(j, SBX_DENY, "a command run from an editor");
    if (!strncmp(at, "e ", 2) || !strncmp(at, "r ", 2) || !strncmp(at, "sp ", 3) ||
        !strncmp(at, "source ", 7) || !strncmp(at, "read ", 5)) {
        struct sbx_value *file = sbx_value_new(&j->arena, rest, strcspn(rest, " |\n"));
        if (file)
            (void)sbx_check_path(j, file, SBX_ACCESS_READ);
    }
    if ((!strncmp(at, "w", word) || !strncmp(at, "write", word) || !strncmp(at, "sav", word) ||
         !strncmp(at, "saveas", word)) &&
        word && *rest && at[word] != 'q') {
        struct sbx_value *file = sbx_value_new(&j->arena, rest, strcspn(rest, " |\n"));
        if (file && file->len)
            editor_path(j, file, SBX_ACCESS_WRITE);
    }
}

static void editor_lines(struct sbx_judge *j, const struct sbx_value *text)
{
    for (size_t at = 0; at < text->len;) {
        size_t len = strcspn(text->text + at, "\n|");
        if (len)
            editor_command(j, text->text + at, len);
        at += len + 1;
    }
}

static bool is_emacs(const char *name)
{
    return strstr(name, "emacs") != NULL || !strcmp(name, "mg");
}

void sbx_check_editor(struct sbx_judge *j, struct sbx_use *use)
{
    const char *name = use->name;
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *o = &use->option[i];
        if (o->letter == 'x' && o->value && is_emacs(name)) {
            if (strstr(o->value->text, "shell") || strstr(o->value->text, "term") ||
                strstr(o->value->text, "process"))
                find_editor(j, SBX_DENY, "a command run from an editor");
            else
                sbx_classify_program(j, "emacs", o->value, NULL);
        } else if (o->letter == 'c' && o->value) {
            editor_lines(j, o->value);
        } else if ((o->letter == 'f' || o->letter == 'u') && o->value &&
                   !sbx_value_is(o->value, "NONE") && !sbx_value_is(o->value, "DEFAULTS")) {
            sbx_find(j, SBX_ASK, SBX_CLASS_SHELL_EVASION, "an editor script that nobody sees",
                     "use sed, or write the file as a whole");
        } else if (!o->letter && o->name[0] == '+' && o->name_len > 1) {
            editor_command(j, o->name + 1, o->name_len - 1);
        }
    }
    for (uint32_t i = use->first; i < use->words; i++)
        if (use->word[i]->text[0] == '+' && use->word[i]->len > 1 && !is_emacs(name))
            editor_lines(j, &(struct sbx_value){.text = use->word[i]->text + 1,
                                                .len = use->word[i]->len - 1});
    if (use->in && use->in->is_set && use->in->text && !is_emacs(name))
        editor_lines(j, use->in->text);
    /* Who opens a start-up file in an editor means to change it. */
    for (uint32_t i = 0; i < use->operands && !strstr(name, "view"); i++) {
        char path[SBX_PATH_BYTES];
        if (sbx_path_of(j, use->operand[i], path, sizeof(path)) && sbx_place_is_startup(j, path))
            (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_WRITE);
    }
    use->out->is_set = true;
    use->out->taint = SBX_TAINT_FILE;
}

void sbx_check_pager(struct sbx_judge *j, struct sbx_use *use)
{
    for (uint32_t i = use->first; i < use->words; i++) {
        const char *word = use->word[i]->text;
        if (word[0] == '+' && (strchr(word, '!') || strchr(word, '|') || strstr(word, "v")) &&
            word[1] && use->name[0] != 'b')
            find_editor(j, SBX_DENY, "a command run from a pager");
    }
    if (!strcmp(use->name, "man") && sbx_use_letter(use, 'l'))
        for (uint32_t i = 0; i < use->operands; i++)
            (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_READ);
    if (!strcmp(use->name, "man") || !strcmp(use->name, "mandoc"))
        for (uint32_t i = 0; i < use->operands; i++)
            if (strchr(use->operand[i]->text, '/'))
                (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_READ);
}

/* TeX reads, writes and, with -shell-escape, runs what its text says. */
void sbx_check_tex(struct sbx_judge *j, struct sbx_use *use)
{
    for (uint32_t i = 0; i < use->operands; i++) {
        const struct sbx_value *text = use->operand[i];
        const char *hit = strstr(text->text, "write18{");
        if (!strchr(text->text, '\\'))
            continue;
        sbx_classify_program(j, "tex", text, NULL);
        if (hit) {
            struct sbx_value *code = sbx_value_new(&j->arena, hit + 8, strcspn(hit + 8, "}"));
            struct sbx_flow out = {0};
            if (code)
                sbx_judge_code(j, code, NULL, &out);
        }
    }
}

/* cmake -E env CMD, cmake -E time CMD */
void sbx_check_cmake(struct sbx_judge *j, struct sbx_use *use)
{
    if (!sbx_use_letter(use, 'E') || use->operands < 2)
        return;
    uint32_t at = 1;
    if (!sbx_value_is(use->operand[0], "env") && !sbx_value_is(use->operand[0], "time"))
        return;
    while (at < use->operands && strchr(use->operand[at]->text, '='))
        at++;
    if (at < use->operands)
        sbx_judge_argv(j, (struct sbx_argv){use->operand + at, use->operands - at}, use->in,
                       use->out);
}
