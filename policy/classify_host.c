/* The machine: services, timers, kernel, clock, network, mounts, logs. */
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
    if (sbx_operand_is(use, 0, "show-environment")) {
        sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "the environment of services",
                 "programs find their secrets by themselves; no need to print one");
        use->out->taint = SBX_TAINT_ENV;
    }
    for (uint32_t i = 0; i < use->operands; i++)
        if (SBX_OPERAND_IN(use, i, queries))
            return;
    bool is_systemctl = use->name[0] == 's' && use->name[1] == 'y';
    if (is_systemctl && (SBX_OPERAND_IN(use, 0, installs)))
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
            log |= SBX_OPERAND_IN(use, i, logs);
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

static const char *const ctl_verbs[] = {"set",
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

static bool changes_host(const struct sbx_use *use)
{
    static const char *const always[] = {"ntpdate", "rdate", "resolvconf", "ntpd", "chronyd"};
    const char *name = use->name;
    for (size_t i = 0; i < sizeof(always) / sizeof(*always); i++)
        if (!strcmp(name, always[i]))
            return strcmp(name, "resolvconf") != 0 || !sbx_use_has(use, "--updates-are-enabled -l");
    if (!strcmp(name, "chronyc"))
        return sbx_operand_is(use, 0, "settime") || sbx_operand_is(use, 0, "makestep");
    if (!strcmp(name, "hwclock") && sbx_use_has(use, "-s --set --hctosys -w --systohc"))
        return true;
    return sbx_use_letter(use, 'w') ||
           (use->operands && (!strcmp(name, "hostname") || strstr(name, "domainname")));
}

void sbx_check_hostname(struct sbx_judge *j, struct sbx_use *use)
{
    size_t len = strlen(use->name);
    bool ctl = len > 3 && !strcmp(use->name + len - 3, "ctl");
    bool asks = use->operands == 1 && sbx_operand_is(use, 0, "hostname");
    bool linger = sbx_operand_is(use, 0, "enable-linger");
    if (ctl ? SBX_OPERAND_IN(use, 0, ctl_verbs) && !asks : changes_host(use))
        sbx_find(j, SBX_DENY, linger ? SBX_CLASS_PERSISTENCE : SBX_CLASS_HOST_CONTROL,
                 "the machine's name, clock or settings changed",
                 "the machine's state belongs to the operator");
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
    bool hit = false, shows = false;
    static const char *const looks[] = {"show", "list", "ls",   "lst",
                                        "sh",   "get",  "save", "monitor"};
    for (uint32_t i = 0; i < use->operands; i++)
        hit |= SBX_OPERAND_IN(use, i, changes);
    shows = !strcmp(use->name, "ip") && SBX_OPERAND_IN(use, 1, looks);
    hit = hit && !shows; /* ip a show up */
    for (size_t i = 0; i < sizeof(always) / sizeof(*always); i++)
        hit |= !strcmp(use->name, always[i]) && !sbx_use_is_question(use);
    hit |= !strcmp(use->name, "ifconfig") && use->operands > 1;
    hit |= !strcmp(use->name, "arp") && sbx_use_has(use, "-s -d");
    hit |= !strcmp(use->name, "ethtool") && sbx_use_has(use, "-s -K -G -C -L -A");
    const struct sbx_opt *batch = sbx_use_option(use, "-batch");
    if (!strcmp(use->name, "ip") && (batch || sbx_use_has(use, "-b -force")))
        for (uint32_t i = 0; i < use->operands; i++)
            (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_READ);
    if (sbx_operand_is(use, 0, "netns") || sbx_operand_is(use, 0, "vrf")) {
        if (use->operands > 1 && !sbx_operand_is(use, 1, "list") && !sbx_operand_is(use, 1, "show"))
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
    const struct sbx_opt *file = sbx_use_option(use, "-f");
    if (file && file->value && strstr(use->name, "-save"))
        (void)sbx_check_path(j, file->value, SBX_ACCESS_WRITE);
    static const char *const asks[] = {"ping", "version", "banned"};
    if ((!strcmp(use->name, "conntrack") &&
         sbx_use_has(use, "-L --dump -E --event -G --get -C --count -S --stats")) ||
        (!strcmp(use->name, "fail2ban-client") && SBX_OPERAND_IN(use, 0, asks)))
        return;
    if (sbx_use_letter(use, 'l') || sbx_use_is_question(use) || strstr(use->name, "-save") ||
        SBX_OPERAND_IN(use, 0, queries) ||
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
    if (!strcmp(name, "lastlog") && !sbx_use_has(use, "-C --clear -S --set"))
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
