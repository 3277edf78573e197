/* The files of accounts and projects: every key, in every scope, at every level of trust. */
#include <check.h>

#include "judge_text.h"
#include "policy/path.h"

Suite *scopes_suite(void);

static const struct sbx_subject agent = {
    .account = "agent", .home = "/home/agent", .uid = 1000, .gid = 1000};

static struct sbx_config *config_of(const char *managed)
{
    struct sbx_config *config = NULL;
    struct sbx_err err = SBX_ERR_INIT;
    struct told told;
    ck_assert_int_eq(sbx_config_new(&config, &err), 0);
    if (*managed)
        ck_assert_msg(!told_parse(config, SBX_SCOPE_MANAGED, managed, strlen(managed), &told), "%s",
                      told.text);
    return config;
}

static int read_lower(struct sbx_config *config, enum sbx_scope scope, bool may_extend,
                      const char *text, struct sbx_err *err)
{
    const struct sbx_lower_file file = {
        .scope = scope,
        .label = scope == SBX_SCOPE_USER ? "user.ini" : "project.ini",
        .base = scope == SBX_SCOPE_USER ? "/home/agent/.config/sbx" : "/home/agent/work",
        .may_extend = may_extend};
    return sbx_config_read_lower(config, &file, text, strlen(text), NULL, err);
}

static struct sbx_policy *compile(struct sbx_config *config)
{
    struct sbx_policy *policy = NULL;
    struct sbx_err err = SBX_ERR_INIT;
    ck_assert_msg(!sbx_policy_compile(config, &agent, &policy, &err), "%s", err.message);
    return policy;
}

static const char *why_ignored(const struct sbx_config *config)
{
    struct sbx_ignored ignored;
    size_t at = 0;
    return sbx_config_ignored(config, &at, &ignored) ? ignored.why : NULL;
}

