#include <check.h>

#include "judge_text.h"
#include "policy/judge_state.h"

/* A workspace that is a clone, cleaned from within: what git does not keep is lost, not the workspace. */
START_TEST(cleans_the_workspace)
{
    static const struct {
        const char *cwd, *text;
        enum sbx_verdict_kind verdict;
    } cases[] = {
        {"/home/agent/work",      "git clean -xdf",          SBX_ASK },
        {"/home/agent/work",      "git clean -xdf .",        SBX_ASK },
        {"/home/agent/work/proj", "git clean -xdf",          SBX_ASK },
        {"/home/agent/work",      "cd .. && git clean -xdf", SBX_DENY},
        {"/home/agent/work",      "git -C ~ clean -xdf",     SBX_DENY},
        {"/home/agent/work",      "git clean -xdf ~",        SBX_DENY},
    };
    struct sbx_policy *policy = policy_of(JUDGE_POLICY);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct sbx_context context = {.policy = policy, .cwd = cases[i].cwd};
        struct sbx_verdict v;
        sbx_judge(&context, cases[i].text, strlen(cases[i].text), &v);
        ck_assert_msg(v.verdict == cases[i].verdict, "%s in %s: %s", cases[i].text, cases[i].cwd,
                      sbx_verdict_name(v.verdict));
    }
    free(policy);
}
END_TEST

Suite *judge_policy_suite(void);

static void expect(const char *managed, const char *text, enum sbx_verdict_kind verdict)
{
    const struct judged one = {verdict, SBX_CLASS_NONE, text};
    expect_all(managed, &one, 1);
}

START_TEST(rules)
{
    static const char deny[] = JUDGE_POLICY "[permissions]\ndeny = Bash(npm publish:*)\n";
    expect(deny, "npm publish --dry-run", SBX_DENY);
    expect(deny, "make && timeout 5 npm publish", SBX_DENY);
    expect(deny, "sh -c 'npm publish'", SBX_DENY);
    expect(deny, "x=publish; npm \"$x\"", SBX_DENY);
    expect(deny, "echo 'npm publish'", SBX_ALLOW);
    expect(deny, "npm test", SBX_ALLOW);
    struct sbx_policy *policy = policy_of(deny);
    struct sbx_verdict v = judge_with(policy, "true; npm publish");
    ck_assert_int_eq(v.by, SBX_BY_RULE);
    ck_assert_str_eq(v.rule, "Bash(npm publish:*)");
    ck_assert_ptr_nonnull(strstr(v.origin, "p.ini:"));
    ck_assert_uint_eq(v.begin, 6);
    /* The agent is not told what managed patterns say. */
    ck_assert_ptr_null(strstr(v.reason, "publish"));
    free(policy);
}
END_TEST

START_TEST(an_ask_is_answered_by_a_rule_that_names_it)
{
    static const char allow[] = JUDGE_POLICY "[permissions]\nallow = Bash(git reset:*)\n";
    expect(JUDGE_POLICY, "git reset --hard", SBX_ASK);
    expect(allow, "git reset --hard", SBX_ALLOW);
    expect(allow, "timeout 9 git reset --hard", SBX_ALLOW);
    /* Another command beside it, a word that is not known, a deny: not answered. */
    expect(allow, "git reset --hard; git clean -fd", SBX_ASK);
    expect(allow, "git reset --hard $X", SBX_ASK);
    expect(JUDGE_POLICY "[permissions]\nallow = Bash(rm:*)\n", "rm -rf ~", SBX_DENY);
    expect(JUDGE_POLICY "[permissions]\nallow = Bash\n", "git reset --hard", SBX_ASK);
}
END_TEST

START_TEST(regular_mode)
{
    static const char regular[] = "[sandbox]\nmode = regular\n" JUDGE_POLICY
                                  "[permissions]\nallow = Bash(make test)\nask = Bash(jq:*)\n";
    expect(regular, "ls -l | wc -l", SBX_ALLOW);
    expect(regular, "timeout 3 ls", SBX_ALLOW);
    expect(regular, "ls > x", SBX_ASK);
    expect(regular, "ls $X", SBX_ASK);
    expect(regular, "touch x", SBX_ASK);
    expect(regular, "make test", SBX_ALLOW);
    expect(regular, "make test && ls", SBX_ALLOW);
    expect(regular, "make test && touch x", SBX_ASK);
    expect(regular, "some-new-tool", SBX_ASK);
    expect(regular, "jq . x", SBX_ASK);
}
END_TEST

