/* Inside the shell parser: what its files share. Not for anybody else.
 *
 * Two passes over a word, as bash does it. The first (lexer, skip) finds where the word ends by exactly
 * the rules that bash applies when it reads; what it refuses is a syntax error. The second (word, param,
 * brace) looks into the word as bash does when it expands; nothing in it is a syntax error.
 * A command substitution is parsed once, in the first pass, and remembered for the second. */
#ifndef SBX_POLICY_SHELL_INT_H
#define SBX_POLICY_SHELL_INT_H

#include "policy/shell.h"

enum sbx_token {
    T_START = 0, /* nothing was read yet */
    T_EOF,
    T_NEWLINE,
    T_WORD,
    T_ASSIGN,    /* name=value where a command may begin */
    T_NUMBER,    /* digits right before < or >, or after <& and >& */
    T_REDIR_VAR, /* {name} right before < or > */
    /* operators */
    T_SEMI,
    T_AMP,
    T_BAR,
    T_LPAREN,
    T_RPAREN,
    T_LESS,
    T_GREAT,
    T_DASH, /* the - of <&- */
    T_AND_AND,
    T_OR_OR,
    T_BAR_AMP,
    T_SEMI_SEMI,
    T_SEMI_AMP,
    T_SEMI_SEMI_AMP,
    T_DLESS,
    T_DLESS_DASH,
    T_TLESS,
    T_DGREAT,
    T_LESS_AMP,
    T_GREAT_AMP,
    T_LESS_GREAT,
    T_GREAT_BAR,
    T_AMP_GREAT,
    T_AMP_DGREAT,
    T_ARITH,     /* ((...)) */
    T_ARITH_FOR, /* for ((...)) */
    /* reserved words */
    T_IF,
    T_THEN,
    T_ELSE,
    T_ELIF,
    T_FI,
    T_CASE,
    T_ESAC,
    T_FOR,
    T_SELECT,
    T_WHILE,
    T_UNTIL,
    T_DO,
    T_DONE,
    T_IN,
    T_FUNCTION,
    T_TIME,
    T_TIME_P,
    T_TIME_END,
    T_LBRACE,
    T_RBRACE,
    T_BANG,
    T_COND_BEGIN,
    T_COND_END,
    T_COPROC,
    T_ERROR, /* parser->status says why */
    T_AGAIN, /* an alias took the place of the word: read on at the same place */
};
#define REDIR_OPERATORS                                                                            \
    (TOKEN_BIT(T_LESS) | TOKEN_BIT(T_GREAT) | TOKEN_BIT(T_DLESS) | TOKEN_BIT(T_DLESS_DASH) |       \
     TOKEN_BIT(T_TLESS) | TOKEN_BIT(T_DGREAT) | TOKEN_BIT(T_LESS_AMP) | TOKEN_BIT(T_GREAT_AMP) |   \
     TOKEN_BIT(T_LESS_GREAT) | TOKEN_BIT(T_GREAT_BAR) | TOKEN_BIT(T_AMP_GREAT) |                   \
     TOKEN_BIT(T_AMP_DGREAT))

#define REDIR_TOKENS         (REDIR_OPERATORS | TOKEN_BIT(T_NUMBER) | TOKEN_BIT(T_REDIR_VAR))
#define TOKEN_BIT(token)     (UINT64_C(1) << (token))
#define TOKEN_IN(token, set) ((TOKEN_BIT(token) & (set)) != 0)

/* Lexer flags: the context that bash keeps beside its grammar. */
#define LEX_CASEPAT  0x01u /* a case pattern is expected: few reserved words */
#define LEX_CASESTMT 0x02u /* between `case` and `esac` */
#define LEX_ASSIGNOK 0x04u /* after declare & co.: name=( may follow */
#define LEX_COMPOUND 0x08u /* inside name=( ) */
#define LEX_COND     0x10u /* inside [[ ]] */
#define LEX_REGEX    0x20u /* the next word is the right side of =~ */
#define LEX_EXTGLOB  0x40u /* extended patterns are on */
#define LEX_REDIRS   0x80u /* a command that began with redirections and has no word yet */

