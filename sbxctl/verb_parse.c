/* sbxctl parse: the syntax tree of a text as JSON, with byte ranges. */
#include "sbxctl/sbxctl.h"

#include <fcntl.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/cleanup.h"
#include "policy/shell.h"
#include "sbxctl/json.h"

#define TREE_BYTES ((size_t)1024 * 1024 * 1024)

static struct json_object *script_json(const struct sbx_script *script);
static struct json_object *words_json(const struct sbx_word *word);
static struct json_object *word_json(const struct sbx_word *word);

static struct json_object *node(const char *kind, struct sbx_span span)
{
    struct json_object *object = json_object_new_object();
    if (kind)
        json_object_object_add(object, "kind", json_object_new_string(kind));
    json_object_object_add(object, "begin", json_object_new_int64(span.begin));
    json_object_object_add(object, "end", json_object_new_int64(span.end));
    return object;
}

static void add_text(struct json_object *object, const char *key, const char *text, size_t len)
{
    json_object_object_add(object, key, sbx_json_text_len(text, len));
}

static void add_flag(struct json_object *object, const char *key, bool value)
{
    if (value)
        json_object_object_add(object, key, json_object_new_boolean(true));
}

static struct json_object *param_json(const struct sbx_param *param)
{
    struct json_object *object = json_object_new_object();
    add_text(object, "name", param->name, param->name_len);
    add_flag(object, "indirect", param->indirect);
    add_flag(object, "length", param->length);
    add_flag(object, "prefix_list", param->prefix_list);
    add_flag(object, "bad", param->bad);
    if (param->subscript)
        json_object_object_add(object, "subscript", word_json(param->subscript));
    if (*param->op)
        json_object_object_add(object, "op", json_object_new_string(param->op));
    if (param->arg)
        json_object_object_add(object, "arg", word_json(param->arg));
    if (param->arg2)
        json_object_object_add(object, "arg2", word_json(param->arg2));
    return object;
}

static struct json_object *parts_json(const struct sbx_part *part)
{
    static const char *const kinds[] = {
        [SBX_PART_LITERAL] = "literal", [SBX_PART_SINGLE] = "single",
        [SBX_PART_DOUBLE] = "double",   [SBX_PART_ANSI] = "ansi",
        [SBX_PART_PARAM] = "param",     [SBX_PART_COMMAND] = "command",
        [SBX_PART_PROCESS] = "process", [SBX_PART_ARITH] = "arith",
        [SBX_PART_GLOB] = "glob",       [SBX_PART_EXTGLOB] = "extglob",
        [SBX_PART_BRACE] = "brace",     [SBX_PART_TILDE] = "tilde",
    };
    struct json_object *array = json_object_new_array();
    for (; part; part = part->next) {
        struct json_object *object = node(kinds[part->kind], part->span);
        if (part->op && part->kind != SBX_PART_PARAM)
            add_text(object, "op", &part->op, 1);
        add_flag(object, "backquote", part->is_backquote);
        add_flag(object, "sequence", part->is_sequence);
        if (part->text)
            add_text(object, "text", part->text, part->text_len);
        if (part->kind == SBX_PART_DOUBLE || part->kind == SBX_PART_ARITH)
            json_object_object_add(object, "parts", parts_json(part->parts));
        if (part->words)
            json_object_object_add(object, "words", words_json(part->words));
        if (part->param)
            json_object_object_add(object, "param", param_json(part->param));
        if (part->kind == SBX_PART_COMMAND || part->kind == SBX_PART_PROCESS)
            json_object_object_add(object, "script",
                                   part->script ? script_json(part->script) : NULL);
        json_object_array_add(array, object);
    }
    return array;
}

static struct json_object *word_json(const struct sbx_word *word)
{
    struct json_object *object = node(NULL, word->span);
    json_object_object_add(object, "parts", parts_json(word->parts));
    return object;
}

static struct json_object *words_json(const struct sbx_word *word)
{
    struct json_object *array = json_object_new_array();
    for (; word; word = word->next)
        json_object_array_add(array, word_json(word));
    return array;
}

