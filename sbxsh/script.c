#include <sys/wait.h>

#include "sbxsh/session.h"

#define EXITED(status) ((status) << 8)

static enum sbxsh_line next_line(struct sbxsh_session *session, bool is_first)
{
    (void)is_first;
    return sbxsh_reader_next(&session->reader, &session->bash);
}

int sbxsh_script(struct sbxsh *shell)
{
    struct sbxsh_session session;
    struct sbx_err err = SBX_ERR_INIT;
    if (sbxsh_session_open(&session, shell, &err)) {
        sbxsh_say("cannot start bash; try again, or ask an operator to look at the limits");
        return EXITED(SBXSH_EXIT_START);
    }
    bool goes_on = true;
    while (goes_on && !session.bash.is_gone) {
        enum sbxsh_unit_state state = sbxsh_session_gather(&session, next_line);
        goes_on = sbxsh_session_run(&session, state) && session.last_line == SBXSH_LINE;
    }
    return sbxsh_session_close(&session);
}
