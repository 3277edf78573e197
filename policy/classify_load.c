/* What exhausts the machine, bothers others or listens in: rule (b) for what no class names. */
#include "policy/classify.h"
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

/* fallocate -l 500G */
bool sbx_is_huge_size(const struct sbx_value *size)
{
    char *end = NULL;
    unsigned long long number = strtoull(size->text, &end, 10);
    int unit = toupper((unsigned char)*end);
    return (unit == 'T' && number) || strchr("PE", unit ? unit : ' ') ||
           (unit == 'G' && number >= 100);
}

/* The network's traffic, but not that of a file. */
static void find_capture(struct sbx_judge *j, const struct sbx_use *use)
{
    static const char *const tools[] = {"tcpdump", "ngrep", "tcpflow", "dsniff", "ettercap"};
    for (size_t i = 0; i < sizeof(tools) / sizeof(*tools); i++)
        if (!strcmp(use->name, tools[i]) && !sbx_use_has(use, "-r -L -D") && use->words > 1)
            find_ask(j, "the traffic of others recorded", "look at what your own program logs");
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