/* --- every key -------------------------------------------------------------------------------- */
/* A value that takes away and one that gives, against the default; NULL where the key has none. */
static const struct row {
    enum sbx_key key;
    const char *narrow, *wide;
} rows[] = {
    {SBX_KEY_SANDBOX_MODE,                "regular",      NULL              },
    {SBX_KEY_SANDBOX_ALLOW_UNSANDBOXED,   "no",           "yes"             },
    {SBX_KEY_JAIL_SCOPE,                  NULL,           "session"         },
    {SBX_KEY_JAIL_LINGER,                 "0s",           "1h"              },
    {SBX_KEY_JAIL_GRACE,                  "1s",           "2m"              },
    {SBX_KEY_JAIL_HOSTNAME,               NULL,           "other"           },
    {SBX_KEY_JAIL_PRIVATE_TMP,            "yes",          "no"              },
    {SBX_KEY_JAIL_ALLOW_PTRACE,           "no",           "yes"             },
    {SBX_KEY_FILESYSTEM_VIEW,             "system",       "whole"           },
    {SBX_KEY_FILESYSTEM_ALLOW_WRITE,      NULL,           "~/other"         },
    {SBX_KEY_FILESYSTEM_DENY_WRITE,       "~/work/x",     NULL              },
    {SBX_KEY_FILESYSTEM_DENY_READ,        "~/work/x",     NULL              },
    {SBX_KEY_FILESYSTEM_ALLOW_READ,       "~/work/x",     NULL              },
    {SBX_KEY_FILESYSTEM_CODE_CONFIG,      "deny",         "tell"            },
    {SBX_KEY_FILESYSTEM_PROTECT_GIT,      "revert",       NULL              },
    {SBX_KEY_FILESYSTEM_SCRUB,            "yes",          "no"              },
    {SBX_KEY_NETWORK_MODE,                "none",         "host"            },
    {SBX_KEY_NETWORK_ALLOW_DOMAIN,        NULL,           "a.example"       },
    {SBX_KEY_NETWORK_DENY_DOMAIN,         "a.example",    NULL              },
    {SBX_KEY_NETWORK_ALLOW_ADDRESS,       NULL,           "192.0.2.0/24"    },
    {SBX_KEY_NETWORK_DENY_ADDRESS,        "192.0.2.0/24", NULL              },
    {SBX_KEY_NETWORK_ALLOW_UNIX_SOCKET,   NULL,           "/run/x.sock"     },
    {SBX_KEY_NETWORK_ALLOW_ALL_UNIX,      "no",           "yes"             },
    {SBX_KEY_NETWORK_ALLOW_LOCAL_BINDING, "no",           NULL              },
    {SBX_KEY_NETWORK_PUBLISH,             NULL,           "8080"            },
    {SBX_KEY_NETWORK_HTTP_PROXY,          NULL,           "http://p.example"},
    {SBX_KEY_NETWORK_SOCKS_PROXY,         NULL,           "p.example:1080"  },
    {SBX_KEY_NETWORK_PROXY_AUTH_FILE,     NULL,           "/x"              },
    {SBX_KEY_NETWORK_CA_FILE,             NULL,           "/x"              },
    {SBX_KEY_NETWORK_ASK_TIMEOUT,         "0s",           "1m"              },
    {SBX_KEY_NETWORK_LOG_ALL,             "yes",          NULL              },
    {SBX_KEY_PERMISSIONS_ALLOW,           "Read(x)",      "Bash(make:*)"    },
    {SBX_KEY_PERMISSIONS_ASK,             "Bash(make:*)", NULL              },
    {SBX_KEY_PERMISSIONS_DENY,            "Edit(x)",      NULL              },
    {SBX_KEY_CLASSIFIER_EXTERNAL_TIMEOUT, NULL,           "1s"              },
    {SBX_KEY_COMMAND_WRAPPER,             NULL,           "yes"             },
    {SBX_KEY_COMMAND_READONLY,            NULL,           "yes"             },
    {SBX_KEY_COMMAND_READS,               NULL,           "1"               },
    {SBX_KEY_COMMAND_WRITES,              NULL,           "1"               },
    {SBX_KEY_COMMAND_DELETES,             NULL,           "1"               },
    {SBX_KEY_COMMAND_EXECUTES,            NULL,           "1"               },
    {SBX_KEY_COMMAND_CODE,                NULL,           "1"               },
    {SBX_KEY_COMMAND_OPTIONS,             NULL,           "--x"             },
    {SBX_KEY_LIMITS_MEMORY_MAX,           "1G",           NULL              },
    {SBX_KEY_LIMITS_TASKS_MAX,            "100",          "1000"            },
    {SBX_KEY_LIMITS_CPU_QUOTA,            "100%",         NULL              },
    {SBX_KEY_LIMITS_OPEN_FILES,           "100",          NULL              },
    {SBX_KEY_LIMITS_FILE_SIZE,            "1G",           NULL              },
    {SBX_KEY_LIMITS_TMP_SIZE,             "1G",           NULL              },
    {SBX_KEY_LIMITS_SESSION_TIME,         "1h",           NULL              },
    {SBX_KEY_ENVIRONMENT_KEEP,            NULL,           "FOO"             },
    {SBX_KEY_ENVIRONMENT_DENY,            "FOO",          NULL              },
    {SBX_KEY_ENVIRONMENT_SET,             NULL,           "FOO=1"           },
    {SBX_KEY_ENVIRONMENT_PATH,            NULL,           "/usr/bin"        },
    {SBX_KEY_CREDENTIALS_DENY_FILE,       "~/work/key",   NULL              },
    {SBX_KEY_CREDENTIALS_DENY_ENV,        "FOO",          NULL              },
    {SBX_KEY_DISCLOSURE_MODE,             "always",       NULL              },
    {SBX_KEY_DISCLOSURE_INTERNAL_REMOTE,  NULL,           "git.example"     },
    {SBX_KEY_DISCLOSURE_DENY_PATTERN,     "secret",       NULL              },
    {SBX_KEY_DISCLOSURE_WORD_LIST,        NULL,           "/x"              },
    {SBX_KEY_DISCLOSURE_STRIP_TRAILER,    "Made-by",      NULL              },
    {SBX_KEY_DISCLOSURE_TRAILER,          "deny",         NULL              },
    {SBX_KEY_DISCLOSURE_SCAN_CONTENT,     "yes",          NULL              },
    {SBX_KEY_APPROVALS_TIMEOUT,           "1m",           "1h"              },
    {SBX_KEY_APPROVALS_TWO_PERSON,        "yes",          NULL              },
    {SBX_KEY_AUDIT_LOG_ALLOW,             "yes",          NULL              },
    {SBX_KEY_AUDIT_EXEC,                  "log",          NULL              },
    {SBX_KEY_AUDIT_RATE,                  NULL,           "10"              },
    {SBX_KEY_TEST_ALLOW,                  "true",         NULL              },
    {SBX_KEY_TEST_ASK,                    "true",         NULL              },
    {SBX_KEY_TEST_DENY,                   "true",         NULL              },
};