/* A word as the lexer read it. */
struct sbx_lexword {
    uint32_t begin, end;
    const char *raw; /* its bytes without continuation lines */
    size_t raw_len;
    bool is_plain; /* raw is the text: nothing quoted, nothing to expand */
    bool is_quoted, has_dollar, is_digits;
    bool is_assignment; /* has the form name=, name+=, name[sub]= */
    bool is_array;      /* name=( ) : elements */
    uint32_t array_end;
    struct sbx_assign *elements, **tail;
};

struct sbx_pending {
    struct sbx_pending *next;
    struct sbx_redir *redir;
    const char *delimiter;
    size_t delimiter_len;
};

/* Everything that is put aside while a substitution is parsed. */
struct sbx_lex {
    const char *text;
    uint32_t pos, end;   /* of text */
    const uint32_t *map; /* where the bytes of text stand in the input; NULL: at the same place */
    enum sbx_token token, last, before; /* current, and the two in front of it */
    uint32_t token_begin, token_end;
    unsigned flags;
    unsigned expecting_in, esacs;
    unsigned parens;           /* open ( of subshells since the substitution began */
    bool is_comsub;            /* ends at an unmatched ) */
    bool is_bare;              /* the redirection being read stands in front of all words */
    uint32_t jump_at, jump_to; /* a newline after which here-documents were taken already */
    struct sbx_pending *pending, **pending_tail;
    unsigned pending_count;
    bool alias_next; /* an alias ended in a blank: the next word may be one wherever it stands */
    uint32_t arith_begin, arith_end; /* of T_ARITH, T_ARITH_FOR */
    uint32_t pushed_end; /* text before this place was read as (( before it turned out to be ( ( */
    struct sbx_lexword word;
};

struct sbx_memo {
    const char *key; /* the ( of a substitution */
    struct sbx_script *script;
    uint32_t end;   /* behind its ) */
    uint32_t nodes; /* of the script */
    bool is_used;   /* it stands in the tree already */
    bool is_parens; /* began with ((: bash only counted parentheses; script is not set */
    bool is_arith;  /* ended with )) that match */
};

#define ALIAS_DEPTH   32    /* aliases in aliases */
#define ALIAS_SPLICES 2000  /* in one input */
#define ALIAS_BYTES   32768 /* that they may add to it */

struct sbx_alias_active {
    const struct sbx_alias *alias;
    uint32_t end;
};

/* Aliases take their words' places in a copy of the text. What stands in front of a word that is read
 * never moves, so that what was made of it stays true. */
struct sbx_aliasing {
    const struct sbx_aliases *table; /* NULL: there are none */
    unsigned off;                    /* > 0: inside text that bash reads without them */
    char *text;
    uint32_t capacity;
    struct sbx_alias_active *active; /* those inside whose values the place is: ALIAS_DEPTH */
    unsigned depth;
    struct sbx_splice *splices;
    uint32_t splice_count, splice_capacity;
    bool limit; /* status LIMIT came of an alias */
};

struct sbx_parser {
    struct sbx_arena *arena;
    struct sbx_lex lex;
    struct sbx_memo *memo; /* what was found out about substitutions; in the arena */
    uint32_t *memo_slots;  /* open hash table over them */
    uint32_t memo_size, memo_used;
    unsigned depth, nodes;
    unsigned soft; /* > 0: inside text that bash looks at only when it runs it */
    size_t budget; /* bytes that may still be looked at again */
    enum sbx_parse_status status;
    uint32_t error_at;
    bool is_cond_error, heredoc_warning, heredoc_open, continues;
    bool follow_extglob;
    struct sbx_aliasing aliasing;
    char message[160];
};

