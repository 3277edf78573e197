#include "jail/sessiondir.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "jail/landlock.h"
#include "jail/seccomp.h"
#include "policy/cleanup.h"

#define ENVELOPE_MAX_BYTES ((size_t)1024 * 1024)
#define FILTER_MAX_BYTES   (UINT16_MAX * sizeof(struct sock_filter))

#define USUAL_BYTES 4096 /* without the heap: every session begins here */
#define USUAL_PATHS 32

/* A session file in memory, whole, with a NUL behind it. */
struct contents {
    char *bytes;
    size_t size;
    char *heap; /* NULL where `usual` is large enough */
    _Alignas(struct sock_filter) char usual[USUAL_BYTES];
};

static void contents_free(struct contents *contents)
{
    free(contents->heap);
}
#define _cleanup_contents_ __attribute__((cleanup(contents_free)))

static int read_file(const struct sbx_sessiondir *session, const char *name, size_t max_bytes,
                     struct contents *contents, struct sbx_err *err)
{
    size_t size = 0;
    _cleanup_fd_ int fd = sbx_sessiondir_file(session, name, max_bytes, &size, err);
    if (fd < 0)
        return -1;
    contents->heap = size < USUAL_BYTES ? NULL : malloc(size + 1);
    contents->bytes = size < USUAL_BYTES ? contents->usual : contents->heap;
    if (!contents->bytes)
        return sbx_fail(err, SBX_E_MEMORY, 0, "no memory for the session's %s", name);
    if (pread(fd, contents->bytes, size, 0) != (ssize_t)size)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot read the session's %s", name);
    contents->bytes[size] = '\0';
    contents->size = size;
    return 0;
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

static int enter_envelope(const struct sbx_sessiondir *session, struct sbx_err *err)
{
    if (sbx_landlock_abi() < 2 && is_old_kernel())
        return 0; /* no second wall; the warden has said so */
    _cleanup_contents_ struct contents file = {0};
    size_t count = 0, lines = 1;
    const char *usual[USUAL_PATHS];
    if (read_file(session, "landlock", ENVELOPE_MAX_BYTES, &file, err))
        return -1;
    if (memchr(file.bytes, '\0', file.size))
        return sbx_fail(err, SBX_E_TRUST, 0, "the session's envelope is no text");
    for (size_t i = 0; i < file.size; i++)
        lines += file.bytes[i] == '\n';
    _cleanup_free_ const char **heap = lines > USUAL_PATHS ? calloc(lines, sizeof(*heap)) : NULL;
    const char **paths = lines > USUAL_PATHS ? heap : usual;
    if (!paths)
        return sbx_fail(err, SBX_E_MEMORY, 0, "no memory for the session's envelope");
    for (char *line = file.bytes, *end; line; line = end) {
        if ((end = strchr(line, '\n')))
            *end++ = '\0';
        if (*line)
            paths[count++] = line;
    }
    return sbx_landlock_seal(paths, count, err);
}

static int load_filter(const struct sbx_sessiondir *session, struct sbx_err *err)
{
    _cleanup_contents_ struct contents file = {0};
    if (read_file(session, "seal", FILTER_MAX_BYTES, &file, err))
        return -1;
    size_t count = file.size / sizeof(struct sock_filter);
    if (!count || file.size % sizeof(struct sock_filter))
        return sbx_fail(err, SBX_E_TRUST, 0, "the session's seal is no filter");
    return sbx_seccomp_load((const struct sock_filter *)(void *)file.bytes, (unsigned short)count,
                            err);
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

int sbx_sessiondir_seal(const struct sbx_sessiondir *session, struct sbx_err *err)
{
    if (enter_envelope(session, err) || load_filter(session, err))
        return -1;
    return prove(err);
}
