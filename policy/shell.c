#include "policy/shell_int.h"

#include <string.h>

#define REST  (BYTE_PLAIN)
#define WORDY (BYTE_PLAIN | BYTE_NAME)
#define SOFT  (BYTE_PLAIN | BYTE_SOFT)

/* Bytes above ASCII are plain: no byte of a UTF-8 sequence is one of the shell's. */
const unsigned char sbx_sh_bytes_table[256] = {
    [0x01 ... 0x08] = REST,
    ['\t'] = BYTE_BLANK,
    ['\n'] = BYTE_META,
    [0x0b ... 0x1f] = REST,
    [' '] = BYTE_BLANK,
    ['!'] = SOFT | BYTE_SPECIAL,
    ['"'] = BYTE_DQUOTE,
    ['#'] = REST | BYTE_SPECIAL,
    ['$'] = BYTE_SPECIAL | BYTE_DQUOTE,
    ['%'] = REST,
    ['&'] = BYTE_META,
    ['\''] = BYTE_DQUOTE,
    ['('] = BYTE_META,
    [')'] = BYTE_META,
    ['*'] = BYTE_SPECIAL,
    ['+'] = SOFT,
    [','] = SOFT,
    ['-'] = REST | BYTE_SPECIAL,
    ['.'] = REST,
    ['/'] = SOFT,
    ['0' ... '9'] = WORDY | BYTE_DIGIT,
    [':'] = SOFT,
    [';'] = BYTE_META,
    ['<'] = BYTE_META,
    ['='] = BYTE_SOFT,
    ['>'] = BYTE_META,
    ['?'] = BYTE_SPECIAL,
    ['@'] = SOFT | BYTE_SPECIAL,
    ['A' ... 'Z'] = WORDY,
    ['['] = 0,
    ['\\'] = BYTE_DQUOTE,
    [']'] = SOFT,
    ['^'] = REST,
    ['_'] = WORDY,
    ['`'] = BYTE_DQUOTE,
    ['a' ... 'z'] = WORDY,
    ['{'] = 0,
    ['|'] = BYTE_META,
    ['}'] = SOFT,
    ['~'] = SOFT,
    [0x7f ... 0xff] = REST,
};

bool sbx_sh_fail(struct sbx_parser *p, enum sbx_parse_status status, uint32_t at,
                 const char *message)
{
    if (p->status != SBX_PARSE_OK)
        return false;
    p->status = status;
    p->error_at = sbx_sh_span(p, at, at).begin;
    size_t len = strnlen(message, sizeof(p->message) - 1);
    memcpy(p->message, message, len);
    p->message[len] = '\0';
    return false;
}

void *sbx_sh_bytes(struct sbx_parser *p, size_t bytes)
{
    void *memory = p->status == SBX_PARSE_OK ? sbx_arena_alloc(p->arena, bytes) : NULL;
    if (!memory)
        (void)sbx_sh_fail(p, SBX_PARSE_LIMIT, p->lex.pos, "too much memory for one input");
    return memory;
}

bool sbx_sh_count(struct sbx_parser *p, uint32_t nodes)
{
    if (nodes > SBX_SHELL_MAX_NODES - p->nodes)
        return sbx_sh_fail(p, SBX_PARSE_LIMIT, p->lex.pos, "too many parts in one input");
    p->nodes += nodes;
    return true;
}

void *sbx_sh_node(struct sbx_parser *p, size_t bytes)
{
    return sbx_sh_count(p, 1) ? sbx_sh_bytes(p, bytes) : NULL;
}

bool sbx_sh_enter(struct sbx_parser *p)
{
    if (p->depth >= SBX_SHELL_MAX_DEPTH)
        return sbx_sh_fail(p, SBX_PARSE_LIMIT, p->lex.pos, "nested too deeply");
    p->depth++;
    return true;
}

/* Some constructs have to be read twice (bash does it too); nested in one another they would be read
 * over and over: quadratic or worse, so the total is bounded. */
