/* The module's entry points, called by the real libpam with a private directory of service files. No
 * warden is there: what can be seen is who is left alone, who is refused, and what stays behind. */
#include <check.h>
#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <pwd.h>
#include <security/pam_appl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

Suite *pam_suite(void);

/* libpam by name: only this suite needs it. */
struct libpam {
    int (*start)(const char *, const char *, const struct pam_conv *, const char *,
                 pam_handle_t **);
    int (*end)(pam_handle_t *, int);
    int (*set_item)(pam_handle_t *, int, const void *);
    int (*authenticate)(pam_handle_t *, int);
    int (*acct_mgmt)(pam_handle_t *, int);
    int (*setcred)(pam_handle_t *, int);
    int (*open_session)(pam_handle_t *, int);
    int (*close_session)(pam_handle_t *, int);
};

struct world {
    char dir[64];
    char module[PATH_MAX];
    struct libpam pam;
    char said[1024]; /* what the conversation showed */
    unsigned lines;
    const char *account; /* some account that is not root */
};

static void *symbol(void *library, const char *name)
{
    void *address = dlsym(library, name);
    ck_assert_msg(address != NULL, "libpam has no %s", name);
    return address;
}

static int converse(int count, const struct pam_message **messages, struct pam_response **out,
                    void *data)
{
    struct world *world = data;
    *out = calloc((size_t)count, sizeof(**out));
    for (int i = 0; i < count; i++, world->lines++) {
        size_t used = strlen(world->said);
        (void)snprintf(world->said + used, sizeof(world->said) - used, "%s\n", messages[i]->msg);
    }
    return *out ? PAM_SUCCESS : PAM_BUF_ERR;
}

static void put(const struct world *world, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void put(const struct world *world, const char *name, const char *format, ...)
{
    char path[256];
    (void)snprintf(path, sizeof(path), "%s/%s", world->dir, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    va_list ap;
    va_start(ap, format);
    (void)vfprintf(file, format, ap);
    va_end(ap);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(chmod(path, 0644), 0);
}

/* pam_permit stands for the modules around ours: what ours ignores is a success. */
static void put_service(const struct world *world, const char *arguments)
{
    char line[PATH_MAX + 256];
    (void)snprintf(line, sizeof(line), "%s root=%s/root %s", world->module, world->dir, arguments);
    put(world, "pam/sbx-unit",
        "auth required pam_permit.so\nauth optional %s\naccount required pam_permit.so\n"
        "account required %s\nsession required pam_permit.so\nsession required %s\n",
        line, line, line);
}

static const char *some_account(void)
{
    static const char *const names[] = {"nobody", "daemon", "games"};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        const struct passwd *entry = getpwnam(names[i]);
        if (entry && entry->pw_uid)
            return names[i];
    }
    ck_abort_msg("no account to speak of");
}

static void begin(struct world *world)
{
    static const char *const dirs[] = {"pam",      "root",     "root/etc",    "root/etc/sbx",
                                       "root/run", "root/var", "root/var/log"};
    memset(world, 0, sizeof(*world));
    ck_assert_ptr_nonnull(realpath("build/pam_sbx.so", world->module));
    (void)snprintf(world->dir, sizeof(world->dir), "/tmp/sbx-unit-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(world->dir));
    for (size_t i = 0; i < sizeof(dirs) / sizeof(*dirs); i++) {
        char path[256];
        (void)snprintf(path, sizeof(path), "%s/%s", world->dir, dirs[i]);
        ck_assert_int_eq(mkdir(path, 0755), 0);
    }
    void *library = dlopen("libpam.so.0", RTLD_NOW);
    ck_assert_msg(library != NULL, "%s", dlerror());
    *(void **)&world->pam.start = symbol(library, "pam_start_confdir");
    *(void **)&world->pam.end = symbol(library, "pam_end");
    *(void **)&world->pam.set_item = symbol(library, "pam_set_item");
    *(void **)&world->pam.authenticate = symbol(library, "pam_authenticate");
    *(void **)&world->pam.acct_mgmt = symbol(library, "pam_acct_mgmt");
    *(void **)&world->pam.setcred = symbol(library, "pam_setcred");
    *(void **)&world->pam.open_session = symbol(library, "pam_open_session");
    *(void **)&world->pam.close_session = symbol(library, "pam_close_session");
    world->account = some_account();
    put_service(world, "service=sbx-unit");
}

static void end(const struct world *world)
{
    char command[128];
    (void)snprintf(command, sizeof(command), "rm -rf %s", world->dir);
    ck_assert_int_eq(system(command), 0);
}

static unsigned open_fds(void)
{
    DIR *dir = opendir("/proc/self/fd");
    ck_assert_ptr_nonnull(dir);
    unsigned count = 0;
    while (readdir(dir))
        count++;
    (void)closedir(dir);
    return count;
}

struct results {
    int acct, open;
};

/* A whole login by one account; libpam's own descriptors are not ours to count, so that a first
 * login by root, who is never confined, warms it up. */
static struct results login(struct world *world, const char *account, int flags)
{
    const struct pam_conv conversation = {converse, world};
    char confdir[128];
    pam_handle_t *pamh = NULL;
    struct results results;
    (void)snprintf(confdir, sizeof(confdir), "%s/pam", world->dir);
    world->said[0] = '\0';
    world->lines = 0;
    ck_assert_int_eq(world->pam.start("sbx-unit", account, &conversation, confdir, &pamh),
                     PAM_SUCCESS);
    ck_assert_int_eq(world->pam.set_item(pamh, PAM_RHOST, "192.0.2.7"), PAM_SUCCESS);
    ck_assert_int_eq(world->pam.authenticate(pamh, 0), PAM_SUCCESS);
    unsigned before = open_fds();
    results.acct = world->pam.acct_mgmt(pamh, flags);
    results.open = world->pam.open_session(pamh, flags);
    ck_assert_int_eq(world->pam.setcred(pamh, PAM_ESTABLISH_CRED), PAM_SUCCESS);
    ck_assert_uint_eq(open_fds(), before);
    if (results.open == PAM_SUCCESS)
        ck_assert_int_eq(world->pam.close_session(pamh, flags), PAM_SUCCESS);
    ck_assert_int_eq(world->pam.end(pamh, PAM_SUCCESS), PAM_SUCCESS);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG | (int)__WALL), -1); /* no child of any kind */
    return results;
}

