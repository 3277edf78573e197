/* git: lost work, addresses, what becomes public. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void find_loss(struct sbx_judge *j, const char *what)
{
    sbx_find(j, SBX_ASK, SBX_CLASS_GIT_DESTROY, what,
             "commit or stash first, or name exactly what may go");
}

/* --- subcommands that lose something --------------------------------------------------------------------------------------- */
void sbx_check_git_reset(struct sbx_judge *j, struct sbx_use *use)
{
    if (sbx_use_letter(use, 'h') || sbx_use_letter(use, 'k'))
        find_loss(j, "git reset that drops work");
}

void sbx_check_git_checkout(struct sbx_judge *j, struct sbx_use *use)
{
    bool creates = sbx_use_has(use, "-b -B --orphan -t --track");
    if (sbx_use_letter(use, 'f'))
        find_loss(j, "git checkout that drops work");
    else if (!creates &&
             (use->has_dashdash ? use->words > use->operand_at
                                : sbx_operand_is(use, 0, ".") || sbx_operand_is(use, 1, ".") ||
                                      use->operands > 1 ||
                                      sbx_use_has(use, "--ours --theirs --pathspec-from-file")))
        find_loss(j, "files taken back from git");
}

void sbx_check_git_switch(struct sbx_judge *j, struct sbx_use *use)
{
    if (sbx_use_letter(use, 'f'))
        find_loss(j, "git switch that drops work");
}

void sbx_check_git_restore(struct sbx_judge *j, struct sbx_use *use)
{
    if (!sbx_use_letter(use, 'S') || sbx_use_letter(use, 'W'))
        find_loss(j, "files taken back from git");
}

void sbx_check_git_clean(struct sbx_judge *j, struct sbx_use *use)
{
    if (!sbx_use_letter(use, 'f') || sbx_use_letter(use, 'n'))
        return;
    find_loss(j, "untracked files deleted by git");
    /* git -C ~ clean -fdx takes the home. */
    struct sbx_value *here = sbx_value_new(&j->arena, ".", 1);
    /* A workspace is often a clone, and loses by it what git does not keep, not itself. */
    bool is_workspace = !strcmp(j->cwd, j->workspace) && strcmp(j->cwd, j->home) != 0;
    for (uint32_t i = 0; i < use->operands; i++)
        if (!is_workspace || (!sbx_operand_is(use, i, ".") && !sbx_operand_is(use, i, "./")))
            (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_DELETE_TREE);
    if (here && !use->operands && *j->cwd && !is_workspace)
        (void)sbx_check_path(j, here, SBX_ACCESS_DELETE_TREE);
}

void sbx_check_git_branch(struct sbx_judge *j, struct sbx_use *use)
{
    if (sbx_use_has(use, "--list --show-current"))
        return; /* git refuses both at once */
    if (sbx_use_letter(use, 'D') || sbx_use_letter(use, 'f') || sbx_use_letter(use, 'M') ||
        sbx_use_letter(use, 'C'))
        find_loss(j, "a branch dropped or moved");
    for (uint32_t i = 0; i < use->operands; i++)
        sbx_classify_public(j, use->operand[i]);
}

void sbx_check_git_stash(struct sbx_judge *j, struct sbx_use *use)
{
    if (sbx_operand_is(use, 0, "drop") || sbx_operand_is(use, 0, "clear"))
        find_loss(j, "a stash dropped");
}

void sbx_check_git_gc(struct sbx_judge *j, struct sbx_use *use)
{
    const struct sbx_opt *prune = sbx_use_letter(use, 'p');
    if (prune && prune->value &&
        (sbx_value_is(prune->value, "now") || sbx_value_is(prune->value, "all")))
        find_loss(j, "unreachable commits dropped");
}