bool sbx_sh_spend(struct sbx_parser *p, size_t bytes)
{
    if (bytes > p->budget) {
        p->budget = 0;
        return sbx_sh_fail(p, SBX_PARSE_LIMIT, p->lex.pos, "takes too long to read");
    }
    p->budget -= bytes;
    return true;
}

struct sbx_span sbx_sh_span(const struct sbx_parser *p, uint32_t begin, uint32_t end)
{
    const uint32_t *map = p->lex.map;
    return map ? (struct sbx_span){map[begin], map[end]} : (struct sbx_span){begin, end};
}

/* The slot of the key, or the empty one where it belongs. Slots hold the number of an entry plus one. */
static uint32_t *slot_of(const struct sbx_parser *p, const char *key)
{
    /* Neighbours stay neighbours: they are asked for in order. */
    uint64_t block = (uint64_t)(uintptr_t)key >> 5;
    uint32_t slot = (uint32_t)((block * UINT64_C(0x9E3779B97F4A7C15)) >> 32);
    slot = (slot + (uint32_t)((uintptr_t)key & 31)) & (p->memo_size - 1);
    while (p->memo_slots[slot] && p->memo[p->memo_slots[slot] - 1].key != key)
        slot = (slot + 1) & (p->memo_size - 1);
    return &p->memo_slots[slot];
}

struct sbx_memo *sbx_sh_recall(const struct sbx_parser *p, const char *key)
{
    if (!p->memo_used)
        return NULL;
    uint32_t number = *slot_of(p, key);
    return number ? &p->memo[number - 1] : NULL;
}

/* The table is at most half full. */
static bool memo_grow(struct sbx_parser *p)
{
    uint32_t size = p->memo_size ? p->memo_size * 2 : 32;
    uint32_t *slots = sbx_sh_bytes(p, size * sizeof(*slots));
    struct sbx_memo *memo = sbx_sh_bytes(p, size / 2 * sizeof(*memo));
    if (!slots || !memo)
        return false;
    if (p->memo)
        memcpy(memo, p->memo, p->memo_used * sizeof(*memo));
    p->memo = memo;
    p->memo_slots = slots;
    p->memo_size = size;
    for (uint32_t i = 0; i < p->memo_used; i++)
        *slot_of(p, memo[i].key) = i + 1;
    return true;
}

struct sbx_memo *sbx_sh_remember(struct sbx_parser *p, const char *key)
{
    struct sbx_memo *known = sbx_sh_recall(p, key);
    if (!known) {
        if (!sbx_sh_count(p, 1) ||
            ((!p->memo || p->memo_used * 2 >= p->memo_size) && !memo_grow(p))) {
            (void)sbx_sh_fail(p, SBX_PARSE_LIMIT, p->lex.pos, "too many parts in one input");
            return NULL;
        }
        known = &p->memo[p->memo_used];
        *slot_of(p, key) = ++p->memo_used;
    }
    *known = (struct sbx_memo){.key = key};
    return known;
}

struct sbx_script *sbx_sh_soft(struct sbx_parser *p, const char *text, uint32_t begin, uint32_t end,
                               const uint32_t *map)
{
    if (p->status != SBX_PARSE_OK || !sbx_sh_enter(p))
        return NULL;
    struct sbx_lex saved = p->lex;
    bool was_cond_error = p->is_cond_error, was_open = p->heredoc_open, continued = p->continues;
    p->lex = (struct sbx_lex){.text = text,
                              .pos = begin,
                              .end = end,
                              .map = map,
                              .jump_at = UINT32_MAX,
                              .flags = saved.flags & LEX_EXTGLOB};
    p->is_cond_error = false;
    p->soft++;
    p->aliasing.off++;
    struct sbx_script *script = sbx_sh_input(p);
    p->aliasing.off--;
    p->soft--;
    if (p->status != SBX_PARSE_OK)
        script = NULL;
    if (p->status == SBX_PARSE_SYNTAX || p->status == SBX_PARSE_INCOMPLETE)
        p->status = SBX_PARSE_OK;
    p->lex = saved;
    p->is_cond_error = was_cond_error;
    p->heredoc_open = was_open;
    p->continues = continued;
    p->depth--;
    return script;
}

