/* Loops that fill the machine with processes. */
#include "policy/classify.h"

#include <string.h>

static bool has_background(const struct sbx_script *script, bool *waits);

static bool is_word(const struct sbx_word *word, const char *text)
{
    const struct sbx_part *part = word ? word->parts : NULL;
    return part && !part->next && part->text && part->text_len == strlen(text) &&
           !memcmp(part->text, text, part->text_len);
}

static bool is_one_of(const struct sbx_word *word, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is_word(word, texts[i]))
            return true;
    return false;
}

static bool command_background(const struct sbx_command *c, bool *waits)
{
    bool found = false;
    static const char *const ends[] = {"wait", "break", "exit", "return"};
    if (c->kind == SBX_CMD_SIMPLE) {
        *waits |= is_one_of(c->words, ends, sizeof(ends) / sizeof(*ends));
        return false;
    }
    if (c->kind == SBX_CMD_FUNCTION)
        return false;
    if (c->kind == SBX_CMD_COPROC)
        found = true;
    if (c->body)
        found |= has_background(c->body, waits);
    for (const struct sbx_clause *clause = c->clauses; clause; clause = clause->next)
        if (clause->body)
            found |= has_background(clause->body, waits);
    return found;
}

static bool has_background(const struct sbx_script *script, bool *waits)
{
    bool found = false;
    for (const struct sbx_pipeline *p = script->pipelines; p; p = p->next) {
        found |= p->terminator && !strcmp(p->terminator, "&");
        for (const struct sbx_command *c = p->commands; c; c = c->next)
            found |= command_background(c, waits);
    }
    return found;
}

/* --- what a round leaves behind ------------------------------------------------------------------- */
struct round {
    bool pauses; /* or ends the loop */
    bool grows;
    bool makes_folder, enters;
};

static bool is_computed(const struct sbx_word *word)
{
    for (const struct sbx_part *part = word->parts; part; part = part->next)
        if (part->param || part->script || part->kind == SBX_PART_ARITH ||
            (part->kind == SBX_PART_DOUBLE && part->parts &&
             is_computed(&(struct sbx_word){.parts = part->parts})))
            return true;
    return false;
}

static void look_simple(const struct sbx_command *c, struct round *round)
{
    static const char *const pauses[] = {"sleep",  "wait",   "break",       "exit",
                                         "return", "read",   "inotifywait", "timeout",
                                         "exec",   "usleep", "select"};
    static const char *const writes[] = {"echo", "printf", "cat", "head", "tail",
                                         "yes",  "base64", "dd",  "tr"};
    static const char *const copies[] = {"cp",       "dd",        "touch", "mkdir", "install",
                                         "truncate", "fallocate", "ln",    "split"};
    const struct sbx_word *name = c->words;
    if (!name)
        return;
    round->pauses |= is_one_of(name, pauses, sizeof(pauses) / sizeof(*pauses));
    round->makes_folder |= is_word(name, "mkdir");
    round->enters |= is_word(name, "cd") || is_word(name, "pushd");
    bool writer = is_one_of(name, writes, sizeof(writes) / sizeof(*writes));
    for (const struct sbx_redir *r = c->redirs; r && writer; r = r->next)
        round->grows |= r->kind == SBX_REDIR_APPEND ||
                        (r->kind == SBX_REDIR_WRITE && r->target && is_computed(r->target));
    bool copier = is_one_of(name, copies, sizeof(copies) / sizeof(*copies));
    for (const struct sbx_word *word = name->next; word; word = word->next)
        round->grows |=
            (copier && (!word->next || is_word(name, "dd")) && is_computed(word)) ||
            (is_word(name, "tee") && (is_word(word, "-a") || is_word(word, "--append")));
    round->grows |= is_word(name, "mktemp");
}

