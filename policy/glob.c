#include "policy/glob.h"

#include <stdint.h>
#include <string.h>

#include "policy/path.h"

bool sbx_glob_is(const char *text)
{
    for (const char *c = text; *c; c++) {
        if (*c == '\\' && c[1])
            c++;
        else if (*c == '*' || *c == '?' || *c == '[')
            return true;
    }
    return false;
}

size_t sbx_glob_unescape(const char *text, size_t len, char *out)
{
    size_t used = 0;
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '\\' && i + 1 < len)
            i++;
        out[used++] = text[i];
    }
    out[used] = '\0';
    return used;
}

/* One past the ']' that ends the set which starts at p, or NULL. A ']' that comes first is a
 * member. */
static const char *set_end(const char *p, const char *end)
{
    p++;
    if (p < end && (*p == '!' || *p == '^'))
        p++;
    for (bool first = true; p < end; first = false, p++) {
        if (*p == ']' && !first)
            return p + 1;
        if (*p == '\\' && p + 1 < end)
            p++;
    }
    return NULL;
}

const char *sbx_glob_fault(const char *glob)
{
    size_t len = strlen(glob);
    for (const char *c = glob, *end = glob + len; c < end; c++) {
        if (*c == '\\') {
            if (!*++c)
                return "a backslash ends it";
        } else if (*c == '[') {
            const char *after = set_end(c, end);
            if (!after)
                return "a [ has no ]";
            if (memchr(c, '/', (size_t)(after - c)))
                return "a / stands inside [ ]";
            if (memmem(c, (size_t)(after - c), "[:", 2) == c + 1)
                return "classes such as [[:alpha:]] are not known; write the range";
            c = after - 1;
        }
    }
    return NULL;
}

/* Bytes of the character at t: one, or a whole UTF-8 sequence. */
static size_t char_len(const char *t, const char *end)
{
    size_t len = 1;
    if ((unsigned char)*t >= 0xc0)
        while (t + len < end && len < 4 && ((unsigned char)t[len] & 0xc0) == 0x80)
            len++;
    return len;
}

static unsigned char member(const char **p, const char *end)
{
    if (**p == '\\' && *p + 1 < end)
        (*p)++;
    return (unsigned char)*(*p)++;
}

/* Is the byte in the set [p, end)? Sets speak of single bytes. */
static bool in_set(const char *p, const char *end, unsigned char byte)
{
    bool negated = false, found = false;
    p++;
    end--;
    if (p < end && (*p == '!' || *p == '^')) {
        negated = true;
        p++;
    }
    while (p < end) {
        unsigned char low = member(&p, end), high = low;
        if (p + 1 < end && *p == '-') {
            p++;
            high = member(&p, end);
        }
        found = found || (byte >= low && byte <= high);
    }
    return found != negated;
}

/* One step of a pattern without a star: how much of p and t it takes, or false. */
static bool step(const char **p, const char *pend, const char **t, const char *tend)
{
    if (*t >= tend)
        return false;
    if (**p == '?') {
        *t += char_len(*t, tend);
        (*p)++;
        return true;
    }
    const char *after = **p == '[' ? set_end(*p, pend) : NULL;
    if (after) {
        if (!in_set(*p, after, (unsigned char)**t))
            return false;
        *p = after;
        (*t)++;
        return true;
    }
    if (**p == '\\' && *p + 1 < pend)
        (*p)++;
    if (**p != **t)
        return false;
    (*p)++;
    (*t)++;
    return true;
}

/* One component. Only the last star is ever taken back, so the cost is at most |p| * |t|. */
static bool match_component(const char *p, const char *pend, const char *t, const char *tend)
{
    const char *star = NULL, *mark = NULL;
    for (;;) {
        if (p < pend && *p == '*') {
            star = ++p;
            mark = t;
        } else if (p < pend && step(&p, pend, &t, tend)) {
            continue;
        } else if (p == pend && t == tend) {
            return true;
        } else if (star && mark < tend) {
            p = star;
            t = ++mark;
        } else {
            return false;
        }
    }
}

/* The component that starts after the slash at *at; moves *at to the next slash or the end. */
static const char *component(const char **at)
{
    const char *begin = *at + 1;
    *at = strchrnul(begin, '/');
    return begin;
}

static bool is_deep(const char *begin, const char *end)
{
    return end - begin == 2 && begin[0] == '*' && begin[1] == '*';
}

bool sbx_path_glob(const char *glob, const char *path)
{
    if (glob[0] != '/' || path[0] != '/')
        return false;
    if (!path[1])
        path++; /* "/" has no component */
    const char *deep = NULL, *mark = NULL;
    while (*glob) {
        const char *next = glob, *rest = path;
        const char *begin = component(&next);
        if (is_deep(begin, next)) {
            if (!*next)
                return *path != '\0'; /* a final ** stands for something below */
            deep = glob = next;
            mark = path;
            continue;
        }
        if (*path) {
            const char *t = component(&rest);
            if (match_component(begin, next, t, rest)) {
                glob = next;
                path = rest;
                continue;
            }
        }
        if (!deep || !*mark)
            return false;
        (void)component(&mark); /* let ** take one component more */
        glob = deep;
        path = mark;
    }
    return true; /* the pattern is used up: the path itself, or something below it */
}
