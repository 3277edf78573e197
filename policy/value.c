#include "policy/value.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/command_policy.h"
#include "policy/rule.h"

#define BAD(...) sbx_fail(err, SBX_E_POLICY, 0, __VA_ARGS__)

/* --- text ------------------------------------------------------------------------------------- */
/* Decodes one UTF-8 character; 0 bytes where it is none. */
static size_t decode(const unsigned char *t, size_t len, uint32_t *point)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t need = t[0] < 0x80 ? 1 : t[0] >= 0xf0 ? 4 : t[0] >= 0xe0 ? 3 : t[0] >= 0xc2 ? 2 : 0;
    if (!need || need > len || t[0] > 0xf4)
        return 0;
    *point = need == 1 ? t[0] : t[0] & (0xffu >> (need + 1));
    for (size_t i = 1; i < need; i++) {
        if ((t[i] & 0xc0) != 0x80)
            return 0;
        *point = *point << 6 | (t[i] & 0x3f);
    }
    bool is_bad =
        *point < smallest[need] || *point > 0x10ffff || (*point >= 0xd800 && *point < 0xe000);
    return is_bad ? 0 : need;
}

/* Characters that make a text read as something else than it is. */
static bool is_deceptive(uint32_t point)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {0xad,    0xad   },
        {0x61c,   0x61c  },
        {0x180e,  0x180e },
        {0x200b,  0x200f },
        {0x2028,  0x202e },
        {0x2060,  0x206f },
        {0xfeff,  0xfeff },
        {0xfff9,  0xfffb },
        {0xe0000, 0xe007f}
    };
    for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++)
        if (point >= ranges[i].first && point <= ranges[i].last)
            return true;
    return false;
}

const char *sbx_value_foul(const char *text, size_t len)
{
    size_t at = 0;
    return sbx_value_foul_at(text, len, &at);
}

const char *sbx_value_foul_at(const char *text, size_t len, size_t *at)
{
    const unsigned char *t = (const unsigned char *)text;
    *at = 0;
    for (size_t i = 0, step = 0; i < len; i += step) {
        uint32_t point = 0;
        step = decode(t + i, len - i, &point);
        *at = i;
        if (!step)
            return "bytes that are not UTF-8: is this a text file?";
        if (point < 0x20 || (point >= 0x7f && point < 0xa0))
            return "a control character";
        if (is_deceptive(point))
            return "an invisible or direction-changing character";
    }
    *at = 0;
    return NULL;
}

/* --- numbers ---------------------------------------------------------------------------------- */
/* Digits, then nothing or one of `suffixes`; factors[i] belongs to suffixes[i]. */
static int scaled(const char *text, const char *suffixes, const int64_t *factors, int64_t *number)
{
    int64_t value = 0;
    const char *c = text;
    for (; *c >= '0' && *c <= '9'; c++)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, *c - '0', &value))
            return -1;
    if (c == text)
        return -1;
    if (*c) {
        const char *suffix = strchr(suffixes, *c);
        if (!suffix || c[1] || __builtin_mul_overflow(value, factors[suffix - suffixes], &value))
            return -1;
    }
    *number = value;
    return 0;
}

static int check_bytes(const char *text, int64_t *number, struct sbx_err *err)
{
    static const int64_t factors[] = {1LL << 10, 1LL << 20, 1LL << 30, 1LL << 40};
    if (scaled(text, "KMGT", factors, number) || *number < 1)
        return BAD("'%s' is no size: write 512, 64K, 2M, 4G or 1T", text);
    return 0;
}

static int check_duration(const char *text, int64_t *number, struct sbx_err *err)
{
    static const int64_t factors[] = {1, 60, 3600, 86400};
    if (scaled(text, "smhd", factors, number))
        return BAD("'%s' is no duration: write 90, 0s, 15m, 1h or 2d", text);
    return 0;
}

static int check_count(const char *text, int64_t *number, struct sbx_err *err)
{
    if (scaled(text, "", NULL, number) || *number < 1)
        return BAD("'%s' is no whole number above 0", text);
    return 0;
}

