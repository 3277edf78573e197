#include "policy/ini.h"

#include <ini.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/cleanup.h"
#include "policy/value.h"

/* What inih (as distributions build it) would do to a policy file, and what is done about it:
 *   "deny = Bash(a ; b)" loses " ; b)"              values travel in hexadecimal
 *   a locale may make it strip bytes of UTF-8       the same
 *   lines over 200 bytes are split in two           long values travel in pieces, key repeated
 *   an indented line becomes part of the one before no indentation reaches it
 *   names over 49 bytes are cut                     they are an error here
 *   text behind ']' is dropped                      it is an error, but for a comment
 *   the handler learns no line numbers              the reader knows them
 *   it stops counting at its first error            faulty lines are told here and never reach it
 * Values that come back are compared with what was sent: a disagreement is an error. */
#define NAME_MAX_BYTES 49 /* of a section, a key: inih's own buffers */

struct parser {
    const char *at, *end; /* what is left of the file */
    unsigned line;        /* number of the line in hand */
    const char *begin;    /* its first byte */
    const struct sbx_ini_sink *sink;
    struct sbx_err *err;
    unsigned faults;
    bool out_of_step; /* inih took a line otherwise than we did */
    char section[NAME_MAX_BYTES + 1], key[NAME_MAX_BYTES + 1];
    const char *value;   /* of the line in hand, not NUL-terminated */
    unsigned key_column; /* of the same */
    size_t value_len, sent, received;
    char *decoded; /* room for any value of the file */
};

/* `place` lies in the line in hand, or just behind it. */
static unsigned column_of(const struct parser *parser, const char *place)
{
    return (unsigned)(place - parser->begin) + 1;
}

