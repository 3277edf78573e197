/* Variables that make other programs run something. */
#include "policy/classify.h"
#include "policy/place.h"

#include <ctype.h>
#include <string.h>

enum env_kind {
    ENV_PROGRAM, /* names a program: harmless tools are fine */
    ENV_FILE,    /* names a file of code: any value but an empty one */
    ENV_FLAGS,   /* options; some of them load code */
    ENV_PATH,
    ENV_PROMPT,
    ENV_LIBRARY,
    ENV_HISTORY,
    ENV_GITDIR,
    ENV_PUBLIC, /* becomes part of a commit */
    ENV_TRUST,  /* switches the check of certificates off */
};

static const struct {
    const char *name;
    enum env_kind kind;
} env_names[] = {
    {"AUTOM4TE",                            ENV_PROGRAM},
    {"AUTOCONF",                            ENV_PROGRAM},
    {"AUTOHEADER",                          ENV_PROGRAM},
    {"AUTOMAKE",                            ENV_PROGRAM},
    {"ACLOCAL",                             ENV_PROGRAM},
    {"LIBTOOLIZE",                          ENV_PROGRAM},
    {"LD_PRELOAD",                          ENV_LIBRARY},
    {"LD_AUDIT",                            ENV_LIBRARY},
    {"LD_PROFILE_OUTPUT",                   ENV_LIBRARY},
    {"GCONV_PATH",                          ENV_LIBRARY},
    {"OPENSSL_CONF",                        ENV_FILE   },
    {"OPENSSL_ENGINES",                     ENV_LIBRARY},
    {"BASH_ENV",                            ENV_FILE   },
    {"ENV",                                 ENV_FILE   },
    {"ZDOTDIR",                             ENV_FILE   },
    {"INPUTRC",                             ENV_FILE   },
    {"PYTHONSTARTUP",                       ENV_FILE   },
    {"PYTHONINSPECT",                       ENV_FLAGS  },
    {"PYTHONHOME",                          ENV_FILE   },
    {"PYTHONBREAKPOINT",                    ENV_PROGRAM},
    {"PYTHONWARNINGS",                      ENV_FLAGS  },
    {"PERL5OPT",                            ENV_FILE   },
    {"PERL5DB",                             ENV_FILE   },
    {"PERL5SHELL",                          ENV_FILE   },
    {"RUBYOPT",                             ENV_FLAGS  },
    {"NODE_OPTIONS",                        ENV_FLAGS  },
    {"NODE_REPL_EXTERNAL_MODULE",           ENV_FILE   },
    {"JAVA_TOOL_OPTIONS",                   ENV_FLAGS  },
    {"_JAVA_OPTIONS",                       ENV_FLAGS  },
    {"JDK_JAVA_OPTIONS",                    ENV_FLAGS  },
    {"MAVEN_OPTS",                          ENV_FLAGS  },
    {"GRADLE_OPTS",                         ENV_FLAGS  },
    {"SBT_OPTS",                            ENV_FLAGS  },
    {"LUA_INIT",                            ENV_FILE   },
    {"LUA_INIT_5_4",                        ENV_FILE   },
    {"LUA_INIT_5_3",                        ENV_FILE   },
    {"JULIA_LOAD_PATH",                     ENV_FILE   },
    {"R_PROFILE",                           ENV_FILE   },
    {"R_PROFILE_USER",                      ENV_FILE   },
    {"R_ENVIRON_USER",                      ENV_FILE   },
    {"PHPRC",                               ENV_FILE   },
    {"PHP_INI_SCAN_DIR",                    ENV_FILE   },
    {"PROMPT_COMMAND",                      ENV_PROGRAM},
    {"PS0",                                 ENV_PROMPT },
    {"PS1",                                 ENV_PROMPT },
    {"PS2",                                 ENV_PROMPT },
    {"PS4",                                 ENV_PROMPT },
    {"PATH",                                ENV_PATH   },
    {"GIT_SSH_COMMAND",                     ENV_PROGRAM},
    {"GIT_SSH",                             ENV_PROGRAM},
    {"GIT_EDITOR",                          ENV_PROGRAM},
    {"GIT_SEQUENCE_EDITOR",                 ENV_PROGRAM},
    {"GIT_PAGER",                           ENV_PROGRAM},
    {"GIT_ASKPASS",                         ENV_PROGRAM},
    {"GIT_EXTERNAL_DIFF",                   ENV_PROGRAM},
    {"GIT_PROXY_COMMAND",                   ENV_PROGRAM},
    {"GIT_EXEC_PATH",                       ENV_FILE   },
    {"GIT_TEMPLATE_DIR",                    ENV_FILE   },
    {"GIT_CONFIG_PARAMETERS",               ENV_FILE   },
    {"GIT_CONFIG_GLOBAL",                   ENV_GITDIR },
    {"GIT_CONFIG_SYSTEM",                   ENV_GITDIR },
    {"GIT_CONFIG",                          ENV_GITDIR },
    {"GIT_DIR",                             ENV_GITDIR },
    {"GIT_COMMON_DIR",                      ENV_GITDIR },
    {"GIT_ALTERNATE_OBJECT_DIRECTORIES",    ENV_GITDIR },
    {"EDITOR",                              ENV_PROGRAM},
    {"VISUAL",                              ENV_PROGRAM},
    {"FCEDIT",                              ENV_PROGRAM},
    {"PAGER",                               ENV_PROGRAM},
    {"MANPAGER",                            ENV_PROGRAM},
    {"SYSTEMD_PAGER",                       ENV_PROGRAM},
    {"BAT_PAGER",                           ENV_PROGRAM},
    {"DELTA_PAGER",                         ENV_PROGRAM},
    {"BROWSER",                             ENV_PROGRAM},
    {"LESSOPEN",                            ENV_FILE   },
    {"LESSCLOSE",                           ENV_FILE   },
    {"LESSEDIT",                            ENV_PROGRAM},
    {"LESSKEYIN",                           ENV_FILE   },
    {"SSH_ASKPASS",                         ENV_PROGRAM},
    {"SUDO_ASKPASS",                        ENV_PROGRAM},
    {"RUSTC_WRAPPER",                       ENV_PROGRAM},
    {"CARGO_BUILD_RUSTC",                   ENV_PROGRAM},
    {"CARGO_BUILD_RUSTC_WRAPPER",           ENV_PROGRAM},
    {"CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER", ENV_PROGRAM},
    {"RUSTC_WORKSPACE_WRAPPER",             ENV_PROGRAM},
    {"RUSTC",                               ENV_PROGRAM},
    {"RUSTDOC",                             ENV_PROGRAM},
    {"CARGO",                               ENV_PROGRAM},
    {"CC",                                  ENV_PROGRAM},
    {"CXX",                                 ENV_PROGRAM},
    {"LD",                                  ENV_PROGRAM},
    {"AR",                                  ENV_PROGRAM},
    {"MAKEFLAGS",                           ENV_FLAGS  },
    {"MAKEFILES",                           ENV_FILE   },
    {"GOFLAGS",                             ENV_FLAGS  },
    {"TAR_OPTIONS",                         ENV_FLAGS  },
    {"TAPE",                                ENV_FLAGS  },
    {"RSYNC_RSH",                           ENV_PROGRAM},
    {"RSYNC_CONNECT_PROG",                  ENV_PROGRAM},
    {"CVS_RSH",                             ENV_PROGRAM},
    {"SVN_SSH",                             ENV_PROGRAM},
    {"SVN_EDITOR",                          ENV_PROGRAM},
    {"HGEDITOR",                            ENV_PROGRAM},
    {"HGRCPATH",                            ENV_FILE   },
    {"KUBE_EDITOR",                         ENV_PROGRAM},
    {"KUBECTL_EXTERNAL_DIFF",               ENV_PROGRAM},
    {"FZF_DEFAULT_COMMAND",                 ENV_PROGRAM},
    {"SSH_SK_HELPER",                       ENV_PROGRAM},
    {"SSH_PKCS11_HELPER",                   ENV_PROGRAM},
    {"CMAKE_C_COMPILER_LAUNCHER",           ENV_PROGRAM},
    {"CMAKE_CXX_COMPILER_LAUNCHER",         ENV_PROGRAM},
    {"GIT_AUTHOR_NAME",                     ENV_PUBLIC },
    {"GIT_AUTHOR_EMAIL",                    ENV_PUBLIC },
    {"GIT_COMMITTER_NAME",                  ENV_PUBLIC },
    {"GIT_COMMITTER_EMAIL",                 ENV_PUBLIC },
    {"NODE_TLS_REJECT_UNAUTHORIZED",        ENV_TRUST  },
    {"PYTHONHTTPSVERIFY",                   ENV_TRUST  },
    {"GIT_SSL_NO_VERIFY",                   ENV_TRUST  },
    {"GOINSECURE",                          ENV_TRUST  },
    {"GONOSUMDB",                           ENV_TRUST  },
    {"GONOSUMCHECK",                        ENV_TRUST  },
    {"VIMINIT",                             ENV_FILE   },
    {"EXINIT",                              ENV_FILE   },
    {"MYVIMRC",                             ENV_FILE   },
    {"GVIMINIT",                            ENV_FILE   },
    {"TEXEDIT",                             ENV_PROGRAM},
    {"PSQL_PAGER",                          ENV_PROGRAM},
    {"PSQL_EDITOR",                         ENV_PROGRAM},
    {"PSQLRC",                              ENV_FILE   },
    {"npm_config_script_shell",             ENV_PROGRAM},
    {"npm_config_node_gyp",                 ENV_PROGRAM},
    {"PIP_CONFIG_FILE",                     ENV_FILE   },
    {"GTK_MODULES",                         ENV_LIBRARY},
    {"QT_PLUGIN_PATH",                      ENV_LIBRARY},
    {"CLASSPATH_PREFIX",                    ENV_FILE   },
    {"DOTNET_STARTUP_HOOKS",                ENV_LIBRARY},
    {"CORECLR_PROFILER_PATH",               ENV_LIBRARY},
    {"COR_PROFILER_PATH",                   ENV_LIBRARY},
    {"ERL_AFLAGS",                          ENV_FLAGS  },
    {"ERL_FLAGS",                           ENV_FLAGS  },
    {"ELIXIR_ERL_OPTIONS",                  ENV_FLAGS  },
    {"OCAMLRUNPARAM",                       ENV_FLAGS  },
    {"HISTFILE",                            ENV_HISTORY},
    {"HISTSIZE",                            ENV_HISTORY},
    {"HISTFILESIZE",                        ENV_HISTORY},
    {"HISTCONTROL",                         ENV_HISTORY},
    {"HISTIGNORE",                          ENV_HISTORY},
    {"SHELL",                               ENV_PROGRAM},
    {"ANSIBLE_CONFIG",                      ENV_FILE   },
};

