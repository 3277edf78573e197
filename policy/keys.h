/* The one key table: every section and key a policy file may hold. A new key is one row here.
 *
 * X(id, section, key, type, default, values, flags)
 *   type     what the value is, see enum sbx_key_type; LIST types may repeat
 *   default  the text that counts where no file sets the key; NULL for none (lists: empty)
 *   values   words of an ENUM or ENUMLIST, separated by '|'; their index is the number
 *   flags    MANAGED: refused in lower scopes (FILES: on the flag scope too); LATER: accepted, without
 *            effect yet, and said so; JAIL: a change makes a new jail rather than a new verdict;
 *            ALWAYS: a list's default counts beside what files add; ALL: it says who is confined, and
 *            so is refused in files that are read once that is known (group.d, account.d)
 *            Which way is narrower, for the files of accounts and projects (policy/scopes.h): NARROWS,
 *            a list whose entries open nothing; LESS, MORE, a scalar whose smaller or larger number
 *            gives less away. Neither: only a scope that may extend can set it
 * The default of a list may hold several entries, separated by '|'. */
#ifndef SBX_POLICY_KEYS_H
#define SBX_POLICY_KEYS_H

#include <stdbool.h>
#include <stddef.h>

enum sbx_key_type {
    SBX_T_BOOL, /* yes, no (also true, false, on, off) */
    SBX_T_ENUM,
    SBX_T_COUNT,    /* a whole number */
    SBX_T_BYTES,    /* 512, 64K, 2M, 4G, 1T */
    SBX_T_DURATION, /* 0s, 90, 15m, 1h, 2d: seconds */
    SBX_T_PERCENT,  /* 150% of one CPU */
    SBX_T_STRING,
    SBX_T_FILE,     /* one path */
    SBX_T_ENUMLIST, /* lists from here on */
    SBX_T_NAMES,    /* account, group, service names */
    SBX_T_PATHS,    /* paths, globs allowed */
    SBX_T_DIRS,     /* paths, no globs */
    SBX_T_DOMAINS,
    SBX_T_ADDRESSES,
    SBX_T_PORTS,
    SBX_T_RULES,    /* Tool(content) */
    SBX_T_PATTERNS, /* environment and remote patterns, free text */
    SBX_T_ASSIGNS,  /* NAME=value */
    SBX_T_COMMANDS, /* shell text */
    SBX_T_PLACES,   /* operands of a command: 1, 2-, last, *, --option */
    SBX_T_OPTIONS,  /* names of options */
};

#define SBX_K_MANAGED 0x1
#define SBX_K_LATER   0x2
#define SBX_K_JAIL    0x4
#define SBX_K_ALWAYS  0x8
#define SBX_K_FILES   0x10
#define SBX_K_ALL     0x20
#define SBX_K_NARROWS 0x40
#define SBX_K_LESS    0x80
#define SBX_K_MORE    0x100

#define SBX_SCOPES_WORDS "tighten|extend|ignore"
#define SBX_ACTION_WORDS "deny|ask|log|allow"

