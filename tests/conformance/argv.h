/* For argvcheck: what the judge says a text may start, beside what bash started. */
#ifndef SBX_CONFORMANCE_ARGV_H
#define SBX_CONFORMANCE_ARGV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "policy/arena.h"

struct sbx_policy;

struct argv_word {
    const char *text, *mask; /* mask: enum sbx_mask each */
    uint32_t len, span;
    bool unsure; /* one of several: may be left out */
    bool quoted;
};

struct argv_command {
    struct argv_command *next;
    struct argv_word *word;
    uint32_t count;
};

struct argv_prediction {
    struct sbx_arena arena;
    struct argv_command *commands, **end;
    uint32_t count;
    bool open;   /* anything may run as well: code that is not known, a bound */
    bool broken; /* no shell syntax */
};

/* How well an exec was foretold; a command is as good as its worst word. */
enum argv_rank { ARGV_EXACT, ARGV_ONE_OF, ARGV_GLOB, ARGV_UNKNOWN, ARGV_WRONG, ARGV_RANKS };

/* Free with argv_free(). */
void argv_predict(const struct sbx_policy *policy, const char *text, size_t len,
                  struct argv_prediction *out);
void argv_free(struct argv_prediction *prediction);

enum argv_rank argv_match(const struct argv_command *command, char *const *argv, uint32_t argc);

#endif
