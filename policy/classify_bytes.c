/* Bytes that people do not see, and letters that look like others. */
#include "policy/classify.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Decodes one character; 0 for what is no valid UTF-8. *len is at least 1. */
static uint32_t decode(const unsigned char *at, size_t left, size_t *len)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = at[0] < 0x80                    ? 1
               : at[0] >= 0xf0 && at[0] < 0xf5 ? 4
               : at[0] >= 0xe0                 ? 3
               : at[0] >= 0xc2                 ? 2
                                               : 0;
    *len = 1;
    if (n == 1)
        return at[0];
    if (!n || n > left || at[0] > 0xf4)
        return 0;
    uint32_t c = at[0] & (0xffu >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (at[i] & 0x3f);
    }
    if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return 0;
    *len = n;
    return c;
}

/* Turns the direction of text round: never harmless in a command. */
static bool is_bidi(uint32_t c)
{
    return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e ||
           c == 0x200f || c == 0x061c;
}

/* Takes no room, or looks like a space that the shell does not take for one. */
static bool is_invisible(uint32_t c)
{
    return (c >= 0x200b && c <= 0x200d) || c == 0x2060 || c == 0xfeff || c == 0xad || c == 0xa0 ||
           c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 ||
           c == 0x202f || c == 0x205f || c == 0x3000 || c == 0x180e || c == 0x034f || c == 0x115f ||
           c == 0x1160 || c == 0x3164 || c == 0xffa0 || (c >= 0xe0000 && c <= 0xe007f) ||
           (c >= 0x80 && c < 0xa0);
}

static bool is_control(uint32_t c)
{
    return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
}

/* --- where text is only data -------------------------------------------------------------------------------------- */
struct place_in_text {
    uint32_t at;
    bool in_quotes, in_heredoc;
};

static void look_script(const struct sbx_script *script, struct place_in_text *where);

static void look_parts(const struct sbx_part *part, struct place_in_text *where)
{
    for (; part; part = part->next) {
        if (where->at < part->span.begin || where->at >= part->span.end)
            continue;
        if (part->kind == SBX_PART_SINGLE || part->kind == SBX_PART_DOUBLE ||
            part->kind == SBX_PART_ANSI)
            where->in_quotes = true;
        if (part->parts)
            look_parts(part->parts, where);
        if (part->script) {
            where->in_quotes = false; /* "$( … )": code again */
            look_script(part->script, where);
        }
    }
}

static void look_words(const struct sbx_word *word, struct place_in_text *where)
{
    for (; word; word = word->next)
        if (where->at >= word->span.begin && where->at < word->span.end)
            look_parts(word->parts, where);
}

static void look_command(const struct sbx_command *c, struct place_in_text *where)
{
    look_words(c->words, where);
    for (const struct sbx_assign *a = c->assigns; a; a = a->next)
        look_words(a->value, where);
    for (const struct sbx_redir *r = c->redirs; r; r = r->next) {
        look_words(r->target, where);
        if (r->heredoc && where->at >= r->heredoc->span.begin && where->at < r->heredoc->span.end)
            where->in_heredoc = true;
    }
    if (c->condition)
        look_script(c->condition, where);
    if (c->body)
        look_script(c->body, where);
    for (const struct sbx_clause *clause = c->clauses; clause; clause = clause->next) {
        if (clause->condition)
            look_script(clause->condition, where);
        if (clause->body)
            look_script(clause->body, where);
    }
}

static void look_script(const struct sbx_script *script, struct place_in_text *where)
{
    for (const struct sbx_pipeline *p = script->pipelines; p; p = p->next)
        for (const struct sbx_command *c = p->commands; c; c = c->next)
            look_command(c, where);
}

/* A character as bash spells it: \x1b, \u200b, \U000e0041; \xff where it is none. */
static void spell(uint32_t c, unsigned char byte, char *out, size_t size)
{
    (void)snprintf(out, size,
                   c < 0x80      ? "\\x%02x"
                   : c < 0x10000 ? "\\u%04x"
                                 : "\\U%08x",
                   c < 0x80 ? byte : c);
}