static const struct row *row_of(enum sbx_key key)
{
    /* The classes are all alike. */
    static const struct row class = {SBX_KEY_COUNT, "deny", "ask"};
    const struct sbx_key_row *of = &sbx_key_table[key];
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (rows[i].key == key)
            return &rows[i];
    return !strcmp(of->section, "classifier") && of->type == SBX_T_ENUM ? &class : NULL;
}

/* What an account may set at all, and how far a file is trusted. */
static const struct trust {
    const char *word;
    bool may_extend, counts_narrow, counts_wide;
} trusts[] = {
    {"tighten", true,  true,  false},
    {"tighten", false, true,  false},
    {"extend",  true,  true,  true },
    {"extend",  false, true,  false},
    {"ignore",  true,  false, false},
};

static bool counts(const struct sbx_policy *policy, enum sbx_key key, enum sbx_scope scope)
{
    uint32_t count = 0;
    const struct sbx_item *items = sbx_policy_list(policy, key, &count);
    bool is_there = false;
    for (uint32_t i = 0; i < count; i++)
        is_there = is_there || items[i].origin.scope == (uint32_t)scope;
    return is_there;
}

static void try_value(enum sbx_key key, enum sbx_scope scope, const struct trust *trust,
                      const char *value, bool expected)
{
    const struct sbx_key_row *of = &sbx_key_table[key];
    bool is_command = !strcmp(of->section, "command");
    char managed[64], text[256];
    struct sbx_err err = SBX_ERR_INIT;
    const char *words[] = {
        [SBX_SCOPE_USER] = "user", [SBX_SCOPE_PROJECT] = "project", [SBX_SCOPE_LOCAL] = "local"};
    (void)snprintf(managed, sizeof(managed), "[scopes]\n%s = %s\n", words[scope], trust->word);
    (void)snprintf(text, sizeof(text), "[%s%s]\n%s = %s\n", of->section,
                   is_command ? " deploy" : "", of->key, value);
    struct sbx_config *config = config_of(managed);
    ck_assert_msg(!read_lower(config, scope, trust->may_extend, text, &err), "%s", err.message);
    struct sbx_policy *policy = compile(config);
    ck_assert_msg(counts(policy, key, scope) == expected, "%s.%s = %s in %s (%s%s): %s",
                  of->section, of->key, value, words[scope], trust->word,
                  trust->may_extend ? "" : ", untrusted", expected ? "does not count" : "counts");
    ck_assert_msg(!why_ignored(config) == expected, "%s.%s: the reason", of->section, of->key);
    free(policy);
    sbx_config_free(config);
}

START_TEST(every_key_scope_and_trust)
{
    enum sbx_key key = (enum sbx_key)_i;
    const struct sbx_key_row *of = &sbx_key_table[key];
    const struct row *row = row_of(key);
    struct sbx_err err = SBX_ERR_INIT;
    if (of->flags & SBX_K_MANAGED) {
        char text[256];
        struct sbx_config *config = config_of("");
        (void)snprintf(text, sizeof(text), "[%s]\n%s = yes\n", of->section, of->key);
        ck_assert_int_eq(read_lower(config, SBX_SCOPE_USER, true, text, &err), -1);
        ck_assert_ptr_nonnull(strstr(err.message, "counts in the files below /etc/sbx alone"));
        sbx_config_free(config);
        return;
    }
    ck_assert_msg(row != NULL, "%s.%s has no row here", of->section, of->key);
    ck_assert_msg(row->narrow || row->wide, "%s.%s", of->section, of->key);
    for (enum sbx_scope scope = SBX_SCOPE_USER; scope <= SBX_SCOPE_LOCAL; scope++)
        for (size_t i = 0; i < sizeof(trusts) / sizeof(*trusts); i++) {
            if (row->narrow)
                try_value(key, scope, &trusts[i], row->narrow, trusts[i].counts_narrow);
            if (row->wide)
                try_value(key, scope, &trusts[i], row->wide, trusts[i].counts_wide);
        }
}
END_TEST

