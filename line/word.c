#include "line/word.h"

#include <string.h>

struct scan {
    struct sbx_line_word *word;
    bool in_word;
    bool next_is_command; /* of the word that comes */
    bool next_is_file;    /* behind a redirection: no command, whatever stood before */
};

static void begin_word(struct scan *scan, size_t at)
{
    struct sbx_line_word *word = scan->word;
    if (scan->in_word)
        return;
    *word = (struct sbx_line_word){.name_begin = at,
                                   .is_command = scan->next_is_command && !scan->next_is_file};
    scan->in_word = true;
}

static void add(struct scan *scan, size_t at, char byte)
{
    struct sbx_line_word *word = scan->word;
    begin_word(scan, at);
    if (word->len + 1 >= sizeof(word->text)) {
        word->is_too_long = true;
        return;
    }
    word->text[word->len++] = byte;
    if (byte == '/') {
        word->name = word->len;
        word->name_begin = at + 1;
        word->quote_in_name = false;
    }
}

/* Behind these another command begins; the word itself is of no further interest. */
static bool leads_to_command(const struct sbx_line_word *word)
{
    static const char *const words[] = {"if",    "then", "elif",    "else",  "while", "until",
                                        "do",    "!",    "{",       "time",  "exec",  "env",
                                        "nohup", "nice", "command", "xargs", "watch"};
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (strlen(words[i]) == word->len && !memcmp(words[i], word->text, word->len))
            return true;
    const char *equals = memchr(word->text, '=', word->len);
    return equals && equals != word->text &&
           !memchr(word->text, '/', (size_t)(equals - word->text));
}

static void end_word(struct scan *scan)
{
    if (!scan->in_word)
        return;
    scan->in_word = false;
    if (!scan->next_is_file)
        scan->next_is_command = scan->word->is_command && leads_to_command(scan->word);
    scan->next_is_file = false;
}

static void take_operator(struct scan *scan, char byte)
{
    end_word(scan);
    scan->next_is_file = byte == '<' || byte == '>';
    if (!scan->next_is_file)
        scan->next_is_command = true;
}

/* A byte outside of quotes that is not escaped. */
static void take_plain(struct scan *scan, size_t at, char byte)
{
    struct sbx_line_word *word = scan->word;
    if (byte == ' ' || byte == '\t') {
        end_word(scan);
    } else if (byte && strchr("|&;()<>`\n", byte)) {
        take_operator(scan, byte);
    } else if (byte == '\'' || byte == '"') {
        begin_word(scan, at);
        word->quote = byte;
        word->quote_in_name = true;
    } else {
        bool is_start = !scan->in_word;
        add(scan, at, byte);
        word->has_tilde |= is_start && byte == '~';
        if (byte == '=' && !word->is_command) { /* --file=PATH */
            word->len = word->name = 0;
            word->name_begin = at + 1;
        }
    }
}

static void take_escaped(struct scan *scan, size_t *at, const char *line)
{
    begin_word(scan, *at);
    ++*at;
    add(scan, *at, line[*at]);
}

void sbx_line_word_find(const char *line, size_t cursor, struct sbx_line_word *out)
{
    *out = (struct sbx_line_word){.name_begin = cursor, .is_command = true};
    struct scan scan = {.word = out, .next_is_command = true};
    for (size_t at = 0; at < cursor; at++) {
        char byte = line[at];
        bool may_escape = out->quote != '\'' || !scan.in_word;
        if (scan.in_word && out->quote && byte == out->quote)
            out->quote = 0;
        else if (byte == '\\' && may_escape && at + 1 < cursor)
            take_escaped(&scan, &at, line);
        else if (scan.in_word && out->quote)
            add(&scan, at, byte);
        else
            take_plain(&scan, at, byte);
    }
    if (!scan.in_word)
        *out = (struct sbx_line_word){.name_begin = cursor,
                                      .is_command = scan.next_is_command && !scan.next_is_file};
    out->text[out->len] = '\0';
}