void sbx_check_git_worktree(struct sbx_judge *j, struct sbx_use *use)
{
    if (sbx_operand_is(use, 0, "remove") && sbx_use_letter(use, 'f'))
        find_loss(j, "a work tree dropped");
    if (sbx_operand_is(use, 0, "add"))
        for (uint32_t i = 1; i < use->operands && i < 2; i++) {
            (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_WRITE);
            if (sbx_like("*.git", use->operand[i]->text))
                sbx_find(j, SBX_DENY, SBX_CLASS_PLANTED_REPO, "a work tree named like a repository",
                         "give the folder another name");
        }
}

static bool is_address(const struct sbx_value *word)
{
    const char *text = word->text, *colon = strchr(text, ':');
    return strstr(text, "://") || text[0] == '/' || text[0] == '.' ||
           (colon && colon != text && !memchr(text, '/', (size_t)(colon - text))) ||
           strstr(text, "::");
}

/* Subcommands of git's own that the table sends here. */
static void git_losses(struct sbx_judge *j, const struct sbx_use *use)
{
    static const char *const kept[] = {"git symbolic-ref", "git replace", "git lfs", "git notes"};
    bool dry = sbx_use_letter(use, 'n') || sbx_use_has(use, "-n --dry-run");
    if (!strcmp(use->name, "git rm")) {
        bool all = sbx_operand_is(use, 0, ".") || sbx_operand_is(use, 0, "*");
        if (!sbx_use_letter(use, 'c') && !dry && (all || sbx_use_has(use, "-f")))
            find_loss(j, "files dropped by git");
        return;
    }
    for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++) {
        if (strcmp(use->name, kept[i]))
            continue;
        if (sbx_use_has(use, "-d --delete") || sbx_operand_is(use, 0, "remove") ||
            (sbx_operand_is(use, 0, "prune") && !dry))
            find_loss(j, "references or objects dropped");
        if (sbx_operand_is(use, 0, "push") && use->operands > 1 && is_address(use->operand[1]))
            sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "a push to an address",
                     "push to the remotes that are set up");
        return;
    }
    bool looks = !strcmp(use->name, "git read-tree") && !sbx_use_has(use, "-u --reset");
    if (!dry && !looks)
        find_loss(j, "history rewritten or references dropped");
}

/* Other systems: verbs that lose work, those that do only with a flag, settings that run programs. */
static void other_losses(struct sbx_judge *j, const struct sbx_use *use)
{
    static const char *const settings[] = {"alias.",    "hooks.", "extensions.",
                                           "ui.editor", "ui.ssh", "ui.merge"};
    static const char *const losses[] = {"strip", "rollback", "purge",      "histedit", "abandon",
                                         "prune", "restore",  "debugstrip", "backout",  "clean"};
    static const char *const plain[] = {"revert", "undo"}; /* jj takes them back again */
    static const char *const with_flag[] = {"update", "up", "co", "cleanup", "checkout"};
    for (uint32_t i = 0; i < use->options; i++)
        for (size_t k = 0; k < sizeof(settings) / sizeof(*settings); k++)
            if (use->option[i].letter == 'c' && use->option[i].value &&
                strstr(use->option[i].value->text, settings[k]))
                sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "a setting that runs a program",
                         "run that program by itself");
    bool lost =
        SBX_OPERAND_IN(use, 0, losses) ||
        (SBX_OPERAND_IN(use, 0, plain) && strcmp(use->name, "jj") != 0) ||
        (SBX_OPERAND_IN(use, 0, with_flag) && sbx_use_has(use, "-C --clean --remove-unversioned"));
    if (lost && !sbx_use_has(use, "-n --dry-run"))
        find_loss(j, "work dropped by version control");
    if ((sbx_operand_is(use, 0, "op") && sbx_operand_is(use, 1, "restore")) ||
        (sbx_operand_is(use, 0, "goto") && sbx_use_has(use, "-C --clean")))
        find_loss(j, "work dropped by version control");
    if (sbx_operand_is(use, 0, "push") && sbx_use_has(use, "-f --force"))
        find_loss(j, "remote history replaced");
    static const char *const sends[] = {"push", "import", "outgoing"};
    if (sbx_operand_is(use, 0, "git") && sbx_operand_is(use, 1, "push"))
        for (uint32_t i = use->first; i < use->words; i++)
            if (strstr(use->word[i]->text, "://"))
                sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "a push to an address",
                         "push to a remote of the repository, or ask");
    for (uint32_t i = 1; SBX_OPERAND_IN(use, 0, sends) && i < use->operands; i++)
        if (strstr(use->operand[i]->text, "://"))
            sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "a push to an address",
                     "push to a remote of the repository, or ask");
}

