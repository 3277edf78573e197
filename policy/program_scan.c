/* Numbers, names of files and computed names in a program's text. */
#include "policy/program.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* An address in numbers that is not the loopback. */
bool sbx_program_has_numeric_address(const struct sbx_program *p)
{
    for (const char *at = p->text; at < p->end; at++) {
        if (!isdigit((unsigned char)*at) || (at > p->text && isalnum((unsigned char)at[-1])))
            continue;
        unsigned dots = 0;
        const char *c = at;
        for (; c < p->end && (isdigit((unsigned char)*c) || *c == '.'); c++)
            dots += *c == '.';
        if (dots == 3 && strncmp(at, "127.", 4) != 0 && strncmp(at, "0.0.0.0", 7) != 0)
            return true;
        at = c - 1;
    }
    return false;
}

/* load /tmp/x.so */
bool sbx_program_loads_file(const struct sbx_program *p)
{
    const char *load = memmem(p->text, (size_t)(p->end - p->text), "load ", 5);
    const char *library = load ? memmem(load, (size_t)(p->end - load), ".so", 3) : NULL;
    return library && !memchr(load, '\n', (size_t)(library - load));
}

/* require(x), include $y: code of a name that is computed. */
bool sbx_program_requires_value(const struct sbx_program *p)
{
    static const char *const names[] = {"require(", "include(", "include ", "import("};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        for (const char *at = p->text;
             (at = memmem(at, (size_t)(p->end - at), names[i], strlen(names[i]))) != NULL;) {
            at += strlen(names[i]);
            if (at < p->end && *at != '"' && *at != '\'' && *at != '`')
                return true;
        }
    return false;
}

/* 10**13, 1e12: a size that no file should have. */
bool sbx_program_names_huge_number(const struct sbx_program *p)
{
    static const struct {
        const char *sign;
        unsigned long least;
    } powers[] = {
        {"10**",   11},
        {"10 ** ", 11},
        {"1e",     11},
        {"1<<",    37},
        {"1 << ",  37},
        {"2**",    37}
    };
    for (size_t i = 0; i < sizeof(powers) / sizeof(*powers); i++) {
        size_t len = strlen(powers[i].sign);
        for (const char *at = p->text;
             (at = memmem(at, (size_t)(p->end - at), powers[i].sign, len)) != NULL;) {
            bool begins = at == p->text || !isalnum((unsigned char)at[-1]);
            at += len;
            if (begins && at < p->end && isdigit((unsigned char)*at) &&
                strtoul(at, NULL, 10) >= powers[i].least)
                return true;
        }
    }
    return false;
}
