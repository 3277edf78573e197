/* String literals of other languages' programs: the paths, commands and programs in them. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/program.h"

#include <ctype.h>
#include <string.h>

#define LITERALS_MAX 256

/* --- paths ---------------------------------------------------------------------------------------- */
static bool is_pathlike(const char *text, size_t len)
{
    if (len == 1 && text[0] == '/')
        return true;
    if (len < 2 || len > 400 || memchr(text, '\n', len) || memmem(text, len, "://", 3))
        return false;
    return text[0] == '/' || text[0] == '~' || !strncmp(text, "../", 3) ||
           (text[0] == '.' && len > 3 && !memchr(text, ' ', len));
}

void sbx_program_path(struct sbx_program *p, const char *text, size_t len)
{
    struct sbx_judge *j = p->j;
    struct sbx_text value = {.arena = &j->arena};
    if (text[0] == '~' && (len == 1 || text[1] == '/')) {
        sbx_text_put(&value, j->home, strlen(j->home), SBX_MASK_LITERAL);
        text++;
        len--;
    }
    sbx_text_put(&value, text, len, SBX_MASK_LITERAL);
    /* unlink glob("x*") */
    for (uint32_t i = 0; p->deletes && sbx_program_has(p, "glob") && i < value.len; i++)
        if (strchr("*?[", value.text[i])) {
            value.mask[i] = SBX_MASK_GLOB;
            value.masked = true;
        }
    struct sbx_value *path = sbx_text_value(&value, (struct sbx_span){0, 0});
    char real[SBX_PATH_BYTES];
    if (path && path->len && p->deletes && path->mask)
        (void)sbx_check_path(j, path, SBX_ACCESS_DELETE);
    if (!path || !path->len || !sbx_path_of(j, path, real, sizeof(real)))
        return;
    if (!strcmp(real, "/") && !p->deletes)
        return;
    uint32_t taint = sbx_check_path(j, path, SBX_ACCESS_READ);
    if (p->deletes)
        (void)sbx_check_path(j, path, p->trees ? SBX_ACCESS_DELETE_TREE : SBX_ACCESS_DELETE);
    else if (p->writes && !sbx_path_below(real, "/usr") && !sbx_path_below(real, "/bin"))
        (void)sbx_check_path(j, path, SBX_ACCESS_WRITE);
    if (p->sends && taint)
        sbx_find_sent(j, taint);
}

/* --- commands --------------------------------------------------------------------------------------- */
static void judge_command(struct sbx_program *p, struct sbx_value *const *words, uint32_t count)
{
    struct sbx_judge *j = p->j;
    const char *slash = count ? strrchr(words[0]->text, '/') : NULL;
    const char *name = slash ? slash + 1 : count ? words[0]->text : "";
    struct sbx_value **argv = sbx_arena_alloc(&j->arena, (count + 1) * sizeof(*argv));
    if (count < 2 || !argv || !sbx_command_find(name, strlen(name)))
        return;
    memcpy(argv, words, count * sizeof(*argv));
    struct sbx_flow out = {0};
    sbx_judge_argv(j, (struct sbx_argv){argv, count}, NULL, &out);
}

/* ["rm", "-rf", "/"] is a command as well; so is "rm", {args: ["-rf", "/"]} and
 * Command::new("rm").arg("-rf").arg("/"): a statement's literals one after the other. */
static void judge_list(struct sbx_program *p, const char *at)
{
    struct sbx_value *words[16] = {NULL};
    uint32_t count = 0;
    while (at < p->end && count < 16) {
        size_t gap = 0, home = 0;
        while (at + gap < p->end && gap < 24 && !strchr("\"';\n", at[gap]) &&
               !(home = sbx_program_home(p, at + gap)))
            gap++;
        at += gap;
        if (home) {
            struct sbx_text path = {.arena = &p->j->arena};
            at = sbx_program_home_path(p, at, &path);
            if (!(words[count] = sbx_text_value(&path, p->j->span)))
                break;
            count++;
            continue;
        }
        if (at >= p->end || (*at != '"' && *at != '\''))
            break;
        char quote = *at++;
        const char *close = memchr(at, quote, (size_t)(p->end - at));
        if (!close || !(words[count] = sbx_value_new(&p->j->arena, at, (size_t)(close - at))))
            break;
        count++;
        at = close + 1;
    }
    judge_command(p, words, count);
}

