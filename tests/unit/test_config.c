/* Policy files: which are read, what is refused, who is confined. Nothing here needs root but the
 * tests of ownership, which say so where they cannot run. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "policy/path.h"
#include "policy_text.h"

Suite *config_suite(void);

/* --- a tree of files -------------------------------------------------------------------------- */
static char top[64];

static const char *at(const char *name)
{
    static char path[2][512];
    static unsigned turn;
    char *out = path[turn++ % 2];
    (void)snprintf(out, sizeof(path[0]), "%s/%s", top, name);
    return out;
}

static void put_bytes(const char *name, const char *bytes, size_t len)
{
    FILE *file = fopen(at(name), "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, len, file), len);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(chmod(at(name), 0644), 0);
}

static void put(const char *name, const char *text)
{
    put_bytes(name, text, strlen(text));
}

static void set_up(void)
{
    (void)snprintf(top, sizeof(top), "/tmp/sbx-config-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(top));
    ck_assert_int_eq(chmod(top, 0755), 0);
    static const char *const dirs[] = {
        "etc", "etc/sbx", "etc/sbx/policy.d", "etc/sbx/group.d",   "etc/sbx/account.d",
        "var", "var/lib", "var/lib/sbx",      "var/lib/sbx/grants"};
    mode_t before = umask(022);
    for (size_t i = 0; i < sizeof(dirs) / sizeof(*dirs); i++)
        ck_assert_int_eq(mkdir(at(dirs[i]), 0755), 0);
    (void)umask(before);
}

static void tear_down(void)
{
    char command[128];
    (void)snprintf(command, sizeof(command), "rm -rf -- %s", top);
    ck_assert_int_eq(system(command), 0);
}

static bool skipped(void)
{
    if (geteuid() == 0)
        return false;
    (void)fprintf(stderr, "SKIPPED: needs root, since managed files must be root's\n");
    return true;
}

struct reading {
    struct sbx_config *config;
    struct told told;
    struct sbx_err err;
    int status;
};

static void begin(struct reading *reading)
{
    *reading = (struct reading){.err = SBX_ERR_INIT};
    ck_assert_int_eq(sbx_config_new(&reading->config, &reading->err), 0);
}

static void read_managed(struct reading *reading, const char *account, const char *const *groups)
{
    begin(reading);
    const struct sbx_reporter reporter = {.say = told_say, .data = &reading->told};
    reading->status =
        sbx_config_read_managed(reading->config, top, account, groups, &reporter, &reading->err);
}

static void read_path(struct reading *reading, const char *path)
{
    begin(reading);
    const struct sbx_reporter reporter = {.say = told_say, .data = &reading->told};
    reading->status =
        sbx_config_read_path(reading->config, path, NULL, NULL, &reporter, &reading->err);
}

static void refused(struct reading *reading, const char *words)
{
    ck_assert_msg(reading->status == -1, "not refused, wanted: %s", words);
    ck_assert_msg(strstr(reading->err.message, words), "'%s' does not say '%s'",
                  reading->err.message, words);
    ck_assert_uint_ge(reading->told.count, 1);
    sbx_config_free(reading->config);
}

static void accepted(struct reading *reading)
{
    ck_assert_msg(!reading->status, "%s", reading->err.message);
    sbx_config_free(reading->config);
}

#define GOOD "[sandbox]\nenabled = yes\n"

/* --- files ------------------------------------------------------------------------------------ */
START_TEST(no_file_is_no_error)
{
    struct reading reading;
    if (skipped())
        return;
    read_managed(&reading, "agent", NULL);
    ck_assert_uint_eq(reading.config->count, 0);
    accepted(&reading);
    ck_assert_int_eq(rmdir(at("etc/sbx/policy.d")), 0);
    ck_assert_int_eq(rmdir(at("etc/sbx/group.d")), 0);
    ck_assert_int_eq(rmdir(at("etc/sbx/account.d")), 0);
    read_managed(&reading, "agent", NULL);
    accepted(&reading);
    ck_assert_int_eq(rmdir(at("etc/sbx")), 0);
    read_managed(&reading, "agent", NULL);
    accepted(&reading);
}
END_TEST

START_TEST(later_files_win_and_lists_merge)
{
    static const char *const groups[] = {"zeta", "alpha", "alpha", NULL};
    struct reading reading;
    struct sbx_policy *policy = NULL;
    const struct sbx_subject subject = {.account = "agent", .home = "/home/agent"};
    if (skipped())
        return;
    put("etc/sbx/policy.ini",
        "[limits]\ntasks_max = 1\n[filesystem]\ndeny_read = /a\n[jail]\nlinger = 1\n");
    put("etc/sbx/policy.d/20-x.ini", "[limits]\ntasks_max = 20\n");
    put("etc/sbx/policy.d/10-x.ini", "[limits]\ntasks_max = 10\n[filesystem]\ndeny_read = /b\n");
    put("etc/sbx/policy.d/30-x.conf", "this is no policy file\n");
    put("etc/sbx/policy.d/.40.ini", "neither\n");
    put("etc/sbx/group.d/alpha.ini", "[jail]\nlinger = 2\n[limits]\ntasks_max = 30\n");
    put("etc/sbx/group.d/zeta.ini", "[jail]\nlinger = 3\n");
    put("etc/sbx/group.d/other.ini", "[jail]\nlinger = 4\n");
    put("etc/sbx/account.d/agent.ini", "[limits]\nopen_files = 9\n");
    put("etc/sbx/account.d/other.ini", "[limits]\nopen_files = 8\n");
    read_managed(&reading, "agent", groups);
    ck_assert_msg(!reading.status, "%s", reading.err.message);
    ck_assert_int_eq(sbx_policy_compile(reading.config, &subject, &policy, &reading.err), 0);
    ck_assert_int_eq(sbx_policy_number(policy, SBX_KEY_LIMITS_TASKS_MAX), 30);
    ck_assert_int_eq(sbx_policy_number(policy, SBX_KEY_JAIL_LINGER), 3);
    ck_assert_int_eq(sbx_policy_number(policy, SBX_KEY_LIMITS_OPEN_FILES), 9);
    uint32_t count = 0;
    char place[600];
    const struct sbx_item *items = sbx_policy_list(policy, SBX_KEY_FILESYSTEM_DENY_READ, &count);
    ck_assert_uint_eq(count, 2);
    ck_assert_str_eq(sbx_policy_text(policy, items[0].text), "/a");
    sbx_policy_origin(policy, &items[1].origin, place, sizeof(place));
    ck_assert_ptr_nonnull(strstr(place, "/etc/sbx/policy.d/10-x.ini:4"));
    free(policy);
    sbx_config_free(reading.config);
    /* Who is confined is asked before the account's files matter. */
    read_managed(&reading, NULL, NULL);
    ck_assert_ptr_eq(sbx_config_winner(reading.config, SBX_KEY_LIMITS_OPEN_FILES), NULL);
    accepted(&reading);
}
END_TEST

START_TEST(all_errors_of_all_files_are_told)
{
    struct reading reading;
    size_t files = 0;
    if (skipped())
        return;
    put("etc/sbx/policy.ini", "[sandbox]\nenabled = maybe\nmood = x\n");
    put("etc/sbx/policy.d/a.ini", "[nope]\nx = y\n");
    put("etc/sbx/account.d/agent.ini", "[limits]\ntasks_max = many\n");
    put("etc/sbx/account.d/else.ini", "[limits]\ntasks_max = few\n");
    read_managed(&reading, "agent", NULL);
    ck_assert_uint_eq(reading.told.count, 4);
    refused(&reading, "/etc/sbx/policy.ini:2:11: sandbox.enabled: 'maybe' is neither yes nor no");
    begin(&reading);
    const struct sbx_reporter reporter = {.say = told_say, .data = &reading.told};
    reading.status = sbx_config_check(reading.config, top, NULL, &reporter, &files, &reading.err);
    ck_assert_uint_eq(reading.told.count, 5);
    ck_assert_uint_eq(files, 4);
    refused(&reading, "policy.ini:2");
}
END_TEST

START_TEST(a_file_that_is_not_read_is_said_to_be)
{
    static const char *const unread[] = {"policy.d/site.conf", "policy.d/x.ini.rpmsave",
                                         "policy.d/x.ini~", "group.d/alpha", "account.d/agent.INI"};
    struct reading reading;
    size_t files = 0;
    if (skipped())
        return;
    put("etc/sbx/policy.ini", GOOD);
    for (size_t i = 0; i < sizeof(unread) / sizeof(*unread); i++) {
        char name[64];
        (void)snprintf(name, sizeof(name), "etc/sbx/%s", unread[i]);
        put(name, "[jail]\nlinger = 1\n");
    }
    put("etc/sbx/policy.d/.x.ini.swp", "half written\n");
    for (unsigned turn = 0; turn < 2; turn++) {
        if (turn) {
            read_managed(&reading, "agent", NULL);
        } else {
            begin(&reading);
            const struct sbx_reporter reporter = {.say = told_say, .data = &reading.told};
            reading.status =
                sbx_config_check(reading.config, top, NULL, &reporter, &files, &reading.err);
        }
        ck_assert_uint_eq(reading.told.warnings, sizeof(unread) / sizeof(*unread));
        for (size_t i = 0; i < sizeof(unread) / sizeof(*unread); i++) {
            char words[128];
            (void)snprintf(words, sizeof(words),
                           "/etc/sbx/%s: is not read, since its name does not", unread[i]);
            ck_assert_msg(strstr(reading.told.text, words), "'%s' lacks '%s'", reading.told.text,
                          words);
        }
        accepted(&reading);
    }
    /* A login, to which nobody listens, is the same with them and without. */
    begin(&reading);
    reading.status =
        sbx_config_read_managed(reading.config, top, "agent", NULL, NULL, &reading.err);
    accepted(&reading);
}
END_TEST

START_TEST(reads_the_grants_of_the_account)
{
    static const char grant[] = "[permissions]\nallow = Bash(true)\n";
    struct reading reading;
    if (skipped())
        return;
    put("etc/sbx/policy.ini", GOOD);
    read_managed(&reading, "agent", NULL);
    size_t without = reading.config->count;
    accepted(&reading);
    put("var/lib/sbx/grants/other.ini", grant);
    uint64_t before = sbx_config_stamp_now(top, "agent", NULL);
    read_managed(&reading, "agent", NULL);
    ck_assert_uint_eq(reading.config->count, without);
    ck_assert_uint_eq(sbx_config_stamp(reading.config), before);
    accepted(&reading);
    put("var/lib/sbx/grants/agent.ini", grant);
    ck_assert_uint_ne(sbx_config_stamp_now(top, "agent", NULL), before);
    read_managed(&reading, "agent", NULL);
    ck_assert_uint_eq(reading.config->count, without + 1);
    ck_assert_uint_eq(reading.config->entries[without].scope, SBX_SCOPE_GRANT);
    accepted(&reading);
    read_managed(&reading, NULL, NULL); /* to learn who is confined */
    ck_assert_uint_eq(reading.config->count, without);
    accepted(&reading);
    ck_assert_int_eq(chmod(at("var/lib/sbx/grants/agent.ini"), 0666), 0);
    read_managed(&reading, "agent", NULL);
    refused(&reading, "lets others write");
}
END_TEST

/* They are read once it is known who is confined: accepted, the words would do nothing. */
START_TEST(who_is_confined_is_not_for_files_of_one_account)
{
    static const char *const groups[] = {"alpha", NULL};
    static const struct {
        const char *file, *text, *says;
    } cases[] = {
        {"account.d/agent.ini", "[accounts]\nuser = agent\n",
         "account.d/agent.ini:2:1: accounts.user counts in policy.ini and policy.d/*.ini alone" },
        {"group.d/alpha.ini",   "[accounts]\ngroup = alpha\n",
         "group.d/alpha.ini:2:1: accounts.group counts in policy.ini and policy.d/*.ini alone"  },
        {"group.d/alpha.ini",   "[accounts]\nservice = login\n",
         "group.d/alpha.ini:2:1: accounts.service counts in policy.ini and policy.d/*.ini alone"},
        {"account.d/agent.ini", GOOD,
         "account.d/agent.ini:2:1: sandbox.enabled counts in policy.ini and policy.d/*.ini alone: "
         "move it there"                                                                        },
    };
    struct reading reading;
    if (skipped())
        return;
    put("etc/sbx/policy.ini", GOOD "[accounts]\nuser = a\n");
    put("etc/sbx/policy.d/x.ini", GOOD "[accounts]\nuser = agent\ngroup = g\nservice = login\n");
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char name[64];
        size_t files = 0;
        (void)snprintf(name, sizeof(name), "etc/sbx/%s", cases[i].file);
        put(name, cases[i].text);
        read_managed(&reading, "agent", groups);
        refused(&reading, cases[i].says);
        begin(&reading);
        const struct sbx_reporter reporter = {.say = told_say, .data = &reading.told};
        reading.status =
            sbx_config_check(reading.config, top, NULL, &reporter, &files, &reading.err);
        refused(&reading, cases[i].says);
        /* Nobody else notices. */
        read_managed(&reading, "other", NULL);
        accepted(&reading);
        ck_assert_int_eq(unlink(at(name)), 0);
    }
    put("etc/sbx/account.d/agent.ini", "[sandbox]\nmode = regular\n");
    read_managed(&reading, "agent", groups);
    accepted(&reading);
}
END_TEST

START_TEST(places_of_a_command)
{
    static const char *const bad[][2] = {
        {"reads = 0",          "2:9 command.reads: '0' is no operand"         },
        {"reads = 13",         "2:9 command.reads: '13' is no operand"        },
        {"deletes = 1, 2-3",   "2:11 command.deletes: '2-3' is no operand"    },
        {"writes = first",     "2:10 command.writes: 'first' is no operand"   },
        {"options = --x=FILE", "2:11 command.options: '--x=FILE' is no option"},
        {"options = x",        "2:11 command.options: 'x' is no option"       },
        {"readonly = 1",       "2:12 command.readonly: "                      },
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        struct sbx_config *config = NULL;
        struct sbx_err err = SBX_ERR_INIT;
        struct told told;
        char text[64];
        int len = snprintf(text, sizeof(text), "[command a]\n%s\n", bad[i][0]);
        ck_assert_int_eq(sbx_config_new(&config, &err), 0);
        ck_assert_int_eq(told_parse(config, SBX_SCOPE_MANAGED, text, (size_t)len, &told), -1);
        ck_assert_msg(!strncmp(told.text, bad[i][1], strlen(bad[i][1])), "%s", told.text);
        sbx_config_free(config);
    }
}
END_TEST

/* inih says nothing of a section without keys: a misspelt one would be a silent nothing. */
START_TEST(a_misspelt_section_is_told_once_and_also_when_empty)
{
    static const struct {
        const char *text;
        const char *told;
    } cases[] = {
        {"[sandboks]\n",                          "1:2 no section [sandboks] (did you mean [sandbox]?)\n"},
        {"[sandboks]\nenabled = yes\nmode = x\n",
         "1:2 no section [sandboks] (did you mean [sandbox]?)\n"                                         },
        {"[sandbox]\n[command a/b]\n",
         "2:2 write [command NAME], NAME being that of one program\n"                                    },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct sbx_config *config = NULL;
        struct sbx_err err = SBX_ERR_INIT;
        struct told told;
        ck_assert_int_eq(sbx_config_new(&config, &err), 0);
        ck_assert_int_eq(
            told_parse(config, SBX_SCOPE_MANAGED, cases[i].text, strlen(cases[i].text), &told), -1);
        ck_assert_str_eq(told.text, cases[i].told);
        sbx_config_free(config);
    }
}
END_TEST

START_TEST(names_of_accounts_lead_nowhere)
{
    static const char *const names[] = {"../policy", "a/b", "", ".x", "..", "."};
    struct reading reading;
    if (skipped())
        return;
    put("etc/sbx/policy.ini", "[sandbox]\nenabled = yes\n");
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        read_managed(&reading, names[i], NULL);
        refused(&reading, "can have no policy file");
    }
}
END_TEST

