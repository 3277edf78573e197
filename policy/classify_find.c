/* find, fd, grep: what a search reaches and what is done with it. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- find ------------------------------------------------------------------------------------------------------------- */
struct search {
    struct sbx_judge *j;
    struct sbx_use *use;
    bool narrow, hunts, contents, in_keys;
    struct sbx_values roots;
};

static const struct {
    const char *name;
    char takes; /* n: one word, w: file written, r: file read, C: a command, d: deletes, 0: none */
    bool narrows;
} find_words[] = {
    {"-name",        'n', true },
    {"-iname",       'n', true },
    {"-path",        'n', true },
    {"-ipath",       'n', true },
    {"-wholename",   'n', true },
    {"-regex",       'n', true },
    {"-iregex",      'n', true },
    {"-lname",       'n', true },
    {"-size",        'n', true },
    {"-mtime",       'n', true },
    {"-mmin",        'n', true },
    {"-atime",       'n', true },
    {"-amin",        'n', true },
    {"-ctime",       'n', true },
    {"-cmin",        'n', true },
    {"-newer",       'l', true },
    {"-anewer",      'l', true },
    {"-cnewer",      'l', true },
    {"-newermt",     'n', true },
    {"-empty",       0,   true },
    {"-inum",        'n', true },
    {"-samefile",    'l', true },
    {"-used",        'n', true },
    {"-perm",        'n', true },
    {"-user",        'n', false},
    {"-group",       'n', false},
    {"-uid",         'n', false},
    {"-gid",         'n', false},
    {"-type",        'n', false},
    {"-xtype",       'n', false},
    {"-maxdepth",    'n', false},
    {"-mindepth",    'n', false},
    {"-fstype",      'n', false},
    {"-links",       'n', false},
    {"-printf",      'n', false},
    {"-regextype",   'n', false},
    {"-D",           'n', false},
    {"-fprint",      'w', false},
    {"-fprint0",     'w', false},
    {"-fls",         'w', false},
    {"-fprintf",     'W', false},
    {"-files0-from", 'r', false},
    {"-delete",      'd', false},
    {"-exec",        'C', false},
    {"-execdir",     'C', false},
    {"-ok",          'C', false},
    {"-okdir",       'C', false},
    {"-context",     'n', false},
};

static struct sbx_value *found_name(struct search *s, const struct sbx_value *root)
{
    struct sbx_text text = {.arena = &s->j->arena};
    sbx_text_append(&text, root);
    if (text.len && text.text[text.len - 1] != '/')
        sbx_text_put(&text, "/", 1, SBX_MASK_LITERAL);
    sbx_text_unknown(&text, SBX_MASK_NONEMPTY,
                     SBX_TAINT_LIST | (s->narrow ? (uint32_t)SBX_TAINT_NARROW : 0));
    return sbx_text_value(&text, root->span);
}

static void find_exec(struct search *s, uint32_t from, uint32_t to)
{
    struct sbx_judge *j = s->j;
    for (struct sbx_value *root = s->roots.first; root; root = root->next) {
        struct sbx_value **words = sbx_arena_alloc(&j->arena, (to - from + 1) * sizeof(*words));
        struct sbx_value *name = found_name(s, root);
        if (!words || !name)
            return;
        uint32_t n = 0;
        for (uint32_t i = from; i < to; i++) {
            struct sbx_value *word = s->use->word[i];
            const char *hit = sbx_value_is(word, "{}") ? word->text : strstr(word->text, "{}");
            if (hit && word->len == 2) {
                words[n++] = name;
            } else if (hit) {
                struct sbx_text text = {.arena = &j->arena};
                struct sbx_value head = *word, tail = *word;
                size_t before = (size_t)(hit - word->text);
                head.len = (uint32_t)before;
                tail.text += before + 2;
                tail.len -= (uint32_t)before + 2;
                tail.mask = tail.mask ? tail.mask + before + 2 : NULL;
                sbx_text_append(&text, &head);
                sbx_text_append(&text, name);
                sbx_text_append(&text, &tail);
                words[n] = sbx_text_value(&text, word->span);
                n += words[n] != NULL;
            } else {
                words[n++] = word;
            }
        }
        struct sbx_flow out = {0};
        sbx_judge_argv(j, (struct sbx_argv){words, n}, NULL, &out);
        s->use->out->taint |= out.taint;
        s->contents = true;
    }
}

