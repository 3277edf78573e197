/* Processes: signals, priorities, debuggers, terminals. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void find_control(struct sbx_judge *j, const char *what)
{
    sbx_find(j, SBX_DENY, SBX_CLASS_HOST_CONTROL, what,
             "the machine's state belongs to the operator");
}

/* --- signals ------------------------------------------------------------------------------------------------------ */
void sbx_check_kill(struct sbx_judge *j, struct sbx_use *use)
{
    if (use->words > use->first &&
        (sbx_value_is(use->word[use->first], "-l") || sbx_value_is(use->word[use->first], "-L") ||
         !strncmp(use->word[use->first]->text, "--list", 6) ||
         !strncmp(use->word[use->first]->text, "--table", 7)))
        return;
    /* -9, -KILL, -s TERM, -n 9 come first; then, perhaps behind --, whom. -1 is everybody. */
    uint32_t at = use->first;
    if (at + 1 < use->words && use->word[at]->text[0] == '-' && use->word[at]->text[1] != '-')
        at += !strcmp(use->word[at]->text, "-s") || !strcmp(use->word[at]->text, "-n") ? 2 : 1;
    else if (at + 2 < use->words && !strcmp(use->word[at]->text, "--signal"))
        at += 2;
    for (; at < use->words; at++) {
        const struct sbx_value *whom = use->word[at];
        if (sbx_value_is(whom, "-1") || sbx_value_is(whom, "1") || sbx_value_is(whom, "-0") ||
            (whom->taint & SBX_TAINT_GUARD)) {
            find_control(j, "a signal to everything, to process 1 or to the guard");
            return;
        }
    }
}

static const char *const guards[] = {
    "sbxsh",        "sbx-init", "sbx-warden", "sbx-clerk", "sbx-netd", "sshd",
    "init",         "systemd",  "bash",       "auditd",    "rsyslogd", "systemd-journald",
    "sshd-session", "cron",     "journald",   ".",
};

/* pidof, pgrep: whose number it is. */
void sbx_check_pidof(struct sbx_judge *j, struct sbx_use *use)
{
    (void)j;
    use->out->is_set = true;
    use->out->taint = 0;
    for (uint32_t i = 0; i < use->operands; i++)
        for (size_t k = 0; k < sizeof(guards) / sizeof(*guards); k++)
            if (sbx_value_is(use->operand[i], guards[k]))
                use->out->taint |= SBX_TAINT_GUARD;
    /* All of a user's: the guard is among them. */
    if (!use->operands && sbx_use_has(use, "-u -U --euid --uid"))
        use->out->taint |= SBX_TAINT_GUARD;
}

void sbx_check_prlimit(struct sbx_judge *j, struct sbx_use *use)
{
    const struct sbx_opt *pid = sbx_use_option(use, "-p");
    if (pid && pid->value && sbx_value_is(pid->value, "1"))
        find_control(j, "the limits of process 1");
}

void sbx_check_pkill(struct sbx_judge *j, struct sbx_use *use)
{
    if (sbx_use_letter(use, 'l'))
        return;
    const struct sbx_opt *user = sbx_use_letter(use, 'u');
    bool all = !strcmp(use->name, "killall5") || (user && !use->operands) ||
               (sbx_use_letter(use, 't') && !use->operands);
    for (uint32_t i = 0; i < use->operands; i++) {
        const char *text = use->operand[i]->text;
        size_t plain = strspn(text, ".*^$+?()[]-a-z");
        bool pattern =
            text[0] && (!strcmp(text, ".*") || !strcmp(text, ".") || !strcmp(text, "^") ||
                        !strcmp(text, ".+") || !strcmp(text, "") || !strcmp(text, "^.") ||
                        !strcmp(text, "[a-z]") || !strcmp(text, "$") || !strcmp(text, "^.*$"));
        (void)plain;
        all |= pattern || !text[0];
        for (size_t k = 0; k < sizeof(guards) / sizeof(*guards); k++)
            all |= !strcmp(text, guards[k]);
    }
    if (all)
        find_control(j, "a signal to everything, or to the guard");
}

