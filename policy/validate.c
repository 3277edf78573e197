/* The path validator: what an operand names, and whether the jail would let it. */
#include "policy/place.h"

#include <string.h>

struct check {
    struct sbx_judge *j;
    const struct sbx_place *place;
    enum sbx_access access;
};

bool sbx_path_below(const char *path, const char *top)
{
    size_t len = strlen(top);
    if (len == 1 && top[0] == '/')
        return true;
    return !strncmp(path, top, len) && (!path[len] || path[len] == '/');
}

static bool in_tmp(const char *path)
{
    return sbx_path_below(path, "/tmp") || sbx_path_below(path, "/var/tmp") ||
           sbx_path_below(path, "/dev/shm");
}

bool sbx_path_in_work(const struct sbx_judge *j, const char *path)
{
    return sbx_path_below(path, j->workspace) || in_tmp(path);
}

static void find(const struct check *c, enum sbx_verdict_kind verdict, enum sbx_class class,
                 const struct sbx_path_rule *rule, const char *path, const char *reason)
{
    struct sbx_finding finding = {.verdict = verdict,
                                  .class = class,
                                  .what = "path operand",
                                  .reason = reason,
                                  .path = sbx_arena_strndup(&c->j->arena, path, strlen(path)),
                                  .by = SBX_BY_CLASSIFIER};
    if (rule) {
        finding.origin = &rule->origin;
        finding.rule = sbx_policy_text(c->j->policy, rule->path);
        finding.by = class == SBX_CLASS_PATH ? SBX_BY_RULE : SBX_BY_CLASSIFIER;
    }
    sbx_find_path(c->j, finding);
}

static struct sbx_path_decision decide(const struct check *c, const char *path, enum sbx_path_op op)
{
    struct sbx_path_decision decision = sbx_path_decide(c->j->policy, path, op);
    if (c->j->trace && c->j->trace->path)
        c->j->trace->path(c->j->trace->data, path, op, &decision, c->j->policy);
    return decision;
}

/* Devices that give nothing of anybody's: zeros and noise. */
static bool device_source(const char *path)
{
    return !strcmp(path, "/dev/null") || !strcmp(path, "/dev/zero") ||
           !strcmp(path, "/dev/random") || !strcmp(path, "/dev/urandom");
}

/* --- reading ------------------------------------------------------------------------------------------- */
/* /proc/PID/environ, mem, … of somebody else's process. */
static bool is_foreign_process(const char *path)
{
    static const char *const files[] = {"/environ", "/mem"};
    if (strncmp(path, "/proc/", 6) || !strncmp(path, "/proc/self/", 11) ||
        !strncmp(path, "/proc/thread-self/", 18))
        return false;
    const char *pid = path + 6, *slash = strchr(pid, '/');
    if (!slash || (pid[0] != 'x' && (pid[0] < '0' || pid[0] > '9')))
        return false;
    for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
        if (!strcmp(slash, files[i]))
            return true;
    return false;
}

static uint32_t read_one(const struct check *c, const char *path)
{
    if (is_foreign_process(path)) {
        find(c, SBX_DENY, SBX_CLASS_CRED_READ, NULL, path,
             "what other processes hold is theirs; look at your own: /proc/self");
        return SBX_TAINT_SECRET;
    }
    struct sbx_path_decision d = decide(c, path, SBX_OP_READ);
    bool listing = c->access == SBX_ACCESS_LIST || c->access == SBX_ACCESS_LIST_TREE;
    if (!d.allowed) {
        uint32_t zone = d.rule ? d.rule->flags : 0;
        bool device = sbx_path_below(path, "/dev");
        if (listing && device && !(zone & SBX_PATH_ZONE_S))
            return 0;
        if (device)
            find(c, SBX_DENY, SBX_CLASS_DEVICE_WRITE, d.rule, path,
                 "work on an image file in the workspace instead of a device");
        else if ((zone & SBX_PATH_ZONE_S) || sbx_is_key_name(path))
            find(c, SBX_DENY, SBX_CLASS_CRED_READ, d.rule, path,
                 "leave credential places alone; ask for what you need to be done with them");
        else
            find(c, d.grantable ? SBX_ASK : SBX_DENY, SBX_CLASS_PATH, d.rule, path,
                 "this path may not be read here; work with files of the workspace");
        return SBX_TAINT_SECRET;
    }
    if (!listing && sbx_is_credential(c->j, path)) {
        find(c, SBX_ASK, SBX_CLASS_CRED_READ, NULL, path,
             "this looks like a credential; use a template or ask for approval");
        return SBX_TAINT_SECRET;
    }
    if (!listing && device_source(path))
        return 0;
    return SBX_TAINT_FILE;
}

