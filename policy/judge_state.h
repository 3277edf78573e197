/* What the files of the judge share while one input is judged. Not for other parts.
 *
 * walk.c follows the tree, expand.c says what words become, simple.c peels commands and applies the
 * command table, validate.c asks about paths, classify_*.c hold what only code can say. */
#ifndef SBX_POLICY_JUDGE_STATE_H
#define SBX_POLICY_JUDGE_STATE_H

#include "policy/command.h"
#include "policy/judge.h"
#include "policy/path.h"
#include "policy/known.h"

#define SBX_JUDGE_ARENA_BYTES ((size_t)96 * 1024 * 1024)
#define SBX_JUDGE_DEPTH       24 /* code in code in code */
/* Commands judged for one input, peeled forms, redirections and looks at long texts included: with
 * what parsing takes, it bounds how long anybody can keep the judge busy. */
#define SBX_JUDGE_STEPS  25000
#define SBX_JUDGE_FIELDS 256   /* values one word may become */
#define SBX_JUDGE_VALUES 65536 /* values all words of an input may become */
#define SBX_PATH_BYTES   4096
#define SBX_FRESH_NAME   "/tmp/tmp.sbxXXXXXXXX" /* what mktemp prints */

/* One thing found. The strictest wins, the first among equals. */
struct sbx_finding {
    enum sbx_verdict_kind verdict;
    enum sbx_class class;
    struct sbx_span span;
    const char *what;                /* for the log */
    const char *reason;              /* for the agent */
    const char *path;                /* or NULL */
    const struct sbx_origin *origin; /* rule of the policy that decided, or NULL */
    const char *rule;                /* its text, or NULL */
    enum sbx_by by;
};

/* Where what a command reads or prints comes from. */
struct sbx_flow {
    const struct sbx_value *text; /* known text, or NULL */
    uint32_t taint;
    bool is_set;           /* a pipe, file or here-document rather than the session's own */
    bool to_net, to_shell; /* OUT: who reads it (set when known before) */
    bool endless;          /* yes: lines without end */
    const char *copy_of;   /* the bytes of that program, or NULL */
};

struct sbx_var {
    struct sbx_var *next, *shadowed;
    const char *name;
    uint32_t name_len, depth, serial; /* serial: the higher, the later it was bound */
    bool is_array, is_unset, is_reference, is_integer;
    bool is_loose;    /* an array: which element is where, and whether it is there, is open */
    bool maybe_unset; /* as well as one of the values */
    bool is_absent;   /* nothing is known of the name again: a local one went out of sight */
    struct sbx_values values; /* array elements, or alternatives of a scalar */
    struct sbx_var_log *log;
};

struct sbx_function {
    struct sbx_function *next;
    const char *name;
    uint32_t name_len, name_hash;
    struct sbx_command *body;
    const char *alias; /* an alias' text instead of a body */
    bool is_told;      /* by the shell, not made in this input */
    const char *text;  /* the input that body points into */
    bool is_running;
    bool is_maybe; /* defined in a branch or a process of its own: the plain name counts as well */
    bool is_gone;  /* unset */
    bool calls_itself;
    unsigned background, piped, piped_calls; /* of the judge, when it began to run */
};

/* Files made in this input: what is in them decides what running them means. */
struct sbx_made {
    struct sbx_made *next;
    const char *path; /* normalised */
    uint32_t path_hash;
    uint32_t taint;
    const struct sbx_value *text;  /* known text, or NULL */
    const struct sbx_script *sink; /* of >(…): reads what is written there */
    const char *copy_of;           /* name of the program that was copied or linked there */
    bool is_running;
    unsigned background, piped; /* of the judge, when it began to run */
};

struct sbx_local;

#define SBX_VAR_BUCKETS 128
#define SBX_VARS_MAX    4096 /* names in one input; of functions and aliases as many */
#define SBX_WALK_DEPTH  320  /* scripts in scripts, over all texts: bounds the stack */

struct sbx_argv;

struct sbx_trace {
    /* Words of a simple command of the text, before anything is peeled off. GUESSED: of code that was
     * put together from unknown text, so that it may run something else. */
    void (*words)(void *data, const struct sbx_argv *argv, bool guessed);
    void (*command)(void *data, const struct sbx_use *use, unsigned depth);
    void (*path)(void *data, const char *path, enum sbx_path_op op,
                 const struct sbx_path_decision *decision, const struct sbx_policy *policy);
    void (*finding)(void *data, const struct sbx_finding *finding);
    void *data;
};

/* What is known of the aliases of the shell whose text is walked. Text that bash reads after a change of
 * them is read again: lines that follow, substitutions, eval. */
