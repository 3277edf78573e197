/* What the live bash says of itself at each prompt: hints, for the prompt, for completion and for the
 * judge. It is the account's own bash: what it says may be false, and may be missing. */
#ifndef SBX_SBXSH_STATE_H
#define SBX_SBXSH_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "policy/judge.h"

struct sbxsh_state {
    const char *prompt;    /* PS1 as bash expands it, "" where none is set */
    const char *path;      /* PATH */
    const char *options;   /* BASHOPTS and SHELLOPTS */
    const char *functions; /* all of them, as bash prints them */
    const char *aliases;   /* all of them, as `alias -p` prints them */
    const char *done;      /* "0": it printed them */
};

/* A command for bash that makes it write a record to its standard input, a socket, before each
 * prompt. PS1 is set aside meanwhile, since bash would print it; the frame of
 * the next text puts it back. In PROMPT_COMMAND, where bash keeps $? as it was; last in the
 * list, so that one of the account's own is not in the way. Only an alias named `{` or `[[` could take
 * the place of one of its words: then nothing is told, and aliases are switched off (bash.c). */
#define SBXSH_STATE_HOOK                                                                           \
    "{ \\builtin printf \"\\0\\1sbx\\0%s\\0%s\\0%s\\0%s:%s\\0\" \"${PS1:+${PS1@P}}\" "             \
    "\"${__sbx_ps1:+${__sbx_ps1@P}}\" \"${PATH-}\" \"${BASHOPTS-}\" \"${SHELLOPTS-}\"; "           \
    "\\builtin declare -f; \\builtin printf \"\\0\"; \\builtin alias -p; "                         \
    "\\builtin printf \"\\0%s\\0\" $?; "                                                           \
    "[[ -z ${PS1-} || ${PS1@a} == *r* ]] || { __sbx_ps1=$PS1; PS1=; }; } >&0 2>/dev/null"
#define SBXSH_STATE_INSTALL "PROMPT_COMMAND[999]='" SBXSH_STATE_HOOK "'"
#define SBXSH_STATE_QUOTED  "'PROMPT_COMMAND[999]='\\''" SBXSH_STATE_HOOK "'\\'''" /* for eval */

/* Finds the last whole record among bytes that bash, or what runs in it, wrote. *out points into
 * them. -1: there is none. */
int sbxsh_state_find(const char *bytes, size_t len, struct sbxsh_state *out);

/* Whether what stands behind a # is a comment to it, as it is to the judge. */
bool sbxsh_state_has_comments(const struct sbxsh_state *state);

/* What that says of aliases. *text is in the record: the table, where it is known. */
enum sbx_alias_mode sbxsh_state_aliases(const struct sbxsh_state *state, const char **text);

/* The names of functions and aliases, one a line, as many as there is room for. */
void sbxsh_state_names(const struct sbxsh_state *state, char *out, size_t size);

#endif