/* What covers a command inside another, or a program of the same name, covers nothing else. */
START_TEST(regular_mode_lets_only_readers_through)
{
    static const char *const asked[] = {
        "touch $(ls)",
        "touch \"$(ls)\"",
        "some-new-tool $(ls)",
        "touch `make test`",
        "touch x <(make test)",
        "x=$(make test) touch y",
        "cat x > \"$(echo y)\"",
        "ls \"$(touch x)\"",
        "make test \"$(touch x)\"",
        "./ls",
        "sub/cat x",
        "/tmp/ls",
        "sed -n 'w out' x",
        "sed -i s/a/b/ x",
        "awk '{ print > \"out\" }' x",
        "awk -f program x",
        "sed -f script x",
        "sort -o out x",
        "ls 3>x",
        "cat <> x",
        "alias touch=ls; touch x",
        "f() { touch x; }; f",
    };
    static const char *const let[] = {
        "/bin/ls -l",           "/usr/bin/cat x", "ls >/dev/null 2>&1", "f() { ls; }; f",
        "awk '{ print $1 }' x", "sed -n p x",     "nice -n 5 ls",       "{ ls; cat x; }",
        "! ls | wc -l",         "cat <<<text",    "FOO=1 ls",           "make test; ls x",
        "x=1; echo $x",
    };
    static const char regular[] =
        "[sandbox]\nmode = regular\n" JUDGE_POLICY "[permissions]\nallow = Bash(make test)\n";
    for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++)
        expect(regular, asked[i], SBX_ASK);
    for (size_t i = 0; i < sizeof(let) / sizeof(*let); i++)
        expect(regular, let[i], SBX_ALLOW);
    /* A function that the shell told of may not be what it runs. */
    struct sbx_policy *policy = policy_of(regular);
    const struct sbx_context context = {.policy = policy,
                                        .cwd = "/home/agent/work/proj",
                                        .functions = "touch () \n{ \n    ls\n}\n"};
    struct sbx_verdict v;
    sbx_judge(&context, "touch x", 7, &v);
    ck_assert_int_eq(v.verdict, SBX_ASK);
    free(policy);
}
END_TEST

#define ASKING                                                                                     \
    JUDGE_POLICY                                                                                   \
    "[permissions]\nask = Bash(jq:*)\nask = Read(//etc/hosts)\nask = Edit(notes/**)\n"             \
    "deny = Bash(npm publish:*)\nallow = Bash(timeout:*)\nallow = Bash(cat:*)\n"                   \
    "allow = Bash(jq .:*)\n"

START_TEST(ask_rules_for_paths)
{
    static const char text[] = "[sandbox]\nmode = disabled\n[filesystem]\nworkspace = ~/work\n"
                               "allow_write = ~/notes\n[permissions]\nask = Edit(notes/**)\n"
                               "ask = Read(//etc/ho*)\nask = Edit(//srv/x)\n";
    struct sbx_policy *policy = policy_of(text);
    ck_assert_int_eq(judge_with(policy, "echo x >~/notes/a").verdict, SBX_ASK);
    ck_assert_int_eq(judge_with(policy, "sed -i s/a/b/ ~/notes/a").verdict, SBX_ASK);
    ck_assert_int_eq(judge_with(policy, "cat ~/notes/a").verdict, SBX_ALLOW);
    ck_assert_int_eq(judge_with(policy, "echo x >~/work/a").verdict, SBX_ALLOW);
    ck_assert_int_eq(judge_with(policy, "cat /etc/hosts").verdict, SBX_ASK);
    ck_assert_int_eq(judge_with(policy, "cat /etc/h*s").verdict, SBX_ASK);
    ck_assert_int_eq(judge_with(policy, "cat /opt/p*").verdict, SBX_ALLOW);
    /* A human opened the folder. */
    uint32_t count = 0;
    const struct sbx_path_rule *paths = sbx_policy_paths(policy, &count);
    for (uint32_t i = 0; i < count; i++)
        if (!strcmp(sbx_policy_text(policy, paths[i].path), "/home/agent/notes"))
            ((struct sbx_path_rule *)(uintptr_t)&paths[i])->origin.scope = SBX_SCOPE_GRANT;
    ck_assert_int_eq(judge_with(policy, "echo x >~/notes/a").verdict, SBX_ALLOW);
    free(policy);
}
END_TEST

