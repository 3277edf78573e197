/* sbxctl explain: judge, and say which part, which path and which rule decided. */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "policy/cleanup.h"
#include "policy/explain.h"
#include "sbxctl/json.h"
#include "sbxctl/judging.h"

struct explanation {
    const struct sbx_judging *judging;
    struct json_object *commands, *paths, *findings; /* arrays, with --json */
};

static void print(const char *text)
{
    sbx_print_text(stdout, text, strlen(text));
}

static void add(struct json_object *object, const char *key, const char *text)
{
    json_object_object_add(object, key, sbx_json_text(text));
}

static void tell_command(void *data, const struct sbx_told_command *command)
{
    struct explanation *e = data;
    if (e->commands) {
        struct json_object *object = json_object_new_object();
        struct json_object *words = json_object_new_array();
        for (uint32_t i = 0; i < command->words; i++)
            json_object_array_add(words, sbx_json_text(command->word[i]));
        json_object_object_add(object, "words", words);
        json_object_object_add(object, "depth", json_object_new_int64(command->depth));
        add(object, "entry", command->entry ? command->entry : "");
        json_object_object_add(object, "readonly", json_object_new_boolean(command->is_readonly));
        if (command->instead)
            add(object, "instead", command->instead);
        json_object_array_add(e->commands, object);
        return;
    }
    (void)printf("%*scommand:", (int)command->depth * 2, "");
    for (uint32_t i = 0; i < command->words; i++) {
        (void)putchar(' ');
        print(command->word[i]);
    }
    (void)fputs(command->entry ? "  [table: " : "  [not in the table", stdout);
    print(command->entry ? command->entry : "");
    (void)printf("%s]\n", command->is_readonly ? ", read-only" : "");
    if (command->instead)
        (void)printf("%*s  in a jail: %s\n", (int)command->depth * 2, "", command->instead);
}

static void tell_path(void *data, const struct sbx_told_path *path)
{
    struct explanation *e = data;
    if (e->paths) {
        struct json_object *object = json_object_new_object();
        add(object, "path", path->path);
        add(object, "operation", path->operation);
        add(object, "decision", path->decision);
        add(object, "rule", path->rule);
        add(object, "origin", path->origin);
        json_object_array_add(e->paths, object);
        return;
    }
    (void)printf("  path: %s ", path->operation);
    print(path->path);
    (void)printf(": %s", path->decision);
    if (*path->rule) {
        (void)fputs(" by ", stdout);
        print(path->rule);
        (void)fputs(" (", stdout);
        print(path->origin);
        (void)putchar(')');
    }
    (void)putchar('\n');
}

static void tell_finding(void *data, const struct sbx_told_finding *finding)
{
    struct explanation *e = data;
    if (e->findings) {
        struct json_object *object = json_object_new_object();
        add(object, "verdict", sbx_verdict_name(finding->verdict));
        add(object, "class", sbx_class_name(finding->class));
        add(object, "what", finding->what);
        add(object, "path", finding->path);
        add(object, "instead", finding->reason);
        json_object_array_add(e->findings, object);
        return;
    }
    (void)printf("  found: %s, class %s: ", sbx_verdict_name(finding->verdict),
                 sbx_class_name(finding->class));
    print(finding->what);
    if (*finding->path) {
        (void)putchar(' ');
        print(finding->path);
    }
    (void)putchar('\n');
}

static void print_verdict(const struct sbx_verdict *v, const char *text)
{
    (void)printf("verdict: %s\nclass: %s\nby: %s\nrule: ", sbx_verdict_name(v->verdict),
                 sbx_class_name(v->class), sbx_by_name(v->by));
    print(v->rule);
    (void)fputs("\norigin: ", stdout);
    print(v->origin);
    if (v->end > v->begin) {
        (void)printf("\npart: bytes %u to %u: ", v->begin, v->end);
        sbx_print_text(stdout, text + v->begin, v->end - v->begin);
    }
    if (*v->reason) {
        (void)fputs("\ninstead: ", stdout);
        print(v->reason);
    }
    (void)putchar('\n');
}

static void print_json(const struct explanation *e, const struct sbx_verdict *v)
{
    struct json_object *object = json_object_new_object();
    add(object, "verdict", sbx_verdict_name(v->verdict));
    add(object, "class", sbx_class_name(v->class));
    add(object, "by", sbx_by_name(v->by));
    add(object, "rule", v->rule);
    add(object, "origin", v->origin);
    add(object, "reason", v->reason);
    json_object_object_add(object, "begin", json_object_new_int64(v->begin));
    json_object_object_add(object, "end", json_object_new_int64(v->end));
    json_object_object_add(object, "commands", e->commands);
    json_object_object_add(object, "paths", e->paths);
    json_object_object_add(object, "findings", e->findings);
    (void)puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY |
                                                          JSON_C_TO_STRING_NOSLASHESCAPE));
    (void)json_object_put(object);
}

static int explain(struct sbx_judging *judging)
{
    struct explanation e = {.judging = judging};
    const struct sbx_teller teller = {tell_command, tell_path, tell_finding, &e};
    struct sbx_verdict verdict;
    size_t len = 0;
    _cleanup_free_ char *file = NULL;
    int status = sbx_judging_open(judging);
    if (status)
        return status;
    if (judging->file && !(file = sbx_judging_read(judging->file, &len)))
        return SBX_EXIT_USAGE;
    const char *text = file ? file : judging->command;
    if (!file)
        len = strlen(text);
    if (judging->is_json) {
        e.commands = json_object_new_array();
        e.paths = json_object_new_array();
        e.findings = json_object_new_array();
    }
    sbx_judge_explained(&judging->context, text, len, &teller, &verdict);
    if (judging->is_json)
        print_json(&e, &verdict);
    else
        print_verdict(&verdict, text);
    return sbx_judging_exit(verdict.verdict);
}

int sbx_verb_explain(int argc, char **argv)
{
    struct sbx_judging judging = {0};
    struct sbx_option options[SBX_JUDGING_OPTIONS];
    int first = 0;
    sbx_judging_options(&judging, options);
    if (sbx_options_read(argc, argv, options, true, &first))
        return SBX_EXIT_USAGE;
    if (first + 1 == argc && !judging.command && !judging.file)
        judging.command = argv[first++]; /* sbxctl explain -- 'cmd' */
    if (first != argc || judging.is_batch || judging.is_nul || judging.tool ||
        (judging.command != NULL) + (judging.file != NULL) != 1)
        return sbx_usage("explain: give one of -c CMD, -f FILE, or -- CMD");
    int status = explain(&judging);
    sbx_judging_close(&judging);
    return status;
}
