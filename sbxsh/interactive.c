/* Reading commands from a terminal. Line editing is the terminal's own: backspace, ^U, ^W.
 *
 * The terminal has one foreground group at a time: ours while a line is typed, bash's while it
 * runs, and bash gives it to each job and takes it back, as any interactive shell does. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <termios.h>
#include <unistd.h>

#include "sbxsh/session.h"

#define EXITED(status) ((status) << 8)
/* A terminal in line mode holds 4095 bytes of a line and drops what comes after without a word: a
 * cut command must not run. */
#define LINE_MAX_BYTES 4094

static void put(const char *text, size_t len)
{
    ssize_t done = write(STDERR_FILENO, text, len);
    (void)done;
}

/* The terminal becomes ours, in line mode. SIGTTOU is held back. */
static void take_terminal(void)
{
    struct termios modes;
    (void)tcsetpgrp(STDIN_FILENO, getpgrp());
    if (tcgetattr(STDIN_FILENO, &modes) ||
        ((modes.c_lflag & (ICANON | ISIG)) == (ICANON | ISIG) && (modes.c_iflag & ICRNL)))
        return;
    modes.c_lflag |= ICANON | ISIG;
    modes.c_iflag |= ICRNL;
    (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &modes);
}

/* account@host:cwd$, the home as ~. */
static void prompt(struct sbxsh_session *session, bool is_first)
{
    take_terminal();
    if (!is_first) {
        put("> ", 2);
        return;
    }
    const struct sbx_policy *policy = session->shell->policy;
    const char *home = sbx_policy_text(policy, policy->home);
    char cwd[SBXSH_PATH_BYTES], text[SBXSH_PATH_BYTES + 512];
    struct utsname name;
    sbxsh_bash_cwd(&session->bash, cwd, sizeof(cwd));
    size_t home_len = strlen(home);
    bool in_home =
        home_len > 1 && !strncmp(cwd, home, home_len) && (!cwd[home_len] || cwd[home_len] == '/');
    if (uname(&name))
        name.nodename[0] = '\0';
    (void)snprintf(text, sizeof(text), "%s@%s:%s%s", sbx_policy_text(policy, policy->account),
                   name.nodename, in_home ? "~" : "", in_home ? cwd + home_len : cwd);
    /* Directory names are hostile: no escape sequence of theirs reaches the terminal. */
    for (char *at = text; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            *at = '?';
    put(text, strlen(text));
    put("$ ", 2);
}

/* One command. Returns false at the end of the session. */
static bool step(struct sbxsh_session *session)
{
    struct sbxsh_bash *bash = &session->bash;
    enum sbxsh_unit_state state = sbxsh_session_gather(session, prompt);
    if (session->last_line == SBXSH_LINE_INTERRUPT) {
        bash->was_interrupted = false;
        put("\n", 1);
        sbxsh_bash_fail(bash, 128 + SIGINT);
        return true;
    }
    if (session->last_line == SBXSH_LINE_OVER)
        return false;
    if (session->last_line == SBXSH_LINE_LAST && state == SBXSH_UNIT_BLANK) {
        static const char leave[] = "exit"; /* bash asks twice where jobs are stopped */
        sbxsh_bash_run(bash, leave, sizeof(leave) - 1);
        return true;
    }
    if (session->reader.len > LINE_MAX_BYTES)
        state = SBXSH_UNIT_LIMIT;
    (void)tcsetpgrp(STDIN_FILENO, bash->pid);
    (void)sbxsh_session_run(session, state);
    bash->was_interrupted = false; /* meant for what ran */
    return true;
}

int sbxsh_interactive(struct sbxsh *shell)
{
    struct sbxsh_session session;
    struct sbx_err err = SBX_ERR_INIT;
    shell->is_interactive = true;
    if (sbxsh_session_open(&session, shell, &err)) {
        sbxsh_say("cannot start bash; try again, or ask an operator to look at the limits");
        return EXITED(SBXSH_EXIT_START);
    }
    while (!session.bash.is_gone && !session.bash.ended_by && step(&session))
        ;
    int status = sbxsh_session_close(&session);
    return session.bash.ended_by ? session.bash.ended_by : status;
}