/* --- scalars ---------------------------------------------------------------------------------- */
START_TEST(what_is_locked_stays)
{
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_config *config =
        config_of("[limits]\ntasks_max = 300\n[scopes]\nuser = extend\n[jail]\nlinger = 1h\n");
    ck_assert_int_eq(read_lower(config, SBX_SCOPE_USER, true, "[limits]\ntasks_max = 5\n", &err),
                     0);
    ck_assert_int_eq(sbx_config_set(config, "jail.grace=5s", "--set", &err), 0);
    ck_assert_int_eq(read_lower(config, SBX_SCOPE_LOCAL, true, "[jail]\ngrace = 1s\n", &err), 0);
    struct sbx_policy *policy = compile(config);
    ck_assert_int_eq(sbx_policy_number(policy, SBX_KEY_LIMITS_TASKS_MAX), 300);
    ck_assert_int_eq(sbx_policy_number(policy, SBX_KEY_JAIL_GRACE), 5);
    ck_assert_str_eq(why_ignored(config), "it is locked by p.ini:2");
    free(policy);
    sbx_config_free(config);
}
END_TEST

/* Each scope is held against what the lower ones made of the value, so none undoes another. */
START_TEST(no_scope_undoes_a_lower_one)
{
    static const struct {
        const char *user, *project, *local;
        int64_t result;
    } cases[] = {
        {"100", "200", NULL,  100},
        {"200", "100", NULL,  100},
        {"900", "200", "300", 200},
        {NULL,  "900", "900", 512},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const char *values[] = {cases[i].local, cases[i].user, cases[i].project};
        const enum sbx_scope scopes[] = {SBX_SCOPE_LOCAL, SBX_SCOPE_USER, SBX_SCOPE_PROJECT};
        struct sbx_config *config = config_of("");
        struct sbx_err err = SBX_ERR_INIT;
        for (size_t j = 0; j < 3; j++) { /* in whatever order they are read */
            char text[64];
            (void)snprintf(text, sizeof(text), "[limits]\ntasks_max = %s\n", values[j]);
            if (values[j])
                ck_assert_int_eq(read_lower(config, scopes[j], false, text, &err), 0);
        }
        struct sbx_policy *policy = compile(config);
        ck_assert_int_eq(sbx_policy_number(policy, SBX_KEY_LIMITS_TASKS_MAX), cases[i].result);
        free(policy);
        sbx_config_free(config);
    }
}
END_TEST

/* An unset class has each finding's own action: only deny is sure to be stricter. */
START_TEST(classes_and_modes)
{
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_config *config = config_of("[scopes]\nuser = extend\n");
    ck_assert_int_eq(read_lower(config, SBX_SCOPE_USER, true,
                                "[classifier]\nexfil = log\n[sandbox]\nmode = disabled\n", &err),
                     0);
    ck_assert_int_eq(
        read_lower(config, SBX_SCOPE_PROJECT, false, "[classifier]\nexfil = ask\n", &err), 0);
    struct sbx_policy *policy = compile(config);
    ck_assert_int_eq(sbx_policy_number(policy, SBX_KEY_CLASSIFIER_EXFIL), 1);
    ck_assert_int_eq(sbx_policy_number(policy, SBX_KEY_SANDBOX_MODE), 0);
    free(policy);
    sbx_config_free(config);
}
END_TEST

/* --- paths ------------------------------------------------------------------------------------ */
static bool may(const struct sbx_policy *policy, const char *path, enum sbx_path_op op)
{
    return sbx_path_decide(policy, path, op).allowed;
}

