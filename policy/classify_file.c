/* Files: what is lost, copied, linked, packed. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <stdlib.h>
#include <string.h>

static const char *option_text(const struct sbx_use *use, const char *name)
{
    const struct sbx_opt *option = sbx_use_option(use, name);
    return option && option->value ? option->value->text : NULL;
}

/* --- losing ----------------------------------------------------------------------------------------------------- */
void sbx_check_rm(struct sbx_judge *j, struct sbx_use *use)
{
    if (!sbx_use_letter(use, 'r'))
        return;
    for (uint32_t i = 0; i < use->operands; i++)
        (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_DELETE_TREE);
}

void sbx_check_shred(struct sbx_judge *j, struct sbx_use *use)
{
    for (uint32_t i = 0; i < use->operands; i++)
        (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_DELETE);
}

void sbx_check_truncate(struct sbx_judge *j, struct sbx_use *use)
{
    for (uint32_t i = 0; i < use->operands; i++) {
        char path[SBX_PATH_BYTES];
        if (sbx_path_of(j, use->operand[i], path, sizeof(path)) && sbx_path_in_work(j, path) &&
            !strstr(path, "/.git/"))
            continue;
        (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_DELETE);
    }
}

void sbx_check_touch(struct sbx_judge *j, struct sbx_use *use)
{
    (void)j;
    use->out->is_set = true;
    use->out->taint = 0;
}

void sbx_check_device(struct sbx_judge *j, struct sbx_use *use)
{
    const char *name = use->name;
    bool lists = sbx_use_letter(use, 'l') || !strcmp(name, "lsblk") || !strcmp(name, "findmnt") ||
                 !strcmp(name, "mountpoint") || !strcmp(name, "blkid");
    if (!strcmp(name, "fuser") && sbx_use_letter(use, 'k')) {
        for (uint32_t i = 0; i < use->operands; i++)
            (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_WRITE);
        return;
    }
    if (!strcmp(name, "lsof") || !strcmp(name, "fuser") || sbx_use_is_question(use))
        return;
    if (!strcmp(name, "mknod") && use->operands > 1 && !sbx_value_is(use->operand[1], "p")) {
        sbx_find(j, SBX_DENY, SBX_CLASS_DEVICE_WRITE, "a device node",
                 "devices belong to the operator");
        return;
    }
    if (!strcmp(name, "swapon") || !strcmp(name, "lvm"))
        return;
    bool touched = false;
    for (uint32_t i = 0; i < use->operands; i++) {
        char path[SBX_PATH_BYTES];
        if (!sbx_path_of(j, use->operand[i], path, sizeof(path)))
            continue;
        bool device = sbx_path_below(path, "/dev") && !sbx_path_in_work(j, path);
        if (device && !lists)
            sbx_find(j, SBX_DENY, SBX_CLASS_DEVICE_WRITE, "work on a device",
                     "work on an image file in the workspace instead of a device");
        touched |= device || memchr(use->operand[i]->text, '/', use->operand[i]->len) ||
                   memchr(use->operand[i]->text, '.', use->operand[i]->len);
    }
    static const char *const always[] = {
        "pv",        "vg",      "lv",       "zpool",    "zfs",    "mdadm",  "btrfs",
        "partprobe", "flash",   "nvme",     "ipmitool", "eject",  "chvt",   "openvt",
        "loadkeys",  "setleds", "fwupdmgr", "wrmsr",    "devmem", "setpci", "fstrim"};
    for (size_t i = 0; i < sizeof(always) / sizeof(*always) && !touched && !lists; i++)
        if (!strncmp(name, always[i], strlen(always[i])) && use->operands &&
            !strstr(name, "display") && name[2] != 's' && !sbx_value_is(use->operand[0], "list") &&
            !sbx_value_is(use->operand[0], "status") && !sbx_value_is(use->operand[0], "get"))
            sbx_find(j, SBX_DENY, SBX_CLASS_DEVICE_WRITE, "disk administration",
                     "disks belong to the operator; use an image file in the workspace");
}

