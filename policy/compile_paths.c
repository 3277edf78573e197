/* From settings to the compiled policy: path rules, and the zones that hold under every policy. */
#include <stdlib.h>
#include <string.h>

#include "policy/compile_internal.h"
#include "policy/path.h"
#include "policy/value.h"

#define S SBX_PATH_ZONE_S
#define P SBX_PATH_ZONE_P
#define D SBX_PATH_ZONE_D
#define F SBX_PATH_FIXED
#define O SBX_PATH_OTHERS

/* What is done with a path of the table. */
#define NO_READ  0x1u /* deny_read */
#define NO_WRITE 0x2u /* deny_write */
#define WRITE    0x4u /* allow_write */
#define READ     0x8u /* allow_read */

/* The compiled-in rules; "~" is the account's home. Zone S cannot be read, so not written either;
 * its deny_write keeps what an allow_read opens from being written. */
static const struct {
    const char *path;
    uint32_t flags, does;
} zones[] = {
    {"~/.ssh",                                        S,     NO_READ | NO_WRITE},
    {"~/.aws",                                        S,     NO_READ | NO_WRITE},
    {"~/.gnupg",                                      S,     NO_READ | NO_WRITE},
    {"/etc/shadow*",                                  S,     NO_READ | NO_WRITE},
    {"/etc/gshadow*",                                 S,     NO_READ | NO_WRITE},
    {"/etc/security/opasswd*",                        S,     NO_READ | NO_WRITE},
    {"/var/backups/shadow*",                          S,     NO_READ | NO_WRITE},
    {"/var/backups/gshadow*",                         S,     NO_READ | NO_WRITE},
    {"/var/backups/opasswd*",                         S,     NO_READ | NO_WRITE},
    {"/root",                                         S | O, NO_READ | NO_WRITE},
    {"/home/*",                                       S | O, NO_READ | NO_WRITE},
    {"/proc/kcore",                                   S,     NO_READ | NO_WRITE},
    {"/dev/mem",                                      S,     NO_READ | NO_WRITE},
    {"/dev/kmem",                                     S,     NO_READ | NO_WRITE},

    {"~/.bashrc",                                     P,     NO_WRITE          },
    {"~/.bash_profile",                               P,     NO_WRITE          },
    {"~/.bash_login",                                 P,     NO_WRITE          },
    {"~/.profile",                                    P,     NO_WRITE          },
    {"~/.bash_logout",                                P,     NO_WRITE          },
    {"~/.bash_aliases",                               P,     NO_WRITE          },
    {"~/.zshrc",                                      P,     NO_WRITE          },
    {"~/.zshenv",                                     P,     NO_WRITE          },
    {"~/.zprofile",                                   P,     NO_WRITE          },
    {"~/.zlogin",                                     P,     NO_WRITE          },
    {"~/.zlogout",                                    P,     NO_WRITE          },
    {"~/.login",                                      P,     NO_WRITE          },
    {"~/.logout",                                     P,     NO_WRITE          },
    {"~/.cshrc",                                      P,     NO_WRITE          },
    {"~/.tcshrc",                                     P,     NO_WRITE          },
    {"~/.kshrc",                                      P,     NO_WRITE          },
    {"~/.mkshrc",                                     P,     NO_WRITE          },
    {"~/.inputrc",                                    P,     NO_WRITE          },
    {"~/.xprofile",                                   P,     NO_WRITE          },
    {"~/.xsession",                                   P,     NO_WRITE          },
    {"~/.xsessionrc",                                 P,     NO_WRITE          },
    {"~/.xinitrc",                                    P,     NO_WRITE          },
    {"~/.pam_environment",                            P,     NO_WRITE          },
    {"~/.forward",                                    P,     NO_WRITE          },
    {"~/.vimrc",                                      P,     NO_WRITE          },
    {"~/.vim",                                        P,     NO_WRITE          },
    {"~/.exrc",                                       P,     NO_WRITE          },
    {"~/.emacs",                                      P,     NO_WRITE          },
    {"~/.emacs.d/init*",                              P,     NO_WRITE          },
    {"~/.gdbinit",                                    P,     NO_WRITE          },
    {"~/.lldbinit",                                   P,     NO_WRITE          },
    {"~/.curlrc",                                     P,     NO_WRITE          },
    {"~/.wgetrc",                                     P,     NO_WRITE          },
    {"~/.psqlrc",                                     P,     NO_WRITE          },
    {"~/.sqliterc",                                   P,     NO_WRITE          },
    {"~/.Rprofile",                                   P,     NO_WRITE          },
    {"~/.irbrc",                                      P,     NO_WRITE          },
    {"~/.pryrc",                                      P,     NO_WRITE          },
    {"~/.pythonrc",                                   P,     NO_WRITE          },
    {"~/.perldb",                                     P,     NO_WRITE          },
    {"~/.tmux.conf",                                  P,     NO_WRITE          },
    {"~/.screenrc",                                   P,     NO_WRITE          },
    {"~/.toprc",                                      P,     NO_WRITE          },
    {"~/.lesskey",                                    P,     NO_WRITE          },
    {"~/.less",                                       P,     NO_WRITE          },
    {"~/.mailrc",                                     P,     NO_WRITE          },
    {"~/.gitconfig",                                  P,     NO_WRITE          },
    {"~/.config/systemd",                             P,     NO_WRITE          },
    {"~/.config/autostart",                           P,     NO_WRITE          },
    {"~/.config/environment.d",                       P,     NO_WRITE          },
    {"~/.config/fish",                                P,     NO_WRITE          },
    {"~/.config/nvim",                                P,     NO_WRITE          },
    {"~/.config/git",                                 P,     NO_WRITE          },
    {"~/.config/tmux",                                P,     NO_WRITE          },
    {"~/.local/share/systemd",                        P,     NO_WRITE          },
    {"~/.ipython/**/startup",                         P,     NO_WRITE          },
    {"~/.gradle/init*",                               P,     NO_WRITE          },
    {"~/.cargo/config*",                              P,     NO_WRITE          },
    {"~/.local/lib/*/site-packages/*.pth",            P,     NO_WRITE          },
    {"~/.local/lib/*/site-packages/sitecustomize.py", P,     NO_WRITE          },
    {"~/.local/lib/*/site-packages/usercustomize.py", P,     NO_WRITE          },
    {"~/.config/sbx",                                 P,     NO_WRITE          },
    {"/etc/sbx",                                      P,     NO_WRITE          },
    {"/run/sbx",                                      P,     NO_WRITE          },
    {"/var/lib/sbx",                                  P,     NO_WRITE          },
    {"/var/log/sbx",                                  P,     NO_WRITE          },

    {"/dev/**",                                       D,     NO_READ | NO_WRITE},
    {"/dev/null",                                     F,     READ | WRITE      },
    {"/dev/zero",                                     F,     READ | WRITE      },
    {"/dev/full",                                     F,     READ | WRITE      },
    {"/dev/random",                                   F,     READ | WRITE      },
    {"/dev/urandom",                                  F,     READ | WRITE      },
    {"/dev/tty",                                      F,     READ | WRITE      },
    {"/dev/ptmx",                                     F,     READ | WRITE      },
    {"/dev/pts",                                      F,     READ | WRITE      },
    {"/dev/stdin",                                    F,     READ | WRITE      },
    {"/dev/stdout",                                   F,     READ | WRITE      },
    {"/dev/stderr",                                   F,     READ | WRITE      },
    {"/dev/fd",                                       F,     READ | WRITE      },
    {"/proc/self/fd",                                 F,     READ | WRITE      },
    {"/proc/thread-self/fd",                          F,     READ | WRITE      },
};