static bool holds_secrets(const struct sbx_judge *j, const char *path)
{
    return !strcmp(path, "/") || !strcmp(path, "/home") || !strcmp(path, j->home);
}

static uint32_t check_read(const struct check *c, const struct sbx_value *value)
{
    const struct sbx_place *p = c->place;
    char path[SBX_PATH_BYTES];
    if (p->adrift && p->len < 2)
        return SBX_TAINT_FILE;
    if (p->adrift && !p->guarded && !sbx_path_decide(c->j->policy, p->text, SBX_OP_READ).allowed)
        return read_one(c, p->text); /* where the unknown part is empty */
    if (p->adrift && value->len > 3 && !strncmp(value->text + 1, "../", 3)) {
        /* $x../../etc/shadow where $x is empty */
        struct sbx_value rest = *value;
        rest.text++;
        rest.len--;
        rest.mask++;
        if (sbx_path_of(c->j, &rest, path, sizeof(path)) &&
            !sbx_path_decide(c->j->policy, path, SBX_OP_READ).allowed)
            return read_one(c, path);
    }
    if (p->adrift)
        return SBX_TAINT_FILE;
    if (c->access == SBX_ACCESS_READ_TREE && !p->has_unknown) {
        sbx_place_sample(p, path, sizeof(path));
        if (p->has_glob && !strcmp(strrchr(p->text, '/'), "/*"))
            *strrchr(path, '/') = 0;
        if (holds_secrets(c->j, *path ? path : "/"))
            find(c, SBX_ASK, SBX_CLASS_CRED_READ, NULL, path,
                 "this walks through credential places; name the folders that you mean");
    }
    if (!p->has_glob && !p->has_unknown)
        return read_one(c, p->text);
    sbx_place_sample(p, path, sizeof(path));
    uint32_t taint = read_one(c, path), count = 0;
    if (p->has_glob) {
        const struct sbx_path_rule *rules = sbx_policy_paths(c->j->policy, &count);
        for (uint32_t i = 0; i < count; i++)
            if (rules[i].kind == SBX_PATH_DENY_READ &&
                sbx_place_meets(p, sbx_policy_text(c->j->policy, rules[i].path), path,
                                sizeof(path)))
                taint |= read_one(c, path);
    }
    bool listing = c->access == SBX_ACCESS_LIST || c->access == SBX_ACCESS_LIST_TREE;
    if (!listing && sbx_place_is_credential(c->j, p)) {
        find(c, SBX_ASK, SBX_CLASS_CRED_READ, NULL, p->text,
             "this may read a credential; name the files that you mean");
        taint |= SBX_TAINT_SECRET;
    }
    return taint;
}

/* --- writing ------------------------------------------------------------------------------------------- */
static void write_one(const struct check *c, const char *path)
{
    enum sbx_verdict_kind verdict = SBX_DENY;
    if (!strncmp(path, "/dev/pts/", 9)) {
        find(c, SBX_DENY, SBX_CLASS_HOST_CONTROL, NULL, path,
             "other terminals are not yours; write to /dev/tty");
        return;
    }
    struct sbx_path_decision d = decide(c, path, SBX_OP_WRITE);
    enum sbx_class class = sbx_code_config(c->j, path, &verdict);
    if (class != SBX_CLASS_NONE && (d.allowed || d.grantable)) {
        find(c, verdict, class, d.allowed ? NULL : d.rule, path,
             "this file makes other programs run code; ask for approval or leave it as it is");
        if (d.allowed)
            return;
    }
    if (d.allowed)
        return;
    uint32_t zone = d.rule ? d.rule->flags : 0;
    class = zone & SBX_PATH_ZONE_P   ? SBX_CLASS_PERSISTENCE
            : zone & SBX_PATH_ZONE_S ? SBX_CLASS_CRED_READ
                                     : sbx_system_class(path);
    if (!(zone & SBX_PATH_ZONE_P) && strstr(path, "/.ssh/"))
        class = SBX_CLASS_PERSISTENCE;
    if (strstr(path, "_history"))
        class = SBX_CLASS_LOG_TAMPER;
    find(c, d.grantable && class != SBX_CLASS_LOG_TAMPER ? SBX_ASK : SBX_DENY, class, d.rule, path,
         d.grantable ? "write below the workspace, or ask for this path to be opened"
                     : "this place may not be changed from here; write below the workspace");
}

