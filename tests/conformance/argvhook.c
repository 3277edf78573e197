/* Loaded into bash where texts are run: each program that bash would start is written down instead.
 *
 * Nothing is ever started, whatever the path names. A record in /log/execs is the number of words, four
 * bytes, and the words, NUL-ended. Where /log/fails exists the program "fails" after printing something,
 * so that other branches run and substitutions give text. */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_down(char *const argv[])
{
    uint32_t count = 0;
    size_t len = sizeof(count), at = sizeof(count);
    for (; argv[count]; count++)
        len += strlen(argv[count]) + 1;
    int fd = open("/log/execs", O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    char *record = malloc(len);
    if (fd < 0 || !record)
        _exit(99);
    memcpy(record, &count, sizeof(count));
    for (uint32_t i = 0; i < count; i++) {
        size_t word = strlen(argv[i]) + 1;
        memcpy(record + at, argv[i], word);
        at += word;
    }
    /* One write: records of programs that run side by side do not mix. */
    if (write(fd, record, len) != (ssize_t)len)
        _exit(99);
}

__attribute__((visibility("default"))) int execve(const char *path, char *const argv[],
                                                  char *const envp[])
{
    static const char words[] = "o1 o2\n*\n";
    (void)path;
    (void)envp;
    write_down(argv);
    if (access("/log/fails", F_OK))
        _exit(0);
    (void)!write(STDOUT_FILENO, words, sizeof(words) - 1);
    _exit(1);
}
