/* The machine: signals, services, network, logs, debuggers, packages. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool operand_is(const struct sbx_use *use, uint32_t at, const char *text)
{
    return at < use->operands && sbx_value_is(use->operand[at], text);
}

static bool operand_in(const struct sbx_use *use, uint32_t at, const char *const *words,
                       size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (operand_is(use, at, words[i]))
            return true;
    return false;
}
#define OPERAND_IN(use, at, table) operand_in(use, at, table, sizeof(table) / sizeof(*(table)))

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
        if (operand_is(use, i, "1") && i)
            find_control(j, "the priority of process 1");
    const struct sbx_opt *priority = sbx_use_option(use, "-n");
    if ((priority && priority->value && priority->value->text[0] == '-' && operand_is(use, 0, "1")))
        find_control(j, "the priority of process 1");
}

/* --- services ------------------------------------------------------------------------------------------------------- */
void sbx_check_systemctl(struct sbx_judge *j, struct sbx_use *use)
{
    static const char *const queries[] = {
        "status",        "show",           "list-units",        "list-unit-files",
        "is-active",     "is-enabled",     "is-failed",         "cat",
        "list-timers",   "list-sockets",   "list-jobs",         "list-dependencies",
        "help",          "get-default",    "is-system-running", "show-environment",
        "list-machines", "--status-all",   "version",           "log",
        "list-paths",    "list-automounts"};
    static const char *const installs[] = {
        "enable",       "link",          "edit",   "set-environment", "import-environment",
        "add-wants",    "add-requires",  "preset", "preset-all",      "reenable",
        "set-property", "daemon-reload", "unmask", "set-default",     "revert"};
    if (!use->operands)
        return;
    for (uint32_t i = 0; i < use->operands; i++)
        if (OPERAND_IN(use, i, queries))
            return;
    bool is_systemctl = use->name[0] == 's' && use->name[1] == 'y';
    if (is_systemctl && (OPERAND_IN(use, 0, installs)))
        sbx_find(j, SBX_DENY, SBX_CLASS_PERSISTENCE, "a service installed",
                 "run your program in the foreground");
    else if (is_systemctl && sbx_use_letter(use, 'u'))
        sbx_find(j, SBX_ASK, SBX_CLASS_PERSISTENCE, "a user service changed",
                 "run your program in the foreground, or ask");
    else {
        static const char *const logs[] = {
            "rsyslog",        "auditd",   "systemd-journald",         "syslog",
            "rsyslogd",       "journald", "systemd-journald.service", "auditd.service",
            "rsyslog.service"};
        bool log = false;
        for (uint32_t i = 0; i < use->operands; i++)
            log |= OPERAND_IN(use, i, logs);
        sbx_find(j, SBX_DENY, log ? SBX_CLASS_LOG_TAMPER : SBX_CLASS_HOST_CONTROL,
                 "a service started, stopped or changed",
                 "services belong to the operator; run your program in the foreground");
    }
}

void sbx_check_crontab(struct sbx_judge *j, struct sbx_use *use)
{
    if (sbx_use_letter(use, 'l') && strcmp(use->name, "crontab") == 0 &&
        !sbx_use_letter(use, 'r') && !sbx_use_letter(use, 'e'))
        return;
    if (sbx_use_is_question(use) ||
        (!strcmp(use->name, "at") && (sbx_use_letter(use, 'l') || sbx_use_letter(use, 'V'))))
        return;
    sbx_find(j, SBX_DENY, SBX_CLASS_PERSISTENCE, "a command for later",
             "run it now, or ask the operator for a timer");
    if (use->in && use->in->text && strcmp(use->name, "crontab") != 0)
        sbx_judge_code(j, use->in->text, NULL, NULL);
}

/* --- kernel, names, time, network ------------------------------------------------------------------------------------------ */
void sbx_check_sysctl(struct sbx_judge *j, struct sbx_use *use)
{
    bool writes = sbx_use_letter(use, 'w') || sbx_use_letter(use, 'p');
    for (uint32_t i = 0; i < use->operands; i++)
        writes |= memchr(use->operand[i]->text, '=', use->operand[i]->len) != NULL;
    for (uint32_t i = 0; i < use->operands; i++)
        if (writes && (strstr(use->operand[i]->text, "core_pattern") ||
                       strstr(use->operand[i]->text, "modprobe")))
            sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "a handler of the kernel's",
                     "the machine's state belongs to the operator");
    if (writes)
        find_control(j, "a kernel setting");
}

void sbx_check_swap(struct sbx_judge *j, struct sbx_use *use)
{
    if (!sbx_use_letter(use, 's') && !sbx_use_is_question(use) && use->words > 1)
        find_control(j, "swap");
}

void sbx_check_date(struct sbx_judge *j, struct sbx_use *use)
{
    bool sets = sbx_use_letter(use, 's') != NULL;
    for (uint32_t i = 0; i < use->operands; i++) {
        const char *text = use->operand[i]->text;
        sets |= text[0] && strspn(text, "0123456789.") == strlen(text) && strlen(text) >= 8;
    }
    if (sets)
        find_control(j, "the clock set");
    use->out->is_set = true;
}

void sbx_check_hostname(struct sbx_judge *j, struct sbx_use *use)
{
    const char *name = use->name;
    bool ctl = strlen(name) > 3 && !strcmp(name + strlen(name) - 3, "ctl");
    static const char *const verbs[] = {"set",
                                        "set-hostname",
                                        "set-time",
                                        "set-timezone",
                                        "set-ntp",
                                        "set-locale",
                                        "set-keymap",
                                        "set-local-rtc",
                                        "terminate-session",
                                        "kill-session",
                                        "terminate-user",
                                        "kill-user",
                                        "lock-session",
                                        "lock-sessions",
                                        "enable-linger",
                                        "disable-linger",
                                        "attach",
                                        "activate",
                                        "unlock-session",
                                        "hostname",
                                        "chassis",
                                        "deployment",
                                        "up",
                                        "down",
                                        "reload",
                                        "reconfigure",
                                        "revert",
                                        "dns",
                                        "domain",
                                        "flush-caches",
                                        "call",
                                        "set-property",
                                        "emit",
                                        "poweroff",
                                        "reboot",
                                        "start",
                                        "login",
                                        "shell",
                                        "remove",
                                        "dump",
                                        "debug",
                                        "set-x11-keymap",
                                        "terminate-seat"};
    if (ctl) {
        if (OPERAND_IN(use, 0, verbs) &&
            (use->operands > 1 || strcmp(use->operand[0]->text, "hostname") != 0))
            sbx_find(j, SBX_DENY,
                     operand_is(use, 0, "enable-linger") ? SBX_CLASS_PERSISTENCE
                                                         : SBX_CLASS_HOST_CONTROL,
                     "the machine's settings changed",
                     "the machine's state belongs to the operator");
        return;
    }
    if (sbx_use_letter(use, 'w') ||
        (use->operands && (!strcmp(name, "hostname") || !strcmp(name, "domainname") ||
                           strstr(name, "domainname"))) ||
        !strcmp(name, "ntpdate") || !strcmp(name, "rdate") || !strcmp(name, "resolvconf") ||
        (!strcmp(name, "chronyc") && operand_is(use, 0, "settime")) ||
        (!strcmp(name, "chronyc") && operand_is(use, 0, "makestep")) || !strcmp(name, "ntpd") ||
        !strcmp(name, "chronyd") ||
        (!strcmp(name, "hwclock") && sbx_use_has(use, "-s --set --hctosys -w --systohc")))
        find_control(j, "the machine's name, clock or resolver changed");
}