void sbx_check_renice(struct sbx_judge *j, struct sbx_use *use)
{
    for (uint32_t i = 0; i < use->operands; i++)
        if (sbx_operand_is(use, i, "1") && i)
            find_control(j, "the priority of process 1");
    const struct sbx_opt *priority = sbx_use_option(use, "-n");
    if ((priority && priority->value && priority->value->text[0] == '-' &&
         sbx_operand_is(use, 0, "1")))
        find_control(j, "the priority of process 1");
}

/* --- debuggers -------------------------------------------------------------------------------------------------------------------- */
static void debugger_text(struct sbx_judge *j, const struct sbx_value *text)
{
    const char *at = text->text + strspn(text->text, " \t");
    const char *code = NULL;
    if (*at == '!')
        code = at + 1;
    else if (!strncmp(at, "shell ", 6))
        code = at + 6;
    else if (!strncmp(at, "make ", 5) || !strncmp(at, "pipe ", 5))
        code = strchr(at, '|') ? strchr(at, '|') + 1 : NULL;
    else if (!strncmp(at, "platform shell ", 15))
        code = at + 15;
    if (code) {
        struct sbx_value *value = sbx_value_new(&j->arena, code, strlen(code));
        struct sbx_flow out = {0};
        if (value)
            sbx_judge_code(j, value, NULL, &out);
        return;
    }
    if (!strncmp(at, "python", 6) || !strncmp(at, "py ", 3) || !strncmp(at, "script ", 7))
        sbx_classify_program(j, "python",
                             &(struct sbx_value){.text = at + strcspn(at, " "),
                                                 .len = (uint32_t)strlen(at + strcspn(at, " "))},
                             NULL);
    if (!strncmp(at, "dump ", 5) || !strncmp(at, "save ", 5) || !strncmp(at, "append ", 7) ||
        !strncmp(at, "set logging ", 12))
        sbx_classify_program(j, "gdb", text, NULL);
    if (strstr(at, "system(") || strstr(at, "execl") || strstr(at, "dlopen") ||
        strstr(at, "setuid"))
        sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "a command run by a debugger",
                 "run that command by itself");
}

/* strace -o FILE, -o '|cmd'; gdb -x FILE, -ex CMD, --args CMD. True: the command was found. */
static bool trace_options(struct sbx_judge *j, struct sbx_use *use)
{
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *o = &use->option[i];
        if (!o->value)
            continue;
        if (o->letter == 'k')
            debugger_text(j, o->value);
        else if (o->letter == 'x')
            (void)sbx_run_file(j, o->value, use);
        else if (o->letter == 'o' && (o->value->text[0] == '|' || o->value->text[0] == '!'))
            sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "an option that runs a program",
                     "run that program by itself");
        else if (o->letter == 'o')
            (void)sbx_check_path(j, o->value, SBX_ACCESS_WRITE);
        else if (o->letter == 'A') {
            uint32_t at = use->first;
            while (at < use->words && use->word[at] != o->value)
                at++;
            sbx_judge_argv(j, (struct sbx_argv){use->word + at, use->words - at}, use->in,
                           use->out);
            return true;
        }
    }
    return false;
}

static bool is_number(const struct sbx_value *value)
{
    return value->len && strspn(value->text, "0123456789") == value->len;
}