/* --- shell.c ------------------------------------------------------------------------------------ */
/* Zeroed memory; NULL and status LIMIT past a bound. One node each. */
void *sbx_sh_node(struct sbx_parser *p, size_t bytes);
/* Counts so many nodes; false and LIMIT when there are too many. */
bool sbx_sh_count(struct sbx_parser *p, uint32_t nodes);
/* Zeroed memory that is no node: copies of text and maps. */
void *sbx_sh_bytes(struct sbx_parser *p, size_t bytes);
/* First error wins. Returns false, so that `return sbx_sh_fail(...)` says and does it. `at` is a place in
 * the current text. */
bool sbx_sh_fail(struct sbx_parser *p, enum sbx_parse_status status, uint32_t at,
                 const char *message);
/* Counts a step inward; false and LIMIT when it is one too deep. Undo with p->depth--. */
bool sbx_sh_enter(struct sbx_parser *p);
/* Takes bytes from the budget for looking at text again; false and LIMIT when it is used up. */
bool sbx_sh_spend(struct sbx_parser *p, size_t bytes);
struct sbx_span sbx_sh_span(const struct sbx_parser *p, uint32_t begin, uint32_t end);
struct sbx_memo *sbx_sh_recall(const struct sbx_parser *p, const char *key);
struct sbx_memo *sbx_sh_remember(struct sbx_parser *p, const char *key);
/* Parses a piece of text that bash reads only when it runs it. NULL where it is no valid syntax. */
struct sbx_script *sbx_sh_soft(struct sbx_parser *p, const char *text, uint32_t begin, uint32_t end,
                               const uint32_t *map);

/* --- shell_skip.c: how far a quote or a bracket reaches ------------------------------------------- */
#define SKIP_DQUOTE 0x01u
#define SKIP_BRACE  0x02u /* ${ */
#define SKIP_FIRSTCLOSE                                                                            \
    0x04u /* the first closing byte ends it, nothing nests by its opening byte alone */
#define SKIP_ARITH     0x08u
#define SKIP_SUBSCRIPT 0x10u
#define SKIP_ALLOWESC  0x20u /* $'...' */
struct sbx_skip {
    char quote; /* the quote we are in, or 0 */
    char open, close;
    unsigned flags;
};
/* From behind the opening byte to behind the closing one. False: status is set. */
bool sbx_sh_skip(struct sbx_parser *p, struct sbx_skip skip);
/* A substitution; pos is behind its "(". Afterwards behind its ")". */
bool sbx_sh_skip_comsub(struct sbx_parser *p);
/* ((...)) : 1 arithmetic, 0 a subshell in a subshell (pos is where it was), -1 error. pos is behind "((". */
int sbx_sh_skip_arith(struct sbx_parser *p);

/* --- shell_lex.c, shell_token.c ------------------------------------------------------------------- */
void sbx_sh_next(struct sbx_parser *p);                 /* lex.token */
enum sbx_token sbx_sh_read_token(struct sbx_parser *p); /* without moving the history of tokens */
enum sbx_token sbx_sh_read_word(struct sbx_parser *p);
bool sbx_sh_reserved_ok(const struct sbx_lex *lex);
/* `in`, `do`, `]]` and others that count by what stands in front of them; T_WORD otherwise. */
enum sbx_token sbx_sh_special(struct sbx_parser *p, const char *word, size_t len);
enum sbx_token sbx_sh_reserved(struct sbx_parser *p, const char *word, size_t len);
bool sbx_sh_command_ok(
    const struct sbx_lex *lex); /* may a command's name or an assignment stand here? */
const char *sbx_sh_token_name(enum sbx_token token);

/* The next byte with continuation lines taken out, or -1 at the end. */
static inline int sbx_sh_get(struct sbx_parser *p)
{
    struct sbx_lex *lex = &p->lex;
    while (lex->pos < lex->end) {
        unsigned char byte = (unsigned char)lex->text[lex->pos++];
        if (byte != '\\' || lex->pos >= lex->end || lex->text[lex->pos] != '\n')
            return byte;
        lex->pos++;
        if (lex->pos == lex->end)
            p->continues = true;
    }
    return -1;
}