static bool is_set_id(const char *mode)
{
    size_t len = strlen(mode);
    if (len && strspn(mode, "01234567") == len)
        return len >= 4 && strchr("24", mode[len - 4]) != NULL
                   ? true
                   : len >= 4 && strchr("67", mode[len - 4]) != NULL;
    const char *plus = strpbrk(mode, "+=");
    return plus && strchr(plus, 's') && !strstr(mode, "-s");
}

/* --- copying and moving ------------------------------------------------------------------------------------------ */
static const struct sbx_value *destination(const struct sbx_use *use, uint32_t *sources)
{
    const struct sbx_opt *into = sbx_use_option(use, "-t");
    *sources = use->operands;
    if (into && into->value)
        return into->value;
    if (use->operands < 2)
        return NULL;
    *sources = use->operands - 1;
    return use->operand[use->operands - 1];
}

/* What was copied or linked keeps its meaning under the new name. */
static void remember_copy(struct sbx_judge *j, const struct sbx_value *source,
                          const struct sbx_value *to)
{
    char from[SBX_PATH_BYTES], path[SBX_PATH_BYTES], inside[SBX_PATH_BYTES];
    if (!sbx_path_of(j, source, from, sizeof(from)) || !sbx_path_of(j, to, path, sizeof(path)))
        return;
    const char *base = strrchr(from, '/') + 1;
    size_t path_len = strlen(path), base_len = strlen(base);
    struct sbx_made *made = sbx_made_find(j, from);
    const char *program = NULL;
    if (sbx_command_find(base, base_len) &&
        (!strncmp(from, "/bin/", 5) || !strncmp(from, "/usr/", 5) || !strncmp(from, "/sbin/", 6)))
        program = sbx_arena_strndup(&j->arena, base, base_len);
    if (!made && !program)
        return;
    sbx_made_add(j, path, made ? made->text : NULL, made ? made->taint : 0,
                 made ? made->copy_of : program);
    if (path_len + base_len + 2 <= sizeof(inside)) {
        memcpy(inside, path, path_len);
        inside[path_len] = '/';
        memcpy(inside + path_len + 1, base, base_len + 1);
        sbx_made_add(j, inside, made ? made->text : NULL, made ? made->taint : 0,
                     made ? made->copy_of : program);
    }
}

/* cp x ~/.bashrc names the file, cp .bashrc ~ does too: the destination may be a folder. */
static void check_into(struct sbx_judge *j, const struct sbx_value *source,
                       const struct sbx_value *to)
{
    char path[SBX_PATH_BYTES];
    const char *slash = strrchr(source->text, '/');
    const char *base = slash ? slash + 1 : source->text;
    if (!*base || !sbx_path_of(j, to, path, sizeof(path)) || !sbx_value_known(source))
        return;
    if (strcmp(path, j->home) != 0 && strcmp(base, ".git") != 0 && !sbx_path_below(path, j->home))
        return;
    struct sbx_text text = {.arena = &j->arena};
    sbx_text_append(&text, to);
    sbx_text_put(&text, "/", 1, SBX_MASK_LITERAL);
    sbx_text_put(&text, base, strlen(base), SBX_MASK_LITERAL);
    struct sbx_value *value = sbx_text_value(&text, to->span);
    if (value && (base[0] == '.' || sbx_path_in_work(j, path)))
        (void)sbx_check_path(j, value, SBX_ACCESS_WRITE);
    sbx_classify_written(j, value ? value->text : "", NULL);
}

