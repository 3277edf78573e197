/* Programs with a console, a configuration or a switch of their own that runs things. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <ctype.h>
#include <string.h>

static void find_console(struct sbx_judge *j, enum sbx_verdict_kind verdict, const char *what)
{
    sbx_find(j, verdict, SBX_CLASS_SHELL_EVASION, what, "run the command by itself");
}

static bool is(const struct sbx_use *use, const char *names)
{
    size_t len = strlen(use->name);
    const char *hit = strstr(names, use->name);
    return hit && hit > names && hit[-1] == ' ' && (hit[len] == ' ' || !hit[len]);
}

/* The one-letter commands of full-screen programs that start a shell, an editor or a pager. */
static void console_keys(struct sbx_judge *j, const struct sbx_use *use)
{
    static const struct {
        const char *names, *keys;
    } rows[] = {
        {" ncdu gdu",                                   "b"   },
        {" nnn",                                        "!]"  },
        {" ranger vifm yazi broot mc",                  "!S:@"},
        {" lf",                                         "$!:w"},
        {" tig",                                        "!:e" },
        {" apport-cli ubuntu-bug apport-bug reportbug", "vV"  },
    };
    const struct sbx_value *text = use->in ? use->in->text : NULL;
    for (size_t i = 0; text && text->len && i < sizeof(rows) / sizeof(*rows); i++)
        if (is(use, rows[i].names) && strpbrk(text->text, rows[i].keys))
            sbx_find(j, SBX_DENY, SBX_CLASS_NESTED_SHELL, "a shell or pager started by a key",
                     "run the program without keys from its input");
}

/* c:\\dir\\file is /dir/file where the drive is the root. */
static void dos_paths(struct sbx_judge *j, const struct sbx_value *text)
{
    bool writes = strchr(text->text, '>') || strcasestr(text->text, "copy ") ||
                  strcasestr(text->text, "del ");
    for (const char *at = text->text; (at = strchr(at, ':')); at++) {
        if (at == text->text || !isalpha((unsigned char)at[-1]) || at[1] != '\\')
            continue;
        size_t len = strcspn(at + 1, " \t\n\"'");
        char *path = sbx_arena_strndup(&j->arena, at + 1, len);
        for (size_t i = 0; path && i < len; i++)
            path[i] = path[i] == '\\' ? '/' : path[i];
        struct sbx_value *value = path ? sbx_value_new(&j->arena, path, len) : NULL;
        if (value)
            (void)sbx_check_path(j, value, writes ? SBX_ACCESS_WRITE : SBX_ACCESS_READ);
    }
}

/* Directives and commands given as an option: they name files, load modules, start programs. */
static void console_texts(struct sbx_judge *j, const struct sbx_use *use)
{
    static const char *const runs[] = {"irb",   "pry", "load_module",     "LoadModule",
                                       "perl_", "js_", "ExtFilterDefine", "piped",
                                       "\"|",   "'|",  "shell",           "exec"};
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_value *text = use->option[i].value;
        if (!text || use->option[i].role != 'k')
            continue;
        sbx_classify_program(j, use->name, text, use->in);
        dos_paths(j, text);
        for (size_t k = 0; k < sizeof(runs) / sizeof(*runs); k++)
            if (strstr(text->text, runs[k])) {
                find_console(j, SBX_DENY, "a console's command that runs a program");
                break;
            }
    }
}

/* rustup toolchain link NAME DIR: from then on its programs are those of DIR. */
static void toolchain_link(struct sbx_judge *j, const struct sbx_use *use)
{
    char path[SBX_PATH_BYTES];
    if (!sbx_operand_is(use, 0, "link") || use->operands < 3)
        return;
    if (!sbx_path_of(j, use->operand[2], path, sizeof(path)) || !sbx_path_below(path, j->workspace))
        sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "a tool chain of programs from elsewhere",
                 "use a tool chain of the project or of rustup");
}

