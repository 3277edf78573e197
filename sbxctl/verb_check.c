/* sbxctl check: judge commands without running them. */
#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "policy/cleanup.h"
#include "policy/rule.h"
#include "sbxctl/json.h"
#include "sbxctl/judging.h"

static void add(struct json_object *object, const char *key, const char *text)
{
    json_object_object_add(object, key, sbx_json_text(text));
}

/* One object a line. The bytes of the command are not repeated: they may be no UTF-8. */
static void print_json(const struct sbx_verdict *v)
{
    struct json_object *object = json_object_new_object();
    add(object, "verdict", sbx_verdict_name(v->verdict));
    add(object, "class", sbx_class_name(v->class));
    add(object, "by", sbx_by_name(v->by));
    add(object, "rule", v->rule);
    add(object, "origin", v->origin);
    add(object, "reason", v->reason);
    add(object, "path", v->path);
    json_object_object_add(object, "begin", json_object_new_int64(v->begin));
    json_object_object_add(object, "end", json_object_new_int64(v->end));
    json_object_object_add(object, "syntax_error", json_object_new_boolean(v->is_syntax_error));
    (void)puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN |
                                                          JSON_C_TO_STRING_NOSLASHESCAPE));
    (void)json_object_put(object);
}

static void print_verdict(const struct sbx_judging *judging, const struct sbx_verdict *v)
{
    if (judging->is_json) {
        print_json(v);
        return;
    }
    (void)printf("%s\t%s\t", sbx_verdict_name(v->verdict), sbx_class_name(v->class));
    sbx_print_text(stdout, v->reason, strlen(v->reason));
    (void)putchar('\n');
}

/* Each command starts at --cwd and knows nothing of the one before it. */
static int check_batch(const struct sbx_judging *judging)
{
    _cleanup_free_ char *line = NULL;
    size_t room = 0;
    int delimiter = judging->is_nul ? '\0' : '\n';
    ssize_t len;
    while (errno = 0, (len = getdelim(&line, &room, delimiter, stdin)) >= 0) {
        struct sbx_verdict verdict;
        if (len && line[len - 1] == delimiter)
            len--;
        sbx_judge(&judging->context, line, (size_t)len, &verdict);
        print_verdict(judging, &verdict);
    }
    return ferror(stdin) ? sbx_usage("cannot read the commands: %s", strerror(errno)) : SBX_EXIT_OK;
}

static int check_tool(const struct sbx_judging *judging, const char *operand)
{
    enum sbx_tool tool;
    struct sbx_verdict verdict;
    struct sbx_err err = SBX_ERR_INIT;
    if (sbx_tool_find(judging->tool, strlen(judging->tool), &tool, &err))
        return sbx_complain(&err);
    sbx_judge_tool(&judging->context, tool, operand, &verdict);
    print_verdict(judging, &verdict);
    return sbx_judging_exit(verdict.verdict);
}

static int check_text(const struct sbx_judging *judging, const char *text, size_t len)
{
    struct sbx_verdict verdict;
    sbx_judge(&judging->context, text, len, &verdict);
    print_verdict(judging, &verdict);
    return sbx_judging_exit(verdict.verdict);
}

static int check(struct sbx_judging *judging, const char *operand)
{
    int status = sbx_judging_open(judging);
    if (status)
        return status;
    if (judging->is_batch)
        return check_batch(judging);
    if (judging->tool)
        return check_tool(judging, operand);
    if (judging->command)
        return check_text(judging, judging->command, strlen(judging->command));
    size_t len = 0;
    _cleanup_free_ char *text = sbx_judging_read(judging->file, &len);
    return text ? check_text(judging, text, len) : SBX_EXIT_USAGE;
}

int sbx_verb_check(int argc, char **argv)
{
    struct sbx_judging judging = {0};
    struct sbx_option options[SBX_JUDGING_OPTIONS];
    int first = 0;
    sbx_judging_options(&judging, options);
    if (sbx_options_read(argc, argv, options, true, &first))
        return SBX_EXIT_USAGE;
    int ways = (judging.command != NULL) + (judging.file != NULL) + judging.is_batch +
               (judging.tool != NULL);
    int operands = argc - first;
    if (ways != 1 || operands != (judging.tool ? 1 : 0))
        return operands && ways == 1 && !judging.tool
                   ? sbx_usage("check: one word too many: '%s'; quote the command", argv[first])
                   : sbx_usage("check: give one of -c CMD, -f FILE, --batch, --tool TOOL OPERAND");
    if (judging.is_nul && !judging.is_batch)
        return sbx_usage("check: -0 goes with --batch");
    int status = check(&judging, judging.tool ? argv[first] : NULL);
    sbx_judging_close(&judging);
    return status;
}
