/* The relay between two terminals. The outside one is a pty of ours: what its master sees is what a
 * person would see, what is written to its master is what they would type. */
#include <check.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "jail/relay.h"

Suite *relay_suite(void);

struct outside {
    int master;
    pid_t relay;
    char seen[1 << 20];
    size_t len;
};

/* Runs `command` behind a relay whose outside terminal is `slave`. Exits as the command does. */
_Noreturn static void be_relay(int slave, const char *command)
{
    struct sbx_err err = SBX_ERR_INIT;
    int inner_master, inner_slave, status = 0;
    if (sbx_relay_attach(slave, &err) || sbx_relay_open(slave, &inner_master, &inner_slave, &err))
        _exit(99);
    pid_t child = fork();
    if (child == 0) {
        if (sbx_relay_attach(inner_slave, &err))
            _exit(98);
        for (int fd = 0; fd < 3; fd++)
            if (dup2(inner_slave, fd) != fd)
                _exit(97);
        (void)close(slave);
        (void)close(inner_master);
        (void)close(inner_slave);
        (void)execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(96);
    }
    (void)close(inner_slave);
    if (sbx_relay_run(slave, inner_master, child, &status, &err))
        _exit(95);
    _exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

static struct outside *begin(const char *command)
{
    struct outside *outside = calloc(1, sizeof(*outside));
    ck_assert_ptr_nonnull(outside);
    outside->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    ck_assert(outside->master >= 0 && !grantpt(outside->master) && !unlockpt(outside->master));
    const struct winsize size = {.ws_row = 30, .ws_col = 90};
    ck_assert(!ioctl(outside->master, TIOCSWINSZ, &size));
    int slave = ioctl(outside->master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
    ck_assert_int_ge(slave, 0);
    outside->relay = fork();
    ck_assert_int_ge(outside->relay, 0);
    if (outside->relay == 0) {
        (void)close(outside->master); /* or the terminal would never hang up */
        be_relay(slave, command);
    }
    (void)close(slave);
    return outside;
}

/* Reads what is shown until `text` is in it; NULL: until the terminal closes. */
static bool shows(struct outside *outside, const char *text)
{
    while (!text || !memmem(outside->seen, outside->len, text, strlen(text))) {
        struct pollfd fd = {.fd = outside->master, .events = POLLIN};
        if (outside->len == sizeof(outside->seen) || poll(&fd, 1, 5000) <= 0)
            return false;
        ssize_t got = read(outside->master, outside->seen + outside->len,
                           sizeof(outside->seen) - outside->len);
        if (got <= 0)
            return !text;
        outside->len += (size_t)got;
    }
    return true;
}

static void type(struct outside *outside, const char *keys)
{
    ck_assert_int_eq(write(outside->master, keys, strlen(keys)), (ssize_t)strlen(keys));
}

static int end(struct outside *outside)
{
    int status = -1;
    (void)shows(outside, NULL);
    ck_assert_int_eq(waitpid(outside->relay, &status, 0), outside->relay);
    (void)close(outside->master);
    free(outside);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

START_TEST(passes_output_and_status)
{
    struct outside *outside = begin("echo hello; exit 7");
    ck_assert(shows(outside, "hello\r\n"));
    ck_assert_int_eq(end(outside), 7);
    ck_assert_int_eq(end(begin("kill -TERM $$")), 128 + SIGTERM);
}
END_TEST

START_TEST(no_outside_descriptor_inside)
{
    struct outside *outside = begin("echo tty=$(tty); ls -l /proc/self/fd; cat /proc/self/stat | "
                                    "cut -d' ' -f7; echo end");
    ck_assert(shows(outside, "end\r\n"));
    char inside[64] = "", own[64];
    const char *at = memmem(outside->seen, outside->len, "tty=", 4);
    ck_assert_ptr_nonnull(at);
    ck_assert_int_eq(sscanf(at, "tty=%60s", inside), 1);
    ck_assert(!ptsname_r(outside->master, own, sizeof(own)));
    ck_assert_str_ne(inside, own);
    (void)strcat(own, "\r"); /* as ls would end the line */
    ck_assert_ptr_null(memmem(outside->seen, outside->len, own, strlen(own)));
    ck_assert_int_eq(end(outside), 0);
}
END_TEST

START_TEST(keys_signals_and_end_of_file)
{
    struct outside *outside = begin("read x; echo \"got $x\"; cat; echo eof; trap 'echo int' INT; "
                                    "sleep 5; echo on");
    type(outside, "abx\177c\r");
    ck_assert(shows(outside, "got abc\r\n"));
    type(outside, "\004");
    ck_assert(shows(outside, "eof\r\n"));
    usleep(200000);
    type(outside, "\003");
    ck_assert(shows(outside, "int\r\n"));
    ck_assert(shows(outside, "on\r\n"));
    ck_assert_int_eq(end(outside), 0);
}
END_TEST

START_TEST(window_size_follows)
{
    struct outside *outside =
        begin("stty size; trap 'stty size' WINCH; echo ready; while :; do sleep 0.1; done");
    ck_assert(shows(outside, "30 90\r\n"));
    ck_assert(shows(outside, "ready\r\n"));
    const struct winsize size = {.ws_row = 44, .ws_col = 101};
    ck_assert(!ioctl(outside->master, TIOCSWINSZ, &size));
    ck_assert(shows(outside, "44 101\r\n"));
    ck_assert(!kill(outside->relay, SIGTERM));
    ck_assert_int_eq(end(outside), 128 + SIGTERM);
}
END_TEST

START_TEST(outside_is_raw_meanwhile_and_put_back)
{
    struct outside *outside = begin("echo ready; read x; exit 0");
    struct termios modes;
    ck_assert(shows(outside, "ready\r\n"));
    ck_assert(!tcgetattr(outside->master, &modes)); /* of the slave */
    ck_assert(!(modes.c_lflag & (ICANON | ECHO)));
    /* Seen by a descriptor that outlives the relay. */
    int slave = ioctl(outside->master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
    ck_assert_int_ge(slave, 0);
    type(outside, "x\r");
    int status = -1;
    ck_assert_int_eq(waitpid(outside->relay, &status, 0), outside->relay);
    ck_assert(!tcgetattr(slave, &modes));
    ck_assert((modes.c_lflag & ICANON) && (modes.c_lflag & ECHO));
    (void)close(slave);
    (void)close(outside->master);
    free(outside);
}
END_TEST

START_TEST(much_output_is_whole)
{
    struct outside *outside = begin("seq 1 60000; echo last");
    ck_assert(shows(outside, "last\r\n"));
    ck_assert_ptr_nonnull(memmem(outside->seen, outside->len, "\n59999\r\n60000\r\n", 15));
    size_t lines = 0;
    for (size_t i = 0; i < outside->len; i++)
        lines += outside->seen[i] == '\n';
    ck_assert_uint_eq(lines, 60001);
    ck_assert_int_eq(end(outside), 0);
}
END_TEST

START_TEST(hangup_ends_what_runs_inside)
{
    struct outside *outside = begin("echo pid=$$; sleep 60");
    ck_assert(shows(outside, "\r\n"));
    int pid = 0, status = -1;
    ck_assert_int_eq(sscanf(outside->seen, "pid=%d", &pid), 1);
    (void)close(outside->master);
    ck_assert_int_eq(waitpid(outside->relay, &status, 0), outside->relay);
    ck_assert_int_eq(WEXITSTATUS(status), 128 + SIGHUP);
    for (int i = 0; i < 100 && !kill(pid, 0); i++)
        usleep(20000); /* until whoever inherited it has reaped it */
    char name[64], state = 'Z';
    (void)snprintf(name, sizeof(name), "/proc/%d/stat", pid);
    FILE *file = fopen(name, "re");
    if (file) {
        ck_assert_int_eq(fscanf(file, "%*d %*s %c", &state), 1);
        (void)fclose(file);
    }
    ck_assert_int_eq(state, 'Z');
    free(outside);
}
END_TEST

Suite *relay_suite(void)
{
    Suite *suite = suite_create("relay");
    TCase *tcase = tcase_create("terminals");
    tcase_set_timeout(tcase, 30);
    tcase_add_test(tcase, passes_output_and_status);
    tcase_add_test(tcase, no_outside_descriptor_inside);
    tcase_add_test(tcase, keys_signals_and_end_of_file);
    tcase_add_test(tcase, window_size_follows);
    tcase_add_test(tcase, outside_is_raw_meanwhile_and_put_back);
    tcase_add_test(tcase, much_output_is_whole);
    tcase_add_test(tcase, hangup_ends_what_runs_inside);
    suite_add_tcase(suite, tcase);
    return suite;
}