static void check_write(const struct check *c)
{
    const struct sbx_place *p = c->place;
    char path[SBX_PATH_BYTES];
    uint32_t count = 0;
    if (p->adrift)
        return;
    if (!p->has_glob && !p->has_unknown) {
        write_one(c, p->text);
        return;
    }
    sbx_place_sample(p, path, sizeof(path));
    write_one(c, path);
    const struct sbx_path_rule *rules = sbx_policy_paths(c->j->policy, &count);
    for (uint32_t i = 0; p->has_glob && i < count; i++)
        if ((rules[i].kind == SBX_PATH_DENY_WRITE || rules[i].kind == SBX_PATH_DENY_READ) &&
            sbx_place_meets(p, sbx_policy_text(c->j->policy, rules[i].path), path, sizeof(path)))
            write_one(c, path);
}

/* --- deleting, and changing modes, which go by the same places ------------------------------------------ */
struct scope { /* what a deletion takes with it */
    char base[SBX_PATH_BYTES];
    bool contents; /* everything in base rather than base itself */
    bool narrow;   /* some of it, by a pattern */
};

static bool is_everything(const char *name)
{
    static const char *const all[] = {"*",  ".*", ".[!.]*", "..?*",  "*.*",
                                      "?*", "**", ".??*",   "[!.]*", "*/"};
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        if (!strcmp(name, all[i]))
            return true;
    return false;
}

static void scope_of(const struct sbx_place *p, struct scope *scope)
{
    memcpy(scope->base, p->text, p->len + 1);
    scope->contents = scope->narrow = false;
    size_t len = p->len;
    while (len > 1) {
        char *slash = strrchr(scope->base, '/');
        size_t at = (size_t)(slash - scope->base) + 1;
        if (!memchr(p->mask + at, SBX_MASK_GLOB, len - at) || !is_everything(scope->base + at))
            break;
        scope->contents = true;
        len = at > 1 ? at - 1 : 1;
        scope->base[len] = 0;
    }
    struct sbx_place rest = *p;
    rest.len = len;
    rest.text[len] = 0;
    if (memchr(p->mask, SBX_MASK_GLOB, len) || p->has_unknown) {
        scope->narrow = true;
        sbx_place_sample(&rest, scope->base, sizeof(scope->base));
    }
}

static void find_destroy(const struct check *c, enum sbx_verdict_kind verdict,
                         const struct sbx_path_rule *rule, const char *path, const char *reason)
{
    bool perm = c->access == SBX_ACCESS_PERM || c->access == SBX_ACCESS_PERM_TREE;
    enum sbx_class class = perm ? SBX_CLASS_PERM_CHANGE : SBX_CLASS_FS_DESTROY;
    if (!perm && verdict == SBX_DENY && sbx_system_class(path) == SBX_CLASS_LOG_TAMPER)
        class = SBX_CLASS_LOG_TAMPER;
    if (!perm && strstr(path, "_history"))
        class = SBX_CLASS_LOG_TAMPER;
    if (strstr(path, "_history") && sbx_path_below(path, c->j->home) &&
        !sbx_path_in_work(c->j, path)) {
        class = SBX_CLASS_LOG_TAMPER;
        verdict = SBX_DENY;
    }
    if (sbx_path_below(path, "/dev") && !in_tmp(path) && !perm)
        class = SBX_CLASS_DEVICE_WRITE;
    find(c, verdict, class, rule, path, reason);
}

