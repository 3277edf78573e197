/* Compares what the judge says a text may start with what bash started.
 *
 *   argvcheck -p TEXTS          the predictions: [known] (one of several) {unknown: ?, pattern: *}
 *   argvcheck -n TEXTS          names of the programs that the texts may start, one a line
 *   argvcheck TEXTS RECORDS     TEXTS: NUL-ended; RECORDS: of argvrun
 *
 * Prints each exec that no prediction covers, and last a line of figures. -u before TEXTS prints the
 * unknown ones too. Exit status: 0, 1 with wrong ones, 2 where it could not work. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/config_internal.h"
#include "policy/known.h"
#include "tests/conformance/argv.h"

#define ARGC_MOST 65536

struct totals {
    unsigned long texts, broken, late, execs, rank[ARGV_RANKS], unknown_texts, wrong_texts, quiet;
};

static struct sbx_policy *make_policy(void)
{
    static const char managed[] = "[filesystem]\nworkspace = ~/work\nallow_write = ~/work\n";
    struct sbx_config *config = NULL;
    struct sbx_policy *policy = NULL;
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_telling telling = {.err = &err};
    const struct sbx_subject subject = {.account = "agent", .home = "/home/agent", .uid = 1000};
    if (sbx_config_new(&config, &err) ||
        sbx_config_parse(config, SBX_SCOPE_MANAGED, "p.ini", managed, strlen(managed), &telling) ||
        sbx_policy_compile(config, &subject, &policy, &err))
        policy = NULL;
    sbx_config_free(config);
    return policy;
}

static void say(const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (c == '\n')
            (void)fputs("\\n", stdout);
        else if (c < ' ' || c == 0x7f)
            (void)printf("\\x%02x", c);
        else
            (void)putchar(c);
    }
}

static void say_exec(const char *what, const char *text, char **argv, uint32_t argc)
{
    (void)printf("%s: ", what);
    say(text, strlen(text));
    (void)fputs("\n   ", stdout);
    for (uint32_t i = 0; i < argc; i++) {
        (void)putchar(' ');
        (void)putchar('[');
        say(argv[i], strlen(argv[i]));
        (void)putchar(']');
    }
    (void)putchar('\n');
}

static enum argv_rank best(const struct argv_prediction *p, char **argv, uint32_t argc)
{
    enum argv_rank rank = p->open ? ARGV_UNKNOWN : ARGV_WRONG;
    for (const struct argv_command *c = p->commands; c && rank != ARGV_EXACT; c = c->next) {
        enum argv_rank one = argv_match(c, argv, argc);
        if (one < rank)
            rank = one;
    }
    return rank;
}

/* Loops start the same again and again: what was found out about an exec before. */
#define KNOWN_EXECS 8192
struct known_execs {
    uint64_t hash[KNOWN_EXECS];
    enum argv_rank rank[KNOWN_EXECS];
};

static enum argv_rank rank_of(const struct argv_prediction *p, char **argv, uint32_t argc,
                              struct known_execs *known)
{
    uint64_t hash = UINT64_C(14695981039346656037) ^ argc;
    for (uint32_t i = 0; i < argc; i++)
        for (const char *c = argv[i]; c == argv[i] || c[-1]; c++)
            hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    size_t at = hash % KNOWN_EXECS;
    if (known->hash[at] != hash) {
        known->hash[at] = hash;
        known->rank[at] = best(p, argv, argc);
    }
    return known->rank[at];
}

static void check_text(const struct sbx_policy *policy, const char *text, char *log, size_t len,
                       bool verbose, struct totals *totals)
{
    static char *argv[ARGC_MOST];
    static struct known_execs known;
    struct argv_prediction p;
    bool wrong = false, unknown = false;
    memset(&known, 0, sizeof(known));
    argv_predict(policy, text, strlen(text), &p);
    totals->broken += p.broken;
    for (size_t at = 0; !p.broken && at + sizeof(uint32_t) <= len;) {
        uint32_t argc, i = 0;
        memcpy(&argc, log + at, sizeof(argc));
        at += sizeof(argc);
        for (; i < argc && i < ARGC_MOST && at < len; i++) {
            argv[i] = log + at;
            at += strlen(log + at) + 1;
        }
        if (i < argc || at > len)
            break; /* cut off: more than fits */
        char **first = argv;
        if (argc && !strcmp(argv[0], "/.unknown")) {
            first++;
            argc--;
        }
        enum argv_rank rank = rank_of(&p, first, argc, &known);
        totals->execs++;
        totals->rank[rank]++;
        if (rank == ARGV_WRONG || (verbose && rank == ARGV_UNKNOWN))
            say_exec(rank == ARGV_WRONG ? "WRONG" : "UNKNOWN", text, first, argc);
        wrong |= rank == ARGV_WRONG;
        unknown |= rank == ARGV_UNKNOWN;
    }
    totals->wrong_texts += wrong;
    totals->unknown_texts += unknown && !wrong;
    totals->quiet += !len;
    argv_free(&p);
}

