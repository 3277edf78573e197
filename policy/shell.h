/* The shell language: text to syntax tree. Whole bash 5.2 grammar, default options.
 *
 * Every node and word part has its byte range in the input, so that a verdict can point at what it
 * means. The tree lives in one arena, is bounded in bytes, depth and nodes, and is never printed
 * back to bash: bash gets the bytes that were judged. */
#ifndef SBX_POLICY_SHELL_H
#define SBX_POLICY_SHELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "policy/alias.h"
#include "policy/arena.h"

#define SBX_SHELL_MAX_BYTES ((size_t)1024 * 1024)
#define SBX_SHELL_MAX_DEPTH 200
#define SBX_SHELL_MAX_NODES 500000

struct sbx_span {
    uint32_t begin, end; /* bytes [begin, end) of the input */
};

/* --- words ------------------------------------------------------------------------------------ */
enum sbx_part_kind {
    SBX_PART_LITERAL, /* text: unquoted, backslashes taken out */
    SBX_PART_SINGLE,  /* text: '...' */
    SBX_PART_DOUBLE,  /* parts: "..." and $"..." */
    SBX_PART_ANSI,    /* text: $'...', decoded (may hold any byte, so text has a length) */
    SBX_PART_PARAM,   /* param: $x, ${...}; op '{' for the second form */
    SBX_PART_COMMAND, /* script: $(...) and `...`; NULL: bash reads it only when it runs it, and it is no
                             valid syntax as a whole, so that leading lines of it may still run */
    SBX_PART_PROCESS, /* script (NULL as above): <(...) and >(...); op '<' or '>' */
    SBX_PART_ARITH,   /* parts: $((...)), $[...] : the inner text as a word with expansions */
    SBX_PART_GLOB, /* text: a run of * and ?, or [...] as a pattern (quoted bytes have a backslash);
                             "[" alone: a bracket whose inside is in the parts that follow */
    SBX_PART_EXTGLOB, /* op ?*+@!; parts: the patterns between the bars, as words */
    SBX_PART_BRACE,   /* brace: {a,b} or {1..3}, unquoted and well-formed */
    SBX_PART_TILDE,   /* text: "", "name", "+", "-" after an unquoted leading ~; "?": the name is
                             not in one piece (~{a,b}), perhaps somebody's home */
};

struct sbx_word;
struct sbx_script;

struct sbx_param {
    const char *name; /* x, 1, @, ?, …; of ${!x} the name without the ! */
    size_t name_len;
    bool indirect;    /* ${!x...} */
    bool length;      /* ${#x} */
    bool prefix_list; /* ${!x*}, ${!x@} (indirect is set too) */
    bool bad;         /* "bad substitution" when it runs; arg: all that stands inside. Also
                                    where braces and quotes cannot be told apart: unknown */
    struct sbx_word *subscript;  /* ${x[...]}, or NULL */
    const char *op;              /* "", ":-", "-", ":=", "=", ":?", "?", ":+", "+", "#", "##", "%",
                                     "%%", "/", "//", "/#", "/%", ":" (slice), "^", "^^", ",", ",,",
                                     "@" (its letter is in arg) */
    struct sbx_word *arg, *arg2; /* operand words; slices and replacements have two */
};

struct sbx_part {
    struct sbx_part *next;
    enum sbx_part_kind kind;
    struct sbx_span span;
    char op;
    bool is_sequence;  /* BRACE: {1..3} rather than {a,b}; words: the ends, and the step */
    bool is_backquote; /* COMMAND: `...` */
    const char *text;
    size_t text_len;
    struct sbx_part *parts; /* DOUBLE, ARITH */
    struct sbx_word *words; /* BRACE, EXTGLOB: alternatives, chained by next */
    struct sbx_param *param;
    struct sbx_script *script;
    const char
        *code; /* COMMAND, PROCESS: the text of script, which bash reads when it comes to it */
    size_t code_len;
};

