/* Random shell texts, NUL-ended, for the comparison with bash: tokens in a row, and texts given as
 * files, changed in a few places.
 *
 *   textgen SEED COUNT [FILE…] */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_BYTES  4096
#define SEED_BYTES  600
#define SEEDS       4096
#define TOKENS_MOST 14

static const char *const tokens[] = {
    "if",     "then",  "else",    "elif",   "fi",       "for",  "in",   "do",    "done", "while",
    "until",  "case",  "esac",    "select", "function", "time", "-p",   "--",    "!",    "{",
    "}",      "[[",    "]]",      "coproc", "((",       "))",   "(",    ")",     ";",    ";;",
    ";&",     ";;&",   "&",       "&&",     "|",        "||",   "|&",   "\n",    "\n",   "\n",
    " ",      " ",     " ",       "<",      ">",        "<<E",  "<<-E", "<<'E'", "<<<",  ">>",
    "<&",     ">&",    "<>",      ">|",     "&>",       "&>>",  "-",    "1",     "2",    "{fd}",
    "a",      "b",     "x",       "f()",    "a=",       "a=(",  "b+=(", "[1]=",  "a[",   "declare ",
    "alias ", "eval ", "export ", "$(",     "${",       "$((",  "$[",   "`",     "'",    "\"",
    "$'",     "$\"",   "\\",      "\\\n",   "$x",       "$",    "#",    " #",    "E\n",  "\nE\n",
    "\tE\n",  ":-",    "%",       "/",      "^",        "@",    "*",    "?",     "?(",   "@(",
    "+(",     "[",     "==",      "=~",     "=",        "-f",   "-eq",  "<(",    ">(",   "~",
    "{a,b}",  "..",    ",",       "x=1",    "\t",
};
#define TOKENS (sizeof(tokens) / sizeof(*tokens))

struct text {
    char bytes[TEXT_BYTES];
    size_t len;
};

struct gen {
    uint64_t state;
    char *seed[SEEDS];
    size_t seeds;
};

/* xorshift: the same numbers everywhere. */
static size_t below(struct gen *g, size_t limit)
{
    g->state ^= g->state << 13;
    g->state ^= g->state >> 7;
    g->state ^= g->state << 17;
    return limit ? (size_t)((g->state >> 11) % limit) : 0;
}

static void insert(struct text *t, size_t at, const char *what)
{
    size_t len = strlen(what);
    if (t->len + len >= TEXT_BYTES)
        return;
    memmove(t->bytes + at + len, t->bytes + at, t->len - at);
    memcpy(t->bytes + at, what, len);
    t->len += len;
}

static void cut(struct text *t, size_t at, size_t len)
{
    if (len > t->len - at)
        len = t->len - at;
    memmove(t->bytes + at, t->bytes + at + len, t->len - at - len);
    t->len -= len;
}

static void row(struct gen *g, struct text *t)
{
    for (size_t n = 1 + below(g, TOKENS_MOST); n; n--) {
        insert(t, t->len, tokens[below(g, TOKENS)]);
        if (below(g, 3) == 0)
            insert(t, t->len, " ");
    }
}

static void change(struct gen *g, struct text *t)
{
    insert(t, 0, g->seed[below(g, g->seeds)]);
    for (size_t n = 1 + below(g, 3); n; n--) {
        size_t at = below(g, t->len + 1), how = below(g, 10);
        if (how < 5)
            insert(t, at, tokens[below(g, TOKENS)]);
        else if (how < 8)
            cut(t, at, 1 + below(g, 4));
        else if (how < 9)
            insert(t, at, g->seed[below(g, g->seeds)]);
        else
            cut(t, at, t->len);
    }
}

static void load(struct gen *g, const char *path)
{
    char bytes[SEED_BYTES];
    FILE *file = fopen(path, "r");
    size_t len = file ? fread(bytes, 1, sizeof(bytes), file) : 0;
    if (file)
        (void)fclose(file);
    if (len && len < sizeof(bytes) && !memchr(bytes, '\0', len) && g->seeds < SEEDS)
        g->seed[g->seeds++] = strndup(bytes, len);
}

int main(int argc, char **argv)
{
    static struct gen g;
    if (argc < 3) {
        (void)fputs("usage: textgen SEED COUNT [FILE…]\n", stderr);
        return 2;
    }
    g.state = strtoull(argv[1], NULL, 10) * UINT64_C(0x9E3779B97F4A7C15) + 1;
    for (int i = 3; i < argc; i++)
        load(&g, argv[i]);
    for (unsigned long n = strtoul(argv[2], NULL, 10); n; n--) {
        struct text t = {.len = 0};
        if (!g.seeds || below(&g, 2))
            row(&g, &t);
        else
            change(&g, &t);
        (void)fwrite(t.bytes, 1, t.len, stdout);
        (void)putchar('\0');
    }
    for (size_t i = 0; i < g.seeds; i++)
        free(g.seed[i]);
    return fflush(stdout) ? 2 : 0;
}
