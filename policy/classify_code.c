/* Program text of other languages: what it runs, reads, writes, deletes and sends, as far as names and
 * literals tell. No interpreter: a sieve for what is plainly there. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LITERALS_MAX 256

#define SCAN_MAX ((size_t)256 * 1024)

struct program {
    struct sbx_judge *j;
    const char *text, *end;
    const char *language;
    bool runs, sends, fetches, deletes, writes, evaluates, shells_out;
};

static bool has(const struct program *p, const char *word)
{
    return memmem(p->text, (size_t)(p->end - p->text), word, strlen(word)) != NULL;
}

static bool has_any(const struct program *p, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (has(p, words[i]))
            return true;
    return false;
}

#define HAS(p, table) has_any(p, table, sizeof(table) / sizeof(*(table)))

static const char *const runs[] = {
    "run-shell-command",
    "Process.Start",
    "write18",
    "directlua",
    "CALL \"SYSTEM\"",
    "%(",
    "%{lua",
    "exec {",
    "shell-command",
    "spawn ",
    "system(",
    "system ",
    "popen",
    "subprocess",
    "spawn",
    "execSync",
    "exec(",
    "execl",
    "execv",
    "execFile",
    "child_process",
    "shell_exec",
    "passthru",
    "proc_open",
    "pcntl_exec",
    "qx",
    "`",
    "os.execute",
    "io.popen",
    "Runtime",
    "ProcessBuilder",
    "Open3",
    "IO.popen",
    "Kernel.exec",
    "open3",
    "Deno.Command",
    "Bun.spawn",
    "posix_spawn",
    "pty.",
    "run(",
    "Popen",
    "shell(",
    "run_process",
    "!",
    "exec ",
    "createProcess",
    "callCommand",
    "open(my",
    "|-",
    "-|",
    "execlp",
    "os.execv",
    "rawSystem",
    "os:cmd",
    "System.cmd",
    "System.shell",
    "%pipe%",
    "(shell",
    "syscmd",
    "esyscmd",
    "sh ",
    "pipe(",
    "read(`",
};

static const char *const senders[] = {
    "urlopen(",
    "requests.post",
    "requests.put",
    "requests.request",
    "http.client",
    "socket",
    "smtplib",
    "ftplib",
    "fetch(",
    "https.request",
    "http.request",
    "axios.post",
    "axios.put",
    "net.connect",
    "Net::HTTP",
    "LWP",
    "IO::Socket",
    "TCPSocket",
    "fsockopen",
    "curl_exec",
    "file_get_contents('http",
    "file_get_contents(\"http",
    "httpx.post",
    "urllib.request",
    "net.Socket",
    "net.createConnection",
    "dgram",
    "tls.connect",
    "TCPServer",
    "socketConnection",
    "HTTP::Tiny",
    "paramiko",
};

static const char *const fetchers[] = {
    "urlopen",
    "requests.get",
    "urlretrieve",
    "fetch(",
    "http.get",
    "https.get",
    "axios.get",
    "Net::HTTP.get",
    "URI.open",
    "open-uri",
    "LWP::Simple",
    "HTTP::Tiny",
    "file_get_contents('http",
    "file_get_contents(\"http",
    "httpx.get",
    "curl_exec",
    "wget",
    "curl ",
};

static const char *const evaluators[] = {
    "(eval)",        "eval)",      "exec(",      "eval(",
    "eval ",         "compile(",   "Function(",  "runInThisContext",
    "vm.run",        "__import__", "loadstring", "load(",
    "instance_eval", "class_eval", "require(",   "create_function",
    "assert(",       "dofile",     "include ",   "include(",
    "eval{",
};

static const char *const deleters[] = {
    "rmtree",       "os.remove",   "os.unlink",
    "os.rmdir",     "removedirs",  ".unlink(",
    "rmSync",       "rmdirSync",   "unlinkSync",
    "fs.rm",        "fs.unlink",   "rm_rf",
    "rm_r",         "File.delete", "Dir.rmdir",
    "remove_entry", "unlink",      "rmdir",
    "remove_tree",  "os.truncate", "truncate",
    "shutil.move",  "os.rename",   "fs.rename",
    "Deno.remove",  "file.remove", "del ",
    "FileUtils.rm", "rimraf",      "os.removedirs",
    "delete_file",  "delete-file", "delete-directory",
};

static const char *const tree_deleters[] = {
    "rmtree",       "rmSync",      "rmdirSync", "fs.rm",  "rm_rf",        "rm_r",
    "remove_entry", "remove_tree", "recursive", "rimraf", "FileUtils.rm", "delete-directory",
};

static const char *const writers[] = {
    "FileWriter",
    "write(",
    "cp(",
    "spit",
    "Out-File",
    "dump ",
    "/save ",
    "file {",
    "\\write",
    "'w'",
    "\"w\"",
    "'a'",
    "\"a\"",
    "'wb'",
    "\"wb\"",
    "'w+'",
    "\"w+\"",
    "'ab'",
    "'>",
    "\">",
    "write_text",
    "write_bytes",
    "writeFile",
    "appendFile",
    "file_put_contents",
    "File.write",
    "IO.write",
    "copyfile",
    "shutil.copy",
    "createWriteStream",
    "symlink",
    "copyFile",
    "os.link",
    "writeTextFile",
    "write.table",
    "writeLines",
    "sink(",
    "cat(",
    "fputs",
    "fwrite",
    "open('w",
    "write-region",
    "write-file",
    "file.write",
    "mode='w",
    "mode=\"w",
    ":w",
    "os.chmod",
    "chmod",
    "os.chown",
    "mkdir",
};

static void find(struct program *p, enum sbx_verdict_kind verdict, enum sbx_class class,
                 const char *what, const char *reason)
{
    sbx_find(p->j, verdict, class, what, reason);
}

/* --- what the words mean together ---------------------------------------------------------------------------------- */
/* --- words that mean something together -------------------------------------------------------- */
static const char *const word_rights[] = {"setuid(",
                                          "seteuid(",
                                          "setresuid(",
                                          "setreuid(",
                                          "setgid(",
                                          "POSIX::setuid",
                                          "Process::Sys.setuid",
                                          "Process::UID",
                                          "process.setuid",
                                          "posix_setuid",
                                          "$<=",
                                          "$>=",
                                          "$< =",
                                          "$> =",
                                          "chroot(",
                                          "os.unshare",
                                          "os.setns"};
