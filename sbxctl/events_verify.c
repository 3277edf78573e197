/* `sbxctl events verify`: is every chain whole? Reads line by line, so that size does not matter. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sha2.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/cleanup.h"
#include "sbxctl/events.h"
#include "sbxctl/operate.h"
#include "sbxctl/sbxctl.h"
#include "warden/chain.h"

struct chain {
    char name[SBX_CHAIN_NAME_BYTES]; /* "" before the first record */
    struct sbx_chain_head last;
    const char *file; /* where the last record is */
    unsigned long line;
    unsigned open, retired; /* jails that started and have not ended yet; those in their grace */
    bool is_whole; /* the last record may be the last: the jail's end, or a jail refused at once */
    bool is_live;
    uint64_t live_seq; /* what the warden says is its last record, asked before the file was read */
    char live_head[SBX_HASH_TEXT_BYTES];
};

struct verify {
    const struct sbx_paths *paths;
    const char *file;
    unsigned long line;
    unsigned findings;
    unsigned long records;
    struct chain chain;
    /* Lines that are no records, since the last that is one: their length and running hash. */
    SHA2_CTX damage;
    unsigned long damage_line; /* 0: none */
    uint64_t damage_bytes;
};

/* Tells about the current line. */
SBX_PRINTF(3, 4)
static void say(struct verify *verify, bool is_finding, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    (void)printf("%s:%lu: %s", verify->file, verify->line, is_finding ? "" : "note: ");
    (void)vprintf(fmt, ap);
    (void)putchar('\n');
    va_end(ap);
    verify->findings += is_finding;
}

static bool ask_one(struct verify *verify, const char *jail)
{
    struct sbx_state state;
    struct sbx_err err = SBX_ERR_INIT;
    struct chain *chain = &verify->chain;
    if (sbx_client_state(verify->paths, jail, &state, &err))
        return false;
    chain->is_live = true;
    if (state.head_seq > chain->live_seq) {
        chain->live_seq = state.head_seq;
        (void)snprintf(chain->live_head, sizeof(chain->live_head), "%.64s", state.head);
    }
    return true;
}

/* Asks the chain's warden for its head, before the file is read: what is written meanwhile can then
 * only be more than it said. Where the id is nobody's, jails that gave it up may still write. */
static void ask_warden(struct verify *verify)
{
    const char *name = verify->chain.name;
    size_t len = strlen(name);
    if (!sbx_jail_id_valid(name) || ask_one(verify, name))
        return;
    int fd = sbx_operate_open_dir(verify->paths, SBX_JAILS_DIR);
    _cleanup_dir_ DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (!strncmp(entry->d_name, name, len) && entry->d_name[len] == '~' &&
            sbx_jail_name_retired(entry->d_name))
            (void)ask_one(verify, entry->d_name);
}

/* What has to be true of a chain's last record. */
static void finish_chain(struct verify *verify)
{
    struct chain *chain = &verify->chain;
    if (!chain->name[0])
        return;
    verify->file = chain->file;
    verify->line = chain->line;
    if (chain->is_live && chain->last.seq < chain->live_seq)
        say(verify, true, "cut off: ends at record %llu, the warden's last is %llu",
            (unsigned long long)chain->last.seq, (unsigned long long)chain->live_seq);
    else if (!chain->is_live && !chain->is_whole && strcmp(chain->name, "host") != 0)
        say(verify, true,
            "cut off: record %llu is not the jail's end, and the jail is not live: the machine "
            "went down, or records were taken away",
            (unsigned long long)chain->last.seq);
    *chain = (struct chain){0};
}

static void begin_chain(struct verify *verify, const struct sbx_chain_record *record)
{
    struct chain *chain = &verify->chain;
    const char *file = verify->file;
    unsigned long line = verify->line;
    finish_chain(verify);
    verify->file = file;
    verify->line = line;
    (void)snprintf(chain->name, sizeof(chain->name), "%s", record->name);
    ask_warden(verify);
    if (record->seq > 1)
        say(verify, false, "begins at record %llu: the earlier ones are not in these files",
            (unsigned long long)record->seq);
    else if (strcmp(record->prev, SBX_CHAIN_GENESIS) != 0)
        say(verify, true, "the first record claims one before it");
}

static void check_link(struct verify *verify, const struct sbx_chain_record *record)
{
    const struct chain *chain = &verify->chain;
    if (record->seq != chain->last.seq + 1)
        say(verify, true, "record %llu follows %llu", (unsigned long long)record->seq,
            (unsigned long long)chain->last.seq);
    else if (strcmp(record->prev, chain->last.hash) != 0)
        say(verify, true,
            "record %llu does not carry the hash of the one before it: one of them was changed",
            (unsigned long long)record->seq);
    if (record->is_start && chain->open > chain->retired)
        say(verify, true,
            "a jail starts, and the one before it has no end: cut off, or the machine went down");
}

/* Jails overlap: one that retired writes on in its grace, beside its successor. Of those that started
 * before the first record here nothing is known but what they do. */
static void count_jails(struct chain *chain, const struct sbx_chain_record *record)
{
    chain->open += record->is_start;
    chain->retired += record->is_retirement;
    if (record->is_start && chain->open > chain->retired + 1)
        chain->open = chain->retired + 1; /* said already; one of them is gone */
    if (chain->open < chain->retired)
        chain->open = chain->retired;
    if (record->is_end && chain->open)
        chain->open--;
    if (chain->retired > chain->open)
        chain->retired = chain->open;
}