/* Where jail.private_tmp = yes: of the jail alone. */
static const char *const private_places[] = {"/tmp", "/var/tmp", "/dev/shm"};

static const struct {
    enum sbx_key key;
    enum sbx_path_kind kind;
} path_keys[] = {
    {SBX_KEY_FILESYSTEM_ALLOW_WRITE, SBX_PATH_ALLOW_WRITE},
    {SBX_KEY_FILESYSTEM_DENY_WRITE,  SBX_PATH_DENY_WRITE },
    {SBX_KEY_FILESYSTEM_DENY_READ,   SBX_PATH_DENY_READ  },
    {SBX_KEY_FILESYSTEM_ALLOW_READ,  SBX_PATH_ALLOW_READ },
    {SBX_KEY_CREDENTIALS_DENY_FILE,  SBX_PATH_DENY_READ  },
};

static int no_memory(const struct sbx_compiler *compiler)
{
    return sbx_fail(compiler->err, SBX_E_MEMORY, 0, "cannot compile the path rules: out of memory");
}

/* Adds one rule for a path as policy files spell it. */
static int add(struct sbx_compiler *compiler, const char *text, enum sbx_path_spelling spelling,
               const struct sbx_draft_path *like)
{
    struct sbx_value_path path;
    const struct sbx_path_base base = sbx_compile_base(compiler, like->origin);
    if (sbx_value_path(text, &base, spelling, &path, compiler->err))
        return sbx_compile_blame(compiler, like->origin);
    /* The view is made of read-only and writable parts; a writable whole would leave no jail. */
    if (like->kind == SBX_PATH_ALLOW_WRITE && !strcmp(path.text, "/")) {
        sbx_fail(compiler->err, SBX_E_POLICY, 0, "what is writable, or the workspace, cannot be /");
        return sbx_compile_blame(compiler, like->origin);
    }
    if (like->kind == SBX_PATH_DENY_READ && !strcmp(path.text, "/")) {
        sbx_fail(compiler->err, SBX_E_POLICY, 0,
                 "/ cannot be closed to readers as a whole; name places below it");
        return sbx_compile_blame(compiler, like->origin);
    }
    if (compiler->paths_count == compiler->paths_room) {
        size_t room = compiler->paths_room * 2 + 256;
        struct sbx_draft_path *paths = reallocarray(compiler->paths, room, sizeof(*paths));
        if (!paths)
            return no_memory(compiler);
        compiler->paths = paths;
        compiler->paths_room = room;
    }
    struct sbx_draft_path draft = *like;
    draft.path = sbx_arena_strndup(&compiler->arena, path.text, strlen(path.text));
    draft.anchor = path.is_glob
                       ? sbx_arena_strndup(&compiler->arena, path.anchor, strlen(path.anchor))
                       : draft.path;
    draft.literals = (uint16_t)path.literals;
    draft.flags |= path.is_glob ? SBX_PATH_GLOB : 0;
    if (!draft.path || !draft.anchor)
        return no_memory(compiler);
    compiler->paths[compiler->paths_count++] = draft;
    return 0;
}

