#include "warden/record.h"

#include <json-c/json.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "policy/cleanup.h"

#define TEXT_MAX_BYTES    ((size_t)4096)
#define COMMAND_MAX_BYTES ((size_t)65536)
#define SUMMARY_TEXT      300

static const char *const kind_names[SBX_EVENT_KIND_COUNT] = {
    [SBX_EVENT_COMMAND] = "command",
    [SBX_EVENT_EXEC] = "exec",
    [SBX_EVENT_FILE] = "file",
    [SBX_EVENT_NET] = "net",
    [SBX_EVENT_SYSCALL] = "syscall",
    [SBX_EVENT_APPROVAL] = "approval",
    [SBX_EVENT_POLICY] = "policy",
    [SBX_EVENT_SCRUB] = "scrub",
    [SBX_EVENT_DISCLOSURE] = "disclosure",
    [SBX_EVENT_JAIL] = "jail",
};

static const char *const source_names[] = {
    [SBX_SOURCE_WARDEN] = "warden", [SBX_SOURCE_KERNEL] = "kernel", [SBX_SOURCE_NETD] = "netd",
    [SBX_SOURCE_CLERK] = "clerk",   [SBX_SOURCE_SHELL] = "shell",   [SBX_SOURCE_PAM] = "pam",
    [SBX_SOURCE_SBXCTL] = "sbxctl",
};

#define FIELD(member)                                                                              \
    {                                                                                              \
#member, offsetof(struct sbx_event, member)                                                \
    }

/* The keys that are plain text, in the order in which they are written. */
static const struct {
    const char *key;
    size_t offset;
} text_fields[] = {
    FIELD(account), FIELD(action), FIELD(verdict), FIELD(class), FIELD(rule),
    FIELD(origin),  FIELD(by),     FIELD(reason),  FIELD(cwd),   FIELD(path),
    FIELD(service), FIELD(rhost),  FIELD(tty),
};
#define TEXT_FIELDS (sizeof(text_fields) / sizeof(*text_fields))

static const char *field_text(const struct sbx_event *event, size_t i)
{
    const char *text;
    memcpy(&text, (const char *)event + text_fields[i].offset, sizeof(text));
    return text;
}

const char *sbx_event_kind_name(enum sbx_event_kind kind)
{
    return (size_t)kind < SBX_EVENT_KIND_COUNT ? kind_names[kind] : "unknown";
}

static const char *source_name(enum sbx_event_source source)
{
    return (size_t)source < sizeof(source_names) / sizeof(*source_names) ? source_names[source]
                                                                         : "unknown";
}

void sbx_time_text(const struct timespec *when, char out[SBX_TIME_TEXT_BYTES])
{
    struct tm tm;
    if (!gmtime_r(&when->tv_sec, &tm))
        tm = (struct tm){.tm_mday = 1, .tm_year = 70};
    size_t used = strftime(out, SBX_TIME_TEXT_BYTES, "%Y-%m-%dT%H:%M:%S", &tm);
    (void)snprintf(out + used, SBX_TIME_TEXT_BYTES - used, ".%06ldZ", when->tv_nsec / 1000);
}

/* Length of the well-formed UTF-8 character at text, 0 where there is none. No overlong form, no
 * surrogate, nothing past U+10FFFF; NUL, DEL and the C1 controls do not count as text either. */
static size_t character_length(const unsigned char *text, size_t len)
{
    if (text[0] < 0x80)
        return text[0] == 0 || text[0] == 0x7f ? 0 : 1;
    size_t want = text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
    if (text[0] < 0xc2 || text[0] > 0xf4 || len < want)
        return 0;
    uint32_t code = text[0] & (0xffu >> (want + 1));
    for (size_t i = 1; i < want; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3fu);
    }
    const uint32_t least[] = {0, 0, 0xa0, 0x800, 0x10000};
    bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
    return code < least[want] || code > 0x10ffff || is_surrogate ? 0 : want;
}

static bool is_text(const char *bytes, size_t len)
{
    for (size_t i = 0; i < len;) {
        size_t step = character_length((const unsigned char *)bytes + i, len - i);
        if (!step)
            return false;
        i += step;
    }
    return true;
}

static size_t escape_byte(char *out, char byte)
{
    static const char digits[] = "0123456789abcdef";
    unsigned value = (unsigned char)byte;
    out[0] = '\\';
    out[1] = byte == '\\' ? '\\' : 'x';
    out[2] = digits[value >> 4];
    out[3] = digits[value & 15];
    return byte == '\\' ? 2 : 4;
}

/* Bytes as a JSON string. What is no text is written \xHH and a backslash \\, and the key is listed
 * under "escaped", so that the exact bytes can be had back and a lone backslash stays as it is. */
static struct json_object *make_string(const char *key, const char *bytes, size_t len,
                                       struct json_object *escaped)
{
    if (is_text(bytes, len))
        return json_object_new_string_len(bytes, (int)len);
    _cleanup_free_ char *out = malloc(len * 4 + 1);
    if (!out)
        return NULL;
    size_t used = 0;
    for (size_t i = 0; i < len;) {
        size_t step = character_length((const unsigned char *)bytes + i, len - i);
        if (!step || bytes[i] == '\\') {
            used += escape_byte(out + used, bytes[i]);
            i++;
            continue;
        }
        memcpy(out + used, bytes + i, step);
        used += step;
        i += step;
    }
    if (escaped)
        json_object_array_add(escaped, json_object_new_string(key));
    return json_object_new_string_len(out, (int)used);
}

/* All adding goes through here: a member that could not be made is a failure, not a missing key. */
static bool put(struct json_object *object, const char *key, struct json_object *value)
{
    if (!value)
        return false;
    if (json_object_object_add(object, key, value)) {
        json_object_put(value);
        return false;
    }
    return true;
}

