#include "sbxctl/json.h"
#include "sbxctl/show.h"

#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "sbxctl/operate.h"

#define PLACE_BYTES 4400

static const char *scope_name(uint32_t scope)
{
    static const char *const names[] = {"default", "user",  "project", "local",
                                        "flag",    "grant", "managed"};
    return scope < sizeof(names) / sizeof(*names) ? names[scope] : "?";
}

static const char *kind_name(uint16_t kind)
{
    static const char *const names[] = {"allow_write", "deny_write", "allow_read", "deny_read"};
    return kind < sizeof(names) / sizeof(*names) ? names[kind] : "?";
}

static const char *action_name(uint8_t action)
{
    static const char *const names[] = {"allow", "ask", "deny"};
    return action < sizeof(names) / sizeof(*names) ? names[action] : "?";
}

static const char *zone_name(uint32_t flags)
{
    return flags & SBX_PATH_ZONE_S   ? "S"
           : flags & SBX_PATH_ZONE_P ? "P"
           : flags & SBX_PATH_ZONE_D ? "D"
                                     : NULL;
}

/* A scalar that managed files or the flag scope set: nothing below can change it. */
static bool is_locked(enum sbx_key key, const struct sbx_item *item)
{
    return !SBX_KEY_IS_LIST(sbx_key_table[key].type) && item->origin.scope >= SBX_SCOPE_FLAG;
}

/* --- text ------------------------------------------------------------------------------------- */
#define VALUE_COLUMN 52

static void print_line(const struct sbx_policy *policy, const char *text,
                       const struct sbx_origin *origin, const char *notes)
{
    char place[PLACE_BYTES];
    sbx_policy_origin(policy, origin, place, sizeof(place));
    sbx_print_text(stdout, text, strlen(text));
    int pad = VALUE_COLUMN - (int)strlen(text);
    (void)printf("%*s  %-8s", pad > 0 ? pad : 0, "", scope_name(origin->scope));
    sbx_print_text(stdout, place, strlen(place));
    (void)printf("%s\n", notes);
}

static void print_key(const struct sbx_policy *policy, enum sbx_key key)
{
    const struct sbx_key_row *row = &sbx_key_table[key];
    const char *later = row->flags & SBX_K_LATER ? "; accepted, no effect yet" : "";
    uint32_t count = 0;
    const struct sbx_item *items = sbx_policy_list(policy, key, &count);
    if (!count)
        (void)printf("%s.%s: not set%s\n", row->section, row->key, later);
    for (uint32_t i = 0; i < count; i++) {
        char text[8192], notes[64];
        (void)snprintf(text, sizeof(text), "%s.%s = %s", row->section, row->key,
                       sbx_policy_text(policy, items[i].text));
        (void)snprintf(notes, sizeof(notes), "%s%s", is_locked(key, &items[i]) ? "; locked" : "",
                       later);
        print_line(policy, text, &items[i].origin, notes);
    }
}

static void print_paths(const struct sbx_policy *policy)
{
    uint32_t count = 0;
    const struct sbx_path_rule *rules = sbx_policy_paths(policy, &count);
    (void)puts("\npath rules, as the jail and the judge have them:");
    for (uint32_t i = 0; i < count; i++) {
        const char *zone = zone_name(rules[i].flags);
        char text[8192], notes[32] = "";
        (void)snprintf(text, sizeof(text), "%-11s %s", kind_name(rules[i].kind),
                       sbx_policy_text(policy, rules[i].path));
        if (zone)
            (void)snprintf(notes, sizeof(notes), "; zone %s", zone);
        print_line(policy, text, &rules[i].origin, notes);
    }
}

/* What stands in a file and does not count, and why. */
static void print_ignored(const struct sbx_config *config)
{
    struct sbx_ignored ignored;
    size_t at = 0;
    for (bool is_first = true; sbx_config_ignored(config, &at, &ignored); is_first = false) {
        const struct sbx_key_row *row = &sbx_key_table[ignored.key];
        if (is_first)
            (void)puts("\nignored:");
        (void)printf("%s.%s = ", row->section, row->key);
        sbx_print_text(stdout, ignored.value, strlen(ignored.value));
        (void)printf("  %s  ", scope_name(ignored.scope));
        sbx_print_text(stdout, ignored.file, strlen(ignored.file));
        if (ignored.line)
            (void)printf(":%u", ignored.line);
        (void)fputs(": ", stdout);
        sbx_print_text(stdout, ignored.why, strlen(ignored.why));
        (void)putchar('\n');
    }
}

void sbx_show_text(const struct sbx_policy *policy, const struct sbx_config *config)
{
    (void)printf("account %s, uid %u, home %s\n", sbx_policy_text(policy, policy->account),
                 policy->uid, sbx_policy_text(policy, policy->home));
    (void)printf("fingerprint %016llx\n\n", (unsigned long long)policy->fingerprint);
    for (unsigned key = 0; key < SBX_KEY_COUNT; key++)
        print_key(policy, (enum sbx_key)key);
    print_paths(policy);
    print_ignored(config);
}

/* --- JSON ------------------------------------------------------------------------------------- */
static struct json_object *text_object(const struct sbx_policy *policy, struct sbx_ref ref)
{
    return sbx_json_text(sbx_policy_text(policy, ref));
}

