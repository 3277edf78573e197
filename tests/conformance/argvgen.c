/* Random shell texts that run, NUL-ended, for the comparison of words: statements that set variables, arrays,
 * arguments and IFS, branches, loops and functions around them, and the program p with words of every kind.
 *
 *   argvgen SEED COUNT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_BYTES 8192

struct gen {
    uint64_t state;
    char text[TEXT_BYTES];
    size_t len;
    unsigned depth;
};

static void words(struct gen *g, size_t most);
static void statements(struct gen *g, size_t most);

/* xorshift: the same numbers everywhere. */
static size_t below(struct gen *g, size_t limit)
{
    g->state ^= g->state << 13;
    g->state ^= g->state >> 7;
    g->state ^= g->state << 17;
    return limit ? (size_t)((g->state >> 11) % limit) : 0;
}

/* Letters stand for something made up: %v a name, %w a word, %s statements, %c a condition, %q what stands in
 * double quotes, %p a pattern, %l plain text, %n a digit, %W several words. */
static void put(struct gen *g, const char *form);

static const char *const plain[] = {"a",  "b",   "xyz", "-f",    "a.txt", "A",   "0", "12",
                                    "/",  "src", ".",   "--o=v", "é",     "a:b", "=", "x=y",
                                    "#c", "b-c", "%%",  "@",     "^",     "a,b", "]", "!"};
static const char *const names[] = {"x", "y", "z", "a", "i", "HOME", "u"};
static const char *const patterns[] = {"a*", "*",  "?",   "[ab]", "*b", "\"*\"",
                                       "b",  "%l", "$%v", "' '",  ":"};

static const char *const pieces[] = {
    "%l",
    "%l",
    "%l",
    "'a b'",
    "\"%q\"",
    "\"%q%q\"",
    "$%v",
    "${%v}",
    "\"$%v\"",
    "\\*",
    "\\ ",
    "\"\"",
    "''",
    "$'a\\tb'",
    "{%l,%l}",
    "{%l,%w}",
    "{1..3}",
    "{a..c}",
    "*.txt",
    "?",
    "[ab]*",
    "~",
    "$1",
    "\"$@\"",
    "$*",
    "\"$*\"",
    "$@",
    "$#",
    "${%v:-%w}",
    "${%v-%w}",
    "${%v:+%w}",
    "${%v+%w}",
    "${%v:=%l}",
    "${%v#%p}",
    "${%v##%p}",
    "${%v%%%p}",
    "${%v/%p/%l}",
    "${%v//%p/%l}",
    "${%v:%n}",
    "${%v:%n:%n}",
    "${%v^}",
    "${%v^^}",
    "${%v,,}",
    "${#%v}",
    "${a[%n]}",
    "\"${a[@]}\"",
    "${a[*]}",
    "\"${a[*]}\"",
    "${a[@]}",
    "${#a[@]}",
    "\"${a[@]:%n}\"",
    "$(echo %w)",
    "\"$(echo %q)\"",
    "$((%n+%n))",
    "$(p %w)",
    "`echo %l`",
    "${!%v}",
    "${%v@Q}",
    "$'\\x2a'",
    "\"$%v\"'*'",
    "$%v$%v",
    "-$%v-",
    "${1:-%w}",
    "\"${%v:-%q}\"",
    "\"${@:-%q}\"",
    "${1+\"$@\"}",
};
static const char *const quoted[] = {"%l",      "$%v",        "${%v:-%l}",    " ",    "a b",
                                     "*",       "$(echo %l)", "\\$x",         "\\\"", "$1",
                                     "'",       "${%v%%%p}",  "${%v//%p/%l}", "$*",   "${a[*]}",
                                     "$((%n))", "\\a"};
static const char *const conditions[] = {"p",
                                         "p %w",
                                         "true",
                                         "false",
                                         "[ -n \"$%v\" ]",
                                         "! p",
                                         "[[ $%v == %p ]]",
                                         "[ $# -gt 0 ]",
                                         "((%n))",
                                         "test %w",
                                         "p && p %w"};
