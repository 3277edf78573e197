/* sbxctl: one file a verb. A verb gets its own words: argv[0] is the verb's name. */
#ifndef SBX_SBXCTL_SBXCTL_H
#define SBX_SBXCTL_SBXCTL_H

#include "policy/err.h"

enum {
    SBX_EXIT_OK = 0,
    SBX_EXIT_FOUND = 1,
    SBX_EXIT_USAGE = 2,
    SBX_EXIT_ASK = 10,
    SBX_EXIT_DENY = 11
};

struct sbx_verb {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *usage; /* after "sbxctl " */
    const char *help;  /* one line */
};

int sbx_verb_check(int argc, char **argv);
int sbx_verb_explain(int argc, char **argv);
int sbx_verb_parse(int argc, char **argv);
int sbx_verb_policy(int argc, char **argv);
int sbx_verb_doctor(int argc, char **argv);
int sbx_verb_status(int argc, char **argv);
int sbx_verb_jails(int argc, char **argv);
int sbx_verb_kill(int argc, char **argv);
int sbx_verb_events(int argc, char **argv);
int sbx_verb_run(int argc, char **argv);
int sbx_verb_enroll(int argc, char **argv);
int sbx_verb_unenroll(int argc, char **argv);

/* Prints "sbxctl: MESSAGE" on stderr and returns SBX_EXIT_USAGE. */
int sbx_complain(const struct sbx_err *err);

/* "sbxctl: FORMAT" on stderr; returns SBX_EXIT_USAGE. */
int sbx_usage(const char *fmt, ...) SBX_PRINTF(1, 2);

#endif