static void find_roots(struct search *s, uint32_t *at)
{
    struct sbx_use *use = s->use;
    sbx_values_init(&s->roots);
    while (*at < use->words &&
           (sbx_value_is(use->word[*at], "-H") || sbx_value_is(use->word[*at], "-L") ||
            sbx_value_is(use->word[*at], "-P") || !strncmp(use->word[*at]->text, "-O", 2)))
        (*at)++;
    for (; *at < use->words; (*at)++) {
        const struct sbx_value *word = use->word[*at];
        if (word->len && sbx_value_mask(word, 0) == SBX_MASK_LITERAL &&
            strchr("-(!),", word->text[0]))
            break;
        struct sbx_value *copy = sbx_arena_alloc(&s->j->arena, sizeof(*copy));
        if (!copy)
            return;
        *copy = *word;
        sbx_values_add(&s->roots, copy);
        (void)sbx_check_path(s->j, word, SBX_ACCESS_LIST);
    }
    if (!s->roots.first)
        sbx_values_add(&s->roots, sbx_value_new(&s->j->arena, ".", 1));
}

static void find_action(struct search *s, char takes, uint32_t *at)
{
    struct sbx_use *use = s->use;
    struct sbx_judge *j = s->j;
    if (takes == 'd') {
        for (struct sbx_value *root = s->roots.first; root; root = root->next) {
            struct sbx_value *target = s->narrow ? found_name(s, root) : root;
            if (target)
                (void)sbx_check_path(j, target, SBX_ACCESS_DELETE_TREE);
        }
        return;
    }
    if (takes == 'C') {
        uint32_t end = *at + 1;
        while (end < use->words && !sbx_value_is(use->word[end], ";") &&
               !sbx_value_is(use->word[end], "+") && !sbx_value_is(use->word[end], "\\;"))
            end++;
        if (end > *at + 1)
            find_exec(s, *at + 1, end);
        *at = end;
        return;
    }
    if (*at + 1 >= use->words)
        return;
    const struct sbx_value *value = use->word[++*at];
    if (takes == 'w' || takes == 'W')
        (void)sbx_check_path(j, value, SBX_ACCESS_WRITE);
    else if (takes == 'r' || takes == 'l')
        (void)sbx_check_path(j, value, takes == 'r' ? SBX_ACCESS_READ : SBX_ACCESS_LIST);
    if (takes == 'W')
        (*at)++;
}

static bool root_reaches_home(struct search *s)
{
    char path[SBX_PATH_BYTES];
    for (struct sbx_value *root = s->roots.first; root; root = root->next)
        if (sbx_path_of(s->j, root, path, sizeof(path)) && sbx_path_below(s->j->home, path))
            return true;
    return false;
}

/* Whether what -exec runs shows contents. */
static bool shows_contents(const struct sbx_use *use)
{
    for (uint32_t i = use->first; i + 1 < use->words; i++)
        if (sbx_value_is(use->word[i], "-exec") || sbx_value_is(use->word[i], "-execdir")) {
            const struct sbx_value *tool = use->word[i + 1];
            const struct sbx_command_row *row = sbx_command_find(tool->text, tool->len);
            return row && (row->flags & SBX_CMD_FILTER);
        }
    return false;
}

