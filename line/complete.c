#include "line/complete.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "line/word.h"
#include "policy/cleanup.h"

static const char builtins[] = ".\nalias\nbg\nbreak\nbuiltin\ncase\ncd\ncommand\ncontinue\ndeclare"
                               "\ndirs\ndisown\ndo\ndone\necho\n"
                               "elif\nelse\nesac\neval\nexec\nexit\nexport\nfalse\nfg\nfi\nfor\nfun"
                               "ction\ngetopts\nhash\nhelp\nif\n"
                               "in\njobs\nkill\nlet\nlocal\nmapfile\npopd\nprintf\npushd\npwd\nread"
                               "\nreadarray\nreadonly\nreturn\n"
                               "select\nset\nshift\nshopt\nsource\nsuspend\ntest\nthen\ntime\ntimes"
                               "\ntrap\ntrue\ntype\ntypeset\n"
                               "ulimit\numask\nunalias\nunset\nuntil\nwait\nwhile\n";

struct search {
    struct sbx_completion *out;
    const char *prefix;
    size_t prefix_len;
    bool failed;
};

static bool is_shown(const char *name, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)name[i] < ' ' || name[i] == 0x7f)
            return false;
    return len > 0;
}

static void offer(struct search *search, const char *name, size_t len, bool is_dir)
{
    struct sbx_completion *out = search->out;
    if (search->failed || out->count >= SBX_COMPLETE_MAX || !is_shown(name, len))
        return;
    char *copy = malloc(len + 2);
    if (!copy) {
        search->failed = true;
        return;
    }
    memcpy(copy, name, len);
    copy[len] = is_dir ? '/' : '\0';
    copy[len + 1] = '\0';
    out->names[out->count++] = copy;
}

static bool fits(const struct search *search, const char *name, size_t len)
{
    return len >= search->prefix_len && !memcmp(name, search->prefix, search->prefix_len);
}

static void offer_words(struct search *search, const char *words)
{
    while (*words) {
        size_t len = strcspn(words, "\n");
        if (fits(search, words, len))
            offer(search, words, len, false);
        words += len + (words[len] == '\n');
    }
}

/* Names of a folder; of commands those that are files this account may run. */
static void offer_folder(struct search *search, const char *folder, bool commands)
{
    _cleanup_dir_ DIR *dir = NULL;
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || !(dir = fdopendir(fd))) {
        if (fd >= 0)
            (void)close(fd);
        return;
    }
    for (struct dirent *entry; (entry = readdir(dir));) {
        const char *name = entry->d_name;
        size_t len = strlen(name);
        struct stat st;
        bool is_hidden = name[0] == '.' && search->prefix[0] != '.';
        if (is_hidden || !strcmp(name, ".") || !strcmp(name, "..") || !fits(search, name, len))
            continue;
        bool is_known = !fstatat(fd, name, &st, 0);
        if (!commands)
            offer(search, name, len, is_known && S_ISDIR(st.st_mode));
        else if (is_known && S_ISREG(st.st_mode) && !faccessat(fd, name, X_OK, 0))
            offer(search, name, len, false);
    }
}

static void offer_commands(struct search *search, const struct sbx_complete_source *source)
{
    offer_words(search, builtins);
    offer_words(search, source->words);
    for (const char *at = source->path; *at;) {
        char folder[SBX_WORD_BYTES];
        size_t len = strcspn(at, ":");
        if (len && len < sizeof(folder)) {
            memcpy(folder, at, len);
            folder[len] = '\0';
            offer_folder(search, folder, true);
        }
        at += len + (at[len] == ':');
    }
}

static void offer_paths(struct search *search, const struct sbx_line_word *word, const char *home)
{
    char folder[2 * SBX_WORD_BYTES];
    bool in_home = word->has_tilde && !strncmp(word->text, "~/", 2);
    const char *rest = in_home ? word->text + 1 : word->text;
    int len = snprintf(folder, sizeof(folder), "%s%.*s", in_home ? home : "",
                       (int)(word->text + word->name - rest), rest);
    if (len >= 0 && (size_t)len < sizeof(folder))
        offer_folder(search, len ? folder : ".", false);
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort_names(struct sbx_completion *out)
{
    size_t kept = 0;
    qsort(out->names, out->count, sizeof(*out->names), compare);
    for (size_t i = 0; i < out->count; i++) {
        if (kept && !strcmp(out->names[kept - 1], out->names[i]))
            free(out->names[i]);
        else
            out->names[kept++] = out->names[i];
    }
    out->count = kept;
}

/* Bytes that all names begin with, never part of a character. */
static size_t common_bytes(const struct sbx_completion *out)
{
    const char *first = out->names[0];
    size_t len = strlen(first);
    for (size_t i = 1; i < out->count; i++) {
        size_t same = 0;
        while (same < len && first[same] == out->names[i][same])
            same++;
        len = same;
    }
    while (len && ((unsigned char)first[len] & 0xc0) == 0x80)
        len--;
    return len;
}

static size_t quote_byte(char *out, char quote, char byte, bool is_start)
{
    size_t used = 0;
    if (quote == '\'' && byte == '\'') {
        memcpy(out, "'\\''", 4);
        return 4;
    }
    const char *special = quote == '"' ? "$`\"\\" : " \t!\"#$&'()*;<=>?[\\]^`{|}";
    if (quote != '\'' && (strchr(special, byte) || (!quote && is_start && byte == '~')))
        out[used++] = '\\';
    out[used++] = byte;
    return used;
}

/* The text that takes the place of the word's last part. */
static char *quoted(const struct sbx_line_word *word, const char *name, size_t len, bool is_whole)
{
    char *text = malloc(4 * len + 8);
    size_t used = 0;
    if (!text)
        return NULL;
    if (word->quote && word->quote_in_name)
        text[used++] = word->quote;
    for (size_t i = 0; i < len; i++)
        used += quote_byte(text + used, word->quote, name[i], i == 0 && word->name == 0);
    if (is_whole && name[len - 1] != '/') {
        if (word->quote)
            text[used++] = word->quote;
        text[used++] = ' ';
    }
    text[used] = '\0';
    return text;
}

int sbx_complete(const char *line, size_t cursor, const struct sbx_complete_source *source,
                 struct sbx_completion *out)
{
    *out = (struct sbx_completion){.begin = cursor};
    _cleanup_free_ struct sbx_line_word *word = malloc(sizeof(*word));
    out->names = calloc(SBX_COMPLETE_MAX, sizeof(*out->names));
    if (!word || !out->names)
        return -1;
    sbx_line_word_find(line, cursor, word);
    if (word->is_too_long)
        return 0;
    struct search search = {
        .out = out, .prefix = word->text + word->name, .prefix_len = word->len - word->name};
    if (word->is_command && !memchr(word->text, '/', word->len) && !word->has_tilde)
        offer_commands(&search, source);
    else
        offer_paths(&search, word, source->home);
    if (search.failed)
        return -1;
    sort_names(out);
    if (!out->count)
        return 0;
    size_t len = common_bytes(out);
    out->begin = word->name_begin;
    if (out->count == 1 || len > search.prefix_len) {
        out->text = quoted(word, out->names[0], len, out->count == 1);
        return out->text ? 0 : -1;
    }
    return 0;
}

void sbx_completion_clear(struct sbx_completion *completion)
{
    for (size_t i = 0; completion->names && i < completion->count; i++)
        free(completion->names[i]);
    free(completion->names);
    free(completion->text);
    *completion = (struct sbx_completion){0};
}