/* Tasks of a playbook that was written in this input: shell: rm -rf ~ */
void sbx_classify_tasks(struct sbx_judge *j, const struct sbx_value *text)
{
    static const char *const modules[] = {"shell:", "command:", "raw:", "cmd:", "cmd.run:"};
    for (size_t i = 0; i < sizeof(modules) / sizeof(*modules); i++) {
        size_t len = strlen(modules[i]);
        const char *end = text->text + text->len;
        for (const char *at = text->text;
             (at = memmem(at, (size_t)(end - at), modules[i], len)) != NULL;) {
            at += len;
            at += strspn(at, " \"'|>");
            struct sbx_value *code = sbx_value_new(&j->arena, at, strcspn(at, "\n}]\"'"));
            struct sbx_flow out = {0};
            if (code && code->len)
                sbx_judge_code(j, code, NULL, &out);
        }
    }
}

/* xdg-user-dir evaluates its operand. */
static void evaluated_operand(struct sbx_judge *j, struct sbx_use *use)
{
    for (uint32_t i = 0; i < use->operands; i++) {
        const char *code = strpbrk(use->operand[i]->text, ";}`$");
        if (!code)
            continue;
        code += strspn(code, ";} ");
        struct sbx_value *value = sbx_value_new(&j->arena, code, strlen(code));
        if (value && value->len)
            sbx_judge_code(j, value, use->in, use->out);
    }
}

/* .sy, .pso and .pi of troff run what follows them. */
static void roff_requests(struct sbx_judge *j, const struct sbx_value *text)
{
    static const char *const requests[] = {".sy ", ".pso ", ".pi ", "'sy ", "\\!sy "};
    for (size_t i = 0; i < sizeof(requests) / sizeof(*requests); i++)
        for (const char *at = text->text; (at = strstr(at, requests[i])) != NULL; at++) {
            const char *code = at + strlen(requests[i]);
            struct sbx_value *value = sbx_value_new(&j->arena, code, strcspn(code, "\n"));
            struct sbx_flow out = {0};
            if (value && value->len && (at == text->text || at[-1] == '\n'))
                sbx_judge_code(j, value, NULL, &out);
        }
}

/* dstat --NAME loads the plug-in of that name, also one that lies in the home. */
static bool has_plugin(const struct sbx_use *use)
{
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *o = &use->option[i];
        bool known = false;
        for (const char *at = use->row->options;
             (at = memmem(at, strlen(at), o->name, o->name_len)); at++)
            known |= !at[o->name_len] || at[o->name_len] == ' ' || at[o->name_len] == '=';
        if (!known && o->name_len > 2 && !strncmp(o->name, "--", 2))
            return true;
    }
    return false;
}

void sbx_check_console(struct sbx_judge *j, struct sbx_use *use)
{
    if (sbx_use_is_question(use) || sbx_use_letter(use, 't'))
        return;
    console_keys(j, use);
    console_texts(j, use);
    if (!strcmp(use->name, "rustup toolchain"))
        toolchain_link(j, use);
    else if (!strcmp(use->name, "xdg-user-dir"))
        evaluated_operand(j, use);
    else if (is(use, " troff groff nroff pic gpic grog grap") && sbx_use_letter(use, 'U'))
        find_console(j, SBX_DENY, "a typesetter that may run programs");
    else if (is(use, " troff groff nroff") && use->in && use->in->text)
        roff_requests(j, use->in->text);
    else if (!strcmp(use->name, "dvips") && sbx_use_letter(use, 'R'))
        find_console(j, SBX_ASK, "a converter that may run programs");
    else if (is(use, " dstat dool pcp-dstat") && has_plugin(use))
        find_console(j, SBX_ASK, "a plug-in that nobody sees");
    else if (!strcmp(use->name, "ldconfig") && !sbx_use_letter(use, 'p') &&
             !sbx_use_letter(use, 'n'))
        sbx_find(j, SBX_DENY, SBX_CLASS_PERSISTENCE, "the machine's list of libraries",
                 "set a run path in the program instead");
    else if (!strcmp(use->name, "run-mailcap") && !sbx_use_letter(use, 'n'))
        for (uint32_t i = 0; i < use->operands; i++)
            if (strchr(use->operand[i]->text, ':') || use->operand[i]->text[0] == '/')
                find_console(j, SBX_DENY, "a program that a file's kind chooses");
}