static int check_percent(const char *text, int64_t *number, struct sbx_err *err)
{
    static const int64_t factors[] = {1};
    if (!strchr(text, '%') || scaled(text, "%", factors, number) || *number < 1)
        return BAD("'%s' is no percentage: 100%% is one whole CPU, 150%% one and a half", text);
    return 0;
}

static int check_bool(const char *text, int64_t *number, struct sbx_err *err)
{
    static const char *const words[] = {"no", "yes", "off", "on", "false", "true"};
    struct sbx_suggestion best = {.word = text};
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
        if (!strcmp(words[i], text)) {
            *number = i % 2;
            return 0;
        }
        sbx_suggestion_try(&best, words[i], strlen(words[i]));
    }
    return best.best ? BAD("'%s' is neither yes nor no (did you mean %s?)", text, best.best)
                     : BAD("'%s' is neither yes nor no", text);
}

static int check_enum(const char *words, const char *text, int64_t *number, struct sbx_err *err)
{
    struct sbx_suggestion best = {.word = text};
    int64_t index = 0;
    size_t len = 0, best_len = 0;
    for (const char *word = words; *word; word += len + (word[len] == '|'), index++) {
        len = strcspn(word, "|");
        if (strlen(text) == len && !memcmp(word, text, len)) {
            *number = index;
            return 0;
        }
        const char *before = best.best;
        sbx_suggestion_try(&best, word, len);
        best_len = best.best != before ? len : best_len;
    }
    if (best.best)
        return BAD("'%s' is none of %s (did you mean %.*s?)", text, words, (int)best_len,
                   best.best);
    return BAD("'%s' is none of %s", text, words);
}

/* --- names ------------------------------------------------------------------------------------ */
static int check_name(const char *text, struct sbx_err *err)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._@$+\\-";
    size_t fine = strspn(text, letters);
    if (text[fine] == ',' || text[fine] == ' ')
        return BAD("one name a line: repeat the key for each");
    if (text[fine])
        return BAD("'%s' is no name of an account, group or service", text);
    if (text[0] == '-' || text[0] == '.' || strspn(text, "0123456789") == strlen(text))
        return BAD("'%s' is an odd name: it could be taken for an option, a file or a number",
                   text);
    return strlen(text) > 200 ? BAD("the name is too long") : 0;
}

/* Not isalnum(): the program we are loaded into may have set a locale. */
static bool is_alnum(char byte)
{
    return (byte >= '0' && byte <= '9') || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
}

static int check_port(const char *text, struct sbx_err *err)
{
    int64_t number = 0;
    if (scaled(text, "", NULL, &number) || number < 1 || number > 65535)
        return BAD("'%s' is no port (1 to 65535)", text);
    return 0;
}

/* Letters, digits, '-' and '_' between single dots; at least one label. */
static bool is_host(const char *text, size_t len)
{
    size_t label = 0;
    for (size_t i = 0; i < len; i++) {
        bool is_inner = label && i + 1 < len && text[i + 1] != '.';
        if (text[i] == '.' ? !label || i + 1 == len
                           : !(is_alnum(text[i]) || text[i] == '_' || (text[i] == '-' && is_inner)))
            return false;
        label = text[i] == '.' ? 0 : label + 1;
        if (label > 63)
            return false;
    }
    return len > 0 && len < 254;
}

int sbx_value_check_domain(const char *text, struct sbx_err *err)
{
    size_t len = strcspn(text, ":");
    if (strstr(text, "://") || strchr(text, '/'))
        return BAD("'%s': a name alone, without scheme or path: *.example.com or example.com:443",
                   text);
    if (text[len] && check_port(text + len + 1, err))
        return -1;
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c >= 0x80)
            return BAD("'%s': write the name in its xn-- form", text);
    if (len == 1 && text[0] == '*')
        return 0;
    size_t skip = len > 2 && !memcmp(text, "*.", 2) ? 2 : 0;
    if (!is_host(text + skip, len - skip))
        return BAD("'%s' is no domain name: example.com, *.example.com, either with :port", text);
    if (strspn(text + skip, "0123456789.") == len - skip)
        return BAD("'%s' is an address: use the keys for addresses", text);
    return 0;
}