struct sbx_alias_state {
    struct sbx_aliases *table; /* NULL: none so far */
    bool on;                   /* expand_aliases */
    bool unknown;              /* something may have been changed that nobody knows */
    bool posix;                /* reads substitutions early */
    bool is_other;             /* not the shell that is given the text, but one that it starts */
    unsigned serial;           /* counts the changes */
};

struct sbx_judge {
    struct sbx_arena arena;
    const struct sbx_context *context;
    const struct sbx_policy *policy;
    const struct sbx_trace *trace; /* explain; NULL otherwise */
    const char *home, *workspace, *account, *project;
    char cwd[SBX_PATH_BYTES]; /* "" : unknown */
    bool cwd_maybe;           /* a cd whose success nobody checked */
    const char *cwd_kept;     /* the last copy that sbx_cwd_save() made, or NULL */

    struct sbx_var *vars[SBX_VAR_BUCKETS];
    struct sbx_var_log *var_log;
    struct sbx_function *functions[SBX_VAR_BUCKETS];
    struct sbx_made *made;
    unsigned made_count;
    unsigned planted; /* HEAD, objects, refs, config made by hand */

    struct sbx_finding worst;
    bool has_finding;
    struct sbx_span span; /* of the command being judged, in the outermost text */
    bool nested_text;     /* inside text of its own: spans stay with the outer command */
    bool in_pattern;      /* a pattern as a name is being tried: those below it are not */
    unsigned depth, steps, cond_depth, loop_depth, background, piped;
    unsigned guessed; /* inside code that is not known as a whole */
    bool answered;    /* an allow rule names the command form being judged */
    bool rule_covers; /* an allow rule matched some form of the command */
    bool redirects_only;
    bool form_ok;     /* an allow rule or the read-only list covers it */
    bool asks_bite;   /* ask rules count: not in auto-allow, where the jail holds the command */
    bool regular_ask; /* mode regular: some command is covered by neither */
    struct sbx_span regular_span;
    const struct sbx_rule *allow_rule; /* the last that covered */
    bool all_by_rule;
    unsigned walk_depth, var_count, function_count;
    uint32_t fields; /* values that words became, all together */
    bool limit_hit, no_memory;
    bool writes_output;                 /* an output redirection is on the command being judged */
    uint32_t exec_taint;                /* of descriptors opened by `exec N<>/dev/tcp/…` */
    struct sbx_flow descriptor[10];     /* what 3<file, 4<<<text and the like opened */
    bool near_shell;                    /* text of zsh or ksh: what bash cannot read, they may */
    bool git_inline;                    /* git -c: the setting acts now */
    unsigned checked;                   /* in a list whose next command looks at the status */
    bool errexit;                       /* set -e */
    bool fresh_unchecked;               /* $(mktemp) may have failed: then its name is empty */
    bool remote_changed;                /* git remote added or changed in this input */
    const struct sbx_flow *input;       /* standard input of the command being judged */
    const struct sbx_value *input_seen; /* the last one that was looked through */
    struct sbx_value nothing;           /* stands in where memory is gone */
    const struct sbx_value *positional[10]; /* $0 to $9 of a function or sh -c; NULL: none */
    struct sbx_values arguments;            /* $@ */
    bool arguments_known, arguments_loose;  /* loose: how many words they are is open */
    bool arguments_maybe;                   /* or others */
    bool arguments_of_call;    /* of a function, where it is written: known where it is called */
    unsigned arguments_serial; /* counts the changes */

    struct sbx_local *locals;               /* of the functions that run */
    unsigned call_depth, var_serial, apart; /* apart: in a process of its own */
    bool broke_loop, left_call; /* a break or return that may have skipped what follows */
    bool no_braces;             /* set +B somewhere */
    struct sbx_alias_state alias;
    const struct sbx_source
        *source; /* of the outermost text, to say where in it something stands */
};

struct sbx_use; /* command.h: one command with its options told apart */

/* --- findings: judge.c ------------------------------------------------------------------------ */
void sbx_find(struct sbx_judge *j, enum sbx_verdict_kind verdict, enum sbx_class class,
              const char *what, const char *reason);
void sbx_find_path(struct sbx_judge *j, struct sbx_finding finding);
/* Work that is not done for nothing: false, and the input is past its bounds, when there was enough. */
bool sbx_step(struct sbx_judge *j, size_t steps);
/* Parses and judges text as shell code (of a variable, an option, a pipe). */
void sbx_judge_code(struct sbx_judge *j, const struct sbx_value *code, const struct sbx_flow *in,
                    struct sbx_flow *out);
