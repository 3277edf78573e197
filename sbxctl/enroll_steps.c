/* The steps of enroll and unenroll. Each says what it does, and does it unless it is a dry run. */
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "jail/caps.h"
#include "policy/cleanup.h"
#include "sbxctl/enroll.h"

#define LIST_DIR  SBX_ETC_DIR "/policy.d"
#define LIST_FILE "50-enrolled.ini"
#define LIST_HEAD "# Written by sbxctl enroll and unenroll; other lines are kept.\n[accounts]\n"
#define UNITS_DIR "/etc/systemd/system"

void sbx_enroll_say(const struct sbx_enroll *enroll, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    (void)fputs(enroll->dry_run ? "would " : "", stdout);
    (void)vprintf(fmt, ap);
    (void)putchar('\n');
    va_end(ap);
}

static int wait_for(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* --- the workspace ------------------------------------------------------------------------------ */
/* Goes down from an open directory by the components of `path`, making what is missing. No symlink
 * is followed: whatever lies there is the account's. Returns errno, 0 when all is there. */
static int make_below(int at, const char *path)
{
    _cleanup_fd_ int here = fcntl(at, F_DUPFD_CLOEXEC, 0);
    while (here >= 0) {
        char name[256];
        path += strspn(path, "/");
        size_t len = strcspn(path, "/");
        if (!len)
            return 0;
        if (len >= sizeof(name))
            return ENAMETOOLONG;
        memcpy(name, path, len);
        name[len] = '\0';
        path += len;
        if (!strcmp(name, "..") || (mkdirat(here, name, 0755) && errno != EEXIST))
            return name[0] == '.' ? EINVAL : errno;
        int next = openat(here, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        int errnum = errno;
        (void)close(here);
        here = next;
        errno = errnum;
    }
    return errno;
}

/* The account's side: with its full credentials, so that it makes nothing that it could not make
 * itself; that also serves homes on NFS. Exits with errno. */
static _Noreturn void make_as_account(const struct sbx_enroll *enroll)
{
    const struct sbx_run_account *account = &enroll->account;
    struct sbx_err err = SBX_ERR_INIT;
    size_t home = strlen(account->home);
    bool in_home =
        !strncmp(enroll->workspace, account->home, home) && enroll->workspace[home] == '/';
    if (sbx_caps_become(account->uid, account->gid, account->groups, (size_t)account->group_count,
                        &err))
        _exit(EPERM);
    (void)umask(022);
    /* Above the home are root's directories, and links in them are root's choice. */
    int at = open(in_home ? account->home : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    _exit(at < 0 ? errno : make_below(at, in_home ? enroll->workspace + home : enroll->workspace));
}

int sbx_enroll_workspace(struct sbx_enroll *enroll, struct sbx_err *err)
{
    struct stat st;
    if (!lstat(enroll->workspace, &st)) {
        if (!S_ISDIR(st.st_mode))
            return sbx_fail(err, SBX_E_TRUST, 0, "the workspace %s is no directory",
                            enroll->workspace);
        if (st.st_uid != enroll->account.uid)
            return sbx_fail(err, SBX_E_TRUST, 0, "the workspace %s is not owned by %s",
                            enroll->workspace, enroll->account.name);
        return 0;
    }
    sbx_enroll_say(enroll, "make the workspace %s", enroll->workspace);
    if (enroll->dry_run)
        return 0;
    pid_t pid = fork();
    if (pid == 0)
        make_as_account(enroll);
    int errnum = pid < 0 ? errno : wait_for(pid);
    if (errnum)
        return sbx_fail(err, SBX_E_SYSTEM, errnum, "%s cannot make the workspace %s",
                        enroll->account.name, enroll->workspace);
    (void)snprintf(enroll->done.workspace, sizeof(enroll->done.workspace), "%s", enroll->workspace);
    return 0;
}

static _Noreturn void remove_as_account(const struct sbx_enroll *enroll)
{
    const struct sbx_run_account *account = &enroll->account;
    struct sbx_err err = SBX_ERR_INIT;
    if (sbx_caps_become(account->uid, account->gid, account->groups, (size_t)account->group_count,
                        &err))
        _exit(EPERM);
    _exit(rmdir(enroll->done.workspace) ? errno : 0);
}

/* Only what enroll made, and only if it is empty. */
int sbx_unenroll_workspace(struct sbx_enroll *enroll, struct sbx_err *err)
{
    if (!enroll->done.workspace[0])
        return 0;
    if (enroll
            ->is_gone) { /* whatever lies there was made as the account, and nobody else will do */
        sbx_enroll_say(enroll, "leave the workspace %s: the account is gone",
                       enroll->done.workspace);
        enroll->done.workspace[0] = '\0';
        return 0;
    }
    sbx_enroll_say(enroll, "remove the workspace %s if it is empty", enroll->done.workspace);
    if (enroll->dry_run)
        return 0;
    pid_t pid = fork();
    if (pid == 0)
        remove_as_account(enroll);
    int errnum = pid < 0 ? errno : wait_for(pid);
    if (errnum == ENOTEMPTY || errnum == EEXIST)
        sbx_enroll_say(enroll, "leave it: it holds files");
    else if (errnum && errnum != ENOENT)
        return sbx_fail(err, SBX_E_SYSTEM, errnum, "cannot remove the workspace %s",
                        enroll->done.workspace);
    enroll->done.workspace[0] = '\0';
    return 0;
}

/* --- the user manager --------------------------------------------------------------------------- */
static bool is_masked(const char *path)
{
    char target[16] = "";
    return readlink(path, target, sizeof(target) - 1) > 0 && !strcmp(target, "/dev/null");
}

/* Below the state root where one is given: a trial must not touch the machine's own units. */
static bool unit_path(const struct sbx_enroll *enroll, uid_t uid, char *path, size_t size)
{
    char folder[512];
    (void)snprintf(folder, sizeof(folder), "%s" UNITS_DIR, enroll->paths.root);
    int len = snprintf(path, size, "%s/user@%u.service", folder, uid);
    return len > 0 && (size_t)len < size && !access(folder, F_OK);
}

int sbx_enroll_mask(struct sbx_enroll *enroll, struct sbx_err *err)
{
    char path[600];
    if (!unit_path(enroll, enroll->account.uid, path, sizeof(path)) || is_masked(path))
        return 0; /* no systemd here, or done */
    sbx_enroll_say(enroll, "mask user@%u.service, whose units would run outside the jail",
                   enroll->account.uid);
    if (enroll->dry_run)
        return 0;
    if (symlink("/dev/null", path))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot mask user@%u.service",
                        enroll->account.uid);
    enroll->done.masked = true;
    return 0;
}

/* A number that was given out again: the mask may be what keeps that account in, too. */
static bool is_others(const struct sbx_enroll *enroll, uid_t uid)
{
    char buffer[16384];
    struct passwd entry, *found = NULL;
    return getpwuid_r(uid, &entry, buffer, sizeof(buffer), &found) ||
           (found && strcmp(found->pw_name, enroll->account.name) != 0);
}

int sbx_unenroll_mask(struct sbx_enroll *enroll, struct sbx_err *err)
{
    char path[600];
    uid_t uid = enroll->done.uid ? enroll->done.uid : enroll->account.uid;
    if (!enroll->done.masked)
        return 0;
    if (!unit_path(enroll, uid, path, sizeof(path)) || !is_masked(path)) {
        enroll->done.masked = false;
        return 0;
    }
    if (is_others(enroll, uid)) {
        sbx_enroll_say(enroll, "leave user@%u.service masked: the number is another account's now",
                       uid);
    } else {
        sbx_enroll_say(enroll, "unmask user@%u.service", uid);
        if (!enroll->dry_run && unlink(path))
            return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot unmask user@%u.service", uid);
    }
    enroll->done.masked = false;
    return 0;
}

/* --- policy ------------------------------------------------------------------------------------- */
/* The text with or without `user = NAME`; malloc'ed, NULL out of memory. */
static char *edit_list(const char *text, const char *name, bool add, bool *was_there)
{
    char line[128];
    (void)snprintf(line, sizeof(line), "user = %s\n", name);
    char *out = malloc(strlen(text) + strlen(line) + sizeof(LIST_HEAD) + 2), *end = out;
    *was_there = false;
    for (const char *at = text; out && *at;) {
        size_t len = strcspn(at, "\n") + (at[strcspn(at, "\n")] == '\n');
        bool is_it = len == strlen(line) && !strncmp(at, line, len);
        *was_there = *was_there || is_it;
        if (!is_it || add)
            end = mempcpy(end, at, len);
        at += len;
    }
    if (!out)
        return NULL;
    if (end != out && end[-1] != '\n')
        *end++ = '\n';
    *end = '\0';
    if (add && !*was_there && end == out)
        end = mempcpy(end, LIST_HEAD, strlen(LIST_HEAD));
    if (add && !*was_there)
        memcpy(end, line, strlen(line) + 1);
    return out;
}

static bool names_anybody(const char *text)
{
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (!strncmp(line, "user", 4))
            return true;
    }
    return false;
}

static void say_change(const struct sbx_enroll *enroll, bool add)
{
    sbx_enroll_say(enroll, "%s %s %s %s%s/%s", add ? "add" : "take", enroll->account.name,
                   add ? "to" : "out of", enroll->paths.root, LIST_DIR, LIST_FILE);
}

/* With `add` clear: takes the account out, and the file away once it names nobody. */
static int change_list(struct sbx_enroll *enroll, bool add, struct sbx_err *err)
{
    _cleanup_free_ char *text = NULL, *changed = NULL;
    bool was_there;
    _cleanup_fd_ int dirfd =
        sbx_paths_open(&enroll->paths, LIST_DIR, enroll->dry_run ? 0 : 0755, err);
    if (dirfd < 0 && enroll->dry_run && err->code == SBX_E_GONE) {
        say_change(enroll, add);
        return 0;
    }
    if (dirfd < 0)
        return -1;
    if (sbx_read_file(dirfd, LIST_FILE, &text, err) < 0)
        return -1;
    changed = edit_list(text ? text : "", enroll->account.name, add, &was_there);
    if (!changed)
        return sbx_fail(err, SBX_E_MEMORY, 0, "no memory");
    if (was_there == add)
        return 0;
    say_change(enroll, add);
    if (enroll->dry_run)
        return 0;
    enroll->done.listed = add;
    if (add || names_anybody(changed))
        return sbx_replace_file(dirfd, LIST_FILE, changed, 0644, err);
    if (unlinkat(dirfd, LIST_FILE, 0))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot remove %s", LIST_FILE);
    return 0;
}

int sbx_enroll_list(struct sbx_enroll *enroll, struct sbx_err *err)
{
    return change_list(enroll, true, err);
}

int sbx_unenroll_list(struct sbx_enroll *enroll, struct sbx_err *err)
{
    if (!enroll->done.listed)
        return 0;
    return change_list(enroll, false, err);
}

/* --- the login shell ---------------------------------------------------------------------------- */
static int set_shell(const struct sbx_enroll *enroll, const char *shell, struct sbx_err *err)
{
    char name[] = "usermod", option[] = "-s", end[] = "--", path[512], account[64];
    char *words[] = {name, option, path, end, account, NULL}, *environment[] = {NULL};
    (void)snprintf(path, sizeof(path), "%s", shell);
    (void)snprintf(account, sizeof(account), "%s", enroll->account.name);
    pid_t pid = fork();
    if (pid == 0) {
        (void)execve("/usr/sbin/usermod", words, environment);
        _exit(127);
    }
    int status = pid < 0 ? -1 : wait_for(pid);
    if (status)
        return sbx_fail(err, SBX_E_SYSTEM, 0, "usermod -s %s %s failed (%d)", shell, account,
                        status);
    return 0;
}

int sbx_enroll_shell(struct sbx_enroll *enroll, struct sbx_err *err)
{
    if (!strcmp(enroll->account.shell, enroll->sbxsh))
        return 0;
    sbx_enroll_say(enroll, "set the login shell to %s (now %s)", enroll->sbxsh,
                   enroll->account.shell);
    if (enroll->dry_run)
        return 0;
    if (set_shell(enroll, enroll->sbxsh, err))
        return -1;
    (void)snprintf(enroll->done.shell, sizeof(enroll->done.shell), "%s", enroll->account.shell);
    return 0;
}

int sbx_unenroll_shell(struct sbx_enroll *enroll, struct sbx_err *err)
{
    if (!enroll->done.shell[0])
        return 0;
    /* Somebody may have given it another one since: that stays. */
    if (!enroll->is_gone && !strcmp(enroll->account.shell, enroll->sbxsh)) {
        sbx_enroll_say(enroll, "set the login shell back to %s", enroll->done.shell);
        if (!enroll->dry_run && set_shell(enroll, enroll->done.shell, err))
            return -1;
    }
    enroll->done.shell[0] = '\0';
    return 0;
}