void sbx_check_cp(struct sbx_judge *j, struct sbx_use *use)
{
    uint32_t sources = 0;
    const struct sbx_value *to = destination(use, &sources);
    bool tree = sbx_use_letter(use, 'r') || sbx_use_letter(use, 'a');
    const struct sbx_opt *mode = sbx_use_option(use, "-m");
    if (use->name[0] == 'i') {
        if (mode && mode->value && is_set_id(mode->value->text))
            sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "a set-id mode",
                     "set-id programs do not work here");
        if (sbx_use_letter(use, 'd')) /* install -d: all are folders to be made */
            return;
    }
    if (!to)
        return;
    for (uint32_t i = 0; i < sources; i++) {
        if (tree)
            (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_READ_TREE);
        check_into(j, use->operand[i], to);
        remember_copy(j, use->operand[i], to);
    }
    if (sbx_use_letter(use, 'P') && mode)
        return;
}

void sbx_check_mv(struct sbx_judge *j, struct sbx_use *use)
{
    uint32_t sources = 0;
    const struct sbx_value *to = destination(use, &sources);
    for (uint32_t i = 0; to && i < sources; i++) {
        check_into(j, use->operand[i], to);
        remember_copy(j, use->operand[i], to);
    }
    if (to && sbx_value_is(to, "/dev/null"))
        sbx_find(j, SBX_ASK, SBX_CLASS_FS_DESTROY, "files moved to nowhere",
                 "delete what you mean by its name");
}

/* ln TARGET NAME: the name is written; a link to a protected place leads there. */
void sbx_check_ln(struct sbx_judge *j, struct sbx_use *use)
{
    uint32_t sources = 0;
    const struct sbx_value *to = destination(use, &sources);
    bool symbolic = sbx_use_letter(use, 's');
    for (uint32_t i = 0; i < sources; i++) {
        const struct sbx_value *source = use->operand[i];
        /* A symbolic link is relative to where it lies; only its target counts here. */
        char path[SBX_PATH_BYTES];
        bool absolute = source->len && source->text[0] == '/';
        if (!symbolic || absolute)
            (void)sbx_check_path(j, source, symbolic ? SBX_ACCESS_LIST : SBX_ACCESS_READ);
        if (to) {
            check_into(j, source, to);
            remember_copy(j, source, to);
        }
        if (symbolic && absolute && to && sbx_path_of(j, source, path, sizeof(path)) &&
            sbx_place_is_protected(j, path))
            sbx_find(j, SBX_DENY, SBX_CLASS_CRED_READ, "a link to a protected place",
                     "link to files of the workspace only");
    }
    if (to)
        (void)sbx_check_path(j, to, SBX_ACCESS_WRITE);
}

void sbx_check_mkdir(struct sbx_judge *j, struct sbx_use *use)
{
    for (uint32_t i = 0; i < use->operands; i++)
        sbx_classify_written(j, use->operand[i]->text, NULL);
}

void sbx_check_dd(struct sbx_judge *j, struct sbx_use *use)
{
    uint32_t taint = use->in ? use->in->taint : 0;
    bool to_file = false;
    for (uint32_t i = 0; i < use->operands; i++) {
        struct sbx_value value = *use->operand[i];
        bool input = !strncmp(value.text, "if=", 3), output = !strncmp(value.text, "of=", 3);
        if (!input && !output)
            continue;
        value.text += 3;
        value.len -= 3;
        value.mask = value.mask ? value.mask + 3 : NULL;
        if (input)
            taint |= sbx_check_path(j, &value, SBX_ACCESS_READ);
        else
            to_file = true, (void)sbx_check_path(j, &value, SBX_ACCESS_WRITE);
    }
    use->out->is_set = true;
    use->out->taint = to_file ? 0 : taint;
}

/* --- modes and owners ----------------------------------------------------------------------------------------------- */
static bool is_wide_open(const char *mode)
{
    size_t len = strlen(mode);
    if (len && strspn(mode, "01234567") == len) {
        char last = mode[len - 1];
        return strchr("2367", last) || strspn(mode, "0") == len;
    }
    return strstr(mode, "o+w") || strstr(mode, "a+w") || strstr(mode, "o=rw") ||
           strstr(mode, "a=rw") || strstr(mode, "ugo+w") || strstr(mode, "a+rw") ||
           strstr(mode, "o+rw") || !strcmp(mode, "a-rwx") || !strcmp(mode, "ugo=") ||
           !strcmp(mode, "a=");
}