/* deny_read = ~/ with allow_read = . : what the point is depends on the file's place. */
START_TEST(a_denied_home_with_the_project_opened)
{
    static const char text[] = "[filesystem]\ndeny_read = ~/\nallow_read = .\n";
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_config *config = config_of("");
    ck_assert_int_eq(read_lower(config, SBX_SCOPE_PROJECT, false, text, &err), 0);
    struct sbx_policy *policy = compile(config);
    ck_assert(may(policy, "/home/agent/work/a", SBX_OP_READ));
    ck_assert(may(policy, "/home/agent/work/a", SBX_OP_WRITE));
    ck_assert(!may(policy, "/home/agent/b", SBX_OP_READ));
    free(policy);
    sbx_config_free(config);

    config = config_of("");
    ck_assert_int_eq(read_lower(config, SBX_SCOPE_USER, false, text, &err), 0);
    policy = compile(config);
    ck_assert(!may(policy, "/home/agent/work/a", SBX_OP_READ));
    ck_assert(!may(policy, "/home/agent/work/a", SBX_OP_WRITE));
    ck_assert(may(policy, "/home/agent/.config/sbx/policy.ini", SBX_OP_READ));
    free(policy);
    sbx_config_free(config);
}
END_TEST

static bool all_count(struct sbx_config *config, const struct sbx_lower_file *file,
                      const char *line)
{
    char text[256];
    struct sbx_err err = SBX_ERR_INIT;
    (void)snprintf(text, sizeof(text), "[filesystem]\n%s\n", line);
    ck_assert(!sbx_config_read_lower(config, file, text, strlen(text), NULL, &err));
    free(compile(config));
    return !why_ignored(config);
}

/* What the view does not hold is nothing that such a file could have closed: to open it is to give. */
START_TEST(no_allow_shows_what_the_view_does_not_hold)
{
    static const struct {
        const char *managed, *text;
        bool counts;
    } cases[] = {
        {"",                                   "allow_read = /srv/secret",                   false},
        {"",                                   "deny_read = /srv\nallow_read = /srv/secret", false},
        {"",                                   "allow_read = /tmp/x",                        false},
        {"[filesystem]\nview = whole\n",       "allow_read = /tmp/x",                        false},
        {"[filesystem]\nview = whole\n",       "allow_read = /srv/secret",                   true },
        {"",                                   "view = whole\nallow_read = /srv/secret",     false},
        {"",                                   "[permissions]\nallow = Read(//srv/**)",      false},
        {"[filesystem]\nallow_read = /srv\n",  "allow_read = /srv/secret",                   true },
        {"[filesystem]\nallow_read = /\n",     "allow_read = /srv/secret",                   false},
        {"[filesystem]\nallow_read = /tmp\n",  "allow_read = /tmp/x",                        false},
        {"[filesystem]\nworkspace = /srv/w\n", "allow_read = /srv/w/x",                      true },
        {"[scopes]\nproject = extend\n",       "allow_read = /srv/secret",                   false},
    };
    static const struct sbx_lower_file file = {
        .scope = SBX_SCOPE_PROJECT, .label = "project.ini", .base = "/home/agent/work"};
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct sbx_config *config = config_of(cases[i].managed);
        ck_assert_msg(all_count(config, &file, cases[i].text) == cases[i].counts, "%zu", i);
        sbx_config_free(config);
    }
}
END_TEST

/* The account may write in one workspace what root's file in another is there to take away. */
START_TEST(no_project_opens_what_another_closed)
{
    static const char managed[] = "[filesystem]\nworkspace = ~/work\nworkspace = ~/work2\n";
    static const char *const lines[] = {
        "allow_read = ~/work/shut/in", "allow_read = ~/work/shut/in",
        "[permissions]\nallow = Read(~/work/shut/in)", "allow_read = ~/work"};
    for (size_t i = 0; i < 4; i++) {
        struct sbx_err err = SBX_ERR_INIT;
        const struct sbx_lower_file other = {.scope = i ? SBX_SCOPE_LOCAL : SBX_SCOPE_PROJECT,
                                             .label = "other.ini",
                                             .base = "/home/agent/work2"};
        struct sbx_config *config = config_of(managed);
        ck_assert(
            !read_lower(config, SBX_SCOPE_PROJECT, true, "[filesystem]\ndeny_read = shut\n", &err));
        ck_assert_msg(all_count(config, &other, lines[i]) == (i == 3), "%zu", i);
        if (i < 3)
            ck_assert_str_eq(why_ignored(config), "project.ini:2, of another workspace, closes it");
        sbx_config_free(config);
    }
}
END_TEST

