/* Text to tree to text to tree: what was printed must parse, and to the same tree. What is no syntax, or
 * would go on with what is printed behind it, is left. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/conformance/shell_print.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define ARENA_BYTES ((size_t)64 * 1024 * 1024)

/* Ends in a backslash, before the last newline or without one: it would go on with what is printed
 * behind it. */
static bool is_continued(const char *text, size_t size)
{
    size -= size && text[size - 1] == '\n';
    return size && text[size - 1] == '\\';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    struct sbx_arena arena, again;
    struct sbx_parse parse, reparse;
    char *printed = NULL;
    size_t printed_size = 0;
    sbx_arena_init(&arena, ARENA_BYTES);
    sbx_arena_init(&again, ARENA_BYTES);
    sbx_shell_parse(&arena, text, size, &parse);
    bool is_usable = parse.status == SBX_PARSE_OK && !parse.cond_error && !parse.heredoc_warning &&
                     !is_continued(text, size);
    FILE *out = is_usable ? open_memstream(&printed, &printed_size) : NULL;
    if (out) {
        shell_print(out, text, size, parse.script);
        (void)fclose(out);
        sbx_shell_parse(&again, printed, printed_size, &reparse);
        /* Printing adds words of the grammar: only a limit may end what was read before. */
        if (reparse.status != SBX_PARSE_LIMIT &&
            (reparse.status != SBX_PARSE_OK || !shell_same(parse.script, reparse.script))) {
            (void)fwrite(printed, 1, printed_size, stderr);
            abort();
        }
    }
    free(printed);
    sbx_arena_free(&again);
    sbx_arena_free(&arena);
    return 0;
}
