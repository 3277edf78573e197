#include "line/keys.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define CONTROL(letter) ((letter)&0x1f)
#define ESCAPE_MS       50   /* the rest of an escape sequence comes at once, or it was the key */
#define PASTE_MS        5000 /* a paste that stops for longer has lost its end */
/* A terminal in line mode drops what is beyond 4095 bytes of a line, without a word. */
#define TERMINAL_LINE_BYTES 4094

static const char paste_begin[] = "\033[200~", paste_end[] = "\033[201~";

static enum sbx_key_state await(const struct sbx_keys *keys, int timeout_ms, bool *has_byte)
{
    struct pollfd fds[] = {
        {.fd = keys->terminal_fd, .events = POLLIN},
        {.fd = keys->asker_fd,    .events = POLLIN}
    };
    *has_byte = false;
    for (;;) {
        int got = poll(fds, 2, timeout_ms);
        if (got < 0 && errno == EINTR) {
            if (keys->resized)
                keys->resized(keys->data);
            continue;
        }
        if (got < 0)
            return SBX_KEY_GONE;
        if (fds[1].revents)
            return fds[1].revents & POLLIN ? SBX_KEY_INTERRUPT : SBX_KEY_GONE;
        *has_byte = got > 0;
        return SBX_KEY_CHAR;
    }
}

/* Up to `size` bytes. SBX_KEY_CHAR without any: none came in time. */
static enum sbx_key_state read_some(struct sbx_keys *keys, int timeout_ms, char *bytes, size_t size,
                                    size_t *len)
{
    *len = 0;
    if (keys->unread_len) {
        *bytes = keys->unread[0];
        memmove(keys->unread, keys->unread + 1, --keys->unread_len);
        *len = 1;
        return SBX_KEY_CHAR;
    }
    for (;;) {
        bool has_byte = false;
        enum sbx_key_state state = await(keys, timeout_ms, &has_byte);
        if (state != SBX_KEY_CHAR || !has_byte)
            return state;
        ssize_t got = read(keys->terminal_fd, bytes, size);
        if (got > 0) {
            *len = (size_t)got;
            break;
        }
        if (got == 0 || (errno != EINTR && errno != EAGAIN))
            return SBX_KEY_GONE;
    }
    /* A ^D that was typed in line mode is a NUL now. */
    for (size_t i = 0; i < *len && keys->stale_bytes; i++, keys->stale_bytes--)
        if (bytes[i] == '\0')
            bytes[i] = CONTROL('D');
    return SBX_KEY_CHAR;
}

static enum sbx_key_state read_byte(struct sbx_keys *keys, int timeout_ms, char *byte,
                                    bool *has_byte)
{
    size_t len = 0;
    enum sbx_key_state state = read_some(keys, timeout_ms, byte, 1, &len);
    *has_byte = len == 1;
    return state;
}

static void put_back(struct sbx_keys *keys, const char *bytes, size_t len)
{
    if (keys->unread_len + len > sizeof(keys->unread))
        return; /* it came from there: never more than fits */
    memmove(keys->unread + len, keys->unread, keys->unread_len);
    memcpy(keys->unread, bytes, len);
    keys->unread_len += len;
}

static int paste_add(struct sbx_keys *keys, char byte)
{
    if (byte == '\0')
        return 0; /* as bash does with one in a script */
    if (keys->paste_len == keys->paste_capacity) {
        size_t capacity = keys->paste_capacity ? keys->paste_capacity * 2 : 4096;
        char *paste = capacity <= SBX_PASTE_BYTES ? realloc(keys->paste, capacity) : NULL;
        if (!paste)
            return -1;
        keys->paste = paste;
        keys->paste_capacity = capacity;
    }
    keys->paste[keys->paste_len++] = byte == '\r' ? '\n' : byte;
    return 0;
}

/* Takes all up to the end mark. Too much: the whole of it is dropped, since a part would not be what
 * was meant. */
static enum sbx_key_state take_paste(struct sbx_keys *keys)
{
    size_t mark = 0;
    keys->paste_at = keys->paste_len = 0;
    keys->paste_is_cut = false;
    while (mark < sizeof(paste_end) - 1) {
        char bytes[sizeof(paste_end)];
        size_t len = 0; /* no more than the end mark still needs: nothing behind it is taken */
        enum sbx_key_state state =
            read_some(keys, PASTE_MS, bytes, sizeof(paste_end) - 1 - mark, &len);
        if (state != SBX_KEY_CHAR) {
            keys->paste_len = 0;
            return state;
        }
        if (!len)
            return SBX_KEY_CHAR;
        for (size_t i = 0; i < len; i++) {
            mark = bytes[i] == paste_end[mark] ? mark + 1 : bytes[i] == paste_end[0];
            keys->paste_is_cut |= paste_add(keys, bytes[i]) != 0;
        }
    }
    if (keys->paste_is_cut)
        keys->paste_len = 0;
    else
        keys->paste_len -= sizeof(paste_end) - 1;
    return SBX_KEY_CHAR;
}