static int compare(const struct sbx_policy *policy, FILE *texts, FILE *records, bool verbose)
{
    struct totals t = {0};
    char *text = NULL;
    size_t size = 0;
    for (ssize_t len; (len = getdelim(&text, &size, 0, texts)) > 0;) {
        uint32_t head[2];
        if (fread(head, sizeof(head), 1, records) != 1)
            break;
        char *log = calloc(1, (size_t)head[1] + 1); /* ended by a NUL even where it was cut */
        if (!log || fread(log, 1, head[1], records) != head[1])
            return 2;
        t.texts++;
        t.late += head[0];
        check_text(policy, text, log, head[1], verbose, &t);
        free(log);
    }
    bool all = feof(texts) && t.texts;
    free(text);
    (void)printf(
        "texts %lu (no syntax %lu, out of time %lu, started nothing %lu), execs %lu: exact %lu, "
        "one of several %lu, pattern %lu, unknown %lu (in %lu texts), wrong %lu (in %lu texts)\n",
        t.texts, t.broken, t.late, t.quiet, t.execs, t.rank[ARGV_EXACT], t.rank[ARGV_ONE_OF],
        t.rank[ARGV_GLOB], t.rank[ARGV_UNKNOWN], t.unknown_texts, t.rank[ARGV_WRONG],
        t.wrong_texts);
    return !all ? 2 : t.rank[ARGV_WRONG] ? 1 : 0;
}

static void say_prediction(const struct argv_command *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        const struct argv_word *word = &c->word[i];
        (void)fputs(word->unsure ? " (" : " [", stdout);
        for (uint32_t k = 0; k < word->len; k++) {
            if (word->mask[k] == SBX_MASK_LITERAL || word->mask[k] == SBX_MASK_GLOB)
                say(word->text + k, 1);
            (void)fputs(word->mask[k] == SBX_MASK_LITERAL ? ""
                        : word->mask[k] == SBX_MASK_GLOB  ? "{*}"
                                                          : "{?}",
                        stdout);
        }
        (void)putchar(word->unsure ? ')' : ']');
    }
    (void)putchar('\n');
}

static int list(const struct sbx_policy *policy, FILE *texts, bool only_names)
{
    char *text = NULL;
    size_t size = 0;
    for (ssize_t len; (len = getdelim(&text, &size, 0, texts)) > 0;) {
        struct argv_prediction p;
        argv_predict(policy, text, strlen(text), &p);
        if (!only_names)
            (void)printf("%s%s\n", text, p.open ? "\n    anything" : "");
        for (const struct argv_command *c = p.commands; c; c = c->next) {
            bool named = c->count && c->word->len && strlen(c->word->text) == c->word->len;
            if (!only_names)
                say_prediction(c);
            else if (named)
                (void)puts(c->word->text);
        }
        argv_free(&p);
    }
    free(text);
    return 0;
}

int main(int argc, char **argv)
{
    bool names = argc == 3 && !strcmp(argv[1], "-n"), verbose = argc == 4 && !strcmp(argv[1], "-u");
    bool lists = names || (argc == 3 && !strcmp(argv[1], "-p"));
    if (!lists && argc != 3 + verbose)
        return 2;
    struct sbx_policy *policy = make_policy();
    FILE *texts = fopen(argv[1 + (lists || verbose)], "r");
    FILE *records = lists ? NULL : fopen(argv[2 + verbose], "r");
    if (!policy || !texts || (!lists && !records)) {
        (void)fputs("argvcheck: cannot begin\n", stderr);
        return 2;
    }
    int status = lists ? list(policy, texts, names) : compare(policy, texts, records, verbose);
    (void)fclose(texts);
    if (records)
        (void)fclose(records);
    free(policy);
    return status;
}