static void add_origin(const struct sbx_policy *policy, struct json_object *object,
                       const struct sbx_origin *origin)
{
    json_object_object_add(object, "scope", json_object_new_string(scope_name(origin->scope)));
    json_object_object_add(object, "file",
                           origin->file.len ? text_object(policy, origin->file) : NULL);
    json_object_object_add(object, "line",
                           origin->line ? json_object_new_int64(origin->line) : NULL);
}

static struct json_object *key_object(const struct sbx_policy *policy, enum sbx_key key)
{
    const struct sbx_key_row *row = &sbx_key_table[key];
    struct json_object *object = json_object_new_object(), *values = json_object_new_array();
    uint32_t count = 0;
    const struct sbx_item *items = sbx_policy_list(policy, key, &count);
    for (uint32_t i = 0; i < count; i++) {
        struct json_object *value = json_object_new_object();
        json_object_object_add(value, "value", text_object(policy, items[i].text));
        add_origin(policy, value, &items[i].origin);
        json_object_array_add(values, value);
    }
    json_object_object_add(object, "section", json_object_new_string(row->section));
    json_object_object_add(object, "key", json_object_new_string(row->key));
    json_object_object_add(object, "list", json_object_new_boolean(SBX_KEY_IS_LIST(row->type)));
    json_object_object_add(object, "locked",
                           json_object_new_boolean(count && is_locked(key, items)));
    json_object_object_add(object, "effect", json_object_new_boolean(!(row->flags & SBX_K_LATER)));
    json_object_object_add(object, "values", values);
    return object;
}

static struct json_object *path_object(const struct sbx_policy *policy,
                                       const struct sbx_path_rule *rule)
{
    struct json_object *object = json_object_new_object();
    const char *zone = zone_name(rule->flags);
    json_object_object_add(object, "kind", json_object_new_string(kind_name(rule->kind)));
    json_object_object_add(object, "path", text_object(policy, rule->path));
    json_object_object_add(object, "glob",
                           json_object_new_boolean((rule->flags & SBX_PATH_GLOB) != 0));
    json_object_object_add(object, "zone", zone ? json_object_new_string(zone) : NULL);
    add_origin(policy, object, &rule->origin);
    return object;
}

static struct json_object *rule_object(const struct sbx_policy *policy, const struct sbx_rule *rule)
{
    struct json_object *object = json_object_new_object();
    json_object_object_add(object, "action", json_object_new_string(action_name(rule->action)));
    json_object_object_add(object, "rule", text_object(policy, rule->text));
    add_origin(policy, object, &rule->origin);
    return object;
}

static struct json_object *ignored_array(const struct sbx_config *config)
{
    struct json_object *array = json_object_new_array();
    struct sbx_ignored ignored;
    for (size_t at = 0; sbx_config_ignored(config, &at, &ignored);) {
        const struct sbx_key_row *row = &sbx_key_table[ignored.key];
        struct json_object *object = json_object_new_object();
        json_object_object_add(object, "section", json_object_new_string(row->section));
        json_object_object_add(object, "key", json_object_new_string(row->key));
        json_object_object_add(object, "value", sbx_json_text(ignored.value));
        json_object_object_add(object, "scope", json_object_new_string(scope_name(ignored.scope)));
        json_object_object_add(object, "file", sbx_json_text(ignored.file));
        json_object_object_add(object, "line", json_object_new_int64(ignored.line));
        json_object_object_add(object, "why", sbx_json_text(ignored.why));
        json_object_array_add(array, object);
    }
    return array;
}

void sbx_show_json(const struct sbx_policy *policy, const struct sbx_config *config)
{
    struct json_object *object = json_object_new_object(), *keys = json_object_new_array();
    struct json_object *paths = json_object_new_array(), *rules = json_object_new_array();
    char fingerprint[24];
    uint32_t count = 0;
    for (unsigned key = 0; key < SBX_KEY_COUNT; key++)
        json_object_array_add(keys, key_object(policy, (enum sbx_key)key));
    const struct sbx_path_rule *path = sbx_policy_paths(policy, &count);
    for (uint32_t i = 0; i < count; i++)
        json_object_array_add(paths, path_object(policy, &path[i]));
    const struct sbx_rule *rule = sbx_policy_rules(policy, &count);
    for (uint32_t i = 0; i < count; i++)
        json_object_array_add(rules, rule_object(policy, &rule[i]));
    (void)snprintf(fingerprint, sizeof(fingerprint), "%016llx",
                   (unsigned long long)policy->fingerprint);
    json_object_object_add(object, "account", text_object(policy, policy->account));
    json_object_object_add(object, "uid", json_object_new_int64(policy->uid));
    json_object_object_add(object, "home", text_object(policy, policy->home));
    json_object_object_add(object, "workspace", text_object(policy, policy->workspace));
    json_object_object_add(object, "fingerprint", json_object_new_string(fingerprint));
    json_object_object_add(object, "settings", keys);
    json_object_object_add(object, "paths", paths);
    json_object_object_add(object, "rules", rules);
    json_object_object_add(object, "ignored", ignored_array(config));
    (void)puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN));
    json_object_put(object);
}