void sbx_check_ip(struct sbx_judge *j, struct sbx_use *use)
{
    static const char *const changes[] = {
        "add",     "del",        "delete",  "set",     "flush",     "change", "replace", "append",
        "up",      "down",       "exec",    "attach",  "link-down", "addbr",  "delbr",   "addif",
        "connect", "disconnect", "modify",  "off",     "on",        "block",  "unblock", "restart",
        "-s",      "save",       "restore", "prepend", "identify"};
    static const char *const always[] = {
        "ifup", "ifdown",   "dhclient",       "dhcpcd", "udhcpc",  "wg-quick", "openvpn",
        "pppd", "slattach", "wpa_supplicant", "tunctl", "vconfig", "nmtui"};
    bool hit = false;
    for (uint32_t i = 0; i < use->operands; i++)
        hit |= OPERAND_IN(use, i, changes);
    for (size_t i = 0; i < sizeof(always) / sizeof(*always); i++)
        hit |= !strcmp(use->name, always[i]) && !sbx_use_is_question(use);
    hit |= !strcmp(use->name, "ifconfig") && use->operands > 1;
    hit |= !strcmp(use->name, "arp") && sbx_use_has(use, "-s -d");
    hit |= !strcmp(use->name, "ethtool") && sbx_use_has(use, "-s -K -G -C -L -A");
    const struct sbx_opt *batch = sbx_use_option(use, "-batch");
    if (!strcmp(use->name, "ip") && (batch || sbx_use_has(use, "-b -force")))
        for (uint32_t i = 0; i < use->operands; i++)
            (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_READ);
    if (operand_is(use, 0, "netns") || operand_is(use, 0, "vrf")) {
        if (use->operands > 1 && !operand_is(use, 1, "list") && !operand_is(use, 1, "show"))
            sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "a network namespace",
                     "namespaces belong to the operator");
        return;
    }
    if (hit)
        find_control(j, "the machine's network changed");
}

void sbx_check_iptables(struct sbx_judge *j, struct sbx_use *use)
{
    static const char *const queries[] = {"list",       "status", "show",     "monitor",
                                          "--list-all", "get",    "describe", "--state"};
    if (sbx_use_letter(use, 'l') || sbx_use_is_question(use) || strstr(use->name, "-save") ||
        OPERAND_IN(use, 0, queries) ||
        sbx_use_has(
            use, "--list-all --state --get-zones --get-active-zones --list-ports --list-services"))
        return;
    find_control(j, "the firewall");
}

void sbx_check_mount(struct sbx_judge *j, struct sbx_use *use)
{
    if (!use->operands && !sbx_use_letter(use, 'a'))
        return; /* lists */
    if (sbx_use_has(use, "-l") && !use->operands)
        return;
    for (uint32_t i = 0; i < use->operands; i++)
        if (!strncmp(use->operand[i]->text, "/var/log", 8))
            sbx_find(j, SBX_DENY, SBX_CLASS_LOG_TAMPER, "a mount over the logs",
                     "logs belong to the operator");
    sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "a mount",
             "mounts and namespaces belong to the operator; work on plain files");
}

/* --- logs ---------------------------------------------------------------------------------------------------------------------- */
void sbx_check_journalctl(struct sbx_judge *j, struct sbx_use *use)
{
    if (sbx_use_letter(use, 'v'))
        sbx_find(j, SBX_DENY, SBX_CLASS_LOG_TAMPER, "the journal cut or rotated",
                 "logs belong to the operator");
}

void sbx_check_logger(struct sbx_judge *j, struct sbx_use *use)
{
    const char *name = use->name;
    bool reads = sbx_use_letter(use, 'l') || !strcmp(name, "ausearch") ||
                 !strcmp(name, "aureport") || sbx_use_is_question(use);
    if (!strcmp(name, "dmesg")) {
        if (sbx_use_letter(use, 'c'))
            sbx_find(j, SBX_DENY, SBX_CLASS_LOG_TAMPER, "kernel messages cleared",
                     "logs belong to the operator");
        return;
    }
    if (!strcmp(name, "utmpdump")) {
        if (sbx_use_letter(use, 'r'))
            sbx_find(j, SBX_DENY, SBX_CLASS_LOG_TAMPER, "login records made by hand",
                     "logs belong to the operator");
        return;
    }
    if (!strcmp(name, "faillog") && !sbx_use_has(use, "-r --reset"))
        return;
    if (!strcmp(name, "logrotate") || !strcmp(name, "savelog")) {
        for (uint32_t i = 0; i < use->operands; i++) {
            char path[SBX_PATH_BYTES];
            if (sbx_path_of(j, use->operand[i], path, sizeof(path)) && sbx_path_in_work(j, path))
                reads = true;
        }
        const struct sbx_opt *state = sbx_use_option(use, "-l");
        if (state && state->value)
            (void)sbx_check_path(j, state->value, SBX_ACCESS_WRITE);
    }
    if (!reads)
        sbx_find(j, SBX_DENY, SBX_CLASS_LOG_TAMPER, "logging changed",
                 "logs belong to the operator");
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

void sbx_check_trace(struct sbx_judge *j, struct sbx_use *use)
{
    const struct sbx_opt *pid = sbx_use_letter(use, 'p');
    bool attaches = pid != NULL;
    uint32_t at = 0;
    if (sbx_use_is_question(use))
        return;
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *o = &use->option[i];
        if (o->letter == 'k' && o->value)
            debugger_text(j, o->value);
        if (o->letter == 'x' && o->value)
            (void)sbx_run_file(j, o->value, use);
        if (o->letter == 'o' && o->value) {
            const char *file = o->value->text;
            if (file[0] == '|' || file[0] == '!') {
                sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "an option that runs a program",
                         "run that program by itself");
                continue;
            }
            (void)sbx_check_path(j, o->value, SBX_ACCESS_WRITE);
        }
        if (!strncmp(o->name, "-args", o->name_len) || !strncmp(o->name, "--args", o->name_len)) {
            if (o->value)
                for (uint32_t k = use->first; k < use->words; k++)
                    if (use->word[k] == o->value)
                        sbx_judge_argv(j, (struct sbx_argv){use->word + k, use->words - k}, use->in,
                                       use->out);
            return;
        }
    }
    static const char *const attachers[] = {"gcore",  "jmap",     "jstack", "jcmd",
                                            "py-spy", "rbspy",    "phpspy", "pstack",
                                            "reptyr", "pyrasite", "austin", "eu-stack"};
    for (size_t i = 0; i < sizeof(attachers) / sizeof(*attachers); i++)
        if (!strcmp(use->name, attachers[i]) && use->operands && !operand_is(use, 0, "-l") &&
            !operand_is(use, 0, "record") && !operand_is(use, 0, "top"))
            attaches = true;
    if (operand_is(use, 0, "attach") ||
        (use->operands == 2 &&
         strspn(use->operand[1]->text, "0123456789") == use->operand[1]->len &&
         use->operand[1]->len))
        attaches = true;
    bool guard = pid && pid->value && (pid->value->taint & SBX_TAINT_GUARD);
    for (uint32_t i = 0; i < use->operands; i++)
        guard |= (use->operand[i]->taint & SBX_TAINT_GUARD) != 0;
    if (attaches && (guard || (pid && pid->value && sbx_value_is(pid->value, "1")) ||
                     operand_is(use, 1, "1") || operand_is(use, 0, "1"))) {
        sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "a debugger on process 1",
                 "debug processes that you start");
        return;
    }
    if (attaches) {
        sbx_find(j, SBX_ASK, SBX_CLASS_PRIV_ESC, "a debugger on a running process",
                 "start the program under the debugger instead");
        return;
    }
    static const char *const verbs[] = {"record", "stat",  "top",  "trace", "replay",
                                        "exec",   "debug", "test", "run",   "launch"};
    if (use->operands && (!strcmp(use->name, "perf") || !strcmp(use->name, "rr") ||
                          !strcmp(use->name, "uftrace") || !strcmp(use->name, "dlv"))) {
        if (!OPERAND_IN(use, 0, verbs))
            return;
        at = 1;
        while (at < use->operands && use->operand[at]->text[0] == '-')
            at += strlen(use->operand[at]->text) == 2 && strchr("eopFc", use->operand[at]->text[1])
                      ? 2
                      : 1;
    }
    bool debugger = strstr(use->name, "gdb") || strstr(use->name, "lldb") ||
                    !strcmp(use->name, "r2") || !strcmp(use->name, "radare2");
    if (debugger) {
        for (uint32_t i = 0; i < use->operands; i++)
            (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_READ);
        if (use->in && use->in->text)
            debugger_text(j, use->in->text);
        return;
    }
    if (at < use->operands)
        sbx_judge_argv(j, (struct sbx_argv){use->operand + at, use->operands - at}, use->in,
                       use->out);
}