/* --- shell_alias.c ------------------------------------------------------------------------------------ */
/* An unquoted word was read: T_AGAIN where an alias took its place, T_ERROR where one cannot. */
enum sbx_token sbx_sh_alias_word(struct sbx_parser *p, const struct sbx_lexword *word);
/* The first byte of a token, or of a comment, is at `at`: aliases that end in front of it are over. */
void sbx_sh_alias_reach(struct sbx_parser *p, uint32_t at);
/* A token from `begin` to lex.pos was read: false where it does not end in the alias it began in. */
bool sbx_sh_alias_fits(struct sbx_parser *p, uint32_t begin, enum sbx_token token);
static inline bool sbx_sh_aliased(const struct sbx_parser *p)
{
    return p->aliasing.table && !p->aliasing.off;
}

/* --- shell_grammar.c, shell_compound.c, shell_cond.c ------------------------------------------------- */
struct sbx_script *sbx_sh_list(struct sbx_parser *p);     /* as far as commands go; may be empty */
struct sbx_script *sbx_sh_compound(struct sbx_parser *p); /* at least one command */
struct sbx_script *sbx_sh_input(struct sbx_parser *p);    /* until the end of the text */
struct sbx_command *sbx_sh_command(struct sbx_parser *p); /* one, with its redirections */
/* A compound command without redirections; NULL without an error where none begins here. */
struct sbx_command *sbx_sh_shell_command(struct sbx_parser *p);
struct sbx_command *sbx_sh_function(struct sbx_parser *p, uint32_t begin,
                                    const struct sbx_lexword *name);
struct sbx_script *sbx_sh_script_of(struct sbx_parser *p, struct sbx_command *body);
struct sbx_command *sbx_sh_new_command(struct sbx_parser *p, enum sbx_command_kind kind);
bool sbx_sh_redirs(struct sbx_parser *p, struct sbx_command *command);
struct sbx_redir *sbx_sh_redir(struct sbx_parser *p);
bool sbx_sh_cond(struct sbx_parser *p, struct sbx_command *command);
bool sbx_sh_unexpected(struct sbx_parser *p); /* fails at the current token */
/* Fails as bash does where it means to but leaves its exit status alone: see cond_error. */
bool sbx_sh_give_up(struct sbx_parser *p, const char *message);
void sbx_sh_newlines(struct sbx_parser *p);

/* --- shell_heredoc.c ---------------------------------------------------------------------------------- */
bool sbx_sh_heredoc_add(struct sbx_parser *p, struct sbx_redir *redir,
                        const struct sbx_lexword *word);
/* Takes the bodies of all pending here-documents from lex.pos on. */
bool sbx_sh_heredoc_gather(struct sbx_parser *p);

/* --- shell_word.c and its helpers: the second pass ----------------------------------------------------- */
#define WORD_GLOB    0x001u /* * ? [ are patterns */
#define WORD_BRACES  0x002u
#define WORD_TILDE   0x004u /* ~ in front */
#define WORD_ASSIGN  0x008u /* ~ behind the first = and every : as well */
#define WORD_COLON   0x010u /* ~ behind every : */
#define WORD_DQUOTE  0x020u /* inside "..." */
#define WORD_HEREDOC 0x040u /* like it, but " is a byte like others */
#define WORD_ARITH   0x080u /* like it, but " is taken out */
#define WORD_EXTGLOB 0x100u
#define WORD_OPERAND 0x200u /* inside ${...} */
#define WORD_INNER   0x400u /* "..." inside "${...}": every backslash quotes */
#define WORD_COMMAND (WORD_GLOB | WORD_BRACES | WORD_TILDE | WORD_ASSIGN)
#define WORD_VALUE   (WORD_TILDE | WORD_COLON) /* what stands behind name= */
#define WORD_PATTERN (WORD_GLOB | WORD_TILDE)