/* The same for code that this very shell will read, now or later: with its aliases. */
void sbx_judge_own_code(struct sbx_judge *j, const struct sbx_value *code,
                        const struct sbx_flow *in, struct sbx_flow *out);
/* Past a bound or not to be read: nobody knows what is in there. */
void sbx_find_unread(struct sbx_judge *j, const char *what, const char *reason);
void sbx_judge_input(struct sbx_judge *j, const char *text, size_t len, struct sbx_verdict *out);
/* sbx_judge() that tells what it sees; trace may be NULL. */
void sbx_judge_traced(const struct sbx_context *context, const char *text, size_t len,
                      const struct sbx_trace *trace, struct sbx_verdict *out);

/* --- words and variables: expand.c, param.c, vars.c ------------------------------------------- */
void sbx_expand(struct sbx_judge *j, const struct sbx_word *word, struct sbx_values *out);
/* Without splitting and braces: of an assignment, a case subject, a here-string. Never NULL but
 * without memory. */
struct sbx_value *sbx_expand_one(struct sbx_judge *j, const struct sbx_word *word);
void sbx_expand_parts(struct sbx_judge *j, const struct sbx_part *parts, struct sbx_text *text);
/* A pattern as fnmatch() takes it, quoted bytes behind a backslash; false where it is not known. */
bool sbx_expand_pattern(struct sbx_judge *j, const struct sbx_word *word, struct sbx_text *out);

struct sbx_param_values {
    struct sbx_values values;
    bool is_list, is_star;       /* several words; joined into one where quoted */
    bool unsure;                 /* each of them */
    const struct sbx_word *word; /* of ${x:-word}, ${x+word}: stands there as well, or instead */
    bool word_alone, word_unsure;
};
struct sbx_param_values sbx_param_values(struct sbx_judge *j, const struct sbx_param *param);
/* One value through an operator of ${...}; NULL where the result is not known. */
struct sbx_value *sbx_param_apply(struct sbx_judge *j, const struct sbx_param *param,
                                  const struct sbx_value *value);
struct sbx_value *sbx_value_copy(struct sbx_judge *j, const struct sbx_value *value);
void sbx_values_unknown(struct sbx_judge *j, struct sbx_values *out, enum sbx_mask mask,
                        uint32_t taint);

/* The bytes that words are split at; NULL where that is not known. */
const char *sbx_ifs(const struct sbx_judge *j);
/* Cuts at IFS: each field but the last is handed to `emit`, the last stays in text. */
struct sbx_splitter {
    struct sbx_judge *j;
    void (*emit)(void *data, struct sbx_text *text);
    void *data;
};
void sbx_split(const struct sbx_splitter *splitter, struct sbx_text *text,
               const struct sbx_value *value);
/* Bytes of it that are special to patterns become a pattern. */
void sbx_mark_globs(struct sbx_judge *j, struct sbx_value *value);
/* Hands the parts of each word that braces make to `word`; false where that failed or there are too many. */
struct sbx_braces {
    struct sbx_judge *j;
    bool (*word)(void *data, const struct sbx_part *parts);
    void *data;
};
bool sbx_braces_expand(const struct sbx_braces *braces, const struct sbx_part *parts,
                       unsigned depth);
/* {a,${x+{}b}: bash counts the inner brace when it looks for the end of the outer one. */
bool sbx_braces_hidden(const struct sbx_part *part);

/* {a..c}, {1..10..2}: item number `at` into the buffer; false past the end. */
struct sbx_sequence {
    long from, to, step;
    int width;
    bool is_letters;
};
bool sbx_sequence_of(const struct sbx_part *part, struct sbx_sequence *out);
int sbx_sequence_item(const struct sbx_sequence *sequence, long at, char *out, size_t size);
void sbx_arith_check(struct sbx_judge *j, const struct sbx_part *parts);
/* What an arithmetic text assigns is not known from there on. */
void sbx_arith_assign(struct sbx_judge *j, const char *text, size_t len);

struct sbx_var *sbx_var_find(const struct sbx_judge *j, const char *name, size_t len);
void sbx_var_set(struct sbx_judge *j, const char *name, size_t len, struct sbx_value *value);
void sbx_var_set_list(struct sbx_judge *j, const char *name, size_t len, struct sbx_values values,
                      bool is_array);