static const char *const word_shells[] = {
    "spawn sh",    "spawn bash",   "spawn /bin/sh", "spawn /bin/bash",
    "exec sh",     "exec bash",    "exec /bin/sh",  "exec /bin/bash",
    "exec \"sh\"", "exec 'sh'",    "write18{sh}",   "\"sh 1>&0\"",
    "(/bin/sh)",   "`sh`",         "USING \"sh\"",  "%(sh ",
    "\"/bin/sh\"", "'/bin/sh'",    "\"/bin/bash\"", "'/bin/bash'",
    "\"sh\"",      "'sh'",         "\"bash\"",      "'bash'",
    "/bin/sh -i",  "/bin/bash -i", "\"/bin/zsh\"",  "\"/bin/sh",
    "'/bin/sh",    "\"/bin/bash",  "'/bin/bash",    "pty.spawn",
    "`/bin/sh",    "q(/bin/sh",    "(sh)",          "/bin/sh,",
    "{/bin/sh",    "qx(/bin/sh"};
static const char *const word_connects[] = {
    "net.Dial",  "socket ",   "connect(",    "Socket",    "socket",
    "fsockopen", "TCPSocket", "net.connect", "/inet/tcp", "socketConnection"};
static const char *const word_dups[] = {"dup2",  "fileno()", "STDIN", "stdin=", "proc_open",
                                        "spawn", ".pipe(",   "exec",  "popen",  "system"};
static const char *const word_libraries[] = {
    "ctypes.CDLL",     "cdll.LoadLibrary", "ffi.load", "dlopen",      "dyn.load",     "DynaLoader",
    "package.loadlib", "process.dlopen",   "Fiddle",   "ctypes.cdll", "load_library", "CDLL("};
static const char *const word_forks[] = {
    "fork()",  "fork(",   "fork while",   "fork;",
    "fork ",   "os.fork", "Process.fork", "spawn(process.execPath",
    "Process("};
static const char *const word_loops[] = {
    "while True",  "while 1", "while(1)",   "while (1)", "while(true)", "while (true)",
    "loop {",      "loop{",   "loop do",    "for(;;)",   "for (;;)",    "fork while",
    "while True:", "while:",  "while fork", "until 0",   "while true",  "setInterval"};
