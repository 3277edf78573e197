/* What any program's words and input give away, whatever the program is: protected places, shells. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <ctype.h>
#include <string.h>

bool sbx_operand_in(const struct sbx_use *use, uint32_t at, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (sbx_operand_is(use, at, words[i]))
            return true;
    return false;
}

/* The part of a word that may be a path: of --opt=PATH, @PATH, key=PATH, file:PATH. */
static struct sbx_value path_part(const struct sbx_value *word)
{
    struct sbx_value part = *word;
    size_t skip = 0;
    const char *equals = memrchr(word->text, '=', word->len);
    if (equals && (word->text[0] == '-' || !memchr(word->text, '/', (size_t)(equals - word->text))))
        skip = (size_t)(equals - word->text) + 1;
    const char *colon = memmem(word->text, word->len, ":/", 2);
    if (colon && colon[2] != '/' && colon > word->text && !skip && word->text[0] != '/')
        skip = (size_t)(colon - word->text) + 1;
    if (!strncmp(word->text + skip, "file://", 7))
        skip += 7;
    else if (!strncmp(word->text + skip, "file:", 5) || !strncmp(word->text + skip, "path:", 5))
        skip += 5;
    if (word->text[skip] == '@' || word->text[skip] == '<')
        skip++;
    part.text += skip;
    part.len -= (uint32_t)skip;
    part.mask = part.mask ? part.mask + skip : NULL;
    return part;
}

static bool is_pathlike(const struct sbx_value *part)
{
    const char *text = part->text;
    if (part->len < 2 || strpbrk(text, " \t\n;|&"))
        return false;
    return text[0] == '/' || (text[0] == '~' && text[1] == '/') || !strncmp(text, "../", 3);
}

/* ~ in a word that bash did not expand (behind = or @) is often expanded by the program. */
static void check_place(struct sbx_judge *j, struct sbx_value *part, enum sbx_access access)
{
    struct sbx_text text = {.arena = &j->arena};
    struct sbx_value rest = *part;
    if (part->text[0] == '~') {
        sbx_text_put(&text, j->home, strlen(j->home), SBX_MASK_LITERAL);
        rest.text++;
        rest.len--;
        rest.mask = rest.mask ? rest.mask + 1 : NULL;
    }
    sbx_text_append(&text, &rest);
    struct sbx_value *path = sbx_text_value(&text, part->span);
    if (path)
        (void)sbx_check_path(j, path, access);
}

/* -o, -O, --output=…, --log-file …: options that programs give the name of a file to be written. */
static bool is_output_option(const char *word)
{
    static const char *const names[] = {"out",    "log", "write",  "save", "dump",
                                        "export", "xml", "report", "dest", "record"};
    if (word[0] != '-')
        return false;
    if (!strcmp(word, "-o") || !strcmp(word, "-O") || !strcmp(word, "-of"))
        return true;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (word[1] && strcasestr(word + 1, names[i]))
            return true;
    return false;
}

static bool is_shell_name(const char *text, size_t len)
{
    static const char *const dirs[] = {"/bin/", "/usr/bin/", "/usr/local/bin/"};
    for (size_t i = 0; i < sizeof(dirs) / sizeof(*dirs); i++) {
        size_t dir = strlen(dirs[i]);
        if (len > dir && !strncmp(text, dirs[i], dir)) {
            text += dir;
            len -= dir;
            break;
        }
    }
    const struct sbx_command_row *row = sbx_command_find(text, len);
    return row && (row->flags & SBX_CMD_SHELL);
}

/* A value that is a shell's command line: "sh -c id", "/bin/sh -i", "sh 1>&0". */
static bool is_shell_line(const struct sbx_value *value)
{
    const char *text = value->text + strspn(value->text, " ");
    if (!strncmp(text, "exec ", 5))
        text += 5;
    size_t len = strcspn(text, " \t;<>|&#");
    if (!text[len] || !is_shell_name(text, len))
        return false;
    const char *rest = text + len + strspn(text + len, " \t");
    return !strncmp(rest, "-c", 2) || !strncmp(rest, "-i", 2) || !strncmp(rest, "-s", 2) ||
           !strncmp(rest, "-l", 2) || strchr("<>;#&|", *rest) || isdigit((unsigned char)*rest);
}

