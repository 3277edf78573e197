/* Program text of other languages: what it runs, reads, writes, deletes and sends, as far as names and
 * literals tell. No interpreter: a sieve for what is plainly there. */
#include "policy/classify.h"
#include "policy/program.h"
#include "policy/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define SCAN_MAX ((size_t)256 * 1024)

#define INNER_MAX 4

static unsigned pair_of(const char *at)
{
    return ((unsigned char)at[0] * 37u + (unsigned char)at[1] * 5u) % SBX_PROGRAM_PAIRS;
}

static void note_pairs(struct sbx_program *p)
{
    for (const char *at = p->text; at + 1 < p->end; at++) {
        unsigned pair = pair_of(at);
        p->pairs[pair / 64] |= (uint64_t)1 << (pair % 64);
    }
}

static bool may_hold(const struct sbx_program *p, const char *word)
{
    for (unsigned i = 0; i < 4 && word[i] && word[i + 1]; i++) {
        unsigned pair = pair_of(word + i);
        if (!(p->pairs[pair / 64] >> (pair % 64) & 1))
            return false;
    }
    return true;
}

/* A word with ^ in front stands at the beginning of a name: ^rm( is not confirm(. */
bool sbx_program_has(const struct sbx_program *p, const char *word)
{
    bool start = word[0] == '^';
    if (!may_hold(p, word + start))
        return false;
    size_t len = strlen(word + start);
    for (const char *at = p->text;
         (at = memmem(at, (size_t)(p->end - at), word + start, len)) != NULL; at++)
        if (!start || at == p->text || !(isalnum((unsigned char)at[-1]) || strchr("_.", at[-1])))
            return true;
    return false;
}

static bool has(const struct sbx_program *p, const char *word)
{
    return sbx_program_has(p, word);
}

static bool has_any(const struct sbx_program *p, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (has(p, words[i]))
            return true;
    return false;
}

#define HAS(p, table) has_any(p, table, sizeof(table) / sizeof(*(table)))

static const char *const runs[] = {
    "run-shell-command",
    "$EXEC(",
    "%x(",
    "%x{",
    "%x[",
    "Sys.command",
    "callProcess",
    "run-program",
    "Command::new",
    "exec.Command",
    "Process.run",
    "Process.start(",
    "Run[",
    "process.run",
    "Process.Start",
    "write18",
    "directlua",
    "CALL \"SYSTEM\"",
    "%(",
    "%{lua",
    "exec {",
    "exec{",
    ".execute(",
    "do shell script",
    "doShellScript",
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
    "'https')",
    "\"https\")",
    "'http')",
    "\"http\")",
    "'net')",
    "\"net\")",
    "node:http",
    "node:net",
    "undici",
    "superagent",
    "aiohttp",
    "httpx",
    "Faraday",
    "HTTParty",
    "RestClient",
    "Net::FTP",
    "Net::SMTP",
    "Mojo::UserAgent",
    "pycurl",
    "telnetlib",
    "requests as ",
    "from requests",
    "xmlrpc",
    "stream_socket_client",
    "mail(",
    "ftp_put",
    "Socket.tcp",
    "Deno.connect",
    "WebSocket",
    "XMLHttpRequest",
};

static const char *const fetchers[] = {
    "urlopen",
    "requests.get",
    "(\"requests\").get",
    "('requests').get",
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
    "url-retrieve",
    "url-copy-file",
    "url-insert-file-contents",
};

static const char *const evaluators[] = {
    "(eval)",      "eval)",           "exec(",         "eval(",
    "eval ",       "^compile(",       "^Function(",    "runInThisContext",
    "vm.run",      "loadstring",      "^load(",        "instance_eval",
    "class_eval",  "create_function", "^assert(",      "dofile",
    "eval{",       "importlib",       "marshal.loads", "pickle.loads",
    "eval-buffer", "eval-region",     "load-file",     "(load ",
};

static const char *const deleters[] = {
    "rmtree",
    "os.remove",
    "os.unlink",
    "os.rmdir",
    "removedirs",
    ".unlink(",
    "rmSync",
    "rmdirSync",
    "unlinkSync",
    "fs.rm",
    "fs.unlink",
    "rm_rf",
    "rm_r",
    "File.delete",
    "Dir.rmdir",
    "remove_entry",
    "unlink",
    "rmdir",
    "remove_tree",
    "os.truncate",
    "truncate",
    "shutil.move",
    "os.rename",
    "fs.rename",
    "Deno.remove",
    "file.remove",
    "del ",
    "FileUtils.rm",
    "rimraf",
    "os.removedirs",
    "delete_file",
    "delete-file",
    "delete-directory",
    "RemoveAll",
    "os.Remove(",
    "remove_dir_all",
    "remove_file",
    "Files.delete",
    "deleteRecursively",
    "^rm(",
    "file delete",
    ".rm(",
    "removeDir(",
    "removeFile(",
    "Sys.remove",
    "remove_dir",
    "file-delete",
    "deleteDirectory",
    "removeDirectoryRecursive",
    "del_dir_r",
    "rm_rf!",
    "File.rm",
};