struct sbx_builder {
    struct sbx_parser *p;
    uint32_t pos, end;
    unsigned flags;
    char stop, stop2; /* end here, at the same level; 0: none */
    uint32_t begin;
    uint32_t literal; /* where the run of plain bytes began */
    bool saw_inner;   /* "..." inside "${...}" */
    bool is_escaped;  /* it holds backslashes to take out */
    bool has_brace;
    bool is_assignment, saw_equals;
    char nest_open, nest_close; /* brackets that nest and hide a stop byte; 0: none */
    unsigned nested, ternaries;
    uint32_t no_stop_before; /* a stop byte in front of this place is a plain one */
    uint32_t no_bracket;     /* no ] before this place */
    struct sbx_part *head, **tail;
};

/* Builds parts from pos until end or a stop byte, which is not consumed. False: past a limit. */
bool sbx_sh_build(struct sbx_builder *b);
struct sbx_part *sbx_sh_part(struct sbx_builder *b, enum sbx_part_kind kind, uint32_t begin);
bool sbx_sh_flush(struct sbx_builder *b, uint32_t until);
/* The word in [begin, end) of the current text. */
struct sbx_word *sbx_sh_word(struct sbx_parser *p, uint32_t begin, uint32_t end, unsigned flags);
struct sbx_word *sbx_sh_word_of(struct sbx_parser *p, const struct sbx_lexword *word,
                                unsigned flags);
struct sbx_word *sbx_sh_literal(struct sbx_parser *p, const struct sbx_lexword *word);
struct sbx_assign *sbx_sh_assign_of(struct sbx_parser *p, const struct sbx_lexword *word);
/* What begins with $ ; true with nothing consumed where it is a plain byte. */
bool sbx_sh_dollar(struct sbx_builder *b);
bool sbx_sh_double(struct sbx_builder *b, uint32_t begin);
bool sbx_sh_process(struct sbx_builder *b);
bool sbx_sh_backquote(struct sbx_builder *b);
bool sbx_sh_bracket(struct sbx_builder *b);
bool sbx_sh_extglob(struct sbx_builder *b);
bool sbx_sh_tilde(struct sbx_builder *b);
bool sbx_sh_braces(struct sbx_builder *b, struct sbx_part **list);
bool sbx_sh_param_brace(struct sbx_builder *b, struct sbx_part *part);
bool sbx_sh_ansi(struct sbx_parser *p, const char *text, size_t len, struct sbx_part *part);
/* Takes quotes out of raw text (a here-document's delimiter). */
const char *sbx_sh_unquote(struct sbx_parser *p, const char *raw, size_t len, size_t *out_len);

/* --- bytes ------------------------------------------------------------------------------------------------ */
#define BYTE_BLANK   0x01 /* space, tab */
#define BYTE_META    0x02 /* ( ) < > ; & | newline */
#define BYTE_PLAIN   0x04 /* inside a word never ends it, quotes, or begins an expansion */
#define BYTE_SOFT    0x08 /* PLAIN, yet the second pass may look at it */
#define BYTE_NAME    0x10 /* letters, digits, _ */
#define BYTE_DIGIT   0x20
#define BYTE_SPECIAL 0x40 /* parameters: * @ # ? - $ ! */
#define BYTE_DQUOTE  0x80 /* matters to the second pass inside "..." */
extern const unsigned char sbx_sh_bytes_table[256];
static inline bool sbx_sh_is(int byte, int class)
{
    return byte >= 0 && (sbx_sh_bytes_table[byte & 0xff] & class) != 0;
}
static inline bool sbx_sh_is_break(int byte)
{
    return sbx_sh_is(byte, BYTE_BLANK | BYTE_META);
}
static inline bool sbx_sh_is_letter(int byte) /* a name's first byte */
{
    return sbx_sh_is(byte, BYTE_NAME) && !sbx_sh_is(byte, BYTE_DIGIT);
}

#endif