void sbx_var_mark(struct sbx_judge *j, const char *name, size_t len, bool reference, bool integer);
void sbx_var_unset(struct sbx_judge *j, const char *name, size_t len);
void sbx_assign(struct sbx_judge *j, const struct sbx_assign *assign);
void sbx_assign_declared(struct sbx_judge *j, const struct sbx_assign *assign);
struct sbx_var_log *sbx_vars_mark(struct sbx_judge *j);
void sbx_vars_rollback(struct sbx_judge *j, struct sbx_var_log *mark);
/* After a branch that may not have run: names it bound first may have another value, or none. */
void sbx_vars_blur(struct sbx_judge *j, struct sbx_var_log *mark);
/* After another round of a loop: what still changes is not known. True where something was. */
bool sbx_vars_widen(struct sbx_judge *j, struct sbx_var_log *mark);
/* Binds the name as it was (NULL: not at all): after `x=1 cmd`, after a function with a local x. */
void sbx_var_restore(struct sbx_judge *j, const char *name, size_t len, const struct sbx_var *old);
void sbx_var_local(struct sbx_judge *j, const char *name, size_t len, bool is_assigned);
/* A=1 cmd: only for that command; returns what to put back. declare A=1 stays. */
struct sbx_passing;
struct sbx_passing *sbx_assigns_enter(struct sbx_judge *j, const struct sbx_argv *argv,
                                      const struct sbx_assign *assigns);
void sbx_assigns_leave(struct sbx_judge *j, const struct sbx_passing *old);
void sbx_locals_end(struct sbx_judge *j, struct sbx_local *mark);
void sbx_var_unset_element(struct sbx_judge *j, const char *name, size_t len);

/* What a builtin does to the state that words depend on: state.c */
void sbx_builtin_effects(struct sbx_judge *j, const struct sbx_use *use);
void sbx_args_lose(struct sbx_judge *j);
void sbx_args_doubt(struct sbx_judge *j); /* these, or others */

/* A branch or loop body: begun, and ended with doubt about what it changed. */
struct sbx_region {
    struct sbx_var_log *mark;
    unsigned arguments_serial;
};
struct sbx_region sbx_region_begin(const struct sbx_judge *j);
void sbx_region_end(struct sbx_judge *j, const struct sbx_region *region);

/* A process of its own: what it changes is gone after it. */
struct sbx_args {
    const struct sbx_value *positional[10];
    struct sbx_values arguments;
    bool known, loose, maybe, of_call;
};
struct sbx_apart {
    struct sbx_var_log *mark;
    const char *cwd;
    struct sbx_args args;
};
void sbx_apart_begin(struct sbx_judge *j, struct sbx_apart *apart);
void sbx_apart_end(struct sbx_judge *j, const struct sbx_apart *apart);
void sbx_args_save(const struct sbx_judge *j, struct sbx_args *saved);
void sbx_args_restore(struct sbx_judge *j, const struct sbx_args *saved);

/* The current directory, kept for later in the arena: subshells and substitutions come back to it. */
const char *sbx_cwd_save(struct sbx_judge *j);
void sbx_cwd_restore(struct sbx_judge *j, const char *saved);

/* --- aliases: alias_state.c --------------------------------------------------------------------- */
/* Those with which the shell reads text now, or NULL. */
const struct sbx_aliases *sbx_aliases_now(const struct sbx_judge *j);
/* Takes the table of the shell that will run the text. */
void sbx_aliases_take(struct sbx_judge *j);
void sbx_aliases_lose(struct sbx_judge *j); /* anything may have been changed */
void sbx_aliases_switch(struct sbx_judge *j, bool on, bool sure);
/* An option of `shopt` or `set -o`, which may be one that changes how text is read. */
void sbx_aliases_option(struct sbx_judge *j, const struct sbx_value *name, bool on, bool sure);
void sbx_aliases_define(struct sbx_judge *j, const char *name, size_t len,
                        const struct sbx_value *value);
/* A variable is set or unset, or declared to stand for another: bash keeps its aliases in one. */
void sbx_aliases_assigned(struct sbx_judge *j, const char *name, size_t len);
void sbx_aliases_referred(struct sbx_judge *j, const struct sbx_value *to);
/* A text was not read: says why where it was an alias' fault, and returns whether it was. */
bool sbx_aliases_find_limit(struct sbx_judge *j, const struct sbx_parse *parse);
/* Text is about to be read with aliases that nobody knows. */
void sbx_aliases_find_unknown(struct sbx_judge *j);
/* bash has run a line and reads the next: the pipelines from there on, read with the aliases of now. NULL:
 * what follows is not read. *source is that of the line, and of what is returned. */
const struct sbx_pipeline *sbx_aliases_next_line(struct sbx_judge *j,
                                                 const struct sbx_source **source,
                                                 const struct sbx_pipeline *line);