struct sbx_word {
    struct sbx_word *next;
    struct sbx_span span;
    struct sbx_part *parts; /* NULL: an empty word (of a here-document, of ${x:-}) */
};

/* --- commands ---------------------------------------------------------------------------------- */
struct sbx_assign {
    struct sbx_assign *next;
    struct sbx_span span;
    const char *name;
    size_t name_len;
    struct sbx_word *subscript;  /* a[i]=, or NULL */
    bool append;                 /* += */
    bool is_array;               /* name=( ... ) */
    struct sbx_word *value;      /* scalar value, may be NULL for an empty one */
    struct sbx_assign *elements; /* array elements: name empty, subscript set for [i]=v */
};

enum sbx_redir_kind {
    SBX_REDIR_READ,        /* <   */
    SBX_REDIR_WRITE,       /* >   */
    SBX_REDIR_CLOBBER,     /* >|  */
    SBX_REDIR_APPEND,      /* >>  */
    SBX_REDIR_READWRITE,   /* <>  */
    SBX_REDIR_BOTH,        /* &> and >& word */
    SBX_REDIR_BOTH_APPEND, /* &>> */
    SBX_REDIR_DUP_IN,      /* <&  */
    SBX_REDIR_DUP_OUT,     /* >&  with a number, - or N- */
    SBX_REDIR_HEREDOC,     /* << and <<- */
    SBX_REDIR_HERESTRING,  /* <<< */
};

struct sbx_redir {
    struct sbx_redir *next;
    struct sbx_span span;
    enum sbx_redir_kind kind;
    int fd;                  /* the number in front, or -1 */
    const char *fd_var;      /* {name}> : name, or NULL */
    struct sbx_word *target; /* file, fd, delimiter or here-string */
    bool heredoc_quoted, heredoc_strip;
    bool heredoc_unterminated; /* ended by end of input: bash only warns */
    struct sbx_word *heredoc;  /* the body; one SINGLE part when quoted */
};

enum sbx_command_kind {
    SBX_CMD_SIMPLE,
    SBX_CMD_GROUP,    /* { list; }   body */
    SBX_CMD_SUBSHELL, /* ( list )    body */
    SBX_CMD_IF,       /* clauses: condition and body, condition NULL for else */
    SBX_CMD_WHILE,    /* condition, body */
    SBX_CMD_UNTIL,
    SBX_CMD_FOR,       /* name, words (has_in), body */
    SBX_CMD_ARITH_FOR, /* words: the three expressions, body */
    SBX_CMD_SELECT,    /* as FOR */
    SBX_CMD_CASE,      /* subject, clauses: patterns and body */
    SBX_CMD_FUNCTION,  /* name, body holds one command */
    SBX_CMD_COPROC,    /* name (may be NULL), body holds one command */
    SBX_CMD_COND,      /* [[ ]] : words: every operand and operator in order */
    SBX_CMD_ARITH,     /* (( )) : words: one */
};

struct sbx_clause {
    struct sbx_clause *next;
    struct sbx_span span;
    struct sbx_script *condition; /* if/elif; NULL for else */
    struct sbx_word *patterns;    /* case */
    const char *terminator;       /* ";;", ";&", ";;&", "" */
    struct sbx_script *body;      /* may be NULL in case */
};

struct sbx_command {
    struct sbx_command *next; /* in a pipeline */
    enum sbx_command_kind kind;
    struct sbx_span span;
    struct sbx_assign
        *assigns; /* SIMPLE: in front; with declare, typeset, local, export, readonly those
                                     among the words too (not in words; spans tell the order) */
    struct sbx_word *words;
    struct sbx_redir *redirs; /* any kind of command */
    const char *name;         /* FOR, SELECT, FUNCTION, COPROC */
    size_t name_len;
    bool has_in;
    bool pipe_both; /* followed by |& rather than | */
    struct sbx_word *subject;
    struct sbx_script *condition, *body;
    struct sbx_clause *clauses;
};

