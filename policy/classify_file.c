/* Files: what is lost, copied, linked, opened to others. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <ctype.h>
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
    const struct sbx_opt *size = sbx_use_option(use, use->name[0] == 'f' ? "-l" : "-s");
    bool by_operand = strstr(use->name, "mkfile") && use->operands;
    const struct sbx_value *bytes = by_operand ? use->operand[0] : size ? size->value : NULL;
    if (bytes && sbx_is_huge_size(bytes))
        sbx_find_endless_file(j);
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

/* Pools and volumes have names with slashes in them that are no paths. */
static bool changes_volumes(struct sbx_judge *j, const struct sbx_use *use)
{
    static const char *const verbs[] = {
        "destroy",  "rollback",   "create",  "receive", "recv",       "set",
        "rename",   "inherit",    "promote", "mount",   "unmount",    "umount",
        "share",    "unshare",    "export",  "import",  "labelclear", "offline",
        "detach",   "attach",     "replace", "remove",  "add",        "upgrade",
        "load-key", "change-key", "allow",   "trim",    "initialize"};
    if (!strcmp(use->name, "zfs") || !strcmp(use->name, "zpool"))
        return SBX_OPERAND_IN(use, 0, verbs) && !sbx_use_has(use, "-n");
    if (!strcmp(use->name, "flashrom"))
        return sbx_use_has(use, "-w --write -E --erase");
    if (!strcmp(use->name, "btrfs") && sbx_operand_is(use, 1, "delete"))
        for (uint32_t i = 2; i < use->operands; i++)
            (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_DELETE_TREE);
    return false;
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
    if (changes_volumes(j, use))
        sbx_find(j, SBX_DENY, SBX_CLASS_DEVICE_WRITE, "disk administration",
                 "disks belong to the operator; use an image file in the workspace");
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
    for (size_t i = 0; i < sizeof(always) / sizeof(*always) &&
                       (!touched || name[1] == 'v' || name[1] == 'g') && !lists;
         i++)
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

const char *sbx_made_program(struct sbx_judge *j, const char *path)
{
    const struct sbx_made *made = sbx_made_find(j, path);
    const char *base = strrchr(path, '/') + 1;
    if (made)
        return made->copy_of;
    bool system =
        !strncmp(path, "/bin/", 5) || !strncmp(path, "/usr/", 5) || !strncmp(path, "/sbin/", 6);
    return system && sbx_command_find(base, strlen(base))
               ? sbx_arena_strndup(&j->arena, base, strlen(base))
               : NULL;
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
    const char *program = sbx_made_program(j, from);
    if (!made && !program)
        return;
    sbx_made_add(j, path, made ? made->text : NULL, made ? made->taint : 0, program);
    if (path_len + base_len + 2 <= sizeof(inside)) {
        memcpy(inside, path, path_len);
        inside[path_len] = '/';
        memcpy(inside + path_len + 1, base, base_len + 1);
        sbx_made_add(j, inside, made ? made->text : NULL, made ? made->taint : 0, program);
    }
}

/* All that is in a .git, copied to here, makes a repository of a folder that is none. */
void sbx_check_planted(struct sbx_judge *j, const struct sbx_value *source,
                       const struct sbx_value *to)
{
    static const char *const names[] = {"HEAD", "config", "refs", "objects", "hooks"};
    const char *git = strstr(source->text, ".git/");
    const char *last = strrchr(to->text, '/'), *base = last && last[1] ? last + 1 : to->text;
    if (!git || !strcmp(base, ".git") || strstr(to->text, ".git/"))
        return;
    size_t at = (size_t)(git - source->text) + 5;
    bool found = at < source->len && sbx_mask_unknown(sbx_value_mask(source, at)); /* find x.git */
    if (found || sbx_value_has(source, SBX_MASK_GLOB) || !strcmp(git, ".git/."))
        sbx_find(j, SBX_DENY, SBX_CLASS_PLANTED_REPO, "a repository made by hand",
                 "use git clone or git init in a folder of its own");
    /* One part today, the next one tomorrow. */
    bool here = !strcmp(to->text, ".") || !strcmp(to->text, "./");
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (!strcmp(git + 5, names[i]) && (here || !strcmp(base, names[i])))
            sbx_find(j, SBX_ASK, SBX_CLASS_PLANTED_REPO, "a part of a repository put into place",
                     "use git clone or git init in a folder of its own");
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
        sbx_check_planted(j, use->operand[i], to);
        if (tree && sbx_use_letter(use, 'T') && sbx_like("*.git", use->operand[i]->text))
            sbx_check_planted(j, sbx_contents_of(j, use->operand[i]), to);
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
        sbx_check_planted(j, use->operand[i], to);
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
            sbx_check_planted(j, source, to);
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
    bool to_file = false, to_known = false;
    const char *count = NULL, *block = NULL;
    bool endless = use->in && use->in->endless;
    char from[SBX_PATH_BYTES], to[SBX_PATH_BYTES];
    const char *program = use->in ? use->in->copy_of : NULL;
    for (uint32_t i = 0; i < use->operands; i++) {
        struct sbx_value value = *use->operand[i];
        const char *equals = memchr(value.text, '=', value.len);
        uint32_t key = equals ? (uint32_t)(equals - value.text) + 1 : 0;
        bool input = !strncmp(value.text, "if=", 3);
        bool output = !strncmp(value.text, "of=", 3) || !strncmp(value.text, "hof=", 4) ||
                      !strncmp(value.text, "wipe=", 5);
        if (!strncmp(value.text, "count=", 6))
            count = value.text + key;
        if (!strncmp(value.text, "bs=", 3) || !strncmp(value.text, "ibs=", 4))
            block = value.text + key;
        if (!input && !output)
            continue;
        value.text += key;
        value.len -= key;
        value.mask = value.mask ? value.mask + key : NULL;
        if (input)
            taint |= sbx_check_path(j, &value, SBX_ACCESS_READ);
        else
            (void)sbx_check_path(j, &value, SBX_ACCESS_WRITE);
        if (input && sbx_path_of(j, &value, from, sizeof(from)))
            program = sbx_made_program(j, from), endless = sbx_is_endless_source(from);
        if (output)
            to_file = true, to_known = sbx_path_of(j, &value, to, sizeof(to));
    }
    endless = endless && (!count || sbx_is_huge_count(block, count));
    use->out->endless = endless && !to_file;
    if (to_known && endless && (strncmp(to, "/dev/", 5) != 0 || sbx_path_below(to, "/dev/shm")))
        sbx_find_endless_file(j);
    if (to_known && program)
        sbx_made_add(j, to, NULL, 0, program);
    use->out->copy_of = to_file ? NULL : program;
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
    const char *attribute = option_text(use, "-n");
    if (!strcmp(use->name, "setfattr") && attribute && strstr(attribute, "capability"))
        sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "file capabilities",
                 "programs gain no rights here");
    if (chmod && is_set_id(first))
        sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "a set-id mode",
                 "set-id programs do not work here");
    for (uint32_t i = 1; i < use->operands; i++)
        tree |= (use->operand[i]->taint & (SBX_TAINT_LIST | SBX_TAINT_NARROW)) == SBX_TAINT_LIST;
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
