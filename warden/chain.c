#include "warden/chain.h"

#include <errno.h>
#include <json-c/json.h>
#include <sha2.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/cleanup.h"

#define FIRST_WINDOW_BYTES ((size_t)64 * 1024)
#define RECORD_DEPTH       8

void sbx_chain_hash(const void *bytes, size_t len, char out[SBX_HASH_TEXT_BYTES])
{
    static const char digits[] = "0123456789abcdef";
    uint8_t sum[SHA256_DIGEST_LENGTH];
    SHA2_CTX context;
    SHA256Init(&context);
    SHA256Update(&context, bytes, len);
    SHA256Final(sum, &context);
    for (size_t i = 0; i < sizeof(sum); i++) {
        out[2 * i] = digits[sum[i] >> 4];
        out[2 * i + 1] = digits[sum[i] & 15];
    }
    out[2 * sizeof(sum)] = '\0';
}

/* Copies a string member that has to fit; false where it is missing, no string, or too long. */
static bool get_text(struct json_object *object, const char *key, char *out, size_t size)
{
    struct json_object *member;
    if (!json_object_object_get_ex(object, key, &member) ||
        !json_object_is_type(member, json_type_string))
        return false;
    size_t len = (size_t)json_object_get_string_len(member);
    if (len >= size || strlen(json_object_get_string(member)) != len)
        return false;
    memcpy(out, json_object_get_string(member), len + 1);
    return true;
}

static bool get_number(struct json_object *object, const char *key, uint64_t *out)
{
    struct json_object *member;
    if (!json_object_object_get_ex(object, key, &member) ||
        !json_object_is_type(member, json_type_int) || json_object_get_int64(member) < 0)
        return false;
    *out = (uint64_t)json_object_get_int64(member);
    return true;
}

static bool get_hash(struct json_object *object, const char *key, char out[SBX_HASH_TEXT_BYTES])
{
    return get_text(object, key, out, SBX_HASH_TEXT_BYTES) &&
           strlen(out) == SBX_HASH_TEXT_BYTES - 1 &&
           strspn(out, "0123456789abcdef") == SBX_HASH_TEXT_BYTES - 1;
}

static bool read_members(struct json_object *object, struct sbx_chain_record *out)
{
    struct json_object *torn;
    char kind[16] = "", action[16] = "";
    if (!get_number(object, "seq", &out->seq) || out->seq == 0 ||
        !get_hash(object, "prev", out->prev) ||
        !get_text(object, "jail", out->name, sizeof(out->name)))
        return false;
    if (json_object_object_get_ex(object, "torn", &torn)) {
        out->torn.is_there = true;
        if (!json_object_is_type(torn, json_type_object) ||
            !get_number(torn, "bytes", &out->torn.bytes) ||
            !get_hash(torn, "sha256", out->torn.hash))
            return false;
    }
    bool is_jail = get_text(object, "kind", kind, sizeof(kind)) && !strcmp(kind, "jail") &&
                   get_text(object, "action", action, sizeof(action));
    out->is_start = is_jail && !strcmp(action, "start");
    out->is_end = is_jail && !strcmp(action, "end");
    out->is_retirement = is_jail && !strcmp(action, "retire");
    out->is_refusal = is_jail && !strcmp(action, "refuse");
    return true;
}

bool sbx_chain_parse(const char *line, size_t len, struct sbx_chain_record *out)
{
    *out = (struct sbx_chain_record){0};
    if (len < 2 || len > SBX_RECORD_MAX_BYTES || line[0] != '{' || line[len - 1] != '}')
        return false;
    struct json_tokener *tokener = json_tokener_new_ex(RECORD_DEPTH);
    if (!tokener)
        return false;
    struct json_object *object = json_tokener_parse_ex(tokener, line, (int)len);
    bool ok = object && json_tokener_get_error(tokener) == json_tokener_success &&
              json_tokener_get_parse_end(tokener) == len &&
              json_object_is_type(object, json_type_object) && read_members(object, out);
    json_object_put(object);
    json_tokener_free(tokener);
    if (ok)
        sbx_chain_hash(line, len, out->hash);
    return ok;
}

static void note_torn(const char *bytes, size_t len, struct sbx_chain_tail *out)
{
    if (!len)
        return;
    out->torn.is_there = true;
    out->needs_newline = bytes[len - 1] != '\n';
    size_t kept = out->needs_newline ? len : len - 1;
    out->torn.bytes = kept;
    sbx_chain_hash(bytes, kept, out->torn.hash);
}

/* Walks the lines of a window back to the last record. False where the window holds none and the
 * file has more in front of it. */
static bool scan_window(const char *bytes, size_t len, bool is_whole, struct sbx_chain_tail *out)
{
    const char *newline = memrchr(bytes, '\n', len);
    while (newline) {
        size_t end = (size_t)(newline - bytes);
        const char *before = end ? memrchr(bytes, '\n', end) : NULL;
        size_t start = before ? (size_t)(before - bytes) + 1 : 0;
        struct sbx_chain_record record;
        if ((before || is_whole) && sbx_chain_parse(bytes + start, end - start, &record)) {
            out->has_head = true;
            out->head.seq = record.seq;
            memcpy(out->head.hash, record.hash, sizeof(record.hash));
            note_torn(bytes + end + 1, len - end - 1, out);
            return true;
        }
        newline = before;
    }
    if (is_whole)
        note_torn(bytes, len, out);
    return is_whole;
}

static int read_window(int fd, char *bytes, size_t len, off_t offset, struct sbx_err *err)
{
    for (size_t done = 0; done < len;) {
        ssize_t got = pread(fd, bytes + done, len - done, offset + (off_t)done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return sbx_fail(err, SBX_E_SYSTEM, got ? errno : EIO, "cannot read the event file");
        done += (size_t)got;
    }
    return 0;
}

int sbx_chain_read_tail(int fd, struct sbx_chain_tail *out, struct sbx_err *err)
{
    *out = (struct sbx_chain_tail){0};
    memcpy(out->head.hash, SBX_CHAIN_GENESIS, SBX_HASH_TEXT_BYTES);
    struct stat st;
    if (fstat(fd, &st))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot look at the event file");
    out->size_bytes = st.st_size;
    /* Nearly always the last record is short: the large window is for the rare long one. */
    const size_t windows[] = {FIRST_WINDOW_BYTES, SBX_RECORD_MAX_BYTES + 2};
    for (size_t i = 0; i < sizeof(windows) / sizeof(*windows); i++) {
        bool is_whole = st.st_size <= (off_t)windows[i];
        size_t len = is_whole ? (size_t)st.st_size : windows[i];
        _cleanup_free_ char *bytes = calloc(1, len + 1);
        if (!bytes)
            return sbx_fail(err, SBX_E_MEMORY, 0, "no memory to read the event file");
        if (read_window(fd, bytes, len, st.st_size - (off_t)len, err))
            return -1;
        if (scan_window(bytes, len, is_whole, out))
            return 0;
    }
    out->is_lost = true;
    return 0;
}