static const char *const harmless_tools[] = {
    "cat",      "less",    "more",   "true",     "false",     ":",           "vi",      "vim",
    "nvim",     "nano",    "emacs",  "ed",       "code",      "head",        "tail",    "bat",
    "delta",    "most",    "view",   "micro",    "hx",        "sccache",     "ccache",  "distcc",
    "gcc",      "g++",     "cc",     "c++",      "clang",     "clang++",     "ld",      "lld",
    "mold",     "gold",    "ar",     "ranlib",   "gzip",      "gunzip",      "bzip2",   "bunzip2",
    "xz",       "unxz",    "zstd",   "unzstd",   "lz4",       "lzop",        "lzma",    "pigz",
    "pbzip2",   "zcat",    "brotli", "ssh",      "echo",      "rustc",       "rustdoc", "cargo",
    "python",   "python3", "node",   "firefox",  "col",       "ssh-askpass", "gpg",     "gpg2",
    "cp",       "vimdiff", "meld",   "diff",     "kdiff3",    "opendiff",    "cache",   "store",
    "musl-gcc", "never",   "auto",   "isort",    "date",      "nocaps",      "icecc",   "chromium",
    "w3m",      "lynx",    "links",  "xdg-open", "colordiff",
};

/* The bare name, perhaps below a system directory, with a version and plain flags behind it. */
bool sbx_is_harmless_tool(const struct sbx_value *value)
{
    const char *text = value->text;
    if (!value->len)
        return true;
    if (!sbx_value_known(value) || strpbrk(text, ";|&`$<>(){}\n\\'\"!*?"))
        return false;
    size_t len = strcspn(text, " ");
    if (!strncmp(text, "/usr/bin/", 9) || !strncmp(text, "/bin/", 5)) {
        size_t skip = text[1] == 'u' ? 9 : 5;
        text += skip;
        len -= skip;
    }
    size_t name = len;
    while (name > 1 && (isdigit((unsigned char)text[name - 1]) || text[name - 1] == '.' ||
                        text[name - 1] == '-'))
        name--;
    const char *triplet = NULL;
    for (size_t i = 0; i < name; i++)
        if (text[i] == '-' &&
            (!strncmp(text + i + 1, "gcc", 3) || !strncmp(text + i + 1, "g++", 3)))
            triplet = text + i + 1;
    if (triplet) {
        name -= (size_t)(triplet - text);
        text = triplet;
    }
    bool found = false;
    for (size_t i = 0; i < sizeof(harmless_tools) / sizeof(*harmless_tools); i++)
        found |= strlen(harmless_tools[i]) == name && !memcmp(harmless_tools[i], text, name);
    if (!found)
        return false;
    /* Plain flags only: no operand, no -c of a shell, no +! of an editor. */
    bool shell = !strncmp(text, "python", 6) || !strncmp(text, "node", 4);
    for (const char *at = value->text + strcspn(value->text, " "); *at;) {
        at += strspn(at, " ");
        size_t word = strcspn(at, " ");
        if (word && (at[0] != '-' || shell) && !(word <= 2 && isdigit((unsigned char)at[0])))
            return false;
        if (word &&
            (!strncmp(at, "-c", 2) || !strncmp(at, "-e", 2) || !strncmp(at, "-o", 2) ||
             !strncmp(at, "-F", 2)) &&
            (!strncmp(text, "ssh", name) || !strncmp(text, "vi", 2)))
            return false;
        at += word;
    }
    return true;
}

