/* The client against wardens that lie, stall and vanish. The fake warden is a thread of the test on
 * a socket below a root of its own; nothing here needs privilege. */
#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "policy/cleanup.h"
#include "warden/client.h"
#include "warden/client_parts.h"

Suite *client_suite(void);

#define JAIL "4711"

/* What the fake warden answers. The plain answer is a good one. */
struct lie {
    uint32_t magic, message, size_field; /* 0: the right one */
    size_t bytes;                        /* of the packet; 0: the right one */
    unsigned cgroups, fds;               /* said, sent; 0: one group and three descriptors */
    unsigned filter_count, rlimits;
    bool no_pidfd, hangs_up, stays_silent;
};

struct fake {
    char root[64];
    int listen_fd;
    pthread_t thread;
    struct lie lie;
    struct sbx_join_request seen;
    ssize_t seen_bytes;
    pid_t init;
};

static unsigned open_fds(void)
{
    DIR *dir = opendir("/proc/self/fd");
    ck_assert_ptr_nonnull(dir);
    unsigned count = 0;
    while (readdir(dir))
        count++;
    closedir(dir);
    return count;
}

static void in_root(const struct fake *fake, const char *name, char *out, size_t size)
{
    (void)snprintf(out, size, "%s%s", fake->root, name);
}

static void fake_make(struct fake *fake)
{
    static const char *const dirs[] = {"/run", "/run/sbx", "/run/sbx/jails", "/run/sbx/jails/" JAIL,
                                       "/bin"};
    *fake = (struct fake){.listen_fd = -1};
    (void)snprintf(fake->root, sizeof(fake->root), "/tmp/sbx-unit-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(fake->root));
    for (size_t i = 0; i < sizeof(dirs) / sizeof(*dirs); i++) {
        char path[128];
        in_root(fake, dirs[i], path, sizeof(path));
        ck_assert_int_eq(mkdir(path, 0755), 0);
    }
}

static void fake_remove(struct fake *fake)
{
    char command[128];
    (void)snprintf(command, sizeof(command), "rm -rf %s", fake->root);
    ck_assert_int_eq(system(command), 0);
}

static int memfd_with(size_t bytes)
{
    int fd = (int)syscall(SYS_memfd_create, "filter", 1U);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(ftruncate(fd, (off_t)bytes), 0);
    return fd;
}

static struct sbx_join_reply reply_of(const struct lie *lie)
{
    struct sbx_join_reply reply = {
        .header = {.magic = lie->magic ? lie->magic : SBX_PROTO_MAGIC,
                   .version = SBX_PROTO_VERSION,
                   .message = lie->message ? lie->message : SBX_MSG_JOINED,
                   .size = lie->size_field ? lie->size_field : sizeof(reply)},
        .session = 1,
        .cgroup_count = lie->cgroups ? lie->cgroups : 1,
        .filter_count = lie->filter_count ? lie->filter_count : 2,
        .rlimit_count = lie->rlimits ? lie->rlimits : 1,
        .rlimit = {{.resource = RLIMIT_CORE, .value = 1}},
    };
    memset(reply.message, 'm', sizeof(reply.message)); /* no NUL: the client sees to it */
    return reply;
}

static void send_reply(const struct fake *fake, int to)
{
    const struct lie *lie = &fake->lie;
    struct {
        struct sbx_join_reply reply;
        char more[64];
    } packet = {.reply = reply_of(lie)};
    int fds[20] = {0};
    unsigned count = lie->fds ? lie->fds : 3;
    fds[0] =
        lie->no_pidfd ? open("/dev/null", O_RDONLY) : (int)syscall(SYS_pidfd_open, fake->init, 0);
    fds[1] = memfd_with(2 * sizeof(struct sock_filter));
    for (unsigned i = 2; i < count; i++)
        fds[i] = open("/dev/null", O_WRONLY);
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof(fds))];
    } control = {.bytes = {0}};
    struct iovec data = {&packet, lie->bytes ? lie->bytes : sizeof(packet.reply)};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};
    if (!lie->message || lie->fds) {
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        struct cmsghdr *c = CMSG_FIRSTHDR(&message);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(count * sizeof(int));
        memcpy(CMSG_DATA(c), fds, count * sizeof(int));
    }
    (void)!sendmsg(to, &message, MSG_NOSIGNAL);
    for (unsigned i = 0; i < count || i < 2; i++)
        (void)close(fds[i]);
}

