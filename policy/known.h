/* What a word of the shell becomes, as far as it can be known without running anything.
 *
 * A value is a text with a mask of the same length: each byte is itself, part of a glob, or stands
 * for something unknown. Nothing is guessed: what an expansion gives at run time only is marked. */
#ifndef SBX_POLICY_KNOWN_H
#define SBX_POLICY_KNOWN_H

#include "policy/shell.h"

enum sbx_mask {
    SBX_MASK_LITERAL = 0,
    SBX_MASK_GLOB,     /* a byte of *, ?, [...] or an extended glob that bash expands */
    SBX_MASK_UNKNOWN,  /* stands for any text, also an empty one */
    SBX_MASK_NONEMPTY, /* stands for any text but an empty one: ${x:?}, a number, a fresh name */
};

#define SBX_UNKNOWN_BYTE '\001'

/* Where text comes from: what a sender or an interpreter must not get without a question. */
enum sbx_taint {
    SBX_TAINT_NET = 0x1,        /* downloaded */
    SBX_TAINT_FILE = 0x2,       /* contents of a local file, or what a local program printed */
    SBX_TAINT_SECRET = 0x4,     /* contents of a credential place */
    SBX_TAINT_ENV = 0x8,        /* environment, variables, history */
    SBX_TAINT_LIST = 0x10,      /* names of files that the text does not name */
    SBX_TAINT_NARROW = 0x20,    /* such a list, narrowed by a test of name, age or size */
    SBX_TAINT_UNKNOWN = 0x40,   /* anything else */
    SBX_TAINT_GUARD = 0x100,    /* the number of a process that guards or logs */
    SBX_TAINT_PASSWORD = 0x400, /* a variable that is called after a secret */
    SBX_TAINT_PRINTED = 0x800,  /* what a command of this input prints */
    SBX_TAINT_DECODED = 0x200,  /* decoded or unpacked: nobody has read it */
    SBX_TAINT_ARGUMENT = 0x80,  /* an argument of a function: known where it is called */
};

struct sbx_value {
    struct sbx_value *next;
    const char *text; /* NUL-terminated; may hold NULs before len when it came from $'\0' */
    const char *mask; /* enum sbx_mask each, or NULL: all literal */
    uint32_t len;
    uint32_t taint;
    struct sbx_span span;
    bool unsure;   /* one of several values, or a default that the environment may override */
    bool quoted;   /* some part of it was quoted */
    bool guarded;  /* its unknown part is ${x:?}: never empty */
    bool several;  /* unknown, and any number of words: "$@", ${a[@]} */
    bool modelled; /* what a program is known to print; nobody has run it */
};

/* A chain of values in order. */
struct sbx_values {
    struct sbx_value *first, **end;
    uint32_t count;
};

/* Text under construction, in an arena. Failure (no memory) is remembered and makes it unknown. */
struct sbx_text {
    struct sbx_arena *arena;
    char *text, *mask;
    uint32_t len, cap;
    uint32_t taint;
    bool masked, unsure, quoted, guarded, several, modelled, failed;
    bool eats_name; /* letters that follow belong to the name of a variable */
};

void sbx_values_init(struct sbx_values *values);
void sbx_values_add(struct sbx_values *values, struct sbx_value *value);

/* The text as a value; NULL only when memory is gone. */
struct sbx_value *sbx_text_value(struct sbx_text *text, struct sbx_span span);
void sbx_text_put(struct sbx_text *text, const char *bytes, size_t len, enum sbx_mask mask);
void sbx_text_unknown(struct sbx_text *text, enum sbx_mask mask, uint32_t taint);
void sbx_text_append(struct sbx_text *text, const struct sbx_value *value);
/* A copy that can grow on its own. */
struct sbx_text sbx_text_fork(const struct sbx_text *text);

struct sbx_value *sbx_value_new(struct sbx_arena *arena, const char *bytes, size_t len);
struct sbx_value *sbx_value_unknown(struct sbx_arena *arena, uint32_t taint);

/* Every byte known, no glob. */
bool sbx_value_known(const struct sbx_value *value);
bool sbx_value_has(const struct sbx_value *value, enum sbx_mask mask);
static inline enum sbx_mask sbx_value_mask(const struct sbx_value *value, size_t at)
{
    return value->mask ? (enum sbx_mask)value->mask[at] : SBX_MASK_LITERAL;
}
static inline bool sbx_mask_unknown(enum sbx_mask mask)
{
    return mask == SBX_MASK_UNKNOWN || mask == SBX_MASK_NONEMPTY;
}
/* A substitution in text that something may evaluate. */
bool sbx_value_holds_code(const struct sbx_value *value);
/* Equal to a text and known. */
bool sbx_value_is(const struct sbx_value *value, const char *text);
/* Bytes before the first unknown or glob byte. */
size_t sbx_value_prefix(const struct sbx_value *value);

#endif