static const char *const word_environment[] = {"os.environ", "process.env",  "%ENV",
                                               "getenv()",   "ENV.to_",      "$_ENV",
                                               "$_SERVER",   "Sys.getenv()", "os.getenv()"};
static const char *const word_readers[] = {
    "open(", "readFile",  "File.read", "file_get_contents", "IO.read",
    "slurp", "read_text", "File.open", "read_bytes",        "Files.read"};
static const char *const word_posts[] = {
    "post(",    "put(",  ".request(", "write(",     ".end(", "send(",
    "sendall(", "data=", "Post",      "storbinary", "puts"};
static const char *const word_everybody[] = {"os.kill(1,",      "os.kill(-1", "kill(-1",
                                             "process.kill(1,", "kill 9, 1",  "kill(1,",
                                             "kill 9,-1",       "os.kill(1 ", "kill 9, -1"};
static const char *const word_sockets[] = {"Socket", "fsockopen", "socket", "connect(", "net.Dial"};

/* An address in numbers that is not the loopback. */
static bool has_numeric_address(const struct program *p)
{
    for (const char *at = p->text; at < p->end; at++) {
        if (!isdigit((unsigned char)*at) || (at > p->text && isalnum((unsigned char)at[-1])))
            continue;
        unsigned dots = 0;
        const char *c = at;
        for (; c < p->end && (isdigit((unsigned char)*c) || *c == '.'); c++)
            dots += *c == '.';
        if (dots == 3 && strncmp(at, "127.", 4) != 0 && strncmp(at, "0.0.0.0", 7) != 0)
            return true;
        at = c - 1;
    }
    return false;
}

static void judge_shells(struct program *p)
{
    static const char *const names[] = {"/bin/sh", "/bin/bash", "sh <&", "sh -i", "cmd"};
    bool shell = HAS(p, word_shells) && (p->runs || has(p, "exec") || has(p, "spawn"));
    if (HAS(p, word_connects) && HAS(p, word_dups) && (shell || HAS(p, names)))
        find(p, SBX_DENY, SBX_CLASS_EXFIL, "a shell on a network connection",
             "nobody logs in this way");
    else if (shell && !has(p, "-c") && !has(p, "executable=") && !has(p, "shell="))
        find(p, SBX_DENY, SBX_CLASS_NESTED_SHELL, "a shell started by a program",
             "you are in a shell already; run the command itself");
}

static void judge_sending(struct program *p, const struct sbx_flow *in)
{
    bool local = has(p, "localhost") || has(p, "127.0.0.1");
    if (HAS(p, word_connects) && HAS(p, word_sockets) && has_numeric_address(p))
        find(p, SBX_DENY, SBX_CLASS_EXFIL, "a raw connection to an address",
             "use curl with a host name for what you need from the network");
    if (p->evaluates && (p->fetches || (in && in->taint & SBX_TAINT_NET && has(p, "stdin"))))
        find(p, SBX_DENY, SBX_CLASS_REMOTE_CODE, "code from the network",
             "save it to a file, read it, and run the file in a later command");
    if (HAS(p, word_environment) && p->sends && !has(p, "environ.get") && !has(p, "environ["))
        find(p, SBX_DENY, SBX_CLASS_EXFIL, "the environment sent away",
             "keep the environment here");
    if (p->sends && HAS(p, word_readers) && HAS(p, word_posts) && !local && !has(p, "urlretrieve"))
        find(p, SBX_ASK, SBX_CLASS_EXFIL, "local data sent by a program",
             "sending data away needs approval");
}

static void judge_words(struct program *p, const struct sbx_flow *in)
{
    if (HAS(p, word_rights))
        find(p, SBX_DENY, SBX_CLASS_PRIV_ESC, "a change of user in a program",
             "programs gain no rights here");
    judge_shells(p);
    judge_sending(p, in);
    if (HAS(p, word_libraries))
        find(p, SBX_DENY, SBX_CLASS_PERSISTENCE, "a library loaded by a program",
             "use the language's own modules");
    if (HAS(p, word_forks) && HAS(p, word_loops) && !has(p, "wait") && !has(p, "listen"))
        find(p, SBX_DENY, SBX_CLASS_FORK_BOMB, "processes without bound", "give the loop an end");
    if (HAS(p, word_everybody))
        find(p, SBX_DENY, SBX_CLASS_HOST_CONTROL, "a signal to everything",
             "signal your own processes by their id");
}