/* In the log and for the agent: which character, where, and what is the matter with it. */
struct odd {
    enum sbx_verdict_kind verdict;
    struct sbx_span span;
    bool is_there;    /* span is its own, not that of the command */
    const char *name; /* as spell() writes it */
};

static void find_character(struct sbx_judge *j, const struct odd *odd, const char *what,
                           const char *instead)
{
    char rule[128], reason[256], place[24] = "";
    struct sbx_span outer = j->span;
    if (odd->is_there)
        (void)snprintf(place, sizeof(place), " at byte %u", odd->span.begin);
    (void)snprintf(rule, sizeof(rule), "%s: %s%s", what, odd->name, place);
    (void)snprintf(reason, sizeof(reason), "%s%s is %s; %s", odd->name, place, what, instead);
    const char *kept = sbx_arena_strndup(&j->arena, rule, strlen(rule));
    const char *told = sbx_arena_strndup(&j->arena, reason, strlen(reason));
    j->span = odd->span;
    sbx_find(j, odd->verdict, SBX_CLASS_SHELL_EVASION, kept ? kept : what, told ? told : instead);
    j->span = outer;
}

/* bytes: the text of which `script` was made, with what aliases put into it. */
static void find_bytes(struct sbx_judge *j, const unsigned char *bytes, size_t at, size_t len,
                       const char *what)
{
    char name[16];
    size_t n = 1;
    struct sbx_span span = {(uint32_t)at, (uint32_t)(at + len)};
    spell(decode(bytes + at, len, &n), bytes[at], name, sizeof(name));
    if (j->source) {
        (void)sbx_source_place(j->source, span.begin, false, &span.begin);
        (void)sbx_source_place(j->source, span.end, true, &span.end);
    }
    find_character(j, &(struct odd){SBX_DENY, span, true, name}, what,
                   "type the command again with plain letters and spaces");
}

#define LOOKS_MAX 64 /* an input with more of them is odd enough */

void sbx_classify_bytes(struct sbx_judge *j, const char *text, size_t len,
                        const struct sbx_script *script)
{
    const unsigned char *bytes = (const unsigned char *)text;
    unsigned looks = 0;
    for (size_t i = 0, n = 1; i < len; i += n) {
        n = 1;
        if (bytes[i] >= 0x20 && bytes[i] < 0x7f)
            continue;
        if (bytes[i] == '\n' || bytes[i] == '\t')
            continue;
        uint32_t c = decode(bytes + i, len - i, &n);
        if (!c) {
            find_bytes(j, bytes, i, n, bytes[i] ? "a byte that is no UTF-8" : "a NUL byte");
            return;
        }
        if (is_control(c) || is_bidi(c)) {
            find_bytes(j, bytes, i, n,
                       is_bidi(c) ? "a character that turns text round" : "a control character");
            return;
        }
        if (!is_invisible(c))
            continue;
        struct place_in_text where = {.at = (uint32_t)i};
        if (script && looks++ < LOOKS_MAX)
            look_script(script, &where);
        if (!where.in_quotes && !where.in_heredoc) {
            find_bytes(j, bytes, i, n, "an invisible character");
            return;
        }
    }
}

/* Where the bytes stand in what was typed, within the command that is judged; false where they came of an
 * expansion, an escape or a file. */
static bool place_of(const struct sbx_judge *j, const char *bytes, size_t len,
                     struct sbx_span *span)
{
    const struct sbx_source *source = j->source;
    *span = j->span;
    if (!source || span->begin < source->begin || span->end <= span->begin ||
        span->end - source->begin > source->len)
        return false;
    const char *text = source->text + (span->begin - source->begin);
    const char *hit = memmem(text, span->end - span->begin, bytes, len);
    if (!hit)
        return false;
    span->begin += (uint32_t)(hit - text);
    span->end = span->begin + (uint32_t)len;
    return true;
}