/* Deny always; ask where the jail does not hold the command, and past any allow. */
START_TEST(ask_rules_by_mode)
{
    static const struct {
        const char *text;
        enum sbx_verdict_kind inside, outside; /* auto-allow in a jail; everywhere else */
    } cases[] = {
        {"jq . x",                SBX_ALLOW, SBX_ASK  },
        {"timeout 3 jq . x",      SBX_ALLOW, SBX_ASK  },
        {"cat /etc/hosts",        SBX_ALLOW, SBX_ASK  },
        {"cat </etc/hosts",       SBX_ALLOW, SBX_ASK  },
        {"cat /etc/passwd",       SBX_ALLOW, SBX_ALLOW},
        {"timeout 3 npm publish", SBX_DENY,  SBX_DENY },
        {"timeout 3 true",        SBX_ALLOW, SBX_ALLOW},
    };
    struct sbx_policy *inside = policy_of(ASKING);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct sbx_context context = {.policy = inside, .cwd = "/home/agent/work/proj"};
        struct sbx_verdict v;
        expect(ASKING, cases[i].text, cases[i].inside);
        expect("[sandbox]\nmode = regular\n" ASKING, cases[i].text, cases[i].outside);
        expect("[sandbox]\nmode = disabled\n" ASKING, cases[i].text, cases[i].outside);
        context.is_outside = true;
        sbx_judge(&context, cases[i].text, strlen(cases[i].text), &v);
        ck_assert_msg(v.verdict == cases[i].outside, "outside: %s", cases[i].text);
    }
    free(inside);
    /* A human's yes answers an ask rule; a yes to another command does not. */
    struct sbx_policy *granted = policy_of("[sandbox]\nmode = regular\n" ASKING);
    uint32_t count = 0;
    const struct sbx_rule *list = sbx_policy_rules(granted, &count);
    for (uint32_t i = 0; i < count; i++)
        if (!strcmp(sbx_policy_text(granted, list[i].text), "Bash(jq .:*)"))
            ((struct sbx_rule *)(uintptr_t)&list[i])->origin.scope = SBX_SCOPE_GRANT;
    ck_assert_int_eq(judge_with(granted, "jq . x").verdict, SBX_ALLOW);
    ck_assert_int_eq(judge_with(granted, "jq .a x").verdict, SBX_ASK);
    free(granted);
    struct sbx_policy *disabled = policy_of("[sandbox]\nmode = disabled\n" ASKING);
    ck_assert_int_eq(judge_with(disabled, "touch x").verdict, SBX_ALLOW);
    ck_assert_str_eq(judge_with(disabled, "touch x").rule, "mode = disabled");
    ck_assert_int_eq(judge_with(disabled, "rm -rf ~").verdict, SBX_DENY);
    free(disabled);
}
END_TEST

START_TEST(classes)
{
    expect(JUDGE_POLICY "[classifier]\ngit-destroy = deny\n", "git reset --hard", SBX_DENY);
    expect(JUDGE_POLICY "[classifier]\ngit-destroy = allow\n", "git reset --hard", SBX_ALLOW);
    expect(JUDGE_POLICY "[classifier]\nnested-shell = log\n", "bash", SBX_ALLOW);
    expect(JUDGE_POLICY "[classifier]\nfs-destroy = ask\n", "rm -rf ~", SBX_ASK);
}
END_TEST

START_TEST(hosts)
{
    static const char closed[] = JUDGE_POLICY "[network]\ndeny_domain = *.bad.example\n";
    expect(closed, "curl https://a.bad.example/x", SBX_DENY);
    expect(closed, "git clone https://u@a.bad.example/x.git", SBX_DENY);
    expect(closed, "curl https://bad.example.net/x", SBX_ALLOW);
    expect(closed, "curl https://unlisted.example/x", SBX_ALLOW);
}
END_TEST

START_TEST(other_tools)
{
    static const char text[] = JUDGE_POLICY "[permissions]\ndeny = Read(secret/*)\n"
                                            "[network]\ndeny_domain = bad.example\n";
    struct sbx_policy *policy = policy_of(text);
    const struct sbx_context context = {.policy = policy, .cwd = "/home/agent/work/proj"};
    static const struct {
        enum sbx_tool tool;
        const char *operand;
        enum sbx_verdict_kind verdict;
    } cases[] = {
        {SBX_TOOL_READ,     "README.md",               SBX_ALLOW},
        {SBX_TOOL_READ,     "/home/agent/.ssh/id_rsa", SBX_DENY },
        {SBX_TOOL_READ,     "~/.ssh/id_rsa",           SBX_DENY },
        {SBX_TOOL_READ,     "/home/agent/secret/x",    SBX_DENY },
        {SBX_TOOL_EDIT,     "src/a.c",                 SBX_ALLOW},
        {SBX_TOOL_EDIT,     "/etc/motd",               SBX_DENY },
        {SBX_TOOL_EDIT,     "~/.bashrc",               SBX_DENY },
        {SBX_TOOL_EDIT,     "~/notes",                 SBX_ASK  },
        {SBX_TOOL_WEBFETCH, "https://bad.example/x",   SBX_DENY },
        {SBX_TOOL_WEBFETCH, "https://good.example/x",  SBX_ALLOW},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct sbx_verdict v;
        sbx_judge_tool(&context, cases[i].tool, cases[i].operand, &v);
        ck_assert_msg(v.verdict == cases[i].verdict, "%s: %s", cases[i].operand,
                      sbx_verdict_name(v.verdict));
    }
    free(policy);
}
END_TEST

