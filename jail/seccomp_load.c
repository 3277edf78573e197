/* Loading and probing: no libseccomp here, so that sbxsh can be linked without it. */
#include "jail/seccomp.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "jail/seccomp_chunk.h"
#include "jail/sys.h"

#define HELPER_INSTRUCTIONS 1024

/* Finds the programs. All of them are checked before the first is loaded: half a filter that fails
 * later would leave a process that can neither go on nor go back. */
static int find_programs(const struct sock_filter *code, unsigned short count,
                         struct sock_fprog program[SBX_CHUNKS_MAX], bool is_logged[SBX_CHUNKS_MAX],
                         struct sbx_err *err)
{
    int found = 0;
    for (unsigned at = 0; at < count;) {
        const struct sock_filter *header = &code[at++];
        if (found == SBX_CHUNKS_MAX || header->code != SBX_CHUNK_CODE || !header->k ||
            header->k > BPF_MAXINSNS || header->k > count - at)
            return sbx_fail(err, SBX_E_PROTOCOL, 0, "these bytes are no compiled filter");
        /* The kernel only reads; sock_fprog has no const. */
        program[found] = (struct sock_fprog){
            .len = (unsigned short)header->k,
            .filter = (struct sock_filter *)(uintptr_t)&code[at],
        };
        is_logged[found++] = header->jt == 1;
        at += header->k;
    }
    return found ? found : sbx_fail(err, SBX_E_PROTOCOL, 0, "an empty filter");
}

int sbx_seccomp_load_fd(int fd, struct sbx_err *err)
{
    struct sock_filter code[HELPER_INSTRUCTIONS];
    ssize_t size = pread(fd, code, sizeof(code), 0);
    if (size <= 0 || size == (ssize_t)sizeof(code) || (size_t)size % sizeof(*code))
        return sbx_fail(err, SBX_E_PROTOCOL, size < 0 ? errno : 0, "cannot read a compiled filter");
    return sbx_seccomp_load(code, (unsigned short)((size_t)size / sizeof(*code)), err);
}

int sbx_seccomp_load(const struct sock_filter *code, unsigned short count, struct sbx_err *err)
{
    struct sock_fprog program[SBX_CHUNKS_MAX];
    bool is_logged[SBX_CHUNKS_MAX];
    int found = find_programs(code, count, program, is_logged, err);
    if (found < 0)
        return -1;
    for (int i = 0; i < found; i++) {
        unsigned flags = is_logged[i] ? SECCOMP_FILTER_FLAG_LOG : 0;
        if (sbx_sys_seccomp(SECCOMP_SET_MODE_FILTER, flags, &program[i]))
            return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot load the system call filter");
    }
    if (prctl(PR_GET_SECCOMP) != SECCOMP_MODE_FILTER)
        return sbx_fail(err, SBX_E_SYSTEM, 0, "the system call filter is not in force");
    return 0;
}

bool sbx_seccomp_is_sealed(void)
{
    int saved = errno;
    bool is_sealed = prctl(SBX_SEAL_PRCTL, 0, 0, 0, 0) == -1 && errno == SBX_SEAL_ERRNO;
    errno = saved;
    return is_sealed;
}
