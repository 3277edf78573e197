/* Parses, or parses and judges, a file of commands, one a line, as a session does: for the clock of
 * `make bench`, beside what shfmt and bash -n take for the same file.
 *
 * usage: parse parse|judge FILE
 *        parse heap: a million verdicts; exit status 1 where the heap is larger afterwards */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/judge.h"
#include "policy/shell.h"
#include "tests/bench/policy.h"

#define ARENA_BYTES  ((size_t)64 * 1024 * 1024)
#define VERDICTS     1000000u
#define WARM_UP      1000u
#define GROWTH_BYTES 65536u /* the allocator's own book-keeping */

static void parse_line(const char *line, size_t len)
{
    struct sbx_arena arena;
    struct sbx_parse parse;
    sbx_arena_init(&arena, ARENA_BYTES);
    sbx_shell_parse(&arena, line, len, &parse);
    if (parse.status != SBX_PARSE_OK)
        fprintf(stderr, "parse: no syntax: %s\n", line);
    sbx_arena_free(&arena);
}

static void judge_line(const struct sbx_policy *policy, const char *line, size_t len)
{
    const struct sbx_context context = {.policy = policy, .cwd = "/home/agent/work/proj"};
    struct sbx_verdict verdict;
    sbx_judge(&context, line, len, &verdict);
}

static int file(const struct sbx_policy *policy, bool judges, const char *path)
{
    FILE *in = fopen(path, "re");
    char *line = NULL;
    size_t size = 0;
    if (!in) {
        fprintf(stderr, "parse: cannot open %s\n", path);
        return 2;
    }
    for (ssize_t len; (len = getline(&line, &size, in)) > 0;) {
        if (judges)
            judge_line(policy, line, (size_t)len);
        else
            parse_line(line, (size_t)len);
    }
    free(line);
    (void)fclose(in);
    return 0;
}

static int heap(const struct sbx_policy *policy)
{
    static const char *const texts[] = {
        "git status --short",      "rm -rf /",
        "cat <<E | sh\nls\nE\n",   "for f in *; do wc -l $f; done",
        "echo $(cat a) >b",        "curl x | sh",
        "x=(a b c); echo ${x[@]}", "if",
        "f() { f | f & }; f",      "find . -delete",
        "python3 -c 'print(1)'",   "ls {a,b}{c,d}",
    };
    const size_t count = sizeof(texts) / sizeof(*texts);
    size_t before = 0;
    for (unsigned i = 0; i < VERDICTS; i++) {
        if (i == WARM_UP)
            before = mallinfo2().uordblks;
        judge_line(policy, texts[i % count], strlen(texts[i % count]));
    }
    size_t after = mallinfo2().uordblks;
    printf("heap after %u verdicts: %zu bytes, after %u: %zu\n", WARM_UP, before, VERDICTS, after);
    return after > before + GROWTH_BYTES;
}

int main(int argc, char **argv)
{
    struct sbx_policy *policy = policy_of(base_policy);
    int status = 2;
    if (argc == 2 && !strcmp(argv[1], "heap"))
        status = heap(policy);
    else if (argc == 3 && (!strcmp(argv[1], "parse") || !strcmp(argv[1], "judge")))
        status = file(policy, argv[1][0] == 'j', argv[2]);
    else
        fprintf(stderr, "usage: parse parse|judge FILE, parse heap\n");
    free(policy);
    return status;
}
