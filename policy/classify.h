/* What only code can say about a command; the table names these as checks of its rows. */
#ifndef SBX_POLICY_CLASSIFY_H
#define SBX_POLICY_CLASSIFY_H

#include "policy/judge_state.h"

/* --- bytes: classify_bytes.c -------------------------------------------------------------------- */
/* Control, invisible and look-alike characters. script NULL: the text did not parse. */
void sbx_classify_bytes(struct sbx_judge *j, const char *text, size_t len,
                        const struct sbx_script *script);
/* The same of code that stood in quotes: what was ordinary text outside is none inside. */
void sbx_classify_code_bytes(struct sbx_judge *j, const char *text, size_t len,
                             const struct sbx_script *script);
/* A program name with letters outside ASCII: deny where it imitates one of the table's. */
void sbx_classify_name(struct sbx_judge *j, const struct sbx_value *name);
/* Text that becomes public: attribution trailers, code names. */
void sbx_classify_public(struct sbx_judge *j, const struct sbx_value *text);

/* --- environment: classify_env.c ------------------------------------------------------------------ */
void sbx_classify_env(struct sbx_judge *j, const char *name, size_t len,
                      const struct sbx_value *value);
/* A program or flags that run nothing of anybody's: cat, less -F, true, gcc-12. */
bool sbx_is_harmless_tool(const struct sbx_value *value);

/* --- program text of other languages: classify_code.c ---------------------------------------------- */
void sbx_classify_program(struct sbx_judge *j, const char *language, const struct sbx_value *text,
                          const struct sbx_flow *in);

/* --- network: classify_net.c ------------------------------------------------------------------------ */
struct sbx_url {
    char host[256]; /* lower case, without brackets */
    char scheme[16];
    unsigned port; /* 0: the scheme's */
};
bool sbx_url_split(const char *text, size_t len, struct sbx_url *url);
bool sbx_is_loopback(const char *host);
/* A finding where deny_domain has it. */
void sbx_check_host(struct sbx_judge *j, const struct sbx_url *url);
void sbx_check_host_value(struct sbx_judge *j, const struct sbx_value *value, bool is_url);
/* Data with this taint goes to a remote host. */
void sbx_find_sent(struct sbx_judge *j, uint32_t taint);

/* --- loops: classify_loop.c ------------------------------------------------------------------------ */
/* A loop without an end that starts processes and waits for none of them. */
bool sbx_loop_is_bomb(const struct sbx_command *command, const struct sbx_flow *in);
void sbx_find_fork_bomb(struct sbx_judge *j);
/* A loop without an end or a pause that makes files, or makes one longer. */
bool sbx_loop_fills_disk(const struct sbx_command *command, const struct sbx_flow *in);

/* --- shared between the checks ---------------------------------------------------------------------- */
/* Code that a shell reads from its standard input. */
void sbx_judge_stdin(struct sbx_judge *j, struct sbx_use *use);
/* The environment, searched for what is called after secrets. */
void sbx_find_filtered(struct sbx_judge *j, const struct sbx_use *use);
/* Settings and tokens that any program is asked for. */
void sbx_classify_shown(struct sbx_judge *j, const struct sbx_use *use);
/* A word that names secrets: TOKEN, PASSWORD, … in any case. */
bool sbx_is_secret_word(const char *word);

/* Operand `at` is that text, or one of these. */
static inline bool sbx_operand_is(const struct sbx_use *use, uint32_t at, const char *text)
{
    return at < use->operands && sbx_value_is(use->operand[at], text);
}
bool sbx_operand_in(const struct sbx_use *use, uint32_t at, const char *const *words, size_t count);
#define SBX_OPERAND_IN(use, at, table)                                                             \
    sbx_operand_in(use, at, table, sizeof(table) / sizeof(*(table)))

/* A value without its first bytes; never NULL. */
struct sbx_value *sbx_value_tail(struct sbx_judge *j, const struct sbx_value *word, uint32_t from);
/* NAME=value of export or env: bound, and looked at. */
void sbx_set_from_word(struct sbx_judge *j, const struct sbx_value *word);
/* Words joined by blanks, as eval does. */
struct sbx_value *sbx_join_words(struct sbx_judge *j, struct sbx_value *const *words,
                                 uint32_t count);