void sbx_check_git_destroy(struct sbx_judge *j, struct sbx_use *use)
{
    const char *name = use->name;
    const struct sbx_opt *method = sbx_use_letter(use, 'X');
    if (!strncmp(name, "git ", 4))
        git_losses(j, use);
    else if (strncmp(name, "gh api", 6) && strncmp(name, "glab api", 8))
        other_losses(j, use);
    else if (method && method->value && strcasecmp(method->value->text, "GET") != 0)
        find_loss(j, "something changed at the forge");
}

/* --- what leaves ---------------------------------------------------------------------------------------------------------------- */
static void check_address(struct sbx_judge *j, const struct sbx_value *word)
{
    if (!strncmp(word->text, "ext::", 5) || !strncmp(word->text, "fd::", 4))
        sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "an address that runs a program",
                 "use an https address");
    else if (strstr(word->text, "://") || strchr(word->text, '@'))
        sbx_check_host_value(j, word, strstr(word->text, "://") != NULL);
}

void sbx_check_git_push(struct sbx_judge *j, struct sbx_use *use)
{
    bool dry = sbx_use_letter(use, 'n') != NULL;
    if (dry)
        return;
    if (sbx_use_letter(use, 'f') || sbx_use_letter(use, 'd') || sbx_use_letter(use, 'm'))
        find_loss(j, "remote history replaced or dropped");
    const struct sbx_opt *repo = sbx_use_option(use, "--repo");
    if (repo && repo->value && is_address(repo->value))
        sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "a push to an address",
                 "push to the remotes that are set up");
    for (uint32_t i = 0; i < use->operands; i++) {
        const struct sbx_value *word = use->operand[i];
        if (!i) {
            check_address(j, word);
            if (is_address(word))
                sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "a push to an address",
                         "push to the remotes that are set up");
            continue;
        }
        if (word->text[0] == '+' || word->text[0] == ':')
            find_loss(j, "remote history replaced or dropped");
        sbx_classify_public(j, word);
    }
    if (j->remote_changed)
        sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "a push to a remote that was just changed",
                 "push to the remotes that are set up");
}

/* git fetch origin +main:main: a branch of one's own replaced. */
static void check_refspec(struct sbx_judge *j, const struct sbx_use *use)
{
    bool force = sbx_use_has(use, "-f --force");
    for (uint32_t i = 1; i < use->operands; i++) {
        const char *text = use->operand[i]->text, *colon = strchr(text, ':');
        if (colon && (force || text[0] == '+') && strncmp(colon, ":refs/remotes/", 14) != 0)
            find_loss(j, "a branch replaced by a fetch");
    }
}

void sbx_check_git_remote(struct sbx_judge *j, struct sbx_use *use)
{
    if (!strcmp(use->name, "git fetch") || !strcmp(use->name, "git pull"))
        check_refspec(j, use);
    for (uint32_t i = 0; i < use->operands; i++)
        check_address(j, use->operand[i]);
    if (strcmp(use->name, "git remote") != 0)
        return;
    if (sbx_operand_is(use, 0, "set-url")) {
        j->remote_changed = true;
        sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "another address for a remote",
                 "changing where work is sent needs approval");
    }
    if (sbx_operand_is(use, 0, "add"))
        j->remote_changed = true;
}

