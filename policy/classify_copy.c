/* Copies between here and elsewhere: where what is fetched lands, and what tools that clean up or keep
 * trees alike take away. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <string.h>

static bool is_address(const char *text)
{
    const char *colon = strchr(text, ':');
    return colon && (strstr(text, "://") || !memchr(text, '/', (size_t)(colon - text)));
}

static bool is_one(const char *list, const char *name)
{
    size_t len = strlen(name);
    for (const char *at = list; len && (at = strstr(at, name)) != NULL; at++)
        if (at > list && at[-1] == ' ' && at[len] == ' ')
            return true;
    return false;
}

static const struct sbx_value *last_operand(const struct sbx_use *use)
{
    return use->operands ? use->operand[use->operands - 1] : NULL;
}

/* aws s3 cp s3://b/x HERE, kubectl cp pod:/x HERE, svn checkout URL HERE: the last operand is written
 * where something comes from elsewhere in front of it. */
static void check_landing(struct sbx_judge *j, const struct sbx_use *use)
{
    static const char *const verbs[] = {"cp",       "sync",   "mv",       "get", "rsync",
                                        "download", "copy",   "checkout", "co",  "clone",
                                        "export",   "branch", "pull",     "cat"};
    const struct sbx_value *to = last_operand(use);
    bool verb = strchr(use->name, ' ') != NULL, fetched = false;
    for (uint32_t i = 0; i + 1 < use->operands; i++) {
        verb |= SBX_OPERAND_IN(use, i, verbs);
        fetched |= is_address(use->operand[i]->text);
    }
    if (to && verb && fetched && !is_address(to->text) && !sbx_value_is(to, "-"))
        (void)sbx_check_path(j, to, SBX_ACCESS_WRITE);
}

/* rclone sync HERE THERE keeps two trees alike: what is only there is deleted. */
static void check_rclone(struct sbx_judge *j, const struct sbx_use *use)
{
    bool dry = sbx_use_has(use, "-n --dry-run");
    bool drops = is_one(" purge delete deletefile rmdirs cleanup ", use->name + 7);
    bool mirrors = is_one(" sync bisync ", use->name + 7);
    for (uint32_t i = 0; i < use->operands && !dry; i++) {
        bool last = i + 1 == use->operands && i;
        if (is_address(use->operand[i]->text))
            continue;
        if (drops || (mirrors && last))
            (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_DELETE_TREE);
        else
            (void)sbx_check_path(j, use->operand[i],
                                 last ? SBX_ACCESS_WRITE : SBX_ACCESS_READ_TREE);
    }
}

/* Options of other tools that name where downloads and unpacked files go. */
static void check_folders(struct sbx_judge *j, const struct sbx_use *use)
{
    static const struct {
        const char *tools, *option;
    } folders[] = {
        {" wget wget2 ",   "-P"          },
        {" aria2c ",       "-d"          },
        {" cmake cmake3 ", "--prefix"    },
        {" curl ",         "--output-dir"},
        {" patch ",        "-d"          },
        {" mktemp ",       "-p"          },
        {" mktemp ",       "--tmpdir"    },
    };
    for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
        if (!is_one(folders[i].tools, use->name))
            continue;
        const struct sbx_opt *option = sbx_use_option(use, folders[i].option);
        bool installs = strncmp(use->name, "cmake", 5) != 0 || sbx_use_has(use, "--install");
        bool dry = !strcmp(use->name, "mktemp") && sbx_use_has(use, "-u --dry-run");
        if (!dry && option && option->value && installs)
            (void)sbx_check_path(j, option->value, SBX_ACCESS_WRITE);
    }
}

/* pip install --target DIR: options behind the verb. */
static void check_targets(struct sbx_judge *j, const struct sbx_use *use)
{
    static const char *const names[] = {"--target", "-t", "--prefix", "--root", "-d", "--dest"};
    for (uint32_t i = use->first; i + 1 < use->words; i++)
        for (size_t k = 0; k < sizeof(names) / sizeof(*names); k++)
            if (sbx_value_is(use->word[i], names[k]) && strchr("/~.", use->word[i + 1]->text[0]))
                (void)sbx_check_path(j, use->word[i + 1], SBX_ACCESS_WRITE);
}

/* magick a.png txt:OUT, sox a.wav OUT: the last word is made, whatever format stands in front of it. */
static void check_converted(struct sbx_judge *j, const struct sbx_use *use)
{
    const struct sbx_value *to = use->operands > 1 ? last_operand(use) : NULL;
    const char *colon = to ? strchr(to->text, ':') : NULL;
    bool format = colon && colon[1] && !memchr(to->text, '/', (size_t)(colon - to->text));
    if (!to || !is_one(" magick convert montage composite gm sox ", use->name))
        return;
    const struct sbx_value *path =
        format ? sbx_value_tail(j, to, (uint32_t)(colon + 1 - to->text)) : to;
    if (path->len && strchr("/~.", path->text[0]))
        (void)sbx_check_path(j, path, SBX_ACCESS_WRITE);
}

void sbx_classify_copies(struct sbx_judge *j, const struct sbx_use *use)
{
    static const char landing[] = " aws awslocal gsutil gcloud s3cmd s5cmd mc kubectl oc az "
                                  "svn hg bzr jj sl fossil scp pscp docker podman ";
    if (!strncmp(use->name, "rclone ", 7))
        check_rclone(j, use);
    else if (is_one(landing, use->name))
        check_landing(j, use);
    else if (is_one(" pip pip3 pip2 pipx uv ", use->name))
        check_targets(j, use);
    else {
        check_folders(j, use);
        check_converted(j, use);
    }
}