/* A mount protects an object: what lies between it and a writable root stays where it is, too. */
static void keep_protected(const struct check *c, const char *base)
{
    const struct sbx_fs *fs = c->j->context->fs;
    uint32_t count = 0;
    const struct sbx_path_rule *rules = sbx_policy_paths(c->j->policy, &count);
    for (uint32_t i = 0; i < count; i++) {
        const char *path = sbx_policy_text(c->j->policy, rules[i].path);
        bool denies = rules[i].kind == SBX_PATH_DENY_WRITE || rules[i].kind == SBX_PATH_DENY_READ;
        if (!denies || rules[i].flags & SBX_PATH_GLOB || !strcmp(path, base) ||
            !sbx_path_below(path, base) ||
            sbx_path_decide(c->j->policy, path, SBX_OP_WRITE).allowed)
            continue;
        if (fs && fs->is_absent && fs->is_absent(fs->data, path))
            continue;
        find(c, SBX_DENY, SBX_CLASS_PATH, &rules[i], path,
             "below this lies a path that may not be changed; name what else you mean");
        return;
    }
}

static void destroy_scope(const struct check *c, const struct scope *scope)
{
    const struct sbx_judge *j = c->j;
    const char *base = scope->base;
    bool perm = c->access == SBX_ACCESS_PERM || c->access == SBX_ACCESS_PERM_TREE;
    if (sbx_path_below(j->home, base) || sbx_path_below(j->workspace, base)) {
        /* Modes of the workspace: what they become decides (the check of chmod). */
        bool single = perm && !strcmp(base, j->workspace);
        if (!single)
            find_destroy(c, SBX_DENY, NULL, base,
                         "this takes a whole tree: the machine, a home or the workspace itself; "
                         "name what you mean in it");
        return;
    }
    bool tmp_whole =
        !strcmp(base, "/tmp") || !strcmp(base, "/var/tmp") || !strcmp(base, "/dev/shm");
    if (!perm && tmp_whole) {
        find_destroy(c, SBX_ASK, NULL, base, "name the files of yours instead of all of /tmp");
        return;
    }
    if (!perm && sbx_path_below(j->project, base) && sbx_path_below(base, j->workspace)) {
        find_destroy(c, SBX_ASK, NULL, base,
                     "this takes the project as a whole; name what you mean");
        return;
    }
    struct sbx_path_decision d = decide(c, base, SBX_OP_DELETE);
    if (d.allowed) {
        enum sbx_verdict_kind verdict = SBX_ASK;
        enum sbx_class class = sbx_code_config(j, base, &verdict);
        if (class == SBX_CLASS_PERSISTENCE && perm)
            find(c, SBX_ASK, class, NULL, base,
                 "this file makes other programs run code; ask for approval");
        if (class != SBX_CLASS_NONE && !perm && strstr(base, "/.git"))
            find(c, SBX_ASK, SBX_CLASS_GIT_DESTROY, NULL, base,
                 "this loses history; use git's own commands");
        bool is_whole = c->access == SBX_ACCESS_MOVE || c->access == SBX_ACCESS_DELETE_TREE ||
                        c->access == SBX_ACCESS_PERM_TREE;
        if (is_whole && !scope->narrow)
            keep_protected(c, base);
        return;
    }
    find_destroy(c, d.grantable ? SBX_ASK : SBX_DENY, d.rule, base,
                 d.grantable ? "only the workspace and /tmp are yours to change; ask for the rest"
                             : "this place may not be changed from here");
}

/* A target that begins with something unknown. */
static void destroy_adrift(const struct check *c, const struct sbx_value *value)
{
    const struct sbx_place *p = c->place;
    bool slash = value->len > 1 && value->text[1] == '/';
    if (value->taint & SBX_TAINT_NARROW)
        return;
    if (!p->guarded && slash) {
        /* rm -rf "$X"/lib with X empty is rm -rf /lib */
        struct sbx_place rest = *p;
        rest.adrift = false;
        struct scope scope;
        scope_of(&rest, &scope);
        struct check inner = {c->j, &rest, c->access};
        destroy_scope(&inner, &scope);
    }
    bool plain = !*c->j->cwd && !sbx_mask_unknown(sbx_value_mask(value, 0));
    if (plain && !p->has_glob && strcmp(p->text, "/") != 0)
        return; /* a plain name below a directory that is not known */
    find_destroy(c, SBX_ASK, NULL, "", "the target is not known before it runs; name it");
}