/* A literal that is a dangerous command's name alone: what follows are its words. */
static bool is_command_name(const struct sbx_value *value)
{
    const char *slash = strrchr(value->text, '/');
    const char *name = slash ? slash + 1 : value->text;
    const struct sbx_command_row *row = sbx_command_find(name, strlen(name));
    return row && (row->flags & SBX_CMD_DANGER) && !(row->flags & SBX_CMD_SHELL);
}

/* The name in front of what begins at `at`: of system("…"), os.popen('…'), qx(…). */
static size_t name_before(const struct sbx_program *p, const char *at, const char **name)
{
    while (at > p->text && (at[-1] == ' ' || at[-1] == '(' || at[-1] == '['))
        at--;
    const char *end = at;
    while (at > p->text && (isalnum((unsigned char)at[-1]) || at[-1] == '_'))
        at--;
    *name = at;
    return (size_t)(end - at);
}

static bool is_one_of(const char *name, size_t len, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(names[i]) == len && !memcmp(names[i], name, len))
            return true;
    return false;
}

/* What a call of that name gets is a command line, whatever it begins with. */
static bool is_runner(const char *name, size_t len)
{
    static const char *const names[] = {"system",
                                        "popen",
                                        "popen2",
                                        "popen3",
                                        "getoutput",
                                        "getstatusoutput",
                                        "check_output",
                                        "check_call",
                                        "shell_exec",
                                        "passthru",
                                        "proc_open",
                                        "execSync",
                                        "spawn",
                                        "capture2",
                                        "capture2e",
                                        "capture3",
                                        "pipeline",
                                        "callCommand",
                                        "qx",
                                        "execute",
                                        "shell",
                                        "sh",
                                        "EXEC",
                                        "os_execute",
                                        "doShellScript",
                                        "execute_shell_command",
                                        "command",
                                        "run_command"};
    return is_one_of(name, len, names, sizeof(names) / sizeof(*names));
}

/* What a call of that name gets first is a file that it makes. */
static bool is_writer(const char *name, size_t len)
{
    static const char *const names[] = {"FileWriter",    "FileOutputStream",  "PrintWriter",
                                        "writeFileSync", "writeFile",         "appendFileSync",
                                        "appendFile",    "createWriteStream", "file_put_contents",
                                        "spit",          "writeTextFile",     "write_file",
                                        "file",          "outfile",           "openOut"};
    return is_one_of(name, len, names, sizeof(names) / sizeof(*names));
}

static bool is_evaluator(const char *name, size_t len)
{
    static const char *const names[] = {
        "eval",     "exec",          "compile", "Function",         "load",      "loadstring",
        "dostring", "instance_eval", "assert",  "runInThisContext", "class_eval"};
    return is_one_of(name, len, names, sizeof(names) / sizeof(*names));
}

/* perl's and ruby's open(F, ">path"), open(F, "cmd |"): the mode stands in the name. */
static void judge_open(struct sbx_program *p, const char *text, size_t len)
{
    size_t sign = strspn(text, "+<>&");
    const char *path = text + sign + strspn(text + sign, " ");
    bool piped = text[0] == '|' || (len > 2 && text[len - 1] == '|');
    struct sbx_flow out = {0};
    struct sbx_value *value = NULL;
    if (piped) {
        bool front = text[0] == '|';
        value = sbx_value_new(&p->j->arena, text + front, len - 1);
        if (value)
            sbx_judge_code(p->j, value, NULL, &out);
    } else if (sign && is_pathlike(path, len - (size_t)(path - text))) {
        value = sbx_value_new(&p->j->arena, path, len - (size_t)(path - text));
        if (value)
            (void)sbx_check_path(p->j, value,
                                 memchr(text, '>', sign) ? SBX_ACCESS_WRITE : SBX_ACCESS_READ);
    }
}

