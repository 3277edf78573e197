/* From text to verdict: parse, walk, and take the strictest of what was found. */
#include "policy/judge_state.h"
#include "policy/rule.h"
#include "policy/classify.h"

#include <stdio.h>
#include <string.h>

#define TOLD_MAX_BYTES ((size_t)256 * 1024)

enum { MODE_AUTO_ALLOW = 0, MODE_REGULAR, MODE_DISABLED }; /* of sandbox.mode */

static const char *const verdict_names[] = {"allow", "ask", "deny"};
static const char *const by_names[] = {"mode",       "rule",     "readonly",
                                       "classifier", "external", "grant"};
static const char *const class_names[SBX_CLASS_COUNT] = {
    "-",           "fs-destroy",    "device-write", "fork-bomb",   "perm-change",   "cred-read",
    "exfil",       "remote-code",   "priv-esc",     "persistence", "shell-evasion", "nested-shell",
    "git-destroy", "infra-destroy", "host-control", "log-tamper",  "disclosure",    "planted-repo",
    "path",        "unparsed",
};

const char *sbx_verdict_name(enum sbx_verdict_kind verdict)
{
    return verdict <= SBX_DENY ? verdict_names[verdict] : "deny";
}

const char *sbx_class_name(enum sbx_class class)
{
    return class < SBX_CLASS_COUNT ? class_names[class] : "-";
}

const char *sbx_by_name(enum sbx_by by)
{
    return by <= SBX_BY_GRANT ? by_names[by] : "classifier";
}

/* --- findings --------------------------------------------------------------------------------------------- */
enum action { ACTION_DENY = 0, ACTION_ASK, ACTION_LOG, ACTION_ALLOW };

/* What the policy says about a class; its own default where the policy says nothing. */
static enum sbx_verdict_kind class_verdict(const struct sbx_judge *j, enum sbx_class class,
                                           enum sbx_verdict_kind fallback)
{
    if (class == SBX_CLASS_NONE)
        return fallback;
    enum sbx_key key =
        (enum sbx_key)(SBX_KEY_CLASSIFIER_FS_DESTROY + (class - SBX_CLASS_FS_DESTROY));
    const struct sbx_setting *setting = &j->policy->setting[key];
    if (!setting->count)
        return fallback;
    switch ((enum action)setting->number) {
    case ACTION_DENY:
        return SBX_DENY;
    case ACTION_ASK:
        return SBX_ASK;
    default:
        return SBX_ALLOW;
    }
}

void sbx_find_path(struct sbx_judge *j, struct sbx_finding finding)
{
    if (finding.by == SBX_BY_CLASSIFIER || finding.class == SBX_CLASS_PATH)
        finding.verdict = class_verdict(j, finding.class, finding.verdict);
    finding.span = j->span;
    if (j->trace && j->trace->finding)
        j->trace->finding(j->trace->data, &finding);
    /* An allow rule answers what the judge asks by itself, never what an ask rule asks. */
    if (finding.verdict == SBX_ALLOW ||
        (finding.verdict == SBX_ASK && j->answered && finding.by != SBX_BY_RULE))
        return;
    if (j->has_finding && finding.verdict <= j->worst.verdict)
        return;
    j->worst = finding;
    j->has_finding = true;
}

void sbx_find(struct sbx_judge *j, enum sbx_verdict_kind verdict, enum sbx_class class,
              const char *what, const char *reason)
{
    sbx_find_path(j, (struct sbx_finding){.verdict = verdict,
                                          .class = class,
                                          .what = what,
                                          .reason = reason,
                                          .by = SBX_BY_CLASSIFIER});
}

/* Deny where a deny rule could be slipped past. */
void sbx_find_unread(struct sbx_judge *j, const char *what, const char *reason)
{
    uint32_t count = 0;
    enum sbx_verdict_kind verdict = SBX_ASK;
    const struct sbx_rule *rules = sbx_policy_rules(j->policy, &count);
    for (uint32_t i = 0; i < count; i++)
        if (rules[i].action == SBX_RULE_DENY && rules[i].tool == SBX_TOOL_BASH)
            verdict = SBX_DENY;
    bool answered = j->answered;
    j->answered = false; /* no rule can name what nobody has read */
    sbx_find(j, verdict, SBX_CLASS_UNPARSED, what, reason);
    j->answered = answered;
}

static void find_limit(struct sbx_judge *j, const char *what)
{
    sbx_find_unread(j, what, "split this into shorter and simpler commands");
}

