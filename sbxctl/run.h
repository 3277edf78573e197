/* `sbxctl run`: a program in a jail of its own. */
#ifndef SBX_SBXCTL_RUN_H
#define SBX_SBXCTL_RUN_H

#include <grp.h>
#include <sys/types.h>

#include "jail/join.h"
#include "policy/policy.h"
#include "sbxctl/operate.h"

#define SBX_EXIT_NO_JAIL   254
#define SBX_RUN_GROUPS_MAX 1024

struct sbx_run_words { /* the command line, checked */
    const char *account, *policy, *workspace, *root;
    struct sbx_texts settings;
    char **command; /* NULL-terminated, at least one word */
};

/* Reads the words after "run". Returns 0, or SBX_EXIT_USAGE after having said what is wrong. */
int sbx_run_read(int argc, char **argv, struct sbx_run_words *out);

/* The account, from the host's passwd and group, looked up before the jail is entered. */
struct sbx_run_account {
    uid_t uid;
    gid_t gid, groups[SBX_RUN_GROUPS_MAX];
    int group_count;
    char name[64], home[512], shell[512];
};
/* SBX_E_GONE where there is no such account. */
int sbx_run_lookup(const char *name, struct sbx_run_account *out,
                   struct sbx_err *err) SBX_MUST_CHECK;

/* What the program is started with. environment is NULL-terminated, owned by the caller
 * (sbx_run_environment_free). `policy` may be NULL. `from` is the environment of sbxctl. */
char **sbx_run_environment(const struct sbx_run_account *account, const struct sbx_policy *policy,
                           char *const *from, bool has_terminal);
void sbx_run_environment_free(char **environment);

struct sbx_run_start {
    const struct sbx_join *join;
    const struct sbx_run_account *account;
    const char *directory; /* where it starts; the home where that is not there */
    bool needs_directory;  /* no home instead: it was asked for by name */
    char *const *command;
    char **environment;
};

struct sbx_run_started {
    pid_t pid;       /* a child of the caller */
    int terminal_fd; /* which of 0, 1, 2 is the outside terminal; -1: none */
    int master_fd;   /* the jail's terminal; -1: none */
    int status_fd;   /* one struct sbx_run_failure, or nothing once the program is executed */
};

struct sbx_run_failure { /* fixed size: one write to a pipe */
    int exit_status;     /* 254: no jail; 126, 127: the program cannot be executed */
    char message[256];
};

/* Starts the program inside. Runs as root; the caller stays outside. */
int sbx_run_start(const struct sbx_run_start *start, struct sbx_run_started *out,
                  struct sbx_err *err) SBX_MUST_CHECK;

#endif