/* managed_read_paths_only leaves it to the files below /etc/sbx, and a grant is none of them. */
START_TEST(the_managed_switches_hold_for_grants)
{
    static const char grant[] =
        "[filesystem]\nallow_read = ~/a\n[network]\nallow_domain = a.example\n"
        "[permissions]\nallow = Bash(make:*)\n";
    struct told told;
    struct sbx_config *config = config_of("[filesystem]\nmanaged_read_paths_only = yes\n"
                                          "[network]\nmanaged_domains_only = yes\n");
    ck_assert(!told_parse(config, SBX_SCOPE_GRANT, grant, strlen(grant), &told));
    struct sbx_policy *policy = compile(config);
    ck_assert(!counts(policy, SBX_KEY_FILESYSTEM_ALLOW_READ, SBX_SCOPE_GRANT));
    ck_assert(!counts(policy, SBX_KEY_NETWORK_ALLOW_DOMAIN, SBX_SCOPE_GRANT));
    ck_assert(counts(policy, SBX_KEY_PERMISSIONS_ALLOW, SBX_SCOPE_GRANT));
    free(policy);
    sbx_config_free(config);
}
END_TEST

START_TEST(no_allow_opens_what_a_higher_scope_closed)
{
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_config *config =
        config_of("[filesystem]\ndeny_read = /data\ndeny_write = ~/work/out\n"
                  "[scopes]\nproject = extend\nuser = extend\n");
    ck_assert_int_eq(read_lower(config, SBX_SCOPE_PROJECT, true,
                                "[filesystem]\nallow_read = /data/mine\nallow_write = out/mine\n"
                                "allow_write = ~/free\ndeny_read = ~/shut\n"
                                "[permissions]\nallow = Read(//data/mine)\n",
                                &err),
                     0);
    ck_assert_int_eq(
        read_lower(config, SBX_SCOPE_USER, true, "[filesystem]\nallow_read = ~/shut/open\n", &err),
        0);
    struct sbx_policy *policy = compile(config);
    ck_assert(!may(policy, "/data/mine/x", SBX_OP_READ));
    ck_assert(!may(policy, "/home/agent/work/out/mine/x", SBX_OP_WRITE));
    ck_assert(may(policy, "/home/agent/free/x", SBX_OP_WRITE));
    ck_assert(!may(policy, "/home/agent/shut/open", SBX_OP_READ));
    free(policy);
    sbx_config_free(config);
}
END_TEST