void sbx_check_chmod(struct sbx_judge *j, struct sbx_use *use)
{
    bool tree = sbx_use_letter(use, 'r');
    bool chown = !strncmp(use->name, "chown", 5) || !strcmp(use->name, "chgrp");
    bool chmod = !strcmp(use->name, "chmod");
    const char *first = use->operands ? use->operand[0]->text : "";
    /* chmod -w file: the mode looks like an option. */
    bool mode_is_option =
        chmod && use->options && use->operands == 1 && !sbx_use_option(use, "--reference");
    bool all = mode_is_option || sbx_use_option(use, "--reference") || !strcmp(use->name, "chattr");
    for (uint32_t i = all ? 0 : 1; i < use->operands; i++)
        if (!strchr("+-=", use->operand[i]->text[0]))
            (void)sbx_check_path(j, use->operand[i], tree ? SBX_ACCESS_PERM_TREE : SBX_ACCESS_PERM);
    if (!strcmp(use->name, "setfattr") &&
        strstr(option_text(use, "-n") ? option_text(use, "-n") : "", "capability"))
        sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "file capabilities",
                 "programs gain no rights here");
    if (chmod && is_set_id(first))
        sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "a set-id mode",
                 "set-id programs do not work here");
    if (chmod && tree && is_wide_open(first))
        sbx_find(j, SBX_ASK, SBX_CLASS_PERM_CHANGE, "everything open, or closed, to everybody",
                 "give rights to the files that need them: chmod u+w, go+r");
    size_t name = strcspn(first, ":.");
    bool own = !name || (name == strlen(j->account) && !strncmp(first, j->account, name));
    if (chown && use->operands && !own && !sbx_use_option(use, "--reference") &&
        strcmp(use->name, "chgrp") != 0 && sbx_value_known(use->operand[0]))
        sbx_find(j, SBX_ASK, SBX_CLASS_PERM_CHANGE, "another owner",
                 "files stay with this account");
}

/* --- find ------------------------------------------------------------------------------------------------------------- */
struct search {
    struct sbx_judge *j;
    struct sbx_use *use;
    bool narrow, hunts, contents;
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
                s.hunts |= find_words[k].narrows && i + 1 < use->words &&
                           find_words[k].takes == 'n' && sbx_is_key_name(use->word[i + 1]->text);
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
        sbx_find(j, s.contents ? SBX_DENY : SBX_ASK, SBX_CLASS_CRED_READ, "a search for keys",
                 "name the project's folders to search in");
    if (!use->out->text && s.roots.count == 1 && !s.contents)
        use->out->text = found_name(&s, s.roots.first);
    use->out->taint |= SBX_TAINT_LIST | (s.narrow ? (uint32_t)SBX_TAINT_NARROW : 0);
}

void sbx_check_fd(struct sbx_judge *j, struct sbx_use *use)
{
    bool narrow =
        use->operands > 0 || sbx_use_has(use, "-e --extension -S --size --changed-within -g");
    for (uint32_t i = 0; i < use->options; i++) {
        if (use->option[i].role != 'C' || !use->option[i].value)
            continue;
        uint32_t at = use->first;
        while (at < use->words && use->word[at] != use->option[i].value)
            at++;
        if (at >= use->words)
            continue;
        struct sbx_value **words =
            sbx_arena_alloc(&j->arena, (use->words - at + 1) * sizeof(*words));
        if (!words)
            return;
        uint32_t n = 0;
        for (; at < use->words && !sbx_value_is(use->word[at], ";"); at++)
            if (!sbx_value_is(use->word[at], "{}"))
                words[n++] = use->word[at];
        words[n] = sbx_value_unknown(&j->arena,
                                     SBX_TAINT_LIST | (narrow ? (uint32_t)SBX_TAINT_NARROW : 0));
        n += words[n] != NULL;
        const struct sbx_flow none = {.is_set = true, .taint = SBX_TAINT_LIST};
        sbx_judge_argv(j, (struct sbx_argv){words, n}, &none, use->out);
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
    if (secret_words && use->in && (use->in->taint & SBX_TAINT_ENV) &&
        !sbx_use_has(use, "-c -q --quiet"))
        sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "secrets of the environment",
                 "programs find their secrets by themselves; no need to print one");
    use->out->is_set = true;
    use->out->taint =
        taint | (use->in && (use->in->taint & SBX_TAINT_LIST) ? (uint32_t)SBX_TAINT_NARROW : 0);
    if (use->in && use->in->text && (use->in->taint & SBX_TAINT_LIST))
        use->out->text = use->in->text;
}