static const char *const simple[] = {
    "p %W",
    "p %W",
    "p %W",
    "p %W",
    "p %W",
    "p %W",
    "%v=%w",
    "%v=%w",
    "%v=%w",
    "%v=%l",
    "%v='%l %l'",
    "%v+=%w",
    "%v=\"%q%q\"",
    "a=(%W)",
    "a=(%W)",
    "a+=(%W)",
    "a[%n]=%w",
    "unset %v",
    "unset a",
    "set -- %W",
    "set -- %W",
    "shift",
    "IFS=:",
    "IFS=', '",
    "unset IFS",
    "IFS=",
    "read x <<< %w",
    "read x y <<< \"%q %q\"",
    "%v=%w p %W",
    "printf -v %v %%s %w",
    "((x=%n))",
    "((x++))",
    "let y=%n",
    "x=$(echo %W)",
    "export %v=%w",
    "declare %v=%w",
    "local %v=%w",
    "local %v",
    "eval 'p %l' %w",
    "eval p %W",
    "f %W",
    "f %W",
    "g %W",
    "break",
    "continue",
    "return",
    "$%v %W",
    "command p %W",
    "%v=%w f %W",
    "IFS=: p %W",
    "readonly r=%w",
    "cd src",
    "cd ..",
    "p %W >o",
    "p %W <<< %w",
    "echo %W | p %W",
    "p %W | p %W",
    "mapfile -t a <<< %w",
    "read -a a <<< %w",
    "%v=$%v%l",
    ": %w",
    "x=$%v y=$x",
    "p %W &",
    "a=(\"${a[@]}\" %w)",
    "wait",
    "set +f",
    "exec 3>&1",
    "%c && %v=%w",
    "%c || p %W",
};
static const char *const compound[] = {
    "for %v in %W; do %s; done",
    "for %v in %W; do %s; done",
    "for %v; do %s; done",
    "if %c; then %s; fi",
    "if %c; then %s; else %s; fi",
    "if %c; then %s; elif %c; then %s; fi",
    "case %w in %p) %s;; *) %s;; esac",
    "case %w in %p) %s;& %l) %s;; esac",
    "f() { %s; }",
    "g() { %s; }",
    "{ %s; }",
    "( %s )",
    "for ((n=0;n<2;n++)); do %s; done",
    "n=0; while ((n++<3)); do %s; done",
    "while read x; do %s; done <<< \"%q\"",
    "{ %s; } | { %s; }",
    "x=$(%s)",
    "until p; do %s; break; done",
    "f() { %s; }; f %W",
    "%c && { %s; }",
    "%c || { %s; }",
    "{ %s; } >o",
    "{ %s; } &",
};

#define PICK(g, list) ((list)[below(g, sizeof(list) / sizeof(*(list)))])

static void add(struct gen *g, const char *bytes, size_t len)
{
    if (g->len + len < TEXT_BYTES) {
        memcpy(g->text + g->len, bytes, len);
        g->len += len;
    }
}

static void word(struct gen *g)
{
    if (++g->depth < 7)
        for (size_t n = 1 + below(g, 5) / 3; n; n--)
            put(g, PICK(g, pieces));
    else
        put(g, "%l");
    g->depth--;
}

static void words(struct gen *g, size_t most)
{
    for (size_t n = 1 + below(g, most); n; n--) {
        word(g);
        if (n > 1)
            add(g, " ", 1);
    }
}

static void statements(struct gen *g, size_t most)
{
    g->depth++;
    for (size_t n = 1 + below(g, most); n; n--) {
        if (g->depth < 4 && !below(g, 3))
            put(g, PICK(g, compound));
        else
            put(g, PICK(g, simple));
        if (n > 1)
            add(g, g->text[g->len - 1] == '&' ? " " : "; ", g->text[g->len - 1] == '&' ? 1 : 2);
    }
    /* `& ;` is no shell syntax. */
    if (g->text[g->len - 1] == '&')
        add(g, " :", 2);
    g->depth--;
}

static void put_one(struct gen *g, char what)
{
    char digit = (char)('0' + below(g, 4));
    switch (what) {
    case 'v':
        put(g, PICK(g, names));
        break;
    case 'l':
        put(g, PICK(g, plain));
        break;
    case 'p':
        put(g, PICK(g, patterns));
        break;
    case 'q':
        if (++g->depth < 7)
            put(g, PICK(g, quoted));
        g->depth--;
        break;
    case 'c':
        put(g, PICK(g, conditions));
        break;
    case 'w':
        word(g);
        break;
    case 'W':
        words(g, 4);
        break;
    case 's':
        statements(g, 3);
        break;
    case 'n':
        add(g, &digit, 1);
        break;
    default:
        add(g, &what, 1);
    }
}

static void put(struct gen *g, const char *form)
{
    for (; *form; form++) {
        if (form[0] == '%' && form[1])
            put_one(g, *++form);
        else
            add(g, form, 1);
    }
}

int main(int argc, char **argv)
{
    static struct gen g;
    if (argc != 3) {
        (void)fputs("usage: argvgen SEED COUNT\n", stderr);
        return 2;
    }
    for (unsigned long n = strtoul(argv[2], NULL, 10), seed = strtoul(argv[1], NULL, 10); n;
         n--, seed++) {
        g.state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
        g.len = 0;
        (void)below(&g, 2);
        statements(&g, 5);
        (void)fwrite(g.text, 1, g.len, stdout);
        (void)putchar('\0');
    }
    return fflush(stdout) ? 2 : 0;
}