/* --- terminals ---------------------------------------------------------------------------------------------------------------------- */
void sbx_check_tty(struct sbx_judge *j, struct sbx_use *use)
{
    static const char *const asks[] = {
        "xdotool",  "xte",      "ydotool",          "wtype",     "scrot",
        "maim",     "grim",     "import",           "xwd",       "arecord",
        "parecord", "fswebcam", "gnome-screenshot", "spectacle", "dbus-send",
        "gdbus",    "xinput"};
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
    if (sbx_use_is_question(use) || OPERAND_IN(use, 0, looks) ||
        sbx_use_has(use, "-ls -list -X -V"))
        return;
    bool talk = OPERAND_IN(use, 0, talks),
         keys = operand_is(use, 0, "send-keys") || operand_is(use, 0, "send");
    if (talk)
        at = 1;
    while (at < use->operands && use->operand[at]->text[0] == '-' && use->operand[at]->len > 1)
        at += strchr("ctsnFxyTe", use->operand[at]->text[use->operand[at]->len - 1]) &&
                      use->operand[at]->len <= 3
                  ? 2
                  : 1;
    if (at >= use->operands) {
        if (sbx_use_has(use, "-r -x -R") || talk || sbx_use_has(use, "-d"))
            return;
        sbx_find(j, SBX_DENY, SBX_CLASS_NESTED_SHELL, "a shell of its own",
                 "you are in a shell already; run the command itself");
        return;
    }
    if (!talk && !strcmp(use->name, "dtach"))
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

/* --- secrets ------------------------------------------------------------------------------------------------------------------------- */
void sbx_check_secret(struct sbx_judge *j, struct sbx_use *use)
{
    static const char *const harmless[] = {
        "ls",      "list",   "--version", "version", "--help", "help", "status",   "init",
        "git",     "search", "find",      "lock",    "login",  "sync", "generate", "insert",
        "store",   "clear",  "rm",        "edit",    "verify", "sign", "encrypt",  "updatekeys",
        "newring", "set",    "link",      "seal",    "auth"};
    static const char *const wrappers[] = {"run", "exec"};
    const char *name = use->name;
    if (!strcmp(name, "getent")) {
        if (operand_is(use, 0, "shadow") || operand_is(use, 0, "gshadow"))
            sbx_find(j, SBX_DENY, SBX_CLASS_CRED_READ, "password hashes",
                     "leave credential places alone");
        if (operand_is(use, 0, "hosts") && use->operands > 1)
            sbx_check_lookup(j, use);
        return;
    }
    if (strstr(name, "auth status")) {
        if (sbx_use_letter(use, 't'))
            sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "a token printed",
                     "tools find their token by themselves");
        return;
    }
    if (sbx_use_is_question(use) || (OPERAND_IN(use, 0, harmless)) ||
        (!use->operands && strcmp(name, "pass") != 0 && strcmp(name, "age") != 0 &&
         strcmp(name, "sops") != 0))
        return;
    if (OPERAND_IN(use, 0, wrappers)) {
        uint32_t at = 1;
        while (at < use->operands &&
               (use->operand[at]->text[0] == '-' || strchr(use->operand[at]->text, '=')))
            at++;
        if (at < use->operands &&
            (use->has_dashdash || sbx_command_find(use->operand[at]->text, use->operand[at]->len)))
            sbx_judge_argv(j, (struct sbx_argv){use->operand + at, use->operands - at}, use->in,
                           use->out);
        return;
    }
    bool file_tool = !strcmp(name, "age") || !strcmp(name, "sops") || !strcmp(name, "rage") ||
                     !strcmp(name, "minisign") || !strcmp(name, "cosign") ||
                     !strcmp(name, "signify");
    if (file_tool && !sbx_use_has(use, "-d --decrypt"))
        return;
    if (!strcmp(name, "pass") && !use->operands)
        return;
    sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "a secret printed",
             "tools find their secrets by themselves; no need to print one");
    use->out->is_set = true;
    use->out->taint = SBX_TAINT_SECRET;
}

void sbx_check_gpg(struct sbx_judge *j, struct sbx_use *use)
{
    const char *name = use->name;
    if (sbx_use_letter(use, 'x'))
        sbx_find(j, SBX_DENY, SBX_CLASS_CRED_READ, "a secret key exported",
                 "keys stay where they are");
    if (sbx_use_letter(use, 'd') && !strncmp(name, "gpg", 3))
        sbx_find(j, SBX_DENY, SBX_CLASS_FS_DESTROY, "a secret key deleted",
                 "keys stay where they are");
    if (!strcmp(name, "ssh-copy-id") || !strcmp(name, "ssh-import-id"))
        sbx_find(j, SBX_DENY, SBX_CLASS_PERSISTENCE, "a login key installed",
                 "login keys belong to people");
    if (!strcmp(name, "ssh-agent")) {
        if (use->operands)
            sbx_judge_argv(j, (struct sbx_argv){use->operand, use->operands}, use->in, use->out);
        else if (sbx_use_letter(use, 'k'))
            return;
    }
    if (!strcmp(name, "ssh-keygen") && sbx_use_letter(use, 'f') &&
        sbx_use_letter(use, 'f')->value) {
        bool makes = !sbx_use_has(use, "-l -y -B -e -i -R -F -H -Y -V -Q -L");
        (void)sbx_check_path(j, sbx_use_letter(use, 'f')->value,
                             makes ? SBX_ACCESS_WRITE : SBX_ACCESS_READ);
    } else if (!strcmp(name, "ssh-keygen") && !sbx_use_has(use, "-R -F -Y -l -V -Q -?")) {
        struct sbx_text text = {.arena = &j->arena};
        sbx_text_put(&text, j->home, strlen(j->home), SBX_MASK_LITERAL);
        sbx_text_put(&text, "/.ssh/id_ed25519", 16, SBX_MASK_LITERAL);
        struct sbx_value *key = sbx_text_value(&text, (struct sbx_span){0, 0});
        if (key && use->words > 1)
            (void)sbx_check_path(j, key, SBX_ACCESS_WRITE);
    }
    for (uint32_t i = 0; i < use->operands; i++)
        if (!strncmp(name, "gpg", 3) || !strncmp(name, "ssh-add", 7))
            (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_READ);
    if (!strncmp(name, "gpg", 3) && sbx_use_has(use, "--send-keys"))
        sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "a key sent to a server",
                 "publishing needs approval");
}

