/* Other machines: raw connections, logins, mail, look-ups, servers. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- raw connections ------------------------------------------------------------------------------------------------------ */
bool sbx_operand_is_local(const struct sbx_use *use)
{
    struct sbx_url url;
    return use->operands && sbx_host_of(use->operand[0], false, &url) && sbx_is_loopback(url.host);
}

/* echo flush_all | nc localhost 11211 */
static void check_commands(struct sbx_judge *j, const struct sbx_use *use)
{
    const struct sbx_value *text = use->in && use->in->is_set ? use->in->text : NULL;
    if (text && (sbx_sql_destroys(text) || strcasestr(text->text, "flush_all")))
        sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY, "data dropped from a database",
                 "this loses data; ask first, or work on a copy");
}

void sbx_check_netcat(struct sbx_judge *j, struct sbx_use *use)
{
    bool local = sbx_operand_is_local(use);
    uint32_t taint = use->in && use->in->is_set ? use->in->taint : 0;
    check_commands(j, use);
    if (sbx_use_has(use, "-e --exec -c --sh-exec --lua-exec"))
        sbx_find(j, SBX_DENY, SBX_CLASS_EXFIL, "a program on a network connection",
                 "nobody logs in this way");
    if (sbx_use_letter(use, 'U')) {
        if (use->operands && strstr(use->operand[0]->text, ".sock"))
            sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "a control socket",
                     "there is no such socket here");
        return;
    }
    uint32_t words = 0;
    for (uint32_t i = 0; i < use->operands; i++)
        words |= use->operand[i]->taint & ~(uint32_t)SBX_TAINT_UNKNOWN;
    if (!local && !sbx_use_letter(use, 'z')) {
        if (use->in && use->in->is_set && !use->in->text)
            taint |= SBX_TAINT_UNKNOWN;
        if (use->in && use->in->text &&
            !(use->in->taint & (SBX_TAINT_FILE | SBX_TAINT_SECRET | SBX_TAINT_ENV)))
            taint = 0;
        sbx_find_sent(j, taint | words);
    }
    use->out->is_set = true;
    use->out->taint = SBX_TAINT_NET;
}

void sbx_check_socat(struct sbx_judge *j, struct sbx_use *use)
{
    bool remote = false, runs = false;
    uint32_t taint = 0;
    for (uint32_t i = 0; i < use->operands; i++) {
        const struct sbx_value *word = use->operand[i];
        const char *rest = strchr(word->text, ':');
        bool exec = !strncasecmp(word->text, "exec:", 5) ||
                    !strncasecmp(word->text, "system:", 7) || !strncasecmp(word->text, "shell:", 6);
        runs |= exec;
        if (exec && rest) {
            struct sbx_value *code = sbx_value_new(&j->arena, rest + 1, strcspn(rest + 1, ","));
            struct sbx_flow out = {0};
            if (code)
                sbx_judge_code(j, code, NULL, &out);
        }
        if (!strncasecmp(word->text, "tcp", 3) || !strncasecmp(word->text, "udp", 3) ||
            !strncasecmp(word->text, "ssl", 3) || !strncasecmp(word->text, "openssl", 7) ||
            !strncasecmp(word->text, "sctp", 4) || !strncasecmp(word->text, "vsock", 5))
            remote |=
                !(rest && (!strncmp(rest + 1, "localhost", 9) || !strncmp(rest + 1, "127.", 4)));
        if (rest &&
            (!strncasecmp(word->text, "file:", 5) || !strncasecmp(word->text, "open:", 5) ||
             !strncasecmp(word->text, "gopen:", 6) || !strncasecmp(word->text, "create:", 7))) {
            struct sbx_value *path = sbx_value_new(&j->arena, rest + 1, strcspn(rest + 1, ","));
            if (path)
                taint |= SBX_TAINT_FILE |
                         sbx_check_path(j, path,
                                        !strncasecmp(word->text, "create", 6) ? SBX_ACCESS_WRITE
                                                                              : SBX_ACCESS_READ);
        } else if (word->text[0] == '/') {
            struct sbx_value *path = sbx_value_new(&j->arena, word->text, strcspn(word->text, ","));
            if (path)
                taint |= SBX_TAINT_FILE | sbx_check_path(j, path, SBX_ACCESS_READ);
        }
        if (strstr(word->text, "docker.sock"))
            sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "a control socket",
                     "there is no such socket here");
    }
    if (remote && runs)
        sbx_find(j, SBX_DENY, SBX_CLASS_EXFIL, "a program on a network connection",
                 "nobody logs in this way");
    else if (remote)
        sbx_find_sent(
            j, taint |
                   (use->in && use->in->is_set ? use->in->taint | (uint32_t)SBX_TAINT_UNKNOWN : 0));
    use->out->is_set = true;
    use->out->taint = SBX_TAINT_NET;
}

