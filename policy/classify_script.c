/* sed, TeX, cmake -E: text tools with a language of their own. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- sed ------------------------------------------------------------------------------------------------------------- */
struct sed {
    struct sbx_judge *j;
    const char *at, *end;
    bool reads_files;
};

/* Past an unescaped delimiter. */
static const char *sed_past(const struct sed *s, const char *at, char delimiter)
{
    bool set = false;
    while (at < s->end && (*at != delimiter || set)) {
        if (*at == '\\' && at + 1 < s->end)
            at++;
        else if (*at == '[')
            set = false;
        at++;
    }
    return at < s->end ? at + 1 : at;
}

static void sed_file(struct sed *s, enum sbx_access access)
{
    const char *from = s->at + strspn(s->at, " \t"), *to = from;
    while (to < s->end && *to != '\n' && *to != ';' && *to != '}')
        to++;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    struct sbx_value *file =
        to > from ? sbx_value_new(&s->j->arena, from, (size_t)(to - from)) : NULL;
    if (file)
        (void)sbx_check_path(s->j, file, access);
    s->at = to;
}

static void sed_exec(struct sed *s)
{
    sbx_find(s->j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "a command run by sed",
             "run that command by itself");
    s->at = s->end;
}

static void sed_substitute(struct sed *s)
{
    char delimiter = *s->at++;
    s->at = sed_past(s, s->at, delimiter);
    s->at = sed_past(s, s->at, delimiter);
    for (; s->at < s->end && (isalnum((unsigned char)*s->at)); s->at++) {
        if (*s->at == 'e') {
            sed_exec(s);
            return;
        }
        if (*s->at == 'w') {
            s->at++;
            sed_file(s, SBX_ACCESS_WRITE);
            return;
        }
    }
}

static void sed_address(struct sed *s)
{
    for (;;) {
        s->at += strspn(s->at, " \t;{}\n");
        if (s->at >= s->end)
            return;
        if (*s->at == '/' || *s->at == '\\') {
            char delimiter = *s->at == '\\' && s->at + 1 < s->end ? *++s->at : '/';
            s->at = sed_past(s, s->at + 1, delimiter);
            s->at += strspn(s->at, "IM");
        } else if (isdigit((unsigned char)*s->at) || strchr("$,+~!", *s->at)) {
            s->at++;
        } else {
            return;
        }
    }
}

static void sed_script(struct sbx_judge *j, const struct sbx_value *script)
{
    struct sed s = {.j = j, .at = script->text, .end = script->text + script->len};
    while (s.at < s.end) {
        sed_address(&s);
        if (s.at >= s.end)
            return;
        char c = *s.at++;
        if (c == 's' && s.at < s.end)
            sed_substitute(&s);
        else if (c == 'y' && s.at < s.end)
            s.at = sed_past(&s, sed_past(&s, s.at + 1, *s.at), *s.at);
        else if (c == 'e')
            sed_exec(&s);
        else if (c == 'w' || c == 'W')
            sed_file(&s, SBX_ACCESS_WRITE);
        else if (c == 'r' || c == 'R')
            sed_file(&s, SBX_ACCESS_READ);
        else if (strchr("aic", c) || strchr(":btT#", c))
            while (s.at < s.end && *s.at != '\n' && !(strchr(":btT", c) && *s.at == ';')) {
                s.at += *s.at == '\\' && s.at + 1 < s.end;
                s.at++;
            }
    }
}

/* A script in a file, or on standard input: known where it was made in this input. NULL: not known, or not
 * to be run. */
const struct sbx_value *sbx_script_text(struct sbx_judge *j, const struct sbx_use *use,
                                        const struct sbx_value *file)
{
    char path[SBX_PATH_BYTES];
    bool standard = sbx_is_stdin(file);
    struct sbx_made *made =
        !standard && sbx_path_of(j, file, path, sizeof(path)) ? sbx_made_find(j, path) : NULL;
    const struct sbx_value *text = standard && use->in ? use->in->text : made ? made->text : NULL;
    uint32_t taint = (standard && use->in ? use->in->taint : 0) | (made ? made->taint : 0);
    if (!(taint & SBX_TAINT_NET))
        return text;
    sbx_find(j, SBX_DENY, SBX_CLASS_REMOTE_CODE, "code from the network",
             "read what was downloaded first, and run it in a later command");
    return NULL;
}