/* clang-format off */
#define SBX_KEYS(X) \
    X(SANDBOX_ENABLED,              "sandbox", "enabled",                    BOOL,     "no",          NULL, SBX_K_MANAGED | SBX_K_ALL) \
    X(SANDBOX_MODE,                 "sandbox", "mode",                       ENUM,     "auto-allow",  "auto-allow|regular|disabled", 0) \
    X(SANDBOX_PLATFORM,             "sandbox", "platform",                   ENUMLIST, "linux|wsl2|container", "linux|wsl2|container", SBX_K_MANAGED | SBX_K_FILES) \
    X(SANDBOX_FAIL_IF_UNAVAILABLE,  "sandbox", "fail_if_unavailable",        BOOL,     "yes",         NULL, SBX_K_MANAGED | SBX_K_FILES) \
    X(SANDBOX_ON_ERROR,             "sandbox", "on_error",                   ENUM,     "refuse",      "refuse|last-good", SBX_K_MANAGED) \
    X(SANDBOX_WEAKER_NESTED,        "sandbox", "weaker_nested",              BOOL,     "no",          NULL, SBX_K_MANAGED | SBX_K_LATER | SBX_K_JAIL) \
    X(SANDBOX_ALLOW_UNSANDBOXED,    "sandbox", "allow_unsandboxed_commands", BOOL,     "no",          NULL, SBX_K_LATER | SBX_K_LESS) \
    X(SANDBOX_EXCLUDED_COMMAND,     "sandbox", "excluded_command",           RULES,    NULL,          NULL, SBX_K_MANAGED | SBX_K_LATER) \
    X(ACCOUNTS_USER,                "accounts", "user",                      NAMES,    NULL,          NULL, SBX_K_MANAGED | SBX_K_ALL) \
    X(ACCOUNTS_GROUP,               "accounts", "group",                     NAMES,    NULL,          NULL, SBX_K_MANAGED | SBX_K_ALL) \
    X(ACCOUNTS_SERVICE,             "accounts", "service",                   NAMES,    "sshd|su|su-l|sudo|cron", NULL, SBX_K_MANAGED | SBX_K_ALL | SBX_K_ALWAYS) \
    X(JAIL_SCOPE,                   "jail", "scope",                         ENUM,     "account",     "account|session", SBX_K_JAIL) \
    X(JAIL_LINGER,                  "jail", "linger",                        DURATION, "15m",         NULL, SBX_K_LESS) \
    X(JAIL_GRACE,                   "jail", "grace",                         DURATION, "60s",         NULL, SBX_K_LESS) \
    X(JAIL_HOSTNAME,                "jail", "hostname",                      STRING,   NULL,          NULL, SBX_K_JAIL) \
    X(JAIL_PRIVATE_TMP,             "jail", "private_tmp",                   BOOL,     "yes",         NULL, SBX_K_JAIL | SBX_K_MORE) \
    X(JAIL_ALLOW_PTRACE,            "jail", "allow_ptrace",                  BOOL,     "no",          NULL, SBX_K_JAIL | SBX_K_LESS) \
    X(FILESYSTEM_VIEW,              "filesystem", "view",                    ENUM,     "system",      "system|whole", SBX_K_JAIL | SBX_K_LESS) \
    X(FILESYSTEM_WORKSPACE,         "filesystem", "workspace",               DIRS,     "~/work",      NULL, SBX_K_MANAGED | SBX_K_JAIL) \
    X(FILESYSTEM_ALLOW_WRITE,       "filesystem", "allow_write",             PATHS,    NULL,          NULL, SBX_K_JAIL) \
    X(FILESYSTEM_DENY_WRITE,        "filesystem", "deny_write",              PATHS,    NULL,          NULL, SBX_K_JAIL | SBX_K_NARROWS) \
    X(FILESYSTEM_DENY_READ,         "filesystem", "deny_read",               PATHS,    NULL,          NULL, SBX_K_JAIL | SBX_K_NARROWS) \
    X(FILESYSTEM_ALLOW_READ,        "filesystem", "allow_read",              PATHS,    NULL,          NULL, SBX_K_JAIL | SBX_K_NARROWS) \
    X(FILESYSTEM_MANAGED_READ_ONLY, "filesystem", "managed_read_paths_only", BOOL,     "no",          NULL, SBX_K_MANAGED | SBX_K_FILES) \
    X(FILESYSTEM_CODE_CONFIG,       "filesystem", "code_config",             ENUM,     "deny",        "deny|tell", SBX_K_LATER | SBX_K_JAIL | SBX_K_LESS) \
    X(FILESYSTEM_PROTECT_GIT,       "filesystem", "protect_git",             ENUM,     "tell",        "tell|revert", SBX_K_LATER | SBX_K_MORE) \
    X(FILESYSTEM_SCRUB,             "filesystem", "scrub",                   BOOL,     "yes",         NULL, SBX_K_LATER | SBX_K_MORE) \
    X(NETWORK_MODE,                 "network", "mode",                       ENUM,     "filter",      "filter|none|host", SBX_K_LATER | SBX_K_JAIL) \
    X(NETWORK_ALLOW_DOMAIN,         "network", "allow_domain",               DOMAINS,  NULL,          NULL, SBX_K_LATER) \
    X(NETWORK_DENY_DOMAIN,          "network", "deny_domain",                DOMAINS,  NULL,          NULL, SBX_K_LATER | SBX_K_NARROWS) \
    X(NETWORK_ALLOW_ADDRESS,        "network", "allow_address",              ADDRESSES, NULL,         NULL, SBX_K_LATER) \
    X(NETWORK_DENY_ADDRESS,         "network", "deny_address",               ADDRESSES, NULL,         NULL, SBX_K_LATER | SBX_K_NARROWS) \
    X(NETWORK_MANAGED_DOMAINS_ONLY, "network", "managed_domains_only",       BOOL,     "no",          NULL, SBX_K_MANAGED | SBX_K_FILES) \
    X(NETWORK_ALLOW_UNIX_SOCKET,    "network", "allow_unix_socket",          PATHS,    NULL,          NULL, SBX_K_LATER | SBX_K_JAIL) \
    X(NETWORK_ALLOW_ALL_UNIX,       "network", "allow_all_unix_sockets",     BOOL,     "no",          NULL, SBX_K_LATER | SBX_K_JAIL | SBX_K_LESS) \
    X(NETWORK_ALLOW_LOCAL_BINDING,  "network", "allow_local_binding",        BOOL,     "yes",         NULL, SBX_K_LATER | SBX_K_JAIL | SBX_K_LESS) \
    X(NETWORK_PUBLISH,              "network", "publish",                    PORTS,    NULL,          NULL, SBX_K_LATER) \
    X(NETWORK_HTTP_PROXY,           "network", "http_proxy",                 STRING,   NULL,          NULL, SBX_K_LATER) \
    X(NETWORK_SOCKS_PROXY,          "network", "socks_proxy",                STRING,   NULL,          NULL, SBX_K_LATER) \
    X(NETWORK_PROXY_AUTH_FILE,      "network", "proxy_auth_file",            FILE,     NULL,          NULL, SBX_K_LATER) \
    X(NETWORK_CA_FILE,              "network", "ca_file",                    FILE,     NULL,          NULL, SBX_K_LATER) \
    X(NETWORK_ASK_TIMEOUT,          "network", "ask_timeout",                DURATION, "0s",          NULL, SBX_K_LATER | SBX_K_LESS) \
    X(NETWORK_LOG_ALL,              "network", "log_all",                    BOOL,     "no",          NULL, SBX_K_LATER | SBX_K_MORE) \
    X(PERMISSIONS_ALLOW,            "permissions", "allow",                  RULES,    NULL,          NULL, 0) \
    X(PERMISSIONS_ASK,              "permissions", "ask",                    RULES,    NULL,          NULL, SBX_K_NARROWS) \
    X(PERMISSIONS_DENY,             "permissions", "deny",                   RULES,    NULL,          NULL, SBX_K_NARROWS) \
    X(CLASSIFIER_FS_DESTROY,        "classifier", "fs-destroy",              ENUM,     NULL,          SBX_ACTION_WORDS, SBX_K_LESS) \
    X(CLASSIFIER_DEVICE_WRITE,      "classifier", "device-write",            ENUM,     NULL,          SBX_ACTION_WORDS, SBX_K_LESS) \
    X(CLASSIFIER_FORK_BOMB,         "classifier", "fork-bomb",               ENUM,     NULL,          SBX_ACTION_WORDS, SBX_K_LESS) \
    X(CLASSIFIER_PERM_CHANGE,       "classifier", "perm-change",             ENUM,     NULL,          SBX_ACTION_WORDS, SBX_K_LESS) \
    X(CLASSIFIER_CRED_READ,         "classifier", "cred-read",               ENUM,     NULL,          SBX_ACTION_WORDS, SBX_K_LESS) \
    X(CLASSIFIER_EXFIL,             "classifier", "exfil",                   ENUM,     NULL,          SBX_ACTION_WORDS, SBX_K_LESS) \
    X(CLASSIFIER_REMOTE_CODE,       "classifier", "remote-code",             ENUM,     NULL,          SBX_ACTION_WORDS, SBX_K_LESS) \
    X(CLASSIFIER_PRIV_ESC,          "classifier", "priv-esc",                ENUM,     NULL,          SBX_ACTION_WORDS, SBX_K_LESS) \
    X(CLASSIFIER_PERSISTENCE,       "classifier", "persistence",             ENUM,     NULL,          SBX_ACTION_WORDS, SBX_K_LESS) \
    X(CLASSIFIER_SHELL_EVASION,     "classifier", "shell-evasion",           ENUM,     NULL,          SBX_ACTION_WORDS, SBX_K_LESS) \
    X(CLASSIFIER_NESTED_SHELL,      "classifier", "nested-shell",            ENUM,     NULL,          SBX_ACTION_WORDS, SBX_K_LESS) \
    X(CLASSIFIER_GIT_DESTROY,       "classifier", "git-destroy",             ENUM,     NULL,          SBX_ACTION_WORDS, SBX_K_LESS) \
    X(CLASSIFIER_INFRA_DESTROY,     "classifier", "infra-destroy",           ENUM,     NULL,          SBX_ACTION_WORDS, SBX_K_LESS) \
    X(CLASSIFIER_HOST_CONTROL,      "classifier", "host-control",            ENUM,     NULL,          SBX_ACTION_WORDS, SBX_K_LESS) \
    X(CLASSIFIER_LOG_TAMPER,        "classifier", "log-tamper",              ENUM,     NULL,          SBX_ACTION_WORDS, SBX_K_LESS) \
    X(CLASSIFIER_DISCLOSURE,        "classifier", "disclosure",              ENUM,     NULL,          SBX_ACTION_WORDS, SBX_K_LESS) \
    X(CLASSIFIER_PLANTED_REPO,      "classifier", "planted-repo",            ENUM,     NULL,          SBX_ACTION_WORDS, SBX_K_LESS) \
    X(CLASSIFIER_PATH,              "classifier", "path",                    ENUM,     NULL,          SBX_ACTION_WORDS, SBX_K_LESS) \
    X(CLASSIFIER_UNPARSED,          "classifier", "unparsed",                ENUM,     NULL,          "deny|ask", SBX_K_LESS) \
    X(CLASSIFIER_EXTERNAL,          "classifier", "external",                FILE,     NULL,          NULL, SBX_K_MANAGED | SBX_K_LATER) \
    X(CLASSIFIER_EXTERNAL_TIMEOUT,  "classifier", "external_timeout",        DURATION, "5s",          NULL, SBX_K_LATER) \
    X(COMMAND_WRAPPER,              "command", "wrapper",                    BOOL,     "no",          NULL, 0) \
    X(COMMAND_READONLY,             "command", "readonly",                   BOOL,     "no",          NULL, 0) \
    X(COMMAND_READS,                "command", "reads",                      PLACES,   NULL,          NULL, 0) \
    X(COMMAND_WRITES,               "command", "writes",                     PLACES,   NULL,          NULL, 0) \
    X(COMMAND_DELETES,              "command", "deletes",                    PLACES,   NULL,          NULL, 0) \
    X(COMMAND_EXECUTES,             "command", "executes",                   PLACES,   NULL,          NULL, 0) \
    X(COMMAND_CODE,                 "command", "code",                       PLACES,   NULL,          NULL, 0) \
    X(COMMAND_OPTIONS,              "command", "options",                    OPTIONS,  NULL,          NULL, 0) \
    X(LIMITS_MEMORY_MAX,            "limits", "memory_max",                  BYTES,    NULL,          NULL, SBX_K_JAIL | SBX_K_LESS) \
    X(LIMITS_TASKS_MAX,             "limits", "tasks_max",                   COUNT,    "512",         NULL, SBX_K_JAIL | SBX_K_LESS) \
    X(LIMITS_CPU_QUOTA,             "limits", "cpu_quota",                   PERCENT,  NULL,          NULL, SBX_K_JAIL | SBX_K_LESS) \
    X(LIMITS_OPEN_FILES,            "limits", "open_files",                  COUNT,    NULL,          NULL, SBX_K_JAIL | SBX_K_LESS) \
    X(LIMITS_FILE_SIZE,             "limits", "file_size",                   BYTES,    NULL,          NULL, SBX_K_JAIL | SBX_K_LESS) \
    X(LIMITS_TMP_SIZE,              "limits", "tmp_size",                    BYTES,    NULL,          NULL, SBX_K_JAIL | SBX_K_LESS) \
    X(LIMITS_SESSION_TIME,          "limits", "session_time",                DURATION, NULL,          NULL, SBX_K_LATER | SBX_K_LESS) \
    X(ENVIRONMENT_KEEP,             "environment", "keep",                   PATTERNS, NULL,          NULL, 0) \
    X(ENVIRONMENT_DENY,             "environment", "deny",                   PATTERNS, NULL,          NULL, SBX_K_NARROWS) \
    X(ENVIRONMENT_SET,              "environment", "set",                    ASSIGNS,  NULL,          NULL, 0) \
    X(ENVIRONMENT_PATH,             "environment", "path",                   STRING,   NULL,          NULL, 0) \
    X(CREDENTIALS_DENY_FILE,        "credentials", "deny_file",              PATHS,    NULL,          NULL, SBX_K_JAIL | SBX_K_NARROWS) \
    X(CREDENTIALS_DENY_ENV,         "credentials", "deny_env",               PATTERNS, \
      "*_TOKEN|*_TOKENS|*_SECRET|*_SECRETS|*_KEY|*_KEYS|*PASSWORD*|*PASSWD*|*PASSPHRASE*|*CREDENTIAL*|" \
      "AWS_*|AZURE_*|DATABASE_URL|PGPASSFILE|KUBECONFIG|SSH_AUTH_SOCK|SSH_AGENT_PID", NULL, SBX_K_ALWAYS | SBX_K_NARROWS) \
    X(DISCLOSURE_MODE,              "disclosure", "mode",                    ENUM,     "off",         "off|auto|always", SBX_K_LATER | SBX_K_MORE) \
    X(DISCLOSURE_INTERNAL_REMOTE,   "disclosure", "internal_remote",         PATTERNS, NULL,          NULL, SBX_K_LATER) \
    X(DISCLOSURE_DENY_PATTERN,      "disclosure", "deny_pattern",            PATTERNS, NULL,          NULL, SBX_K_LATER | SBX_K_NARROWS) \
    X(DISCLOSURE_WORD_LIST,         "disclosure", "word_list",               FILE,     NULL,          NULL, SBX_K_LATER) \
    X(DISCLOSURE_STRIP_TRAILER,     "disclosure", "strip_trailer",           PATTERNS, NULL,          NULL, SBX_K_LATER | SBX_K_NARROWS) \
    X(DISCLOSURE_TRAILER,           "disclosure", "trailer",                 ENUM,     "strip",       "strip|deny", SBX_K_LATER | SBX_K_MORE) \
    X(DISCLOSURE_SCAN_CONTENT,      "disclosure", "scan_content",            BOOL,     "no",          NULL, SBX_K_LATER | SBX_K_MORE) \
    X(APPROVALS_TIMEOUT,            "approvals", "timeout",                  DURATION, "10m",         NULL, SBX_K_LATER | SBX_K_LESS) \
    X(APPROVALS_NOTIFY,             "approvals", "notify",                   FILE,     NULL,          NULL, SBX_K_MANAGED | SBX_K_LATER) \
    X(APPROVALS_OPERATORS,          "approvals", "operators",                STRING,   "sbx-operators", NULL, SBX_K_MANAGED) \
    X(APPROVALS_TWO_PERSON,         "approvals", "two_person",               BOOL,     "no",          NULL, SBX_K_LATER | SBX_K_MORE) \
    X(AUDIT_FILE,                   "audit", "file",                         FILE,     NULL,          NULL, SBX_K_MANAGED | SBX_K_LATER) \
    X(AUDIT_SYSLOG,                 "audit", "syslog",                       BOOL,     "yes",         NULL, SBX_K_MANAGED) \
    X(AUDIT_LOG_ALLOW,              "audit", "log_allow",                    BOOL,     "no",          NULL, SBX_K_MORE) \
    X(AUDIT_EXEC,                   "audit", "exec",                         ENUM,     "off",         "off|log|guard", SBX_K_LATER | SBX_K_MORE) \
    X(AUDIT_RATE,                   "audit", "rate",                         COUNT,    NULL,          NULL, 0) \
    X(SCOPES_USER,                  "scopes", "user",                        ENUM,     "tighten",     SBX_SCOPES_WORDS, SBX_K_MANAGED) \
    X(SCOPES_PROJECT,               "scopes", "project",                     ENUM,     "tighten",     SBX_SCOPES_WORDS, SBX_K_MANAGED) \
    X(SCOPES_LOCAL,                 "scopes", "local",                       ENUM,     "tighten",     SBX_SCOPES_WORDS, SBX_K_MANAGED) \
    X(TEST_ALLOW,                   "test", "allow",                         COMMANDS, NULL,          NULL, SBX_K_NARROWS) \
    X(TEST_ASK,                     "test", "ask",                           COMMANDS, NULL,          NULL, SBX_K_NARROWS) \
    X(TEST_DENY,                    "test", "deny",                          COMMANDS, NULL,          NULL, SBX_K_NARROWS)
