/* What the word before the cursor may become: a path, or the name of a command.
 *
 * Looks at the file system as the account, from the working directory of this process. Names of files
 * are hostile: those with control bytes are never shown or put into a line, and what a shell would
 * take for syntax is quoted. */
#ifndef SBX_LINE_COMPLETE_H
#define SBX_LINE_COMPLETE_H

#include <stdbool.h>
#include <stddef.h>

#define SBX_COMPLETE_MAX 4096 /* names; what is beyond is not looked at */

struct sbx_complete_source {
    const char *home;  /* for ~/ */
    const char *path;  /* folders of commands, with colons between */
    const char *words; /* more commands, one a line */
};

struct sbx_completion {
    char **names; /* sorted, each once; a directory's with its slash */
    size_t count;
    size_t begin; /* of the line's bytes: these, up to the cursor, are replaced */
    char *text;   /* by this, quoted; NULL: nothing to put in */
};

/* Completes line[0..cursor). Returns 0, or -1 without memory. The caller frees by
 * sbx_completion_clear(), in either case. */
int sbx_complete(const char *line, size_t cursor, const struct sbx_complete_source *source,
                 struct sbx_completion *out);

void sbx_completion_clear(struct sbx_completion *completion);

#endif