static struct json_object *assigns_json(const struct sbx_assign *assign)
{
    struct json_object *array = json_object_new_array();
    for (; assign; assign = assign->next) {
        struct json_object *object = node(NULL, assign->span);
        if (assign->name_len)
            add_text(object, "name", assign->name, assign->name_len);
        if (assign->subscript)
            json_object_object_add(object, "subscript", word_json(assign->subscript));
        add_flag(object, "append", assign->append);
        if (assign->value)
            json_object_object_add(object, "value", word_json(assign->value));
        if (assign->is_array)
            json_object_object_add(object, "elements", assigns_json(assign->elements));
        json_object_array_add(array, object);
    }
    return array;
}

static struct json_object *redirs_json(const struct sbx_redir *redir)
{
    static const char *const kinds[] = {
        [SBX_REDIR_READ] = "<",          [SBX_REDIR_WRITE] = ">",        [SBX_REDIR_CLOBBER] = ">|",
        [SBX_REDIR_APPEND] = ">>",       [SBX_REDIR_READWRITE] = "<>",   [SBX_REDIR_BOTH] = "&>",
        [SBX_REDIR_BOTH_APPEND] = "&>>", [SBX_REDIR_DUP_IN] = "<&",      [SBX_REDIR_DUP_OUT] = ">&",
        [SBX_REDIR_HEREDOC] = "<<",      [SBX_REDIR_HERESTRING] = "<<<",
    };
    struct json_object *array = json_object_new_array();
    for (; redir; redir = redir->next) {
        struct json_object *object = node(kinds[redir->kind], redir->span);
        if (redir->fd >= 0)
            json_object_object_add(object, "fd", json_object_new_int(redir->fd));
        if (redir->fd_var)
            add_text(object, "fd_var", redir->fd_var, strlen(redir->fd_var));
        json_object_object_add(object, "target", word_json(redir->target));
        add_flag(object, "quoted", redir->heredoc_quoted && redir->kind == SBX_REDIR_HEREDOC);
        add_flag(object, "strip", redir->heredoc_strip);
        add_flag(object, "unterminated", redir->heredoc_unterminated);
        if (redir->heredoc)
            json_object_object_add(object, "body", word_json(redir->heredoc));
        json_object_array_add(array, object);
    }
    return array;
}

static struct json_object *clauses_json(const struct sbx_clause *clause)
{
    struct json_object *array = json_object_new_array();
    for (; clause; clause = clause->next) {
        struct json_object *object = node(NULL, clause->span);
        if (clause->condition)
            json_object_object_add(object, "condition", script_json(clause->condition));
        if (clause->patterns)
            json_object_object_add(object, "patterns", words_json(clause->patterns));
        if (clause->body)
            json_object_object_add(object, "body", script_json(clause->body));
        if (*clause->terminator)
            json_object_object_add(object, "terminator",
                                   json_object_new_string(clause->terminator));
        json_object_array_add(array, object);
    }
    return array;
}

static struct json_object *command_json(const struct sbx_command *command)
{
    static const char *const kinds[] = {
        [SBX_CMD_SIMPLE] = "simple",     [SBX_CMD_GROUP] = "group",
        [SBX_CMD_SUBSHELL] = "subshell", [SBX_CMD_IF] = "if",
        [SBX_CMD_WHILE] = "while",       [SBX_CMD_UNTIL] = "until",
        [SBX_CMD_FOR] = "for",           [SBX_CMD_ARITH_FOR] = "arith_for",
        [SBX_CMD_SELECT] = "select",     [SBX_CMD_CASE] = "case",
        [SBX_CMD_FUNCTION] = "function", [SBX_CMD_COPROC] = "coproc",
        [SBX_CMD_COND] = "cond",         [SBX_CMD_ARITH] = "arith",
    };
    struct json_object *object = node(kinds[command->kind], command->span);
    if (command->name)
        add_text(object, "name", command->name, command->name_len);
    if (command->subject)
        json_object_object_add(object, "subject", word_json(command->subject));
    if (command->assigns)
        json_object_object_add(object, "assigns", assigns_json(command->assigns));
    if (command->words || command->has_in || command->kind == SBX_CMD_SIMPLE)
        json_object_object_add(object, "words", words_json(command->words));
    if (command->redirs)
        json_object_object_add(object, "redirs", redirs_json(command->redirs));
    if (command->condition)
        json_object_object_add(object, "condition", script_json(command->condition));
    if (command->clauses)
        json_object_object_add(object, "clauses", clauses_json(command->clauses));
    if (command->body)
        json_object_object_add(object, "body", script_json(command->body));
    add_flag(object, "pipe_both", command->pipe_both);
    return object;
}