/* --- string literals -------------------------------------------------------------------------------------------------- */
static bool is_pathlike(const char *text, size_t len)
{
    if (len == 1 && text[0] == '/')
        return true;
    if (len < 2 || len > 400 || memchr(text, '\n', len) || memmem(text, len, "://", 3))
        return false;
    return text[0] == '/' || text[0] == '~' || !strncmp(text, "../", 3) ||
           (text[0] == '.' && len > 3 && !memchr(text, ' ', len));
}

static void judge_path(struct program *p, const char *text, size_t len)
{
    struct sbx_judge *j = p->j;
    static const char *const trees[] = {""};
    (void)trees;
    struct sbx_text value = {.arena = &j->arena};
    if (text[0] == '~' && (len == 1 || text[1] == '/')) {
        sbx_text_put(&value, j->home, strlen(j->home), SBX_MASK_LITERAL);
        text++;
        len--;
    }
    sbx_text_put(&value, text, len, SBX_MASK_LITERAL);
    /* unlink glob("x*") */
    for (uint32_t i = 0; p->deletes && has(p, "glob") && i < value.len; i++)
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
        (void)sbx_check_path(j, path,
                             HAS(p, tree_deleters) ? SBX_ACCESS_DELETE_TREE : SBX_ACCESS_DELETE);
    else if (p->writes && !sbx_path_below(real, "/usr") && !sbx_path_below(real, "/bin"))
        (void)sbx_check_path(j, path, SBX_ACCESS_WRITE);
    if (p->sends && taint)
        sbx_find_sent(j, taint);
}

static void judge_literal(struct program *p, const char *text, size_t len, bool keyword)
{
    struct sbx_judge *j = p->j;
    if (is_pathlike(text, len))
        judge_path(p, text, len);
    if (!p->runs || len < 2 || keyword)
        return;
    /* Given to something that runs programs: judged as shell code where it begins like a command. */
    size_t word = 0;
    while (word < len && !isspace((unsigned char)text[word]))
        word++;
    const char *base = memrchr(text, '/', word);
    base = base ? base + 1 : text;
    const struct sbx_command_row *row = sbx_command_find(base, (size_t)(text + word - base));
    if (!row || (word == len && !(row->flags & SBX_CMD_DANGER)))
        return;
    struct sbx_value *code = sbx_value_new(&j->arena, text, len);
    struct sbx_flow out = {0};
    if (code)
        sbx_judge_code(j, code, NULL, &out);
}

/* ["rm", "-rf", "/"] is a command as well. */
static void judge_list(struct program *p, const char *at)
{
    struct sbx_judge *j = p->j;
    struct sbx_value *words[16];
    uint32_t count = 0;
    while (at < p->end && count < 16) {
        while (at < p->end && (isspace((unsigned char)*at) || *at == ',' || *at == '['))
            at++;
        if (at >= p->end || (*at != '"' && *at != '\''))
            break;
        char quote = *at++;
        const char *close = memchr(at, quote, (size_t)(p->end - at));
        if (!close)
            break;
        words[count] = sbx_value_new(&j->arena, at, (size_t)(close - at));
        if (!words[count])
            return;
        count++;
        at = close + 1;
    }
    if (count < 2 || !sbx_command_find(words[0]->text, words[0]->len))
        return;
    struct sbx_value **argv = sbx_arena_alloc(&j->arena, count * sizeof(*argv));
    if (!argv)
        return;
    memcpy(argv, words, count * sizeof(*argv));
    struct sbx_flow out = {0};
    sbx_judge_argv(j, (struct sbx_argv){argv, count}, NULL, &out);
}