START_TEST(what_others_could_have_written_is_refused)
{
    static const struct {
        const char *name;
        mode_t mode;
        const char *says;
    } modes[] = {
        {"etc/sbx/policy.ini", 0666,  "chmod go-w"},
        {"etc/sbx/policy.ini", 0664,  "chmod go-w"},
        {"etc/sbx",            0777,  "chmod go-w"},
        {"etc",                0775,  "chmod go-w"},
        {"",                   0757,  "chmod go-w"},
        {"etc/sbx/policy.d",   01777, "chmod go-w"},
    };
    struct reading reading;
    if (skipped())
        return;
    put("etc/sbx/policy.ini", GOOD);
    for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
        struct stat st;
        ck_assert_int_eq(stat(at(modes[i].name), &st), 0);
        ck_assert_int_eq(chmod(at(modes[i].name), modes[i].mode), 0);
        read_managed(&reading, NULL, NULL);
        refused(&reading, modes[i].says);
        ck_assert_int_eq(chmod(at(modes[i].name), st.st_mode & 07777), 0);
        read_managed(&reading, NULL, NULL); /* the twin */
        accepted(&reading);
        ck_assert_int_eq(chown(at(modes[i].name), 65534, (gid_t)-1), 0);
        read_managed(&reading, NULL, NULL);
        refused(&reading, "must be root's");
        ck_assert_int_eq(chown(at(modes[i].name), 0, (gid_t)-1), 0);
    }
    /* --policy does not ask whose it is. */
    ck_assert_int_eq(chmod(at("etc/sbx/policy.ini"), 0666), 0);
    read_path(&reading, at("etc/sbx/policy.ini"));
    accepted(&reading);
}
END_TEST

