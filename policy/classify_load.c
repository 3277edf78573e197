/* What exhausts the machine, bothers others or listens in: rule (b) for what no class names. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void find_ask(struct sbx_judge *j, const char *what, const char *remedy)
{
    sbx_find(j, SBX_ASK, SBX_CLASS_NONE, what, remedy);
}

/* Load without an end: stress --cpu 0, but not stress --cpu 2 --timeout 10s. */
void sbx_check_stress(struct sbx_judge *j, struct sbx_use *use)
{
    if (use->options && !sbx_use_letter(use, 't') && !sbx_use_is_question(use))
        find_ask(j, "load on the machine without an end", "give it a time limit");
}

bool sbx_is_endless_source(const char *path)
{
    return !strcmp(path, "/dev/zero") || !strcmp(path, "/dev/urandom") ||
           !strcmp(path, "/dev/random") || !strcmp(path, "/dev/full");
}

void sbx_find_endless_file(struct sbx_judge *j)
{
    find_ask(j, "a file that grows until the disk is full", "say how much to write");
}

#define HUGE_BYTES ((double)100 * 1024 * 1024 * 1024)

/* 10, 3M, 2TB, 1GiB as coreutils take them; dd's 1Mx200. 0 where it is none. */
static double size_bytes(const char *text)
{
    static const char letters[] = "kmgtpezyrq";
    double product = 1;
    for (const char *at = text;; at++) {
        char *end = NULL;
        if (!isdigit((unsigned char)*at))
            return 0;
        double number = (double)strtoull(at, &end, 10);
        const char *letter = *end ? strchr(letters, tolower((unsigned char)*end)) : NULL;
        bool decimal = letter && (end[1] == 'B' || end[1] == 'b');
        for (long i = 0; letter && i <= letter - letters; i++)
            number *= decimal ? 1000 : 1024;
        number *= *end == 'b' ? 512 : *end == 'w' ? 2 : 1;
        product *= number;
        at = end + strcspn(end, "x");
        if (!*at)
            return product;
    }
}

/* fallocate -l 500G, truncate -s +10T; what only shrinks is none. */
bool sbx_is_huge_size(const struct sbx_value *size)
{
    return size_bytes(size->text + (size->text[0] == '+' || size->text[0] == '>')) >= HUGE_BYTES;
}

/* dd bs=1G count=5000: the product counts. */
bool sbx_is_huge_count(const char *block, const char *count)
{
    double bytes = (block ? size_bytes(block) : 512) * size_bytes(count);
    return bytes >= HUGE_BYTES;
}

/* Programs that pass on what they read as it comes, and the option that makes them stop. */
static bool passes_on(const struct sbx_use *use)
{
    static const struct {
        const char *name, *stop;
    } filters[] = {
        {"cat",      NULL},
        {"tee",      NULL},
        {"tr",       NULL},
        {"base64",   NULL},
        {"base32",   NULL},
        {"basenc",   NULL},
        {"gzip",     NULL},
        {"pigz",     NULL},
        {"bzip2",    NULL},
        {"xz",       NULL},
        {"zstd",     NULL},
        {"lz4",      NULL},
        {"rev",      NULL},
        {"nl",       NULL},
        {"strings",  NULL},
        {"fold",     NULL},
        {"expand",   NULL},
        {"iconv",    NULL},
        {"paste",    NULL},
        {"uuencode", NULL},
        {"xxd",      "-l"},
        {"od",       "-N"},
        {"hexdump",  "-n"},
        {"hd",       "-n"},
        {"pv",       "-S"},
        {"mbuffer",  NULL},
        {"openssl",  NULL},
        {"uniq",     NULL},
        {"split",    NULL},
        {"sponge",   NULL},
        {"lzop",     NULL},
        {"unbuffer", NULL},
        {"curl",     "-r"},
    };
    for (size_t i = 0; i < sizeof(filters) / sizeof(*filters); i++)
        if (!strcmp(use->name, filters[i].name))
            return !filters[i].stop || !sbx_use_has(use, filters[i].stop);
    return false;
}

/* head -c 10 ends what has no end; head -c 2T does so too late, head -c -10 never. */
static bool stops(const struct sbx_use *use)
{
    const struct sbx_opt *bytes = sbx_use_option(use, "-c"), *lines = sbx_use_option(use, "-n");
    const struct sbx_opt *most = bytes && bytes->value ? bytes : lines;
    return !most || !most->value || (most->value->text[0] != '-' && !sbx_is_huge_size(most->value));
}

/* jot 0, jot -r 0: without an end. */
static bool stops_never(const struct sbx_use *use)
{
    return sbx_operand_is(use, 0, "0") || sbx_operand_is(use, 0, "-");
}