static void find_env(struct sbx_judge *j, enum sbx_verdict_kind verdict, enum sbx_class class,
                     const char *what, const char *reason)
{
    sbx_find(j, verdict, class, what, reason);
}

static bool flags_load_code(const struct sbx_value *value)
{
    static const char *const marks[] = {"--require",
                                        "-r ",
                                        "--import",
                                        "--loader",
                                        "--experimental-loader",
                                        "-javaagent",
                                        "-agentlib",
                                        "-agentpath",
                                        "-toolexec",
                                        "-exec",
                                        "--eval",
                                        "SHELL=",
                                        "--checkpoint",
                                        "--to-command",
                                        "-r/",
                                        "-r.",
                                        "-M",
                                        "-I",
                                        "-e ",
                                        "-run",
                                        "-XX:OnError",
                                        "-XX:OnOutOfMemoryError",
                                        "-p",
                                        "--rsh",
                                        "--use-compress-program",
                                        "-Dexec",
                                        "-f ",
                                        "-pa "};
    for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
        if (memmem(value->text, value->len, marks[i], strlen(marks[i])))
            return true;
    return false;
}

/* A folder in front of the rest where anybody may have put a program. */
static void check_path_value(struct sbx_judge *j, const struct sbx_value *value)
{
    const char *at = value->text, *end = at + value->len;
    bool bad = false;
    while (at <= end) {
        const char *colon = memchr(at, ':', (size_t)(end - at));
        size_t len = (size_t)((colon ? colon : end) - at);
        bool unknown = len && sbx_mask_unknown(sbx_value_mask(value, (size_t)(at - value->text)));
        if (!len)
            bad = true;
        else if (!unknown && (at[0] != '/' && at[0] != '~'))
            bad = true;
        else if (!strncmp(at, "/tmp", 4) || !strncmp(at, "/var/tmp", 8) ||
                 !strncmp(at, "/dev/shm", 8))
            bad = true;
        if (!colon)
            break;
        at = colon + 1;
    }
    if (bad && value->len)
        find_env(j, SBX_ASK, SBX_CLASS_PERSISTENCE, "a folder anybody may fill, in PATH",
                 "put absolute folders of the project into PATH, or name the program by its path");
}