START_TEST(links_are_not_followed)
{
    struct reading reading;
    if (skipped())
        return;
    put("real.ini", GOOD);
    ck_assert_int_eq(symlink(at("real.ini"), at("etc/sbx/policy.ini")), 0);
    read_managed(&reading, NULL, NULL);
    refused(&reading, "symbolic link");
    ck_assert_int_eq(unlink(at("etc/sbx/policy.ini")), 0);
    ck_assert_int_eq(symlink("/nowhere", at("etc/sbx/policy.d/x.ini")), 0);
    read_managed(&reading, NULL, NULL);
    refused(&reading, "symbolic link"); /* also where it leads nowhere: it is no absent file */
    ck_assert_int_eq(unlink(at("etc/sbx/policy.d/x.ini")), 0);
    ck_assert_int_eq(rename(at("etc/sbx"), at("etc/other")), 0);
    ck_assert_int_eq(symlink("other", at("etc/sbx")), 0);
    read_managed(&reading, NULL, NULL);
    refused(&reading, "symbolic link");
}
END_TEST

static void bind_socket(const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    (void)snprintf(address.sun_path, sizeof(address.sun_path), "%s", at(name));
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
    (void)close(fd);
}

START_TEST(what_is_no_text_file_is_refused_and_blocks_nobody)
{
    struct reading reading;
    char *big = malloc(10 * 1024 * 1024);
    ck_assert_ptr_nonnull(big);
    memset(big, '\n', 10 * 1024 * 1024);
    put_bytes("big.ini", big, 10 * 1024 * 1024);
    free(big);
    read_path(&reading, at("big.ini"));
    refused(&reading, "10485760 bytes are more");
    ck_assert_int_eq(mkfifo(at("fifo.ini"), 0644), 0);
    read_path(&reading, at("fifo.ini"));
    refused(&reading, "no regular file");
    bind_socket("socket.ini");
    read_path(&reading, at("socket.ini"));
    refused(&reading, "socket");
    put("empty.ini", "");
    read_path(&reading, at("empty.ini"));
    refused(&reading, "is empty");
    read_path(&reading, at("absent.ini"));
    refused(&reading, "no such file");
    read_path(&reading, at("etc/sbx"));
    refused(&reading, "holds no policy.ini");
    read_path(&reading, "/dev/null");
    refused(&reading, "no regular file");
    put_bytes("nul.ini", "[sandbox]\nenabled\0= yes\n", 24);
    read_path(&reading, at("nul.ini"));
    refused(&reading, "nul.ini:2:8: a NUL byte");
    put("half.ini", "[filesystem]\ndeny_read = ~/.ss");
    read_path(&reading, at("half.ini"));
    refused(&reading, "half.ini:2:18: the last line has no end");
    ck_assert_int_eq(mkdir(at("etc/sbx/policy.d/dir.ini"), 0755), 0);
    put("etc/sbx/policy.ini", GOOD);
    read_path(&reading, at("etc/sbx"));
    refused(&reading, "dir.ini: is no regular file");
}
END_TEST