/* --- other machines --------------------------------------------------------------------------------------------------------- */
static bool exec_option(const struct sbx_value *value)
{
    static const char *const keys[] = {
        "proxycommand",   "localcommand",        "knownhostscommand", "permitlocalcommand",
        "pkcs11provider", "securitykeyprovider", "xauthlocation",     "proxyusefdpass"};
    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
        size_t len = strlen(keys[i]);
        if (!strncasecmp(value->text, keys[i], len) && !strcasestr(value->text, "=no") &&
            !strcasestr(value->text, "=none"))
            return true;
    }
    return false;
}

static void check_ssh_options(struct sbx_judge *j, const struct sbx_use *use)
{
    for (uint32_t i = 0; i < use->options; i++)
        if (use->option[i].letter == 'o' && use->option[i].value &&
            exec_option(use->option[i].value))
            sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "an option that runs a program",
                     "run that program by itself");
}

void sbx_check_ssh(struct sbx_judge *j, struct sbx_use *use)
{
    check_ssh_options(j, use);
    if (sbx_use_letter(use, 'q') || !use->operands)
        return;
    if (!strcmp(use->name, "sshpass")) {
        for (uint32_t i = 0; i < use->operands; i++)
            if (sbx_command_find(use->operand[i]->text, use->operand[i]->len)) {
                sbx_judge_argv(j, (struct sbx_argv){use->operand + i, use->operands - i}, use->in,
                               use->out);
                return;
            }
        return;
    }
    sbx_check_host_value(j, use->operand[0], false);
    if (sbx_use_letter(use, 'R') || sbx_use_letter(use, 't'))
        sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "a tunnel to another machine",
                 "tunnels need approval");
    if (use->operands > 1) {
        /* What runs over there is judged as well: deny stays deny. */
        struct sbx_text text = {.arena = &j->arena};
        for (uint32_t i = 1; i < use->operands; i++) {
            if (i > 1)
                sbx_text_put(&text, " ", 1, SBX_MASK_LITERAL);
            sbx_text_append(&text, use->operand[i]);
        }
        struct sbx_value *code = sbx_text_value(&text, j->span);
        struct sbx_flow out = {0};
        const struct sbx_flow in = {.is_set = true, .taint = SBX_TAINT_FILE};
        if (code)
            sbx_judge_code(j, code, &in, &out);
    }
    if (sbx_operand_is_local(use))
        return;
    sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "a login to another machine",
             "work on other machines needs approval");
    if (use->in && use->in->is_set)
        sbx_find_sent(j, use->in->taint);
    use->out->is_set = true;
    use->out->taint = SBX_TAINT_NET;
}

void sbx_check_scp(struct sbx_judge *j, struct sbx_use *use)
{
    check_ssh_options(j, use);
    bool session = !strcmp(use->name, "sftp") || !strcmp(use->name, "psftp"), remote = session;
    uint32_t taint = 0;
    for (uint32_t i = 0; i < use->operands; i++) {
        const char *text = use->operand[i]->text, *colon = strchr(text, ':');
        bool far = colon && !memchr(text, '/', (size_t)(colon - text));
        struct sbx_url url;
        if (far || session) {
            bool local = sbx_host_of(use->operand[i], false, &url) && sbx_is_loopback(url.host);
            sbx_check_host_value(j, use->operand[i], false);
            remote |= far && !local;
        } else {
            taint |= SBX_TAINT_FILE | sbx_check_path(j, use->operand[i], SBX_ACCESS_READ);
            if (i + 1 == use->operands && i)
                (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_WRITE);
        }
    }
    if (remote && (taint & SBX_TAINT_SECRET))
        sbx_find_sent(j, taint);
    if (remote && use->operands)
        sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "a copy to or from another machine",
                 "copies between machines need approval");
}