/* The spellings, from the root that the file belongs to. */
START_TEST(paths_lead_from_the_files_root)
{
    static const struct {
        const char *text, *shut;
    } cases[] = {
        {"[filesystem]\ndeny_read = x\n",        "/home/agent/work/x"},
        {"[filesystem]\ndeny_read = ./x\n",      "/home/agent/work/x"},
        {"[filesystem]\ndeny_read = ~/x\n",      "/home/agent/x"     },
        {"[filesystem]\ndeny_read = $HOME/x\n",  "/home/agent/x"     },
        {"[filesystem]\ndeny_read = /x\n",       "/x"                },
        {"[filesystem]\ndeny_read = //x/\n",     "/x"                },
        {"[permissions]\ndeny = Read(/x)\n",     "/home/agent/work/x"},
        {"[permissions]\ndeny = Read(x)\n",      "/home/agent/work/x"},
        {"[permissions]\ndeny = Read(//x)\n",    "/x"                },
        {"[permissions]\ndeny = Read(~/x)\n",    "/home/agent/x"     },
        {"[permissions]\ndeny = FileRead(/x)\n", "/home/agent/work/x"},
        {"[credentials]\ndeny_file = x\n",       "/home/agent/work/x"},
        {"[filesystem]\ndeny_read = x*\n",       "/home/agent/work/x"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct sbx_err err = SBX_ERR_INIT;
        struct sbx_config *config = config_of("");
        ck_assert_int_eq(read_lower(config, SBX_SCOPE_LOCAL, false, cases[i].text, &err), 0);
        struct sbx_policy *policy = compile(config);
        ck_assert_msg(!may(policy, cases[i].shut, SBX_OP_READ), "%s", cases[i].text);
        ck_assert(may(policy, "/y", SBX_OP_READ));
        free(policy);
        sbx_config_free(config);
    }
}
END_TEST

/* --- the two managed switches ------------------------------------------------------------------- */
START_TEST(managed_only)
{
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_config *config =
        config_of("[network]\nmanaged_domains_only = yes\nallow_domain = a.example\n"
                  "[filesystem]\nmanaged_read_paths_only = yes\n[scopes]\nproject = extend\n");
    ck_assert_int_eq(read_lower(config, SBX_SCOPE_PROJECT, true,
                                "[network]\nallow_domain = b.example\ndeny_domain = c.example\n"
                                "[permissions]\nallow = WebFetch(domain:d.example)\n"
                                "[filesystem]\nallow_read = /x\ndeny_read = /y\n",
                                &err),
                     0);
    ck_assert_int_eq(sbx_config_set(config, "network.allow_domain=e.example", "--set", &err), 0);
    struct sbx_policy *policy = compile(config);
    uint32_t count = 0;
    const struct sbx_item *items = sbx_policy_list(policy, SBX_KEY_NETWORK_ALLOW_DOMAIN, &count);
    ck_assert_uint_eq(count, 1);
    ck_assert_str_eq(sbx_policy_text(policy, items[0].text), "a.example");
    (void)sbx_policy_list(policy, SBX_KEY_NETWORK_DENY_DOMAIN, &count);
    ck_assert_uint_eq(count, 1);
    (void)sbx_policy_list(policy, SBX_KEY_FILESYSTEM_ALLOW_READ, &count);
    ck_assert_uint_eq(count, 0);
    (void)sbx_policy_list(policy, SBX_KEY_FILESYSTEM_DENY_READ, &count);
    ck_assert_uint_eq(count, 1);
    struct sbx_ignored ignored;
    unsigned told = 0;
    for (size_t at = 0; sbx_config_ignored(config, &at, &ignored); told++)
        ck_assert_ptr_nonnull(strstr(ignored.why, "leaves it to files below /etc/sbx"));
    ck_assert_uint_eq(told, 4);
    free(policy);
    sbx_config_free(config);
}
END_TEST

/* --- grants ------------------------------------------------------------------------------------- */
/* What a human approved answers what asks, and opens nothing that policy denies. */
START_TEST(grants_answer_asks_alone)
{
    static const struct {
        const char *text;
        enum sbx_verdict_kind before, after;
        enum sbx_by by;
    } cases[] = {
        {"git push --force",      SBX_ASK,   SBX_ALLOW, SBX_BY_GRANT},
        {"touch ~/granted/x",     SBX_ASK,   SBX_ALLOW, SBX_BY_MODE },
        {"make clean",            SBX_DENY,  SBX_DENY,  SBX_BY_RULE },
        {"touch ~/work/shut/a/x", SBX_DENY,  SBX_DENY,  SBX_BY_RULE },
        {"cat ~/.ssh/id_ed25519", SBX_DENY,  SBX_DENY,  SBX_BY_RULE },
        {"echo hello",            SBX_ALLOW, SBX_ALLOW, SBX_BY_MODE },
    };
    static const char managed[] = "[permissions]\ndeny = Bash(make:*)\n[classifier]\n"
                                  "git-destroy = ask\n[filesystem]\ndeny_write = ~/work/shut\n";
    static const char grants[] = "[permissions]\nallow = Bash(git push:*)\nallow = Bash(make:*)\n"
                                 "[filesystem]\nallow_write = ~/granted\n"
                                 "allow_write = ~/work/shut/a\nallow_read = ~/.ssh/id_ed25519\n";
    struct sbx_policy *before = policy_of(managed);
    struct sbx_config *config = config_of(managed);
    struct told told;
    ck_assert_msg(!told_parse(config, SBX_SCOPE_GRANT, grants, strlen(grants), &told), "%s",
                  told.text);
    struct sbx_policy *after = compile(config);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct sbx_verdict old = judge_with(before, cases[i].text);
        struct sbx_verdict new = judge_with(after, cases[i].text);
        ck_assert_msg(old.verdict == cases[i].before, "before: %s: %s", cases[i].text,
                      sbx_verdict_name(old.verdict));
        ck_assert_msg(new.verdict == cases[i].after, "after: %s: %s", cases[i].text,
                      sbx_verdict_name(new.verdict));
        ck_assert_msg(new.verdict != SBX_ALLOW || new.by == cases[i].by, "%s: by %s", cases[i].text,
                      sbx_by_name(new.by));
    }
    free(before);
    free(after);
    sbx_config_free(config);
}
END_TEST