bool sbx_step(struct sbx_judge *j, size_t steps)
{
    if (j->steps > SBX_JUDGE_STEPS || steps > SBX_JUDGE_STEPS - j->steps) {
        j->steps = SBX_JUDGE_STEPS + 1;
        j->limit_hit = true;
        return false;
    }
    j->steps += (unsigned)steps;
    return true;
}

/* --- code in code ------------------------------------------------------------------------------------------ */
/* zsh and ksh write `>>|`, `>!` and `&>|` where bash has `>>` and `&>`: the same to us. */
static void parse_near(struct sbx_judge *j, const char **text, size_t *len, struct sbx_parse *parse)
{
    char *copy = sbx_arena_strndup(&j->arena, *text, *len);
    size_t at = 0;
    for (size_t i = 0; copy && i < *len; i++) {
        bool odd = i && (*text)[i - 1] == '>' && ((*text)[i] == '|' || (*text)[i] == '!');
        if (!odd)
            copy[at++] = (*text)[i];
    }
    if (!copy)
        return;
    copy[at] = 0;
    *text = copy;
    *len = at;
    sbx_shell_parse_flags(&j->arena, copy, at, SBX_SHELL_EXTGLOB, parse);
}

static void walk_text(struct sbx_judge *j, const struct sbx_parse *parse, const struct sbx_flow *in,
                      struct sbx_flow *out)
{
    /* The inner shell refuses it as well, but only after it ran the lines in front of the error. */
    const struct sbx_script *script =
        parse->status == SBX_PARSE_OK ? parse->script : parse->partial;
    if (!script)
        return;
    bool nested = j->nested_text;
    j->nested_text = true;
    j->depth++;
    sbx_classify_code_bytes(j, parse->text, parse->len, script);
    sbx_walk_script(j, script, in, out);
    j->depth--;
    j->nested_text = nested;
}

/* A literal text of another program's: its spans mean nothing outside, the command's stays. */
static void judge_text(struct sbx_judge *j, const char *text, size_t len, const struct sbx_flow *in,
                       struct sbx_flow *out)
{
    struct sbx_parse parse;
    if (!sbx_step(j, 1 + len / 128))
        return;
    sbx_shell_parse_flags(&j->arena, text, len, SBX_SHELL_EXTGLOB, &parse);
    if (j->near_shell && (parse.status != SBX_PARSE_OK || memmem(text, len, ">!", 2)))
        parse_near(j, &text, &len, &parse);
    if (parse.status == SBX_PARSE_LIMIT) {
        find_limit(j, "code past the parser's limits");
        return;
    }
    walk_text(j, &parse, in, out);
}

/* The same read by the shell that reads the text around it. */
static void judge_own_text(struct sbx_judge *j, const char *text, size_t len,
                           const struct sbx_flow *in, struct sbx_flow *out)
{
    struct sbx_parse parse;
    if (!sbx_step(j, 1 + len / 128))
        return;
    sbx_aliases_find_unknown(j);
    sbx_shell_parse_aliased(&j->arena, text, len, SBX_SHELL_EXTGLOB, sbx_aliases_now(j), &parse);
    if (parse.status == SBX_PARSE_LIMIT) {
        if (!sbx_aliases_find_limit(j, &parse))
            find_limit(j, "code past the parser's limits");
        return;
    }
    walk_text(j, &parse, in, out);
}

enum reader { READER_OTHER, READER_OWN };

/* Where it is not said which shell reads the code, one without aliases, and this one as well if it has
 * some. */
static void judge_read(struct sbx_judge *j, enum reader reader, const char *text, size_t len,
                       const struct sbx_flow *in, struct sbx_flow *out)
{
    if (j->depth >= SBX_JUDGE_DEPTH) {
        find_limit(j, "code nested too deep");
        return;
    }
    if (reader == READER_OWN) {
        judge_own_text(j, text, len, in, out);
        return;
    }
    struct sbx_alias_state saved = j->alias;
    j->alias = (struct sbx_alias_state){.is_other = true};
    judge_text(j, text, len, in, out);
    j->alias = saved;
    struct sbx_flow ignored = {0};
    if (!sbx_aliases_now(j))
        return;
    judge_own_text(j, text, len, in, &ignored);
    if (j->alias.serial != saved.serial)
        sbx_aliases_lose(j); /* it may not be this shell that it changed */
}

