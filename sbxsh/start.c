#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/cleanup.h"
#include "sbxsh/sbxsh.h"

/* Maps the policy file. Root never writes into a published file but renames a new one over it, so
 * that what was checked once stays as it is. */
static int map_policy(struct sbxsh *shell, struct sbx_err *err)
{
    size_t size = 0;
    _cleanup_fd_ int fd =
        sbx_sessiondir_file(&shell->session, "policy", SBX_POLICY_MAX_BYTES, &size, err);
    struct stat st;
    if (fd < 0)
        return -1;
    if (!size || fstat(fd, &st))
        return sbx_fail(err, SBX_E_TRUST, errno, "cannot read the session's policy");
    void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot map the session's policy");
    const struct sbx_policy *policy = sbx_policy_attach(bytes, size, err);
    if (!policy || policy->uid != getuid()) {
        (void)munmap(bytes, size);
        return policy ? sbx_fail(err, SBX_E_TRUST, 0, "the policy is another account's") : -1;
    }
    if (shell->policy_bytes)
        (void)munmap(shell->policy_bytes, shell->policy_size);
    shell->policy = policy;
    shell->policy_bytes = bytes;
    shell->policy_size = size;
    shell->policy_ino = st.st_ino;
    return 0;
}

bool sbxsh_is_nested(void)
{
    struct rlimit mark;
    return !getrlimit(RLIMIT_LOCKS, &mark) && mark.rlim_cur == SBX_SESSION_MARK;
}

int sbxsh_mark_entry(struct sbx_err *err)
{
    struct rlimit mark;
    if (getrlimit(RLIMIT_LOCKS, &mark))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot read the limit on locks");
    mark.rlim_cur = SBX_SESSION_MARK;
    if (setrlimit(RLIMIT_LOCKS, &mark))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot set the limit on locks");
    return 0;
}

int sbxsh_start(struct sbxsh *shell, struct sbx_err *err)
{
    *shell = (struct sbxsh){.session = {.fd = -1}};
    if (getuid() == 0)
        return sbx_fail(err, SBX_E_DENIED, 0, "not a shell for root");
    shell->is_nested = sbxsh_is_nested();
    if (!sbx_sessiondir_open(&shell->session, err)) {
        if (sbx_attest_check(shell->session.fd, &shell->record, err))
            return -1;
    } else {
        /* A jail always has the folder, so without one this is none. */
        if (err->errnum != ENOENT || sbx_unjailed_open(&shell->session, &shell->unjailed, err))
            return -1;
        shell->is_unjailed = true;
    }
    return map_policy(shell, err);
}

void sbxsh_refresh(struct sbxsh *shell)
{
    struct stat st;
    struct sbx_err err = SBX_ERR_INIT;
    if (fstatat(shell->session.fd, "policy", &st, AT_SYMLINK_NOFOLLOW) ||
        st.st_ino == shell->policy_ino)
        return;
    if (map_policy(shell, &err))
        sbxsh_say("the account's new policy cannot be read; commands are judged by the old one");
}

static bool is_file_server(const char *command)
{
    static const char *const beginnings[] = {
        "scp -",
        "rsync --server",
        "git-upload-pack ",
        "git-receive-pack ",
        "git-upload-archive ",
        "git upload-pack ",
        "git receive-pack ",
        "git upload-archive ",
    };
    for (size_t i = 0; i < sizeof(beginnings) / sizeof(*beginnings); i++)
        if (!strncmp(command, beginnings[i], strlen(beginnings[i])))
            return true;
    size_t word = strcspn(command, " ");
    static const char sftp[] = "/sftp-server";
    size_t len = sizeof(sftp) - 1;
    return word >= len && !strncmp(command + word - len, sftp, len);
}

void sbxsh_enter_workspace(const struct sbxsh *shell, const char *command)
{
    struct stat here, home;
    const char *workspace = sbx_policy_text(shell->policy, shell->policy->workspace);
    if (!*workspace || (command && is_file_server(command)) || stat(".", &here) ||
        stat(sbx_policy_text(shell->policy, shell->policy->home), &home))
        return;
    if (here.st_dev == home.st_dev && here.st_ino == home.st_ino && chdir(workspace))
        return; /* no workspace yet: the home is as good */
}
