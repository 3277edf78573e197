/* Judging a command: text in, verdict out; nothing is run and nothing is written.
 *
 * This is early warning and defence in depth. The jail is the boundary. */
#ifndef SBX_POLICY_JUDGE_H
#define SBX_POLICY_JUDGE_H

#include "policy/policy.h"

enum sbx_verdict_kind { SBX_ALLOW = 0, SBX_ASK, SBX_DENY };

/* Classes are the keys of [classifier], in the order of the key table. */
enum sbx_class {
    SBX_CLASS_NONE = 0,
    SBX_CLASS_FS_DESTROY,
    SBX_CLASS_DEVICE_WRITE,
    SBX_CLASS_FORK_BOMB,
    SBX_CLASS_PERM_CHANGE,
    SBX_CLASS_CRED_READ,
    SBX_CLASS_EXFIL,
    SBX_CLASS_REMOTE_CODE,
    SBX_CLASS_PRIV_ESC,
    SBX_CLASS_PERSISTENCE,
    SBX_CLASS_SHELL_EVASION,
    SBX_CLASS_NESTED_SHELL,
    SBX_CLASS_GIT_DESTROY,
    SBX_CLASS_INFRA_DESTROY,
    SBX_CLASS_HOST_CONTROL,
    SBX_CLASS_LOG_TAMPER,
    SBX_CLASS_DISCLOSURE,
    SBX_CLASS_PLANTED_REPO,
    SBX_CLASS_PATH,
    SBX_CLASS_UNPARSED,
    SBX_CLASS_COUNT,
};

enum sbx_by {
    SBX_BY_MODE = 0,
    SBX_BY_RULE,
    SBX_BY_READONLY,
    SBX_BY_CLASSIFIER,
    SBX_BY_EXTERNAL,
    SBX_BY_GRANT,
};

#define SBX_JUDGE_MAX_BYTES ((size_t)1024 * 1024)

struct sbx_verdict {
    enum sbx_verdict_kind verdict;
    enum sbx_class class;
    enum sbx_by by;
    bool is_syntax_error; /* bash itself would refuse the text: let it say so, status 2 */
    bool is_incomplete;   /* the text ends inside a construct: more lines may complete it */
    uint32_t begin, end;  /* byte range of the part that decided; equal: the whole */
    char rule[128];       /* rule or finding, for the log: may name managed patterns */
    char origin[256];     /* file:line, or "built-in" */
    char reason[256];     /* one sentence for the agent: what to do instead; no managed patterns */
    char path[256];       /* the path operand that decided, "" if none */
};

/* How the judge looks at the file system: the real one in the shell, none in tests and sbxctl.
 * resolve: like realpath(3) for the existing leading part of an absolute path, follows links, keeps
 * the rest; returns 0, or -1 where it cannot tell (then the lexical path counts). May be NULL.
 * is_absent: true where nothing is there for certain. May be NULL: then everything may be. */
struct sbx_fs {
    int (*resolve)(void *data, const char *path, char *out, size_t size);
    bool (*is_absent)(void *data, const char *path);
    void *data;
};

/* What the shell that will run the text does with aliases as it reads it. */
enum sbx_alias_mode {
    SBX_ALIASES_OFF = 0,
    SBX_ALIASES_ON,      /* and they are known */
    SBX_ALIASES_UNKNOWN, /* they may be on, and nobody knows which there are: no text is let through */
};

struct sbx_context {
    const struct sbx_policy *policy;
    const char *cwd; /* absolute */
    const struct sbx_fs *fs;
    const char
        *functions; /* definitions that the text may call, or NULL; they are judged where they are
                              called, and may be false: the name alone counts too */
    enum sbx_alias_mode alias_mode;
    const char *aliases; /* ON: as `alias -p` prints them; what cannot be read is UNKNOWN */
    bool
        is_piecewise; /* more texts will be judged for this shell, which does not tell its aliases */
    bool is_outside;  /* the text will run outside any jail: ask rules bite in every mode */
};

/* Judges a whole input. Never fails: what cannot be parsed or held in bounds is a verdict of class
 * unparsed. *out is overwritten. Bounded: bytes, depth, nodes; linear in the input. */
void sbx_judge(const struct sbx_context *context, const char *text, size_t len,
               struct sbx_verdict *out);

/* Judges the use of another tool: Read or Edit of a path, WebFetch of an address. */
void sbx_judge_tool(const struct sbx_context *context, enum sbx_tool tool, const char *operand,
                    struct sbx_verdict *out);

const char *sbx_verdict_name(enum sbx_verdict_kind verdict); /* allow, ask, deny */
const char *sbx_class_name(enum sbx_class class);            /* fs-destroy, …; "-" for none */
const char *sbx_by_name(enum sbx_by by);

#endif