static bool exists(const struct world *world, const char *name)
{
    char path[256];
    (void)snprintf(path, sizeof(path), "%s/%s", world->dir, name);
    return !access(path, F_OK);
}

static void list(const struct world *world, const char *account)
{
    put(world, "root/etc/sbx/policy.ini", "[sandbox]\nenabled = yes\n[accounts]\nuser = %s\n",
        account);
}

START_TEST(exports_the_entry_points_alone)
{
    FILE *names = popen("nm -D --defined-only build/pam_sbx.so 2>/dev/null", "r");
    char line[256];
    unsigned count = 0;
    while (names && fgets(line, sizeof(line), names)) {
        ck_assert_msg(strstr(line, " T pam_sm_") != NULL, "exported: %s", line);
        count++;
    }
    if (names)
        (void)pclose(names);
    ck_assert_uint_eq(count, 6);
}
END_TEST

START_TEST(leaves_others_alone)
{
    struct world world;
    begin(&world);
    for (int round = 0; round < 3; round++) {
        if (round == 1) /* enabled, and somebody else listed */
            list(&world, "sbx-no-such-account");
        if (round == 2) /* unreadable */
            put(&world, "root/etc/sbx/policy.ini", "[sandb\nnonsense\n");
        struct results results = login(&world, world.account, 0);
        ck_assert_int_eq(results.acct, PAM_SUCCESS);
        ck_assert_int_eq(results.open, PAM_SUCCESS);
        ck_assert_str_eq(world.said, "");
        ck_assert(!exists(&world, "root/run/sbx"));
        ck_assert(!exists(&world, "root/var/log/sbx"));
    }
    end(&world);
}
END_TEST

START_TEST(refuses_with_one_fixed_sentence)
{
    struct world world;
    begin(&world);
    list(&world, world.account);
    struct results results = login(&world, world.account, 0);
    /* No warden beside the module's root: open_session fails, and never by PAM_SESSION_ERR. */
    ck_assert_int_eq(results.open, PAM_PERM_DENIED);
    ck_assert_int_eq(strncmp(world.said, "sbx: login refused: ", 20), 0);
    ck_assert_ptr_nonnull(strstr(world.said, "system log"));
    ck_assert_ptr_null(strstr(world.said, world.dir));
    if (geteuid() == 0) {
        char path[128], text[4096] = "";
        (void)snprintf(path, sizeof(path), "%s/root/var/log/sbx/host.jsonl", world.dir);
        FILE *file = fopen(path, "r");
        ck_assert_ptr_nonnull(file);
        ck_assert_uint_gt(fread(text, 1, sizeof(text) - 1, file), 0);
        (void)fclose(file);
        ck_assert_ptr_nonnull(strstr(text, "192.0.2.7"));
        ck_assert_ptr_nonnull(strstr(text, world.account));
    }
    results = login(&world, world.account, (int)PAM_SILENT);
    ck_assert_int_eq(results.open, PAM_PERM_DENIED);
    ck_assert_str_eq(world.said, "");
    end(&world);
}
END_TEST