/* A file system with one link: /home/agent/work/proj/out -> /etc. */
static int resolve(void *data, const char *path, char *out, size_t size)
{
    static const char link[] = "/home/agent/work/proj/out";
    (void)data;
    if (strncmp(path, link, sizeof(link) - 1) != 0)
        return -1;
    return (size_t)snprintf(out, size, "/etc%s", path + sizeof(link) - 1) < size ? 0 : -1;
}

START_TEST(links)
{
    struct sbx_policy *policy = policy_of(JUDGE_POLICY);
    const struct sbx_fs fs = {.resolve = resolve};
    struct sbx_context context = {.policy = policy, .cwd = "/home/agent/work/proj", .fs = &fs};
    struct sbx_verdict v;
    sbx_judge(&context, "echo x > out/motd", 17, &v);
    ck_assert_int_eq(v.verdict, SBX_DENY);
    ck_assert_str_eq(v.path, "/etc/motd");
    /* The twin: without eyes the name is inside the workspace. */
    context.fs = NULL;
    sbx_judge(&context, "echo x > out/motd", 17, &v);
    ck_assert_int_eq(v.verdict, SBX_ALLOW);
    free(policy);
}
END_TEST

static void count_command(void *data, const struct sbx_use *use, unsigned depth)
{
    (void)use;
    (void)depth;
    ++*(unsigned *)data;
}

/* Names that are patterns, each of them behind many wrappers: tried once, not once for each of the
 * others. And whatever is left to be found: a few bytes are never worth a lot of work. */
START_TEST(patterns_as_names_do_not_multiply)
{
    struct sbx_policy *policy = policy_of(JUDGE_POLICY);
    const struct sbx_context context = {.policy = policy, .cwd = "/home/agent/work/proj"};
    static const char text[] = "{a,b,c}{d,e,f}{g,h}/s*";
    unsigned commands = 0;
    const struct sbx_trace trace = {.command = count_command, .data = &commands};
    struct sbx_verdict v;
    sbx_judge_traced(&context, text, strlen(text), &trace, &v);
    ck_assert_int_ne(v.verdict, SBX_ALLOW);
    ck_assert_uint_lt(commands, 1000);
    free(policy);
}
END_TEST

/* Tools of the house, as a sysadmin describes them. */
START_TEST(commands_of_policy)
{
    static const char managed[] =
        JUDGE_POLICY "[command deploy]\nreads = 1\nwrites = last, --log\noptions = -e --env\n"
                     "[command with-lock]\nwrapper = yes\nwrites = 1\noptions = -t\n"
                     "[command on-all]\ncode = 2\nexecutes = --hook\n"
                     "[command purge]\ndeletes = 2-\n"
                     "[command report]\nreadonly = yes\nreads = *\n";
    static const char unknown[] = JUDGE_POLICY;
    expect(managed, "deploy -e production conf out/site", SBX_ALLOW);
    expect(managed, "deploy -e /etc/x conf out/site", SBX_ALLOW); /* a value that names no file */
    expect(managed, "deploy conf /etc/passwd", SBX_DENY);
    expect(managed, "deploy --log=/etc/passwd conf out", SBX_DENY);
    expect(managed, "deploy --log /etc/passwd conf out", SBX_DENY);
    expect(managed, "deploy ~/.ssh/id_rsa out", SBX_DENY);
    expect(managed, "with-lock -t 5 lock rm -rf ~", SBX_DENY);
    expect(managed, "with-lock -t 5 lock make test", SBX_ALLOW);
    expect(managed, "with-lock /etc/lock make test", SBX_DENY);
    expect(managed, "on-all web 'rm -rf ~'", SBX_DENY);
    expect(managed, "on-all web 'uptime; df -h'", SBX_ALLOW);
    expect(managed, "purge all build/a build/b", SBX_ALLOW);
    expect(managed, "purge all build/a ~", SBX_DENY);
    expect(managed, "purge / build/a", SBX_ALLOW);
    expect(managed, "report a b ~/.ssh/id_rsa", SBX_DENY);
    static const char regular[] =
        "[sandbox]\nmode = regular\n" JUDGE_POLICY "[command report]\nreadonly = yes\n";
    expect(regular, "report a", SBX_ALLOW);
    expect(regular, "deploy a", SBX_ASK);
    expect(unknown, "on-all web 'uptime; df -h'", SBX_ALLOW);
    /* What the table knows stays what it is. */
    expect(JUDGE_POLICY "[command rm]\nreadonly = yes\n", "rm -rf ~", SBX_DENY);
}
END_TEST