static void judge_code(struct sbx_judge *j, enum reader reader, const struct sbx_value *code,
                       const struct sbx_flow *in, struct sbx_flow *out)
{
    if (sbx_value_known(code)) {
        bool sure = !code->unsure && !code->modelled; /* not one of several, side by side */
        j->guessed += !sure;
        judge_read(j, reader, code->text, code->len, in, out);
        j->guessed -= !sure;
        return;
    }
    if (code->taint & SBX_TAINT_NET)
        sbx_find(j, SBX_DENY, SBX_CLASS_REMOTE_CODE, "code from the network",
                 "save it to a file, read it, and run the file in a later command");
    /* The known parts are judged with a name in place of what is unknown, which says more than
     * nothing; and that something is unknown is a finding of its own. */
    char *copy = sbx_arena_strndup(&j->arena, code->text, code->len);
    bool leading = false;
    for (uint32_t i = 0; copy && i < code->len; i++) {
        if (!sbx_mask_unknown(sbx_value_mask(code, i)))
            continue;
        bool word_start = !i || strchr(" \t\n;&|(", copy[i - 1]);
        leading |= word_start && sbx_value_mask(code, i) == SBX_MASK_UNKNOWN &&
                   (!i || strchr("\n;&|(", copy[i - 1]));
        copy[i] = '_';
    }
    j->guessed++;
    if (copy)
        judge_read(j, reader, copy, code->len, in, out);
    j->guessed--;
    if (reader == READER_OWN)
        sbx_aliases_lose(j);
    if (leading || (code->len == 1 && code->mask[0] == SBX_MASK_UNKNOWN))
        sbx_find(j, SBX_ASK, SBX_CLASS_SHELL_EVASION, "code that is not known before it runs",
                 "write the command out instead of computing it");
}

void sbx_judge_code(struct sbx_judge *j, const struct sbx_value *code, const struct sbx_flow *in,
                    struct sbx_flow *out)
{
    judge_code(j, READER_OTHER, code, in, out);
}

void sbx_judge_own_code(struct sbx_judge *j, const struct sbx_value *code,
                        const struct sbx_flow *in, struct sbx_flow *out)
{
    judge_code(j, READER_OWN, code, in, out);
}

/* --- one input ---------------------------------------------------------------------------------------------- */
#define JUDGE_FIRST_BYTES ((size_t)8 * 1024)

static void judge_start(struct sbx_judge *j, const struct sbx_context *context,
                        const struct sbx_trace *trace, void *memory)
{
    const struct sbx_policy *policy = context->policy;
    memset(j, 0, offsetof(struct sbx_judge, cwd));
    memset((char *)j + offsetof(struct sbx_judge, cwd_maybe), 0,
           sizeof(*j) - offsetof(struct sbx_judge, cwd_maybe));
    sbx_arena_init_on(&j->arena, SBX_JUDGE_ARENA_BYTES, memory, JUDGE_FIRST_BYTES);
    j->context = context;
    j->policy = policy;
    j->trace = trace;
    j->home = sbx_policy_text(policy, policy->home);
    j->workspace = sbx_policy_text(policy, policy->workspace);
    j->account = sbx_policy_text(policy, policy->account);
    j->project = context->cwd;
    j->arguments_known = false; /* an earlier text of the session may have set some */
    sbx_values_init(&j->arguments);
    j->all_by_rule = true;
    j->asks_bite =
        context->is_outside || sbx_policy_number(policy, SBX_KEY_SANDBOX_MODE) != MODE_AUTO_ALLOW;
    if (sbx_path_normalise("/", context->cwd, j->cwd, sizeof(j->cwd)))
        j->cwd[0] = 0;
}

/* Functions of the shell that will run the text. Only definitions count; a text that is longer, or of
 * which something cannot be read, tells less. */
static void take_functions(struct sbx_judge *j, const char *text)
{
    struct sbx_parse parse;
    size_t len = text ? strlen(text) : 0;
    if (!len || len > TOLD_MAX_BYTES)
        return;
    sbx_shell_parse_flags(&j->arena, text, len, SBX_SHELL_EXTGLOB, &parse);
    const struct sbx_script *script = parse.status == SBX_PARSE_OK ? parse.script : parse.partial;
    const struct sbx_pipeline *pipeline = script ? script->pipelines : NULL;
    for (; pipeline; pipeline = pipeline->next) {
        const struct sbx_command *command = pipeline->commands;
        if (!command || command->kind != SBX_CMD_FUNCTION || !command->body ||
            !command->body->pipelines || !command->body->pipelines->commands)
            continue;
        sbx_function_define(
            j, command->name, command->name_len,
            (struct sbx_function){.body = command->body->pipelines->commands, .is_told = true});
    }
}

static void copy_text(char *out, size_t size, const char *text)
{
    size_t len = strlen(text);
    if (len >= size)
        len = size - 1;
    memcpy(out, text, len);
    out[len] = 0;
}