void sbx_classify_code_bytes(struct sbx_judge *j, const char *text, size_t len,
                             const struct sbx_script *script)
{
    /* Control characters and unknown parts come from $'…', decoding and joining: allowed there. */
    const unsigned char *bytes = (const unsigned char *)text;
    unsigned looks = 0;
    for (size_t i = 0, n = 1; i < len; i += n) {
        n = 1;
        if (bytes[i] < 0x80)
            continue;
        uint32_t c = decode(bytes + i, len - i, &n);
        struct place_in_text where = {.at = (uint32_t)i};
        if (!c || !is_invisible(c))
            continue;
        if (looks++ < LOOKS_MAX)
            look_script(script, &where);
        if (!where.in_quotes && !where.in_heredoc) {
            char name[16];
            struct odd odd = {.verdict = SBX_DENY, .name = name};
            odd.is_there = place_of(j, text + i, n, &odd.span);
            spell(c, bytes[i], name, sizeof(name));
            find_character(j, &odd, "an invisible character in code",
                           "write the command in plain characters");
            return;
        }
    }
}

/* --- names ---------------------------------------------------------------------------------------------------------- */
/* Letters of other scripts that look like Latin ones. */
static const struct {
    uint32_t from;
    char to;
} lookalikes[] = {
    {0x0430, 'a'},
    {0x0435, 'e'},
    {0x043e, 'o'},
    {0x0440, 'p'},
    {0x0441, 'c'},
    {0x0443, 'y'},
    {0x0445, 'x'},
    {0x0456, 'i'},
    {0x0458, 'j'},
    {0x0455, 's'},
    {0x04bb, 'h'},
    {0x0501, 'd'},
    {0x051b, 'q'},
    {0x051d, 'w'},
    {0x043c, 'm'},
    {0x0442, 't'},
    {0x043a, 'k'},
    {0x0432, 'b'},
    {0x043d, 'h'},
    {0x0433, 'r'},
    {0x0438, 'u'},
    {0x03b1, 'a'},
    {0x03b5, 'e'},
    {0x03bf, 'o'},
    {0x03c1, 'p'},
    {0x03bd, 'v'},
    {0x03b9, 'i'},
    {0x03ba, 'k'},
    {0x03c4, 't'},
    {0x03c5, 'u'},
    {0x03c7, 'x'},
    {0x0131, 'i'},
    {0x0261, 'g'},
    {0x1d0f, 'o'},
    {0x0251, 'a'},
    {0x0585, 'o'},
    {0x057d, 'u'},
    {0x0578, 'n'},
    {0x0570, 'h'},
    {0x0581, 'g'},
    {0x0566, 'q'},
    {0x2113, 'l'},
    {0x217c, 'l'},
    {0x2170, 'i'},
    {0x217d, 'c'},
    {0x217e, 'd'},
    {0x217f, 'm'},
    {0x0274, 'n'},
    {0x0280, 'r'},
    {0x04cf, 'l'},
    {0x0406, 'l'},
    {0x0410, 'a'},
    {0x0412, 'b'},
    {0x0415, 'e'},
    {0x041a, 'k'},
    {0x041c, 'm'},
    {0x041d, 'h'},
    {0x041e, 'o'},
    {0x0420, 'p'},
    {0x0421, 'c'},
    {0x0422, 't'},
    {0x0425, 'x'},
};

static char plain_letter(uint32_t c)
{
    if (c < 0x80)
        return (char)c;
    if (c >= 0xff01 && c <= 0xff5e)
        return (char)tolower((int)(c - 0xff01 + 0x21));
    if (c >= 0x1d400 && c <= 0x1d6a3)
        return (char)('a' + (c - 0x1d400) % 26);
    for (size_t i = 0; i < sizeof(lookalikes) / sizeof(*lookalikes); i++)
        if (lookalikes[i].from == c)
            return lookalikes[i].to;
    /* Latin letters with marks: the mark is easily missed. */
    static const char latin[] = "aaaaaaaceeeeiiiidnooooo/ouuuuypsaaaaaaaceeeeiiiidnooooo/ouuuuypy";
    if (c >= 0xc0 && c <= 0xff)
        return latin[c - 0xc0];
    return 0;
}

/* A path of plain letters: /usr/b\u0456n/ls lies in no folder of the system. */
static bool imitates_system(const char *plain)
{
    static const char *const folders[] = {"/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/",
                                          "/usr/local/bin/"};
    for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
        if (!strncmp(plain, folders[i], strlen(folders[i])))
            return true;
    return false;
}

