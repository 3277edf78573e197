/* Words from the command line in, text for a terminal out. */
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "sbxctl/operate.h"
#include "sbxctl/sbxctl.h"

int sbx_complain(const struct sbx_err *err)
{
    (void)fputs("sbxctl: ", stderr);
    sbx_print_text(stderr, err->message, strlen(err->message));
    (void)fputc('\n', stderr);
    return SBX_EXIT_USAGE;
}

int sbx_usage(const char *fmt, ...)
{
    char text[8192];
    va_list ap;
    va_start(ap, fmt);
    int len = vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    (void)fputs("sbxctl: ", stderr);
    sbx_print_text(stderr, text, strlen(text));
    (void)fputs(len >= (int)sizeof(text) ? "…\n" : "\n", stderr);
    return SBX_EXIT_USAGE;
}

static const struct sbx_option *find_option(const struct sbx_option *options, const char *word,
                                            const char **value)
{
    const char *equals = strchr(word, '=');
    size_t len = equals ? (size_t)(equals - word) : strlen(word);
    *value = equals ? equals + 1 : NULL;
    for (; options->name; options++)
        if (strlen(options->name) == len && !strncmp(options->name, word, len))
            return options;
    return NULL;
}

static int store(const struct sbx_option *option, const char *value)
{
    if (option->kind == SBX_OPT_TEXT) {
        const char **target = option->target;
        if (*target)
            return sbx_usage("%s stands twice: '%s' and '%s'", option->name, *target, value);
        *target = value;
        return 0;
    }
    struct sbx_texts *texts = option->target;
    if (texts->count == SBX_TEXTS_MAX)
        return sbx_usage("too many %s", option->name);
    texts->text[texts->count++] = value;
    return 0;
}

/* Takes one option, and the word after it where it needs one. */
static int take_option(int argc, char **argv, const struct sbx_option *options, int *at)
{
    const char *value;
    const struct sbx_option *option = find_option(options, argv[*at], &value);
    if (!option)
        return sbx_usage("%s: no option '%s'; sbxctl %s --help", argv[0], argv[*at], argv[0]);
    if (option->kind == SBX_OPT_FLAG) {
        *(bool *)option->target = true;
        return value ? sbx_usage("%s: %s takes no value", argv[0], option->name) : 0;
    }
    if (!value && *at + 1 < argc)
        value = argv[++*at];
    if (!value)
        return sbx_usage("%s: %s needs a value", argv[0], option->name);
    return store(option, value);
}

int sbx_options_read(int argc, char **argv, const struct sbx_option *options, bool mixed,
                     int *first)
{
    int kept = 0; /* operands so far, gathered at the end of what was read */
    for (int at = 1; at < argc; at++) {
        if (!strcmp(argv[at], "--")) {
            memmove(&argv[at + 1 - kept], &argv[at - kept], (size_t)kept * sizeof(*argv));
            *first = at + 1 - kept;
            return 0;
        }
        if (argv[at][0] != '-' || !argv[at][1]) {
            if (!mixed) {
                *first = at;
                return 0;
            }
            kept++;
            continue;
        }
        int begin = at;
        if (take_option(argc, argv, options, &at))
            return SBX_EXIT_USAGE;
        int words = at - begin + 1; /* the option moves in front of the operands before it */
        char *moved[2] = {argv[begin], argv[at]};
        memmove(&argv[begin - kept + words], &argv[begin - kept], (size_t)kept * sizeof(*argv));
        memcpy(&argv[begin - kept], moved, (size_t)words * sizeof(*argv));
    }
    *first = argc - kept;
    return 0;
}

bool sbx_is_account_word(const char *name)
{
    if (*name && *name != '-' && *name != '.' && !strpbrk(name, "/: \t\n"))
        return true;
    (void)sbx_usage("--account: '%s' is no account's name", name);
    return false;
}

/* Decodes one character of well-formed UTF-8; returns its length, 0 where there is none. */
static size_t decode(const unsigned char *text, size_t len, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t want = text[0] < 0x80 ? 1 : text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
    if (want == 1) {
        *code = text[0];
        return 1;
    }
    if (text[0] < 0xc2 || text[0] > 0xf4 || len < want)
        return 0;
    *code = text[0] & (0xffu >> (want + 1));
    for (size_t i = 1; i < want; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (text[i] & 0x3fu);
    }
    return *code < least[want] || *code > 0x10ffff ? 0 : want;
}

/* Ranges that are not shown as they are: controls, marks that turn or hide text. */
static bool is_misleading(uint32_t code)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {0x00,    0x1f   },
        {0x7f,    0x9f   },
        {0xad,    0xad   },
        {0x61c,   0x61c  },
        {0x180e,  0x180e },
        {0x200b,  0x200f },
        {0x2028,  0x202e },
        {0x2060,  0x206f },
        {0xd800,  0xdfff },
        {0xfeff,  0xfeff },
        {0xfff9,  0xfffb },
        {0xe0000, 0xe0fff},
    };
    for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return true;
    return false;
}

void sbx_print_text(FILE *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len;) {
        uint32_t code = 0;
        size_t step = decode((const unsigned char *)text + i, len - i, &code);
        if (!step) {
            (void)fprintf(out, "\\x%02x", (unsigned char)text[i]);
            i++;
            continue;
        }
        if (is_misleading(code))
            (void)fprintf(out, code < 0x80 ? "\\x%02x" : "\\u{%x}", code);
        else
            (void)fwrite(text + i, 1, step, out);
        i += step;
    }
}