static int add_kind(struct sbx_compiler *compiler, const char *text, enum sbx_path_kind kind,
                    uint32_t flags)
{
    const struct sbx_draft_path like = {.kind = (uint16_t)kind, .flags = flags};
    return add(compiler, text, SBX_PATH_IN_KEY, &like);
}

static int add_zone(struct sbx_compiler *compiler, const char *text, uint32_t flags, uint32_t does)
{
    static const struct {
        uint32_t does;
        enum sbx_path_kind kind;
    } kinds[] = {
        {NO_READ,  SBX_PATH_DENY_READ  },
        {NO_WRITE, SBX_PATH_DENY_WRITE },
        {READ,     SBX_PATH_ALLOW_READ },
        {WRITE,    SBX_PATH_ALLOW_WRITE}
    };
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        if ((does & kinds[i].does) && add_kind(compiler, text, kinds[i].kind, flags))
            return -1;
    return 0;
}

/* "Every other home" is what lies beside the account's own, but for places that hold more than
 * homes. */
static int add_neighbours(struct sbx_compiler *compiler)
{
    static const char *const shared[] = {"",       "/home", "/etc",     "/mnt",      "/opt",
                                         "/run",   "/srv",  "/tmp",     "/usr",      "/var",
                                         "/media", "/lib",  "/var/lib", "/usr/local"};
    const char *slash = strrchr(compiler->home, '/');
    size_t len = (size_t)(slash - compiler->home);
    for (size_t i = 0; i < sizeof(shared) / sizeof(*shared); i++)
        if (strlen(shared[i]) == len && !memcmp(shared[i], compiler->home, len))
            return 0;
    char glob[SBX_VALUE_PATH_BYTES];
    size_t used = 0;
    for (size_t i = 0; i < len; i++) { /* a home whose name holds glob signs */
        if (used + 5 > sizeof(glob))
            return sbx_fail(compiler->err, SBX_E_LIMIT, 0, "the path of the home is too long");
        if (strchr("*?[\\$", compiler->home[i]))
            glob[used++] = '\\';
        glob[used++] = compiler->home[i];
    }
    memcpy(glob + used, "/*", 3);
    return add_zone(compiler, glob, S | O, NO_READ | NO_WRITE);
}

