/* What the operator's verbs share: options, state directories, text for a terminal. */
#ifndef SBX_SBXCTL_OPERATE_H
#define SBX_SBXCTL_OPERATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "policy/err.h"
#include "warden/client.h"

/* One option of a verb. FLAG: target is a bool; TEXT: a const char *; LIST: a struct sbx_texts. */
enum sbx_option_kind { SBX_OPT_FLAG = 0, SBX_OPT_TEXT, SBX_OPT_LIST };
struct sbx_option {
    const char *name; /* with the dashes */
    enum sbx_option_kind kind;
    void *target;
};

#define SBX_TEXTS_MAX 256
struct sbx_texts { /* NULL-terminated */
    const char *text[SBX_TEXTS_MAX + 1];
    size_t count;
};

/* Reads the options in front of the operands: `--name value`, `--name=value`, a flag alone, `--`.
 * `options` ends with an entry without a name. *first is the index of the first operand; operands
 * may stand between options only where `mixed`, and are then moved behind them. Returns 0, or
 * SBX_EXIT_USAGE after having said what is wrong. */
int sbx_options_read(int argc, char **argv, const struct sbx_option *options, bool mixed,
                     int *first);

/* Is that what an account can be called? Complains itself. It need not exist. */
bool sbx_is_account_word(const char *name);

/* Says so where --root is given and no directory: a misspelt one must not be taken for one without
 * policy. */
int sbx_operate_check_root(const char *root);

/* Where things are under --root (NULL: the machine's own). Complains itself. */
int sbx_operate_paths(const char *root, struct sbx_paths *paths);

/* "DIR" + a directory below /run, /var or /etc, opened. -1 with errno. */
int sbx_operate_open_dir(const struct sbx_paths *paths, const char *dir);

/* Prints text that somebody else chose: whatever a terminal could obey or that could mislead a
 * reader (controls, bidirectional marks, what is no UTF-8) is shown as \xHH or \u{H}. */
void sbx_print_text(FILE *out, const char *text, size_t len);

/* Calls visit for every live jail, in order of name: its id, or ID~PID for one that left its id to a
 * successor and is in its grace. Returns the number, -1 with *err. */
int sbx_jails_each(const struct sbx_paths *paths,
                   int (*visit)(void *data, const char *name, const struct sbx_state *state),
                   void *data, struct sbx_err *err);

/* Ends a jail, and those that left their id to it and are in their grace: who ends a jail means all
 * that runs in its name. One of the latter alone goes by ID~PID. SBX_E_GONE where there is none. */
int sbx_jails_kill(const struct sbx_paths *paths, const char *jail,
                   struct sbx_err *err) SBX_MUST_CHECK;

#endif
