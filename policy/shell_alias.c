/* Aliases, put in the places of words while tokens are read, by bash's own rules: a word that holds no
 * quote, where a command may begin or behind an alias that ends in a blank; not inside its own value.
 * bash stacks texts and reads from the topmost; here the value is written over the word, which gives
 * the same bytes in the same order. Where the two could differ nothing is put in place: LIMIT. */
#include "policy/shell_int.h"

#include <string.h>

static enum sbx_token refuse(struct sbx_parser *p, uint32_t at, const char *message)
{
    if (p->status == SBX_PARSE_OK)
        p->aliasing.limit = true;
    (void)sbx_sh_fail(p, SBX_PARSE_LIMIT, at, message);
    return T_ERROR;
}

static bool ends_in_blank(const struct sbx_alias *alias)
{
    char last = alias->value_len ? alias->value[alias->value_len - 1] : 0;
    return last == ' ' || last == '\t';
}

void sbx_sh_alias_reach(struct sbx_parser *p, uint32_t at)
{
    struct sbx_aliasing *a = &p->aliasing;
    for (; a->depth && a->active[a->depth - 1].end <= at; a->depth--)
        p->lex.alias_next = ends_in_blank(a->active[a->depth - 1].alias);
}

bool sbx_sh_alias_fits(struct sbx_parser *p, uint32_t begin, enum sbx_token token)
{
    const struct sbx_aliasing *a = &p->aliasing;
    const struct sbx_lex *lex = &p->lex;
    uint32_t end = a->depth ? a->active[a->depth - 1].end : UINT32_MAX;
    uint32_t reach = lex->pushed_end > lex->pos && token == T_LPAREN ? lex->pushed_end : lex->pos;
    if (begin >= end || reach <= end || token == T_NEWLINE || token == T_EOF)
        return true;
    (void)refuse(p, begin, "an alias ends inside a word");
    return false;
}

static bool remember_splice(struct sbx_parser *p, struct sbx_splice splice)
{
    struct sbx_aliasing *a = &p->aliasing;
    if (a->splice_count == a->splice_capacity) {
        uint32_t capacity = a->splice_capacity ? a->splice_capacity * 2 : 16;
        struct sbx_splice *more = sbx_sh_bytes(p, capacity * sizeof(*more));
        if (!more)
            return false;
        if (a->splices)
            memcpy(more, a->splices, a->splice_count * sizeof(*more));
        a->splices = more;
        a->splice_capacity = capacity;
    }
    a->splices[a->splice_count++] = splice;
    return true;
}

/* What was found out about text behind `at` is no longer about the same bytes. */
static void forget_behind(struct sbx_parser *p, const char *at)
{
    static const char nowhere[] = "";
    for (uint32_t i = 0; i < p->memo_used; i++)
        if (p->memo[i].key >= at && p->memo[i].key < p->lex.text + p->lex.end)
            p->memo[i].key = nowhere;
}

static void move_place(uint32_t *place, uint32_t behind, uint32_t removed, uint32_t inserted)
{
    if (*place != UINT32_MAX && *place >= behind)
        *place = *place - removed + inserted;
}

/* bash adds a blank where the value ends in a word, so that the word ends with it. */
static bool wants_blank(const struct sbx_alias *alias)
{
    char last = alias->value_len ? alias->value[alias->value_len - 1] : ' ';
    return !memchr(" \t\n()<>;&|", last, 10);
}

static enum sbx_token splice(struct sbx_parser *p, const struct sbx_alias *alias, uint32_t begin,
                             uint32_t end)
{
    struct sbx_aliasing *a = &p->aliasing;
    struct sbx_lex *lex = &p->lex;
    uint32_t inserted = alias->value_len + wants_blank(alias), removed = end - begin;
    if (a->depth == ALIAS_DEPTH || a->splice_count == ALIAS_SPLICES ||
        inserted > a->capacity - (lex->end - removed) || lex->text != a->text)
        return refuse(p, begin, "aliases make it too long");
    forget_behind(p, lex->text + begin);
    memmove(a->text + begin + inserted, a->text + end, lex->end - end);
    memcpy(a->text + begin, alias->value, alias->value_len);
    if (inserted > alias->value_len)
        a->text[begin + alias->value_len] = ' ';
    lex->end = lex->end - removed + inserted;
    move_place(&lex->jump_at, end, removed, inserted);
    move_place(&lex->jump_to, end, removed, inserted);
    move_place(&lex->pushed_end, end, removed, inserted);
    for (unsigned i = 0; i < a->depth; i++)
        move_place(&a->active[i].end, end, removed, inserted);
    a->active[a->depth].alias = alias;
    a->active[a->depth++].end = begin + inserted;
    lex->pos = begin;
    if (!remember_splice(p, (struct sbx_splice){begin, removed, inserted}) ||
        !sbx_sh_spend(p, (lex->end - begin) / 64 + 16))
        return T_ERROR;
    return T_AGAIN;
}

enum sbx_token sbx_sh_alias_word(struct sbx_parser *p, const struct sbx_lexword *word)
{
    struct sbx_aliasing *a = &p->aliasing;
    struct sbx_lex *lex = &p->lex;
    bool was_next = lex->alias_next;
    lex->alias_next = false;
    if (!was_next && !sbx_sh_command_ok(lex))
        return T_WORD;
    const struct sbx_alias *alias = sbx_alias_find(a->table, word->raw, word->raw_len);
    for (unsigned i = 0; alias && i < a->depth; i++)
        if (a->active[i].alias == alias)
            return T_WORD;
    if (!alias)
        return T_WORD;
    if (alias->is_odd)
        return refuse(p, word->begin, "an alias with an odd name or value");
    /* In front of a case's pattern versions of bash differ. */
    if (lex->flags & LEX_CASEPAT)
        return refuse(p, word->begin, "an alias in front of a pattern");
    /* bash does not forget that an alias ended in a blank before it has looked at the next word. */
    lex->alias_next = was_next;
    return splice(p, alias, word->begin, word->end);
}

bool sbx_source_place(const struct sbx_source *source, uint32_t place, bool is_end, uint32_t *out)
{
    bool is_outside = true;
    for (uint32_t i = source->splice_count; i--;) {
        const struct sbx_splice *s = &source->splices[i];
        if (place >= s->at + s->inserted && (place > s->at || !is_end)) {
            place = place - s->inserted + s->removed;
        } else if (place > s->at) {
            is_outside = false;
            place = s->at + (is_end ? s->removed : 0);
        }
    }
    *out = place + source->begin;
    return is_outside;
}