/* --- rsync, tar, zip ------------------------------------------------------------------------------------------------------ */
static bool is_remote_path(const char *text)
{
    const char *colon = strchr(text, ':');
    if (!strncmp(text, "rsync://", 8))
        return true;
    return colon && colon != text && !memchr(text, '/', (size_t)(colon - text));
}

/* The far end of a transfer: `rsync --server [--sender] -vlogDtpre.iLsfxCIvu . PATH…`. The first
 * operand is a placeholder; all others are read by a sender, the one other is written by a receiver. */
static void check_rsync_server(struct sbx_judge *j, struct sbx_use *use)
{
    bool is_sender = use->words > 2 && sbx_value_is(use->word[2], "--sender");
    bool deletes = sbx_use_letter(use, 'd') && !sbx_use_letter(use, 'n');
    for (uint32_t i = 1; i < use->operands; i++) {
        (void)sbx_check_path(j, use->operand[i],
                             is_sender ? SBX_ACCESS_READ_TREE : SBX_ACCESS_WRITE);
        if (!is_sender && deletes)
            (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_DELETE_TREE);
    }
}

void sbx_check_rsync(struct sbx_judge *j, struct sbx_use *use)
{
    if (use->words > 1 && sbx_value_is(use->word[1], "--server")) {
        check_rsync_server(j, use);
        return;
    }
    bool deletes = sbx_use_letter(use, 'd') && !sbx_use_letter(use, 'n'), remote = false;
    for (uint32_t i = 0; i < use->operands; i++) {
        bool last_one = i && i + 1 == use->operands;
        if (is_remote_path(use->operand[i]->text)) {
            remote = true;
            sbx_check_host_value(j, use->operand[i], false);
        } else if (!last_one) {
            (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_READ_TREE);
        } else if (!sbx_use_letter(use, 'n')) {
            (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_WRITE);
        }
    }
    const struct sbx_value *last = use->operands > 1 ? use->operand[use->operands - 1] : NULL;
    if (remote)
        sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "a copy to or from another machine",
                 "copies between machines need approval");
    else if (deletes && last)
        (void)sbx_check_path(j, last, SBX_ACCESS_DELETE_TREE);
    if (sbx_use_letter(use, 's') && !sbx_use_letter(use, 'n'))
        for (uint32_t i = 0; i + 1 < use->operands; i++)
            (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_DELETE_TREE);
}

/* What comes out of an archive that was just downloaded was downloaded as well. */
static void mark_archive(struct sbx_judge *j, const struct sbx_use *use,
                         const struct sbx_value *file, const struct sbx_value *into)
{
    char path[SBX_PATH_BYTES];
    uint32_t taint = use->in ? use->in->taint : 0;
    struct sbx_made *made =
        file && sbx_path_of(j, file, path, sizeof(path)) ? sbx_made_find(j, path) : NULL;
    if (made)
        taint |= made->taint;
    if (!(taint & SBX_TAINT_NET))
        return;
    if (into ? sbx_path_of(j, into, path, sizeof(path)) : *j->cwd) {
        if (!into)
            memcpy(path, j->cwd, strlen(j->cwd) + 1);
        sbx_made_add(j, path, NULL, SBX_TAINT_NET, NULL);
    }
}