/* Behind an escape: whether a paste begins. If not, what was read is put back. */
static enum sbx_key_state look_for_paste(struct sbx_keys *keys, bool *is_paste)
{
    char seen[sizeof(paste_begin)];
    size_t len = 0;
    *is_paste = false;
    while (len + 2 < sizeof(paste_begin)) {
        bool has_byte = false;
        enum sbx_key_state state = read_byte(keys, ESCAPE_MS, seen + len, &has_byte);
        if (state != SBX_KEY_CHAR)
            return state;
        if (!has_byte)
            break;
        len++;
        if (seen[len - 1] != paste_begin[len]) {
            put_back(keys, seen, len);
            return SBX_KEY_CHAR;
        }
    }
    *is_paste = len + 2 == sizeof(paste_begin);
    if (!*is_paste)
        put_back(keys, seen, len);
    return SBX_KEY_CHAR;
}

/* Of a paste nothing is a command to the editor: control bytes come behind a ^V. */
static char next_of_paste(struct sbx_keys *keys)
{
    char byte = keys->paste[keys->paste_at];
    bool is_control = ((unsigned char)byte < ' ' && byte != '\n') || byte == 0x7f;
    if (is_control && !keys->is_quoted) {
        keys->is_quoted = true;
        return CONTROL('V');
    }
    keys->is_quoted = false;
    keys->paste_at++;
    return byte;
}

static enum sbx_key_state next_byte(struct sbx_keys *keys, char *byte)
{
    for (;;) {
        if (keys->paste_at < keys->paste_len) {
            *byte = next_of_paste(keys);
            return SBX_KEY_CHAR;
        }
        bool has_byte = false, is_paste = false;
        *byte = '\0';
        enum sbx_key_state state = read_byte(keys, -1, byte, &has_byte);
        if (state != SBX_KEY_CHAR || *byte != '\033')
            return *byte == CONTROL('C') && state == SBX_KEY_CHAR ? SBX_KEY_INTERRUPT : state;
        state = look_for_paste(keys, &is_paste);
        if (state == SBX_KEY_CHAR && is_paste)
            state = take_paste(keys);
        if (state != SBX_KEY_CHAR || !is_paste)
            return state;
    }
}

/* The byte that was read last is to come again. */
static void put_back_last(struct sbx_keys *keys, char byte, bool is_pasted)
{
    if (!is_pasted)
        put_back(keys, &byte, 1);
    else if (keys->is_quoted) /* it was the ^V */
        keys->is_quoted = false;
    else
        keys->paste_at--;
}

void sbx_keys_begin(struct sbx_keys *keys)
{
    keys->is_new_line = true;
    keys->may_be_cut = false;
    keys->line_bytes = 0;
}

/* The terminal is in the editor's mode now, so that this counts what was typed ahead. */
static void look_at_stale(struct sbx_keys *keys)
{
    int waiting = 0;
    if (!keys->is_new_line)
        return;
    keys->is_new_line = false;
    if (ioctl(keys->terminal_fd, FIONREAD, &waiting) || waiting < 0)
        waiting = 0;
    keys->stale_bytes = (size_t)waiting;
    keys->may_be_cut = waiting >= TERMINAL_LINE_BYTES;
}

enum sbx_key_state sbx_keys_next(struct sbx_keys *keys, wchar_t *out)
{
    char bytes[8];
    size_t len = 0;
    look_at_stale(keys);
    for (;;) {
        bool is_pasted = keys->paste_at < keys->paste_len;
        enum sbx_key_state state = next_byte(keys, bytes + len);
        if (state != SBX_KEY_CHAR)
            return state;
        mbstate_t shift = {0};
        size_t got = mbrtowc(out, bytes, ++len, &shift);
        if (got == (size_t)-2 && len < 6)
            continue;
        if (got == (size_t)-1 || got == (size_t)-2) {
            /* The byte that broke it may be a newline or begin another character. */
            if (len > 1) {
                len--;
                put_back_last(keys, bytes[len], is_pasted);
            }
            *out = 0xfffd;
        } else if (!got) {
            *out = L'\0';
        }
        break;
    }
    if (*out == L'\r')
        *out = L'\n';
    if (*out != L'\n')
        keys->line_bytes += len;
    else if (keys->line_bytes < TERMINAL_LINE_BYTES)
        keys->may_be_cut = false;
    return SBX_KEY_CHAR;
}

const char *sbx_keys_pasted_line(struct sbx_keys *keys, size_t *len)
{
    if (keys->paste_at >= keys->paste_len || keys->is_quoted || keys->unread_len)
        return NULL;
    const char *line = keys->paste + keys->paste_at;
    const char *end = memchr(line, '\n', keys->paste_len - keys->paste_at);
    if (!end)
        return NULL;
    *len = (size_t)(end - line);
    keys->paste_at += *len + 1;
    return line;
}

void sbx_keys_clear(struct sbx_keys *keys)
{
    free(keys->paste);
    keys->paste = NULL;
    keys->paste_at = keys->paste_len = keys->paste_capacity = 0;
}