/* One escape of echo -e, printf or awk at `at`; how many bytes it takes, 0: none. */
size_t sbx_escape_byte(const char *at, size_t left, char *out);
/* An address, a git address, a forge's shorthand with a scheme: not the configured index. */
bool sbx_is_remote_source(const char *text);
void sbx_find_source(struct sbx_judge *j);
bool sbx_host_of(const struct sbx_value *value, bool is_url, struct sbx_url *url);
void sbx_classify_tasks(struct sbx_judge *j, const struct sbx_value *text); /* of Ansible, Salt */
bool sbx_operand_is_local(const struct sbx_use *use); /* the first operand is the loopback */
/* Statements of a database client: paths in literals and bare. */
void sbx_classify_paths(struct sbx_judge *j, const struct sbx_value *text, bool writes);

/* Lines of a database client's own: \\! id, .output |sh; and data sent to a server elsewhere. */
void sbx_classify_statements(struct sbx_judge *j, const char *client, const struct sbx_value *text);
void sbx_classify_database_host(struct sbx_judge *j, const struct sbx_use *use);
bool sbx_sql_destroys(const struct sbx_value *text); /* drop table …, outside of strings */

/* Transfers told by a text: curl -K, wget -i; and databases emptied over HTTP: classify_fetch.c */
void sbx_classify_config(struct sbx_judge *j, struct sbx_use *use);
void sbx_classify_list(struct sbx_judge *j, struct sbx_use *use);
void sbx_classify_emptied(struct sbx_judge *j, const struct sbx_use *use, bool deletes);

const struct sbx_value *sbx_contents_of(struct sbx_judge *j, const struct sbx_value *folder);
/* The contents of a repository copied to where none is. */
void sbx_check_planted(struct sbx_judge *j, const struct sbx_value *source,
                       const struct sbx_value *to);

/* A build or install in a folder that was fetched in this input: classify_package.c */
void sbx_classify_build(struct sbx_judge *j, const struct sbx_use *use);

/* --- files of build tools: classify_recipe.c -------------------------------------------------------- */
/* Where they come from standard input or were written in this input. */
void sbx_classify_recipe(struct sbx_judge *j, const struct sbx_use *use);
bool sbx_is_stdin(const struct sbx_value *file); /* "-", /dev/stdin */
const struct sbx_value *sbx_script_text(struct sbx_judge *j, const struct sbx_use *use,
                                        const struct sbx_value *file);

/* --- trust: classify_trust.c ------------------------------------------------------------------------ */
/* Words that switch a check off, whatever the program. */
void sbx_classify_trust(struct sbx_judge *j, const struct sbx_use *use);
/* A text that asks people for a password; prompt may be NULL. */
void sbx_classify_prompt(struct sbx_judge *j, const struct sbx_value *prompt);
void sbx_classify_dialog(struct sbx_judge *j, const struct sbx_use *use);
/* Prints on and on: a program's loop without an end or a pause. */
bool sbx_program_is_endless(const char *language, const struct sbx_value *text);

/* --- copies between here and elsewhere: classify_copy.c ------------------------------------------- */
void sbx_classify_copies(struct sbx_judge *j, const struct sbx_use *use);

/* --- the machine filled, others bothered: classify_load.c ------------------------------------------ */
bool sbx_is_endless_source(const char *path); /* /dev/zero */
void sbx_find_endless_file(struct sbx_judge *j);
bool sbx_is_huge_size(const struct sbx_value *size);
bool sbx_is_huge_count(const char *block, const char *count); /* of dd; block NULL: 512 */
/* Where data without an end comes from and goes to. */
void sbx_classify_endless(struct sbx_judge *j, struct sbx_use *use);

/* --- any program: classify_words.c ---------------------------------------------------------------- */
void sbx_classify_words(struct sbx_judge *j, const struct sbx_use *use);

/* --- repositories: classify_git.c ------------------------------------------------------------------- */
/* A setting of git's: a finding where its key makes git run the value. value NULL: not known. */
void sbx_classify_git_key(struct sbx_judge *j, const struct sbx_value *key,
                          const struct sbx_value *value);
/* The same of one text, "key=value", as git -c takes it. */
void sbx_classify_git_setting(struct sbx_judge *j, const struct sbx_value *setting);
/* A file written in this input, with its text where known: planted repositories, git configuration. */
void sbx_classify_written(struct sbx_judge *j, const char *path, const struct sbx_value *text);

#endif