static const char *const tree_deleters[] = {
    "rmtree",          "rmSync",         "rmdirSync",
    "fs.rm",           "rm_rf",          "rm_r",
    "remove_entry",    "remove_tree",    "recursive",
    "rimraf",          "FileUtils.rm",   "delete-directory",
    "RemoveAll",       "remove_dir_all", "deleteRecursively",
    "deleteDirectory", "del_dir_r",      "removeDirectoryRecursive",
    "remove_dir",      "File.rm_rf",
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

static void find(struct sbx_program *p, enum sbx_verdict_kind verdict, enum sbx_class class,
                 const char *what, const char *reason)
{
    sbx_find(p->j, verdict, class, what, reason);
}

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
static const char *const word_raw[] = {"net.Socket(", "TCPSocket.new(",       "TCPSocket.open(",
                                       "new Socket(", "fsockopen(",           "IO::Socket::INET",
                                       "Socket.tcp(", "stream_socket_client("};
static const char *const word_dups[] = {"dup2",  "fileno()", "STDIN", "stdin=", "proc_open",
                                        "spawn", ".pipe(",   "exec",  "popen",  "system"};
static const char *const word_libraries[] = {
    "ctypes.CDLL", "cdll.LoadLibrary", "ffi.load",        "dlopen",
    "dyn.load",    "DynaLoader",       "package.loadlib", "process.dlopen",
    "Fiddle",      "ctypes.cdll",      "load_library",    "CDLL(",
    "LoadModule",  "load_module",      "load_extension",  "load-shared",
    "dynamic-link"};
static const char *const word_forks[] = {"fork()",   "fork(",        "fork while",
                                         "fork;",    "fork ",        "fork}",
                                         "os.fork",  "Process.fork", "spawn(process.execPath",
                                         "Process(", "Popen(",       ".Start()"};
static const char *const word_loops[] = {"while True",  "while 1",      "while(1)",   "while (1)",
                                         "while(true)", "while (true)", "loop {",     "loop{",
                                         "loop do",     "for(;;)",      "for (;;)",   "fork while",
                                         "while True:", "while:",       "while fork", "until 0",
                                         "while true",  "setInterval",  "for{",       "for {",
                                         "iter(int",    "count()",      "loop(",      "forever",
                                         "fork while",  "while fork"};
static const char *const word_environment[] = {"os.environ", "process.env",  "%ENV",
                                               "getenv()",   "ENV.to_",      "$_ENV",
                                               "$_SERVER",   "Sys.getenv()", "os.getenv()"};
static const char *const word_readers[] = {
    "open(", "readFile",  "File.read", "file_get_contents", "IO.read",
    "slurp", "read_text", "File.open", "read_bytes",        "Files.read"};
static const char *const word_posts[] = {"post(",
                                         "put(",
                                         ".request(",
                                         "write(",
                                         ".end(",
                                         "send(",
                                         "sendall(",
                                         "sendmail(",
                                         "data=",
                                         "Post",
                                         "storbinary",
                                         "puts",
                                         "'POST'",
                                         "\"POST\"",
                                         "'PUT'",
                                         "\"PUT\"",
                                         "urlencode(file_get",
                                         "base64_encode(file_get",
                                         "quote(open("};
static const char *const word_everybody[] = {"os.kill(1,",      "os.kill(-1", "kill(-1",
                                             "process.kill(1,", "kill 9, 1",  "kill(1,",
                                             "kill 9,-1",       "os.kill(1 ", "kill 9, -1"};
static const char *const word_decoders[] = {
    "b64decode",     "fromhex(", "unhexlify", "atob(",           "decode_base64",
    "base64_decode", "pack(\"H", "pack('H",   "unpack(\"u",      "'base64')",
    "\"base64\")",   "rot13",    "gzinflate", "zlib.decompress", "decode64"};
static const char *const word_sockets[] = {"Socket", "fsockopen", "socket", "connect(", "net.Dial"};

static void judge_shells(struct sbx_program *p)
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

static void judge_sending(struct sbx_program *p, const struct sbx_flow *in)
{
    bool local = has(p, "localhost") || has(p, "127.0.0.1");
    if (HAS(p, word_connects) && HAS(p, word_sockets) && sbx_program_has_numeric_address(p))
        find(p, SBX_DENY, SBX_CLASS_EXFIL, "a raw connection to an address",
             "use curl with a host name for what you need from the network");
    else if (HAS(p, word_connects) && HAS(p, word_raw) && !local)
        find(p, SBX_ASK, SBX_CLASS_EXFIL, "a raw connection", "use curl for what you need");
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

static void judge_words(struct sbx_program *p, const struct sbx_flow *in)
{
    if (HAS(p, word_rights))
        find(p, SBX_DENY, SBX_CLASS_PRIV_ESC, "a change of user in a program",
             "programs gain no rights here");
    judge_shells(p);
    judge_sending(p, in);
    if (HAS(p, word_libraries) || sbx_program_loads_file(p))
        find(p, SBX_DENY, SBX_CLASS_PERSISTENCE, "a library loaded by a program",
             "use the language's own modules");
    if (HAS(p, word_forks) && HAS(p, word_loops) && !has(p, "wait") && !has(p, "Wait") &&
        !has(p, "listen") && !has(p, "communicate") && !has(p, "break") && !has(p, "sleep("))
        find(p, SBX_DENY, SBX_CLASS_FORK_BOMB, "processes without bound", "give the loop an end");
    if (HAS(p, word_decoders) && (p->evaluates || has(p, "system(")))
        find(p, SBX_ASK, SBX_CLASS_SHELL_EVASION, "decoded data run as code",
             "write the program out instead of decoding it");
    if (HAS(p, word_everybody))
        find(p, SBX_DENY, SBX_CLASS_HOST_CONTROL, "a signal to everything",
             "signal your own processes by their id");
}

static bool has_home_path(const struct sbx_program *p)
{
    return has(p, ".ssh/") || has(p, ".aws/") || has(p, ".gnupg/");
}

static void judge_program(struct sbx_program *p, const struct sbx_flow *in)
{
    if (!sbx_step(p->j, 1 + (size_t)(p->end - p->text) / 128))
        return;
    note_pairs(p);
    p->runs = HAS(p, runs);
    p->sends = HAS(p, senders);
    p->fetches = HAS(p, fetchers);
    p->deletes = HAS(p, deleters);
    p->trees = HAS(p, tree_deleters);
    p->writes = HAS(p, writers);
    p->evaluates = HAS(p, evaluators) || sbx_program_requires_value(p);
    p->names_home = sbx_program_names_home(p);
    judge_words(p, in);
    if (p->writes && has(p, "write") && has(p, "*") && sbx_program_names_huge_number(p))
        find(p, SBX_ASK, SBX_CLASS_NONE, "a file that grows until the disk is full",
             "say how much to write");
    sbx_program_literals(p);
    sbx_program_homes(p);
    sbx_program_printed_secrets(p);
    if (p->runs)
        sbx_program_unknown_commands(p);
    if (!strncmp(p->language, "expect", 6) || !strncmp(p->language, "tclsh", 5))
        sbx_program_bare_commands(p);
    sbx_program_bare_paths(p);
    if (has_home_path(p) &&
        (has(p, "HOME") || has(p, "home()") || has(p, "expanduser") || has(p, "homedir")))
        find(p, SBX_DENY, SBX_CLASS_CRED_READ, "a credential place in a program",
             "leave credential places alone");
}

bool sbx_program_is_endless(const char *language, const struct sbx_value *text)
{
    static const char *const prints[] = {"print", "puts", "write", "console.log", "echo"};
    static const char *const ends[] = {"sleep", "break", "last",  "exit", "return", "input",
                                       "read",  "recv",  "raise", "die",  "wait",   "<STDIN>"};
    struct sbx_program p = {
        .text = text->text, .end = text->text + text->len, .language = language};
    note_pairs(&p);
    return HAS(&p, word_loops) && HAS(&p, prints) && !HAS(&p, ends);
}

void sbx_program_inner(const struct sbx_program *outer, const struct sbx_value *text)
{
    if (outer->depth >= INNER_MAX)
        return;
    struct sbx_program p = {.j = outer->j,
                            .text = text->text,
                            .end = text->text + text->len,
                            .language = outer->language,
                            .depth = outer->depth + 1};
    judge_program(&p, NULL);
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
    struct sbx_program p = {.j = j,
                            .text = text->text,
                            .language = language,
                            .end = text->text + (text->len < SCAN_MAX ? text->len : SCAN_MAX)};
    judge_program(&p, in);
}

void sbx_classify_paths(struct sbx_judge *j, const struct sbx_value *text, bool writes)
{
    struct sbx_program p = {.j = j,
                            .text = text->text,
                            .end = text->text + text->len,
                            .language = "",
                            .writes = writes};
    note_pairs(&p);
    sbx_program_literals(&p);
    sbx_program_bare_paths(&p);
}