static void check_prompt(struct sbx_judge *j, const struct sbx_value *value)
{
    if (memmem(value->text, value->len, "$(", 2) || memchr(value->text, '`', value->len) ||
        memmem(value->text, value->len, "\\044(", 5))
        find_env(j, SBX_DENY, SBX_CLASS_PERSISTENCE, "a command in the prompt",
                 "leave commands out of the prompt");
}

static void check_git_place(struct sbx_judge *j, const struct sbx_value *value)
{
    char path[SBX_PATH_BYTES];
    if (!value->len || sbx_value_is(value, "/dev/null"))
        return;
    if (sbx_path_of(j, value, path, sizeof(path)) && sbx_path_below(path, j->project))
        return;
    find_env(j, SBX_ASK, SBX_CLASS_PLANTED_REPO, "a repository outside the current work tree",
             "change into that repository and let git find it");
}

static void check_history(struct sbx_judge *j, const char *name, const struct sbx_value *value)
{
    bool size = strstr(name, "SIZE") != NULL;
    bool off = size ? sbx_value_is(value, "0") || !value->len : !strncmp(name, "HISTFILE", 8);
    if (!strcmp(name, "HISTCONTROL") || !strcmp(name, "HISTIGNORE"))
        off =
            strchr(value->text, '*') != NULL && !strncmp(name, "HISTIGNORE", 10) && value->len < 3;
    if (off)
        find_env(j, SBX_DENY, SBX_CLASS_LOG_TAMPER, "shell history switched off",
                 "leave the history as it is");
}

