/* Shared by the client's own files only: deadlines, and running the launcher. */
#ifndef SBX_WARDEN_CLIENT_PARTS_H
#define SBX_WARDEN_CLIENT_PARTS_H

#include <stdint.h>
#include <sys/types.h>

#include "warden/client.h"

struct sbx_deadline {
    int64_t end_ms; /* CLOCK_MONOTONIC */
};

struct sbx_deadline sbx_deadline_in(int ms);
int sbx_deadline_left_ms(const struct sbx_deadline *deadline); /* 0 when it has passed */

/* Waits a moment before another try; false when the deadline has passed. */
bool sbx_deadline_nap(const struct sbx_deadline *deadline);

/* One starter at a time: jails/JAIL.lock, held while a jail is made and removed before it is let go. */
struct sbx_lock {
    int jails_fd; /* borrowed */
    int fd;
    char name[SBX_JAIL_ID_BYTES + sizeof(".lock")];
};
#define SBX_LOCK_INIT(jails)                                                                       \
    (struct sbx_lock)                                                                              \
    {                                                                                              \
        .jails_fd = (jails), .fd = -1                                                              \
    }
/* Waits at most that long; 0: not at all. */
int sbx_lock_take(struct sbx_lock *lock, const char *jail, int wait_ms,
                  struct sbx_err *err) SBX_MUST_CHECK;
void sbx_lock_release(struct sbx_lock *lock);
#define _cleanup_lock_ __attribute__((cleanup(sbx_lock_release)))

/* Takes the launcher's answer apart and makes the record of the calling process's login. -1 always:
 * SBX_E_UNJAILED, or why not even that is possible. `answer` is *err as the launcher left it. */
int sbx_unjailed_admit(const struct sbx_paths *paths, const struct sbx_launch *launch, uid_t uid,
                       struct sbx_err *err) SBX_MUST_CHECK;

/* The parameters of a launch in an unnamed file, which goes with whoever is killed: a descriptor, the
 * caller's, or -1. */
int sbx_launch_write(const struct sbx_launch *launch, uid_t uid,
                     struct sbx_err *err) SBX_MUST_CHECK;

/* Exit status of the launcher where no jail is built and managed policy lets that be. Its last line is
 * "RULE|FILE:LINE|WHY". */
#define SBX_LAUNCH_UNJAILED 33

/* Runs `sbx-warden --launch JAIL` with them as its standard input and waits for its end, at most until the deadline (then it is
 * killed). On 0 `made` is the id of the jail that is ready; SBX_E_UNJAILED: see sbx_client_join(). */
int sbx_launcher_run(const struct sbx_paths *paths, const char *jail, int params_fd,
                     const struct sbx_deadline *deadline, char made[SBX_JAIL_ID_BYTES],
                     struct sbx_err *err) SBX_MUST_CHECK;

#define SBX_ANSWER_FDS 16 /* more than any answer has, so that one too many is seen and closed */

/* One received packet. Unused descriptors are -1. */
struct sbx_answer {
    union {
        struct sbx_header header;
        struct sbx_join_reply join;
        struct sbx_state state;
        char bytes[sizeof(struct sbx_join_reply) + 1]; /* one more: an oversized packet shows */
    } packet;
    size_t size;
    int fd[SBX_ANSWER_FDS];
    unsigned fd_count;
};

_Static_assert(sizeof(struct sbx_join_reply) >= sizeof(struct sbx_state), "largest packet first");

/* Closes the descriptors that nobody took. */
void sbx_answer_release(struct sbx_answer *answer);
#define _cleanup_answer_ __attribute__((cleanup(sbx_answer_release)))

struct sbx_header sbx_header_of(enum sbx_message message, size_t size);

/* Connects to jails/JAIL/control.sock and makes sure that root serves it. SBX_E_GONE where nobody
 * does. Returns the descriptor, which does not block, or -1. */
int sbx_connect_jail(int jails_fd, const char *jail, const struct sbx_deadline *deadline,
                     struct sbx_err *err) SBX_MUST_CHECK;

/* Sends one packet and takes one answer, of a known kind and of exactly its size, with descriptors
 * only where it is JOINED. Release *answer also after a failure. */
int sbx_exchange(int fd, const void *request, size_t size, struct sbx_answer *answer,
                 const struct sbx_deadline *deadline, struct sbx_err *err) SBX_MUST_CHECK;

#endif