/* The script of a substitution that bash comes to now. */
const struct sbx_script *sbx_aliases_substitution(struct sbx_judge *j, const struct sbx_part *part);

/* --- walking: walk.c ---------------------------------------------------------------------------- */
void sbx_walk_script(struct sbx_judge *j, const struct sbx_script *script,
                     const struct sbx_flow *in, struct sbx_flow *out);
void sbx_walk_command(struct sbx_judge *j, const struct sbx_command *command,
                      const struct sbx_flow *in, struct sbx_flow *out);
void sbx_walk_call(struct sbx_judge *j, struct sbx_function *function, const struct sbx_use *use);
struct sbx_function *sbx_function_find(struct sbx_judge *j, const char *name, size_t len);
void sbx_function_define(struct sbx_judge *j, const char *name, size_t len,
                         struct sbx_function made);

void sbx_args_set(struct sbx_judge *j, struct sbx_value *const *words, uint32_t count);
/* An alias or function that takes the place of a known tool; operands of [ and [[. */
void sbx_classify_shadow(struct sbx_judge *j, const char *name, size_t len);
void sbx_classify_test(struct sbx_judge *j, const struct sbx_values *words);

/* --- redirections: redir.c ------------------------------------------------------------------------ */
struct sbx_redirected {
    struct sbx_flow in;
    const char *made; /* file that standard output goes to, normalised, or NULL */
    bool out_file, out_net, append, out_any, err_file;
};
void sbx_redirs_enter(struct sbx_judge *j, const struct sbx_redir *redirs,
                      struct sbx_redirected *r);
void sbx_redirs_leave(struct sbx_judge *j, const struct sbx_redirected *r,
                      const struct sbx_flow *own, struct sbx_flow *out);

/* --- commands: simple.c ------------------------------------------------------------------------- */
struct sbx_argv {
    struct sbx_value **word;
    uint32_t count;
};
void sbx_walk_simple(struct sbx_judge *j, const struct sbx_command *command,
                     const struct sbx_flow *in, struct sbx_flow *out);
void sbx_judge_argv(struct sbx_judge *j, struct sbx_argv argv, const struct sbx_flow *in,
                    struct sbx_flow *out);
void sbx_apply_roles(struct sbx_judge *j, struct sbx_use *use);
/* One word in one role of the table; returns the taint that it brings. */
uint32_t sbx_apply_role(struct sbx_judge *j, struct sbx_use *use, char role,
                        struct sbx_value *value);
/* A program or script named by path, or given to an interpreter: what is known of it is judged.
 * True where it was made in this input, so that its name says nothing. */
bool sbx_run_file(struct sbx_judge *j, const struct sbx_value *file, struct sbx_use *use);
void sbx_flow_join(struct sbx_judge *j, struct sbx_flow *flow, const struct sbx_flow *more);

/* --- paths: validate.c --------------------------------------------------------------------------- */
/* What is done to a path operand; more than the four operations of policy/path.h. */
enum sbx_access {
    SBX_ACCESS_READ,
    SBX_ACCESS_LIST,      /* names, sizes, modes: not the contents */
    SBX_ACCESS_READ_TREE, /* contents below it */
    SBX_ACCESS_LIST_TREE, /* names below it */
    SBX_ACCESS_WRITE,
    SBX_ACCESS_DELETE, /* one file, also truncating */
    SBX_ACCESS_DELETE_TREE,
    SBX_ACCESS_MOVE, /* away to another name, or an empty directory removed */
    SBX_ACCESS_PERM, /* mode, owner, attributes */
    SBX_ACCESS_PERM_TREE,
    SBX_ACCESS_EXECUTE,
};
/* Raises findings for one operand; returns the taint of what is read. */
uint32_t sbx_check_path(struct sbx_judge *j, const struct sbx_value *path, enum sbx_access access);
/* Absolute and normalised, as the kernel would see it; false where it is not known. */
bool sbx_path_of(struct sbx_judge *j, const struct sbx_value *path, char *out, size_t size);
bool sbx_path_below(const char *path, const char *top); /* equal counts */
void sbx_chdir(struct sbx_judge *j, const struct sbx_value *to);
bool sbx_path_in_work(const struct sbx_judge *j, const char *path); /* workspace or /tmp */

struct sbx_made *sbx_made_find(struct sbx_judge *j, const char *path);
void sbx_made_add(struct sbx_judge *j, const char *path, const struct sbx_value *text,
                  uint32_t taint, const char *copy_of);
/* The name of the known program that the file at `path` is, or is a copy of; NULL: none. */
const char *sbx_made_program(struct sbx_judge *j, const char *path);

#endif