/* --command=sh, -e sh: an option that is called after what it starts. */
static bool is_start_option(const char *option)
{
    static const char *const names[] = {
        "--command",       "--cmd", "--exec",   "--execute", "--run",   "--program", "--init",
        "--login-program", "-exec", "-command", "--spawn",   "--start", "--invoke"};
    size_t len = strcspn(option, "=");
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (strlen(names[i]) == len && !memcmp(option, names[i], len))
            return true;
    return false;
}

/* execute=sh,-c,id: a setting that starts a shell. */
static bool is_start_setting(const struct sbx_value *word)
{
    const char *equals = memchr(word->text, '=', word->len);
    size_t name = equals ? (size_t)(equals - word->text) : 0;
    size_t len = equals ? strcspn(equals + 1, ", ") : 0;
    return name >= 4 && len && equals[1 + len] && is_shell_name(equals + 1, len) &&
           (memmem(word->text, name, "exec", 4) || memmem(word->text, name, "command", 7) ||
            memmem(word->text, name, "run", 3));
}

/* pexec sh: nothing but options in front of a shell's name, and nothing behind it. */
static bool is_only_operand(const struct sbx_use *use, uint32_t at)
{
    if (use->row || at + 1 != use->words || at == use->first - 1)
        return false;
    for (uint32_t i = use->first; i < at; i++)
        if (use->word[i]->text[0] != '-')
            return false;
    /* some-tool --shell bash: more likely a value than a command. */
    const char *before = at > use->first ? use->word[at - 1]->text : "";
    return strncmp(before, "--", 2) != 0 || !before[2];
}

static void check_bare_shell(struct sbx_judge *j, const struct sbx_use *use, uint32_t at)
{
    const struct sbx_value *word = use->word[at];
    const char *equals = memchr(word->text, '=', word->len);
    const char *option = at > use->first ? use->word[at - 1]->text : "";
    bool bare = sbx_value_known(word) && is_shell_name(word->text, word->len);
    bool joined = word->text[0] == '-' && equals && is_start_option(word->text) &&
                  is_shell_name(equals + 1, strlen(equals + 1));
    if (joined || (bare && (is_start_option(option) || is_only_operand(use, at))))
        sbx_find(j, SBX_DENY, SBX_CLASS_NESTED_SHELL, "a shell started by a program",
                 "you are in a shell already; run the command itself");
    if (is_start_setting(word))
        sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "an option that runs a shell",
                 "run the command by itself");
}

static void check_shell_words(struct sbx_judge *j, const struct sbx_use *use)
{
    for (uint32_t i = use->first; i < use->words; i++) {
        const struct sbx_value *word = use->word[i];
        struct sbx_value part = path_part(word);
        bool is_wrapper = use->row && (use->row->flags & SBX_CMD_WRAPPER);
        bool is_value = i > use->first && use->word[i - 1]->text[0] == '-' &&
                        strcmp(use->word[i - 1]->text, "--") != 0 &&
                        (!is_wrapper || i + 1 == use->words);
        bool joined = part.text != word->text && word->text[0] == '-';
        check_bare_shell(j, use, i);
        if (!part.len || (part.text != word->text && !joined))
            continue; /* SHELL=/bin/bash names a shell and starts none */
        if (part.text[0] == '/' && is_shell_name(part.text, part.len) &&
            (joined || is_value || (!is_wrapper && (i + 1 == use->words || word->text[0] != '-'))))
            sbx_find(j, SBX_DENY, SBX_CLASS_NESTED_SHELL, "a shell started by a program",
                     "you are in a shell already; run the command itself");
        else if ((joined || is_value) && is_shell_line(&part))
            sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "an option that runs a shell",
                     "run the command by itself");
    }
}

