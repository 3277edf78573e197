#include "line/proto.h"

#include <string.h>

#define MAGIC 0x5342584cu /* SBXL */

size_t sbx_line_pack(char *packet, size_t size, const struct sbx_line_message *message)
{
    struct sbx_line_header header = {
        .magic = MAGIC, .kind = message->kind, .serial = message->serial};
    if (message->len > SBX_LINE_TEXT_BYTES || size < sizeof(header) + message->len)
        return 0;
    header.size = (uint32_t)message->len;
    memcpy(packet, &header, sizeof(header));
    if (message->len)
        memcpy(packet + sizeof(header), message->body, message->len);
    return sizeof(header) + message->len;
}

int sbx_line_unpack(const char *packet, size_t size, struct sbx_line_message *out)
{
    struct sbx_line_header header;
    if (size < sizeof(header))
        return -1;
    memcpy(&header, packet, sizeof(header));
    if (header.magic != MAGIC || header.size != size - sizeof(header) ||
        header.size > SBX_LINE_TEXT_BYTES || header.kind < SBX_LINE_ASK ||
        header.kind > SBX_LINE_TOO_LONG)
        return -1;
    const char *body = packet + sizeof(header);
    /* A line is one line: what stands behind a newline would not be met as a line of its own. */
    if (header.kind == SBX_LINE_TEXT &&
        (memchr(body, '\n', header.size) || memchr(body, '\0', header.size)))
        return -1;
    *out = (struct sbx_line_message){
        .kind = (enum sbx_line_kind)header.kind,
        .serial = header.serial,
        .body = body,
        .len = header.size,
    };
    return 0;
}

/* As many whole lines of the words as there is room for. */
static size_t whole_lines(const char *words, size_t room)
{
    size_t len = strlen(words);
    if (len <= room)
        return len;
    while (room && words[room - 1] != '\n')
        room--;
    return room;
}

size_t sbx_line_pack_ask(char *body, size_t size, const struct sbx_line_ask *ask)
{
    const char *const texts[] = {ask->prompt, ask->cwd, ask->path};
    size_t used = 0;
    if (size > SBX_LINE_TEXT_BYTES)
        size = SBX_LINE_TEXT_BYTES;
    if (size < 2)
        return 0;
    body[used++] = ask->is_first ? '1' : '0';
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        size_t len = strlen(texts[i]) + 1;
        if (len >= size - used)
            return 0;
        memcpy(body + used, texts[i], len);
        used += len;
    }
    size_t len = whole_lines(ask->words, size - used - 1);
    memcpy(body + used, ask->words, len);
    body[used + len] = '\0';
    return used + len + 1;
}

int sbx_line_unpack_ask(const struct sbx_line_message *message, struct sbx_line_ask *out)
{
    if (message->kind != SBX_LINE_ASK || message->len < 2 ||
        message->body[message->len - 1] != '\0')
        return -1;
    const char **texts[] = {&out->prompt, &out->cwd, &out->path, &out->words};
    const char *at = message->body, *end = at + message->len;
    out->is_first = *at++ == '1';
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        if (at >= end)
            return -1;
        *texts[i] = at;
        at += strlen(at) + 1; /* the last byte is a NUL */
    }
    return at == end ? 0 : -1;
}
