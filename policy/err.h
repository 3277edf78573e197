/* The one error type. A fallible function returns 0, or -1 after filling in its last parameter.
 *
 * The struct lives on the caller's stack and owns nothing, so that it can be used in a PAM module,
 * after a fork and when memory is gone. The message says the aim and the object; errno says why. */
#ifndef SBX_POLICY_ERR_H
#define SBX_POLICY_ERR_H

#define SBX_ERR_MESSAGE_BYTES 512

#define SBX_MUST_CHECK         __attribute__((warn_unused_result))
#define SBX_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))

enum sbx_err_code {
    SBX_E_NONE = 0,
    SBX_E_SYSTEM,      /* a system call failed: errnum says how */
    SBX_E_MEMORY,      /* out of memory, or past a limit that stands for it */
    SBX_E_USAGE,       /* the caller's words are off */
    SBX_E_POLICY,      /* a policy file is invalid */
    SBX_E_TRUST,       /* wrong owner, mode or kind of a file that must be root's */
    SBX_E_LIMIT,       /* input past one of our bounds */
    SBX_E_SYNTAX,      /* text that is no shell syntax */
    SBX_E_UNSUPPORTED, /* the kernel or the machine lacks what we need */
    SBX_E_MOUNT,       /* building the view */
    SBX_E_PROTOCOL,    /* the peer on a socket said something it must not say */
    SBX_E_DENIED,      /* refused by policy */
    SBX_E_GONE,        /* the jail or its warden ended meanwhile */
    SBX_E_UNJAILED,    /* there is no jail, and managed policy lets that be */
};

struct sbx_err {
    enum sbx_err_code code;
    int errnum; /* errno of the failed call, 0 if none */
    char message[SBX_ERR_MESSAGE_BYTES];
};

#define SBX_ERR_INIT                                                                               \
    (struct sbx_err)                                                                               \
    {                                                                                              \
        .code = SBX_E_NONE                                                                         \
    }

/* Fills in *err (which may be NULL) and returns -1, so that `return sbx_fail(...)` says and does it.
 * Where errnum is not 0, ": " and its text are added to the message. Keeps errno as it was. */
int sbx_fail(struct sbx_err *err, enum sbx_err_code code, int errnum, const char *fmt, ...)
    SBX_PRINTF(4, 5);

/* Puts context in front of a message: "cannot build the jail: " + what stood there. Returns -1. */
int sbx_err_prefix(struct sbx_err *err, const char *fmt, ...) SBX_PRINTF(2, 3);

/* Compilers and analysers see one file at a time: this tells each of them that the result is -1, so
 * that they know what a caller sees after a failure. */
static inline int sbx_err_minus_one(int same)
{
    (void)same;
    return -1;
}
#define sbx_fail(...)       sbx_err_minus_one(sbx_fail(__VA_ARGS__))
#define sbx_err_prefix(...) sbx_err_minus_one(sbx_err_prefix(__VA_ARGS__))

#endif