/* Calls that no plain word holds. */
static const char *const idioms[] = {"system(",
                                     "system \"",
                                     "system '",
                                     "exec(",
                                     "exec \"",
                                     "exec '",
                                     "popen(",
                                     "spawn(",
                                     "spawn sh",
                                     "run-shell-command",
                                     "os.execute(",
                                     "Process.Start(",
                                     "%{lua:",
                                     "esyscmd(",
                                     "syscmd(",
                                     "write18{",
                                     "directlua{",
                                     "ProcessBuilder(",
                                     "execute(",
                                     "CALL \"SYSTEM\"",
                                     "shell_exec(",
                                     "\\input{",
                                     "exec sh",
                                     "exec bash",
                                     "%(",
                                     "file(\"/",
                                     "exec {",
                                     "file {",
                                     "child_process",
                                     "file(\"~",
                                     "file(\"..",
                                     "RemoveAll(",
                                     "os.Remove(",
                                     "open(\"/",
                                     "open('/",
                                     "open(\"~",
                                     "read_text(",
                                     "readFileSync(",
                                     "import os",
                                     "Process.run(",
                                     "Command::new(",
                                     "File.delete(",
                                     "removeDir(",
                                     "Dir.delete(",
                                     "file-delete",
                                     "exec.Command(",
                                     "callProcess",
                                     "Sys.command",
                                     "Process.runSync(",
                                     "Process.start(",
                                     "Run[\"",
                                     "launchPath",
                                     "File.read(",
                                     "File.open(",
                                     "readFile(",
                                     "fileread(",
                                     "fromFile("};

/* A word or an input that is a program of some language which runs programs. */
static bool is_program_text(const struct sbx_value *text)
{
    if (text->len < 6)
        return false;
    for (size_t i = 0; i < sizeof(idioms) / sizeof(*idioms); i++)
        if (memmem(text->text, text->len, idioms[i], strlen(idioms[i])))
            return true;
    return false;
}

/* Interactive programs take !command from their input. */
static void check_escape(struct sbx_judge *j, const char *line, size_t len)
{
    size_t at = 0;
    while (at < len && strchr(": \t\\", line[at]))
        at++;
    bool bang = at < len && line[at] == '!';
    static const char *const verbs[] = {"shell ", "exec ", "@exec ", "sh "};
    size_t skip = bang ? at + 1 : 0;
    for (size_t i = 0; !skip && i < sizeof(verbs) / sizeof(*verbs); i++)
        if (len - at > strlen(verbs[i]) && !strncmp(line + at, verbs[i], strlen(verbs[i])))
            skip = at + strlen(verbs[i]);
    if (!skip && len && is_shell_name(line, len) && line[0] == '/')
        skip = len; /* the line is a shell's name */
    if (!skip)
        return;
    const char *code = line + (skip == len ? 0 : skip);
    size_t code_len = skip == len ? len : len - skip;
    while (code_len && (*code == ' ' || *code == '!')) {
        code++;
        code_len--;
    }
    size_t word = 0;
    while (word < code_len && !isspace((unsigned char)code[word]) && code[word] != ';')
        word++;
    const char *slash = memrchr(code, '/', word);
    const char *base = slash ? slash + 1 : code;
    const struct sbx_command_row *row = sbx_command_find(base, (size_t)(code + word - base));
    bool told = bang || !strncmp(line + at, "shell ", 6);
    if (!row || (!told && !(row->flags & (SBX_CMD_SHELL | SBX_CMD_DANGER))))
        return;
    struct sbx_value *value = sbx_value_new(&j->arena, code, code_len);
    struct sbx_flow out = {0};
    if (value)
        sbx_judge_code(j, value, NULL, &out);
}

static void check_input(struct sbx_judge *j, const struct sbx_use *use)
{
    const struct sbx_value *text = use->in ? use->in->text : NULL;
    /* In a group or a loop every command has the same input. */
    if (!text || text == j->input_seen || !sbx_step(j, text->len / 128))
        return;
    j->input_seen = text;
    if (is_program_text(text))
        sbx_classify_program(j, "", text, NULL);
    for (size_t at = 0; at < text->len;) {
        size_t len = strcspn(text->text + at, "\n");
        check_escape(j, text->text + at, len);
        at += len + 1;
    }
}