/* A pipeline with the operator that follows it. */
struct sbx_pipeline {
    struct sbx_pipeline *next;
    struct sbx_span span;
    bool negated, timed;
    const char *terminator;       /* "&&", "||", ";", "&", "\n", "" */
    bool ends_line;               /* a newline follows: bash runs what it has before it reads on */
    struct sbx_command *commands; /* may be NULL: a lone `!` or `time` */
};

/* An alias that was put in the place of a word: places are those of the text that came of it. */
struct sbx_splice {
    uint32_t at, removed, inserted;
};

/* The text that a whole input was read from, so that it can be read anew from some line on. */
struct sbx_source {
    const char *text; /* as it was given: before aliases */
    uint32_t len;
    uint32_t begin; /* where it stands in the text that was given first */
    const struct sbx_splice *splices;
    uint32_t splice_count;
    unsigned flags; /* to read on with */
};

struct sbx_script {
    struct sbx_span span;
    struct sbx_pipeline *pipelines;
    const struct sbx_source *source; /* of a whole input; NULL of what is inside it */
};

enum sbx_parse_status {
    SBX_PARSE_OK = 0,
    SBX_PARSE_SYNTAX,     /* bash refuses it */
    SBX_PARSE_INCOMPLETE, /* bash refuses it at end of file, more text could complete it */
    SBX_PARSE_LIMIT,      /* past bytes, depth, nodes or memory */
};

struct sbx_parse {
    enum sbx_parse_status status;
    struct sbx_script *script; /* NULL unless OK */
    struct sbx_script
        *partial;      /* SYNTAX, INCOMPLETE: the whole lines in front of the one with the error:
                                   bash has run them by then. May be NULL. */
    uint32_t error_at; /* byte offset */
    char message[160];
    bool heredoc_warning; /* a here-document was ended by end of file */
    bool cond_error;  /* OK, yet bash complains about a [[ ]], runs nothing of that line and what
                                  follows (not in the tree), and leaves the exit status alone */
    bool wants_more;  /* a terminal would ask for another line: INCOMPLETE, or OK but the text
                                  ends in a here-document or in a backslash and a newline */
    bool alias_limit; /* LIMIT: an alias cannot be put in its place here; message says why */
    const char *text; /* what was read: with the aliases in their places, else as given */
    size_t len;
    struct sbx_source source;
};

/* Parses len bytes of text. Runs as anybody; every byte may be hostile. The tree belongs to the arena and
 * points, for literal text without escapes, into `text`, which must outlive it; after a failure the
 * arena holds what was made so far, and nothing else is held. A NUL byte is a syntax error. */
void sbx_shell_parse(struct sbx_arena *arena, const char *text, size_t len, struct sbx_parse *out);

/* The same with extended patterns. FOLLOW: `shopt -s extglob` and `-u` at the top level count for the
 * lines after theirs, as when bash runs the text; without flags as `bash -n`: in [[ ]] alone. */
#define SBX_SHELL_EXTGLOB        0x1u
#define SBX_SHELL_FOLLOW_EXTGLOB 0x2u
void sbx_shell_parse_flags(struct sbx_arena *arena, const char *text, size_t len, unsigned flags,
                           struct sbx_parse *out);

/* The same as a shell with these aliases reads it (NULL: none). Spans are places in out->text, which is
 * then in the arena. Substitutions are read without aliases, as bash does it: it reads them again, with
 * the aliases it has by then, when it comes to them. An alias whose value does not end where a word ends,
 * or that is odd, is LIMIT, and so are too many or too long ones. */
void sbx_shell_parse_aliased(struct sbx_arena *arena, const char *text, size_t len, unsigned flags,
                             const struct sbx_aliases *aliases, struct sbx_parse *out);

/* Where a place in the text that was read came from in the text first given; what stands in an alias
 * came from its word, whose begin or end is told. false: inside an alias. */
bool sbx_source_place(const struct sbx_source *source, uint32_t place, bool is_end, uint32_t *out);

#endif