/* rmtree("."): the project as a whole; "." stands for many other things elsewhere. */
static bool deletes_here(const struct sbx_program *p, const struct sbx_value *value,
                         const char *before, size_t before_len)
{
    static const char *const names[] = {"rmtree",      "rmSync",    "rm",     "rm_rf",  "rm_r",
                                        "remove_tree", "RemoveAll", "unlink", "rimraf", "remove"};
    return p->trees &&
           (sbx_value_is(value, ".") || sbx_value_is(value, "./") || sbx_value_is(value, "~")) &&
           is_one_of(before, before_len, names, sizeof(names) / sizeof(*names));
}

static void judge_literal(struct sbx_program *p, const struct sbx_value *value, const char *before,
                          size_t before_len)
{
    struct sbx_judge *j = p->j;
    const char *text = value->text;
    size_t len = value->len;
    struct sbx_flow out = {0};
    if (is_pathlike(text, len) || deletes_here(p, value, before, before_len))
        sbx_program_path(p, text, len);
    char real[SBX_PATH_BYTES];
    if (len > 2 && sbx_program_has(p, "open") && (strchr("<>+|", text[0]) || text[len - 1] == '|'))
        judge_open(p, text, len);
    if (p->writes && text[0] == '/' && is_writer(before, before_len) &&
        sbx_path_of(j, value, real, sizeof(real)))
        (void)sbx_check_path(j, value, SBX_ACCESS_WRITE);
    if (is_evaluator(before, before_len) && len > 2)
        sbx_program_inner(p, value);
    if (!p->runs || len < 2)
        return;
    /* Given to something that runs programs: judged as shell code where it begins like a command. */
    size_t word = 0;
    while (word < len && !isspace((unsigned char)text[word]))
        word++;
    const char *base = memrchr(text, '/', word);
    base = base ? base + 1 : text;
    const struct sbx_command_row *row = sbx_command_find(base, (size_t)(text + word - base));
    bool command = row && (word < len || (row->flags & SBX_CMD_DANGER));
    bool exec = before_len == 4 && !memcmp(before, "exec", 4) && strncmp(p->language, "py", 2) != 0;
    if (command || exec || is_runner(before, before_len))
        sbx_judge_code(j, value, NULL, &out);
}

/* --- the literals themselves ------------------------------------------------------------------------ */
/* A literal with its escapes undone. */
static struct sbx_value *decoded(struct sbx_program *p, const char *at, size_t len)
{
    struct sbx_text text = {.arena = &p->j->arena};
    for (size_t i = 0; i < len;) {
        char byte = 0;
        size_t n = p->names_home ? sbx_program_inserted_home(p, at + i) : 0;
        if (n) {
            sbx_text_put(&text, p->j->home, strlen(p->j->home), SBX_MASK_LITERAL);
            i += n;
            continue;
        }
        if (at[i] == '\\' && i + 1 < len && strchr("`$/ ", at[i + 1]) && at[i + 1]) {
            byte = at[i + 1];
            n = 2;
        } else if (at[i] == '\\' && i + 1 < len && at[i + 1] == '\n') {
            i += 2;
            continue;
        } else {
            n = sbx_escape_byte(at + i, len - i, &byte);
        }
        sbx_text_put(&text, n > 1 ? &byte : at + i, 1, SBX_MASK_LITERAL);
        i += n ? n : 1;
    }
    return sbx_text_value(&text, (struct sbx_span){0, 0});
}

struct literal {
    const char *at, *from, *to, *next; /* its quote, what is in it, what follows it */
};