static bool trace_attaches(const struct sbx_use *use)
{
    static const char *const attachers[] = {"gcore",  "jmap",     "jstack", "jcmd",
                                            "py-spy", "rbspy",    "phpspy", "pstack",
                                            "reptyr", "pyrasite", "austin", "eu-stack"};
    static const char *const own[] = {"-l", "record", "top"};
    for (uint32_t i = 0; i < use->operands; i++)
        if (sbx_operand_is(use, i, "--pid") || sbx_operand_is(use, i, "-p"))
            return true;
    if (sbx_use_letter(use, 'p') || sbx_operand_is(use, 0, "attach") ||
        (use->operands == 2 && is_number(use->operand[1])))
        return true;
    for (size_t i = 0; i < sizeof(attachers) / sizeof(*attachers); i++)
        if (!strcmp(use->name, attachers[i]) && use->operands && !SBX_OPERAND_IN(use, 0, own))
            return true;
    return false;
}

static void find_attached(struct sbx_judge *j, const struct sbx_use *use)
{
    const struct sbx_opt *pid = sbx_use_letter(use, 'p');
    bool guard = sbx_operand_is(use, 0, "1") || sbx_operand_is(use, 1, "1");
    if (pid && pid->value)
        guard |= sbx_value_is(pid->value, "1") || (pid->value->taint & SBX_TAINT_GUARD);
    for (uint32_t i = 0; i < use->operands; i++)
        guard |= (use->operand[i]->taint & SBX_TAINT_GUARD) != 0;
    if (guard)
        sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "a debugger on process 1 or on the guard",
                 "debug processes that you start");
    else
        sbx_find(j, SBX_ASK, SBX_CLASS_PRIV_ESC, "a debugger on a running process",
                 "start the program under the debugger instead");
}

/* perf record CMD, rr record CMD: where the command begins; 0: at the first operand. */
static bool trace_command_at(const struct sbx_use *use, uint32_t *at)
{
    static const char *const tools[] = {"perf", "rr", "uftrace", "dlv"};
    static const char *const verbs[] = {"record", "stat",  "top",  "trace", "replay",
                                        "exec",   "debug", "test", "run",   "launch"};
    bool has_verb = false;
    *at = 0;
    for (size_t i = 0; i < sizeof(tools) / sizeof(*tools); i++)
        has_verb |= !strcmp(use->name, tools[i]);
    if (!has_verb)
        return use->operands > 0;
    if (!SBX_OPERAND_IN(use, 0, verbs))
        return false;
    for (*at = 1; *at < use->operands && use->operand[*at]->text[0] == '-';) {
        const char *text = use->operand[*at]->text;
        *at += strlen(text) == 2 && strchr("eopFc", text[1]) ? 2 : 1;
    }
    return *at < use->operands;
}

void sbx_check_trace(struct sbx_judge *j, struct sbx_use *use)
{
    uint32_t at = 0;
    if (sbx_use_is_question(use) || trace_options(j, use))
        return;
    if (trace_attaches(use)) {
        find_attached(j, use);
        return;
    }
    bool debugger = strstr(use->name, "gdb") || strstr(use->name, "lldb") ||
                    !strcmp(use->name, "r2") || !strcmp(use->name, "radare2");
    if (debugger) {
        for (uint32_t i = 0; i < use->operands; i++)
            (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_READ);
        if (use->in && use->in->text)
            debugger_text(j, use->in->text);
    } else if (trace_command_at(use, &at)) {
        sbx_judge_argv(j, (struct sbx_argv){use->operand + at, use->operands - at}, use->in,
                       use->out);
    }
}