/* A source that was written in this input and is handed to something that runs or builds it. */
static void check_made_source(struct sbx_judge *j, const struct sbx_value *word)
{
    static const char *const kinds[] = {".go",    ".java",  ".rs",  ".kts", ".cs",  ".csx",
                                        ".jl",    ".R",     ".tcl", ".exp", ".fsx", ".groovy",
                                        ".scala", ".swift", ".nim", ".cr",  ".tex", ".m4"};
    const char *dot = strrchr(word->text, '.');
    char path[SBX_PATH_BYTES];
    for (size_t i = 0; j->made && dot && i < sizeof(kinds) / sizeof(*kinds); i++) {
        if (strcmp(dot, kinds[i]) || !sbx_path_of(j, word, path, sizeof(path)))
            continue;
        struct sbx_made *made = sbx_made_find(j, path);
        if (made && made->text)
            sbx_classify_program(j, "", made->text, NULL);
    }
}

static bool becomes_public(const struct sbx_use *use, const struct sbx_value *word)
{
    for (uint32_t i = 0; i < use->options; i++)
        if (use->option[i].role == 'i' && use->option[i].value &&
            use->option[i].value->text == word->text)
            return true;
    return false;
}

/* Tasks of frameworks that empty a database, whatever runs them: rails, artisan, mix, console. */
static bool is_reset_task(const struct sbx_value *word)
{
    static const char *const tasks[] = {"db:drop",
                                        "db:reset",
                                        "db:wipe",
                                        "db:purge",
                                        "db:schema:load",
                                        "db:migrate:reset",
                                        "migrate:fresh",
                                        "migrate:reset",
                                        "migrate:refresh",
                                        "ecto.drop",
                                        "ecto.reset",
                                        "database:drop",
                                        "sqlflush",
                                        "schema:drop",
                                        "doctrine:database:drop",
                                        "doctrine:schema:drop",
                                        "--force-reset",
                                        "db:migrate:undo:all",
                                        "orm:schema-tool:drop"};
    for (size_t i = 0; i < sizeof(tasks) / sizeof(*tasks); i++)
        if (sbx_value_is(word, tasks[i]))
            return true;
    return false;
}

/* OpenSSH's options in the hands of another program: -o 'ProxyCommand sh -i'. */
static bool is_ssh_command_option(const char *text)
{
    static const char *const names[] = {"ProxyCommand", "LocalCommand", "KnownHostsCommand",
                                        "PermitLocalCommand"};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        size_t len = strlen(names[i]);
        if (!strncasecmp(text, names[i], len) && text[len] && strchr(" =\t", text[len]))
            return true;
    }
    return false;
}

/* --plugin=/tmp/x.so, ladspa=file=/tmp/x.so: code loaded into the program. */
static bool loads_library(const struct sbx_value *word)
{
    static const char *const kinds[] = {"plugin", "module",    "engine",   "load",
                                        "ladspa", "auth",      "provider", "driver",
                                        "agent",  "extension", "preload"};
    const char *equals = memrchr(word->text, '=', word->len);
    const char *library = equals ? strstr(equals, ".so") : NULL;
    if (!library || !strchr(equals, '/') || (isalnum((unsigned char)library[3])) ||
        !strncmp(word->text, "-D", 2))
        return false;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        const char *hit = strcasestr(word->text, kinds[i]);
        if (hit && hit < equals)
            return true;
    }
    return false;
}