void sbx_check_tar(struct sbx_judge *j, struct sbx_use *use)
{
    bool extract = sbx_use_letter(use, 'x') || use->name[0] == 'u';
    bool create = sbx_use_letter(use, 'c') || sbx_use_letter(use, 'a');
    const struct sbx_opt *file = sbx_use_option(use, "-f");
    const struct sbx_opt *into = sbx_use_option(use, "-C");
    uint32_t taint = use->in ? use->in->taint : 0;
    if (use->name[0] == 'u') {
        const struct sbx_opt *dir = sbx_use_option(use, "-d");
        if (sbx_use_has(use, "-l -p -t -v -Z") || use->name[3] != 'i')
            return;
        if (dir && dir->value)
            mark_archive(j, use, use->operands ? use->operand[0] : NULL, dir->value);
        else
            mark_archive(j, use, use->operands ? use->operand[0] : NULL, NULL);
        return;
    }
    char old_cwd[SBX_PATH_BYTES];
    memcpy(old_cwd, j->cwd, strlen(j->cwd) + 1);
    if (file && file->value && !sbx_value_is(file->value, "-")) {
        if (create)
            (void)sbx_check_path(j, file->value, SBX_ACCESS_WRITE);
        else
            taint |= sbx_check_path(j, file->value, SBX_ACCESS_READ);
    }
    if (into && into->value) {
        if (extract)
            (void)sbx_check_path(j, into->value, SBX_ACCESS_WRITE);
        sbx_chdir(j, into->value);
    }
    for (uint32_t i = 0; create && i < use->operands; i++)
        taint |= sbx_check_path(j, use->operand[i], SBX_ACCESS_READ_TREE);
    for (uint32_t i = 0; create && sbx_use_letter(use, 'R') && i < use->operands; i++)
        (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_DELETE_TREE);
    for (uint32_t i = 0; extract && i < use->operands; i++)
        sbx_classify_written(j, use->operand[i]->text, NULL);
    memcpy(j->cwd, old_cwd, strlen(old_cwd) + 1);
    if (extract && sbx_use_letter(use, 'P'))
        sbx_find(j, SBX_ASK, SBX_CLASS_PATH, "an archive unpacked to the places it names",
                 "unpack without -P, below the workspace");
    if (extract)
        mark_archive(j, use, file ? file->value : NULL, into ? into->value : NULL);
    use->out->is_set = true;
    use->out->taint = taint | (create ? (uint32_t)SBX_TAINT_FILE : 0);
}

void sbx_check_zip(struct sbx_judge *j, struct sbx_use *use)
{
    if (sbx_use_letter(use, 'm'))
        for (uint32_t i = 1; i < use->operands; i++)
            (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_DELETE_TREE);
}

/* cpio takes the names of what it packs from its input. */
void sbx_check_cpio(struct sbx_judge *j, struct sbx_use *use)
{
    const struct sbx_value *names = use->in ? use->in->text : NULL;
    bool packs = sbx_use_letter(use, 'c') || sbx_use_letter(use, 'p');
    for (size_t at = 0; packs && names && at < names->len;) {
        size_t len = strcspn(names->text + at, "\n");
        struct sbx_value *name = sbx_value_new(&j->arena, names->text + at, len);
        if (name && len && sbx_value_known(names))
            (void)sbx_check_path(j, name, SBX_ACCESS_READ);
        at += len + 1;
    }
    if (sbx_use_letter(use, 'x') && !sbx_use_letter(use, 't') && !sbx_use_has(use, "--to-stdout")) {
        struct sbx_value *here = sbx_value_new(&j->arena, "x", 1);
        if (here && *j->cwd)
            (void)sbx_check_path(j, here, SBX_ACCESS_WRITE);
    }
}