static bool reads_endless(struct sbx_judge *j, const struct sbx_use *use, bool by_name)
{
    if (!by_name && use->in && use->in->endless)
        return true;
    for (uint32_t i = use->first; i < use->words; i++) {
        char path[SBX_PATH_BYTES];
        uint32_t skip = strncmp(use->word[i]->text, "file://", 7) ? 0 : 7;
        const struct sbx_value *word = skip ? sbx_value_tail(j, use->word[i], skip) : use->word[i];
        if (!strncmp(word->text, "/dev/", 5) && sbx_path_of(j, word, path, sizeof(path)) &&
            sbx_is_endless_source(path))
            return true;
    }
    return false;
}

static bool writes_file(struct sbx_judge *j, const struct sbx_use *use)
{
    char path[SBX_PATH_BYTES];
    for (uint32_t i = 0; i < use->options; i++)
        if (use->option[i].value && use->option[i].role == 'w' &&
            sbx_path_of(j, use->option[i].value, path, sizeof(path)) &&
            !sbx_path_below(path, "/dev"))
            return true;
    bool last = !strcmp(use->name, "tee") || !strcmp(use->name, "split") ||
                !strcmp(use->name, "sponge") || !strcmp(use->name, "cp") ||
                !strcmp(use->name, "install");
    const struct sbx_value *to = last && use->operands ? use->operand[use->operands - 1] : NULL;
    bool is_split = !strcmp(use->name, "split"); /* into files of names that it makes */
    return is_split || (to && sbx_path_of(j, to, path, sizeof(path)) &&
                        (!sbx_path_below(path, "/dev") || sbx_path_below(path, "/dev/shm")));
}

/* Tools that keep what they read until its end. */
static bool holds_input(const struct sbx_use *use)
{
    static const char *const names[] = {"tail",   "tac",    "sort",  "shuf",
                                        "sponge", "column", "tsort", "ptx"};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (!strcmp(use->name, names[i]))
            return true;
    return false;
}

/* Data without an end, passed on or written: base64 /dev/urandom > x, cp /dev/zero x. */
void sbx_classify_endless(struct sbx_judge *j, struct sbx_use *use)
{
    bool copies = !strcmp(use->name, "install") ||
                  (!strcmp(use->name, "cp") && !sbx_use_has(use, "-a -R -r -d -l -s -P"));
    bool cuts = !strcmp(use->name, "head");
    if (holds_input(use) && reads_endless(j, use, false))
        find_ask(j, "input without an end, kept in memory", "say how much to read");
    if (!strcmp(use->name, "shuf") && sbx_use_has(use, "-r --repeat"))
        use->out->endless = !sbx_use_has(use, "-n --head-count");
    if (!strcmp(use->name, "jot") && use->operands && stops_never(use))
        use->out->endless = true;
    if ((!copies && !cuts && !passes_on(use)) || !reads_endless(j, use, copies))
        return;
    use->out->endless = cuts ? !stops(use) : !copies;
    if (!cuts && writes_file(j, use))
        sbx_find_endless_file(j);
}

/* The network's traffic, but not that of a file. */
static void find_capture(struct sbx_judge *j, const struct sbx_use *use)
{
    static const char *const tools[] = {"tcpdump", "ngrep", "tcpflow", "dsniff", "ettercap"};
    for (size_t i = 0; i < sizeof(tools) / sizeof(*tools); i++)
        if (!strcmp(use->name, tools[i]) && !sbx_use_has(use, "-r -L -D") && use->words > 1)
            find_ask(j, "the traffic of others recorded", "look at what your own program logs");
}

/* 10.0.0.0/8, 0.0.0.0/0: a range of addresses. */
static bool is_range(const char *text)
{
    size_t digits = strspn(text, "0123456789.");
    return digits > 6 && text[digits] == '/' && isdigit((unsigned char)text[digits + 1]) &&
           strncmp(text, "127.", 4) != 0;
}

/* Probes and load: everything but this machine belongs to somebody. */
void sbx_check_probe(struct sbx_judge *j, struct sbx_use *use)
{
    bool far = false;
    sbx_check_sender(j, use);
    /* These two ask directories of names. */
    if (sbx_use_is_question(use) || !strcmp(use->name, "subfinder") || !strcmp(use->name, "amass"))
        return;
    find_capture(j, use);
    for (uint32_t i = 0; i < use->operands; i++) {
        const struct sbx_value *word = use->operand[i];
        struct sbx_url url;
        bool is_url = strstr(word->text, "://") != NULL;
        far |= is_range(word->text);
        far |= sbx_host_of(word, is_url, &url) && !sbx_is_loopback(url.host) &&
               (is_url || strchr(word->text, '.'));
    }
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_value *value = use->option[i].value;
        struct sbx_url url;
        far |= value && strstr(value->text, "://") && sbx_host_of(value, true, &url) &&
               !sbx_is_loopback(url.host);
    }
    if (far)
        find_ask(j, "probes or load on other machines", "test against this machine alone");
}