/* --grep-bin /tmp/x: an option that is called after what it runs. */
static bool names_program(const char *option, const struct sbx_value *value)
{
    static const char *const kinds[] = {"-bin",  "-binary", "-program", "-prog",  "-cmd",
                                        "-exec", "-hook",   "-shell",   "-pager", "-interpreter"};
    size_t len = strcspn(option, "=");
    static const char *const places[] = {"/tmp/", "/var/tmp/", "/dev/shm/", "./", "../"};
    bool mine = false;
    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
        mine |= !strncmp(value->text, places[i], strlen(places[i]));
    if (strncmp(option, "--", 2) != 0 || !mine)
        return false;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        size_t kind = strlen(kinds[i]);
        if (len > kind && !strncmp(option + len - kind, kinds[i], kind))
            return true;
    }
    return false;
}

static void check_exec_text(struct sbx_judge *j, const struct sbx_use *use, uint32_t at)
{
    const struct sbx_value *word = use->word[at];
    const char *equals = memchr(word->text, '=', word->len);
    struct sbx_value value = *word;
    if (equals) {
        value.text = equals + 1;
        value.len = word->len - (uint32_t)(equals + 1 - word->text);
    }
    const char *option = equals || at == use->first ? word->text : use->word[at - 1]->text;
    bool transport = !strncmp(value.text, "ext::", 5);
    if (transport || is_ssh_command_option(word->text) ||
        memmem(word->text, word->len, "unixexec:", 9))
        sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "an option that runs a program",
                 "run that program as a command of its own");
    if (sbx_value_is(word, "x11grab") || sbx_value_is(word, "kmsgrab") ||
        sbx_value_is(word, "avfoundation") || sbx_value_is(word, "gdigrab"))
        sbx_find(j, SBX_ASK, SBX_CLASS_NONE, "somebody's desktop", "leave the desktop to its user");
    if (is_reset_task(word) || (!strcmp(use->name, "django-admin") && sbx_value_is(word, "flush")))
        sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY, "a database emptied",
                 "this loses data; ask first, or work on a copy");
    static const char *const loads[] = {"-plugin",     "--plugin", "-load",   "--load",  "-Xclang",
                                        "--extension", "--engine", "-engine", "--module"};
    bool library = false;
    for (size_t i = 0; i < sizeof(loads) / sizeof(*loads); i++)
        library |= !strcmp(option, loads[i]) && value.len > 4 && strchr(value.text, '/') &&
                   !strcmp(value.text + value.len - 3, ".so");
    if (library || loads_library(word) || !strncmp(word->text, "-agentpath:", 11) ||
        !strncmp(word->text, "-javaagent:", 11))
        sbx_find(j, SBX_DENY, SBX_CLASS_PERSISTENCE, "a library to load into a program",
                 "run the program without libraries of your own");
    if (names_program(option, &value))
        sbx_find(j, SBX_ASK, SBX_CLASS_SHELL_EVASION, "an option that runs a program",
                 "run that program as a command of its own");
}

/* Whether the word behind this option or operand is likely to be run: -e, --run=, exec. */
static bool runs_next(const char *before)
{
    static const char *const whole[] = {"-e", "-c", "-x", "-r", "exec", "run", "spawn", "-exec"};
    static const char *const parts[] = {"--run",    "--exec",  "--command", "--cmd",      "--shell",
                                        "--hook",   "--on-",   "--eval",    "--post",     "--pre-",
                                        "--before", "--after", "scripts.",  "-Dexec.args"};
    for (size_t i = 0; i < sizeof(whole) / sizeof(*whole); i++)
        if (!strcmp(before, whole[i]))
            return true;
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
        if (!strncmp(before, parts[i], strlen(parts[i])))
            return true;
    return false;
}

/* xterm -e 'rm -rf ~', --run_under='rm -rf ~': one word that is a dangerous command line. */
static void check_code_word(struct sbx_judge *j, const struct sbx_use *use, uint32_t at)
{
    const struct sbx_value *word = use->word[at];
    const char *equals = memchr(word->text, '=', word->len);
    bool joined = equals && runs_next(word->text);
    if (!joined && (at == use->first || !runs_next(use->word[at - 1]->text)))
        return;
    const struct sbx_value *text =
        joined ? sbx_value_tail(j, word, (uint32_t)(equals + 1 - word->text)) : word;
    size_t name = strcspn(text->text, " ");
    const struct sbx_command_row *row =
        text->text[name] ? sbx_command_find(text->text, name) : NULL;
    struct sbx_flow out = {0};
    if (row && (row->flags & SBX_CMD_DANGER))
        sbx_judge_code(j, text, NULL, &out);
}