static bool is_fresh_contents(const struct check *c, const struct scope *scope)
{
    return c->j->fresh_unchecked && scope->contents && !strcmp(scope->base, SBX_FRESH_NAME);
}

static void check_destroy(const struct check *c, const struct sbx_value *value)
{
    const struct sbx_place *p = c->place;
    struct scope scope;
    /* What is only moved is not lost: an unknown name, or each name in turn, may go elsewhere. */
    bool perm = c->access == SBX_ACCESS_PERM || c->access == SBX_ACCESS_PERM_TREE;
    if (c->access == SBX_ACCESS_MOVE &&
        (p->adrift || p->has_unknown || (p->has_glob && value->unsure)))
        return;
    if (p->adrift) {
        destroy_adrift(c, value);
        return;
    }
    scope_of(p, &scope);
    /* What lies in "$T", with T=$(mktemp -d) that failed, is everything at the root. */
    if (is_fresh_contents(c, &scope))
        find_destroy(c, SBX_ASK, NULL, p->text,
                     "look whether mktemp worked first: T=$(mktemp -d) || exit");
    /* Everything that a search lists below a folder is the folder. */
    char *tail = strrchr(scope.base, '/');
    if (p->has_unknown && (value->taint & SBX_TAINT_LIST) && !(value->taint & SBX_TAINT_NARROW) &&
        tail && !strcmp(tail, "/x")) {
        tail[tail == scope.base] = 0;
        scope.contents = true;
    }
    if (p->has_unknown && !(value->taint & SBX_TAINT_NARROW)) {
        /* Below what is certain, but who knows where: x/$y with y=../.. */
        bool only_nonempty = !memchr(p->mask, SBX_MASK_UNKNOWN, p->len);
        /* What a search finds below a folder of the project lies in that folder. */
        bool folder = only_nonempty && scope.contents && sbx_path_in_work(c->j, scope.base) &&
                      !sbx_path_below(c->j->project, scope.base);
        if (!folder && (!only_nonempty || (!perm && (value->taint & SBX_TAINT_LIST))))
            find_destroy(c, SBX_ASK, NULL, p->text,
                         "the target is not known before it runs; name it");
    }
    /* A search that starts above the project takes from its neighbours too. */
    char *last = strrchr(scope.base, '/');
    if (p->has_unknown && !perm && (value->taint & SBX_TAINT_NARROW) && last &&
        last != scope.base) {
        char above[SBX_PATH_BYTES];
        memcpy(above, scope.base, (size_t)(last - scope.base));
        above[last - scope.base] = 0;
        if (strcmp(above, c->j->project) != 0 && sbx_path_below(c->j->project, above))
            find_destroy(c, SBX_ASK, NULL, above, "name the folders of the project to delete in");
    }
    destroy_scope(c, &scope);
    uint32_t count = 0;
    char path[SBX_PATH_BYTES];
    const struct sbx_path_rule *rules = sbx_policy_paths(c->j->policy, &count);
    for (uint32_t i = 0; p->has_glob && i < count; i++) {
        if ((rules[i].kind == SBX_PATH_DENY_WRITE || rules[i].kind == SBX_PATH_DENY_READ) &&
            sbx_place_meets(p, sbx_policy_text(c->j->policy, rules[i].path), path, sizeof(path))) {
            struct scope one = {.narrow = true};
            memcpy(one.base, path, strlen(path) + 1);
            destroy_scope(c, &one);
        }
    }
}

