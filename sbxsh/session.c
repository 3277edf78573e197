#include "sbxsh/session.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TOLD_MAX_BYTES ((size_t)64 * 1024)

int sbxsh_session_open(struct sbxsh_session *session, struct sbxsh *shell, struct sbx_err *err)
{
    *session = (struct sbxsh_session){.shell = shell, .edit = {.fd = -1}};
    shell->is_piecewise = !shell->is_interactive;
    sbxsh_reader_init(&session->reader);
    return sbxsh_bash_start(&session->bash, shell, err);
}

enum sbxsh_unit_state sbxsh_session_gather(struct sbxsh_session *session, sbxsh_next_line *next)
{
    struct sbxsh_unit *unit = &session->unit;
    sbxsh_unit_reset(unit);
    for (;;) {
        enum sbxsh_line got = session->last_line = next(session, unit->lines == 0);
        const struct sbxsh_reader *reader = &session->reader;
        enum sbxsh_unit_state state = SBXSH_UNIT_MORE;
        switch (got) {
        case SBXSH_LINE:
            state = sbxsh_unit_add(unit, reader->line, reader->len, false);
            break;
        case SBXSH_LINE_LAST:
            return reader->len ? sbxsh_unit_add(unit, reader->line, reader->len, true)
                               : sbxsh_unit_end(unit);
        case SBXSH_LINE_TOO_LONG:
            return SBXSH_UNIT_LIMIT;
        case SBXSH_LINE_INTERRUPT:
        case SBXSH_LINE_OVER:
            sbxsh_unit_reset(unit);
            return SBXSH_UNIT_BLANK;
        }
        if (state != SBXSH_UNIT_MORE)
            return state;
    }
}

static void refuse_limit(struct sbxsh_session *session)
{
    struct sbx_verdict verdict = {.verdict = SBX_DENY, .class = SBX_CLASS_UNPARSED};
    static const char reason[] = "the command is too long to be judged; put it into a file and run "
                                 "that";
    memcpy(verdict.reason, reason, sizeof(reason));
    char cwd[SBXSH_PATH_BYTES];
    sbxsh_bash_cwd(&session->bash, cwd, sizeof(cwd));
    sbxsh_refuse(session->shell, session->unit.text ? session->unit.text : "", session->unit.len,
                 cwd, &verdict);
    sbxsh_bash_fail(&session->bash, SBXSH_EXIT_REFUSED);
}

/* Text that the parser calls no syntax: bash says so, and the event says so too. Where bash would
 * have taken it, it is refused like any other. Returns whether bash complained. */
static bool complain(struct sbxsh_session *session, const char *cwd,
                     const struct sbx_verdict *verdict)
{
    const struct sbxsh_unit *unit = &session->unit;
    if (!sbxsh_let_bash_complain(session->shell, unit->text, unit->len)) {
        sbxsh_refuse(session->shell, unit->text, unit->len, cwd, verdict);
        sbxsh_bash_fail(&session->bash, SBXSH_EXIT_REFUSED);
        return false;
    }
    sbxsh_report(session->shell, unit->text, unit->len, cwd, verdict);
    sbxsh_bash_fail(&session->bash, SBXSH_EXIT_SYNTAX);
    return true;
}

/* Nobody asks the bash of a script about its functions: what defined some is remembered. Beyond the
 * bound nothing more is known; the judge then knows the name alone. */
static void remember_functions(struct sbxsh_session *session)
{
    const struct sbxsh_unit *unit = &session->unit;
    if (session->shell->is_interactive || session->told_len + unit->len + 2 > TOLD_MAX_BYTES ||
        !(memmem(unit->text, unit->len, "()", 2) || memmem(unit->text, unit->len, "function", 8)))
        return;
    char *told = realloc(session->told, session->told_len + unit->len + 2);
    if (!told)
        return;
    memcpy(told + session->told_len, unit->text, unit->len);
    session->told_len += unit->len;
    told[session->told_len++] = '\n';
    told[session->told_len] = '\0';
    session->told = told;
    session->shell->functions = told;
}

bool sbxsh_session_run(struct sbxsh_session *session, enum sbxsh_unit_state state)
{
    const struct sbxsh_unit *unit = &session->unit;
    struct sbx_verdict verdict;
    char cwd[SBXSH_PATH_BYTES];
    switch (state) {
    case SBXSH_UNIT_MORE:
    case SBXSH_UNIT_BLANK:
        sbxsh_bash_blank(&session->bash, unit->lines);
        return true;
    case SBXSH_UNIT_LIMIT:
        refuse_limit(session);
        return session->shell->is_interactive; /* where a script goes on is not known any more */
    case SBXSH_UNIT_SYNTAX:
    case SBXSH_UNIT_COMPLETE:
        break;
    }
    sbxsh_bash_cwd(&session->bash, cwd, sizeof(cwd));
    sbxsh_judge(session->shell, unit->text, unit->len, cwd, &verdict);
    if (state == SBXSH_UNIT_SYNTAX || verdict.is_syntax_error) {
        verdict.verdict = SBX_DENY;
        return !complain(session, cwd, &verdict) || session->shell->is_interactive;
    }
    if (verdict.verdict == SBX_ALLOW) {
        sbxsh_bash_run(&session->bash, unit->text, unit->len);
        remember_functions(session);
    } else {
        sbxsh_refuse(session->shell, unit->text, unit->len, cwd, &verdict);
        sbxsh_bash_fail(&session->bash, SBXSH_EXIT_REFUSED);
    }
    return true;
}

int sbxsh_session_close(struct sbxsh_session *session)
{
    int status = sbxsh_bash_finish(&session->bash);
    sbxsh_reader_clear(&session->reader);
    sbxsh_unit_clear(&session->unit);
    session->shell->functions = session->shell->aliases = NULL;
    free(session->told);
    session->told = NULL;
    return status;
}