static void judge_words(struct sbx_judge *j, const struct sbx_value *text)
{
    /* Commands of an ftp client and its kin: !cmd runs here. */
    const char *bang = memchr(text->text, '!', text->len);
    if (bang && (bang == text->text || strchr(" ;\n", bang[-1]))) {
        struct sbx_value *code = sbx_value_new(&j->arena, bang + 1, strcspn(bang + 1, ";\n"));
        struct sbx_flow out = {0};
        const struct sbx_flow in = {.is_set = true, .taint = SBX_TAINT_UNKNOWN};
        if (code)
            sbx_judge_code(j, code, &in, &out);
        sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "a command run by a network client",
                 "run that command by itself");
    }
    if (strstr(text->text, "put ") || strstr(text->text, "mirror -R") ||
        strstr(text->text, "send "))
        sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "local data sent to another machine",
                 "sending data away needs approval");
}

void sbx_check_sender(struct sbx_judge *j, struct sbx_use *use)
{
    uint32_t taint = use->in && use->in->is_set ? use->in->taint | (uint32_t)SBX_TAINT_UNKNOWN : 0;
    static const char *const always[] = {
        "croc",        "wormhole",  "magic-wormhole", "ffsend",      "toss",     "sendme",
        "pastebinit",  "wgetpaste", "pbin",           "gist",        "nopaste",  "sprunge",
        "wput",        "fpaste",    "onionshare",     "webwormhole", "hastebin", "imgur",
        "transfer.sh", "ncftpput",  "slackcat"};
    if (sbx_use_is_question(use) || (!strcmp(use->name, "gist") && sbx_use_has(use, "-l --list")))
        return;
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *o = &use->option[i];
        if (!o->value)
            continue;
        if (o->role == 'f' || o->letter == 's')
            sbx_find_sent(j, SBX_TAINT_FILE | sbx_check_path(j, o->value, SBX_ACCESS_READ));
        if (o->letter == 'c' || o->letter == 'e')
            judge_words(j, o->value);
        if (o->letter == 'x' &&
            (strchr(o->value->text, '/') || strstr(o->value->text, "os.execute")))
            sbx_find(j, SBX_ASK, SBX_CLASS_SHELL_EVASION, "a script that nobody sees",
                     "use the tool's own scripts");
    }
    for (uint32_t i = 0; i < use->operands; i++) {
        if (strchr(use->operand[i]->text, '/') && !strstr(use->operand[i]->text, "://"))
            taint |= sbx_check_path(j, use->operand[i], SBX_ACCESS_READ) & SBX_TAINT_SECRET;
        sbx_check_host_value(j, use->operand[i], strstr(use->operand[i]->text, "://") != NULL);
    }
    if (use->in && use->in->text)
        judge_words(j, use->in->text);
    /* MinIO's client has the name of a file manager. */
    static const char *const emptied[] = {"rm", "rb"};
    if (!strcmp(use->name, "mc") && SBX_OPERAND_IN(use, 0, emptied))
        sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY, "objects dropped",
                 "this loses data; ask first");
    static const char *const stores[] = {"cp", "mirror", "pipe", "put", "mv"};
    if (!strcmp(use->name, "mc") && use->operands + (use->in && use->in->is_set) > 2 &&
        SBX_OPERAND_IN(use, 0, stores))
        sbx_find_sent(j, SBX_TAINT_FILE);
    for (size_t i = 0; i < sizeof(always) / sizeof(*always); i++)
        if (!strcmp(use->name, always[i]) && (use->operands || taint))
            taint |= SBX_TAINT_FILE;
    const char *to = use->operands ? use->operand[use->operands - 1]->text : "";
    if (!strncmp(use->name, "rclone ", 7) && (strchr(to, ':') || !strcmp(use->name + 7, "bisync")))
        taint |= SBX_TAINT_FILE;
    static const char *const clients[] = {"ftp",     "lftp",     "ncftp", "tftp", "smbclient",
                                          "cadaver", "ncftpget", "tnftp", "atftp"};
    for (size_t i = 0; i < sizeof(clients) / sizeof(*clients); i++)
        if (!strcmp(use->name, clients[i]) && use->operands && !sbx_operand_is_local(use))
            sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "a session with another machine",
                     "work on other machines needs approval");
    if (!strncmp(use->name, "rclone", 6) || strcmp(use->name, "mc") != 0)
        if (!sbx_operand_is_local(use))
            sbx_find_sent(
                j, taint & ~(uint32_t)(use->row->flags & SBX_CMD_SENDER ? 0 : SBX_TAINT_FILE));
}