static void check_damage(struct verify *verify, const struct sbx_chain_record *record)
{
    if (!verify->damage_line) {
        if (record->torn.is_there)
            say(verify, true, "marks a torn record that is not there");
        return;
    }
    uint8_t sum[SHA256_DIGEST_LENGTH];
    char hash[SBX_HASH_TEXT_BYTES];
    SHA256Final(sum, &verify->damage);
    for (size_t i = 0; i < sizeof(sum); i++)
        (void)snprintf(hash + 2 * i, 3, "%02x", sum[i]);
    unsigned long here = verify->line;
    verify->line = verify->damage_line;
    if (record->torn.is_there && record->torn.bytes == verify->damage_bytes &&
        !strcmp(record->torn.hash, hash))
        say(verify, false,
            "a record that was not written whole (crash or full disk), kept and marked by line %lu",
            here);
    else
        say(verify, true, "no record, and nothing marks it as torn");
    verify->line = here;
    verify->damage_line = 0;
}

static void take_record(struct verify *verify, const struct sbx_chain_record *record)
{
    struct chain *chain = &verify->chain;
    if (strcmp(chain->name, record->name) != 0)
        begin_chain(verify, record);
    else
        check_link(verify, record);
    check_damage(verify, record);
    chain->last.seq = record->seq;
    memcpy(chain->last.hash, record->hash, sizeof(chain->last.hash));
    count_jails(chain, record);
    chain->is_whole = !chain->open && (record->is_end || record->is_refusal);
    chain->file = verify->file;
    chain->line = verify->line;
    verify->records++;
    if (chain->live_seq == record->seq && strcmp(chain->live_head, record->hash) != 0)
        say(verify, true, "record %llu is not the one that the warden wrote",
            (unsigned long long)record->seq);
}

static void take_damage(struct verify *verify, const char *bytes, size_t len)
{
    if (!verify->damage_line) {
        SHA256Init(&verify->damage);
        verify->damage_line = verify->line;
        verify->damage_bytes = 0;
    } else {
        SHA256Update(&verify->damage, (const uint8_t *)"\n", 1);
        verify->damage_bytes++;
    }
    SHA256Update(&verify->damage, (const uint8_t *)bytes, len);
    verify->damage_bytes += len;
}

/* Reads on from where the file stands to its end. True if it ends within a line. */
static bool read_lines(struct verify *verify, FILE *file)
{
    _cleanup_free_ char *line = NULL;
    size_t room = 0;
    ssize_t len;
    bool is_cut = false;
    while ((len = getline(&line, &room, file)) >= 0) {
        struct sbx_chain_record record;
        verify->line++;
        is_cut = line[len - 1] != '\n';
        size_t bytes = (size_t)len - (is_cut ? 0 : 1);
        if (!is_cut && sbx_chain_parse(line, bytes, &record))
            take_record(verify, &record);
        else
            take_damage(verify, line, bytes);
    }
    return is_cut;
}

static int verify_file(struct verify *verify, FILE *file)
{
    verify->line = 0;
    bool is_cut = read_lines(verify, file);
    /* The warden was asked after the file was opened: what it wrote in between is there by now. */
    if (verify->chain.is_live && verify->chain.last.seq < verify->chain.live_seq && !is_cut) {
        clearerr(file);
        is_cut = read_lines(verify, file);
    }
    if (ferror(file))
        return sbx_usage("%s: cannot read: %s", verify->file, strerrordesc_np(errno));
    if (verify->damage_line)
        say(verify, true, is_cut ? "ends within a record" : "ends with lines that are no records");
    verify->damage_line = 0;
    return 0;
}

static int verify_at(struct verify *verify, int dirfd, const char *name)
{
    verify->file = name;
    int fd = openat(dirfd, name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    _cleanup_file_ FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
    if (!file) {
        int errnum = errno;
        if (fd >= 0)
            (void)close(fd);
        return sbx_usage("%s: cannot open: %s", name, strerrordesc_np(errnum));
    }
    return verify_file(verify, file);
}

static int verify_all(struct verify *verify)
{
    struct sbx_err err = SBX_ERR_INIT;
    _cleanup_free_ struct sbx_event_file *files = NULL;
    size_t count = 0;
    _cleanup_fd_ int dirfd = sbx_operate_open_dir(verify->paths, SBX_LOG_DIR);
    if (dirfd < 0 && errno == ENOENT)
        return 0; /* nothing was ever recorded */
    if (dirfd < 0)
        return sbx_usage("cannot open %s%s: %s", verify->paths->root, SBX_LOG_DIR,
                         strerrordesc_np(errno));
    if (sbx_event_files(dirfd, &files, &count, &err))
        return sbx_complain(&err);
    for (size_t i = 0; i < count; i++)
        if (verify_at(verify, dirfd, files[i].name))
            return SBX_EXIT_USAGE;
    finish_chain(verify); /* while the file names are still there */
    return 0;
}

int sbx_events_verify(const struct sbx_paths *paths, char *const *files, int count)
{
    struct verify verify = {.paths = paths, .file = ""};
    int status = count ? 0 : verify_all(&verify);
    for (int i = 0; i < count && !status; i++)
        status = verify_at(&verify, AT_FDCWD, files[i]);
    if (status)
        return SBX_EXIT_USAGE;
    finish_chain(&verify);
    if (verify.findings)
        (void)printf("%lu records, %u finding%s\n", verify.records, verify.findings,
                     verify.findings == 1 ? "" : "s");
    else
        (void)printf("%lu records, all in order\n", verify.records);
    return verify.findings ? SBX_EXIT_FOUND : SBX_EXIT_OK;
}