static bool nothing_there(void *data, const char *path)
{
    (void)data;
    return strstr(path, "later") != NULL;
}

/* What holds a protected path is held itself, as by the kernel: it is a mount point or above one. */
START_TEST(what_holds_a_protected_path)
{
    static const char managed[] = JUDGE_POLICY "deny_write = ~/work/proj/vendor/lib\n"
                                               "deny_write = ~/work/proj/later/lib\n";
    expect(managed, "mv vendor old", SBX_DENY);
    expect(managed, "rm -rf vendor", SBX_DENY);
    expect(managed, "chmod -R go-w vendor", SBX_DENY);
    expect(managed, "mv vendor/other old", SBX_ALLOW);
    expect(managed, "rm -rf vendor/other", SBX_ALLOW);
    expect(managed, "chmod go-w vendor", SBX_ALLOW);
    expect(managed, "mv vendors old", SBX_ALLOW);
    struct sbx_policy *policy = policy_of(managed);
    const struct sbx_fs fs = {.is_absent = nothing_there};
    const struct sbx_context context = {
        .policy = policy, .cwd = "/home/agent/work/proj", .fs = &fs};
    struct sbx_verdict v;
    sbx_judge(&context, "mv later old", 12, &v); /* nothing there that a mount could protect */
    ck_assert_int_eq(v.verdict, SBX_ALLOW);
    sbx_judge(&context, "mv vendor old", 13, &v);
    ck_assert_int_eq(v.verdict, SBX_DENY);
    ck_assert_int_eq(v.class, SBX_CLASS_PATH);
    free(policy);
}
END_TEST

START_TEST(no_limit_is_a_way_round)
{
    static const char deny[] = JUDGE_POLICY "[permissions]\ndeny = Bash(wipe-all:*)\n";
    size_t size = (size_t)1024 * 1024 + 64;
    char *text = malloc(size);
    ck_assert_ptr_nonnull(text);
    struct sbx_policy *policy = policy_of(deny), *plain = policy_of(JUDGE_POLICY);
    /* Many commands in front of it. */
    size_t len = 0;
    while (len < 60000)
        len += (size_t)snprintf(text + len, size - len, "true;");
    (void)snprintf(text + len, size - len, "wipe-all");
    ck_assert_int_eq(judge_with(policy, text).verdict, SBX_DENY);
    /* Too long, and too deep, to be read at all. */
    memset(text, ' ', size - 1);
    memcpy(text, "true", 4);
    memcpy(text + size - 10, ";wipe-all", 10);
    ck_assert_int_eq(judge_with(policy, text).verdict, SBX_DENY);
    ck_assert_int_eq(judge_with(plain, text).verdict, SBX_ASK);
    len = 0;
    for (int i = 0; i < 400; i++)
        len += (size_t)snprintf(text + len, size - len, "$(");
    len += (size_t)snprintf(text + len, size - len, "wipe-all");
    for (int i = 0; i < 400; i++)
        len += (size_t)snprintf(text + len, size - len, ")");
    ck_assert_int_eq(judge_with(policy, text).verdict, SBX_DENY);
    free(text);
    free(policy);
    free(plain);
}
END_TEST

Suite *judge_policy_suite(void)
{
    Suite *suite = suite_create("judge_policy");
    TCase *tests = tcase_create("policy");
    tcase_add_test(tests, rules);
    tcase_add_test(tests, an_ask_is_answered_by_a_rule_that_names_it);
    tcase_add_test(tests, regular_mode);
    tcase_add_test(tests, regular_mode_lets_only_readers_through);
    tcase_add_test(tests, ask_rules_by_mode);
    tcase_add_test(tests, ask_rules_for_paths);
    tcase_add_test(tests, classes);
    tcase_add_test(tests, hosts);
    tcase_add_test(tests, other_tools);
    tcase_add_test(tests, links);
    tcase_add_test(tests, patterns_as_names_do_not_multiply);
    tcase_add_test(tests, commands_of_policy);
    tcase_add_test(tests, what_holds_a_protected_path);
    tcase_add_test(tests, no_limit_is_a_way_round);
    tcase_add_test(tests, cleans_the_workspace);
    suite_add_tcase(suite, tests);
    return suite;
}