/* The name in plain letters; odd: where the first character outside ASCII stands, or len. */
static void plain_name(const struct sbx_value *name, char *plain, size_t size, size_t *odd)
{
    const unsigned char *bytes = (const unsigned char *)name->text;
    size_t at = 0;
    *odd = name->len;
    for (size_t i = 0, n = 1; i < name->len; i += n) {
        n = 1;
        char letter = (char)bytes[i];
        if (bytes[i] >= 0x80) {
            *odd = *odd == name->len ? i : *odd;
            letter = plain_letter(decode(bytes + i, name->len - i, &n));
        }
        if (letter && at + 1 < size)
            plain[at++] = letter;
    }
    plain[at] = 0;
}

void sbx_classify_name(struct sbx_judge *j, const struct sbx_value *name)
{
    char plain[128], spelled[16];
    size_t odd, n = 1;
    plain_name(name, plain, sizeof(plain), &odd);
    const char *slash = memrchr(name->text, '/', name->len);
    size_t first = slash ? (size_t)(slash - name->text) : 0;
    bool in_folder = odd < first && imitates_system(plain);
    if (odd < first && !in_folder) /* a folder of the project may have any name */
        for (odd = first; odd < name->len && (unsigned char)name->text[odd] < 0x80;)
            odd++;
    if (odd == name->len)
        return;
    const unsigned char *bytes = (const unsigned char *)name->text + odd;
    const char *base = strrchr(plain, '/') ? strrchr(plain, '/') + 1 : plain;
    uint32_t c = decode(bytes, name->len - odd, &n);
    bool imitates = in_folder || sbx_command_find(base, strlen(base));
    struct odd found = {.verdict = imitates ? SBX_DENY : SBX_ASK, .name = spelled};
    found.is_there = place_of(j, (const char *)bytes, n, &found.span);
    spell(c, *bytes, spelled, sizeof(spelled));
    find_character(j, &found,
                   imitates ? "a look-alike letter in a program's name"
                            : "a letter outside ASCII in a program's name",
                   "type the program's name in plain letters");
}

/* --- text that becomes public --------------------------------------------------------------------------------------- */
static bool contains_folded(const char *text, size_t len, const char *word)
{
    size_t word_len = strlen(word);
    for (size_t i = 0; word_len && i + word_len <= len; i++)
        if (tolower((unsigned char)text[i]) == tolower((unsigned char)word[0]) &&
            !strncasecmp(text + i, word, word_len))
            return true;
    return false;
}

void sbx_classify_public(struct sbx_judge *j, const struct sbx_value *text)
{
    enum { MODE_OFF = 0 };
    uint32_t count = 0;
    if (sbx_policy_number(j->policy, SBX_KEY_DISCLOSURE_MODE) <= MODE_OFF)
        return;
    static const char *const trailers[] = {"co-authored-by:", "generated-by:", "generated with ",
                                           "co-developed-by:", "assisted-by:"};
    bool hit = false;
    for (size_t i = 0; i < sizeof(trailers) / sizeof(*trailers); i++)
        hit |= contains_folded(text->text, text->len, trailers[i]);
    const struct sbx_item *items =
        sbx_policy_list(j->policy, SBX_KEY_DISCLOSURE_STRIP_TRAILER, &count);
    for (uint32_t i = 0; i < count; i++)
        hit |= contains_folded(text->text, text->len, sbx_policy_text(j->policy, items[i].text));
    if (hit)
        sbx_find(j, SBX_ASK, SBX_CLASS_DISCLOSURE, "an attribution trailer in public text",
                 "leave the attribution out of the message");
    items = sbx_policy_list(j->policy, SBX_KEY_DISCLOSURE_DENY_PATTERN, &count);
    for (uint32_t i = 0; i < count; i++)
        if (contains_folded(text->text, text->len, sbx_policy_text(j->policy, items[i].text)))
            sbx_find(j, SBX_ASK, SBX_CLASS_DISCLOSURE, "a word that must not become public",
                     "leave internal names out of public text");
}