/* A message, or a line for a log, at a host that is named: of a file or of standard input. */
void sbx_check_broker(struct sbx_judge *j, struct sbx_use *use)
{
    const struct sbx_opt *host = sbx_use_letter(use, 'h');
    struct sbx_url url;
    bool far =
        host && host->value && sbx_host_of(host->value, false, &url) && !sbx_is_loopback(url.host);
    bool input = !strcmp(use->name, "logger") && use->in && use->in->is_set && !use->in->text;
    if (far && (sbx_use_letter(use, 'f') || input))
        sbx_find_sent(j, SBX_TAINT_FILE);
}

void sbx_check_mail(struct sbx_judge *j, struct sbx_use *use)
{
    if (sbx_use_is_question(use))
        return;
    uint32_t taint = use->in && use->in->is_set ? use->in->taint : 0;
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *o = &use->option[i];
        if (o->role == 'f' && o->value)
            taint |= SBX_TAINT_FILE | sbx_check_path(j, o->value, SBX_ACCESS_READ);
        if (o->value)
            taint |= o->value->taint;
    }
    if (use->in && use->in->text)
        judge_words(j, use->in->text);
    sbx_find_sent(j, taint);
    if (use->operands || sbx_use_has(use, "-t --to"))
        sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "mail", "mail leaves the machine; ask first");
}

/* Data in front of a domain: $(id -un).example.org */
static bool name_is_computed(const struct sbx_value *word)
{
    if (word->taint & SBX_TAINT_PRINTED)
        for (size_t i = 0; i + 1 < word->len; i++)
            if (sbx_mask_unknown(sbx_value_mask(word, i)) && word->text[i + 1] == '.')
                return true;
    return (word->taint & (SBX_TAINT_FILE | SBX_TAINT_SECRET | SBX_TAINT_ENV)) != 0;
}

void sbx_check_lookup(struct sbx_judge *j, struct sbx_use *use)
{
    for (uint32_t i = use->first; i < use->words; i++)
        if (name_is_computed(use->word[i]))
            sbx_find_sent(j, use->word[i]->taint | SBX_TAINT_UNKNOWN);
    use->out->is_set = true;
    use->out->taint = SBX_TAINT_NET;
}

/* Printing is local unless a host is named. */
void sbx_check_print(struct sbx_judge *j, struct sbx_use *use)
{
    const struct sbx_opt *host = sbx_use_option(use, "-h");
    uint32_t taint = 0;
    struct sbx_url url;
    if (!host || !host->value ||
        (sbx_host_of(host->value, false, &url) && sbx_is_loopback(url.host)))
        return;
    for (uint32_t i = use->first; i < use->words; i++)
        taint |= use->word[i]->taint;
    sbx_find_sent(j, taint | (use->operands ? (uint32_t)SBX_TAINT_FILE : 0));
}

/* A repository on another machine: rest:, sftp:, s3:, ssh://, host:path. */
void sbx_check_backup(struct sbx_judge *j, struct sbx_use *use)
{
    static const char *const sends[] = {"backup",      "create", "copy", "full",
                                        "incremental", "incr",   "save", "snapshot"};
    static const char *const looks[] = {"collection-status", "restore", "verify",
                                        "list-current-files"};
    static const char *const drops[] = {"forget", "prune", "delete", "purge", "remove-older-than"};
    for (uint32_t i = 0; i < use->operands && !sbx_use_has(use, "-n --dry-run --list"); i++)
        if (SBX_OPERAND_IN(use, i, drops))
            sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY, "backups dropped",
                     "this loses backups; ask first");
    const struct sbx_opt *to = sbx_use_letter(use, 'r');
    bool remote = to && to->value && strchr(to->value->text, ':'),
         sending = !strcmp(use->name, "duplicity") && !SBX_OPERAND_IN(use, 0, looks);
    for (uint32_t i = 0; i < use->operands; i++) {
        remote |= (strstr(use->operand[i]->text, "://") &&
                   strncmp(use->operand[i]->text, "file://", 7) != 0) ||
                  (strchr(use->operand[i]->text, '@') && strchr(use->operand[i]->text, ':'));
        for (size_t k = 0; k < sizeof(sends) / sizeof(*sends); k++)
            sending |= sbx_value_is(use->operand[i], sends[k]);
    }
    if (remote && sending)
        sbx_find_sent(j, SBX_TAINT_FILE);
}