static void look_round(const struct sbx_script *script, struct round *round)
{
    for (const struct sbx_pipeline *p = script ? script->pipelines : NULL; p; p = p->next)
        for (const struct sbx_command *c = p->commands; c; c = c->next) {
            if (c->kind == SBX_CMD_SIMPLE)
                look_simple(c, round);
            if (c->kind == SBX_CMD_FUNCTION)
                continue;
            look_round(c->condition, round);
            look_round(c->body, round);
            for (const struct sbx_clause *clause = c->clauses; clause; clause = clause->next) {
                look_round(clause->condition, round);
                look_round(clause->body, round);
            }
        }
}

/* ((1)), ((1==1)), nothing at all: constant, so that it never becomes false by itself. */
static bool is_constant(const struct sbx_word *word, bool *empty)
{
    bool digits = false, zero = true;
    *empty = true;
    const struct sbx_part *part = word ? word->parts : NULL;
    if (part && part->kind == SBX_PART_ARITH)
        part = part->parts;
    for (; part; part = part->next) {
        if (!part->text || part->parts || part->script || part->param)
            return false;
        for (size_t i = 0; i < part->text_len; i++) {
            char c = part->text[i];
            if (c != ' ' && c != '\t')
                *empty = false;
            if (!strchr(" \t0123456789=!<>&|()+-", c))
                return false;
            digits |= c >= '0' && c <= '9';
            zero = zero && !(c >= '1' && c <= '9');
        }
    }
    return *empty || (digits && !zero);
}

/* [ 1 ], [ x = x ], test 1 -eq 1, [[ -n x ]]: no expansion and no file in it. */
static bool is_fixed_test(const struct sbx_word *word)
{
    for (; word; word = word->next) {
        const struct sbx_part *part = word->parts;
        if (!part || part->next || !part->text || part->param || part->script || part->parts)
            return false;
        if (part->text_len == 2 && part->text[0] == '-' && part->text[1] != 'n' &&
            part->text[1] != 'z')
            return false;
    }
    return true;
}

static bool is_endless(const struct sbx_command *command, const struct sbx_flow *in)
{
    static const char *const lasting[] = {"true",   ":",    "sleep",     "echo",
                                          "printf", "date", "/bin/true", "usleep"};
    bool empty = false;
    if (command->kind == SBX_CMD_ARITH_FOR)
        return is_constant(command->words ? command->words->next : NULL, &empty);
    const struct sbx_pipeline *p = command->condition ? command->condition->pipelines : NULL;
    const struct sbx_command *c = p && !p->next ? p->commands : NULL;
    if (!c || c->next)
        return false;
    bool until = (command->kind == SBX_CMD_UNTIL) != p->negated;
    if (c->kind == SBX_CMD_ARITH)
        return !until && is_constant(c->words, &empty) && !empty;
    if (c->kind == SBX_CMD_COND)
        return !until && is_fixed_test(c->words);
    if (c->kind != SBX_CMD_SIMPLE || !c->words)
        return false;
    if (is_word(c->words, "false"))
        return until;
    if (until)
        return false;
    if (is_word(c->words, "read"))
        return in && in->endless;
    if (is_word(c->words, "[") || is_word(c->words, "test"))
        return c->words->next && is_fixed_test(c->words->next);
    return is_one_of(c->words, lasting, sizeof(lasting) / sizeof(*lasting));
}

bool sbx_loop_is_bomb(const struct sbx_command *command, const struct sbx_flow *in)
{
    bool waits = false;
    if (!command->body || (command->kind != SBX_CMD_WHILE && command->kind != SBX_CMD_UNTIL &&
                           command->kind != SBX_CMD_ARITH_FOR))
        return false;
    return is_endless(command, in) && has_background(command->body, &waits) && !waits;
}

bool sbx_loop_fills_disk(const struct sbx_command *command, const struct sbx_flow *in)
{
    struct round round = {0};
    if (!command->body || (command->kind != SBX_CMD_WHILE && command->kind != SBX_CMD_UNTIL &&
                           command->kind != SBX_CMD_ARITH_FOR))
        return false;
    if (!is_endless(command, in))
        return false;
    look_round(command->condition, &round);
    look_round(command->body, &round);
    return !round.pauses && (round.grows || (round.makes_folder && round.enters));
}