uint32_t sbx_check_path(struct sbx_judge *j, const struct sbx_value *value, enum sbx_access access)
{
    struct sbx_place place;
    struct check c = {j, &place, access};
    if (!value->len || !sbx_step(j, 0))
        return 0;
    if (!sbx_place_of(j, value, &place)) {
        find(&c, SBX_DENY, SBX_CLASS_PATH, NULL, "", "the path is longer than any path may be");
        return 0;
    }
    sbx_place_ask(j, &place, access);
    switch (access) {
    case SBX_ACCESS_READ:
    case SBX_ACCESS_LIST:
    case SBX_ACCESS_READ_TREE:
    case SBX_ACCESS_LIST_TREE:
        return check_read(&c, value) |
               (value->taint & ~(uint32_t)(SBX_TAINT_LIST | SBX_TAINT_NARROW));
    case SBX_ACCESS_EXECUTE:
        if (!place.adrift && !place.has_unknown && !place.has_glob) {
            struct sbx_path_decision d = decide(&c, place.text, SBX_OP_EXECUTE);
            if (!d.allowed)
                find(&c, SBX_DENY, SBX_CLASS_PATH, d.rule, place.text,
                     "this program may not be run here");
        }
        return 0;
    case SBX_ACCESS_WRITE:
        j->writes_output = true; /* so it is no reading command, whatever its name */
        check_write(&c);
        return 0;
    default:
        j->writes_output = true;
        check_destroy(&c, value);
        return 0;
    }
}

bool sbx_place_is_protected(struct sbx_judge *j, const char *path)
{
    return !sbx_path_decide(j->policy, path, SBX_OP_READ).allowed;
}

bool sbx_place_is_startup(struct sbx_judge *j, const char *path)
{
    struct sbx_path_decision d = sbx_path_decide(j->policy, path, SBX_OP_WRITE);
    return !d.allowed && d.rule && (d.rule->flags & SBX_PATH_ZONE_P);
}

bool sbx_path_of(struct sbx_judge *j, const struct sbx_value *value, char *out, size_t size)
{
    struct sbx_place place;
    if (!sbx_place_of(j, value, &place) || place.adrift || place.has_glob || place.has_unknown ||
        place.len + 1 > size)
        return false;
    memcpy(out, place.text, place.len + 1);
    return true;
}

const char *sbx_cwd_save(struct sbx_judge *j)
{
    if (j->cwd_kept && !strcmp(j->cwd_kept, j->cwd))
        return j->cwd_kept;
    const char *saved = sbx_arena_strndup(&j->arena, j->cwd, strlen(j->cwd));
    j->no_memory = j->no_memory || !saved;
    j->cwd_kept = saved;
    return saved ? saved : "";
}

void sbx_cwd_restore(struct sbx_judge *j, const char *saved)
{
    memcpy(j->cwd, saved, strlen(saved) + 1);
}

void sbx_chdir(struct sbx_judge *j, const struct sbx_value *to)
{
    char path[SBX_PATH_BYTES];
    if (!to || !sbx_path_of(j, to, path, sizeof(path)))
        path[0] = 0;
    memcpy(j->cwd, path, strlen(path) + 1);
}

/* --- files made in this input ---------------------------------------------------------------------------- */
#define MADE_MAX 256

static uint32_t path_hash(const char *path)
{
    uint32_t value = 5381;
    for (; *path; path++)
        value = value * 33 + (unsigned char)*path;
    return value;
}

struct sbx_made *sbx_made_find(struct sbx_judge *j, const char *path)
{
    uint32_t hash = j->made ? path_hash(path) : 0;
    for (struct sbx_made *made = j->made; made; made = made->next)
        if (made->path_hash == hash && !strcmp(made->path, path))
            return made;
    return NULL;
}

void sbx_made_add(struct sbx_judge *j, const char *path, const struct sbx_value *text,
                  uint32_t taint, const char *copy_of)
{
    struct sbx_made *made =
        j->made_count < MADE_MAX ? sbx_arena_alloc(&j->arena, sizeof(*made)) : NULL;
    if (!made)
        return;
    *made = (struct sbx_made){.next = j->made,
                              .text = text,
                              .taint = taint,
                              .copy_of = copy_of,
                              .path = sbx_arena_strndup(&j->arena, path, strlen(path))};
    if (!made->path)
        return;
    made->path_hash = path_hash(made->path);
    j->made = made;
    j->made_count++;
}