/* From here on this process's kernel has no openat2. */
static int mask_openat2(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {.len = sizeof(code) / sizeof(*code), .filter = code};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

START_TEST(without_openat2_nothing_is_read)
{
    struct reading reading;
    int status = 0;
    put("etc/sbx/policy.ini", GOOD);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (!child) {
        if (mask_openat2())
            _exit(2);
        begin(&reading);
        const struct sbx_reporter reporter = {.say = told_say, .data = &reading.told};
        int managed =
            sbx_config_read_managed(reading.config, top, NULL, NULL, &reporter, &reading.err);
        bool is_said = strstr(reading.err.message, "no openat2") != NULL;
        int path = sbx_config_read_path(reading.config, at("etc/sbx"), NULL, NULL, &reporter,
                                        &reading.err);
        _exit(managed == -1 && path == -1 && is_said ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}
END_TEST

/* A binary has thousands of faults: they are told up to a bound. */
START_TEST(faults_are_bounded)
{
    struct reading reading;
    char *bytes = malloc(500000);
    ck_assert_ptr_nonnull(bytes);
    for (size_t i = 0; i < 500000; i++)
        bytes[i] = (char)(i % 7 ? (i * 2654435761u) >> 13 : '\n');
    put_bytes("binary.ini", bytes, 500000);
    free(bytes);
    read_path(&reading, at("binary.ini"));
    ck_assert_uint_eq(reading.told.count, 101); /* the last says how many more */
    refused(&reading, "binary.ini:");
}
END_TEST

START_TEST(the_stamp_sees_every_change)
{
    static const char *const groups[] = {"g", NULL};
    struct reading reading;
    if (skipped())
        return;
    put("etc/sbx/policy.ini", GOOD);
    put("etc/sbx/group.d/g.ini", "[limits]\ntasks_max = 3\n");
    read_managed(&reading, "agent", groups);
    uint64_t stamp = sbx_config_stamp(reading.config), seen = stamp;
    accepted(&reading);
    ck_assert_uint_eq(sbx_config_stamp_now(top, "agent", groups), stamp);
#define CHANGED()                                                                                  \
    do {                                                                                           \
        uint64_t now = sbx_config_stamp_now(top, "agent", groups);                                 \
        ck_assert_uint_ne(now, seen);                                                              \
        ck_assert_uint_eq(sbx_config_stamp_now(top, "agent", groups), now);                        \
        seen = now;                                                                                \
    } while (0)
    put("etc/sbx/policy.d/new.ini", GOOD);
    CHANGED();
    put("etc/sbx/account.d/agent.ini", "[limits]\nopen_files = 9\n");
    CHANGED();
    put("etc/sbx/group.d/g.ini", "[limits]\ntasks_max = 4\n");
    CHANGED();
    ck_assert_int_eq(chmod(at("etc/sbx/policy.ini"), 0600), 0);
    CHANGED();
    ck_assert_int_eq(unlink(at("etc/sbx/policy.d/new.ini")), 0);
    CHANGED();
    put("etc/sbx/group.d/none-of-ours.tmp", "x");
    ck_assert_int_eq(unlink(at("etc/sbx/policy.ini")), 0);
    CHANGED();
}
END_TEST

/* Tests run in the tree. */
START_TEST(the_shipped_policy_is_valid_and_keeps_the_home)
{
    struct reading reading;
    struct sbx_policy *policy = NULL;
    const struct sbx_subject subject = {.account = "agent", .home = "/home/agent"};
    read_path(&reading, "etc/policy.ini");
    ck_assert_msg(!reading.status, "%s", reading.err.message);
    ck_assert_uint_eq(reading.told.warnings, 0);
    ck_assert_int_eq(sbx_policy_compile(reading.config, &subject, &policy, &reading.err), 0);
    ck_assert(!sbx_policy_flag(policy, SBX_KEY_SANDBOX_ENABLED));
    ck_assert(sbx_path_decide(policy, "/home/agent/.cache/x", SBX_OP_WRITE).allowed);
    ck_assert(sbx_path_decide(policy, "/home/agent/work", SBX_OP_WRITE).allowed);
    ck_assert(sbx_path_decide(policy, "/home/agent/.ssh/known_hosts", SBX_OP_READ).allowed);
    ck_assert(!sbx_path_decide(policy, "/home/agent/.ssh/config", SBX_OP_READ).allowed);
    ck_assert(!sbx_path_decide(policy, "/home/agent/.ssh/known_hosts", SBX_OP_WRITE).allowed);
    ck_assert(!sbx_path_decide(policy, "/home/agent/.cargo/bin/x", SBX_OP_WRITE).allowed);
    ck_assert(!sbx_path_decide(policy, "/home/agent/x", SBX_OP_WRITE).allowed);
    free(policy);
    sbx_config_free(reading.config);
}
END_TEST

/* --- scopes and questions --------------------------------------------------------------------- */
START_TEST(lower_scopes_may_not_set_everything)
{
    struct told told;
    struct sbx_config *config = NULL;
    struct sbx_err err = SBX_ERR_INIT;
    const char enabled[] = "[sandbox]\nenabled = no\n", mode[] = "[sandbox]\nmode = regular\n";
    ck_assert_int_eq(sbx_config_new(&config, &err), 0);
    ck_assert_int_eq(told_parse(config, SBX_SCOPE_USER, enabled, sizeof(enabled) - 1, &told), -1);
    ck_assert_str_eq(told.text, "2:1 sandbox.enabled counts in the files below /etc/sbx alone\n");
    ck_assert_int_eq(told_parse(config, SBX_SCOPE_PROJECT, mode, sizeof(mode) - 1, &told), 0);
    ck_assert_int_eq(sbx_config_set(config, "sandbox.enabled=no", "--set", &err), 0);
    ck_assert_int_eq(sbx_config_set(config, "network.managed_domains_only=yes", "--set", &err), -1);
    sbx_config_free(config);
}
END_TEST

START_TEST(set_is_checked_and_meets_locks)
{
    static const struct {
        const char *setting, *says;
    } cases[] = {
        {"limits.tasks_max=5",          "--set: limits.tasks_max is locked by p.ini:2"},
        {"limits.tasks_max",            "section.key=value"                           },
        {"limits=5",                    "section.key=value"                           },
        {"limits.tasks=5",              "did you mean tasks_max?"                     },
        {"limits.open_files=x",         "no whole number"                             },
        {"filesystem.deny_read=/x\n/y", "control character"                           },
        {"=.=",                         "section.key=value"                           },
    };
    struct told told;
    struct sbx_config *config = NULL;
    struct sbx_err err = SBX_ERR_INIT;
    const char text[] = "[limits]\ntasks_max = 4\n[filesystem]\ndeny_read = /a\n";
    ck_assert_int_eq(sbx_config_new(&config, &err), 0);
    ck_assert_int_eq(told_parse(config, SBX_SCOPE_MANAGED, text, sizeof(text) - 1, &told), 0);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        ck_assert_int_eq(sbx_config_set(config, cases[i].setting, "--set", &err), -1);
        ck_assert_msg(strstr(err.message, cases[i].says), "%s: %s", cases[i].setting, err.message);
    }
    ck_assert_int_eq(sbx_config_set(config, "limits.open_files=7", "PAM line", &err), 0);
    ck_assert_int_eq(sbx_config_set(config, "filesystem.deny_read=/b = c", "--set", &err), 0);
    sbx_config_free(config);
}
END_TEST

/* The passwd of these tests: a and b are uid 1, root is 0, trouble is trouble. */
static int uid_of(void *data, const char *name, uid_t *uid)
{
    (void)data;
    if (!strcmp(name, "trouble"))
        return -1;
    if (!strcmp(name, "root"))
        *uid = 0;
    else if (!strcmp(name, "a") || !strcmp(name, "b"))
        *uid = 1;
    else if (!strcmp(name, "c"))
        *uid = 2;
    else
        return 1;
    return 0;
}

static int in_group(void *data, uid_t uid, const char *group)
{
    (void)data;
    return strcmp(group, "trouble") ? uid == 2 && !strcmp(group, "g") : -1;
}

/* `says` begins with the place of the entry in p.ini; "" where nothing is wrong. */
static void confines(const char *accounts, uid_t uid, const char *says, bool confined)
{
    int status = *says ? -1 : 0;
    struct told told;
    struct sbx_config *config = NULL;
    struct sbx_err err = SBX_ERR_INIT;
    const struct sbx_names names = {.uid_of = uid_of, .in_group = in_group};
    bool is_confined = !confined;
    char text[256];
    int len = snprintf(text, sizeof(text), "[sandbox]\nenabled = yes\n[accounts]\n%s\n", accounts);
    ck_assert_int_eq(sbx_config_new(&config, &err), 0);
    ck_assert_int_eq(told_parse(config, SBX_SCOPE_MANAGED, text, (size_t)len, &told), 0);
    ck_assert_msg(sbx_config_confines(config, uid, &names, &is_confined, &err) == status,
                  "%s for %u: %s", accounts, (unsigned)uid, err.message);
    ck_assert_msg(is_confined == confined, "%s for %u", accounts, (unsigned)uid);
    ck_assert_str_eq(err.message, says);
    sbx_config_free(config);
}

START_TEST(who_is_confined)
{
    confines("user = a", 1, "", true);
    confines("user = a", 2, "", false);
    confines("user = absent", 1, "", false);
    confines("group = g", 2, "", true);
    confines("group = g", 1, "", false);
    confines("user = a\nuser = b", 1, "p.ini:5:8: a and b are both uid 1", true);
    confines("user = a\nuser = b", 2, "", false);
    confines("user = trouble\nuser = a", 1, "p.ini:4:8: the account trouble cannot be looked up",
             true);
    confines("user = trouble", 2, "p.ini:4:8: the account trouble cannot be looked up", false);
    confines("group = trouble\ngroup = g", 2, "p.ini:4:9: the group trouble cannot be looked up",
             true);
    confines("user = root", 0, "p.ini:4:8: root is uid 0, which is never confined", true);
    confines("user = root", 1, "p.ini:4:8: root is uid 0, which is never confined", false);
}
END_TEST

START_TEST(nobody_is_confined_unless_enabled)
{
    struct told told;
    struct sbx_config *config = NULL;
    struct sbx_err err = SBX_ERR_INIT;
    const struct sbx_names names = {.uid_of = uid_of, .in_group = in_group};
    bool confined = true;
    const char text[] = "[accounts]\nuser = a\nservice = mine\n";
    ck_assert_int_eq(sbx_config_new(&config, &err), 0);
    ck_assert_int_eq(told_parse(config, SBX_SCOPE_MANAGED, text, sizeof(text) - 1, &told), 0);
    ck_assert_int_eq(sbx_config_confines(config, 1, &names, &confined, &err), 0);
    ck_assert(!confined);
    config->is_path = true; /* as --policy would have it */
    ck_assert_int_eq(sbx_config_confines(config, 1, &names, &confined, &err), 0);
    ck_assert(confined);
    ck_assert(sbx_config_serves(config, "sshd"));
    ck_assert(sbx_config_serves(config, "su-l"));
    ck_assert(sbx_config_serves(config, "mine"));
    ck_assert(!sbx_config_serves(config, "login"));
    ck_assert(!sbx_config_serves(config, "su-"));
    ck_assert(!sbx_config_serves(config, "sshd|su"));
    ck_assert(!sbx_config_serves(config, ""));
    sbx_config_free(config);
}
END_TEST

Suite *config_suite(void)
{
    Suite *suite = suite_create("config");
    TCase *files = tcase_create("files"), *questions = tcase_create("questions");
    tcase_add_checked_fixture(files, set_up, tear_down);
    tcase_add_test(files, no_file_is_no_error);
    tcase_add_test(files, later_files_win_and_lists_merge);
    tcase_add_test(files, all_errors_of_all_files_are_told);
    tcase_add_test(files, a_file_that_is_not_read_is_said_to_be);
    tcase_add_test(files, reads_the_grants_of_the_account);
    tcase_add_test(files, who_is_confined_is_not_for_files_of_one_account);
    tcase_add_test(files, places_of_a_command);
    tcase_add_test(files, places_of_a_command);
    tcase_add_test(files, a_misspelt_section_is_told_once_and_also_when_empty);
    tcase_add_test(files, names_of_accounts_lead_nowhere);
    tcase_add_test(files, what_others_could_have_written_is_refused);
    tcase_add_test(files, links_are_not_followed);
    tcase_add_test(files, what_is_no_text_file_is_refused_and_blocks_nobody);
    tcase_add_test(files, without_openat2_nothing_is_read);
    tcase_add_test(files, faults_are_bounded);
    tcase_add_test(files, the_stamp_sees_every_change);
    tcase_add_test(questions, the_shipped_policy_is_valid_and_keeps_the_home);
    tcase_add_test(questions, lower_scopes_may_not_set_everything);
    tcase_add_test(questions, set_is_checked_and_meets_locks);
    tcase_add_test(questions, who_is_confined);
    tcase_add_test(questions, nobody_is_confined_unless_enabled);
    suite_add_tcase(suite, files);
    suite_add_tcase(suite, questions);
    return suite;
}
