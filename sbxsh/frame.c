#include "sbxsh/frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TAIL_BYTES 128

static size_t put(char *out, const char *text)
{
    size_t len = strlen(text);
    memcpy(out, text, len);
    return len;
}

static size_t put_quoted(char *out, const char *text, size_t len)
{
    size_t used = put(out, "\\eval '");
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '\'')
            used += put(out + used, "'\\''");
        else
            out[used++] = text[i];
    }
    return used;
}

static size_t put_numbers(char *out, const char *text, size_t len)
{
    size_t used = put(out, "\\eval $'");
    for (size_t i = 0; i < len; i++) {
        unsigned char byte = (unsigned char)text[i];
        out[used++] = '\\';
        out[used++] = (char)('0' + (byte >> 6));
        out[used++] = (char)('0' + ((byte >> 3) & 7));
        out[used++] = (char)('0' + (byte & 7));
    }
    return used;
}

char *sbxsh_frame_make(const char *text, size_t len, int input, bool is_interactive, size_t *size)
{
    char tail[TAIL_BYTES] = "";
    char *line = malloc(4 * len + sizeof("\\eval $'") + 2 * TAIL_BYTES);
    if (!line)
        return NULL;
    size_t used = is_interactive ? put_numbers(line, text, len) : put_quoted(line, text, len);
    (void)snprintf(tail, sizeof(tail), "' 0<&%d-", input);
    used += put(line + used, tail);
    (void)snprintf(tail, sizeof(tail), " %d<<<\"${__sbx_ps1:+${PS1:=$__sbx_ps1}}\" %d<&-",
                   input + 1, input + 1);
    if (is_interactive)
        used += put(line + used, tail);
    line[used++] = '\n';
    *size = used;
    return line;
}