static void fake_talk(struct fake *fake, int fd)
{
    char rest;
    fake->seen_bytes = recv(fd, &fake->seen, sizeof(fake->seen), 0);
    if (fake->lie.hangs_up)
        return;
    if (!fake->lie.stays_silent)
        send_reply(fake, fd);
    while (recv(fd, &rest, 1, 0) > 0)
        ;
}

static void *fake_serve(void *data)
{
    struct fake *fake = data;
    int fd;
    while ((fd = accept4(fake->listen_fd, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
        fake_talk(fake, fd);
        (void)close(fd);
    }
    return NULL;
}

#define SOCKET "/run/sbx/jails/" JAIL "/control.sock"

static void fake_start(struct fake *fake, const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    in_root(fake, name, address.sun_path, sizeof(address.sun_path));
    fake->listen_fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    ck_assert_int_eq(bind(fake->listen_fd, (struct sockaddr *)&address, sizeof(address)), 0);
    ck_assert_int_eq(listen(fake->listen_fd, 8), 0);
    fake->init = fork();
    if (!fake->init) {
        (void)pause();
        _exit(0);
    }
    ck_assert_int_eq(pthread_create(&fake->thread, NULL, fake_serve, fake), 0);
}

static void fake_stop(struct fake *fake)
{
    (void)shutdown(fake->listen_fd, SHUT_RDWR);
    (void)pthread_join(fake->thread, NULL);
    (void)close(fake->listen_fd);
    (void)kill(fake->init, SIGKILL);
    (void)waitpid(fake->init, NULL, 0);
}

/* The launcher: a shell script in place of sbx-warden. */
static void put_warden(const struct fake *fake, const char *script)
{
    char path[128];
    in_root(fake, "/bin/sbx-warden", path, sizeof(path));
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    (void)fprintf(file, "#!/bin/sh\nR='%s'\n%s\n", fake->root, script);
    (void)fclose(file);
    ck_assert_int_eq(chmod(path, 0755), 0);
}

static int join(struct fake *fake, bool is_run, struct sbx_join *out, int *session,
                struct sbx_err *err)
{
    char self[128];
    struct sbx_paths paths;
    in_root(fake, "/bin/self", self, sizeof(self));
    ck_assert_int_eq(sbx_paths_init(&paths, fake->root, self, err), 0);
    static const char *const settings[] = {"jail.linger=1s", "network.mode=none", NULL};
    const struct sbx_launch launch = {
        .account = "bot", .jail = JAIL, .settings = settings, .is_run = is_run};
    const struct sbx_join_request request = {.uid = 4711, .service = "sshd"};
    return sbx_client_join(&paths, &launch, &request, out, session, err);
}

static void no_names_left(const struct fake *fake)
{
    char path[128];
    in_root(fake, "/run/sbx/jails/" JAIL ".lock", path, sizeof(path));
    ck_assert_int_ne(access(path, F_OK), 0);
    in_root(fake, "/run/sbx/jails/" JAIL ".launch", path, sizeof(path));
    ck_assert_int_ne(access(path, F_OK), 0);
}

START_TEST(takes_a_good_answer)
{
    struct sbx_err err = SBX_ERR_INIT;
    struct fake fake;
    fake_make(&fake);
    fake_start(&fake, SOCKET);
    unsigned before = open_fds();
    struct sbx_join got;
    int session = -1;
    int result = join(&fake, false, &got, &session, &err);
    ck_assert_msg(result == 0, "%s", err.message);
    ck_assert_uint_eq(fake.seen.header.message, SBX_MSG_JOIN);
    ck_assert_uint_eq(fake.seen.header.size, sizeof(fake.seen));
    ck_assert_int_eq(fake.seen_bytes, sizeof(fake.seen));
    ck_assert_str_eq(fake.seen.service, "sshd");
    ck_assert_uint_eq(strlen(fake.seen.settings), SBX_SETTINGS_BYTES - 1);
    ck_assert_uint_eq(got.procs_count, 1);
    ck_assert_uint_eq(got.filter_count, 2);
    ck_assert_uint_eq(got.rlimit_count, 1);
    ck_assert(fcntl(got.init_pidfd, F_GETFD) & FD_CLOEXEC);
    ck_assert(fcntl(got.procs_fd[0], F_GETFD) & FD_CLOEXEC);
    ck_assert(fcntl(session, F_GETFD) & FD_CLOEXEC);
    sbx_join_release(&got);
    sbx_client_bye(&session);
    ck_assert_int_eq(session, -1);
    fake_stop(&fake);
    ck_assert_uint_le(open_fds(), before);
    no_names_left(&fake);
    fake_remove(&fake);
}
END_TEST

static const struct {
    struct lie lie;
    enum sbx_err_code code;
} lies[] = {
    {{.magic = 1},                                   SBX_E_PROTOCOL},
    {{.size_field = 12},                             SBX_E_PROTOCOL},
    {{.bytes = 4},                                   SBX_E_PROTOCOL},
    {{.bytes = sizeof(struct sbx_join_reply) - 1},   SBX_E_PROTOCOL},
    {{.bytes = sizeof(struct sbx_join_reply) + 1},   SBX_E_PROTOCOL},
    {{.bytes = sizeof(struct sbx_join_reply) + 64},  SBX_E_PROTOCOL},
    {{.message = 999},                               SBX_E_PROTOCOL},
    {{.message = SBX_MSG_STATE},                     SBX_E_PROTOCOL},
    {{.message = SBX_MSG_DONE,
      .bytes = sizeof(struct sbx_header),
      .size_field = sizeof(struct sbx_header)},
     SBX_E_PROTOCOL                                                },
    {{.message = SBX_MSG_REFUSED},                   SBX_E_DENIED  },
    {{.message = SBX_MSG_REFUSED, .fds = 3},         SBX_E_PROTOCOL},
    {{.fds = 2},                                     SBX_E_PROTOCOL},
    {{.fds = 4},                                     SBX_E_PROTOCOL},
    {{.fds = 16},                                    SBX_E_PROTOCOL},
    {{.fds = 20},                                    SBX_E_PROTOCOL},
    {{.cgroups = 7, .fds = 9},                       SBX_E_PROTOCOL},
    {{.cgroups = 0xffffffffu},                       SBX_E_PROTOCOL},
    {{.rlimits = 7},                                 SBX_E_PROTOCOL},
    {{.filter_count = 3},                            SBX_E_PROTOCOL},
    {{.filter_count = 70000},                        SBX_E_PROTOCOL},
    {{.no_pidfd = true},                             SBX_E_GONE    }, /* SBX_E_GONE: goes on to a launch, which fails here */
    {{.hangs_up = true},                             SBX_E_GONE    },
    {{.message = SBX_MSG_RETIRED},                   SBX_E_GONE    },
};

/* Every lie is an error, and whatever came with it is closed. SBX_E_GONE goes on to a launch. */
START_TEST(believes_no_lie)
{
    struct sbx_err err = SBX_ERR_INIT;
    struct fake fake;
    fake_make(&fake);
    put_warden(&fake, "echo no warden today; exit 1");
    fake.lie = lies[_i].lie;
    fake_start(&fake, SOCKET);
    unsigned before = open_fds();
    struct sbx_join got;
    int session = -1;
    ck_assert_int_eq(join(&fake, false, &got, &session, &err), -1);
    if (lies[_i].code == SBX_E_GONE)
        ck_assert_str_eq(err.message, "cannot start the jail: no warden today");
    else
        ck_assert_msg(err.code == lies[_i].code, "%d: %s", err.code, err.message);
    ck_assert_int_eq(session, -1);
    ck_assert_int_eq(got.init_pidfd, -1);
    ck_assert_ptr_null(got.filter);
    fake_stop(&fake);
    ck_assert_uint_le(open_fds(), before);
    no_names_left(&fake);
    fake_remove(&fake);
}
END_TEST

START_TEST(does_not_wait_for_ever)
{
    struct sbx_err err = SBX_ERR_INIT;
    struct fake fake;
    char jails[128];
    fake_make(&fake);
    fake.lie.stays_silent = true;
    fake_start(&fake, SOCKET);
    in_root(&fake, "/run/sbx/jails", jails, sizeof(jails));
    _cleanup_fd_ int jails_fd = open(jails, O_PATH | O_DIRECTORY | O_CLOEXEC);
    const struct sbx_deadline soon = sbx_deadline_in(300);
    _cleanup_fd_ int fd = sbx_connect_jail(jails_fd, JAIL, &soon, &err);
    _cleanup_answer_ struct sbx_answer answer = {.size = 0};
    const struct sbx_header question = sbx_header_of(SBX_MSG_STATUS, sizeof(question));
    ck_assert_int_eq(sbx_exchange(fd, &question, sizeof(question), &answer, &soon, &err), -1);
    ck_assert_int_eq(err.errnum, ETIMEDOUT);
    (void)close(sbx_steal_fd(&fd));
    fake_stop(&fake);
    fake_remove(&fake);
}
END_TEST

static void read_whole(const struct fake *fake, const char *name, char *out, size_t size)
{
    char path[128];
    in_root(fake, name, path, sizeof(path));
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    out[fread(out, 1, size - 1, file)] = '\0';
    (void)fclose(file);
}

/* The launcher gets its parameters, and nothing of the caller's; the caller's children are its own. */
START_TEST(starts_a_warden_where_none_is)
{
    struct sbx_err err = SBX_ERR_INIT;
    struct fake fake;
    char text[4096];
    fake_make(&fake);
    fake_start(&fake, "/off.sock");
    put_warden(&fake, "cat >$R/params; echo $* >$R/argv; env >$R/env\n"
                      "{ umask; pwd; ulimit -f; trap; } >$R/self; ls -l /proc/self/fd | wc -l\n"
                      "mv $R/off.sock $R" SOCKET);
    struct sbx_join got;
    int session = -1;
    (void)umask(0);
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction before;
    ck_assert_int_eq(sigaction(SIGCHLD, &ignore, &before), 0);
    ck_assert_int_eq(setenv("LD_SOMETHING", "evil", 1), 0);
    int result = join(&fake, false, &got, &session, &err);
    ck_assert_msg(result == 0, "%s", err.message);
    read_whole(&fake, "/params", text, sizeof(text));
    ck_assert_str_eq(text, "account=bot\nuid=4711\nrun=no\nset=jail.linger=1s\n"
                           "set=network.mode=none\n");
    read_whole(&fake, "/argv", text, sizeof(text));
    ck_assert_ptr_nonnull(strstr(text, "--launch " JAIL " --root /tmp/sbx-unit-"));
    read_whole(&fake, "/env", text, sizeof(text));
    ck_assert_ptr_null(strstr(text, "LD_SOMETHING"));
    read_whole(&fake, "/self", text, sizeof(text));
    ck_assert_str_eq(text, "0022\n/\nunlimited\n");
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG | (int)__WALL), 0); /* only the fake's init */
    ck_assert_int_eq(sigaction(SIGCHLD, &before, NULL), 0);
    sbx_join_release(&got);
    sbx_client_bye(&session);
    fake_stop(&fake);
    no_names_left(&fake);
    fake_remove(&fake);
}
END_TEST

