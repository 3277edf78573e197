/* The command table: what each program does with its words. Knowledge is rows, not code.
 *
 * A row:  {names, options, operands, flags, raise, check, output}
 *
 * names     "grep egrep fgrep"; of a subcommand "git push"
 * options   words separated by blanks: "-e,--regexp=n -f,--file=r -r,-R,--recursive:r --color?n"
 *           NAME[,NAME…] then =ROLE (takes a value), =ROLEROLE (takes two: "--slurpfile=nr"), ?ROLE
 *           (may have one attached) or nothing, then :X to set the letter X that checks ask for.
 *           Flags that mean nothing here need no word.
 *           Long options may be abbreviated as getopt allows. A colon may be part of a NAME,
 *           "-filter:v=n".
 * operands  roles in order: "n r*" (text, then files), "r* w" (the last is written)
 * roles     see SBX_ROLES below */
#ifndef SBX_POLICY_COMMAND_H
#define SBX_POLICY_COMMAND_H

#include "policy/judge.h"
#include "policy/known.h"

struct sbx_judge;
struct sbx_flow;
struct sbx_use;

/* Roles of option values and operands:
 *   n text, number, pattern: nothing        r file read            l path listed (names, modes)
 *   R tree read                              L tree listed          w file written
 *   d file deleted or emptied               D tree deleted         p mode or owner changed
 *   v moved away, or removed where empty
 *   P the same, recursive                    x program or script that is run
 *   c shell code                             C a command: the rest are its words
 *   e names a program or code to run: an exec option (deny); plain harmless tools are fine
 *   E configuration or library of code that nobody sees (ask)
 *   k code of the program's own language     u address or URL       h host, may have user@ and :path
 *   f file sent to a remote host             F text sent, @FILE sends a file
 *   i text that becomes public               b path: library to load (deny)
 *   W directory that later relative paths are in                    q SQL text */
#define SBX_ROLES "nrlRLwdDvpPxcCeEkuhfFibWq"

enum {
    SBX_CMD_READONLY = 0x1,     /* changes nothing, so mode regular allows it */
    SBX_CMD_STOP = 0x2,         /* options end at the first operand */
    SBX_CMD_SUB = 0x4,          /* the first operand picks a row of its own: "git push" */
    SBX_CMD_DASHLONG = 0x8,     /* long options have one dash: find, gcc, java, terraform */
    SBX_CMD_WRAPPER = 0x10,     /* runs its operands; has no meaning of its own */
    SBX_CMD_FILTER = 0x20,      /* prints what it reads */
    SBX_CMD_NET = 0x40,         /* prints or saves what it downloads */
    SBX_CMD_BUILTIN = 0x80,     /* part of bash: a path in front means another program */
    SBX_CMD_VERSION_OK = 0x100, /* --version and --help are no use of it */
    SBX_CMD_DANGER = 0x200,     /* as operands of an unknown program it is still judged */
    SBX_CMD_DATA = 0x400,       /* its operands are only text */
    SBX_CMD_SHELL = 0x800,
    SBX_CMD_SENDER = 0x1000,   /* standard input goes to the host it names */
    SBX_CMD_PLUS = 0x2000,     /* +x is an option too (shells, editors) */
    SBX_CMD_OLD = 0x4000,      /* first operand may be a bundle of options (tar, ar, ps) */
    SBX_CMD_ENV = 0x8000,      /* prints variables or history */
    SBX_CMD_OWN = 0x20000,     /* its words are patterns or scripts: its check knows them */
    SBX_CMD_PAGER = 0x40000,   /* takes commands from its input although it only shows */
    SBX_CMD_CLUSTER = 0x80000, /* DASHLONG, but what no long name is are letters: zip -rm */
    SBX_CMD_PRINT = 0x10000,   /* prints text of its own making: no contents of files */
};

struct sbx_raise { /* what every use of it means */
    enum sbx_verdict_kind verdict;
    enum sbx_class class;
};

struct sbx_command_row {
    const char *names, *options, *operands;
    uint32_t flags;
    struct sbx_raise raise;
    void (*check)(struct sbx_judge *j, struct sbx_use *use); /* or NULL */
    const char *remedy;                                      /* what to do instead, or NULL */
};

struct sbx_command_group {
    const struct sbx_command_row *rows;
    size_t count;
};
#define SBX_COMMAND_GROUPS 8
extern const struct sbx_command_group *const sbx_command_groups[SBX_COMMAND_GROUPS];

/* NULL where the table does not know the name. */
const struct sbx_command_row *sbx_command_find(const char *name, size_t len);
/* The row of a subcommand: command "git", word "push"; NULL where there is none. */
const struct sbx_command_row *sbx_command_sub(const char *command, size_t len, const char *word,
                                              size_t word_len);

/* --- one use of a command ------------------------------------------------------------------------ */
struct sbx_opt {
    const char *name; /* as the table spells its first name, or as given where it has none */
    size_t name_len;
    char letter; /* after ':' in the table, or 0 */
    char role;   /* of its value, 0: it has none */
    struct sbx_value *value;
};

struct sbx_use {
    const struct sbx_command_row *row; /* NULL: unknown */
    const char *name;                  /* without directories; "git push" for a subcommand */
    struct sbx_value **word;           /* argv, word[0] is the command */
    uint32_t words;
    uint32_t first; /* first word after the name(s) */
    struct sbx_opt *option;
    uint32_t options;
    struct sbx_value **operand;
    uint32_t operands;
    uint32_t operand_at;            /* index in word of the first operand */
    bool has_dashdash, has_unknown; /* "--"; an unknown word that may be an option */
    const struct sbx_flow *in;
    struct sbx_flow *out;
};

/* Tells options from operands. Returns false only without memory. */
bool sbx_use_parse(struct sbx_arena *arena, struct sbx_use *use);

/* The last option with that letter, or NULL. */
const struct sbx_opt *sbx_use_letter(const struct sbx_use *use, char letter);
/* The last option of that name ("-f" or "--force"), or NULL; an abbreviation counts. */
const struct sbx_opt *sbx_use_option(const struct sbx_use *use, const char *name);
/* Any of several, "-f --force -ff". */
bool sbx_use_has(const struct sbx_use *use, const char *names);
/* The role of an operand: index at of use->operands. */
char sbx_use_role(const struct sbx_use *use, uint32_t at);
/* True where the only words are --version, --help and the like. */
bool sbx_use_is_question(const struct sbx_use *use);

#endif
