#include "policy/brief.h"

#include <string.h>

#include "policy/path.h"

#define LIST_MAX 40 /* entries of one list: a model reads this before its work */

/* Every piece goes through here; a full stream is noticed once, at the end. */
static void put(FILE *out, const char *a, const char *b, const char *c)
{
    (void)fputs(a, out);
    (void)fputs(b, out);
    (void)fputs(c, out);
}

static void put_number(FILE *out, const char *before, int64_t number, const char *after)
{
    char text[32];
    (void)snprintf(text, sizeof(text), "%lld", (long long)number);
    put(out, before, text, after);
}

/* One path as people write it: below the home with "~". */
static void put_path(const struct sbx_policy *policy, FILE *out, const struct sbx_path_rule *rule)
{
    const char *path = sbx_policy_text(policy, rule->path);
    const char *home = sbx_policy_text(policy, policy->home);
    size_t len = policy->home.len;
    bool is_below = len > 1 && !strncmp(path, home, len) && (path[len] == '/' || !path[len]);
    put(out, "- `", is_below ? "~" : "", is_below ? path + len : path);
    (void)fputs("`\n", out);
}

/* Rules of a kind that have none of the flags `without`. Returns how many there are. */
static uint32_t put_paths(const struct sbx_policy *policy, FILE *out, enum sbx_path_kind kind,
                          uint32_t without)
{
    uint32_t count = 0, told = 0;
    const struct sbx_path_rule *rules = sbx_policy_paths(policy, &count);
    for (uint32_t i = 0; i < count; i++) {
        const struct sbx_path_rule *rule = &rules[i];
        bool is_repeated = i && rules[i - 1].kind == kind &&
                           !strcmp(sbx_policy_text(policy, rules[i - 1].path),
                                   sbx_policy_text(policy, rule->path));
        if (rule->kind != (uint16_t)kind || (rule->flags & without) || is_repeated)
            continue;
        if (told++ < LIST_MAX)
            put_path(policy, out, rule);
    }
    if (told > LIST_MAX)
        put_number(out, "- and ", (int64_t)told - LIST_MAX, " more\n");
    return told;
}

#define ZONES (SBX_PATH_ZONE_S | SBX_PATH_ZONE_P | SBX_PATH_ZONE_D | SBX_PATH_FIXED)

static void write_writing(const struct sbx_policy *policy, FILE *out)
{
    put(out, "\n## Writing\n\nYour workspace is `", sbx_policy_text(policy, policy->workspace),
        "`: sessions start there. You can write, create and delete below:\n\n");
    (void)put_paths(policy, out, SBX_PATH_ALLOW_WRITE, ZONES);
    if (sbx_policy_flag(policy, SBX_KEY_JAIL_PRIVATE_TMP))
        (void)fputs("- `/tmp`, `/var/tmp`, `/dev/shm`: your own, gone when the jail ends\n", out);
    (void)fputs(
        "\nEverything else is read-only: writing there fails with \"Read-only file system\" "
        "or \"Permission denied\", whichever program tries. ",
        out);
    (void)fputs(
        "Start-up files (`~/.bashrc`, `~/.profile`, `~/.gitconfig`, `~/.config/systemd` and "
        "the like) and sbx's own files are never writable.\n",
        out);
    uint32_t count = 0, denied = 0;
    const struct sbx_path_rule *rules = sbx_policy_paths(policy, &count);
    for (uint32_t i = 0; i < count; i++)
        denied += rules[i].kind == SBX_PATH_DENY_WRITE && !(rules[i].flags & ZONES);
    if (denied) {
        (void)fputs("\nNot writable although they lie inside:\n\n", out);
        (void)put_paths(policy, out, SBX_PATH_DENY_WRITE, ZONES);
    }
}

static void write_reading(const struct sbx_policy *policy, FILE *out)
{
    bool is_whole = sbx_policy_number(policy, SBX_KEY_FILESYSTEM_VIEW) == 1;
    (void)fputs("\n## Reading\n\n", out);
    (void)fputs(is_whole ? "You see the whole machine but for what is listed here.\n"
                         : "You see your home, `/usr`, `/etc`, `/opt` and what is writable. Other "
                           "parts of the machine are not there: \"No such file\" can mean that.\n",
                out);
    (void)fputs(
        "\nNot readable, by any program:\n\n"
        "- credentials: `~/.ssh`, `~/.aws`, `~/.gnupg`, `/etc/shadow` and the like\n"
        "- `/root` and the homes of others\n"
        "- devices other than `/dev/null`, `/dev/zero`, `/dev/urandom`, terminals and such\n",
        out);
    (void)put_paths(policy, out, SBX_PATH_DENY_READ, ZONES);
    uint32_t count = 0, opened = 0;
    const struct sbx_path_rule *rules = sbx_policy_paths(policy, &count);
    for (uint32_t i = 0; i < count; i++)
        opened += rules[i].kind == SBX_PATH_ALLOW_READ && !(rules[i].flags & ZONES);
    if (opened) {
        (void)fputs("\nReadable all the same:\n\n", out);
        (void)put_paths(policy, out, SBX_PATH_ALLOW_READ, ZONES);
    }
}