/* --- packages ------------------------------------------------------------------------------------------------------------------------- */
static bool is_remote_source(const char *text)
{
    return strstr(text, "://") || !strncmp(text, "git+", 4) || !strncmp(text, "github:", 7) ||
           !strncmp(text, "gitlab:", 7) || !strncmp(text, "git@", 4) ||
           !strncmp(text, "bitbucket:", 10) || !strncmp(text, "gist:", 5) ||
           strstr(text, "@http") || strstr(text, "@git+");
}

/* owner/name: a forge's shorthand, where the tool takes one. */
static bool is_shorthand(const char *text)
{
    const char *slash = strchr(text, '/');
    return slash && slash != text && text[0] != '@' && text[0] != '.' && text[0] != '/' &&
           text[0] != '~' && !strchr(slash + 1, '/') && slash[1] && !strstr(text, ".tgz") &&
           !strstr(text, ".tar") && !strstr(text, ".whl") && text[strlen(text) - 1] != '/';
}

static void find_source(struct sbx_judge *j)
{
    sbx_find(j, SBX_ASK, SBX_CLASS_REMOTE_CODE, "code from an address",
             "use packages by name from the configured index, or ask");
}

void sbx_check_npm(struct sbx_judge *j, struct sbx_use *use)
{
    static const char *const installs[] = {"install", "i",  "add",    "isntall", "in",  "ins",
                                           "inst",    "up", "update", "upgrade", "link"};
    static const char *const execs[] = {"exec", "x", "dlx"};
    static const char *const publishes[] = {"publish",  "unpublish", "deprecate", "owner", "access",
                                            "dist-tag", "token",     "adduser",   "login"};
    const char *name = use->name;
    bool npx = !strcmp(name, "npx") || !strcmp(name, "bunx") || !strcmp(name, "pnpx");
    uint32_t at = npx ? 0 : 1;
    const struct sbx_opt *index = sbx_use_letter(use, 'i');
    if (!use->operands)
        return;
    if (!npx && OPERAND_IN(use, 0, publishes)) {
        bool reads = operand_is(use, 1, "ls") || operand_is(use, 1, "list") ||
                     operand_is(use, 1, "get") || sbx_use_has(use, "--dry-run");
        if (!reads)
            sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "a package published",
                     "publishing needs a person; ask");
        return;
    }
    if (!npx &&
        (operand_is(use, 0, "config") || operand_is(use, 0, "set") || operand_is(use, 0, "c"))) {
        for (uint32_t i = 1; i < use->operands; i++)
            if (operand_is(use, 1, "get") && (strstr(use->operand[i]->text, "_auth") ||
                                              strstr(use->operand[i]->text, "_password")))
                sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "a token printed",
                         "tools find their token by themselves");
            else if (strstr(use->operand[i]->text, "script-shell") ||
                     strstr(use->operand[i]->text, "node-options") ||
                     strstr(use->operand[i]->text, "git="))
                sbx_find(j, SBX_DENY, SBX_CLASS_PERSISTENCE,
                         "a setting that makes npm run a program", "run that program by itself");
        return;
    }
    bool exec = npx || OPERAND_IN(use, 0, execs);
    const struct sbx_opt *call = sbx_use_option(use, "-c");
    if (exec && call && call->value)
        sbx_judge_code(j, call->value, use->in, use->out);
    if (exec && at + 1 == use->operands && strchr(use->operand[at]->text, ' '))
        sbx_judge_code(j, use->operand[at], use->in, use->out);
    if (exec && !npx && at < use->operands) {
        sbx_judge_argv(j, (struct sbx_argv){use->operand + at, use->operands - at}, use->in,
                       use->out);
    } else if (npx) {
        const struct sbx_command_row *row =
            sbx_command_find(use->operand[0]->text, use->operand[0]->len);
        if (row && (row->flags & SBX_CMD_DANGER))
            sbx_judge_argv(j, (struct sbx_argv){use->operand, use->operands}, use->in, use->out);
    }
    if (!exec && !OPERAND_IN(use, 0, installs))
        return;
    if (index)
        find_source(j);
    for (uint32_t i = at; i < use->operands; i++) {
        if (is_remote_source(use->operand[i]->text) || is_shorthand(use->operand[i]->text))
            find_source(j);
        if (exec)
            break;
    }
    for (uint32_t i = 0; i < use->options; i++)
        if (use->option[i].letter == 'p' && use->option[i].value &&
            (is_remote_source(use->option[i].value->text) ||
             is_shorthand(use->option[i].value->text)))
            find_source(j);
}

void sbx_check_remote_package(struct sbx_judge *j, struct sbx_use *use)
{
    const char *name = use->name;
    bool hit = false;
    if (operand_is(use, 0, "publish") && !sbx_use_has(use, "--dry-run"))
        sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "a package published",
                 "publishing needs a person; ask");
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *o = &use->option[i];
        if (!o->value)
            continue;
        bool loopback = strstr(o->value->text, "://localhost") || strstr(o->value->text, "://127.");
        if ((o->letter == 'g' || o->letter == 'i') && is_remote_source(o->value->text) && !loopback)
            hit = true;
        if ((o->letter == 'e' || o->letter == 'F' || o->letter == 'r') &&
            is_remote_source(o->value->text))
            hit = true;
        if (o->letter == 'c' &&
            (strstr(o->value->text, "runner") || strstr(o->value->text, "rustc") ||
             strstr(o->value->text, "linker") || strstr(o->value->text, "credential")))
            sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "a setting that runs a program",
                     "run that program by itself");
    }
    static const char *const runs[] = {"run", "exec", "dlx"};
    if (!strcmp(name, "uvx") || !strcmp(name, "pipx")) {
        for (uint32_t i = 0; i < use->operands; i++)
            hit |= is_remote_source(use->operand[i]->text);
    } else if (use->operands > 1 && OPERAND_IN(use, 0, runs) && strncmp(name, "cargo", 5) != 0 &&
               strncmp(name, "go", 2) != 0 && strncmp(name, "deno", 4) != 0) {
        uint32_t at = 1;
        while (at < use->operands && use->operand[at]->text[0] == '-')
            at +=
                (sbx_value_is(use->operand[at], "-n") || sbx_value_is(use->operand[at], "--with") ||
                 sbx_value_is(use->operand[at], "-p") || sbx_value_is(use->operand[at], "--python"))
                    ? 2
                    : 1;
        if (at < use->operands)
            sbx_judge_argv(j, (struct sbx_argv){use->operand + at, use->operands - at}, use->in,
                           use->out);
        return;
    }
    bool go = !strncmp(name, "go ", 3);
    for (uint32_t i = 0; i < use->operands; i++) {
        const char *text = use->operand[i]->text;
        hit |= is_remote_source(text);
        /* go run host/path@version */
        hit |= go && strcmp(name, "go get") != 0 && strchr(text, '@') && strchr(text, '.') &&
               text[0] != '.';
        hit |= go && strcmp(name, "go get") != 0 && strchr(text, '/') && text[0] != '.' &&
               text[0] != '/' && memchr(text, '.', strcspn(text, "/"));
        if (text[0] == '/')
            (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_READ);
    }
    if (hit)
        find_source(j);
    if (!strncmp(name, "deno ", 5) && use->operands && !is_remote_source(use->operand[0]->text))
        (void)sbx_run_file(j, use->operand[0], use);
}