static int add_zones(struct sbx_compiler *compiler)
{
    for (size_t i = 0; i < sizeof(zones) / sizeof(*zones); i++)
        if (add_zone(compiler, zones[i].path, zones[i].flags, zones[i].does))
            return -1;
    const struct sbx_entry *tmp = sbx_config_winner(compiler->config, SBX_KEY_JAIL_PRIVATE_TMP);
    for (size_t i = 0;
         (!tmp || tmp->number) && i < sizeof(private_places) / sizeof(*private_places); i++)
        if (add_zone(compiler, private_places[i], F, READ | WRITE))
            return -1;
    return add_neighbours(compiler);
}

/* --- the workspace ---------------------------------------------------------------------------- */
static int add_workspace(struct sbx_compiler *compiler, const char *text,
                         const struct sbx_entry *origin)
{
    struct sbx_draft_path like = {.kind = SBX_PATH_ALLOW_WRITE, .origin = origin};
    size_t at = compiler->paths_count;
    if (add(compiler, text, SBX_PATH_IN_KEY, &like))
        return -1;
    const char *path = compiler->paths[at].path;
    if (!compiler->workspace.value)
        compiler->workspace.value = path;
    /* sbx's own files in the workspace. Not by way of the path parser: the path is made already. */
    size_t len = strlen(path);
    char *own = sbx_arena_alloc(&compiler->arena, len + sizeof("/.sbx"));
    if (!own)
        return no_memory(compiler);
    memcpy(own, path, len);
    memcpy(own + len, "/.sbx", sizeof("/.sbx"));
    struct sbx_draft_path guard = compiler->paths[at];
    guard.path = guard.anchor = own;
    guard.kind = SBX_PATH_DENY_WRITE;
    guard.literals++;
    guard.flags = P;
    guard.origin = NULL;
    if (add(compiler, "/", SBX_PATH_IN_KEY, &guard))
        return -1;
    compiler->paths[compiler->paths_count - 1] = guard;
    return 0;
}

/* --workspace takes the place of what managed files say, so it counts as much. */
static int use_given_workspace(struct sbx_compiler *compiler)
{
    char path[SBX_VALUE_PATH_BYTES];
    const char *given = compiler->subject->workspace;
    if (given[0] != '/' || sbx_value_foul(given, strlen(given)) ||
        sbx_path_normalise("/", given, path, sizeof(path)))
        return sbx_fail(compiler->err, SBX_E_USAGE, 0,
                        "the workspace must be an absolute path: '%.200s'", given);
    compiler->workspace = (struct sbx_entry){
        .key = SBX_KEY_FILESYSTEM_WORKSPACE, .scope = SBX_SCOPE_MANAGED, .file = "--workspace"};
    char *escaped = sbx_arena_alloc(&compiler->arena, 2 * strlen(path) + 1);
    if (!escaped)
        return no_memory(compiler);
    size_t used = 0;
    for (const char *c = path; *c; c++) {
        if (strchr("*?[\\$", *c))
            escaped[used++] = '\\';
        escaped[used++] = *c;
    }
    return add_workspace(compiler, escaped, &compiler->workspace);
}

int sbx_compile_workspaces(struct sbx_compiler *compiler)
{
    const enum sbx_key key = SBX_KEY_FILESYSTEM_WORKSPACE;
    if (compiler->subject->workspace)
        return use_given_workspace(compiler);
    for (size_t i = compiler->first[key]; i < compiler->first[key + 1]; i++)
        if (add_workspace(compiler, compiler->entries[i]->value, compiler->entries[i]))
            return -1;
    if (compiler->first[key] == compiler->first[key + 1])
        return add_workspace(compiler, sbx_key_table[key].fallback, NULL);
    return 0;
}

/* --- all -------------------------------------------------------------------------------------- */
static int add_keys(struct sbx_compiler *compiler)
{
    for (size_t i = 0; i < sizeof(path_keys) / sizeof(*path_keys); i++) {
        enum sbx_key key = path_keys[i].key;
        for (size_t at = compiler->first[key]; at < compiler->first[key + 1]; at++) {
            struct sbx_draft_path like = {.kind = (uint16_t)path_keys[i].kind,
                                          .origin = compiler->entries[at]};
            if (add(compiler, compiler->entries[at]->value, SBX_PATH_IN_KEY, &like))
                return -1;
        }
    }
    return 0;
}