START_TEST(refuses_a_service_that_is_not_listed)
{
    struct world world;
    begin(&world);
    list(&world, world.account);
    put_service(&world, "");
    struct results results = login(&world, world.account, 0);
    ck_assert_int_eq(results.acct, PAM_PERM_DENIED);
    ck_assert_int_eq(results.open, PAM_PERM_DENIED);
    ck_assert_ptr_nonnull(strstr(world.said, "may not be used this way"));
    put(&world, "root/etc/sbx/policy.ini",
        "[sandbox]\nenabled = yes\n[accounts]\nuser = %s\nservice = sbx-unit\n", world.account);
    results = login(&world, world.account, 0);
    ck_assert_int_eq(results.acct, PAM_SUCCESS);
    end(&world);
}
END_TEST

static const char *const bad_words[] = {"jion=child",   "join=maybe", "root=relative",
                                        "service=",     "set:",       "set:jail.lingr=1s",
                                        "set:nonsense", "debug"};

/* A PAM line that makes no sense refuses who is listed, and nobody else. */
START_TEST(a_bad_line_refuses_only_the_listed)
{
    struct world world;
    begin(&world);
    list(&world, world.account);
    put_service(&world, bad_words[_i]);
    struct results results = login(&world, world.account, 0);
    ck_assert_int_eq(results.acct, PAM_PERM_DENIED);
    ck_assert_int_eq(results.open, PAM_PERM_DENIED);
    list(&world, "sbx-no-such-account");
    results = login(&world, world.account, 0);
    ck_assert_int_eq(results.acct, PAM_SUCCESS);
    ck_assert_int_eq(results.open, PAM_SUCCESS);
    ck_assert_str_eq(world.said, "");
    end(&world);
}
END_TEST

START_TEST(never_confines_root)
{
    struct world world;
    begin(&world);
    list(&world, "root");
    struct results results = login(&world, "root", 0);
    ck_assert_int_eq(results.acct, PAM_SUCCESS);
    ck_assert_int_eq(results.open, PAM_SUCCESS);
    ck_assert_str_eq(world.said, "");
    end(&world);
}
END_TEST

static void *login_in_thread(void *data)
{
    struct world *world = data;
    struct results *results = malloc(sizeof(*results));
    *results = login(world, world->account, 0);
    return results;
}

START_TEST(refuses_in_a_program_with_threads)
{
    struct world world;
    pthread_t thread;
    void *results;
    begin(&world);
    list(&world, world.account);
    ck_assert_int_eq(pthread_create(&thread, NULL, login_in_thread, &world), 0);
    ck_assert_int_eq(pthread_join(thread, &results), 0);
    ck_assert_int_eq(((struct results *)results)->acct, PAM_PERM_DENIED);
    ck_assert_int_eq(((struct results *)results)->open, PAM_PERM_DENIED);
    free(results);
    list(&world, "sbx-no-such-account");
    ck_assert_int_eq(pthread_create(&thread, NULL, login_in_thread, &world), 0);
    ck_assert_int_eq(pthread_join(thread, &results), 0);
    ck_assert_int_eq(((struct results *)results)->open, PAM_SUCCESS);
    free(results);
    end(&world);
}
END_TEST

Suite *pam_suite(void)
{
    Suite *suite = suite_create("pam");
    TCase *tcase = tcase_create("core");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, exports_the_entry_points_alone);
    tcase_add_test(tcase, leaves_others_alone);
    tcase_add_test(tcase, never_confines_root);
    if (geteuid() == 0) { /* policy must be root's: without root nobody is confined */
        tcase_add_test(tcase, refuses_with_one_fixed_sentence);
        tcase_add_test(tcase, refuses_a_service_that_is_not_listed);
        tcase_add_loop_test(tcase, a_bad_line_refuses_only_the_listed, 0,
                            (int)(sizeof(bad_words) / sizeof(*bad_words)));
        tcase_add_test(tcase, refuses_in_a_program_with_threads);
    } else {
        (void)fprintf(stderr, "pam: refusals are not tried: they need root\n");
    }
    suite_add_tcase(suite, tcase);
    return suite;
}
