/* Policy files as text: sections, keys and values with their line numbers.
 *
 * inih splits the lines; what it would get wrong (comments inside values, long lines,
 * indentation, locale) is kept away from it. Nothing is ever cut: a line is either passed on
 * whole or an error. */
#ifndef SBX_POLICY_INI_H
#define SBX_POLICY_INI_H

#include <stddef.h>

#include "policy/err.h"

/* Where something stands: line and column count from 1, columns in bytes, without the byte order mark
 * that a file may begin with. */
struct sbx_ini_at {
    unsigned line, column; /* of the section's name, of the key, of what is wrong */
    unsigned value;        /* column of the value, of a setting */
};

struct sbx_ini_sink {
    /* One "[section]", also where nothing follows it. May be NULL. */
    void (*section)(void *data, const char *section, const struct sbx_ini_at *at);
    /* One "key = value": strings live until the function returns. */
    void (*setting)(void *data, const char *section, const char *key, const char *value,
                    const struct sbx_ini_at *at);
    /* Told of every faulty line; parsing goes on behind it. */
    void (*fault)(void *data, const struct sbx_ini_at *at, const char *message);
    void *data;
};

/* Parses a whole file. Hostile input: the bytes (any). Calls go in the order of the lines. Returns
 * -1 where a fault was told or memory ran out; *err is the first. Pure; keeps nothing. */
int sbx_ini_parse(const char *bytes, size_t len, const struct sbx_ini_sink *sink,
                  struct sbx_err *err) SBX_MUST_CHECK;

#endif