static const char *const system_managers[] = {"apt",
                                              "apt-get",
                                              "aptitude",
                                              "dpkg",
                                              "dnf",
                                              "yum",
                                              "rpm",
                                              "zypper",
                                              "pacman",
                                              "yay",
                                              "paru",
                                              "apk",
                                              "snap",
                                              "flatpak",
                                              "xbps-install",
                                              "pkg",
                                              "apt-key",
                                              "add-apt-repository",
                                              "apt-add-repository",
                                              "dpkg-reconfigure",
                                              "apt-mark",
                                              "update-alternatives",
                                              "ldconfig",
                                              "emerge",
                                              "eopkg",
                                              "opkg",
                                              "installpkg",
                                              "slackpkg",
                                              "microdnf",
                                              "tdnf",
                                              "rpm-ostree",
                                              "ostree",
                                              "dpkg-divert",
                                              "dpkg-statoverride",
                                              "unattended-upgrade"};

void sbx_check_packages(struct sbx_judge *j, struct sbx_use *use)
{
    static const char *const changes[] = {
        "install",      "remove",       "purge", "upgrade",   "dist-upgrade", "full-upgrade",
        "autoremove",   "add",          "del",   "delete",    "erase",        "update",
        "reinstall",    "in",           "rm",    "refresh",   "downgrade",    "clean",
        "localinstall", "groupinstall", "hold",  "unhold",    "config",       "set",
        "up",           "dup",          "patch", "build-dep", "swap"};
    static const char *const execs[] = {"exec", "run", "x"};
    bool system = false, hit = false;
    for (size_t i = 0; i < sizeof(system_managers) / sizeof(*system_managers); i++)
        system |= !strcmp(use->name, system_managers[i]);
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *o = &use->option[i];
        if (o->letter == 'o' && o->value &&
            (strstr(o->value->text, "Pre-Invoke") || strstr(o->value->text, "Post-Invoke") ||
             strstr(o->value->text, "Pager") || strstr(o->value->text, "Dpkg::Options") ||
             strstr(o->value->text, "Pre-Install")))
            sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "an option that runs a program",
                     "run that program by itself");
        if (o->letter == 'E' && o->value &&
            (strstr(o->value->text, "%(") || strstr(o->value->text, "lua:") ||
             strstr(o->value->text, "%{lua")))
            sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "an option that runs a program",
                     "run that program by itself");
        if (o->letter == 'e' && o->value && !system)
            sbx_classify_program(j, use->name, o->value, use->in);
        if (o->value && is_remote_source(o->value->text) &&
            !strstr(o->value->text, "rubygems.org") &&
            (o->letter == 'g' || !strncmp(o->name, "--source", 8) || !strncmp(o->name, "-s", 2)))
            hit = true;
    }
    for (uint32_t i = 0; i < use->operands; i++) {
        hit |= is_remote_source(use->operand[i]->text);
        if (use->operand[i]->text[0] == '/')
            (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_READ);
    }
    if (hit && !system)
        find_source(j);
    if (use->operands > 1 && OPERAND_IN(use, 0, execs) && !system)
        sbx_judge_argv(j, (struct sbx_argv){use->operand + 1, use->operands - 1}, use->in,
                       use->out);
    bool installs = use->operands && (OPERAND_IN(use, 0, changes));
    installs |=
        sbx_use_letter(use, 'I') && (!strcmp(use->name, "dpkg") || !strcmp(use->name, "rpm"));
    installs |= !strcmp(use->name, "pacman") && sbx_use_has(use, "-R -U");
    (void)
        installs; /* without root rights the system's packages stay as they are: the kernel says so */
}

/* --- containers -------------------------------------------------------------------------------------------------------------------------- */
static void container_mount(struct sbx_judge *j, const char *text, size_t len)
{
    char path[SBX_PATH_BYTES];
    struct sbx_value *source = sbx_value_new(&j->arena, text, len);
    if (!source || !len || (text[0] != '/' && text[0] != '.' && text[0] != '~') ||
        !sbx_path_of(j, source, path, sizeof(path)))
        return;
    if (strstr(path, ".sock"))
        sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "a control socket in a container",
                 "there is no such socket here");
    else if (!sbx_path_in_work(j, path) && !sbx_path_below(path, j->home))
        sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "folders of the machine in a container",
                 "mount folders of the project only");
    else
        (void)sbx_check_path(j, source, SBX_ACCESS_READ);
    if (!strcmp(path, j->home))
        sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "the whole home in a container",
                 "mount folders of the project only");
}

static void container_words(struct sbx_judge *j, struct sbx_use *use)
{
    for (uint32_t i = use->first; i < use->words; i++) {
        const char *text = use->word[i]->text,
                   *next = i + 1 < use->words ? use->word[i + 1]->text : "";
        const char *equals = strchr(text, '='), *value = equals ? equals + 1 : next;
        if (!strcmp(text, "--privileged") || !strncmp(text, "--privileged=t", 14) ||
            !strncmp(text, "--cap-add", 9) || !strncmp(text, "--device", 8) ||
            (!strncmp(text, "--security-opt", 14) &&
             (strstr(value, "unconfined") || strstr(value, "disable"))) ||
            ((!strncmp(text, "--pid", 5) || !strncmp(text, "--net", 5) ||
              !strncmp(text, "--network", 9) || !strncmp(text, "--ipc", 5) ||
              !strncmp(text, "--uts", 5) || !strncmp(text, "--userns", 8) ||
              !strncmp(text, "--cgroupns", 10)) &&
             !strcmp(value, "host")))
            sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "a container with rights of the machine",
                     "containers get no rights of the machine");
        bool mount = !strcmp(text, "-v") || !strncmp(text, "--volume", 8),
             tree = !strncmp(text, "--mount", 7);
        if (mount && strncmp(text, "--volumes-from", 14) != 0)
            container_mount(j, value, strcspn(value, ":"));
        else if (text[0] == '-' && text[1] == 'v' && text[2] == '/')
            container_mount(j, text + 2, strcspn(text + 2, ":"));
        if (tree) {
            const char *source = strstr(value, "src=")      ? strstr(value, "src=") + 4
                                 : strstr(value, "source=") ? strstr(value, "source=") + 7
                                                            : "";
            container_mount(j, source, strcspn(source, ","));
        }
    }
}