/* clang-format on */

#define SBX_KEY_ENUM(id, section, key, type, fallback, values, flags) SBX_KEY_##id,
enum sbx_key { SBX_KEYS(SBX_KEY_ENUM) SBX_KEY_COUNT };
#undef SBX_KEY_ENUM

struct sbx_key_row {
    const char *section, *key, *fallback, *values;
    enum sbx_key_type type;
    unsigned flags;
};

extern const struct sbx_key_row sbx_key_table[SBX_KEY_COUNT];

#define SBX_KEY_IS_LIST(type) ((type) >= SBX_T_ENUMLIST)

/* The key's number, or SBX_KEY_COUNT where the table has no such key. */
enum sbx_key sbx_key_find(const char *section, const char *key);
bool sbx_key_has_section(const char *section);

/* Did you mean: feed candidates, read `best` (NULL: nothing is close). */
struct sbx_suggestion {
    const char *word, *best;
    size_t distance;
};
void sbx_suggestion_try(struct sbx_suggestion *suggestion, const char *candidate, size_t len);

/* Writes " (did you mean deny_read?)", " (it belongs in [filesystem])" or "" into out. */
void sbx_key_suggest(const char *section, const char *key, char *out, size_t size);
void sbx_section_suggest(const char *section, char *out, size_t size);

#endif