static void verdict_from(const struct sbx_judge *j, struct sbx_verdict *out)
{
    const struct sbx_finding *f = &j->worst;
    out->verdict = f->verdict;
    out->class = f->class;
    out->by = f->by;
    out->begin = f->span.begin;
    out->end = f->span.end;
    copy_text(out->rule, sizeof(out->rule), f->rule && *f->rule ? f->rule : f->what);
    if (f->origin)
        sbx_policy_origin(j->policy, f->origin, out->origin, sizeof(out->origin));
    else
        copy_text(out->origin, sizeof(out->origin), "built-in");
    copy_text(out->reason, sizeof(out->reason), f->reason);
    if (f->path)
        copy_text(out->path, sizeof(out->path), f->path);
}

/* Step 4: nothing was found. */
static void verdict_default(const struct sbx_judge *j, struct sbx_verdict *out)
{
    copy_text(out->origin, sizeof(out->origin), "built-in");
    if (j->allow_rule && j->all_by_rule) {
        out->by = j->allow_rule->origin.scope == SBX_SCOPE_GRANT ? SBX_BY_GRANT : SBX_BY_RULE;
        copy_text(out->rule, sizeof(out->rule), sbx_policy_text(j->policy, j->allow_rule->text));
        sbx_policy_origin(j->policy, &j->allow_rule->origin, out->origin, sizeof(out->origin));
        return;
    }
    int64_t mode = sbx_policy_number(j->policy, SBX_KEY_SANDBOX_MODE);
    if (mode != MODE_REGULAR) {
        out->by = SBX_BY_MODE;
        copy_text(out->rule, sizeof(out->rule),
                  mode == MODE_DISABLED ? "mode = disabled" : "mode = auto-allow");
        return;
    }
    if (!j->regular_ask) {
        out->by = SBX_BY_READONLY;
        copy_text(out->rule, sizeof(out->rule), "read-only commands");
        return;
    }
    out->verdict = SBX_ASK;
    out->by = SBX_BY_MODE;
    out->begin = j->regular_span.begin;
    out->end = j->regular_span.end;
    copy_text(out->rule, sizeof(out->rule), "mode = regular");
    copy_text(out->reason, sizeof(out->reason),
              "commands that change something need approval here; use one that only reads, or ask");
}

static void judge_unparsed(struct sbx_judge *j, const struct sbx_parse *parse,
                           struct sbx_verdict *out)
{
    if (parse->status == SBX_PARSE_LIMIT) {
        if (!sbx_aliases_find_limit(j, parse))
            find_limit(j, "text past the parser's limits");
        verdict_from(j, out);
        return;
    }
    uint32_t at = 0;
    (void)sbx_source_place(&parse->source, parse->error_at, false, &at);
    j->span = (struct sbx_span){at, at};
    sbx_find(j, SBX_DENY, SBX_CLASS_UNPARSED, "no shell syntax",
             parse->source.splice_count
                 ? "with its aliases this is no shell syntax; write out what they stand for"
                 : "this is no shell syntax; mend it");
    if (!j->has_finding || j->worst.class == SBX_CLASS_UNPARSED)
        out->is_syntax_error = true;
    out->is_incomplete = parse->status == SBX_PARSE_INCOMPLETE;
    verdict_from(j, out);
    out->verdict = SBX_DENY; /* bash refuses it whatever the policy says */
}

void sbx_judge_traced(const struct sbx_context *context, const char *text, size_t len,
                      const struct sbx_trace *trace, struct sbx_verdict *out)
{
    struct sbx_judge j;
    struct sbx_parse parse;
    _Alignas(max_align_t) unsigned char memory[JUDGE_FIRST_BYTES];
    memset(out, 0, sizeof(*out));
    judge_start(&j, context, trace, memory);
    sbx_aliases_take(&j);
    sbx_aliases_find_unknown(&j);
    sbx_shell_parse_aliased(&j.arena, text, len, SBX_SHELL_FOLLOW_EXTGLOB, sbx_aliases_now(&j),
                            &parse);
    if (parse.status != SBX_PARSE_OK || parse.cond_error) {
        sbx_classify_bytes(&j, text, len, NULL);
        judge_unparsed(&j, &parse, out);
        sbx_arena_free(&j.arena);
        return;
    }
    j.source = &parse.source;
    sbx_classify_bytes(&j, parse.text, parse.len, parse.script);
    take_functions(&j, context->functions);
    struct sbx_flow shown = {0};
    if (parse.script)
        sbx_walk_script(&j, parse.script, NULL, &shown);
    if (shown.taint & SBX_TAINT_PASSWORD)
        sbx_find(&j, SBX_ASK, SBX_CLASS_CRED_READ, "a secret of the environment",
                 "programs find their secrets by themselves; no need to print one");
    j.answered = false;
    if (j.no_memory || j.limit_hit)
        find_limit(&j, "more than can be held in bounds");
    if (j.has_finding)
        verdict_from(&j, out);
    else
        verdict_default(&j, out);
    sbx_arena_free(&j.arena);
}

