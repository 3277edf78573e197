/* Parses many texts in one process: for the comparison with bash, and for timing.
 *
 *   parsecheck -l FILE   each line is a text       parsecheck -t FILE…   milliseconds for each file
 *   parsecheck FILE…     each file is a text       parsecheck -0         NUL-ended texts on stdin
 *
 * Prints for each text: status TAB byte TAB name TAB message. "warned" is ok with a here-document that
 * is ended by the end of the text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "policy/shell.h"

static const char *const names[] = {"ok", "syntax", "incomplete", "limit"};

static void parse_one(const char *text, size_t len, const char *name, bool timed)
{
    struct sbx_arena arena;
    struct sbx_parse parse;
    struct timespec from, to;
    sbx_arena_init(&arena, (size_t)1024 * 1024 * 1024);
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    sbx_shell_parse(&arena, text, len, &parse);
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    double ms = (double)(to.tv_sec - from.tv_sec) * 1e3 + (double)(to.tv_nsec - from.tv_nsec) / 1e6;
    if (timed)
        (void)printf("%8.2f ms %7.1f MiB  ", ms, (double)arena.used_bytes / 1048576);
    const char *status = parse.heredoc_warning && !parse.status ? "warned" : names[parse.status];
    (void)printf("%s\t%u\t%s\t%s\n", status, parse.error_at, name, parse.message);
    sbx_arena_free(&arena);
}

static int parse_file(const char *path, bool timed)
{
    FILE *file = fopen(path, "r");
    char *text = malloc(SBX_SHELL_MAX_BYTES + 1);
    if (!file || !text) {
        perror(path);
        return 2;
    }
    size_t len = fread(text, 1, SBX_SHELL_MAX_BYTES + 1, file);
    parse_one(text, len, path, timed);
    free(text);
    (void)fclose(file);
    return 0;
}

static int parse_records(FILE *file, const char *path, int end)
{
    char *text = NULL, name[4096];
    size_t size = 0;
    unsigned long number = 0;
    if (!file) {
        perror(path);
        return 2;
    }
    for (ssize_t len; (len = getdelim(&text, &size, end, file)) >= 0;) {
        if (len && text[len - 1] == (char)end)
            len--;
        (void)snprintf(name, sizeof(name), "%s:%lu", path, ++number);
        parse_one(text, (size_t)len, name, false);
    }
    free(text);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "-0"))
        return parse_records(stdin, "stdin", '\0');
    if (argc == 3 && !strcmp(argv[1], "-l"))
        return parse_records(fopen(argv[2], "r"), argv[2], '\n');
    bool timed = argc > 2 && !strcmp(argv[1], "-t");
    int status = argc < 2 ? 2 : 0;
    for (int i = 1 + timed; i < argc; i++)
        status |= parse_file(argv[i], timed);
    return status;
}
