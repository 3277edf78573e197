/* What compile.c, compile_paths.c and compile_rules.c share. */
#ifndef SBX_POLICY_COMPILE_INTERNAL_H
#define SBX_POLICY_COMPILE_INTERNAL_H

#include "policy/arena.h"
#include "policy/blob.h"
#include "policy/config_internal.h"
#include "policy/rule.h"
#include "policy/value.h"

struct sbx_draft_path { /* a path rule before it has offsets */
    const char *path, *anchor;
    uint16_t kind, literals;
    uint32_t flags;
    const struct sbx_entry *origin; /* NULL: compiled in */
};

struct sbx_draft_rule {
    const struct sbx_entry *entry;
    const char *content;
    uint8_t action, tool, form;
};

struct sbx_compiler {
    const struct sbx_config *config;
    const struct sbx_subject *subject;
    const char *home;                 /* normalised */
    struct sbx_arena arena;           /* of the drafts */
    const struct sbx_entry **entries; /* by key, then scope, then as read */
    size_t first[SBX_KEY_COUNT + 1];  /* of each key */
    struct sbx_draft_path *paths;
    size_t paths_count, paths_room;
    struct sbx_draft_rule *rules;
    size_t rules_count;
    struct sbx_entry *domains; /* what WebFetch rules add to the two domain lists */
    size_t domains_count;
    struct sbx_entry workspace;
    struct sbx_blob blob;
    struct sbx_err *err;
    bool is_told;             /* *err holds why the blob failed */
    struct sbx_place culprit; /* what *err is about, where it is about one entry */
};

/* Says in *err and in the compiler that this entry is at fault; NULL: a built-in one. Returns -1. */
int sbx_compile_blame(struct sbx_compiler *compiler, const struct sbx_entry *entry);

/* compile_rules.c: permission rules; adds domains. Then, in the blob, the table and its index. */
int sbx_compile_rules(struct sbx_compiler *compiler) SBX_MUST_CHECK;
int sbx_compile_put_rules(struct sbx_compiler *compiler, struct sbx_policy *head) SBX_MUST_CHECK;

/* compile_paths.c: the path rules of all keys, Read and Edit rules and the compiled-in zones. */
int sbx_compile_paths(struct sbx_compiler *compiler) SBX_MUST_CHECK;
int sbx_compile_put_paths(struct sbx_compiler *compiler, struct sbx_policy *head) SBX_MUST_CHECK;

/* What the paths of an entry are relative to; NULL stands for the built-in ones. */
struct sbx_path_base sbx_compile_base(const struct sbx_compiler *compiler,
                                      const struct sbx_entry *entry);
struct sbx_origin sbx_compile_origin(struct sbx_compiler *compiler, const struct sbx_entry *entry);

/* The workspaces' absolute paths; the first is where a session starts. */
int sbx_compile_workspaces(struct sbx_compiler *compiler) SBX_MUST_CHECK;

#endif
