/* Texts to trees and back to text.
 *
 *   roundtrip TEXTS PAIRS     TEXTS: NUL-ended. The printed text must give the same tree. PAIRS gets, for each,
 *                             two scripts that show bash's own form of it as a function: of the text, and of
 *                             what was printed
 *   roundtrip -c PAIRS RECORDS   both forms, as argvrun recorded them, must be the same
 *
 * Prints each difference, and last: same N different N left N. "left": no syntax, or bash shows nothing. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/conformance/shell_print.h"

#define SHOWN_MOST 60000 /* bytes of a text that still fits into one argument */

struct totals {
    unsigned long same, different, left;
};

static void complain(const char *what, const char *text, const char *printed)
{
    (void)printf("DIFFERENT %s: %s\n", what, text);
    if (printed)
        (void)printf("--- printed:\n%s\n---\n", printed);
}

static void write_pair(FILE *pairs, const char *text, const char *printed)
{
    const char *both[] = {text, printed};
    for (int i = 0; i < 2; i++)
        (void)fprintf(pairs, "f() {\n%s\n}\np \"$(declare -f f)\"%c", both[i], 0);
}

static void one_text(const char *text, size_t len, FILE *pairs, struct totals *t)
{
    struct sbx_arena arena, again;
    struct sbx_parse parse, reparse;
    char *printed = NULL;
    size_t size = 0;
    sbx_arena_init(&arena, (size_t)1024 * 1024 * 1024);
    sbx_arena_init(&again, (size_t)1024 * 1024 * 1024);
    sbx_shell_parse(&arena, text, len, &parse);
    /* One that ends in a backslash, or in the middle of a here-document's line, would go on with what is
     * printed behind it. */
    char last = len ? text[len - 1] : '\n';
    bool usable = !parse.status && !parse.cond_error && last != '\\' &&
                  (!parse.heredoc_warning || last == '\n');
    FILE *out = usable ? open_memstream(&printed, &size) : NULL;
    if (!out) {
        t->left++;
    } else {
        shell_print(out, text, len, parse.script);
        (void)fclose(out);
        sbx_shell_parse(&again, printed, size, &reparse);
        bool same = !reparse.status && shell_same(parse.script, reparse.script);
        t->same += same;
        t->different += !same;
        if (!same)
            complain(reparse.status ? reparse.message : "tree", text, printed);
        else if (len < SHOWN_MOST && size < SHOWN_MOST && parse.script->pipelines)
            write_pair(pairs, text, printed);
    }
    free(printed);
    sbx_arena_free(&again);
    sbx_arena_free(&arena);
}

/* The word behind the p of the last exec: a record is a count and NUL-ended words. */
static char *shown(FILE *records)
{
    uint32_t head[2];
    if (fread(head, sizeof(head), 1, records) != 1)
        return NULL;
    char *log = calloc(1, (size_t)head[1] + 8);
    if (!log || fread(log, 1, head[1], records) != head[1]) {
        free(log);
        return NULL;
    }
    size_t word = head[1] > 6 && log[4] == 'p' ? 6 : head[1];
    memmove(log, log + word, strlen(log + word) + 1);
    return log;
}

static int compare(FILE *pairs, FILE *records, struct totals *t)
{
    char *text = NULL, *printed = NULL;
    size_t size = 0, more = 0;
    while (getdelim(&text, &size, 0, pairs) > 0 && getdelim(&printed, &more, 0, pairs) > 0) {
        char *a = shown(records), *b = shown(records);
        if (!a || !b)
            return 2;
        t->left += !*a;
        t->same += *a && !strcmp(a, b);
        t->different += *a && strcmp(a, b);
        if (*a && strcmp(a, b)) {
            complain("form", text, printed);
            (void)printf("--- bash of the text:\n%s\n--- of what was printed:\n%s\n---\n", a, b);
        }
        free(a);
        free(b);
    }
    free(text);
    free(printed);
    return 0;
}

int main(int argc, char **argv)
{
    struct totals t = {0};
    bool shows = argc == 4 && !strcmp(argv[1], "-c");
    FILE *first = argc >= 3 ? fopen(argv[1 + shows], "r") : NULL;
    FILE *second = argc >= 3 ? fopen(argv[2 + shows], shows ? "r" : "w") : NULL;
    char *text = NULL;
    size_t size = 0;
    if (!first || !second) {
        (void)fputs("roundtrip: cannot begin\n", stderr);
        return 2;
    }
    if (shows && compare(first, second, &t))
        return 2;
    for (ssize_t len; !shows && (len = getdelim(&text, &size, 0, first)) > 0;)
        one_text(text, (size_t)len - !text[len - 1], second, &t);
    free(text);
    if (fclose(first) || fclose(second))
        return 2;
    (void)printf("same %lu different %lu left %lu\n", t.same, t.different, t.left);
    return t.different ? 1 : 0;
}
