/* Reading commands from a terminal, by the line editor or, without one, as the terminal itself edits
 * lines: backspace, ^U, ^W.
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
#define PROMPT_BYTES   8192
#define WORDS_BYTES    16384

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
static void make_prompt(const struct sbxsh_session *session, const char *cwd, char *text,
                        size_t size)
{
    const struct sbx_policy *policy = session->shell->policy;
    const char *home = sbx_policy_text(policy, policy->home);
    struct utsname name;
    size_t home_len = strlen(home);
    bool in_home =
        home_len > 1 && !strncmp(cwd, home, home_len) && (!cwd[home_len] || cwd[home_len] == '/');
    if (uname(&name))
        name.nodename[0] = '\0';
    (void)snprintf(text, size, "%s@%s:%s%s$ ", sbx_policy_text(policy, policy->account),
                   name.nodename, in_home ? "~" : "", in_home ? cwd + home_len : cwd);
    /* Directory names are hostile: no escape sequence of theirs reaches the terminal. */
    for (char *at = text; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            *at = '?';
}

/* What bash says of itself, for the judge and for the editor. */
static void take_state(struct sbxsh_session *session, struct sbxsh_state *state)
{
    struct sbxsh *shell = session->shell;
    bool is_told = !sbxsh_bash_state(&session->bash, state);
    shell->functions = is_told ? state->functions : NULL;
    shell->aliases = NULL;
    shell->alias_mode = SBX_ALIASES_UNKNOWN;
    if (is_told)
        shell->alias_mode = sbxsh_state_aliases(state, &shell->aliases);
    if (session->bash.lost_aliases)
        sbxsh_say("aliases are off now: they are too many or too odd to be known");
}

static enum sbxsh_line next_line(struct sbxsh_session *session, bool is_first)
{
    char cwd[SBXSH_PATH_BYTES], own[SBXSH_PATH_BYTES + 512], words[WORDS_BYTES] = "";
    const char *path = sbxsh_edit_variable(session->shell->environment, "PATH");
    enum sbxsh_line what = SBXSH_LINE_OVER;
    struct sbxsh_state state = {
        .prompt = "", .path = path ? path : "", .functions = "", .aliases = ""};
    if (is_first)
        take_state(session, &state);
    if (session->bash.is_gone)
        return SBXSH_LINE_OVER;
    take_terminal();
    sbxsh_bash_cwd(&session->bash, cwd, sizeof(cwd));
    make_prompt(session, cwd, own, sizeof(own));
    sbxsh_state_names(&state, words, sizeof(words));
    const char *prompt = !is_first ? "> " : *state.prompt ? state.prompt : own;
    const struct sbx_line_ask ask = {.prompt = strlen(prompt) < PROMPT_BYTES ? prompt : own,
                                     .cwd = cwd,
                                     .path = strlen(state.path) < PROMPT_BYTES ? state.path : "",
                                     .words = words,
                                     .is_first = is_first};
    if (session->edit.fd >= 0) {
        if (sbxsh_edit_next(&session->edit, &ask, &session->bash, &session->reader, &what))
            return what;
        put("\n", 1);
        sbxsh_say("the line editor has ended; the terminal itself edits lines from now on");
    }
    put(ask.prompt, strlen(ask.prompt));
    what = sbxsh_reader_next(&session->reader, &session->bash);
    if (what == SBXSH_LINE_INTERRUPT)
        put("\n", 1);
    bool may_be_cut = session->reader.len > LINE_MAX_BYTES;
    return may_be_cut && what <= SBXSH_LINE_LAST ? SBXSH_LINE_TOO_LONG : what;
}

/* One command. Returns false at the end of the session. */
static bool step(struct sbxsh_session *session)
{
    struct sbxsh_bash *bash = &session->bash;
    enum sbxsh_unit_state state = sbxsh_session_gather(session, next_line);
    if (session->last_line == SBXSH_LINE_INTERRUPT) {
        bash->was_interrupted = false;
        sbxsh_bash_fail(bash, 128 + SIGINT);
        return true;
    }
    if (session->last_line == SBXSH_LINE_OVER)
        return false;
    if (session->last_line == SBXSH_LINE_LAST && state == SBXSH_UNIT_BLANK) {
        static const char leave[] = "\\exit"; /* bash asks twice where jobs are stopped */
        sbxsh_bash_run(bash, leave, sizeof(leave) - 1);
        return true;
    }
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
    sbxsh_edit_start(&session.edit, shell, &session.bash);
    while (!session.bash.is_gone && !session.bash.ended_by && step(&session))
        ;
    sbxsh_edit_stop(&session.edit);
    int status = sbxsh_session_close(&session);
    return session.bash.ended_by ? session.bash.ended_by : status;
}