/* jupyter --ip=0.0.0.0, redis-server --bind 0.0.0.0: open to every network. */
static void check_bound(struct sbx_judge *j, const struct sbx_use *use, uint32_t at)
{
    static const char *const options[] = {
        "-b",       "--bind", "--host",     "-H",        "--address",   "--ip",
        "--listen", "-l",     "--hostname", "--bind_ip", "--bind-addr", "--server.address"};
    const char *text = use->word[at]->text, *equals = strchr(text, '=');
    const char *value = equals ? equals + 1 : text;
    const char *option = equals ? text : at > use->first ? use->word[at - 1]->text : "";
    size_t len = strcspn(option, "=");
    bool open = !strncmp(value, "0.0.0.0", 7) || !strcmp(value, "::") || !strcmp(value, "[::]");
    bool named = !strcmp(text, "--bind_ip_all");
    for (size_t i = 0; open && i < sizeof(options) / sizeof(*options); i++)
        named |= strlen(options[i]) == len && !memcmp(options[i], option, len);
    if (named)
        sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "a service open to every network",
                 "bind it to 127.0.0.1");
}

/* Text in options and operands: "!sh", "shell sh", system("sh"). */
static void check_texts(struct sbx_judge *j, const struct sbx_use *use)
{
    for (uint32_t i = use->first; i < use->words; i++) {
        const struct sbx_value *word = use->word[i];
        struct sbx_value part = path_part(word);
        bool joined = part.text != word->text && word->text[0] == '-';
        const struct sbx_value *text = joined ? &part : word;
        if (becomes_public(use, word))
            continue;
        check_made_source(j, word);
        check_exec_text(j, use, i);
        check_code_word(j, use, i);
        check_bound(j, use, i);
        check_escape(j, text->text, text->len);
        if (is_program_text(text))
            sbx_classify_program(j, "", text, NULL);
    }
}

void sbx_classify_words(struct sbx_judge *j, const struct sbx_use *use)
{
    uint32_t flags = use->row ? use->row->flags : 0;
    bool reads = flags & (SBX_CMD_READONLY | SBX_CMD_FILTER | SBX_CMD_BUILTIN | SBX_CMD_SHELL);
    if (flags & SBX_CMD_DATA)
        return;
    if ((!reads && !(flags & SBX_CMD_WRAPPER)) || (flags & SBX_CMD_PAGER))
        check_input(j, use);
    if (!(reads || flags & SBX_CMD_WRAPPER)) {
        sbx_classify_shown(j, use);
        sbx_classify_trust(j, use);
    }
    if (flags & SBX_CMD_OWN)
        return;
    for (uint32_t i = use->first; i < use->words; i++) {
        const struct sbx_value *word = use->word[i];
        struct sbx_value part = path_part(word);
        if (!is_pathlike(&part) || sbx_mask_unknown(sbx_value_mask(&part, 0)))
            continue;
        bool joined = part.text != word->text && word->text[0] == '-';
        const char *before = joined ? word->text : i > use->first ? use->word[i - 1]->text : "";
        /* Who is no plain reader of names opens a device that it is given. */
        bool asks = (flags & SBX_CMD_READONLY) || (use->row && use->row->check == sbx_check_device);
        bool device = !strncmp(part.text, "/dev/", 5) && !asks;
        check_place(j, &part, device ? SBX_ACCESS_READ : SBX_ACCESS_LIST);
        if (!(flags & SBX_CMD_READONLY) && is_output_option(before))
            check_place(j, &part, SBX_ACCESS_WRITE);
    }
    if (!reads)
        check_shell_words(j, use);
    if (!reads && !(flags & SBX_CMD_WRAPPER))
        check_texts(j, use);
}