/* docker run [OPTION…] IMAGE: an image of a registry that is none of the usual ones. */
static void container_image(struct sbx_judge *j, const struct sbx_use *use)
{
    static const char *const usual[] = {"docker.io/",      "ghcr.io/",           "quay.io/",
                                        "gcr.io/",         "mcr.microsoft.com/", "registry.k8s.io/",
                                        "public.ecr.aws/", "localhost"};
    static const char *const flags[] = {"-d",
                                        "-i",
                                        "-t",
                                        "-it",
                                        "-ti",
                                        "--rm",
                                        "--init",
                                        "--detach",
                                        "--interactive",
                                        "--tty",
                                        "--read-only",
                                        "--privileged",
                                        "-P",
                                        "-itd",
                                        "-dit",
                                        "--no-healthcheck",
                                        "-q"};
    uint32_t at = use->first;
    while (at < use->words && !sbx_value_is(use->word[at], "run") &&
           !sbx_value_is(use->word[at], "pull") && !sbx_value_is(use->word[at], "create"))
        at++;
    for (at++; at < use->words && use->word[at]->text[0] == '-'; at++) {
        bool flag = strchr(use->word[at]->text, '=') != NULL;
        for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
            flag |= sbx_value_is(use->word[at], flags[i]);
        at += !flag;
    }
    if (at >= use->words)
        return;
    const char *image = use->word[at]->text, *slash = strchr(image, '/');
    if (!slash || !memchr(image, '.', (size_t)(slash - image)))
        return;
    for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++)
        if (!strncmp(image, usual[i], strlen(usual[i])))
            return;
    if (image[0] != '.' && image[0] != '/')
        sbx_find(j, SBX_ASK, SBX_CLASS_REMOTE_CODE, "an image of an unknown registry",
                 "use images of the usual registries, or ask");
}

void sbx_check_container(struct sbx_judge *j, struct sbx_use *use)
{
    static const char *const losses[] = {"prune", "system", "destroy", "delete-all"};
    static const char *const things[] = {"container", "image",   "volume", "network",
                                         "system",    "builder", "buildx"};
    const struct sbx_opt *host = sbx_use_letter(use, 'H');
    if (sbx_use_is_question(use) || !use->operands)
        return;
    if (host && host->value && strstr(host->value->text, "unix:"))
        sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "a control socket",
                 "there is no such socket here");
    container_words(j, use);
    container_image(j, use);
    uint32_t at = OPERAND_IN(use, 0, things) ? 1 : 0;
    if (operand_is(use, 0, "system") && operand_is(use, 1, "reset"))
        sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY, "all containers, images and volumes dropped",
                 "name what may go");
    if ((operand_is(use, 0, "exec") || operand_is(use, 0, "run")) && operand_is(use, 0, "exec"))
        for (uint32_t i = use->first; i + 1 < use->words; i++)
            if ((sbx_value_is(use->word[i], "-u") || sbx_value_is(use->word[i], "--user")) &&
                (sbx_value_is(use->word[i + 1], "0") || sbx_value_is(use->word[i + 1], "root")))
                sbx_find(j, SBX_ASK, SBX_CLASS_PRIV_ESC, "root in a container",
                         "work there as the container's user");
    for (uint32_t i = use->first; i < use->words; i++)
        if (strstr(use->word[i]->text, "security.privileged=true") ||
            strstr(use->word[i]->text, "raw.lxc"))
            sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "a container with rights of the machine",
                     "containers get no rights of the machine");
    if (operand_is(use, at, "prune") ||
        (operand_is(use, 0, "system") && operand_is(use, 1, "prune")))
        sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY,
                 "containers, images or volumes dropped in bulk", "name what may go");
    (void)losses;
    bool removes = operand_is(use, at, "rm") || operand_is(use, at, "rmi") ||
                   operand_is(use, at, "kill") || operand_is(use, at, "stop") ||
                   operand_is(use, at, "remove");
    uint32_t named = 0;
    bool computed = false;
    for (uint32_t i = at + 1; removes && i < use->operands; i++) {
        named += use->operand[i]->text[0] != '-';
        computed |= sbx_value_has(use->operand[i], SBX_MASK_UNKNOWN) != 0;
    }
    if (removes && !operand_is(use, at, "stop") && computed)
        sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY,
                 "containers, images or volumes dropped in bulk", "name what may go");
    if (removes && operand_is(use, 0, "volume"))
        sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY, "a volume dropped",
                 "this loses data; ask first");
    (void)named;
    if (operand_is(use, 0, "down") || operand_is(use, 1, "down"))
        for (uint32_t i = use->first; i < use->words; i++)
            if (sbx_value_is(use->word[i], "-v") || sbx_value_is(use->word[i], "--volumes") ||
                sbx_value_is(use->word[i], "--rmi"))
                sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY, "volumes dropped",
                         "this loses data; ask first");
    if (operand_is(use, 0, "push"))
        sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "an image published", "publishing needs approval");
    static const char *const machines[] = {"destroy",      "undefine",   "delete",
                                           "unregistervm", "vol-delete", "pool-destroy"};
    bool vm = !strcmp(use->name, "vagrant") || !strcmp(use->name, "virsh") ||
              !strcmp(use->name, "multipass") || !strcmp(use->name, "minikube") ||
              !strcmp(use->name, "kind") || !strcmp(use->name, "k3d") ||
              !strcmp(use->name, "lxc") || !strcmp(use->name, "incus") ||
              !strncmp(use->name, "limactl", 7) || !strcasecmp(use->name, "vboxmanage") ||
              !strcmp(use->name, "colima");
    if (vm && OPERAND_IN(use, 0, machines))
        sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY, "a machine dropped",
                 "this loses data; ask first");
    if (operand_is(use, at, "inspect"))
        for (uint32_t i = use->first; i < use->words; i++)
            if (strstr(use->word[i]->text, ".Env") || strstr(use->word[i]->text, "Config.Env"))
                sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "the environment of a container",
                         "secrets of services stay with them");
    /* exec and run: what runs in there. */
    if (operand_is(use, at, "exec") || operand_is(use, at, "run")) {
        for (uint32_t i = at + 1; i < use->operands; i++) {
            const struct sbx_command_row *row =
                sbx_command_find(use->operand[i]->text, use->operand[i]->len);
            if (row && (row->flags & SBX_CMD_SHELL) && i + 1 < use->operands &&
                sbx_value_is(use->operand[i + 1], "-c"))
                break; /* the container's own files: the jail does not matter there */
        }
    }
}

/* --- clusters, clouds, build tools ----------------------------------------------------------------------------------------------------------- */
struct infra_rule {
    const char *tools; /* "|aws|gcloud|" */
    const char *word;  /* operand that destroys; with a blank: two in a row */
};

