/* Archives and copies of trees: tar, zip, cpio, rsync. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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

/* x and x/ as x/. */
const struct sbx_value *sbx_contents_of(struct sbx_judge *j, const struct sbx_value *folder)
{
    struct sbx_text text = {.arena = &j->arena};
    sbx_text_append(&text, folder);
    bool slash = folder->len && folder->text[folder->len - 1] == '/';
    sbx_text_put(&text, slash ? "." : "/.", slash ? 1 : 2, SBX_MASK_LITERAL);
    const struct sbx_value *value = sbx_text_value(&text, folder->span);
    return value ? value : folder;
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
    /* x.git/ is what lies in it. */
    for (uint32_t i = 0; last && !sbx_use_letter(use, 'n') && i + 1 < use->operands; i++)
        if (sbx_like("*.git/", use->operand[i]->text))
            sbx_check_planted(j, sbx_contents_of(j, use->operand[i]), last);
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

/* Members named one by one come out below the folder. */
static void check_members(struct sbx_judge *j, const struct sbx_use *use, uint32_t first,
                          const struct sbx_value *into)
{
    for (uint32_t i = first; i < use->operands; i++) {
        struct sbx_text text = {.arena = &j->arena};
        if (sbx_value_has(use->operand[i], SBX_MASK_GLOB) || strpbrk(use->operand[i]->text, "*?"))
            continue;
        if (into) {
            sbx_text_append(&text, into);
            sbx_text_put(&text, "/", 1, SBX_MASK_LITERAL);
        }
        sbx_text_append(&text, use->operand[i]);
        const struct sbx_value *path = sbx_text_value(&text, j->span);
        if (path)
            (void)sbx_check_path(j, path, SBX_ACCESS_WRITE);
    }
}

/* tar -T LIST: each line of it, where it is known. */
static uint32_t check_list(struct sbx_judge *j, const struct sbx_use *use, bool create)
{
    const struct sbx_opt *list = create ? sbx_use_option(use, "-T") : NULL;
    const struct sbx_value *names =
        list && list->value ? sbx_script_text(j, use, list->value) : NULL;
    uint32_t taint = 0;
    for (size_t at = 0; names && at < names->len;) {
        size_t len = strcspn(names->text + at, "\n");
        const struct sbx_value *name = sbx_value_new(&j->arena, names->text + at, len);
        if (name && len)
            taint |= sbx_check_path(j, name, SBX_ACCESS_READ_TREE);
        at += len + 1;
    }
    return taint;
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
        check_members(j, use, 1, dir ? dir->value : NULL);
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
    taint |= check_list(j, use, create);
    for (uint32_t i = 0; create && sbx_use_letter(use, 'R') && i < use->operands; i++)
        (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_DELETE_TREE);
    bool piped = create && (!file || (file->value && sbx_value_is(file->value, "-")));
    for (uint32_t i = 0; (extract || piped) && i < use->operands; i++)
        sbx_classify_written(j, use->operand[i]->text, NULL);
    if (extract)
        check_members(j, use, 0, NULL);
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

/* 7z a -sdel, rar a -df, rar m: what went into the archive is deleted. */
void sbx_check_sevenzip(struct sbx_judge *j, struct sbx_use *use)
{
    bool moves = sbx_use_letter(use, 'd') || sbx_operand_is(use, 0, "m");
    for (uint32_t i = 2; moves && i < use->operands; i++)
        (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_DELETE_TREE);
}