struct joiner {
    struct fake *fake;
    int result;
    struct sbx_err err;
};

static void *join_in_thread(void *data)
{
    struct joiner *joiner = data;
    struct sbx_join got;
    int session = -1;
    joiner->result = join(joiner->fake, false, &got, &session, &joiner->err);
    sbx_join_release(&got);
    sbx_client_bye(&session);
    return NULL;
}

START_TEST(two_at_once_start_one)
{
    struct fake fake;
    char text[64];
    fake_make(&fake);
    fake_start(&fake, "/off.sock");
    put_warden(&fake, "echo x >>$R/count; sleep 0.2; mv $R/off.sock $R" SOCKET);
    struct joiner joiner[4];
    pthread_t thread[4];
    for (int i = 0; i < 4; i++) {
        joiner[i] = (struct joiner){.fake = &fake, .err = SBX_ERR_INIT};
        ck_assert_int_eq(pthread_create(&thread[i], NULL, join_in_thread, &joiner[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        (void)pthread_join(thread[i], NULL);
        ck_assert_msg(joiner[i].result == 0, "%s", joiner[i].err.message);
    }
    read_whole(&fake, "/count", text, sizeof(text));
    ck_assert_str_eq(text, "x\n");
    fake_stop(&fake);
    no_names_left(&fake);
    fake_remove(&fake);
}
END_TEST

static const struct {
    const char *script, *expect;
} launchers[] = {
    {"echo first; echo 'the last line is why' >&2; exit 3",
     "cannot start the jail: the last line is why"                                                            },
    {"exit 1",                                              "cannot start the jail: it gave no reason"        },
    {"printf 'a\\033[2Jb\\n\\n'; exit 1",                   "cannot start the jail: a [2Jb"                   },
    {"head -c 300000 /dev/zero | tr '\\0' x; exit 1",       "cannot start the jail: xxxx"                     },
    {"kill -9 $$",                                          "sbx-warden was killed by signal 9 while starting"},
    {"echo jail=1000-1",                                    "sbx-warden named a jail that was not asked for"  },
    {"echo jail=47110",                                     "sbx-warden named a jail that was not asked for"  },
    {"echo jail=" JAIL "-/../x",                            "sbx-warden named a jail that was not asked for"  },
    {"echo jail=" JAIL "-7",                                "cannot open the directory of jail " JAIL "-7"    },
    {"exit 0",                                              "no warden answers for jail " JAIL                },
    {"sleep 0.1 & exit 0",                                  "no warden answers for jail " JAIL                }, /* keeps the pipe open */
};

START_TEST(says_why_a_launch_failed)
{
    struct sbx_err err = SBX_ERR_INIT;
    struct fake fake;
    fake_make(&fake);
    put_warden(&fake, launchers[_i].script);
    unsigned before = open_fds();
    struct sbx_join got;
    int session = -1;
    ck_assert_int_eq(join(&fake, false, &got, &session, &err), -1);
    ck_assert_msg(!strncmp(err.message, launchers[_i].expect, strlen(launchers[_i].expect)), "%s",
                  err.message);
    ck_assert_uint_eq(open_fds(), before);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG | (int)__WALL), -1);
    no_names_left(&fake);
    fake_remove(&fake);
}
END_TEST

START_TEST(ends_a_launcher_that_hangs)
{
    struct sbx_err err = SBX_ERR_INIT;
    struct fake fake;
    struct sbx_paths paths = {.root = ""};
    char made[SBX_JAIL_ID_BYTES];
    fake_make(&fake);
    put_warden(&fake, "echo $$ >$R/pid; sleep 1000");
    in_root(&fake, "/bin", paths.programs, sizeof(paths.programs));
    const struct sbx_launch launch = {.account = "bot", .jail = JAIL};
    int params_fd = sbx_launch_write(&launch, 4711, &err);
    ck_assert_int_ge(params_fd, 0);
    const struct sbx_deadline soon = sbx_deadline_in(300);
    ck_assert_int_eq(sbx_launcher_run(&paths, JAIL, params_fd, &soon, made, &err), -1);
    ck_assert_int_eq(err.errnum, ETIMEDOUT);
    char text[32];
    read_whole(&fake, "/pid", text, sizeof(text));
    pid_t pid = (pid_t)strtol(text, NULL, 10);
    ck_assert_int_gt(pid, 1);
    ck_assert_int_eq(kill(-pid, 0), -1); /* with its children */
    fake_remove(&fake);
}
END_TEST

START_TEST(run_never_joins_a_live_jail)
{
    struct sbx_err err = SBX_ERR_INIT;
    struct fake fake;
    fake_make(&fake);
    fake_start(&fake, SOCKET);
    put_warden(&fake, "echo it lives; exit 1");
    struct sbx_join got;
    int session = -1;
    ck_assert_int_eq(join(&fake, true, &got, &session, &err), -1);
    ck_assert_str_eq(err.message, "cannot start the jail: it lives");
    fake_stop(&fake);
    fake_remove(&fake);
}
END_TEST

START_TEST(walks_no_link_and_no_open_door)
{
    struct sbx_err err = SBX_ERR_INIT;
    struct fake fake;
    char path[128], aside[128];
    struct sbx_paths paths;
    struct sbx_state state;
    fake_make(&fake);
    ck_assert_int_eq(sbx_paths_init(&paths, fake.root, NULL, &err), 0);
    ck_assert_str_eq(paths.programs, SBX_LIBEXECDIR);
    ck_assert_int_eq(sbx_client_state(&paths, JAIL, &state, &err), -1);
    ck_assert_int_eq(err.code, SBX_E_GONE);
    in_root(&fake, "/run/sbx", path, sizeof(path));
    ck_assert_int_eq(chmod(path, 0777), 0);
    ck_assert_int_eq(sbx_client_state(&paths, JAIL, &state, &err), -1);
    ck_assert_int_eq(err.code, SBX_E_TRUST);
    ck_assert_int_eq(chmod(path, 0755), 0);
    in_root(&fake, "/run/aside", aside, sizeof(aside));
    ck_assert_int_eq(rename(path, aside), 0);
    ck_assert_int_eq(symlink("aside", path), 0);
    ck_assert_int_eq(sbx_client_state(&paths, JAIL, &state, &err), -1);
    ck_assert_int_eq(err.errnum, ENOTDIR);
    fake_remove(&fake);
}
END_TEST

START_TEST(knows_a_jail_id)
{
    static const char *const good[] = {"0", "1000", "1000-1", "4294967295-99999"};
    static const char *const bad[] = {"",
                                      "-",
                                      "-1",
                                      "1-",
                                      "1-2-3",
                                      "a",
                                      "1/..",
                                      "..",
                                      "1 ",
                                      "1\n",
                                      "1111111111111111-1111111111111111"};
    for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
        ck_assert(sbx_jail_id_valid(good[i]));
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        ck_assert(!sbx_jail_id_valid(bad[i]));
    ck_assert(sbx_jail_name_retired("1000~77") && sbx_jail_name_retired("1000-2~77"));
    static const char *const live[] = {"1000",    "1000-2",    "1000~", "~77",
                                       "1000~7x", "1000~../1", "x~1"};
    for (size_t i = 0; i < sizeof(live) / sizeof(*live); i++)
        ck_assert(!sbx_jail_name_retired(live[i]));
}
END_TEST

Suite *client_suite(void)
{
    Suite *suite = suite_create("client");
    TCase *tcase = tcase_create("core");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, takes_a_good_answer);
    tcase_add_loop_test(tcase, believes_no_lie, 0, (int)(sizeof(lies) / sizeof(*lies)));
    tcase_add_test(tcase, does_not_wait_for_ever);
    tcase_add_test(tcase, starts_a_warden_where_none_is);
    tcase_add_test(tcase, two_at_once_start_one);
    tcase_add_loop_test(tcase, says_why_a_launch_failed, 0,
                        (int)(sizeof(launchers) / sizeof(*launchers)));
    tcase_add_test(tcase, ends_a_launcher_that_hangs);
    tcase_add_test(tcase, run_never_joins_a_live_jail);
    tcase_add_test(tcase, walks_no_link_and_no_open_door);
    tcase_add_test(tcase, knows_a_jail_id);
    suite_add_tcase(suite, tcase);
    return suite;
}