void sbx_check_sed(struct sbx_judge *j, struct sbx_use *use)
{
    bool has_script = false, in_place = sbx_use_letter(use, 'i');
    uint32_t taint = use->in ? use->in->taint : 0;
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *o = &use->option[i];
        if (o->letter == 'e' && o->value)
            sed_script(j, o->value);
        has_script |= o->letter == 'e' || o->letter == 'f';
        const struct sbx_value *script =
            o->letter == 'f' && o->value ? sbx_script_text(j, use, o->value) : NULL;
        if (script)
            sed_script(j, script);
    }
    for (uint32_t i = 0; i < use->operands; i++) {
        if (!has_script) {
            has_script = true;
            sed_script(j, use->operand[i]);
            if (sbx_is_secret_word(use->operand[i]->text))
                sbx_find_filtered(j, use);
            continue;
        }
        taint |= sbx_check_path(j, use->operand[i], in_place ? SBX_ACCESS_WRITE : SBX_ACCESS_READ);
    }
    if (in_place)
        j->writes_output = true;
    use->out->is_set = true;
    use->out->taint = taint;
}

/* TeX reads, writes and, with -shell-escape, runs what its text says. */
void sbx_check_tex(struct sbx_judge *j, struct sbx_use *use)
{
    for (uint32_t i = 0; i < use->operands; i++) {
        const struct sbx_value *text = use->operand[i];
        const char *hit = strstr(text->text, "write18{");
        if (!strchr(text->text, '\\'))
            continue;
        sbx_classify_program(j, "tex", text, NULL);
        if (hit) {
            struct sbx_value *code = sbx_value_new(&j->arena, hit + 8, strcspn(hit + 8, "}"));
            struct sbx_flow out = {0};
            if (code)
                sbx_judge_code(j, code, NULL, &out);
        }
    }
}

/* cmake -E has a tool set of its own; each tool is judged as what it is elsewhere. */
static void cmake_tool(struct sbx_judge *j, struct sbx_use *use)
{
    static const struct {
        const char *tool, *command, *option;
    } tools[] = {
        {"rm",                          "rm",        NULL},
        {"remove",                      "rm",        NULL},
        {"remove_directory",            "rm",        "-r"},
        {"rename",                      "mv",        NULL},
        {"copy",                        "cp",        NULL},
        {"copy_if_different",           "cp",        NULL},
        {"copy_directory",              "cp",        "-r"},
        {"copy_directory_if_different", "cp",        "-r"},
        {"create_symlink",              "ln",        "-s"},
        {"create_hardlink",             "ln",        NULL},
        {"make_directory",              "mkdir",     "-p"},
        {"touch",                       "touch",     NULL},
        {"cat",                         "cat",       NULL},
        {"md5sum",                      "md5sum",    NULL},
        {"sha1sum",                     "sha1sum",   NULL},
        {"sha256sum",                   "sha256sum", NULL},
        {"compare_files",               "cmp",       NULL},
        {"tar",                         "tar",       NULL},
    };
    uint32_t first = 1;
    while (first < use->words && use->word[first - 1] != use->operand[0])
        first++;
    struct sbx_value **words = sbx_arena_alloc(&j->arena, (use->words + 2) * sizeof(*words));
    for (size_t i = 0; words && i < sizeof(tools) / sizeof(*tools); i++) {
        if (!sbx_value_is(use->operand[0], tools[i].tool))
            continue;
        uint32_t count = 0;
        words[count++] = sbx_value_new(&j->arena, tools[i].command, strlen(tools[i].command));
        if (tools[i].option)
            words[count++] = sbx_value_new(&j->arena, tools[i].option, strlen(tools[i].option));
        for (uint32_t k = first; k < use->words; k++)
            words[count++] = use->word[k];
        if (words[0] && words[1])
            sbx_judge_argv(j, (struct sbx_argv){words, count}, use->in, use->out);
        return;
    }
}

/* cmake -E env CMD, cmake -E time CMD */
void sbx_check_cmake(struct sbx_judge *j, struct sbx_use *use)
{
    if (!sbx_use_letter(use, 'E') || use->operands < 2)
        return;
    uint32_t at = 1;
    if (!sbx_value_is(use->operand[0], "env") && !sbx_value_is(use->operand[0], "time")) {
        cmake_tool(j, use);
        return;
    }
    while (at < use->operands && strchr(use->operand[at]->text, '='))
        at++;
    if (at < use->operands)
        sbx_judge_argv(j, (struct sbx_argv){use->operand + at, use->operands - at}, use->in,
                       use->out);
}
