#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "jail/landlock.h"
#include "jail/seccomp.h"
#include "policy/cleanup.h"
#include "sbxsh/sbxsh.h"

#define ENVELOPE_MAX_BYTES ((size_t)1024 * 1024)
#define FILTER_MAX_BYTES   (UINT16_MAX * sizeof(struct sock_filter))

/* Reads a whole session file; one NUL is added behind it. The caller frees. */
static char *read_file(const struct sbxsh *shell, const char *name, size_t max_bytes, size_t *size,
                       struct sbx_err *err)
{
    _cleanup_fd_ int fd = sbxsh_open_session_file(shell, name, max_bytes, size, err);
    if (fd < 0)
        return NULL;
    _cleanup_free_ char *bytes = malloc(*size + 1);
    if (!bytes) {
        (void)sbx_fail(err, SBX_E_MEMORY, 0, "no memory for the session's %s", name);
        return NULL;
    }
    if (pread(fd, bytes, *size, 0) != (ssize_t)*size) {
        (void)sbx_fail(err, SBX_E_SYSTEM, errno, "cannot read the session's %s", name);
        return NULL;
    }
    bytes[*size] = '\0';
    return sbx_steal_ptr(&bytes);
}

/* True on kernels that may lack Landlock, or have its first ABI alone: 5.18 and older. */
static bool is_old_kernel(void)
{
    struct utsname name;
    char *end = NULL;
    if (uname(&name))
        return false;
    long major = strtol(name.release, &end, 10);
    if (end == name.release || *end != '.')
        return false;
    long minor = strtol(end + 1, NULL, 10);
    return major < 5 || (major == 5 && minor < 19);
}

static int enter_envelope(const struct sbxsh *shell, struct sbx_err *err)
{
    if (sbx_landlock_abi() < 2 && is_old_kernel())
        return 0; /* no second wall; the warden has said so */
    size_t size = 0, count = 0, lines = 1;
    _cleanup_free_ char *text = read_file(shell, "landlock", ENVELOPE_MAX_BYTES, &size, err);
    if (!text)
        return -1;
    if (memchr(text, '\0', size))
        return sbx_fail(err, SBX_E_TRUST, 0, "the session's envelope is no text");
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    _cleanup_free_ const char **paths = calloc(lines, sizeof(*paths));
    if (!paths)
        return sbx_fail(err, SBX_E_MEMORY, 0, "no memory for the session's envelope");
    for (char *line = text, *end; line; line = end) {
        if ((end = strchr(line, '\n')))
            *end++ = '\0';
        if (*line)
            paths[count++] = line;
    }
    return sbx_landlock_seal(paths, count, err);
}

static int load_filter(const struct sbxsh *shell, struct sbx_err *err)
{
    size_t size = 0;
    _cleanup_free_ char *bytes = read_file(shell, "seal", FILTER_MAX_BYTES, &size, err);
    if (!bytes)
        return -1;
    size_t count = size / sizeof(struct sock_filter);
    if (!count || size % sizeof(struct sock_filter))
        return sbx_fail(err, SBX_E_TRUST, 0, "the session's seal is no filter");
    return sbx_seccomp_load((const struct sock_filter *)(void *)bytes, (unsigned short)count, err);
}

/* Reads the seal back: its own probe, and a call that the allow list does not know. A bare kernel
 * (5.10 on) answers these arguments with EINVAL, and the deny list lets the call through. */
static int prove(struct sbx_err *err)
{
    if (!sbx_seccomp_is_sealed() || syscall(SYS_process_madvise, -1, NULL, 0, 0, 1) != -1 ||
        errno != ENOSYS)
        return sbx_fail(err, SBX_E_UNSUPPORTED, 0, "the seal does not hold");
    return 0;
}

int sbxsh_seal(const struct sbxsh *shell, struct sbx_err *err)
{
    if (shell->is_nested)
        return 0;
    if (enter_envelope(shell, err) || load_filter(shell, err))
        return -1;
    return prove(err);
}