/* Are all bits behind the first `bits` zero? */
static bool is_network(const unsigned char *address, size_t bytes, int64_t bits)
{
    for (int64_t i = bits; i < (int64_t)bytes * 8; i++)
        if (address[i / 8] & (0x80u >> (i % 8)))
            return false;
    return true;
}

static int check_address(const char *text, struct sbx_err *err)
{
    char net[64];
    const char *begin = text, *end = NULL, *port = NULL;
    if (text[0] == '[') {
        begin = text + 1;
        end = strchr(text, ']');
        port = end && end[1] == ':' ? end + 2 : NULL;
        if (!end || (end[1] && !port))
            return BAD("'%s' is no address: write [2001:db8::/32]:443", text);
    } else if (strchr(text, '.') && strchr(text, ':') && !strstr(text, "::")) {
        end = strchr(text, ':');
        port = end + 1;
    }
    size_t len = end ? (size_t)(end - begin) : strlen(begin);
    if (port && check_port(port, err))
        return -1;
    if (len >= sizeof(net))
        return BAD("'%s' is no address", text);
    memcpy(net, begin, len);
    net[len] = '\0';
    unsigned char raw[16] = {0};
    char *slash = strchr(net, '/');
    if (slash)
        *slash++ = '\0';
    int family = strchr(net, ':') ? AF_INET6 : AF_INET;
    size_t bytes = family == AF_INET6 ? 16 : 4;
    int64_t bits = (int64_t)bytes * 8;
    if (inet_pton(family, net, raw) != 1 ||
        (slash && (scaled(slash, "", NULL, &bits) || bits > (int64_t)bytes * 8)))
        return BAD("'%s' is no address: write 10.0.0.0/8, 192.0.2.1:443 or [2001:db8::/32]:443",
                   text);
    if (!is_network(raw, bytes, bits))
        return BAD("'%s' has bits behind its /%lld", text, (long long)bits);
    return 0;
}

/* An empty or relative place would be one that the account chooses, command by command. */
static int check_search_path(const char *text, struct sbx_err *err)
{
    for (const char *c = text; c; c = strchr(c, ':') ? strchr(c, ':') + 1 : NULL)
        if (*c != '/' && !(*c == '~' && strchr("/:", c[1])))
            return BAD("'%s': absolute directories, or ~/…, with ':' between them", text);
    return 0;
}

/* sethostname(2) takes 64 bytes; the rest is what other programs take for a name. */
static int check_hostname(const char *text, struct sbx_err *err)
{
    if (!is_host(text, strlen(text)) || strlen(text) > 64)
        return BAD("'%.80s' is no host name: letters, digits, '-' and '.', 64 at most", text);
    return 0;
}

/* --- the rest --------------------------------------------------------------------------------- */
/* Only whether it is a path: where it leads is known when policy is compiled. */
static const struct sbx_path_base anywhere = {"/home", "/home"};

static int check_path(enum sbx_key key, const char *text, bool takes_globs, struct sbx_err *err)
{
    struct sbx_value_path path;
    if (sbx_value_path(text, &anywhere, SBX_PATH_IN_KEY, &path, err))
        return -1;
    if (path.is_glob && !takes_globs)
        return BAD("'%s': this key takes no globs; a backslash makes the sign a plain one", text);
    if ((key == SBX_KEY_FILESYSTEM_WORKSPACE || key == SBX_KEY_FILESYSTEM_ALLOW_WRITE) &&
        !strcmp(path.text, "/"))
        return BAD("what is writable, or the workspace, cannot be /");
    return 0;
}

static int check_assign(const char *text, struct sbx_err *err)
{
    size_t len = strcspn(text, "=");
    if (!len || !text[len] || (text[0] >= '0' && text[0] <= '9'))
        return BAD("'%s' is no NAME=value", text);
    for (size_t i = 0; i < len; i++)
        if (!is_alnum(text[i]) && text[i] != '_')
            return BAD("'%.*s' is no name of a variable", (int)len, text);
    return 0;
}

static int check_rule(const char *text, struct sbx_err *err)
{
    struct sbx_rule_parts parts;
    return sbx_rule_parse(text, &parts, err);
}