/* allow = Edit(p) joins allow_write and so on. A rule for every use, and ask rules, stay rules. */
static int add_from_rules(struct sbx_compiler *compiler)
{
    for (size_t i = 0; i < compiler->rules_count; i++) {
        const struct sbx_draft_rule *rule = &compiler->rules[i];
        bool is_edit = rule->tool == SBX_TOOL_EDIT;
        if ((!is_edit && rule->tool != SBX_TOOL_READ) || rule->form == SBX_FORM_ANY ||
            rule->action == SBX_RULE_ASK)
            continue;
        bool is_deny = rule->action == SBX_RULE_DENY;
        enum sbx_path_kind kind = is_edit ? (is_deny ? SBX_PATH_DENY_WRITE : SBX_PATH_ALLOW_WRITE)
                                          : (is_deny ? SBX_PATH_DENY_READ : SBX_PATH_ALLOW_READ);
        struct sbx_rule_parts parts;
        struct sbx_draft_path like = {.kind = (uint16_t)kind, .origin = rule->entry};
        if (sbx_rule_parse(rule->entry->value, &parts, compiler->err) ||
            add(compiler, parts.content, SBX_PATH_IN_RULE, &like))
            return -1;
    }
    return 0;
}

/* A managed allow_read of the very path of a zone S rule takes that rule's reading part away. */
static void reopen_zone_s(struct sbx_compiler *compiler)
{
    for (size_t i = 0; i < compiler->paths_count; i++) {
        struct sbx_draft_path *zone = &compiler->paths[i];
        if (!(zone->flags & S) || zone->kind != SBX_PATH_DENY_READ)
            continue;
        for (size_t j = 0; j < compiler->paths_count; j++) {
            const struct sbx_draft_path *allow = &compiler->paths[j];
            if (allow->kind == SBX_PATH_ALLOW_READ && allow->origin &&
                allow->origin->scope == SBX_SCOPE_MANAGED && !(allow->flags & SBX_PATH_GLOB) &&
                !strcmp(allow->path, zone->path)) {
                *zone = compiler->paths[--compiler->paths_count];
                i--;
                break;
            }
        }
    }
}

static int compare_paths(const void *a, const void *b)
{
    const struct sbx_draft_path *left = a, *right = b;
    int order = strcmp(left->anchor, right->anchor);
    if (!order)
        order = (int)(left->flags & SBX_PATH_GLOB) - (int)(right->flags & SBX_PATH_GLOB);
    if (!order)
        order = strcmp(left->path, right->path);
    if (!order)
        order = left->kind - right->kind;
    if (!order && left->origin && right->origin)
        order = left->origin < right->origin ? -1 : left->origin > right->origin;
    return order;
}

int sbx_compile_paths(struct sbx_compiler *compiler)
{
    if (add_keys(compiler) || add_from_rules(compiler) || add_zones(compiler))
        return -1;
    reopen_zone_s(compiler);
    qsort(compiler->paths, compiler->paths_count, sizeof(*compiler->paths), compare_paths);
    return 0;
}

int sbx_compile_put_paths(struct sbx_compiler *compiler, struct sbx_policy *head)
{
    struct sbx_blob *blob = &compiler->blob;
    head->paths_count = (uint32_t)compiler->paths_count;
    head->paths_off = sbx_blob_table(blob, compiler->paths_count, sizeof(struct sbx_path_rule));
    for (size_t i = 0; i < compiler->paths_count && !blob->failed; i++) {
        const struct sbx_draft_path *draft = &compiler->paths[i];
        struct sbx_path_rule rule = {.path = sbx_blob_text(blob, draft->path),
                                     .kind = draft->kind,
                                     .literals = draft->literals,
                                     .flags = draft->flags,
                                     .origin = sbx_compile_origin(compiler, draft->origin)};
        rule.anchor = draft->anchor == draft->path ? rule.path : sbx_blob_text(blob, draft->anchor);
        if (!blob->failed)
            ((struct sbx_path_rule *)sbx_blob_at(blob, head->paths_off))[i] = rule;
    }
    return 0;
}