START_TEST(grants_hold_nothing_else)
{
    static const char *const texts[] = {
        "[sandbox]\nmode = disabled\n",    "[permissions]\ndeny = Bash(x)\n",
        "[limits]\ntasks_max = 9999\n",    "[scopes]\nuser = extend\n",
        "[command x]\nreads = 1\n",        "[environment]\nkeep = X\n",
        "[filesystem]\nworkspace = ~/x\n",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        struct sbx_config *config = config_of("");
        struct told told;
        ck_assert_int_eq(told_parse(config, SBX_SCOPE_GRANT, texts[i], strlen(texts[i]), &told),
                         -1);
        ck_assert_ptr_nonnull(strstr(told.text, "is nothing that a grant can hold"));
        sbx_config_free(config);
    }
}
END_TEST

/* --- settings from another process -------------------------------------------------------------- */
START_TEST(settings_are_checked_again)
{
    static const struct sbx_config_setting bad[] = {
        {SBX_KEY_COUNT,                1, 0, 0, NULL,  "x"      },
        {SBX_KEY_FILESYSTEM_DENY_READ, 1, 0, 0, "rm",  "x"      },
        {SBX_KEY_COMMAND_READS,        1, 0, 0, NULL,  "1"      },
        {SBX_KEY_COMMAND_READS,        1, 0, 0, "a b", "1"      },
        {SBX_KEY_SANDBOX_ENABLED,      1, 0, 0, NULL,  "no"     },
        {SBX_KEY_LIMITS_TASKS_MAX,     1, 0, 0, NULL,  "none"   },
        {SBX_KEY_FILESYSTEM_DENY_READ, 1, 0, 0, NULL,  "a\nb"   },
        {SBX_KEY_FILESYSTEM_DENY_READ, 1, 0, 0, NULL,  "../x"   },
        {SBX_KEY_PERMISSIONS_DENY,     1, 0, 0, NULL,  "Frob(x)"},
    };
    const struct sbx_lower_file file = {
        .scope = SBX_SCOPE_USER, .label = "user.ini", .base = "/home/agent"};
    struct sbx_config *config = config_of("");
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        struct sbx_err err = SBX_ERR_INIT;
        ck_assert_int_eq(sbx_config_add_lower(config, &file, &bad[i], &err), -1);
        ck_assert_msg(!strncmp(err.message, "user.ini:", 9), "%s", err.message);
    }
    const struct sbx_config_setting good = {SBX_KEY_FILESYSTEM_DENY_READ, 7, 0, 0, NULL, "x"};
    struct sbx_err err = SBX_ERR_INIT;
    for (unsigned i = 0; i < SBX_CONFIG_LOWER_ITEMS; i++)
        ck_assert_int_eq(sbx_config_add_lower(config, &file, &good, &err), 0);
    ck_assert_int_eq(sbx_config_add_lower(config, &file, &good, &err), -1);
    sbx_config_free(config);
}
END_TEST

Suite *scopes_suite(void)
{
    Suite *suite = suite_create("scopes");
    TCase *tests = tcase_create("merging");
    tcase_add_loop_test(tests, every_key_scope_and_trust, 0, SBX_KEY_COUNT);
    tcase_add_test(tests, what_is_locked_stays);
    tcase_add_test(tests, no_scope_undoes_a_lower_one);
    tcase_add_test(tests, classes_and_modes);
    tcase_add_test(tests, a_denied_home_with_the_project_opened);
    tcase_add_test(tests, no_allow_opens_what_a_higher_scope_closed);
    tcase_add_test(tests, no_allow_shows_what_the_view_does_not_hold);
    tcase_add_test(tests, no_project_opens_what_another_closed);
    tcase_add_test(tests, the_managed_switches_hold_for_grants);
    tcase_add_test(tests, paths_lead_from_the_files_root);
    tcase_add_test(tests, managed_only);
    tcase_add_test(tests, grants_answer_asks_alone);
    tcase_add_test(tests, grants_hold_nothing_else);
    tcase_add_test(tests, settings_are_checked_again);
    suite_add_tcase(suite, tests);
    return suite;
}
