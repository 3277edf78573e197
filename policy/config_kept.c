/* The texts of a policy without an error, kept for the day it has one. */
#include <stdlib.h>
#include <string.h>

#include "policy/config_internal.h"

/* One file: this, its name with a NUL, its bytes. In memory and on disk of one machine. */
struct head {
    uint32_t magic, scope;
    uint32_t name_bytes, text_bytes;
};
#define KEPT_MAGIC     0x6b786273u /* "sbxk" */
#define KEPT_MAX       ((size_t)16 * 1024 * 1024)
#define ON_ERROR_KEEPS 1 /* last-good */

void sbx_config_keep(struct sbx_config *config)
{
    config->keeps = true;
}

static int append(struct sbx_config *config, const void *bytes, size_t len)
{
    size_t wanted = config->kept.len + len;
    if (wanted > KEPT_MAX)
        return -1;
    if (wanted > config->kept.room) {
        size_t room = wanted * 2 + 4096;
        char *grown = realloc(config->kept.bytes, room);
        if (!grown)
            return -1;
        config->kept.bytes = grown;
        config->kept.room = room;
    }
    memcpy(config->kept.bytes + config->kept.len, bytes, len);
    config->kept.len = wanted;
    return 0;
}

int sbx_config_keep_file(struct sbx_config *config, enum sbx_scope scope, const char *label,
                         const char *bytes, size_t len)
{
    if (!config->keeps)
        return 0;
    const struct head head = {.magic = KEPT_MAGIC,
                              .scope = scope,
                              .name_bytes = (uint32_t)strlen(label) + 1,
                              .text_bytes = (uint32_t)len};
    return append(config, &head, sizeof(head)) || append(config, label, head.name_bytes) ||
           append(config, bytes, len);
}

const void *sbx_config_kept(const struct sbx_config *config, size_t *len)
{
    const struct sbx_entry *winner = sbx_config_winner(config, SBX_KEY_SANDBOX_ON_ERROR);
    *len = config->kept.len;
    return winner && winner->number == ON_ERROR_KEEPS ? config->kept.bytes : NULL;
}

static int damaged(struct sbx_err *err)
{
    return sbx_fail(err, SBX_E_POLICY, 0, "the kept policy is damaged");
}

/* One file off the front of what is left. */
static int read_one(struct sbx_config *config, const char **at, size_t *left, struct sbx_err *err)
{
    struct head head;
    struct sbx_telling telling = {.err = err};
    if (*left < sizeof(head))
        return damaged(err);
    memcpy(&head, *at, sizeof(head));
    const char *name = *at + sizeof(head);
    *left -= sizeof(head);
    if (head.magic != KEPT_MAGIC || head.scope < SBX_SCOPE_GRANT ||
        head.scope > SBX_SCOPE_MANAGED || !head.name_bytes || head.name_bytes > *left ||
        head.text_bytes > *left - head.name_bytes ||
        strnlen(name, head.name_bytes) != head.name_bytes - 1)
        return damaged(err);
    *left -= head.name_bytes + head.text_bytes;
    *at = name + head.name_bytes + head.text_bytes;
    return sbx_config_parse(config, (enum sbx_scope)head.scope, name, name + head.name_bytes,
                            head.text_bytes, &telling);
}

int sbx_config_read_kept(struct sbx_config *config, const void *bytes, size_t len,
                         struct sbx_err *err)
{
    const char *at = bytes;
    size_t left = len;
    if (!len)
        return damaged(err);
    while (left)
        if (read_one(config, &at, &left, err))
            return -1;
    const struct sbx_entry *winner = sbx_config_winner(config, SBX_KEY_SANDBOX_ON_ERROR);
    return winner && winner->number == ON_ERROR_KEEPS ? 0 : damaged(err);
}