static void judge_literals(struct program *p)
{
    unsigned count = 0;
    const char *last = p->text;
    for (const char *at = p->text; at < p->end && count < LITERALS_MAX; at++) {
        if (*at == '[' || *at == '(') {
            if (p->runs && at + 1 < p->end && (at[1] == '"' || at[1] == '\''))
                judge_list(p, at + 1);
            /* qx(…), %x(…), q(…) */
            bool macro = at - p->text > 6 && !strncmp(at - 6, "syscmd", 6);
            if (*at == '(' && at > p->text && (at[-1] == 'x' || macro)) {
                const char *close = memchr(at, ')', (size_t)(p->end - at));
                if (close)
                    judge_literal(p, at + 1, (size_t)(close - at - 1), false);
            }
            continue;
        }
        if (*at != '"' && *at != '\'' && *at != '`')
            continue;
        const char *close = at + 1;
        while (close < p->end && *close != *at)
            close += *close == '\\' && close + 1 < p->end ? 2 : 1;
        bool one_line =
            *at != '`' && (!strncmp(p->language, "py", 2) || !strncmp(p->language, "node", 4));
        if (close >= p->end || (one_line && memchr(at, '\n', (size_t)(close - at))))
            continue; /* an apostrophe */
        /* executable="/bin/bash" names what runs the text, which is judged. */
        bool keyword =
            at > p->text && at[-1] == '=' && at - p->text > 2 && isalpha((unsigned char)at[-2]);
        judge_literal(p, at + 1, (size_t)(close - at - 1), keyword);
        count++;
        at = close;
        last = close;
    }
    (void)last;
}

/* Paths that stand in the text without quotes: perl's <…>, tcl's words, dc, bc. */
static void judge_bare_paths(struct program *p)
{
    char quote = 0;
    for (const char *at = p->text; at + 2 < p->end; at++) {
        /* In a string a path among other words is text; a path alone was looked at already. */
        if (quote ? *at == quote : *at == '"' || *at == '\'')
            quote = quote ? 0 : *at;
        if (*at == '\n')
            quote = 0;
        if (quote)
            continue;
        bool start = at == p->text || strchr(" \t\n({[<=,'\"`:;", at[-1]);
        if (!start || *at != '/' || !(isalpha((unsigned char)at[1])))
            continue;
        size_t len = 1;
        while (at + len < p->end && (isalnum((unsigned char)at[len]) || strchr("/._-", at[len])))
            len++;
        struct sbx_value *path = sbx_value_new(&p->j->arena, at, len);
        char real[SBX_PATH_BYTES];
        bool is_path = path && sbx_path_of(p->j, path, real, sizeof(real));
        if (is_path && sbx_place_is_protected(p->j, real))
            (void)sbx_check_path(p->j, path, SBX_ACCESS_READ);
        if (is_path && p->writes &&
            (sbx_place_is_startup(p->j, real) || !strncmp(real, "/etc/", 5)))
            (void)sbx_check_path(p->j, path, SBX_ACCESS_WRITE);
        at += len - 1;
    }
}

/* system(…) with something that is put together: nobody knows what runs. */
static bool has_home_path(const struct program *p)
{
    return has(p, ".ssh/") || has(p, ".aws/") || has(p, ".gnupg/");
}

void sbx_classify_program(struct sbx_judge *j, const char *language, const struct sbx_value *text,
                          const struct sbx_flow *in)
{
    if (text->taint & SBX_TAINT_NET)
        sbx_find(j, SBX_DENY, SBX_CLASS_REMOTE_CODE, "code from the network",
                 "save it to a file, read it, and run the file in a later command");
    else if (text->len == 1 && sbx_value_has(text, SBX_MASK_UNKNOWN))
        sbx_find(j, SBX_ASK, SBX_CLASS_SHELL_EVASION, "code that is not known before it runs",
                 "write the program into a file and run the file");
    struct program p = {.j = j,
                        .text = text->text,
                        .language = language,
                        .end = text->text + (text->len < SCAN_MAX ? text->len : SCAN_MAX)};
    p.runs = HAS(&p, runs);
    p.sends = HAS(&p, senders);
    p.fetches = HAS(&p, fetchers);
    p.deletes = HAS(&p, deleters);
    p.writes = HAS(&p, writers);
    p.evaluates = HAS(&p, evaluators);
    judge_words(&p, in);
    judge_literals(&p);
    judge_bare_paths(&p);
    if (has_home_path(&p) &&
        (has(&p, "HOME") || has(&p, "home()") || has(&p, "expanduser") || has(&p, "homedir")))
        sbx_find(j, SBX_DENY, SBX_CLASS_CRED_READ, "a credential place in a program",
                 "leave credential places alone");
}

void sbx_classify_paths(struct sbx_judge *j, const struct sbx_value *text, bool writes)
{
    struct program p = {.j = j,
                        .text = text->text,
                        .end = text->text + text->len,
                        .language = "",
                        .writes = writes};
    judge_literals(&p);
    judge_bare_paths(&p);
}
