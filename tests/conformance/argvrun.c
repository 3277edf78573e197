/* Runs texts in bash one after another, as process 1 of a place where nothing can do harm; argv.sh makes
 * that place. Each gets a fresh small tree of files, bounds and a time limit; what bash would start is
 * written down by argvhook.c.
 *
 *   argvrun [fails] <texts, NUL-ended  >records
 *
 * A record: status (0: ended, 1: out of time) and number of bytes, four bytes each, then the execs. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOG_BYTES ((size_t)1024 * 1024)
#define WAIT_MS   1500

static const char *const made[] = {"a.txt",  "b c.txt", "README.md",
                                   "main.c", ".hidden", "src/x.py"};
static const char *const folders[] = {"/home/agent", "/home/agent/work", "/home/agent/work/proj",
                                      "/home/agent/work/proj/src"};

static void empty(int parent, const char *name)
{
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        if (!unlinkat(fd, entry->d_name, 0))
            continue;
        if (!fchmodat(fd, entry->d_name, 0700, 0))
            empty(fd, entry->d_name);
        (void)unlinkat(fd, entry->d_name, AT_REMOVEDIR);
    }
    if (dir)
        (void)closedir(dir);
}

static int fresh_tree(int fails)
{
    static const char *const tops[] = {"/home", "/tmp", "/log"};
    for (size_t i = 0; i < sizeof(tops) / sizeof(*tops); i++) {
        if (!chmod(tops[i], 0755))
            empty(AT_FDCWD, tops[i]);
    }
    for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
        (void)mkdir(folders[i], 0755);
    if (chdir("/home/agent/work/proj"))
        return -1;
    for (size_t i = 0; i < sizeof(made) / sizeof(*made); i++) {
        int fd = open(made[i], O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
        if (fd < 0 || write(fd, "one two\n", 8) != 8 || close(fd))
            return -1;
    }
    int fd = fails ? open("/log/fails", O_WRONLY | O_CREAT | O_CLOEXEC, 0644) : 0;
    return fd < 0 || (fails && close(fd)) ? -1 : 0;
}

static void bound(int what, rlim_t most)
{
    const struct rlimit limit = {most, most};
    if (setrlimit(what, &limit))
        _exit(98);
}

static void run_bash(const char *text)
{
    static const char *const environment[] = {
        "PATH=/bin",
        "HOME=/home/agent",
        "USER=agent",
        "LOGNAME=agent",
        "SHELL=/bin/bash",
        "LANG=C.UTF-8",
        "TERM=dumb",
        "BASH_FUNC_command_not_found_handle%%=() { /.unknown \"$@\"\n}",
        NULL};
    const char *const argv[] = {"bash", "-c", text, NULL};
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (setsid() < 0 || null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0)
        _exit(98);
    bound(RLIMIT_CPU, 1);
    bound(RLIMIT_FSIZE, 2 * LOG_BYTES);
    bound(RLIMIT_NPROC, 100);
    bound(RLIMIT_AS, (rlim_t)512 * 1024 * 1024);
    bound(RLIMIT_CORE, 0);
    bound(RLIMIT_NOFILE, 64);
    (void)umask(022);
    /* Not the hook's own. */
    (void)syscall(SYS_execve, "/bin/bash", argv, environment);
    _exit(97);
}

static long now_ms(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Until no process is left; those still there when time is up are killed. */
static uint32_t wait_all(void)
{
    const struct timespec tick = {.tv_nsec = 20000000};
    sigset_t child;
    uint32_t late = 0;
    (void)sigemptyset(&child);
    (void)sigaddset(&child, SIGCHLD);
    for (long end = now_ms() + WAIT_MS;;) {
        pid_t pid = waitpid(-1, NULL, WNOHANG);
        if (pid < 0)
            return late;
        if (pid > 0)
            continue;
        if (now_ms() >= end) {
            late = 1;
            (void)kill(-1, SIGKILL); /* all of this place but process 1 */
        }
        (void)sigtimedwait(&child, NULL, &tick);
    }
}

static int report(uint32_t late)
{
    static char log[LOG_BYTES];
    int fd = open("/log/execs", O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    ssize_t len = fd < 0 ? 0 : read(fd, log, sizeof(log));
    if (fd >= 0)
        (void)close(fd);
    const uint32_t head[2] = {late, len < 0 ? 0 : (uint32_t)len};
    return fwrite(head, sizeof(head), 1, stdout) == 1 && fwrite(log, 1, head[1], stdout) == head[1]
               ? 0
               : -1;
}

int main(int argc, char **argv)
{
    char *text = NULL;
    size_t size = 0;
    int fails = argc > 1 && !strcmp(argv[1], "fails");
    sigset_t child;
    if (getpid() != 1) {
        (void)fputs("argvrun: kills all it sees: only as process 1 of a place of its own\n",
                    stderr);
        return 2;
    }
    (void)sigemptyset(&child);
    (void)sigaddset(&child, SIGCHLD);
    (void)sigprocmask(SIG_BLOCK, &child, NULL);
    for (ssize_t len; (len = getdelim(&text, &size, 0, stdin)) > 0;) {
        if (fresh_tree(fails))
            return 2;
        pid_t pid = fork();
        if (pid < 0)
            return 2;
        if (!pid) {
            (void)sigprocmask(SIG_UNBLOCK, &child, NULL);
            run_bash(text);
        }
        if (report(wait_all()))
            return 2;
    }
    free(text);
    return fflush(stdout) ? 2 : 0;
}