static bool put_text(struct json_object *object, const char *key, const char *text)
{
    return put(object, key, json_object_new_string(text));
}

static bool put_number(struct json_object *object, const char *key, uint64_t number)
{
    return put(object, key, json_object_new_int64((int64_t)number));
}

static bool put_place(struct json_object *object, const struct sbx_event *event,
                      const struct sbx_record_place *place)
{
    char when[SBX_TIME_TEXT_BYTES];
    sbx_time_text(&place->when, when);
    return put_text(object, "time", when) && put_text(object, "jail", place->name) &&
           put_number(object, "seq", place->seq) && put_text(object, "prev", place->prev) &&
           put_text(object, "kind", sbx_event_kind_name(event->kind)) &&
           put_text(object, "source", source_name(event->source)) &&
           put_number(object, "uid", event->uid) &&
           (!event->session || put_number(object, "session", event->session));
}

static bool put_subject(struct json_object *object, const struct sbx_event *event,
                        struct json_object *escaped)
{
    for (size_t i = 0; i < TEXT_FIELDS; i++) {
        const char *text = field_text(event, i);
        if (text &&
            !put(object, text_fields[i].key,
                 make_string(text_fields[i].key, text, strnlen(text, TEXT_MAX_BYTES), escaped)))
            return false;
    }
    if (event->command) {
        size_t len = event->command_bytes;
        len = len < COMMAND_MAX_BYTES ? len : COMMAND_MAX_BYTES;
        size_t total = event->command_total > len ? event->command_total : event->command_bytes;
        if (!put(object, "command", make_string("command", event->command, len, escaped)) ||
            (total > len && !put_number(object, "command_total", total)))
            return false;
    }
    return (event->pid <= 0 || put_number(object, "pid", (uint64_t)event->pid)) &&
           (event->loginuid < 0 || put_number(object, "loginuid", (uint64_t)event->loginuid));
}

/* What happened to the log itself since the record before this one. */
static bool put_losses(struct json_object *object, const struct sbx_record_place *place)
{
    struct json_object *dropped = NULL, *torn = NULL;
    for (int kind = 0; place->dropped && kind < SBX_EVENT_KIND_COUNT; kind++) {
        if (!place->dropped[kind])
            continue;
        if (!dropped && !put(object, "dropped", dropped = json_object_new_object()))
            return false;
        if (!put_number(dropped, kind_names[kind], place->dropped[kind]))
            return false;
    }
    if (place->torn && place->torn->is_there &&
        (!put(object, "torn", torn = json_object_new_object()) ||
         !put_number(torn, "bytes", place->torn->bytes) ||
         !put_text(torn, "sha256", place->torn->hash)))
        return false;
    return !place->aside || put_text(object, "aside", place->aside);
}

static char *print(struct json_object *object, size_t *len)
{
    const char *text = json_object_to_json_string_length(
        object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, len);
    return text ? strndup(text, *len) : NULL;
}

int sbx_record_compose(const struct sbx_event *event, const struct sbx_record_place *place,
                       char **line, size_t *len, struct sbx_err *err)
{
    struct json_object *object = json_object_new_object();
    struct json_object *escaped = json_object_new_array();
    bool ok = object && escaped && put_place(object, event, place) &&
              put_subject(object, event, escaped) && put_losses(object, place);
    if (ok && json_object_array_length(escaped))
        ok = put(object, "escaped", json_object_get(escaped));
    *line = ok ? print(object, len) : NULL;
    json_object_put(escaped);
    json_object_put(object);
    if (!*line)
        return sbx_fail(err, SBX_E_MEMORY, 0, "no memory for an event");
    return 0;
}

/* Adds ` key="text"`; JSON's quoting keeps it on one line and apart from the next key. */
static size_t add_quoted(char *out, size_t size, const char *key, const char *text, size_t len)
{
    struct json_object *value =
        make_string(key, text, len < SUMMARY_TEXT ? len : SUMMARY_TEXT, NULL);
    const char *quoted =
        value ? json_object_to_json_string_ext(value, JSON_C_TO_STRING_NOSLASHESCAPE) : "\"?\"";
    int wrote = snprintf(out, size, " %s=%s", key, quoted);
    json_object_put(value);
    return wrote < 0 ? 0 : (size_t)wrote;
}

void sbx_record_summary(const struct sbx_event *event, const struct sbx_record_place *place,
                        const char *head, char *out, size_t size)
{
    int start = snprintf(out, size, "kind=%s source=%s jail=%s seq=%llu head=%s uid=%u",
                         sbx_event_kind_name(event->kind), source_name(event->source), place->name,
                         (unsigned long long)place->seq, head, event->uid);
    size_t used = start < 0 ? 0 : (size_t)start;
    for (size_t i = 0; i < TEXT_FIELDS && used < size; i++) {
        const char *text = field_text(event, i);
        if (text)
            used += add_quoted(out + used, size - used, text_fields[i].key, text,
                               strnlen(text, SUMMARY_TEXT));
    }
    if (event->command && used < size)
        (void)add_quoted(out + used, size - used, "command", event->command, event->command_bytes);
}

/* What is no printable ASCII is written as an escape of up to six bytes. */
static size_t written_bytes(const char *text, size_t len)
{
    size_t total = len;
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)text[i] < 0x20 || (unsigned char)text[i] >= 0x7f)
            total += 5;
    return total;
}

size_t sbx_record_weight(const struct sbx_event *event)
{
    size_t total = event->command ? written_bytes(event->command, event->command_bytes) : 0;
    for (size_t i = 0; i < TEXT_FIELDS; i++) {
        const char *text = field_text(event, i);
        total += text ? written_bytes(text, strnlen(text, TEXT_MAX_BYTES)) : 0;
    }
    return total;
}