static void finish(struct sbx_parser *p, struct sbx_script *script, struct sbx_parse *out)
{
    if (p->is_cond_error) {
        /* bash complains, runs nothing more, and exits as if nothing had happened. */
        out->cond_error = true;
        p->status = SBX_PARSE_OK;
    }
    out->status = p->status;
    out->script = p->status == SBX_PARSE_OK ? script : NULL;
    out->partial =
        p->status == SBX_PARSE_SYNTAX || p->status == SBX_PARSE_INCOMPLETE ? script : NULL;
    out->error_at = p->error_at;
    memcpy(out->message, p->message, sizeof(out->message));
    out->heredoc_warning = p->heredoc_warning;
    out->wants_more =
        p->status == SBX_PARSE_INCOMPLETE ||
        (p->status == SBX_PARSE_OK && !out->cond_error && (p->heredoc_open || p->continues));
    out->alias_limit = p->status == SBX_PARSE_LIMIT && p->aliasing.limit;
    if (p->aliasing.table) {
        out->text = p->lex.text;
        out->len = p->lex.end;
    }
    out->source.splices = p->aliasing.splices;
    out->source.splice_count = p->aliasing.splice_count;
    if (p->lex.flags & LEX_EXTGLOB)
        out->source.flags |= SBX_SHELL_EXTGLOB;
    if (script)
        script->source = &out->source;
}

/* A copy with room for what aliases stand for. */
static bool begin_aliases(struct sbx_parser *p, const struct sbx_aliases *aliases)
{
    struct sbx_lex *lex = &p->lex;
    struct sbx_aliasing *a = &p->aliasing;
    if (!aliases || !aliases->count)
        return true;
    a->capacity = lex->end + ALIAS_BYTES;
    a->text = sbx_sh_bytes(p, a->capacity + 1);
    a->active = sbx_sh_bytes(p, ALIAS_DEPTH * sizeof(*a->active));
    if (!a->text || !a->active)
        return false;
    memcpy(a->text, lex->text, lex->end);
    lex->text = a->text;
    a->table = aliases;
    p->budget += (size_t)8 * ALIAS_BYTES;
    return true;
}

void sbx_shell_parse_aliased(struct sbx_arena *arena, const char *text, size_t len, unsigned flags,
                             const struct sbx_aliases *aliases, struct sbx_parse *out)
{
    *out = (struct sbx_parse){.status = SBX_PARSE_OK, .text = text, .len = len};
    out->source = (struct sbx_source){.text = text, .len = (uint32_t)len, .flags = flags};
    struct sbx_parser p = {
        .arena = arena,
        .budget = 8 * len + 64 * 1024,
        .follow_extglob = (flags & SBX_SHELL_FOLLOW_EXTGLOB) != 0,
        .lex = {.text = text,
                .jump_at = UINT32_MAX,
                .flags = flags & SBX_SHELL_EXTGLOB ? LEX_EXTGLOB : 0},
    };
    struct sbx_script *script = NULL;
    const char *nul = len ? memchr(text, '\0', len) : NULL;
    if (len > SBX_SHELL_MAX_BYTES) {
        (void)sbx_sh_fail(&p, SBX_PARSE_LIMIT, 0, "too long");
    } else if (nul) {
        (void)sbx_sh_fail(&p, SBX_PARSE_SYNTAX, (uint32_t)(nul - text), "holds a NUL byte");
    } else {
        p.lex.end = (uint32_t)len;
        if (begin_aliases(&p, aliases))
            script = sbx_sh_input(&p);
    }
    finish(&p, script, out);
}

void sbx_shell_parse_flags(struct sbx_arena *arena, const char *text, size_t len, unsigned flags,
                           struct sbx_parse *out)
{
    sbx_shell_parse_aliased(arena, text, len, flags, NULL, out);
}

void sbx_shell_parse(struct sbx_arena *arena, const char *text, size_t len, struct sbx_parse *out)
{
    sbx_shell_parse_aliased(arena, text, len, 0, NULL, out);
}
