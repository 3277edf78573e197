/* sbxsh: the login shell of confined accounts. sbxsh(1). */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "jail/seccomp.h"
#include "jail/sys.h"
#include "sbxsh/arguments.h"
#include "sbxsh/environment.h"
#include "sbxsh/sbxsh.h"
#include "sbxsh/terminal.h"

#define EXITED(status) ((status) << 8)

/* Descriptors 0 to 2 exist, so that nothing we open takes their place; those that were closed are so
 * again for bash. At an entry none above them is left, whatever the login program forgot
 * (CVE-2024-21626 class). */
static int settle_descriptors(bool is_nested)
{
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR | O_CLOEXEC) != fd)
            return -1;
    return is_nested ? 0 : sbx_sys_close_range(STDERR_FILENO + 1, UINT_MAX, 0);
}

/* As the kernel was told it, else as the kernel names the file. */
static const char *own_path(char *path, size_t size)
{
    const char *told = (const char *)getauxval(AT_EXECFN);
    if (told && told[0] == '/' && strlen(told) < size && !strstr(told, "/."))
        return told;
    ssize_t len = readlink("/proc/self/exe", path, size - 1);
    if (len <= 0)
        return NULL;
    path[len] = '\0';
    return path;
}

static int build_environment(struct sbxsh *shell, const struct sbxsh_terminal *terminal,
                             struct sbx_err *err)
{
    char path[SBXSH_PATH_BYTES], brief[64];
    const char *self = own_path(path, sizeof(path));
    (void)snprintf(brief, sizeof(brief), SBX_UNJAILED_DIR "/%u/brief.md", getuid());
    if (!self)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot read the shell's own name");
    const struct sbxsh_entry entry = {
        .policy = shell->policy,
        .shell = self,
        .jail = shell->is_unjailed ? "none" : shell->record.jail,
        .brief = shell->is_unjailed ? brief : SBX_SESSION_DIR "/brief.md",
        .tty = terminal->name[0] ? terminal->name : NULL,
        .is_nested = shell->is_nested,
    };
    sbx_arena_init_on(&shell->arena, SBXSH_ENVIRONMENT_MAX_BYTES, shell->environment_memory,
                      sizeof(shell->environment_memory));
    shell->environment =
        sbxsh_environment_build(&shell->arena, &entry, (const char *const *)environ, err);
    return shell->environment ? 0 : -1;
}

/* The join has sealed the session as a rule; what called us from a process that it did not is sealed
 * here. */
static int seal(const struct sbxsh *shell, struct sbx_err *err)
{
    if (!shell->is_unjailed && !sbx_seccomp_is_sealed() &&
        sbx_sessiondir_seal(&shell->session, err))
        return -1;
    return shell->is_nested ? 0 : sbxsh_mark_entry(err);
}

/* Judges the text of -c. Returns 0 where it may run, else the status to end with. */
static int judge_command(struct sbxsh *shell, const char *command)
{
    char cwd[SBXSH_PATH_BYTES];
    size_t len = strlen(command);
    struct sbx_verdict verdict;
    if (!getcwd(cwd, sizeof(cwd)) || cwd[0] != '/')
        memcpy(cwd, "/", 2);
    sbxsh_judge(shell, command, len, cwd, &verdict);
    if (verdict.is_syntax_error || verdict.is_incomplete) {
        verdict.verdict = SBX_DENY;
        int status = sbxsh_let_bash_complain(shell, command, len);
        if (status) {
            sbxsh_report(shell, command, len, cwd, &verdict);
            return status;
        }
    }
    if (verdict.verdict == SBX_ALLOW)
        return 0;
    sbxsh_refuse(shell, command, len, cwd, &verdict);
    return SBXSH_EXIT_REFUSED;
}

static int run_script(struct sbxsh *shell, const char *command)
{
    (void)command;
    return sbxsh_script(shell);
}

static int run_interactive(struct sbxsh *shell, const char *command)
{
    (void)command;
    return sbxsh_interactive(shell);
}

static int serve(struct sbxsh *shell, const struct sbxsh_arguments *arguments,
                 struct sbxsh_terminal *terminal)
{
    if (arguments->command) {
        int status = judge_command(shell, arguments->command);
        return status ? EXITED(status)
                      : sbxsh_terminal_run(shell, terminal, arguments->command, sbxsh_command);
    }
    /* As bash decides it. */
    bool is_interactive = terminal->is_outside[STDIN_FILENO] && terminal->is_outside[STDERR_FILENO];
    return sbxsh_terminal_run(shell, terminal, NULL, is_interactive ? run_interactive : run_script);
}

int main(int argc, char **argv)
{
    struct sbxsh shell;
    struct sbxsh_arguments arguments;
    struct sbxsh_terminal terminal;
    struct sbx_err err = SBX_ERR_INIT;
    if (sbxsh_arguments_parse(argc, (const char *const *)argv, &arguments, &err)) {
        sbxsh_say("%s", err.message);
        return SBXSH_EXIT_START;
    }
    /* Root's terminal may be among the descriptors: nobody of this uid looks in. The file's mode says
     * so too, but not in a build tree, and not with fs.suid_dumpable = 1. bash is its own again. */
    (void)prctl(PR_SET_DUMPABLE, 0);
    if (settle_descriptors(sbxsh_is_nested()) || sbxsh_start(&shell, &err)) {
        /* Why exactly is for root to see, by doctor: here it would tell an attacker what to fake. */
        sbxsh_say(
            "this account runs commands only inside its jail, and this session is in none; log "
            "in through a service that uses pam_sbx, or ask an operator to run sbxctl doctor");
        return SBXSH_EXIT_START;
    }
    if (shell.is_unjailed && !shell.is_nested)
        sbxsh_say("%s", shell.unjailed.told);
    if (!shell.is_nested)
        sbxsh_enter_workspace(&shell, arguments.command);
    if (sbxsh_terminal_open(&terminal, &shell, &err) || seal(&shell, &err) ||
        build_environment(&shell, &terminal, &err)) {
        sbxsh_say("the session's jail is not complete, so nothing is run in it; ask an operator to "
                  "run sbxctl doctor");
        return SBXSH_EXIT_START;
    }
    sbxsh_end_like(serve(&shell, &arguments, &terminal));
}