static void check_program(struct sbx_judge *j, const char *name, const struct sbx_value *value)
{
    const char *slash = strrchr(value->text, '/');
    const char *base = slash ? slash + 1 : value->text;
    const struct sbx_command_row *row = sbx_command_find(base, strlen(base));
    if (sbx_is_harmless_tool(value) ||
        (!strcmp(name, "SHELL") && row && (row->flags & SBX_CMD_SHELL)))
        return;
    if (sbx_value_has(value, SBX_MASK_UNKNOWN) && value->len == 1)
        return; /* it may be what it was before */
    if (!strcmp(name, "PROMPT_COMMAND") && !value->len)
        return;
    find_env(j, SBX_DENY, SBX_CLASS_PERSISTENCE, "a variable that names a program",
             "run that program as a command of its own, or name a plain tool");
}

static void check_git_pairs(struct sbx_judge *j, const char *name, const struct sbx_value *value)
{
    /* GIT_CONFIG_KEY_0=core.pager */
    if (!strncmp(name, "GIT_CONFIG_KEY_", 15))
        sbx_classify_git_key(j, value, &(struct sbx_value){.text = "?", .len = 1});
}

static void check_known(struct sbx_judge *j, const char *name, enum env_kind kind,
                        const struct sbx_value *value)
{
    switch (kind) {
    case ENV_PROGRAM:
        check_program(j, name, value);
        return;
    case ENV_LIBRARY:
    case ENV_FILE:
        if (value->len && !sbx_value_is(value, "/dev/null") && !sbx_value_is(value, "-"))
            find_env(j, SBX_DENY, SBX_CLASS_PERSISTENCE, name,
                     "run the program without code of yours loaded into it");
        return;
    case ENV_FLAGS:
        if (flags_load_code(value))
            find_env(j, SBX_DENY, SBX_CLASS_PERSISTENCE, name,
                     "give the options to the program itself");
        return;
    case ENV_PATH:
        check_path_value(j, value);
        return;
    case ENV_PROMPT:
        check_prompt(j, value);
        return;
    case ENV_HISTORY:
        check_history(j, name, value);
        return;
    case ENV_GITDIR:
        check_git_place(j, value);
        return;
    case ENV_PUBLIC:
        sbx_classify_public(j, value);
        return;
    case ENV_TRUST:
        if (value->len && !sbx_value_is(value, strstr(name, "_NO_") ? "0" : "1"))
            find_env(j, SBX_ASK, SBX_CLASS_NONE, "certificates not checked",
                     "keep the check of certificates on");
        return;
    }
}

void sbx_classify_env(struct sbx_judge *j, const char *name, size_t len,
                      const struct sbx_value *value)
{
    char text[64];
    if (len >= sizeof(text))
        return;
    memcpy(text, name, len);
    text[len] = 0;
    if (!strncmp(text, "GIT_CONFIG_KEY_", 15))
        check_git_pairs(j, text, value);
    if (!strncmp(text, "BASH_FUNC_", 10))
        find_env(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "a function in the environment",
                 "define the function where you call it");
    if (!strncmp(text, "npm_config_", 11) && strstr(text, "script") && strstr(text, "shell"))
        check_program(j, text, value);
    size_t at = 0, count = sizeof(env_names) / sizeof(*env_names);
    while (at < count &&
           (env_names[at].name[0] != text[0] || strcmp(env_names[at].name, text) != 0))
        at++;
    /* Whatever ends so names a program to somebody. */
    if (at == count && len > 5 && isupper((unsigned char)text[0]) &&
        (!strcmp(text + len - 5, "PAGER") || (len > 6 && !strcmp(text + len - 6, "EDITOR")) ||
         (!strncmp(text, "CARGO_TARGET_", 13) &&
          (!strcmp(text + len - 6, "RUNNER") || !strcmp(text + len - 6, "LINKER")))))
        check_program(j, text, value);
    if (at < count)
        check_known(j, env_names[at].name, env_names[at].kind, value);
}

bool sbx_is_secret_word(const char *word)
{
    static const char *const marks[] = {
        "token",       "secret",     "passw", "api_key", "apikey",  "api-key", "credential",
        "private_key", "access_key", "_key",  "aws_",    "github_", "bearer"};
    for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
        if (strcasestr(word, marks[i]))
            return true;
    return false;
}
