/* Scope-bound ownership: a variable marked with one of these lets go of what it holds at the end of
 * its block. The safe initial value is -1 for descriptors and NULL for pointers. */
#ifndef SBX_POLICY_CLEANUP_H
#define SBX_POLICY_CLEANUP_H

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void sbx_cleanup_fd(const int *fd)
{
    if (*fd >= 0) {
        int saved = errno;
        (void)close(*fd);
        errno = saved;
    }
}

static inline void sbx_cleanup_free(void *pointer)
{
    free(*(void **)pointer);
}

static inline void sbx_cleanup_file(FILE *const *file)
{
    if (*file)
        (void)fclose(*file);
}

static inline void sbx_cleanup_dir(DIR *const *dir)
{
    if (*dir)
        (void)closedir(*dir);
}

#define _cleanup_fd_   __attribute__((cleanup(sbx_cleanup_fd)))
#define _cleanup_free_ __attribute__((cleanup(sbx_cleanup_free)))
#define _cleanup_file_ __attribute__((cleanup(sbx_cleanup_file)))
#define _cleanup_dir_  __attribute__((cleanup(sbx_cleanup_dir)))

/* Takes a descriptor out of a _cleanup_fd_ variable: the caller of the caller owns it now. */
static inline int sbx_steal_fd(int *fd)
{
    int taken = *fd;
    *fd = -1;
    return taken;
}

/* The same for a pointer of any type. */
#define sbx_steal_ptr(pointer)                                                                     \
    (__extension__({                                                                               \
        __typeof__(*(pointer)) taken_ = *(pointer);                                                \
        *(pointer) = NULL;                                                                         \
        taken_;                                                                                    \
    }))

#endif
