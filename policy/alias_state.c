/* Aliases while a text is walked. bash puts them in place as it reads, line by line, and reads what is
 * inside substitutions and eval when it comes to it; so what it reads after a change is read again here,
 * and where a change is not known, what is read after it is not known either. */
#include "policy/classify.h"
#include "policy/judge_state.h"
#include "policy/table.h"

#include <string.h>

const struct sbx_aliases *sbx_aliases_now(const struct sbx_judge *j)
{
    return j->alias.on && j->alias.table && j->alias.table->count ? j->alias.table : NULL;
}

static struct sbx_aliases *table_of(struct sbx_judge *j)
{
    if (!j->alias.table && !(j->alias.table = sbx_arena_alloc(&j->arena, sizeof(*j->alias.table))))
        j->no_memory = true;
    return j->alias.table;
}

void sbx_aliases_take(struct sbx_judge *j)
{
    const struct sbx_context *context = j->context;
    if (context->alias_mode == SBX_ALIASES_OFF)
        return;
    struct sbx_aliases *table = table_of(j);
    j->alias.on = true;
    j->alias.unknown = context->alias_mode == SBX_ALIASES_UNKNOWN || !table ||
                       (context->aliases && !sbx_aliases_read(&j->arena, context->aliases, table));
}

void sbx_aliases_find_unknown(struct sbx_judge *j)
{
    if (!j->alias.on || !j->alias.unknown)
        return;
    bool is_told = j->context->alias_mode == SBX_ALIASES_UNKNOWN;
    sbx_find_unread(
        j, "aliases that are not known",
        is_told ? "the shell does not say which aliases it has; log in anew"
                : "give what changes aliases as a command of its own, and this as the next");
}

bool sbx_aliases_find_limit(struct sbx_judge *j, const struct sbx_parse *parse)
{
    if (parse->alias_limit)
        sbx_find_unread(j, "an alias that cannot be put in its place",
                        "write out what the alias stands for, or put a backslash in front of it");
    return parse->alias_limit;
}

/* --- changes -------------------------------------------------------------------------------------------- */
/* Not for certain, or only for a process of its own, after which it is gone. */
static bool is_doubtful(const struct sbx_judge *j)
{
    return j->cond_depth || j->apart || j->guessed || j->alias.posix;
}

void sbx_aliases_lose(struct sbx_judge *j)
{
    j->alias.unknown = true;
    j->alias.serial += j->alias.on;
}

void sbx_aliases_switch(struct sbx_judge *j, bool on, bool sure)
{
    sure = sure && !j->cond_depth && !j->apart && !j->guessed;
    if (on && !j->alias.on && j->context->is_piecewise && !j->alias.is_other)
        sbx_find(j, SBX_ASK, SBX_CLASS_SHELL_EVASION,
                 "aliases in a script that is read piece by piece",
                 "use functions, or put the script into a file");
    j->alias.on = on || (j->alias.on && !sure);
    j->alias.unknown |= !sure;
    j->alias.serial++;
}

void sbx_aliases_option(struct sbx_judge *j, const struct sbx_value *name, bool on, bool sure)
{
    bool unknown = !sbx_value_known(name) || name->unsure;
    if (sbx_value_is(name, "posix"))
        j->alias.posix = on = true;
    else if (!unknown && !sbx_value_is(name, "expand_aliases"))
        return;
    sbx_aliases_switch(j, on, sure && !unknown);
}

void sbx_aliases_define(struct sbx_judge *j, const char *name, size_t len,
                        const struct sbx_value *value)
{
    struct sbx_aliases *table = table_of(j);
    const char *copy = value ? sbx_arena_strndup(&j->arena, value->text, value->len) : NULL;
    j->alias.serial += j->alias.on;
    if (!copy || !table || !name || is_doubtful(j) ||
        !sbx_alias_set(&j->arena, table, name, len, copy, value->len))
        j->alias.unknown = true;
}