/* find . -name '.env*' -exec cat {} +: what the pattern can match, in the folder that is searched. */
static void check_found_credentials(struct search *s)
{
    const struct sbx_use *use = s->use;
    for (uint32_t i = use->first; shows_contents(use) && i + 1 < use->words; i++) {
        bool negated = i > use->first && (sbx_value_is(use->word[i - 1], "!") ||
                                          sbx_value_is(use->word[i - 1], "-not"));
        if (negated || !sbx_is_key_name(use->word[i + 1]->text) ||
            (!sbx_value_is(use->word[i], "-name") && !sbx_value_is(use->word[i], "-iname")))
            continue;
        struct sbx_text path = {.arena = &s->j->arena};
        sbx_text_append(&path, s->roots.first);
        sbx_text_put(&path, "/", 1, SBX_MASK_LITERAL);
        sbx_text_append(&path, use->word[i + 1]);
        struct sbx_value *value = sbx_text_value(&path, s->j->span);
        if (value)
            sbx_mark_globs(s->j, value);
        if (value)
            (void)sbx_check_path(s->j, value, SBX_ACCESS_READ);
    }
}

void sbx_check_find(struct sbx_judge *j, struct sbx_use *use)
{
    struct search s = {.j = j, .use = use};
    uint32_t at = 1;
    use->out->is_set = true;
    if (use->name[0] == 'f' && use->name[1] == 'd') {
        sbx_check_fd(j, use);
        return;
    }
    find_roots(&s, &at);
    /* Tests count wherever they stand but after -o; one look ahead is what a deletion needs. */
    bool alternative = false;
    for (uint32_t i = at; i < use->words; i++)
        for (size_t k = 0; k < sizeof(find_words) / sizeof(*find_words); k++)
            if (sbx_value_is(use->word[i], find_words[k].name)) {
                bool all =
                    find_words[k].takes == 'n' && i + 1 < use->words &&
                    (sbx_value_is(use->word[i + 1], "*") || sbx_value_is(use->word[i + 1], ".*"));
                s.narrow |= find_words[k].narrows && !all;
                const char *value = i + 1 < use->words ? use->word[i + 1]->text : "";
                bool keys =
                    strstr(value, ".ssh/") || strstr(value, ".gnupg/") || strstr(value, ".aws/");
                s.in_keys |= find_words[k].narrows && keys;
                s.hunts |= find_words[k].narrows && find_words[k].takes == 'n' &&
                           (keys || sbx_is_key_name(value));
            }
    (void)alternative;
    for (; at < use->words; at++) {
        for (size_t k = 0; k < sizeof(find_words) / sizeof(*find_words); k++) {
            if (!sbx_value_is(use->word[at], find_words[k].name))
                continue;
            if (find_words[k].takes)
                find_action(&s, find_words[k].takes, &at);
            break;
        }
    }
    if (s.hunts && root_reaches_home(&s))
        sbx_find(j, s.contents || s.in_keys ? SBX_DENY : SBX_ASK, SBX_CLASS_CRED_READ,
                 "a search for keys", "name the project's folders to search in");
    if (s.contents)
        check_found_credentials(&s);
    if (!use->out->text && s.roots.count == 1 && !s.contents)
        use->out->text = found_name(&s, s.roots.first);
    use->out->taint |= SBX_TAINT_LIST | (s.narrow ? (uint32_t)SBX_TAINT_NARROW : 0);
}

/* fd PATTERN DIR…: "." and "" match every name. */
static bool fd_narrows(const struct sbx_use *use)
{
    static const char *const all[] = {"", ".", ".*", "^", "$", ".+", "*"};
    bool named = use->operands > 0 && !SBX_OPERAND_IN(use, 0, all);
    return named || sbx_use_has(use, "-e --extension -S --size --changed-within --changed-before");
}

/* What it finds below one root, as the last word of the command that it runs. */
static struct sbx_value *fd_found(struct sbx_judge *j, const struct sbx_value *root, bool narrow)
{
    struct sbx_text found = {.arena = &j->arena};
    if (root) {
        sbx_text_append(&found, root);
        sbx_text_put(&found, "/", 1, SBX_MASK_LITERAL);
    }
    sbx_text_unknown(&found, root ? SBX_MASK_NONEMPTY : SBX_MASK_UNKNOWN,
                     SBX_TAINT_LIST | (narrow ? (uint32_t)SBX_TAINT_NARROW : 0));
    return sbx_text_value(&found, j->span);
}

