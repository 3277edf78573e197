/* Values of policy keys: is the text one that the key's type takes, and what does it mean. */
#ifndef SBX_POLICY_VALUE_H
#define SBX_POLICY_VALUE_H

#include <stdint.h>

#include "policy/err.h"
#include "policy/keys.h"

/* Checks one value of a key. For scalars *number gets what sbx_policy_number() will answer; for
 * others 0. Hostile input: the text (valid UTF-8 without control characters, as the reader leaves
 * it). *err says what is wrong and what would be right, without file and line. */
int sbx_value_check(enum sbx_key key, const char *text, int64_t *number,
                    struct sbx_err *err) SBX_MUST_CHECK;

/* Prints in one word or two what a type takes, for messages and `policy show`. */
const char *sbx_value_type_words(enum sbx_key_type type);

/* NULL where len bytes are printable UTF-8; else what they hold. Bidirectional and zero-width
 * characters are refused as well: the text is shown to people who decide by it. */
const char *sbx_value_foul(const char *text, size_t len);
const char *sbx_value_foul_at(const char *text, size_t len, size_t *at); /* and where: its offset */

int sbx_value_check_domain(const char *text, struct sbx_err *err) SBX_MUST_CHECK;

#define SBX_VALUE_PATH_BYTES 4096
enum sbx_path_spelling {
    SBX_PATH_IN_KEY,  /* /x absolute (//x too), ~/x, ./x, x */
    SBX_PATH_IN_RULE, /* //x absolute, /x and x relative to the root, ~/x */
};
struct sbx_value_path {
    char text[SBX_VALUE_PATH_BYTES];   /* absolute, normalised; of a glob with its backslashes */
    char anchor[SBX_VALUE_PATH_BYTES]; /* leading literal part, without backslashes */
    unsigned literals;                 /* its components */
    bool is_glob;
};

/* Where a path of a policy file leads from: both absolute and normalised. */
struct sbx_path_base {
    const char *home; /* ~ and $HOME */
    const char *root; /* what a relative path is relative to: the root that the file belongs to */
};

/* Makes a path of a policy file absolute. Refused: "..", ~name, variables but $HOME, quotes,
 * negation, what looks like an inline comment, malformed globs. */
int sbx_value_path(const char *text, const struct sbx_path_base *base,
                   enum sbx_path_spelling spelling, struct sbx_value_path *out,
                   struct sbx_err *err) SBX_MUST_CHECK;

#endif