void sbx_check_ping(struct sbx_judge *j, struct sbx_use *use)
{
    if (!sbx_operand_is_local(use))
        for (uint32_t i = use->first; i < use->words; i++)
            if (sbx_value_is(use->word[i], "--flood") ||
                (!strncmp(use->name, "ping", 4) && sbx_value_is(use->word[i], "-f")))
                sbx_find(j, SBX_ASK, SBX_CLASS_NONE, "probes or load on other machines",
                         "test against this machine alone");
    sbx_check_lookup(j, use);
    for (uint32_t i = 0; i < use->options; i++)
        if (use->option[i].role == 'f' && use->option[i].value)
            sbx_find_sent(j, SBX_TAINT_FILE |
                                 sbx_check_path(j, use->option[i].value, SBX_ACCESS_READ));
}

/* --- serving ------------------------------------------------------------------------------------------------------------------ */
static const char *const serve_tunnels[] = {
    "ttyd",       "gotty",       "wetty",      "shellinabox", "shellinaboxd", "tmate",   "sshx",
    "upterm",     "teleconsole", "webtty",     "gs-netcat",   "reverse-ssh",  "sshd",    "dropbear",
    "in.telnetd", "telnetd",     "rshd",       "vncserver",   "x11vnc",       "Xvnc",    "xrdp",
    "rustdesk",   "anydesk",     "teamviewer", "code-server", "dnscat",       "dnscat2", "iodine"};
static const char *const serve_miners[] = {"xmrig", "minerd", "cpuminer", "ethminer", "cgminer"};
static const char *const serve_reaches[] = {
    "ngrok",      "cloudflared",  "localtunnel",   "lt",       "bore",      "frpc",
    "frps",       "serveo",       "chisel",        "ligolo",   "ligolo-ng", "tailscale",
    "tailscaled", "zerotier-cli", "pagekite",      "inlets",   "rathole",   "gost",
    "zrok",       "pinggy",       "localhost.run", "playit",   "sshuttle",  "ptunnel",
    "icmptunnel", "tor",          "i2pd",          "vsftpd",   "proftpd",   "smbd",
    "tinyproxy",  "squid",        "microsocks",    "3proxy",   "privoxy",   "woof",
    "qrcp",       "dufs",         "gossa",         "miniserve"};

void sbx_check_serve(struct sbx_judge *j, struct sbx_use *use)
{
    const char *name = use->name;
    if (sbx_use_is_question(use) || (use->operands == 1 && sbx_operand_is(use, 0, "status")))
        return;
    for (size_t i = 0; i < sizeof(serve_tunnels) / sizeof(*serve_tunnels); i++)
        if (!strcmp(name, serve_tunnels[i])) {
            sbx_find(j, SBX_DENY, SBX_CLASS_EXFIL, "a way in for others",
                     "nobody logs in this way");
            return;
        }
    for (size_t i = 0; i < sizeof(serve_miners) / sizeof(*serve_miners); i++)
        if (!strcmp(name, serve_miners[i]))
            sbx_find(j, SBX_ASK, SBX_CLASS_NONE, "a miner", "the machine's time is not for this");
    for (size_t i = 0; i < sizeof(serve_reaches) / sizeof(*serve_reaches); i++)
        if (!strcmp(name, serve_reaches[i]))
            sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "a tunnel or share for others",
                     "tunnels need approval");
    if (!strcmp(name, "caddy") && !sbx_operand_is(use, 0, "file-server"))
        return;
    for (uint32_t i = use->first; i + 1 < use->words; i++)
        if (sbx_value_is(use->word[i], "-d") || sbx_value_is(use->word[i], "--directory"))
            (void)sbx_check_path(j, use->word[i + 1], SBX_ACCESS_READ_TREE);
    bool wide = (!strncmp(name, "python", 6) && !sbx_use_has(use, "-b --bind")) ||
                (!strcmp(name, "caddy") && sbx_operand_is(use, 0, "file-server")) ||
                (!strcmp(name, "twistd") && sbx_operand_is(use, 0, "web"));
    for (uint32_t i = use->first; i < use->words; i++) {
        const struct sbx_value *word = use->word[i];
        const char *text = word->text;
        if (!strcmp(text, "127.0.0.1") || !strcmp(text, "localhost") ||
            !strncmp(text, "--bind=127.", 11) || !strcmp(text, "::1") ||
            !strcmp(text, "--bind=localhost"))
            wide = false;
        const char *port_only = text[0] == '-' && strchr(text, '=') ? strchr(text, '=') + 1 : text;
        if (port_only[0] == ':' && isdigit((unsigned char)port_only[1]))
            wide = true; /* --addr :8080 */
        if (strstr(text, "0.0.0.0") || !strcmp(text, "::") || !strcmp(text, "[::]") ||
            !strcmp(text, "--host"))
            wide = wide || (strcmp(text, "--host") != 0) ||
                   (i + 1 == use->words || use->word[i + 1]->text[0] == '-');
        if (!strcmp(text, "-g") && !strcmp(name, "nginx"))
            sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "a web server with configuration of its own",
                     "serve on the loopback with a plain tool");
    }
    if (!strcmp(name, "nginx") || !strcmp(name, "apache2") || !strcmp(name, "lighttpd"))
        return;
    const struct sbx_opt *port = sbx_use_option(use, "-p");
    if (!strcmp(name, "httpd"))
        wide |= port && port->value && !strchr(port->value->text, ':') && !sbx_use_is_question(use);
    if (wide)
        sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "files served to every network",
                 "bind the server to 127.0.0.1");
}