/* --- terminals ---------------------------------------------------------------------------------------------------------------------- */
void sbx_check_tty(struct sbx_judge *j, struct sbx_use *use)
{
    static const char *const asks[] = {
        "xdotool",  "xte",      "ydotool",          "wtype",     "scrot",
        "maim",     "grim",     "import",           "xwd",       "arecord",
        "parecord", "fswebcam", "gnome-screenshot", "spectacle", "dbus-send",
        "gdbus",    "xinput",   "logkeys"};
    static const char *const shows[] = {"scrot",  "maim",     "grim",    "xwd",
                                        "import", "wl-paste", "pbpaste", "gnome-screenshot"};
    bool looks = false, pastes = !strcmp(use->name, "xclip") || !strcmp(use->name, "xsel");
    for (uint32_t i = use->first; pastes && i < use->words; i++)
        looks |= sbx_value_is(use->word[i], "-o") || sbx_value_is(use->word[i], "-out") ||
                 sbx_value_is(use->word[i], "--output");
    if (!strcmp(use->name, "xsel"))
        looks = (looks || !use->in || !use->in->is_set) &&
                !sbx_use_has(use, "-i --input -c --clear -d --delete");
    for (size_t i = 0; i < sizeof(shows) / sizeof(*shows); i++)
        looks |= !strcmp(use->name, shows[i]);
    if (looks && !sbx_use_is_question(use))
        sbx_find(j, SBX_ASK, SBX_CLASS_NONE, "somebody's desktop", "leave the desktop to its user");
    for (size_t i = 0; i < sizeof(asks) / sizeof(*asks); i++)
        if (!strcmp(use->name, asks[i]) && use->words > 1 && !sbx_use_is_question(use))
            sbx_find(j, SBX_ASK, SBX_CLASS_NONE, "somebody's desktop",
                     "leave the desktop to its user");
}

void sbx_check_screen(struct sbx_judge *j, struct sbx_use *use)
{
    static const char *const talks[] = {
        "new-session",  "new",           "new-window", "neww",     "split-window", "splitw",
        "respawn-pane", "run-shell",     "run",        "if-shell", "if",           "pipe-pane",
        "popup",        "display-popup", "send-keys",  "send"};
    static const char *const looks[] = {
        "ls",          "list-sessions",   "list-windows", "list-panes", "capture-pane",
        "capturep",    "display-message", "has-session",  "has",        "kill-session",
        "kill-server", "show-options",    "info",         "-V",         "kill-window",
        "kill-pane",   "list-keys",       "attach",       "a",          "attach-session",
        "detach",      "source-file",     "set",          "set-option"};
    uint32_t at = 0;
    use->out->is_set = true;
    if (sbx_use_is_question(use) || SBX_OPERAND_IN(use, 0, looks) ||
        sbx_use_has(use, "-ls -list -X -V"))
        return;
    bool talk = SBX_OPERAND_IN(use, 0, talks),
         keys = sbx_operand_is(use, 0, "send-keys") || sbx_operand_is(use, 0, "send");
    if (talk)
        at = 1;
    while (at < use->operands && use->operand[at]->text[0] == '-' && use->operand[at]->len > 1)
        at += strchr("ctsnFxyTe", use->operand[at]->text[use->operand[at]->len - 1]) &&
                      use->operand[at]->len <= 3
                  ? 2
                  : 1;
    if (at >= use->operands) {
        bool detached = sbx_use_has(use, "-d");
        for (uint32_t i = 1; talk && i < use->operands; i++)
            detached |= use->operand[i]->text[0] == '-' && strchr(use->operand[i]->text, 'd');
        bool opens = sbx_operand_is(use, 0, "new-session") || sbx_operand_is(use, 0, "new");
        if (sbx_use_has(use, "-r -x -R") || (talk && !opens) || detached)
            return;
        sbx_find(j, SBX_DENY, SBX_CLASS_NESTED_SHELL, "a shell of its own",
                 "you are in a shell already; run the command itself");
        return;
    }
    if (!talk && !strcmp(use->name, "dtach") && !sbx_use_has(use, "-n -A -c"))
        at++;
    for (; keys && at < use->operands; at++) {
        struct sbx_flow out = {0};
        const struct sbx_flow in = {.is_set = true, .taint = SBX_TAINT_UNKNOWN};
        if (strchr(use->operand[at]->text, ' '))
            sbx_judge_code(j, use->operand[at], &in, &out);
    }
    if (at + 1 == use->operands)
        sbx_judge_code(j, use->operand[at], NULL, use->out);
    else if (at < use->operands)
        sbx_judge_argv(j, (struct sbx_argv){use->operand + at, use->operands - at}, NULL, use->out);
}
