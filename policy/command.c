#include "policy/command.h"

#include <stdint.h>
#include <string.h>

#include "command_index.h" /* sorted names of all rows, made from the tables at build time */

#define NAME_MAX_BYTES  96
#define CLUSTER_LETTERS 64

static const struct sbx_command_row *index_find(const char *name, size_t len)
{
    size_t low = 0, high = sizeof(sbx_command_index) / sizeof(*sbx_command_index);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct sbx_command_name *entry = &sbx_command_index[middle];
        const char *known = &sbx_command_names[entry->name];
        int order = strncmp(name, known, len);
        if (!order && known[len])
            order = -1;
        if (!order)
            return &sbx_command_groups[entry->group]->rows[entry->row];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

const struct sbx_command_row *sbx_command_find(const char *name, size_t len)
{
    if (!len || len >= NAME_MAX_BYTES || memchr(name, ' ', len))
        return NULL;
    return index_find(name, len);
}

const struct sbx_command_row *sbx_command_sub(const char *command, size_t len, const char *word,
                                              size_t word_len)
{
    char key[NAME_MAX_BYTES];
    if (!word_len || len + word_len + 2 > sizeof(key) || memchr(word, ' ', word_len))
        return NULL;
    memcpy(key, command, len);
    key[len] = ' ';
    memcpy(key + len + 1, word, word_len);
    return index_find(key, len + 1 + word_len);
}

/* --- the option words of a row --------------------------------------------------------------------- */
struct spec {
    const char *name; /* first spelling */
    size_t name_len;
    char letter, role, second; /* second: role of another value behind the first, or 0 */
    bool takes, optional;
};

/* How long the name at `at` is. A colon belongs to it, "-filter:v", but where a letter ends the word. */
static size_t name_span(const char *at)
{
    size_t len = strcspn(at, ",=?: ");
    while (at[len] == ':' && at[len + 1] && at[len + 2] && at[len + 2] != ' ')
        len += 1 + strcspn(at + len + 1, ",=?: ");
    return len;
}

/* What stands behind the names of a word, from one of them on. */
static void spec_tail(const char *at, const char *end, struct spec *spec)
{
    for (at += name_span(at); at < end && *at == ','; at += name_span(at))
        at++;
    if (at + 1 < end && (*at == '=' || *at == '?')) {
        spec->takes = true;
        spec->optional = *at == '?';
        spec->role = at[1];
        at += 2;
        if (at < end && *at != ':')
            spec->second = *at++;
    }
    if (at + 1 < end && *at == ':')
        spec->letter = at[1];
}

/* Looks `name` (with its dashes) up; an unambiguous or first abbreviation of a long one counts:
 * where getopt would call it ambiguous, the program refuses to run anyhow. */
static bool spec_find(const char *options, const char *name, size_t len, struct spec *out)
{
    bool is_long = len > 2 && name[0] == '-' && name[1] == '-', found = false;
    for (const char *at = options; at && *at;) {
        while (*at == ' ')
            at++;
        const char *end = at + strcspn(at, " ");
        size_t first_len = name_span(at);
        for (const char *one = at; one < end;) {
            size_t one_len = name_span(one);
            bool exact = one_len == len && !memcmp(one, name, len);
            if (exact ||
                (is_long && !found && len >= 3 && one_len > len && !memcmp(one, name, len))) {
                *out = (struct spec){.name = at, .name_len = first_len};
                spec_tail(one, end, out);
                found = true;
                if (exact)
                    return true;
            }
            if (one[one_len] != ',')
                break;
            one += one_len + 1;
        }
        at = end;
    }
    return found;
}

/* --- telling options from operands ----------------------------------------------------------------- */
struct parser {
    struct sbx_arena *arena;
    struct sbx_use *use;
    const char *options;
    uint32_t at;
};

static struct sbx_value *tail_of(struct sbx_arena *arena, struct sbx_value *word, size_t from)
{
    struct sbx_value *value = sbx_arena_alloc(arena, sizeof(*value));
    if (!value)
        return NULL;
    *value = *word;
    value->next = NULL;
    value->text += from;
    value->len -= (uint32_t)from;
    if (value->mask)
        value->mask += from;
    return value;
}

static void add_option(struct parser *p, const char *name, size_t len, const struct spec *spec,
                       struct sbx_value *value)
{
    p->use->option[p->use->options++] =
        (struct sbx_opt){.name = spec && spec->name ? spec->name : name,
                         .name_len = spec && spec->name ? spec->name_len : len,
                         .letter = spec ? spec->letter : 0,
                         .role = value && spec ? spec->role : 0,
                         .value = value};
}

static struct sbx_value *next_word(struct parser *p)
{
    return p->at + 1 < p->use->words ? p->use->word[++p->at] : NULL;
}

/* The values of an option: what is attached to it, or else the next word; and the word behind that
 * where it takes two. */
static void add_values(struct parser *p, const char *name, size_t len, const struct spec *spec,
                       struct sbx_value *attached)
{
    struct sbx_value *value = attached;
    if (!value && spec->takes && !spec->optional)
        value = next_word(p);
    add_option(p, name, len, spec, value);
    struct sbx_value *second = value && spec->second ? next_word(p) : NULL;
    if (!second)
        return;
    struct spec other = *spec;
    other.role = spec->second;
    add_option(p, name, len, &other, second);
}

static void parse_long(struct parser *p, struct sbx_value *word)
{
    const char *equals = memchr(word->text, '=', word->len);
    size_t len = equals ? (size_t)(equals - word->text) : word->len;
    struct spec spec = {0};
    if (!spec_find(p->options, word->text, len, &spec)) {
        add_option(p, word->text, len, NULL, equals ? tail_of(p->arena, word, len + 1) : NULL);
        return;
    }
    add_values(p, word->text, len, &spec, equals ? tail_of(p->arena, word, len + 1) : NULL);
}

static void parse_cluster(struct parser *p, struct sbx_value *word)
{
    char sign = word->text[0];
    for (size_t i = 1; i < word->len && i < CLUSTER_LETTERS; i++) {
        if (sbx_value_mask(word, i) != SBX_MASK_LITERAL) {
            p->use->has_unknown = true;
            return;
        }
        char name[2] = {sign, word->text[i]};
        struct spec spec = {0};
        bool known = spec_find(p->options, name, 2, &spec);
        if (!known || !spec.takes) {
            char *copy = known ? NULL : sbx_arena_strndup(p->arena, name, 2);
            add_option(p, copy ? copy : name, copy || known ? 2 : 0, known ? &spec : NULL, NULL);
            continue;
        }
        add_values(p, name, 2, &spec, i + 1 < word->len ? tail_of(p->arena, word, i + 1) : NULL);
        return;
    }
}

/* find -name x, java -jar x, terraform -var=x; also -ofile where -o takes a value. */
static void parse_dashlong(struct parser *p, struct sbx_value *word)
{
    const char *equals = memchr(word->text, '=', word->len);
    size_t len = equals ? (size_t)(equals - word->text) : word->len;
    struct spec spec = {0};
    bool known = spec_find(p->options, word->text, len, &spec);
    if (!known && len > 2 && word->text[1] == '-')
        known = spec_find(p->options, word->text + 1, len - 1, &spec);
    if (known) {
        add_values(p, word->text, len, &spec, equals ? tail_of(p->arena, word, len + 1) : NULL);
        return;
    }
    bool letters = p->use->row && (p->use->row->flags & SBX_CMD_CLUSTER) && word->text[1] != '-';
    if (letters && len > 2)
        parse_cluster(p, word);
    else if (len > 2 && spec_find(p->options, word->text, 2, &spec) && spec.takes &&
             spec.name_len == 2)
        add_option(p, word->text, 2, &spec, tail_of(p->arena, word, 2));
    else
        add_option(p, word->text, len, NULL, equals ? tail_of(p->arena, word, len + 1) : NULL);
}

/* tar cf x: letters without a dash, whose values follow in their order. */
static bool parse_old(struct parser *p, struct sbx_value *word)
{
    if (!word->len || word->len > 16 || !sbx_value_known(word))
        return false;
    for (size_t i = 0; i < word->len; i++)
        if (!((word->text[i] >= 'a' && word->text[i] <= 'z') ||
              (word->text[i] >= 'A' && word->text[i] <= 'Z')))
            return false;
    for (size_t i = 0; i < word->len; i++) {
        char name[2] = {'-', word->text[i]};
        struct spec spec = {0};
        bool known = spec_find(p->options, name, 2, &spec);
        char *copy = known ? NULL : sbx_arena_strndup(p->arena, name, 2);
        add_option(p, copy ? copy : name, copy || known ? 2 : 0, known ? &spec : NULL,
                   known && spec.takes && !spec.optional ? next_word(p) : NULL);
    }
    return true;
}

static bool is_option_like(const struct parser *p, const struct sbx_value *word)
{
    if (word->len < 2 || sbx_value_mask(word, 0) != SBX_MASK_LITERAL)
        return false;
    if (word->text[0] == '-')
        return true;
    return word->text[0] == '+' && p->use->row && (p->use->row->flags & SBX_CMD_PLUS) &&
           sbx_value_mask(word, 1) == SBX_MASK_LITERAL && strchr("oOxe", word->text[1]);
}

/* The table has the word as a whole. */
static bool names_option(const char *options, const struct sbx_value *word)
{
    struct spec spec = {0};
    return spec_find(options, word->text, word->len, &spec);
}

static void parse_word(struct parser *p, struct sbx_value *word, uint32_t flags)
{
    if (flags & SBX_CMD_DASHLONG)
        parse_dashlong(p, word);
    else if (word->text[1] == '-')
        parse_long(p, word);
    else if (word->len > 2 && names_option(p->options, word))
        parse_dashlong(p, word); /* vim -es is one option, not two */
    else
        parse_cluster(p, word);
}

bool sbx_use_parse(struct sbx_arena *arena, struct sbx_use *use)
{
    struct parser p = {.arena = arena, .use = use, .at = use->first};
    uint32_t flags = use->row ? use->row->flags : 0, room = 1, operand_at = use->words;
    p.options = use->row && use->row->options ? use->row->options : "";
    for (uint32_t i = use->first; i < use->words; i++)
        room += use->word[i]->len < CLUSTER_LETTERS ? use->word[i]->len + 1 : CLUSTER_LETTERS + 1;
    use->option = sbx_arena_alloc(arena, room * sizeof(*use->option));
    use->operand = sbx_arena_alloc(arena, (use->words + 1) * sizeof(struct sbx_value *));
    if (!use->option || !use->operand)
        return false;
    for (; p.at < use->words; p.at++) {
        struct sbx_value *word = use->word[p.at];
        if (p.at == use->first && (flags & SBX_CMD_OLD) && parse_old(&p, word))
            continue;
        if (!use->has_dashdash && sbx_value_is(word, "--") && !(flags & SBX_CMD_DASHLONG)) {
            use->has_dashdash = true;
            operand_at = operand_at < use->words ? operand_at : p.at + 1;
            if (flags & SBX_CMD_STOP)
                operand_at = p.at + 1;
            continue;
        }
        if (!use->has_dashdash && is_option_like(&p, word)) {
            parse_word(&p, word, flags);
            continue;
        }
        if (!use->operands)
            operand_at = p.at;
        use->operand[use->operands++] = word;
        if (flags & SBX_CMD_STOP)
            use->has_dashdash = true; /* whatever follows is an operand */
    }
    use->operand_at = operand_at;
    return true;
}

/* --- questions ---------------------------------------------------------------------------------------- */
const struct sbx_opt *sbx_use_letter(const struct sbx_use *use, char letter)
{
    for (uint32_t i = use->options; i > 0; i--)
        if (use->option[i - 1].letter == letter)
            return &use->option[i - 1];
    return NULL;
}

static bool option_named(const struct sbx_opt *option, const char *name, size_t len)
{
    if (option->name_len == len)
        return !memcmp(option->name, name, len);
    return option->name_len >= 4 && option->name_len < len && option->name[1] == '-' &&
           !memcmp(option->name, name, option->name_len);
}

const struct sbx_opt *sbx_use_option(const struct sbx_use *use, const char *name)
{
    size_t len = strlen(name);
    for (uint32_t i = use->options; i > 0; i--)
        if (option_named(&use->option[i - 1], name, len))
            return &use->option[i - 1];
    return NULL;
}

bool sbx_use_has(const struct sbx_use *use, const char *names)
{
    for (const char *at = names; *at;) {
        size_t len = strcspn(at, " ");
        for (uint32_t i = 0; i < use->options; i++)
            if (option_named(&use->option[i], at, len))
                return true;
        at += len + (at[len] == ' ');
    }
    return false;
}

/* "n r* w": text first, the last written, what is between is read. */
char sbx_use_role(const struct sbx_use *use, uint32_t at)
{
    const char *spec = use->row ? use->row->operands : NULL;
    if (!spec || !*spec)
        return 'n';
    char roles[16] = {0}, repeat = 0;
    uint32_t before = 0, after = 0;
    for (const char *c = spec; *c && before + after < sizeof(roles); c++) {
        if (*c == ' ')
            continue;
        if (*c == '*') {
            repeat = roles[--before];
            continue;
        }
        if (repeat)
            roles[before + after++] = *c;
        else
            roles[before++] = *c;
    }
    if (after && use->operands > before && at >= use->operands - after)
        return roles[before + (at - (use->operands - after))];
    if (at < before)
        return roles[at];
    return repeat ? repeat : 'n';
}

bool sbx_use_is_question(const struct sbx_use *use)
{
    static const char *const questions[] = {"--version", "--help", "-V",      "-h",  "-?",
                                            "-version",  "-help",  "version", "help"};
    if (use->words != use->first + 1)
        return false;
    for (size_t i = 0; i < sizeof(questions) / sizeof(*questions); i++)
        if (sbx_value_is(use->word[use->first], questions[i]))
            return true;
    return false;
}