static struct json_object *script_json(const struct sbx_script *script)
{
    struct json_object *object = node(NULL, script->span), *array = json_object_new_array();
    for (const struct sbx_pipeline *pipeline = script->pipelines; pipeline;
         pipeline = pipeline->next) {
        struct json_object *one = node(NULL, pipeline->span), *commands = json_object_new_array();
        add_flag(one, "negated", pipeline->negated);
        add_flag(one, "timed", pipeline->timed);
        for (const struct sbx_command *command = pipeline->commands; command;
             command = command->next)
            json_object_array_add(commands, command_json(command));
        json_object_object_add(one, "commands", commands);
        json_object_object_add(one, "terminator", json_object_new_string(pipeline->terminator));
        json_object_array_add(array, one);
    }
    json_object_object_add(object, "pipelines", array);
    return object;
}

/* The whole file, at most one byte more than the parser takes. NULL after a message. */
static char *read_file(const char *path, size_t *len)
{
    _cleanup_fd_ int fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : dup(STDIN_FILENO);
    _cleanup_free_ char *text = malloc(SBX_SHELL_MAX_BYTES + 1);
    *len = 0;
    if (fd < 0 || !text) {
        (void)sbx_usage("cannot open '%s': %s", path, strerror(errno));
        return NULL;
    }
    while (*len <= SBX_SHELL_MAX_BYTES) {
        ssize_t n = read(fd, text + *len, SBX_SHELL_MAX_BYTES + 1 - *len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            (void)sbx_usage("cannot read '%s': %s", path, strerror(errno));
            return NULL;
        }
        if (!n)
            break;
        *len += (size_t)n;
    }
    return sbx_steal_ptr(&text);
}

static void say_place(const char *text, uint32_t at, const char *message)
{
    unsigned line = 1;
    uint32_t begin = 0;
    for (uint32_t i = 0; i < at; i++)
        if (text[i] == '\n') {
            line++;
            begin = i + 1;
        }
    (void)fprintf(stderr, "sbxctl: line %u, column %u (byte %u): ", line, at - begin + 1, at);
    for (; *message; message++)
        (void)fputc((unsigned char)*message < ' ' || *message == 0x7f ? '?' : *message, stderr);
    (void)fputc('\n', stderr);
}

static int parse_text(const char *text, size_t len)
{
    struct sbx_arena arena;
    struct sbx_parse parse;
    int status = SBX_EXIT_OK;
    sbx_arena_init(&arena, TREE_BYTES);
    sbx_shell_parse(&arena, text, len, &parse);
    if (parse.status == SBX_PARSE_OK) {
        struct json_object *tree = script_json(parse.script);
        const char *json = json_object_to_json_string_ext(tree, JSON_C_TO_STRING_PLAIN |
                                                                    JSON_C_TO_STRING_NOSLASHESCAPE);
        if (parse.cond_error)
            say_place(text, parse.error_at, parse.message);
        if (parse.heredoc_warning)
            (void)fputs("sbxctl: warning: a here-document is ended by the end of its text\n",
                        stderr);
        if (!json || puts(json) == EOF)
            status = sbx_usage("cannot write the tree");
        (void)json_object_put(tree);
    } else {
        say_place(text, len < parse.error_at ? (uint32_t)len : parse.error_at, parse.message);
        status = SBX_EXIT_FOUND;
    }
    sbx_arena_free(&arena);
    return status;
}

int sbx_verb_parse(int argc, char **argv)
{
    if (argc != 3 || (strcmp(argv[1], "-c") && strcmp(argv[1], "-f")))
        return sbx_usage("usage: sbxctl parse (-c CMD | -f FILE)");
    if (!strcmp(argv[1], "-c"))
        return parse_text(argv[2], strlen(argv[2]));
    size_t len;
    _cleanup_free_ char *text = read_file(argv[2], &len);
    return text ? parse_text(text, len) : SBX_EXIT_USAGE;
}
