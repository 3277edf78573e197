/* Text that somebody else chose, as JSON: file names and commands may be any bytes. */
#ifndef SBX_SBXCTL_JSON_H
#define SBX_SBXCTL_JSON_H

#include <json-c/json.h>
#include <stddef.h>

/* A JSON string; bytes that are no UTF-8 become U+FFFD, since a reader of JSON stops at them. */
struct json_object *sbx_json_text_len(const char *text, size_t len);
struct json_object *sbx_json_text(const char *text);

#endif