static void fd_exec(struct sbx_judge *j, struct sbx_use *use, uint32_t at,
                    const struct sbx_value *root, bool narrow)
{
    struct sbx_value **words = sbx_arena_alloc(&j->arena, (use->words - at + 1) * sizeof(*words));
    struct sbx_value *found = fd_found(j, root, narrow);
    if (!words || !found)
        return;
    uint32_t n = 0;
    for (; at < use->words && !sbx_value_is(use->word[at], ";"); at++)
        if (!sbx_value_is(use->word[at], "{}"))
            words[n++] = use->word[at];
    words[n++] = found;
    const struct sbx_flow none = {.is_set = true, .taint = SBX_TAINT_LIST};
    sbx_judge_argv(j, (struct sbx_argv){words, n}, &none, use->out);
}

void sbx_check_fd(struct sbx_judge *j, struct sbx_use *use)
{
    bool narrow = fd_narrows(use);
    const struct sbx_opt *base = sbx_use_option(use, "--base-directory");
    const struct sbx_opt *search = sbx_use_option(use, "--search-path");
    for (uint32_t i = 0; i < use->options; i++) {
        if (use->option[i].role != 'C' || !use->option[i].value)
            continue;
        uint32_t at = use->first;
        while (at < use->words && use->word[at] != use->option[i].value)
            at++;
        if (at >= use->words)
            continue;
        /* Roots may follow the command's words only behind a ';'. */
        bool rooted = false;
        for (uint32_t k = 1; k < use->operands; k++) {
            bool in_front = false;
            for (uint32_t w = use->first; w < at; w++)
                in_front |= use->word[w] == use->operand[k];
            if (in_front)
                fd_exec(j, use, at, use->operand[k], narrow);
            rooted |= in_front;
        }
        const struct sbx_value *root = search && search->value ? search->value
                                       : base && base->value   ? base->value
                                                               : NULL;
        if (!rooted)
            fd_exec(j, use, at, root, narrow);
    }
    use->out->taint |= SBX_TAINT_LIST | (narrow ? (uint32_t)SBX_TAINT_NARROW : 0);
}

/* --- grep --------------------------------------------------------------------------------------------------------------- */
void sbx_check_grep(struct sbx_judge *j, struct sbx_use *use)
{
    bool has_pattern = sbx_use_has(use, "-e --regexp -f --file --files");
    bool tree = sbx_use_letter(use, 'r') || use->name[0] == 'r' || use->name[0] == 'a';
    bool hunts = false, secret_words = false;
    uint32_t taint = use->in ? use->in->taint : 0;
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *o = &use->option[i];
        if (o->value && (!strncmp(o->name, "--include", 9) || !strncmp(o->name, "-g", 2)) &&
            sbx_is_key_name(o->value->text))
            hunts = true;
        if (o->value && !strncmp(o->name, "-e", 2))
            secret_words |= sbx_is_secret_word(o->value->text);
    }
    for (uint32_t i = 0; i < use->operands; i++) {
        if (!i && !has_pattern) {
            secret_words |= sbx_is_secret_word(use->operand[i]->text);

            continue;
        }
        taint |= sbx_check_path(j, use->operand[i], tree ? SBX_ACCESS_READ_TREE : SBX_ACCESS_READ);
        char path[SBX_PATH_BYTES];
        if (tree && hunts && sbx_path_of(j, use->operand[i], path, sizeof(path)) &&
            sbx_path_below(j->home, path))
            sbx_find(j, SBX_DENY, SBX_CLASS_CRED_READ, "a search for keys",
                     "name the project's folders to search in");
    }
    if (tree && hunts)
        sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "a search for keys",
                 "name the files that you mean");
    if (secret_words && !sbx_use_has(use, "-c -q --quiet"))
        sbx_find_filtered(j, use);
    use->out->is_set = true;
    use->out->taint =
        taint | (use->in && (use->in->taint & SBX_TAINT_LIST) ? (uint32_t)SBX_TAINT_NARROW : 0);
    if (use->in && use->in->text && (use->in->taint & SBX_TAINT_LIST))
        use->out->text = use->in->text;
}