static const struct infra_rule infra_rules[] = {
    {"|kubectl|oc|",                                                    "delete"          },
    {"|kubectl|oc|",                                                    "drain"           },
    {"|kubectl|oc|",                                                    "replace --force" },
    {"|kubectl|oc|",                                                    "scale"           },
    {"|helm|helmfile|",                                                 "uninstall"       },
    {"|helm|helmfile|",                                                 "delete"          },
    {"|helm|helmfile|",                                                 "destroy"         },
    {"|terraform|tofu|terragrunt|pulumi|cdk|cdktf|sst|serverless|sam|", "destroy"         },
    {"|terraform|tofu|terragrunt|",                                     "apply"           },
    {"|terraform|tofu|terragrunt|",                                     "state rm"        },
    {"|terraform|tofu|terragrunt|",                                     "taint"           },
    {"|terraform|tofu|terragrunt|",                                     "force-unlock"    },
    {"|pulumi|serverless|sls|cdk|sam|",                                 "remove"          },
    {"|pulumi|",                                                        "stack rm"        },
    {"|pulumi|",                                                        "up"              },
    {"|terraform|tofu|",                                                "workspace delete"},
    {"|aws|awslocal|",                                                  "s3 rb"           },
    {"|aws|awslocal|",                                                  "s3 rm"           },
    {"|aws|awslocal|",                                                  "delete-"         },
    {"|aws|awslocal|",                                                  "terminate-"      },
    {"|aws|awslocal|",                                                  "purge-queue"     },
    {"|aws|awslocal|",                                                  "deregister-"     },
    {"|aws|awslocal|",                                                  "batch-delete"    },
    {"|gcloud|",                                                        "delete"          },
    {"|az|",                                                            "delete"          },
    {"|az|",                                                            "purge"           },
    {"|gsutil|",                                                        "rm"              },
    {"|gsutil|",                                                        "rb"              },
    {"|bq|",                                                            "rm"              },
    {"|s3cmd|s5cmd|",                                                   "del"             },
    {"|s3cmd|s5cmd|",                                                   "rb"              },
    {"|s5cmd|",                                                         "rm"              },
    {"|doctl|hcloud|linode-cli|scw|exo|vultr-cli|ibmcloud|openstack|",  "delete"          },
    {"|hcloud|doctl|",                                                  "reset"           },
    {"|heroku|",                                                        "apps:destroy"    },
    {"|heroku|",                                                        "pg:reset"        },
    {"|heroku|",                                                        "destroy"         },
    {"|fly|flyctl|",                                                    "destroy"         },
    {"|fly|flyctl|",                                                    "delete"          },
    {"|vercel|",                                                        "remove"          },
    {"|vercel|",                                                        "rm"              },
    {"|netlify|",                                                       "sites:delete"    },
    {"|firebase|",                                                      "firestore:delete"},
    {"|firebase|",                                                      "database:remove" },
    {"|wrangler|",                                                      "delete"          },
    {"|railway|",                                                       "delete"          },
    {"|railway|",                                                       "down"            },
    {"|etcdctl|",                                                       "del"             },
    {"|consul|",                                                        "kv delete"       },
    {"|velero|argocd|flux|",                                            "delete"          },
    {"|eksctl|kops|",                                                   "delete"          },
    {"|kubeadm|",                                                       "reset"           },
    {"|nomad|",                                                         "job stop"        },
    {"|nomad|",                                                         "stop"            },
    {"|supabase|",                                                      "db reset"        },
    {"|supabase|planetscale|pscale|neonctl|turso|",                     "delete"          },
    {"|turso|",                                                         "destroy"         },
    {"|snowsql|",                                                       "drop"            },
    {"|databricks|",                                                    "delete"          },
    {"|rails|rake|",                                                    "db:drop"         },
    {"|rails|rake|",                                                    "db:reset"        },
    {"|rails|rake|",                                                    "db:schema:load"  },
    {"|oci|",                                                           "delete"          },
    {"|aliyun|tccli|",                                                  "Delete"          },
    {"|stripe|",                                                        "delete"          },
    {"|vagrant|",                                                       "destroy"         },
    {"|rake|rails|",                                                    "db:purge"        },
    {"|earthly|",                                                       "prune"           },
};

static bool names_tool(const char *tools, const char *name)
{
    size_t len = strlen(name);
    for (const char *at = strchr(tools, '|'); at && at[1]; at = strchr(at + 1, '|'))
        if (!strncmp(at + 1, name, len) && at[1 + len] == '|')
            return true;
    return false;
}

static bool rule_hits(const struct sbx_use *use, const char *word)
{
    const char *blank = strchr(word, ' ');
    size_t len = blank ? (size_t)(blank - word) : strlen(word);
    for (uint32_t i = 0; i < use->operands && i < 6; i++) {
        const char *text = use->operand[i]->text;
        bool prefix = word[len - 1] == '-';
        if (strncmp(text, word, len) ||
            (!prefix && text[len] && !(len > 5 && !strncmp(text + len, "-", 1))))
            continue;
        if (!blank)
            return true;
        if (blank[1] == '-' ? sbx_use_has(use, blank + 1) : operand_is(use, i + 1, blank + 1))
            return true;
    }
    return false;
}

static void infra_uploads(struct sbx_judge *j, struct sbx_use *use)
{
    static const char *const stores[] = {"s3://", "gs://", "b2://", "az://", "oss://", "wasb://"};
    bool copies = false;
    uint32_t last = 0;
    for (uint32_t i = 0; i < use->operands; i++)
        for (size_t k = 0; k < sizeof(stores) / sizeof(*stores); k++)
            if (!strncmp(use->operand[i]->text, stores[k], strlen(stores[k]))) {
                copies = true;
                last = i;
            }
    bool verb = false;
    for (uint32_t i = 0; i < use->operands; i++)
        verb |= operand_is(use, i, "cp") || operand_is(use, i, "sync") ||
                operand_is(use, i, "mv") || operand_is(use, i, "put") ||
                operand_is(use, i, "rsync") || operand_is(use, i, "upload");
    if (copies && verb && last + 1 == use->operands) {
        uint32_t taint = SBX_TAINT_FILE;
        for (uint32_t i = 0; i < last; i++)
            if (strchr(use->operand[i]->text, '/') && !strstr(use->operand[i]->text, "://"))
                taint |= sbx_check_path(j, use->operand[i], SBX_ACCESS_READ);
        sbx_find_sent(j, taint);
    }
    if (sbx_use_letter(use, 'd') && copies)
        sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY, "objects dropped at the destination",
                 "leave --delete out");
    for (uint32_t i = 0; i < use->options; i++)
        if (use->option[i].letter == 'b' && use->option[i].value &&
            !strncmp(use->option[i].value->text, "fileb://", 8))
            sbx_find_sent(j, SBX_TAINT_FILE);
    if (!strcmp(use->name, "aws")) {
        for (uint32_t i = 0; i < use->operands; i++)
            if (operand_is(use, i, "put-object") || operand_is(use, i, "upload-part"))
                sbx_find_sent(j, SBX_TAINT_FILE);
            else if (operand_is(use, i, "export-credentials") ||
                     operand_is(use, i, "create-access-key"))
                sbx_find(j, SBX_DENY, SBX_CLASS_CRED_READ, "keys exported",
                         "tools find their keys by themselves");
            else if (operand_is(use, i, "get-secret-value") ||
                     operand_is(use, i, "get-session-token") ||
                     operand_is(use, i, "get-login-password") || operand_is(use, i, "decrypt") ||
                     operand_is(use, i, "assume-role") ||
                     (operand_is(use, i, "get-parameter") && sbx_use_has(use, "--with-decryption")))
                sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "a secret printed",
                         "tools find their secrets by themselves");
    }
    if (!strcmp(use->name, "gcloud") || !strcmp(use->name, "az"))
        for (uint32_t i = 0; i < use->operands; i++)
            if (strstr(use->operand[i]->text, "print-access-token") ||
                strstr(use->operand[i]->text, "print-identity-token") ||
                operand_is(use, i, "get-access-token") || (operand_is(use, i, "access") && i > 1) ||
                (operand_is(use, i, "secret") && operand_is(use, i + 1, "show")))
                sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "a secret printed",
                         "tools find their secrets by themselves");
}