/* The literal that begins at a quote; false where it is an apostrophe. */
static bool literal_at(const struct sbx_program *p, const char *at, struct literal *out)
{
    bool triple = p->end - at > 5 && at[1] == at[0] && at[2] == at[0];
    size_t width = triple ? 3 : 1;
    const char *close = at + width;
    while (close < p->end && (*close != *at || (triple && (p->end - close < 3 || close[1] != *at ||
                                                           close[2] != *at))))
        close += *close == '\\' && close + 1 < p->end ? 2 : 1;
    bool one_line = !triple && *at != '`' &&
                    (!strncmp(p->language, "py", 2) || !strncmp(p->language, "node", 4));
    if (close >= p->end || (one_line && memchr(at, '\n', (size_t)(close - at))))
        return false;
    *out = (struct literal){at, at + width, close, close + width};
    return true;
}

/* "rm " + "-rf" . '/' is one text. */
static bool is_joint(const char *from, const char *to)
{
    bool joint = false;
    for (; from < to; from++) {
        if (!strchr("+. \t", *from))
            return false;
        joint |= *from == '+' || *from == '.';
    }
    return joint;
}

static char closing(char open)
{
    return open == '(' ? ')' : open == '{' ? '}' : open == '[' ? ']' : open == '<' ? '>' : open;
}

/* Words between blanks, as qw(…) gives them: a command where the first is one. */
static void judge_quoted_words(struct sbx_program *p, const char *from, size_t len)
{
    struct sbx_value *words[16];
    uint32_t count = 0;
    for (size_t at = 0; at < len && count < 16;) {
        at += strspn(from + at, " \t\n");
        size_t word = 0;
        while (at + word < len && !isspace((unsigned char)from[at + word]))
            word++;
        if (!word || !(words[count] = sbx_value_new(&p->j->arena, from + at, word)))
            break;
        count++;
        at += word;
    }
    judge_command(p, words, count);
}

/* qx(…), %x{…}, q(…), qq/…/, qw(…), syscmd(…): what stands between the delimiters. */
static void judge_macro(struct sbx_program *p, const char *at)
{
    const char *name = at;
    while (name > p->text && isalpha((unsigned char)name[-1]))
        name--;
    size_t len = (size_t)(at - name);
    bool percent = name > p->text && name[-1] == '%';
    bool runs = (len == 2 && !strncmp(name, "qx", 2)) || (percent && len <= 1) ||
                (len >= 6 && !strncmp(at - 6, "syscmd", 6));
    bool list = len == 2 && !strncmp(name, "qw", 2);
    bool quote = (len == 1 && *name == 'q') || (len == 2 && !strncmp(name, "qq", 2)) ||
                 (percent && len == 1 && (*name == 'q' || *name == 'Q'));
    if ((!runs && !list && !quote) || at + 1 >= p->end)
        return;
    const char *close = memchr(at + 1, closing(*at), (size_t)(p->end - at - 1));
    const char *from = at + 1, *before = "";
    if (!close)
        return;
    if (runs && *from == '`')
        from++;
    size_t before_len = quote ? name_before(p, name, &before) : 0;
    struct sbx_value *value = sbx_value_new(&p->j->arena, from, (size_t)(close - from));
    if (list)
        judge_quoted_words(p, from, (size_t)(close - from));
    else if (value)
        judge_literal(p, value, runs ? "system" : before, runs ? 6 : before_len);
}