void sbx_check_unalias(struct sbx_judge *j, struct sbx_use *use)
{
    j->alias.serial += j->alias.on;
    j->alias.unknown |= is_doubtful(j);
    if (sbx_use_has(use, "-a") && j->alias.table)
        memset(j->alias.table, 0, sizeof(*j->alias.table));
    for (uint32_t i = 0; i < use->operands; i++) {
        const struct sbx_value *word = use->operand[i];
        if (!sbx_value_known(word) || word->unsure)
            j->alias.unknown = true;
        else if (j->alias.table)
            sbx_alias_remove(j->alias.table, word->text, word->len);
    }
}

void sbx_aliases_assigned(struct sbx_judge *j, const char *name, size_t len)
{
    static const char aliases[] = "BASH_ALIASES", posix[] = "POSIXLY_CORRECT";
    if (len >= sizeof(aliases) - 1 && !memcmp(name, aliases, sizeof(aliases) - 1)) {
        sbx_aliases_lose(j);
    } else if (len == sizeof(posix) - 1 && !memcmp(name, posix, len)) {
        /* Perhaps for one command only. */
        j->alias.posix = true;
        sbx_aliases_switch(j, true, !j->alias.table || !j->alias.table->count);
    }
}

void sbx_aliases_referred(struct sbx_judge *j, const struct sbx_value *to)
{
    if (!sbx_value_known(to) || memmem(to->text, to->len, "BASH_ALIASES", 12))
        sbx_aliases_lose(j);
}

/* --- reading again -------------------------------------------------------------------------------------- */
static struct sbx_parse *read_text(struct sbx_judge *j, const char *text, size_t len,
                                   unsigned flags)
{
    struct sbx_parse *parse = sbx_arena_alloc(&j->arena, sizeof(*parse));
    if (!parse) {
        j->no_memory = true;
        return NULL;
    }
    if (!sbx_step(j, 1 + len / 128))
        return NULL;
    sbx_shell_parse_aliased(&j->arena, text, len, flags, sbx_aliases_now(j), parse);
    return parse;
}

static void find_no_syntax(struct sbx_judge *j, const struct sbx_parse *parse)
{
    if (!sbx_aliases_find_limit(j, parse))
        sbx_find_unread(j, "no shell syntax with its aliases",
                        "write out what the aliases stand for");
}

const struct sbx_pipeline *sbx_aliases_next_line(struct sbx_judge *j,
                                                 const struct sbx_source **source,
                                                 const struct sbx_pipeline *line)
{
    const struct sbx_source *old = *source;
    uint32_t at = 0;
    sbx_aliases_find_unknown(j);
    bool is_outside = sbx_source_place(old, line->span.begin, false, &at);
    if (!is_outside && j->alias.on) {
        sbx_find_unread(j, "an alias of several lines that changes aliases",
                        "change aliases in a command of its own");
        return line;
    }
    if (!sbx_aliases_now(j) && !old->splice_count)
        return line;
    uint32_t skip = at - old->begin;
    struct sbx_parse *parse = read_text(j, old->text + skip, old->len - skip, old->flags);
    if (!parse)
        return NULL;
    parse->source.begin = at;
    *source = &parse->source;
    if (j->source == old)
        j->source = &parse->source;
    const struct sbx_script *script = parse->script ? parse->script : parse->partial;
    if (parse->status != SBX_PARSE_OK || parse->cond_error)
        find_no_syntax(j, parse);
    if (!script)
        return NULL;
    if (parse->source.splice_count)
        sbx_classify_code_bytes(j, parse->text, parse->len, script);
    return script->pipelines;
}

const struct sbx_script *sbx_aliases_substitution(struct sbx_judge *j, const struct sbx_part *part)
{
    sbx_aliases_find_unknown(j);
    if (!sbx_aliases_now(j) || !part->script)
        return part->script;
    struct sbx_parse *parse =
        part->code ? read_text(j, part->code, part->code_len, SBX_SHELL_EXTGLOB) : NULL;
    if (!parse)
        return part->script;
    if (parse->status != SBX_PARSE_OK || (parse->source.splice_count && parse->heredoc_warning)) {
        find_no_syntax(j, parse);
        return part->script;
    }
    return parse->script;
}
