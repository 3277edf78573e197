/* What a text may start, by the judge: words of every simple command, with what is not known marked. */
#include "tests/conformance/argv.h"

#include <string.h>

#include "policy/judge_state.h"

#define COMMANDS_MOST 20000

static struct argv_command *add(struct argv_prediction *p, uint32_t words)
{
    struct argv_command *one = sbx_arena_alloc(&p->arena, sizeof(*one));
    if (p->count >= COMMANDS_MOST || !one ||
        !(one->word = sbx_arena_alloc(&p->arena, (words + 1) * sizeof(*one->word)))) {
        p->open = true;
        return NULL;
    }
    p->count++;
    one->count = words;
    *p->end = one;
    p->end = &one->next;
    return one;
}

static struct argv_word word_of(struct argv_prediction *p, const struct sbx_value *value)
{
    struct argv_word word = {.len = value->len,
                             .unsure = value->unsure,
                             .quoted = value->quoted && !value->several,
                             .text = "",
                             .mask = ""};
    char *text = sbx_arena_alloc(&p->arena, value->len + 1);
    char *mask = sbx_arena_alloc(&p->arena, value->len + 1);
    if (!text || !mask) {
        p->open = true;
        return word;
    }
    memcpy(text, value->text, value->len);
    if (value->mask)
        memcpy(mask, value->mask, value->len);
    /* The programs of this place print something else. */
    if (value->modelled)
        memset(mask, SBX_MASK_UNKNOWN, value->len);
    /* <(…): the judge numbers the pipes on its own. */
    char *pipe = memmem(text, value->len, "/dev/fd/63", 10);
    if (pipe && strspn(pipe + 8, "0123456789") == 5) {
        memset(mask + (pipe + 8 - text), SBX_MASK_NONEMPTY, 5);
        word.unsure = false;
    }
    word.span = value->span.begin;
    word.text = text;
    word.mask = mask;
    return word;
}

static bool is(const struct argv_word *word, const char *text)
{
    size_t len = strlen(text);
    return word->len == len && !memcmp(word->text, text, len) && !memchr(word->mask, 1, len) &&
           !memchr(word->mask, 2, len) && !memchr(word->mask, 3, len);
}

/* `command ls`, `builtin command ls` and `exec -a x ls` start ls. */
static void peel(struct argv_prediction *p, const struct argv_command *outer)
{
    static const char *const names[] = {"command", "builtin", "exec"};
    uint32_t at = 0;
    bool found = false;
    for (size_t i = 0; outer->count && i < sizeof(names) / sizeof(*names); i++)
        found |= is(&outer->word[0], names[i]);
    if (!found)
        return;
    const struct argv_word *zero = NULL;
    for (at = 1; at < outer->count && outer->word[at].len && outer->word[at].text[0] == '-'; at++) {
        if (is(&outer->word[at], "-a") && at + 1 < outer->count)
            zero = &outer->word[++at];
        else if (is(&outer->word[at], "-l") || is(&outer->word[at], "-cl"))
            p->open = true;
    }
    if (at >= outer->count)
        return;
    struct argv_command *inner = add(p, outer->count - at);
    if (!inner)
        return;
    memcpy(inner->word, outer->word + at, inner->count * sizeof(*inner->word));
    if (zero)
        inner->word[0] = *zero;
    peel(p, inner);
}

static void words(void *data, const struct sbx_argv *argv, bool guessed)
{
    struct argv_prediction *p = data;
    p->open |= guessed;
    struct argv_command *one = argv->count ? add(p, argv->count) : NULL;
    if (!one)
        return;
    for (uint32_t i = 0; i < argv->count; i++)
        one->word[i] = word_of(p, argv->word[i]);
    /* What is in a file, or in a value that nobody knows, is not foretold. */
    p->open |= is(&one->word[0], ".") || is(&one->word[0], "source");
    peel(p, one);
}

static void finding(void *data, const struct sbx_finding *found)
{
    struct argv_prediction *p = data;
    p->open |= found->class == SBX_CLASS_UNPARSED ||
               !strcmp(found->what, "code that is not known before it runs");
}

void argv_predict(const struct sbx_policy *policy, const char *text, size_t len,
                  struct argv_prediction *out)
{
    const struct sbx_context context = {.policy = policy, .cwd = "/home/agent/work/proj"};
    const struct sbx_trace trace = {.words = words, .finding = finding, .data = out};
    struct sbx_verdict verdict;
    *out = (struct argv_prediction){.end = &out->commands};
    sbx_arena_init(&out->arena, (size_t)512 * 1024 * 1024);
    sbx_judge_traced(&context, text, len, &trace, &verdict);
    out->broken = verdict.is_syntax_error;
}

void argv_free(struct argv_prediction *prediction)
{
    sbx_arena_free(&prediction->arena);
}