/* A bare repository in the project itself: HEAD, objects and refs in a working directory. */
static void check_bare(struct sbx_judge *j, const struct sbx_use *use, const struct sbx_value *into)
{
    char path[SBX_PATH_BYTES];
    bool here = into ? sbx_path_of(j, into, path, sizeof(path)) && !strcmp(path, j->project)
                     : !strcmp(j->cwd, j->project);
    if (sbx_use_has(use, "--bare --mirror") && here)
        sbx_find(j, SBX_DENY, SBX_CLASS_PLANTED_REPO, "a repository made by hand",
                 "use git init in a folder of its own");
}

void sbx_check_git_clone(struct sbx_judge *j, struct sbx_use *use)
{
    for (uint32_t i = 0; i < use->options; i++)
        if (use->option[i].letter == 'c' && use->option[i].value)
            sbx_classify_git_setting(j, use->option[i].value);
    if (!use->operands)
        return;
    const struct sbx_value *from = use->operand[0];
    check_address(j, from);
    if (!strstr(from->text, "://") && from->text[0] == '/')
        (void)sbx_check_path(j, from, SBX_ACCESS_READ);
    struct sbx_value *into = use->operands > 1 ? use->operand[1] : NULL;
    if (!into) {
        const char *slash = strrchr(from->text, '/');
        const char *base = slash                     ? slash + 1
                           : strchr(from->text, ':') ? strchr(from->text, ':') + 1
                                                     : from->text;
        size_t len = strlen(base);
        if (len > 4 && !strcmp(base + len - 4, ".git") && !sbx_use_letter(use, 'b'))
            len -= 4;
        into = sbx_value_new(&j->arena, base, len);
    }
    if (use->operands > 1)
        check_bare(j, use, use->operand[1]);
    char path[SBX_PATH_BYTES];
    bool far = strstr(from->text, "://") || (strchr(from->text, ':') && from->text[0] != '/');
    if (far && into && sbx_path_of(j, into, path, sizeof(path)))
        sbx_made_add(j, path, NULL, SBX_TAINT_NET, NULL);
}

void sbx_check_git_tag(struct sbx_judge *j, struct sbx_use *use)
{
    if (sbx_use_letter(use, 'f') && !sbx_use_letter(use, 'l'))
        find_loss(j, "a tag moved");
    for (uint32_t i = 0;
         i < use->operands && !sbx_use_letter(use, 'l') && !sbx_use_letter(use, 'd'); i++)
        sbx_classify_public(j, use->operand[i]);
    sbx_check_git_public(j, use);
}

void sbx_check_git_init(struct sbx_judge *j, struct sbx_use *use)
{
    check_bare(j, use, use->operands ? use->operand[0] : NULL);
    const struct sbx_opt *place = sbx_use_option(use, "--separate-git-dir");
    char path[SBX_PATH_BYTES];
    if (place && place->value && sbx_path_of(j, place->value, path, sizeof(path)) &&
        !strcmp(path, j->cwd))
        sbx_find(j, SBX_DENY, SBX_CLASS_PLANTED_REPO, "a repository made by hand",
                 "use git init in a folder of its own");
    use->out->is_set = true;
    use->out->taint = 0;
}

/* Text that becomes public comes by options (role i), by a file, or by standard input. */
void sbx_check_git_public(struct sbx_judge *j, struct sbx_use *use)
{
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *o = &use->option[i];
        if (o->role != 'i' || !o->value)
            continue;
        bool file = !strncmp(o->name, "-F", 2) || strstr(o->name, "-file") != NULL;
        char path[SBX_PATH_BYTES];
        if (file && sbx_value_is(o->value, "-") && use->in && use->in->text) {
            sbx_classify_public(j, use->in->text);
        } else if (file) {
            struct sbx_made *made =
                sbx_path_of(j, o->value, path, sizeof(path)) ? sbx_made_find(j, path) : NULL;
            (void)sbx_check_path(j, o->value, SBX_ACCESS_READ);
            if (made && made->text)
                sbx_classify_public(j, made->text);
        }
    }
    bool forge = use->name[0] == 'g' && strncmp(use->name, "git ", 4) != 0;
    if (forge && (sbx_use_letter(use, 'D') || sbx_use_letter(use, 'd')) &&
        strstr(use->name, "close"))
        find_loss(j, "a branch deleted at the forge");
    if (forge && (sbx_use_letter(use, 'A') || sbx_use_letter(use, 'V')))
        sbx_find(j, SBX_ASK, SBX_CLASS_NONE, "a rule of the forge passed over",
                 "this acts at the forge for everybody; ask first");
    if (!strcmp(use->name, "git notes"))
        sbx_check_git_destroy(j, use);
    const struct sbx_opt *trailer = sbx_use_option(use, "--trailer");
    if (trailer && trailer->value) {
        struct sbx_text text = {.arena = &j->arena};
        sbx_text_put(&text, trailer->value->text, strcspn(trailer->value->text, "=:"),
                     SBX_MASK_LITERAL);
        sbx_text_put(&text, ":", 1, SBX_MASK_LITERAL);
        struct sbx_value *value = sbx_text_value(&text, (struct sbx_span){0, 0});
        if (value)
            sbx_classify_public(j, value);
    }
}