/* The names of one list of domains. */
static void put_domains(const struct sbx_policy *policy, FILE *out, enum sbx_key key,
                        const char *title)
{
    uint32_t count = 0;
    const struct sbx_item *items = sbx_policy_list(policy, key, &count);
    if (!count)
        return;
    (void)fputs(title, out);
    for (uint32_t i = 0; i < count && i < LIST_MAX; i++)
        put(out, "- `", sbx_policy_text(policy, items[i].text), "`\n");
    if (count > LIST_MAX)
        put_number(out, "- and ", (int64_t)count - LIST_MAX, " more\n");
}

static void write_network(const struct sbx_policy *policy, FILE *out)
{
    (void)fputs("\n## Network\n\nNo host is reachable: there is only the loopback of this jail "
                "(`127.0.0.1`, `::1`). Servers that you start there are reachable from all your "
                "sessions and from nowhere else. Downloads, package installs from the network, "
                "`git fetch` and `git push` to other hosts fail; do not try again.\n",
                out);
    put_domains(policy, out, SBX_KEY_NETWORK_ALLOW_DOMAIN,
                "\nPolicy names these domains, but nothing lets you reach them yet:\n\n");
    put_domains(policy, out, SBX_KEY_NETWORK_DENY_DOMAIN, "\nNever allowed:\n\n");
}

static void write_limits(const struct sbx_policy *policy, FILE *out)
{
    static const struct {
        enum sbx_key key;
        const char *before, *after;
    } limits[] = {
        {SBX_KEY_LIMITS_MEMORY_MAX, "- memory: ",                                   " (more ends a process)\n"},
        {SBX_KEY_LIMITS_TASKS_MAX,  "- processes and threads: ",                    "\n"                      },
        {SBX_KEY_LIMITS_CPU_QUOTA,  "- CPU, 100% being one whole: ",                "\n"                      },
        {SBX_KEY_LIMITS_OPEN_FILES, "- open files in one process: ",                "\n"                      },
        {SBX_KEY_LIMITS_FILE_SIZE,  "- size of one file: ",                         "\n"                      },
        {SBX_KEY_LIMITS_TMP_SIZE,   "- size of each of /tmp, /var/tmp, /dev/shm: ", "\n"                      },
    };
    (void)fputs("\n## Limits\n\nOver all your sessions together:\n\n", out);
    for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++)
        if (sbx_policy_number(policy, limits[i].key) > 0)
            put(out, limits[i].before, sbx_policy_string(policy, limits[i].key), limits[i].after);
    (void)fputs("\nNo `sudo`, no `su`, no setuid program, no containers or namespaces of your own, "
                "no debugging of other processes.\n",
                out);
}

static void write_asking(const struct sbx_policy *policy, FILE *out)
{
    (void)fputs(
        "\n## When something is refused\n\nThe command ends with status 126 and one sentence:\n\n"
        "- `sbxsh: denied: …` Nothing in this session changes that. Another spelling, an "
        "interpreter or a script meets the same refusal, and every try is recorded. Do it "
        "another way, or leave it.\n"
        "- `sbxsh: needs approval: …` Say what you want to do and why, and stop there until "
        "an operator has answered.\n\n"
        "To ask for a path, a domain or a command, tell the person you work for exactly "
        "which one and what for",
        out);
    const char *operators = sbx_policy_string(policy, SBX_KEY_APPROVALS_OPERATORS);
    put(out, "; operators of this machine (group `", *operators ? operators : "root",
        "`) can change the policy. Nothing you write or run can.\n");
}

static int finish(FILE *out, struct sbx_err *err)
{
    if (fflush(out) || ferror(out))
        return sbx_fail(err, SBX_E_LIMIT, 0, "cannot write the brief: no room");
    return 0;
}

int sbx_brief_write_unjailed(const struct sbx_policy *policy, const struct sbx_exempt *exempt,
                             FILE *out, struct sbx_err *err)
{
    put(out, "# What this account may do\n\nYou are `", sbx_policy_text(policy, policy->account),
        "`. **Your sessions run without a jail**: ");
    put(out, exempt->why, " (", exempt->rule);
    (void)fputs(
        "). What you break stays broken: you write wherever the account may, you reach the "
        "network, "
        "and nothing is undone.\n\nYour shell judges every command before it runs, and refusals "
        "are recorded. ",
        out);
    put(out, "Work in `", sbx_policy_text(policy, policy->workspace),
        "` and keep to what a jail would let you do: leave start-up files, credentials and the "
        "files of others alone.\n");
    if (sbx_policy_number(policy, SBX_KEY_SANDBOX_MODE) == 1)
        (void)fputs("\nCommands that only read run at once; others may need an approval.\n", out);
    write_asking(policy, out);
    return finish(out, err);
}

int sbx_brief_write(const struct sbx_policy *policy, FILE *out, struct sbx_err *err)
{
    put(out, "# What this account may do\n\nYou are `", sbx_policy_text(policy, policy->account),
        "`. Your sessions run in a jail that sbx keeps on this machine. The kernel enforces what "
        "follows for every program you start.\n");
    if (sbx_policy_number(policy, SBX_KEY_SANDBOX_MODE) == 1)
        (void)fputs("\nCommands that only read run at once; others may need an approval.\n", out);
    write_writing(policy, out);
    write_reading(policy, out);
    write_network(policy, out);
    write_limits(policy, out);
    write_asking(policy, out);
    return finish(out, err);
}