void sbx_judge(const struct sbx_context *context, const char *text, size_t len,
               struct sbx_verdict *out)
{
    sbx_judge_traced(context, text, len, NULL, out);
}

/* --- other tools --------------------------------------------------------------------------------------------- */
static void judge_webfetch(struct sbx_judge *j, const char *operand)
{
    struct sbx_url url;
    uint32_t count = 0;
    if (!sbx_url_split(operand, strlen(operand), &url)) {
        sbx_find(j, SBX_DENY, SBX_CLASS_NONE, "no address",
                 "give an address such as https://host/path");
        return;
    }
    sbx_check_host(j, &url);
    const struct sbx_rule *rules = sbx_policy_rules(j->policy, &count);
    for (uint32_t i = 0; i < count; i++) {
        const struct sbx_rule *rule = &rules[i];
        if (rule->tool != SBX_TOOL_WEBFETCH || rule->action == SBX_RULE_ALLOW)
            continue;
        const char *pattern = sbx_policy_text(j->policy, rule->content);
        if (rule->form != SBX_FORM_ANY && !sbx_domain_matches(pattern, url.host, url.port))
            continue;
        sbx_find_path(
            j, (struct sbx_finding){.verdict = rule->action == SBX_RULE_DENY ? SBX_DENY : SBX_ASK,
                                    .class = SBX_CLASS_NONE,
                                    .what = "WebFetch rule",
                                    .reason = "this host may not be fetched from here; ask for it",
                                    .origin = &rule->origin,
                                    .by = SBX_BY_RULE,
                                    .rule = sbx_policy_text(j->policy, rule->text)});
    }
}

/* Deny rules of the tool itself; its ask rules are found with the path. */
static void judge_path_rules(struct sbx_judge *j, enum sbx_tool tool, const char *path)
{
    uint32_t count = 0;
    const struct sbx_rule *rules = sbx_policy_rules(j->policy, &count);
    for (uint32_t i = 0; i < count; i++) {
        const struct sbx_rule *rule = &rules[i];
        if (rule->tool != tool || rule->action != SBX_RULE_DENY ||
            !sbx_rule_matches_path(j->policy, rule, path))
            continue;
        sbx_find_path(j,
                      (struct sbx_finding){.verdict = SBX_DENY,
                                           .class = SBX_CLASS_NONE,
                                           .what = "path rule",
                                           .reason = "this path is closed to this tool; ask for it",
                                           .origin = &rule->origin,
                                           .by = SBX_BY_RULE,
                                           .path = path,
                                           .rule = sbx_policy_text(j->policy, rule->text)});
    }
}

void sbx_judge_tool(const struct sbx_context *context, enum sbx_tool tool, const char *operand,
                    struct sbx_verdict *out)
{
    if (tool == SBX_TOOL_BASH) {
        sbx_judge(context, operand, strlen(operand), out);
        return;
    }
    struct sbx_judge j;
    _Alignas(max_align_t) unsigned char memory[JUDGE_FIRST_BYTES];
    memset(out, 0, sizeof(*out));
    judge_start(&j, context, NULL, memory);
    if (tool == SBX_TOOL_WEBFETCH) {
        judge_webfetch(&j, operand);
    } else {
        struct sbx_value *value = sbx_value_new(&j.arena, operand, strlen(operand));
        char path[SBX_PATH_BYTES];
        if (value && operand[0] == '~' && (operand[1] == '/' || !operand[1])) {
            struct sbx_text text = {.arena = &j.arena};
            sbx_text_put(&text, j.home, strlen(j.home), SBX_MASK_LITERAL);
            sbx_text_put(&text, operand + 1, strlen(operand) - 1, SBX_MASK_LITERAL);
            value = sbx_text_value(&text, (struct sbx_span){0, 0});
        }
        if (!value || !value->len || !sbx_path_of(&j, value, path, sizeof(path))) {
            sbx_find(&j, SBX_DENY, SBX_CLASS_PATH, "no path", "give a path");
        } else {
            (void)sbx_check_path(&j, value,
                                 tool == SBX_TOOL_READ ? SBX_ACCESS_READ : SBX_ACCESS_WRITE);
            judge_path_rules(&j, tool, path);
        }
    }
    if (j.has_finding)
        verdict_from(&j, out);
    else
        verdict_default(&j, out);
    sbx_arena_free(&j.arena);
}
