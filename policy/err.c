#include "policy/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#undef sbx_fail
#undef sbx_err_prefix

#ifndef __GLIBC__
#define strerrordesc_np strerror /* musl's has no static buffer */
#endif

int sbx_fail(struct sbx_err *err, enum sbx_err_code code, int errnum, const char *fmt, ...)
{
    if (!err)
        return -1;
    int saved = errno;
    err->code = code;
    err->errnum = errnum;
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(err->message, sizeof(err->message), fmt, ap);
    va_end(ap);
    size_t used = strlen(err->message);
    if (errnum && used + 2 < sizeof(err->message)) {
        const char *text = strerrordesc_np(errnum); /* as strerror, without a static buffer */
        (void)snprintf(err->message + used, sizeof(err->message) - used, ": %s",
                       text ? text : "unknown error");
    }
    errno = saved;
    return -1;
}

int sbx_err_prefix(struct sbx_err *err, const char *fmt, ...)
{
    if (!err)
        return -1;
    char rest[SBX_ERR_MESSAGE_BYTES];
    memcpy(rest, err->message, sizeof(rest));
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(err->message, sizeof(err->message), fmt, ap);
    va_end(ap);
    size_t used = strlen(err->message);
    if (used + 1 < sizeof(err->message))
        (void)snprintf(err->message + used, sizeof(err->message) - used, "%s", rest);
    return -1;
}