void sbx_program_literals(struct sbx_program *p)
{
    struct sbx_text joint = {.arena = &p->j->arena};
    const char *joint_name = "", *last = NULL;
    size_t joint_name_len = 0;
    unsigned count = 0, joined = 0;
    for (const char *at = p->text; at < p->end && count < LITERALS_MAX;) {
        struct literal literal;
        size_t home = sbx_program_home(p, at);
        if (home) {
            if (last && is_joint(last, at)) {
                sbx_text_put(&joint, p->j->home, strlen(p->j->home), SBX_MASK_LITERAL);
                joined++;
            }
            last = last && is_joint(last, at) ? at + home : NULL;
            at += home;
            continue;
        }
        if (*at == '[' || *at == '(') {
            if (p->runs && at + 1 < p->end && (at[1] == '"' || at[1] == '\''))
                judge_list(p, at + 1);
        }
        if (strchr("([{</|!", *at) && *at && at > p->text)
            judge_macro(p, at);
        if ((*at != '"' && *at != '\'' && *at != '`') || !literal_at(p, at, &literal)) {
            at++;
            continue;
        }
        struct sbx_value *value = decoded(p, literal.from, (size_t)(literal.to - literal.from));
        const char *name = "";
        size_t len = name_before(p, literal.at, &name);
        /* executable="/bin/bash" names what runs the text, which is judged. */
        bool keyword =
            at > p->text && at[-1] == '=' && at - p->text > 2 && isalpha((unsigned char)at[-2]);
        if (!last || !is_joint(last, at)) {
            struct sbx_value *whole = joined > 1 ? sbx_text_value(&joint, p->j->span) : NULL;
            if (whole)
                judge_literal(p, whole, joint_name, joint_name_len);
            joint = (struct sbx_text){.arena = &p->j->arena};
            joint_name = name;
            joint_name_len = len;
            joined = 0;
        }
        /* exec "rm", "-rf", "/": a list without brackets */
        if (p->runs && value && literal.next < p->end &&
            (is_command_name(value) || (*literal.next == ',' && len)))
            judge_list(p, literal.at);
        if (value && keyword && is_pathlike(value->text, value->len))
            sbx_program_path(p, value->text, value->len);
        else if (value && !keyword)
            judge_literal(p, value, name, len);
        if (value)
            sbx_text_append(&joint, value);
        joined++;
        count++;
        at = last = literal.next;
    }
    struct sbx_value *whole = joined > 1 ? sbx_text_value(&joint, p->j->span) : NULL;
    if (whole)
        judge_literal(p, whole, joint_name, joint_name_len);
}

/* --- without quotes --------------------------------------------------------------------------------- */
static bool bare_start(const struct sbx_program *p, const char *at)
{
    if (at > p->text && !strchr(" \t\n({[<>=,'\"`:;", at[-1]))
        return false;
    return (*at == '/' && isalpha((unsigned char)at[1])) || (*at == '~' && at[1] == '/') ||
           !strncmp(at, "../", 3);
}

static void judge_bare(struct sbx_program *p, const char *at, size_t len)
{
    struct sbx_text text = {.arena = &p->j->arena};
    bool home = *at == '~';
    char real[SBX_PATH_BYTES];
    if (home)
        sbx_text_put(&text, p->j->home, strlen(p->j->home), SBX_MASK_LITERAL);
    for (size_t i = home; i < len; i++)
        sbx_text_put(&text, at + i, 1, strchr("*?[]", at[i]) ? SBX_MASK_GLOB : SBX_MASK_LITERAL);
    struct sbx_value *path = sbx_text_value(&text, p->j->span);
    if (path && path->mask && p->deletes)
        (void)sbx_check_path(p->j, path, SBX_ACCESS_DELETE);
    if (!path || !sbx_path_of(p->j, path, real, sizeof(real)))
        return;
    if (sbx_place_is_protected(p->j, real))
        (void)sbx_check_path(p->j, path, SBX_ACCESS_READ);
    if (p->deletes && sbx_program_has(p, "file delete"))
        (void)sbx_check_path(p->j, path, SBX_ACCESS_DELETE_TREE);
    if (p->writes && (sbx_place_is_startup(p->j, real) || !strncmp(real, "/etc/", 5)))
        (void)sbx_check_path(p->j, path, SBX_ACCESS_WRITE);
}

/* The name of a variable at `at`, where it is called after a secret; returns what follows it. */
static const char *secret_name(struct sbx_program *p, const char *at)
{
    size_t len = 0;
    while (at + len < p->end && (isalnum((unsigned char)at[len]) || at[len] == '_'))
        len++;
    const char *name = sbx_arena_strndup(&p->j->arena, at, len);
    return name && sbx_is_secret_word(name) ? at + len : NULL;
}

