/* The compiled policy of one account: a single block of bytes without pointers.
 *
 * Files are read into a struct sbx_config (policy/config.h); sbx_policy_compile() merges them for
 * one account into this block. The warden seals it in a memfd, and the module, the shell and the
 * network filter map it read-only, so all of them decide by the same bytes. References are offsets
 * from the start of the block; the block is written by root and sealed, and sbx_policy_attach()
 * checks magic, version and size before anybody follows one. */
#ifndef SBX_POLICY_POLICY_H
#define SBX_POLICY_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "policy/err.h"
#include "policy/keys.h" /* enum sbx_key, SBX_KEY_COUNT: generated from the one key table */

#define SBX_POLICY_MAGIC     0x31786273u /* "sbx1" */
#define SBX_POLICY_VERSION   2u
#define SBX_POLICY_MAX_BYTES ((size_t)16 * 1024 * 1024)

struct sbx_ref { /* a NUL-terminated string in the block; len does not count the NUL */
    uint32_t off, len;
};

/* Lowest precedence first. */
enum sbx_scope {
    SBX_SCOPE_DEFAULT = 0,
    SBX_SCOPE_USER,
    SBX_SCOPE_PROJECT,
    SBX_SCOPE_LOCAL,
    SBX_SCOPE_FLAG,
    SBX_SCOPE_GRANT, /* what a human approved for good: allows, and answers any ask */
    SBX_SCOPE_MANAGED,
};

struct sbx_origin { /* where a value is written; file empty for compiled-in ones */
    struct sbx_ref file;
    uint32_t line;
    uint16_t scope; /* enum sbx_scope */
    uint16_t
        column; /* of the value; 0 where it is not known, or further right than can be counted */
};

struct sbx_item { /* one entry of a list, or the one value of a scalar */
    struct sbx_ref text;
    struct sbx_origin origin;
};

struct sbx_setting {
    uint32_t items_off, count; /* struct sbx_item[count]; a scalar has exactly one */
    int64_t number;            /* of a scalar: bool, enum index, seconds, bytes, percent or count;
                                  SBX_UNSET where neither a file nor the table gives a value */
};
#define SBX_UNSET (-1)

/* One path rule. Literal paths are absolute and normalised; globs are anchored and absolute. */
enum sbx_path_kind {
    SBX_PATH_ALLOW_WRITE = 0,
    SBX_PATH_DENY_WRITE,
    SBX_PATH_ALLOW_READ,
    SBX_PATH_DENY_READ,
};

#define SBX_PATH_GLOB   0x1u  /* path holds *, ?, [ or ** */
#define SBX_PATH_ZONE_S 0x2u  /* compiled in: credential places */
#define SBX_PATH_ZONE_P 0x4u  /* compiled in: start-up files, sbx's own files */
#define SBX_PATH_ZONE_D 0x8u  /* compiled in: devices */
#define SBX_PATH_FIXED  0x10u /* compiled in, of no zone: private /tmp, harmless devices, … */
#define SBX_PATH_OTHERS 0x20u /* does not hold for the account's own home and what leads to it */

struct sbx_path_rule {
    struct sbx_ref path;   /* a glob keeps its backslashes; a literal path has none to undo */
    struct sbx_ref anchor; /* the leading literal part: of a literal rule, the path */
    uint16_t kind;         /* enum sbx_path_kind */
    uint16_t literals;     /* leading components without a glob: what "longest" counts */
    uint32_t flags;
    struct sbx_origin origin;
};

enum sbx_rule_action { SBX_RULE_ALLOW = 0, SBX_RULE_ASK, SBX_RULE_DENY };
enum sbx_tool { SBX_TOOL_BASH = 0, SBX_TOOL_READ, SBX_TOOL_EDIT, SBX_TOOL_WEBFETCH };
enum sbx_rule_form { SBX_FORM_ANY = 0, SBX_FORM_EXACT, SBX_FORM_PREFIX, SBX_FORM_WILDCARD };

struct sbx_rule {
    struct sbx_ref text; /* as written: Bash(npm run:*) */
    struct sbx_ref
        content; /* Bash: words as policy/rule.h joins them; Read, Edit: an absolute path or
                               glob; WebFetch: a name, *.name, either with :port */
    uint8_t action, tool, form, unused;
    struct sbx_origin origin;
};

struct sbx_policy {
    uint32_t magic, version;
    uint64_t size_bytes;
    uint64_t fingerprint; /* of the effective values, without origins */
    uint32_t uid, gid;
    struct sbx_ref account, home, workspace; /* workspace: the first; absolute */
    struct sbx_setting setting[SBX_KEY_COUNT];
    uint32_t paths_off, paths_count; /* struct sbx_path_rule[], sorted by anchor, path, kind */
    uint32_t rules_off, rules_count; /* struct sbx_rule[], as read: lower scopes first */
    uint32_t index_off, index_count; /* uint32_t[]: Bash rules, sorted by the literal start */
};

/* Maps bytes to a policy: checks magic, version, size and that every table lies inside.
 * Returns NULL and fills *err otherwise. The result points into `bytes`, which must outlive it. */
const struct sbx_policy *sbx_policy_attach(const void *bytes, size_t size, struct sbx_err *err);

/* The string behind a reference, never NULL ("" for an empty one). */
static inline const char *sbx_policy_text(const struct sbx_policy *policy, struct sbx_ref ref)
{
    return ref.off ? (const char *)policy + ref.off : "";
}

/* Values of a scalar. The key's type in the table says which of the two makes sense. */
int64_t sbx_policy_number(const struct sbx_policy *policy, enum sbx_key key);
const char *sbx_policy_string(const struct sbx_policy *policy, enum sbx_key key);
static inline bool sbx_policy_flag(const struct sbx_policy *policy, enum sbx_key key)
{
    return sbx_policy_number(policy, key) != 0;
}

/* Entries of a list; *count entries. */
const struct sbx_item *sbx_policy_list(const struct sbx_policy *policy, enum sbx_key key,
                                       uint32_t *count);

/* Writes "file:line", or "built-in", into out. */
void sbx_policy_origin(const struct sbx_policy *policy, const struct sbx_origin *origin, char *out,
                       size_t size);

const struct sbx_path_rule *sbx_policy_paths(const struct sbx_policy *policy, uint32_t *count);
const struct sbx_rule *sbx_policy_rules(const struct sbx_policy *policy, uint32_t *count);

#endif