const char *sbx_value_type_words(enum sbx_key_type type)
{
    static const char *const words[] = {
        [SBX_T_BOOL] = "yes or no",        [SBX_T_ENUM] = "one word",
        [SBX_T_COUNT] = "number",          [SBX_T_BYTES] = "size",
        [SBX_T_DURATION] = "duration",     [SBX_T_PERCENT] = "percentage",
        [SBX_T_STRING] = "text",           [SBX_T_FILE] = "path",
        [SBX_T_ENUMLIST] = "words",        [SBX_T_NAMES] = "names",
        [SBX_T_PATHS] = "paths and globs", [SBX_T_DIRS] = "paths",
        [SBX_T_DOMAINS] = "domains",       [SBX_T_ADDRESSES] = "addresses",
        [SBX_T_PORTS] = "ports",           [SBX_T_RULES] = "rules",
        [SBX_T_PATTERNS] = "patterns",     [SBX_T_ASSIGNS] = "NAME=value",
        [SBX_T_COMMANDS] = "commands",     [SBX_T_PLACES] = "operands",
        [SBX_T_OPTIONS] = "option names",
    };
    return words[type];
}

/* Numbers that the kernel refuses, or with which no session starts. */
static int check_bounds(enum sbx_key key, const char *text, int64_t number, struct sbx_err *err)
{
    static const struct {
        enum sbx_key key;
        int64_t least, most;
        const char *says;
    } bounds[] = {
        {SBX_KEY_LIMITS_MEMORY_MAX, 1 << 20, INT64_MAX, "nothing starts with less than 1M"   },
        {SBX_KEY_LIMITS_TMP_SIZE,   4096,    INT64_MAX, "a page has 4K"                      },
        {SBX_KEY_LIMITS_TASKS_MAX,  1,       4194304,   "more than 4194304 cannot be counted"},
    };
    for (size_t i = 0; i < sizeof(bounds) / sizeof(*bounds); i++)
        if (bounds[i].key == key && (number < bounds[i].least || number > bounds[i].most))
            return BAD("'%s' cannot be meant: %s", text, bounds[i].says);
    return 0;
}

static int check_typed(enum sbx_key key, const char *text, int64_t *number, struct sbx_err *err)
{
    const struct sbx_key_row *row = &sbx_key_table[key];
    *number = 0;
    if (!*text)
        return BAD("the value is empty");
    switch (row->type) {
    case SBX_T_BOOL:
        return check_bool(text, number, err);
    case SBX_T_ENUM:
    case SBX_T_ENUMLIST:
        return check_enum(row->values, text, number, err);
    case SBX_T_COUNT:
        return check_count(text, number, err);
    case SBX_T_BYTES:
        return check_bytes(text, number, err);
    case SBX_T_DURATION:
        return check_duration(text, number, err);
    case SBX_T_PERCENT:
        return check_percent(text, number, err);
    case SBX_T_FILE:
    case SBX_T_DIRS:
        return check_path(key, text, false, err);
    case SBX_T_PATHS:
        return check_path(key, text, true, err);
    case SBX_T_NAMES:
        return check_name(text, err);
    case SBX_T_DOMAINS:
        return sbx_value_check_domain(text, err);
    case SBX_T_ADDRESSES:
        return check_address(text, err);
    case SBX_T_PORTS:
        return check_port(text, err);
    case SBX_T_RULES:
        return check_rule(text, err);
    case SBX_T_ASSIGNS:
        return check_assign(text, err);
    case SBX_T_PLACES:
        return sbx_command_places_check(text, err);
    case SBX_T_OPTIONS:
        return sbx_command_options_check(text, err);
    case SBX_T_STRING:
        return key == SBX_KEY_JAIL_HOSTNAME      ? check_hostname(text, err)
               : key == SBX_KEY_ENVIRONMENT_PATH ? check_search_path(text, err)
                                                 : 0;
    case SBX_T_PATTERNS:
    case SBX_T_COMMANDS:
        return 0;
    }
    return BAD("a value of an unknown type");
}

int sbx_value_check(enum sbx_key key, const char *text, int64_t *number, struct sbx_err *err)
{
    return check_typed(key, text, number, err) || check_bounds(key, text, *number, err) ? -1 : 0;
}