void sbx_check_openssl(struct sbx_judge *j, struct sbx_use *use)
{
    const char *sub = use->operands ? use->operand[0]->text : "";
    bool client = !strcmp(sub, "s_client") || !strcmp(use->name, "gnutls-cli");
    const struct sbx_opt *in = sbx_use_letter(use, 'i');
    uint32_t taint = use->in && use->in->is_set ? use->in->taint : 0;
    for (uint32_t i = 1; i < use->operands; i++)
        taint |= sbx_check_path(j, use->operand[i], SBX_ACCESS_READ);
    if (client && use->in && use->in->is_set && !(use->in->text && !(taint & SBX_TAINT_FILE)) &&
        taint)
        sbx_find_sent(j, taint);
    if (!strcmp(sub, "s_server") && sbx_use_has(use, "-WWW -www -HTTP"))
        sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "files served to every network",
                 "bind the server to 127.0.0.1");
    /* Certificates and requests are public; everything else may be a key. */
    static const char *const open_text[] = {"x509", "req",  "verify",   "crl",
                                            "ts",   "ocsp", "asn1parse"};
    bool is_public = false;
    for (size_t i = 0; i < sizeof(open_text) / sizeof(*open_text); i++)
        is_public |= !strcmp(sub, open_text[i]);
    if (in && in->value)
        taint |= sbx_check_path(j, in->value, is_public ? SBX_ACCESS_LIST : SBX_ACCESS_READ);
    const struct sbx_opt *to = sbx_use_option(use, "-out");
    if (to && to->value)
        (void)sbx_check_path(j, to->value, SBX_ACCESS_WRITE);
    if (!strcmp(sub, "rand") && use->operands > 1 &&
        sbx_is_huge_size(use->operand[use->operands - 1]))
        sbx_find_endless_file(j);
    if (!strcmp(sub, "engine"))
        for (uint32_t i = 1; i < use->operands; i++)
            if (strchr(use->operand[i]->text, '/'))
                sbx_find(j, SBX_DENY, SBX_CLASS_PERSISTENCE, "a library to load into a program",
                         "run the program without libraries of your own");
    use->out->is_set = true;
    use->out->taint =
        client ? (uint32_t)SBX_TAINT_NET : taint | (in ? (uint32_t)SBX_TAINT_FILE : 0);
    /* openssl base64 -d and enc -d on known text stay unknown: whatever comes out is not guessed. */
    if (use->in && use->in->text &&
        (!strcmp(sub, "base64") || (!strcmp(sub, "enc") && sbx_use_has(use, "-base64 -a -A"))) &&
        sbx_use_has(use, "-d")) {
        struct sbx_use decode = *use;
        struct sbx_opt option = {.name = "-d", .name_len = 2, .letter = 'd'};
        decode.name = "base64";
        decode.operands = 0;
        decode.option = &option;
        decode.options = 1;
        sbx_check_transform(j, &decode);
    }
}
