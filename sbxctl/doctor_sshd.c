/* What sshd is told to do for confined accounts, asked of sshd itself (`sshd -T`). */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "policy/cleanup.h"
#include "sbxctl/doctor.h"

#define OUTPUT_BYTES ((size_t)256 * 1024)
#define SSHD_SECONDS 10

/* Good values, separated by '|', the first one to be set. A keyword that this sshd does not know is not
 * told of. */
static const struct {
    const char *keyword, *good, *name, *why;
    bool is_global; /* counts outside of Match blocks alone */
} wanted[] = {
    {"usepam",                     "yes",      "UsePAM",
     "sshd asks no PAM module: no session enters its jail, internal-sftp is free",                                                  true },
    {"permituserenvironment",      "no",       "PermitUserEnvironment",
     "~/.ssh/environment would set variables for the login shell",                                                                  true },
    {"permituserrc",               "no",       "PermitUserRC",
     "~/.ssh/rc runs before every command, and the account may write it",                                                           false},
    {"allowagentforwarding",       "no",       "AllowAgentForwarding",
     "a forwarded agent lends the user's keys to the account",                                                                      false},
    {"x11forwarding",              "no",       "X11Forwarding",              "programs in the jail could reach the user's display",
     false                                                                                                                               },
    {"allowtcpforwarding",         "local|no", "AllowTcpForwarding",
     "-R brings services of the user's network into the jail, past its filter",                                                     false},
    {"allowstreamlocalforwarding", "no|local", "AllowStreamLocalForwarding",
     "-R brings sockets of the user's machine into the jail",                                                                       false},
    {"permittunnel",               "no",       "PermitTunnel",               "a tunnel device is a network past the filter",        false},
    {"gatewayports",               "no",       "GatewayPorts",               "forwarded ports would be open to the network",        false},
    {"chrootdirectory",            "none",     "ChrootDirectory",
     "the chroot happens before the jail is entered, whose view replaces it",                                                       false},
};

static const char *sshd_path(void)
{
    static const char *const paths[] = {"/usr/sbin/sshd", "/usr/local/sbin/sshd", "/sbin/sshd"};
    for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++)
        if (!access(paths[i], X_OK))
            return paths[i];
    return NULL;
}

static _Noreturn void become_sshd(const char *path, const char *account, int out)
{
    char spec[256], name[] = "sshd", test[] = "-T", where[] = "-C";
    char *words[] = {name, test, where, spec, NULL}, *environment[] = {NULL};
    (void)snprintf(spec, sizeof(spec), "user=%s,host=localhost,addr=127.0.0.1", account);
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0 || dup2(null, 0) < 0 || dup2(null, 2) < 0 || dup2(out, 1) < 0)
        _exit(126);
    (void)alarm(SSHD_SECONDS); /* survives the exec: it cannot hang doctor */
    (void)execve(path, words, environment);
    _exit(126);
}

/* Runs `sshd -T` for an account. False where it fails. */
static bool ask_sshd(const char *path, const char *account, char *out)
{
    int ends[2], status;
    if (pipe2(ends, O_CLOEXEC))
        return false;
    pid_t pid = fork();
    if (pid == 0)
        become_sshd(path, account, ends[1]);
    (void)close(ends[1]);
    _cleanup_fd_ int in = ends[0];
    size_t used = 0;
    for (ssize_t got; used < OUTPUT_BYTES - 1; used += (size_t)got)
        if ((got = read(in, out + used, OUTPUT_BYTES - 1 - used)) <= 0)
            break;
    out[used] = '\0';
    if (pid < 0)
        return false;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) && !WEXITSTATUS(status);
}

/* The value of a keyword in the output, copied; false where it is not there. */
static bool find_value(const char *output, const char *keyword, char *value, size_t size)
{
    size_t len = strlen(keyword);
    for (const char *line = output; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncasecmp(line, keyword, len) != 0 || line[len] != ' ')
            continue;
        (void)snprintf(value, size, "%.*s", (int)strcspn(line + len + 1, "\n"), line + len + 1);
        return true;
    }
    return false;
}

static bool is_good(const char *good, const char *value)
{
    size_t len = strlen(value);
    for (; *good; good += strcspn(good, "|"), good += *good == '|')
        if (strcspn(good, "|") == len && !strncasecmp(good, value, len))
            return true;
    return false;
}

struct visit {
    struct sbx_doctor *doctor;
    const char *sshd;
    char *output;
    unsigned asked;
};

/* Of several values sshd takes the first. What stands in a Match block is for the account alone. */
static const char *remedy_of(struct sbx_doctor *doctor, size_t i, const char *account)
{
    const char *name = wanted[i].name, *good = wanted[i].good;
    int len = (int)strcspn(good, "|");
    if (wanted[i].is_global)
        return sbx_doctor_remedy(
            doctor, "sed -i '1i %s %.*s' /etc/ssh/sshd_config, then reload sshd", name, len, good);
    return sbx_doctor_remedy(doctor,
                             "printf 'Match User %s\\n    %s %.*s\\n' "
                             ">>/etc/ssh/sshd_config.d/sbx.conf, then reload sshd",
                             account, name, len, good);
}

/* `shown` is what its lines call the account. */
static void check_account(struct visit *visit, const char *account, const char *shown)
{
    char value[256];
    if (!ask_sshd(visit->sshd, account, visit->output)) {
        sbx_doctor_say(
            visit->doctor, SBX_LEVEL_WARNING, "sshd", "its settings cannot be told",
            sbx_doctor_remedy(visit->doctor, "%s -T, and mend what it complains of", visit->sshd),
            "%s -T fails for %s", visit->sshd, shown);
        return;
    }
    unsigned bad = 0;
    for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
        if (!find_value(visit->output, wanted[i].keyword, value, sizeof(value)) ||
            is_good(wanted[i].good, value))
            continue;
        bad++;
        sbx_doctor_say(visit->doctor, SBX_LEVEL_WARNING, "sshd", wanted[i].why,
                       remedy_of(visit->doctor, i, shown == account ? account : "ACCOUNT"),
                       "%s is %s for %s", wanted[i].keyword, value, shown);
    }
    if (!bad)
        sbx_doctor_say(visit->doctor, SBX_LEVEL_OK, "sshd", NULL, NULL, "settings for %s", shown);
}

static int visit_account(void *data, const struct sbx_confined_account *account)
{
    struct visit *visit = data;
    if (!account->exists || strpbrk(account->name, ",= \t") ||
        !sbx_doctor_wants(visit->doctor, account))
        return 0;
    check_account(visit, account->name, account->name);
    return ++visit->asked >= 50; /* each asks sshd anew: the first fifty tell */
}

void sbx_doctor_sshd(struct sbx_doctor *doctor)
{
    struct visit visit = {.doctor = doctor, .sshd = sshd_path()};
    if (!visit.sshd)
        return; /* nobody logs in by ssh here */
    if (geteuid() != 0)
        return; /* it reads its keys; doctor has said that it is incomplete */
    _cleanup_free_ char *output = malloc(OUTPUT_BYTES);
    if (!output)
        return;
    visit.output = output;
    if (doctor->confined)
        (void)sbx_confined_each(doctor->confined, visit_account, &visit);
    if (!visit.asked)
        check_account(&visit, "nobody", "accounts without a Match block");
}