static void fault(struct parser *parser, const char *place, const char *message)
{
    const struct sbx_ini_at at = {.line = parser->line, .column = column_of(parser, place)};
    if (!parser->faults++)
        sbx_fail(parser->err, SBX_E_POLICY, 0, "line %u: %s", parser->line, message);
    parser->sink->fault(parser->sink->data, &at, message);
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

static void trim(const char **begin, size_t *len)
{
    while (*len && is_blank(**begin)) {
        (*begin)++;
        (*len)--;
    }
    while (*len && is_blank((*begin)[*len - 1]))
        (*len)--;
}

/* Copies a name that inih can carry; false after telling the fault. */
static bool take_name(struct parser *parser, const char *begin, size_t len, char *out)
{
    size_t at = 0;
    const char *foul = sbx_value_foul_at(begin, len, &at);
    if (!foul && !len)
        foul = "a name is missing here";
    else if (!foul && len > NAME_MAX_BYTES)
        foul = "the name of a section or key is longer than 49 bytes";
    for (size_t i = 0; !foul && i < len; i++)
        if ((unsigned char)begin[i] >= 0x80) {
            foul = "sections and keys are plain ASCII";
            at = i;
        }
    if (foul) {
        fault(parser, begin + at, foul);
        return false;
    }
    memcpy(out, begin, len);
    out[len] = '\0';
    return true;
}

/* "[section]", a comment may follow. True: parser->section is new. */
static bool take_section(struct parser *parser, const char *begin, size_t len)
{
    const char *close = memchr(begin, ']', len);
    parser->section[0] = '\0'; /* what follows a faulty header belongs to no section */
    if (!close) {
        fault(parser, begin, "a section is written [name]: the ']' is missing");
        return false;
    }
    const char *rest = close + 1, *name = begin + 1;
    size_t rest_len = len - (size_t)(rest - begin), name_len = (size_t)(close - name);
    trim(&rest, &rest_len);
    trim(&name, &name_len);
    if (rest_len && *rest != ';' && *rest != '#') {
        fault(parser, rest, "text behind the ']' of a section");
        return false;
    }
    if (memchr(name, '[', name_len) || memchr(name, ';', name_len)) {
        fault(parser, name, "a section is written [name], nothing else inside");
        return false;
    }
    if (!take_name(parser, name, name_len, parser->section))
        return false;
    const struct sbx_ini_at at = {.line = parser->line, .column = column_of(parser, name)};
    if (parser->sink->section)
        parser->sink->section(parser->sink->data, parser->section, &at);
    return true;
}

/* "key = value" or "key : value". True: key and value are new. */
static bool take_setting(struct parser *parser, const char *begin, size_t len)
{
    const char *equals = memchr(begin, '=', len), *colon = memchr(begin, ':', len);
    const char *sign = equals && (!colon || equals < colon) ? equals : colon;
    if (!sign) {
        fault(parser, begin,
              "neither a [section] nor key = value (a list repeats its key on every line; "
              "lines are not continued)");
        return false;
    }
    size_t key_len = (size_t)(sign - begin);
    const char *key = begin;
    trim(&key, &key_len);
    parser->value = sign + 1;
    parser->value_len = len - (size_t)(parser->value - begin);
    trim(&parser->value, &parser->value_len);
    parser->key_column = column_of(parser, key);
    if (!take_name(parser, key, key_len, parser->key))
        return false;
    const char *odd = strpbrk(parser->key, ";[#");
    if (odd) {
        fault(parser, key + (odd - parser->key),
              "a key of letters, digits, '_' and '-' must stand before the '='");
        return false;
    }
    if (!parser->section[0]) {
        fault(parser, key, "a setting before the first [section], or below a faulty one");
        return false;
    }
    size_t at = 0;
    const char *foul = sbx_value_foul_at(parser->value, parser->value_len, &at);
    if (!foul && !parser->value_len)
        foul = "the value is missing";
    if (foul)
        fault(parser, parser->value + at, foul);
    return !foul;
}

/* Takes the next line off the file; true with its bounds, without line end. */
static bool next_line(struct parser *parser, const char **begin, size_t *len)
{
    if (parser->at >= parser->end)
        return false;
    const char *newline = memchr(parser->at, '\n', (size_t)(parser->end - parser->at));
    const char *stop = newline ? newline : parser->end;
    *begin = parser->begin = parser->at;
    *len = (size_t)(stop - parser->at);
    parser->at = newline ? newline + 1 : parser->end;
    parser->line++;
    if (!newline)
        fault(parser, stop, "the last line has no end: is the file half written?");
    if (newline && *len && (*begin)[*len - 1] == '\r')
        (*len)--;
    return true;
}

enum taken { TAKEN_NOTHING, TAKEN_SECTION, TAKEN_SETTING, TAKEN_END };

static enum taken take_line(struct parser *parser)
{
    const char *begin = NULL;
    size_t len = 0;
    if (!next_line(parser, &begin, &len))
        return TAKEN_END;
    const char *nul = memchr(begin, '\0', len), *cr = memchr(begin, '\r', len);
    if (nul || cr) {
        fault(parser, nul ? nul : cr,
              nul ? "a NUL byte: this is no text file" : "a carriage return inside the line");
        return TAKEN_NOTHING;
    }
    trim(&begin, &len);
    if (!len || *begin == ';' || *begin == '#')
        return TAKEN_NOTHING;
    if (*begin == '[')
        return take_section(parser, begin, len) ? TAKEN_SECTION : TAKEN_NOTHING;
    return take_setting(parser, begin, len) ? TAKEN_SETTING : TAKEN_NOTHING;
}

/* One piece of the value in hand: "key = 6162\n", no longer than `room`. */
static char *send_piece(struct parser *parser, char *out, size_t room)
{
    static const char digits[] = "0123456789abcdef";
    int head = snprintf(out, room, "%s = ", parser->key);
    size_t used = (size_t)head;
    if (head < 0 || used + 4 > room) {
        parser->out_of_step = true;
        return NULL;
    }
    for (; parser->sent < parser->value_len && used + 4 <= room; parser->sent++) {
        unsigned char byte = (unsigned char)parser->value[parser->sent];
        out[used++] = digits[byte >> 4];
        out[used++] = digits[byte & 15];
    }
    out[used++] = '\n';
    out[used] = '\0';
    return out;
}

/* inih's reader: hands it one harmless line at a time. */
static char *read_line(char *out, int size, void *stream)
{
    struct parser *parser = stream;
    size_t room = size > 0 ? (size_t)size : 0;
    if (parser->out_of_step || room < 2 * NAME_MAX_BYTES)
        parser->out_of_step = true;
    else if (parser->sent < parser->value_len)
        return send_piece(parser, out, room);
    /* Everything that was sent must have come back by now. */
    if (parser->received != parser->sent)
        parser->out_of_step = true;
    while (!parser->out_of_step) {
        enum taken taken = take_line(parser);
        parser->sent = parser->received = 0;
        if (taken == TAKEN_SETTING)
            return send_piece(parser, out, room);
        parser->value_len = 0;
        if (taken == TAKEN_END)
            return NULL;
        if (taken == TAKEN_SECTION) {
            (void)snprintf(out, room, "[%s]\n", parser->section);
            return out;
        }
    }
    return NULL;
}

static int nibble(char digit)
{
    return digit >= '0' && digit <= '9'   ? digit - '0'
           : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10
                                          : -1;
}

/* Puts a piece behind what has come back; false where it is not what was sent. */
static bool receive(struct parser *parser, const char *piece)
{
    for (; piece[0] && piece[1]; piece += 2) {
        int high = nibble(piece[0]), low = nibble(piece[1]);
        if (high < 0 || low < 0 || parser->received >= parser->sent)
            return false;
        parser->decoded[parser->received++] = (char)(high << 4 | low);
    }
    return !piece[0] && parser->received == parser->sent;
}

#if INI_HANDLER_LINENO
static int handle(void *user, const char *section, const char *name, const char *value, int lineno)
{
    (void)lineno; /* counts what the reader sent, not the lines of the file */
#else
static int handle(void *user, const char *section, const char *name, const char *value)
{
#endif
    struct parser *parser = user;
    if (!name || !value || strcmp(section, parser->section) || strcmp(name, parser->key) ||
        !receive(parser, value)) {
        parser->out_of_step = true;
        return 0;
    }
    if (parser->received < parser->value_len)
        return 1;
    parser->decoded[parser->received] = '\0';
    const struct sbx_ini_at at = {.line = parser->line,
                                  .column = parser->key_column,
                                  .value = column_of(parser, parser->value)};
    parser->sink->setting(parser->sink->data, parser->section, parser->key, parser->decoded, &at);
    return 1;
}

int sbx_ini_parse(const char *bytes, size_t len, const struct sbx_ini_sink *sink,
                  struct sbx_err *err)
{
    _cleanup_free_ char *decoded = malloc(len + 1);
    if (!decoded)
        return sbx_fail(err, SBX_E_MEMORY, 0, "out of memory");
    struct parser parser = {.at = bytes,
                            .begin = bytes,
                            .end = bytes + len,
                            .sink = sink,
                            .err = err,
                            .decoded = decoded};
    if (len >= 3 &&
        !memcmp(bytes, "\xef\xbb\xbf", 3)) /* a byte order mark, as some editors write it */
        parser.at += 3;
    int refused = ini_parse_stream(read_line, &parser, handle, &parser);
    if (refused || parser.out_of_step || parser.at < parser.end ||
        parser.received != parser.value_len)
        fault(&parser, parser.begin, "the INI library did not take this line as it is written");
    return parser.faults ? -1 : 0;
}