/* print(os.environ["API_KEY"]), node -p process.env.API_KEY: a secret of the environment, shown. */
void sbx_program_printed_secrets(struct sbx_program *p)
{
    static const char whole[] = "process.env.";
    const char *rest =
        (size_t)(p->end - p->text) >= sizeof(whole) && !memcmp(p->text, whole, sizeof(whole) - 1)
            ? secret_name(p, p->text + sizeof(whole) - 1)
            : NULL;
    bool shown = rest == p->end;
    static const char *const prints[] = {"print(os.environ[",
                                         "print(os.getenv(",
                                         "print(os.environ.get(",
                                         "console.log(process.env.",
                                         "puts ENV[",
                                         "puts(ENV[",
                                         "print $ENV{",
                                         "echo getenv("};
    for (size_t i = 0; i < sizeof(prints) / sizeof(*prints); i++) {
        const char *at = memmem(p->text, (size_t)(p->end - p->text), prints[i], strlen(prints[i]));
        if (!at)
            continue;
        at += strlen(prints[i]);
        at += at < p->end && (*at == '"' || *at == '\'');
        shown |= secret_name(p, at) != NULL;
    }
    if (shown)
        sbx_find(p->j, SBX_ASK, SBX_CLASS_CRED_READ, "a secret of the environment",
                 "programs find their secrets by themselves; no need to print one");
}

/* os.system(a + b): a command line that begins with a name, so that nobody knows what runs. */
void sbx_program_unknown_commands(struct sbx_program *p)
{
    static const char *const runners[] = {"os.system(", "os.popen(", "shell_exec(",
                                          "passthru(",  "execSync(", "os.execute("};
    for (size_t i = 0; i < sizeof(runners) / sizeof(*runners); i++) {
        size_t len = strlen(runners[i]);
        for (const char *at = p->text;
             (at = memmem(at, (size_t)(p->end - at), runners[i], len)) != NULL;) {
            at += len;
            const char *name = at;
            while (at < p->end && (isalnum((unsigned char)*at) || strchr("_.$", *at)))
                at++;
            /* f"…", r'…' and "…".join() are literals, b64decode() is named elsewhere. */
            if (at - name > 0 && at < p->end && !strchr("\"'`(", *at))
                sbx_find(p->j, SBX_ASK, SBX_CLASS_SHELL_EVASION,
                         "a command that a program puts together", "write the command out");
        }
    }
}

/* spawn and exec of Tcl take the words behind them. */
void sbx_program_bare_commands(struct sbx_program *p)
{
    static const char *const verbs[] = {"spawn ", "exec "};
    for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++) {
        size_t len = strlen(verbs[i]);
        for (const char *at = p->text;
             (at = memmem(at, (size_t)(p->end - at), verbs[i], len)) != NULL;) {
            bool first = at == p->text || strchr("\n;{[ \t", at[-1]);
            at += len;
            const char *to = at;
            while (to < p->end && !strchr("\n;]}", *to))
                to++;
            struct sbx_value *code =
                first ? sbx_value_new(&p->j->arena, at, (size_t)(to - at)) : NULL;
            struct sbx_flow out = {0};
            if (code && code->len)
                sbx_judge_code(p->j, code, NULL, &out);
        }
    }
}

void sbx_program_bare_paths(struct sbx_program *p)
{
    char quote = 0;
    for (const char *at = p->text; at + 2 < p->end; at++) {
        /* In a string a path among other words is text; a path alone was looked at already. */
        if (quote ? *at == quote : *at == '"' || *at == '\'')
            quote = quote ? 0 : *at;
        if (*at == '\n')
            quote = 0;
        if (quote || !bare_start(p, at))
            continue;
        size_t len = 1;
        const char *more = p->deletes ? "/._-*?[]" : "/._-";
        while (at + len < p->end && (isalnum((unsigned char)at[len]) || strchr(more, at[len])))
            len++;
        judge_bare(p, at, len);
        at += len - 1;
    }
}