void sbx_check_git_submodule(struct sbx_judge *j, struct sbx_use *use)
{
    if (!sbx_operand_is(use, 0, "foreach")) {
        for (uint32_t i = 0; i < use->operands; i++)
            check_address(j, use->operand[i]);
        if (sbx_operand_is(use, 0, "deinit"))
            for (uint32_t i = 1; i < use->operands; i++)
                if (sbx_value_is(use->operand[i], "-f") || sbx_value_is(use->operand[i], "--force"))
                    find_loss(j, "a submodule's work dropped");
        return;
    }
    uint32_t at = 1;
    while (at < use->operands && use->operand[at]->text[0] == '-')
        at++;
    if (at + 1 == use->operands)
        sbx_judge_code(j, use->operand[at], use->in, use->out);
    else if (at < use->operands)
        sbx_judge_argv(j, (struct sbx_argv){use->operand + at, use->operands - at}, use->in,
                       use->out);
}

void sbx_check_git_bisect(struct sbx_judge *j, struct sbx_use *use)
{
    if (sbx_operand_is(use, 0, "run") && use->operands > 1)
        sbx_judge_argv(j, (struct sbx_argv){use->operand + 1, use->operands - 1}, use->in,
                       use->out);
}

void sbx_check_git_rebase(struct sbx_judge *j, struct sbx_use *use)
{
    if (sbx_use_has(use, "--root"))
        find_loss(j, "all of history rewritten");
    use->out->is_set = true;
}

void sbx_check_git_show(struct sbx_judge *j, struct sbx_use *use)
{
    /* HEAD:.env is what the file of that name held. */
    for (uint32_t i = 0; !strcmp(use->name, "git show") && i < use->operands; i++) {
        const char *colon = strchr(use->operand[i]->text, ':');
        if (colon && colon > use->operand[i]->text && colon[1] && colon[1] != '/')
            (void)sbx_check_path(
                j,
                sbx_value_tail(j, use->operand[i], (uint32_t)(colon + 1 - use->operand[i]->text)),
                SBX_ACCESS_READ);
    }
    bool shows = sbx_use_has(use, "-p --no-index -u --patch") || !strcmp(use->name, "git diff") ||
                 !strcmp(use->name, "git blame");
    for (uint32_t i = 0; shows && i < use->operands; i++)
        (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_READ);
    if (!strcmp(use->name, "git reflog") &&
        (sbx_operand_is(use, 0, "expire") || sbx_operand_is(use, 0, "delete")))
        find_loss(j, "reflog dropped");
}

void sbx_check_git_grep(struct sbx_judge *j, struct sbx_use *use)
{
    const struct sbx_opt *pager = sbx_use_option(use, "-O");
    if (pager && pager->value && !sbx_is_harmless_tool(pager->value))
        sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "an option that runs a program",
                 "run that program by itself");
    for (uint32_t i = 0; sbx_use_has(use, "--no-index") && i < use->operands; i++)
        (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_READ);
}