static void infra_cluster(struct sbx_judge *j, struct sbx_use *use)
{
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *o = &use->option[i];
        if (o->letter == 'f' && o->value && is_remote_source(o->value->text))
            find_source(j);
        if (o->letter == 'i' && o->value)
            find_source(j);
    }
    for (uint32_t i = 0; i < use->operands; i++) {
        if ((operand_is(use, i, "get") || operand_is(use, i, "describe")) &&
            i + 1 < use->operands && (!strncmp(use->operand[i + 1]->text, "secret", 6)) &&
            (sbx_use_has(use, "-o --output") || !operand_is(use, i, "describe")))
            sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "a secret of the cluster",
                     "secrets of services stay with them");
        if (is_remote_source(use->operand[i]->text) &&
            (!strcmp(use->name, "helm") || !strcmp(use->name, "kubectl")))
            find_source(j);
        if (operand_is(use, i, "exec") || operand_is(use, i, "debug") ||
            operand_is(use, i, "rsh") || operand_is(use, i, "run")) {
            for (uint32_t k = i + 1; k < use->operands; k++) {
                const char *slash = strrchr(use->operand[k]->text, '/');
                const char *base = slash ? slash + 1 : use->operand[k]->text;
                const struct sbx_command_row *row = sbx_command_find(base, strlen(base));
                if (row && (row->flags & SBX_CMD_SHELL) && k + 1 == use->operands) {
                    sbx_find(j, SBX_ASK, SBX_CLASS_NESTED_SHELL, "a shell in a cluster",
                             "run single commands there");
                    return;
                }
            }
            break;
        }
        if (operand_is(use, i, "cp") && i + 2 < use->operands &&
            strchr(use->operand[use->operands - 1]->text, ':'))
            sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "local files sent to a cluster",
                     "sending data away needs approval");
    }
    if (operand_is(use, 0, "config") && operand_is(use, 1, "view") && sbx_use_has(use, "--raw"))
        sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "credentials of the cluster",
                 "tools find their credentials by themselves");
}

static void infra_ansible(struct sbx_judge *j, struct sbx_use *use)
{
    const struct sbx_opt *args = sbx_use_letter(use, 'a'), *module = sbx_use_letter(use, 'm'),
                         *inventory = sbx_use_letter(use, 'i');
    bool local =
        operand_is(use, 0, "localhost") ||
        (inventory && inventory->value && !strncmp(inventory->value->text, "localhost", 9));
    bool code = !module || !module->value || sbx_value_is(module->value, "shell") ||
                sbx_value_is(module->value, "command") || sbx_value_is(module->value, "raw") ||
                strstr(module->value->text, ".shell") || strstr(module->value->text, ".command");
    struct sbx_flow out = {0};
    const struct sbx_flow in = {.is_set = true, .taint = SBX_TAINT_UNKNOWN};
    if (!strcmp(use->name, "ansible") && args && args->value && code)
        sbx_judge_code(j, args->value, &in, &out);
    if (sbx_use_letter(use, 'b'))
        sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "root rights on other machines",
                 "there are no root rights here");
    if (!strcmp(use->name, "ansible-galaxy") || !strcmp(use->name, "ansible-pull")) {
        for (uint32_t i = 0; i < use->operands; i++)
            if (is_remote_source(use->operand[i]->text))
                find_source(j);
        if (sbx_use_has(use, "-U"))
            find_source(j);
    }
    if (!strcmp(use->name, "ansible-vault") &&
        (operand_is(use, 0, "decrypt") || operand_is(use, 0, "view")))
        sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "a secret printed",
                 "tools find their secrets by themselves");
    (void)local;
}

void sbx_check_infra(struct sbx_judge *j, struct sbx_use *use)
{
    static const char *const publishers[] = {"deploy", "publish", "login", "push", "upload"};
    static const char *const hosts[] = {
        "vercel", "netlify",   "firebase", "surge",      "heroku", "fly",
        "flyctl", "railway",   "wrangler", "serverless", "sam",    "cdk",
        "sst",    "gigalixir", "cap",      "capistrano", "mina"};
    const char *name = use->name;
    use->out->is_set = true;
    if (sbx_use_is_question(use))
        return;
    bool dry = sbx_use_has(use, "--dry-run --dryrun --what-if --preview") &&
               strcmp(name, "kubectl") != 0 && strcmp(name, "helm") != 0;
    const struct sbx_opt *kube_dry = sbx_use_letter(use, 'n');
    dry |= kube_dry && kube_dry->value == NULL;
    dry |= sbx_use_has(use, "--dry-run --dryrun");
    for (size_t i = 0; i < sizeof(infra_rules) / sizeof(*infra_rules) && !dry; i++) {
        if (!names_tool(infra_rules[i].tools, name) || !rule_hits(use, infra_rules[i].word))
            continue;
        const struct sbx_opt *replicas = sbx_use_option(use, "--replicas");
        if (!strcmp(infra_rules[i].word, "scale") &&
            !(replicas && replicas->value && sbx_value_is(replicas->value, "0")))
            continue;
        if (!strcmp(infra_rules[i].word, "apply") && !sbx_use_letter(use, 'y') &&
            !sbx_use_letter(use, 'd'))
            continue;
        if (!strcmp(infra_rules[i].word, "up") && !sbx_use_letter(use, 'y'))
            continue;
        sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY, "infrastructure dropped",
                 "this loses data or machines; ask first");
        break;
    }
    const char *blank = strchr(name, ' ');
    if (blank && !dry)
        for (size_t i = 0; i < sizeof(publishers) / sizeof(*publishers); i++)
            if (!strcmp(blank + 1, publishers[i]) || strstr(blank, " yank") ||
                strstr(blank, " unpublish"))
                sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "a package or image published",
                         "publishing needs a person; ask");
    for (size_t i = 0; i < sizeof(hosts) / sizeof(*hosts) && !dry; i++)
        if (!strcmp(name, hosts[i]) && (operand_is(use, 0, "deploy") ||
                                        operand_is(use, 0, "--prod") || sbx_use_has(use, "--prod")))
            sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "a deployment", "deployments need approval");
    infra_uploads(j, use);
    if (names_tool("|kubectl|oc|helm|helmfile|kustomize|", name))
        infra_cluster(j, use);
    if (!strncmp(name, "ansible", 7))
        infra_ansible(j, use);
    if (names_tool("|vault|etcdctl|consul|", name) &&
        (operand_is(use, 0, "kv") || operand_is(use, 0, "get")) && operand_is(use, 1, "get"))
        sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "a secret printed",
                 "tools find their secrets by themselves");
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *o = &use->option[i];
        if (o->letter == 'c' && o->value && strchr(o->value->text, ' ') &&
            (names_tool("|watchexec|", name)))
            sbx_judge_code(j, o->value, use->in, use->out);
        if (o->letter == 'c' && o->value && names_tool("|nodemon|", name))
            sbx_judge_code(j, o->value, use->in, use->out);
    }
    static const char *const runners[] = {"watchexec",  "nodemon", "concurrently", "foreman",
                                          "pre-commit", "tox",     "nox",          "coverage"};
    for (size_t i = 0; i < sizeof(runners) / sizeof(*runners); i++) {
        if (strcmp(name, runners[i]) || !use->operands)
            continue;
        for (uint32_t k = 0; k < use->operands; k++) {
            if (strchr(use->operand[k]->text, ' ')) {
                sbx_judge_code(j, use->operand[k], use->in, use->out);
            } else if (sbx_command_find(use->operand[k]->text, use->operand[k]->len)) {
                sbx_judge_argv(j, (struct sbx_argv){use->operand + k, use->operands - k}, use->in,
                               use->out);
                return;
            }
        }
    }
}
