/* The warden's own state. One warden, one jail; everything it holds hangs on this struct.
 *
 * Runs as root outside the jail. It parses nothing that the account wrote: from the jail's side it
 * gets structs of fixed size from the clerk, process ids from the kernel, and closed descriptors. */
#ifndef SBX_WARDEN_WARDEN_H
#define SBX_WARDEN_WARDEN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "jail/cgroup.h"
#include "jail/jail.h"
#include "jail/seccomp.h"
#include "policy/config.h"
#include "policy/exempt.h"
#include "warden/client.h"
#include "warden/clerk.h"
#include "warden/event.h"
#include "warden/proto.h"

#define SBX_MAX_SESSIONS 1024
#define SBX_MAX_GROUPS   256
#define SBX_MAX_SETTINGS 64

/* What the launch file says; the strings live in `text`. */
struct sbx_params {
    char text[65536];
    const char *account, *policy, *workspace, *programs;
    const char *settings[SBX_MAX_SETTINGS + 1];
    size_t setting_count;
    uint32_t uid;
    bool is_run;
};

struct sbx_account {
    char name[64], home[4096], shell[4096];
    uid_t uid;
    gid_t gid;
    gid_t groups[SBX_MAX_GROUPS];
    size_t group_count;
    char group_names[SBX_MAX_GROUPS][64];
    const char *group_list[SBX_MAX_GROUPS + 1];
};

struct sbx_session {
    int fd; /* -1: free */
    uint32_t number;
    uint32_t loginuid;
    bool has_joined;
    char service[64], tty[64], rhost[128];
    pid_t peer;
    uid_t peer_uid;
};

struct sbx_warden {
    struct sbx_paths paths;
    struct sbx_params params;
    struct sbx_account account;
    char jail_id[SBX_JAIL_ID_BYTES];
    char cgroup_name[64];
    char run_path[512]; /* /run/sbx/jails/JAIL; changes when the jail retires */
    int jails_fd, run_fd, session_dir_fd;
    int filter_fd;                       /* memfd of the deny list */
    int init_filter_fd, clerk_filter_fd; /* and of those of the helpers */
    unsigned short filter_count;

    struct sbx_policy *policy;
    uint64_t stamp;
    char last_good[SBX_ERR_MESSAGE_BYTES + 96]; /* what the load has to tell, or "" */

    struct sbx_helper_user init_user, clerk_user;
    struct sbx_cgroup cgroup;
    bool has_cgroup, has_dir;
    struct sbx_jail jail;
    struct sbx_log *log;
    struct sbx_watch *watch; /* of watch.c; NULL: nothing to watch */
    gid_t operators;

    int listen_fd, signal_fd, strays_fd;
    int change_fd;  /* readable when a watched directory has changed */
    int janitor_fd; /* closes when the janitor ends */
    pid_t janitor_pid;
    struct {
        pid_t pid;
        int64_t started_ms;
        int line_fd;
        int shell_fd; /* the listening socket, kept so that a new clerk gets it */
        unsigned restarts;
    } clerk;

    struct sbx_session session[SBX_MAX_SESSIONS];
    unsigned session_top; /* entries that were ever used: the rest of the table is never touched */
    unsigned session_count, last_session;
    int64_t started;       /* wall clock, seconds */
    int64_t idle_since_ms; /* monotonic; 0: not idle */
    int64_t retire_at_ms;  /* 0: not retired */
    int64_t next_scan_ms;
    pid_t last_stray;
    bool has_started; /* recorded */
    bool is_ending;
    char end_reason[160];
    int killer_fd; /* connection that asked for the end and waits for DONE, or -1 */
};

/* params.c */
/* The launcher has them on descriptor 0, a unit of systemd in the file JAIL.launch, which the launcher
 * puts there and takes away: root's own, checked all the same. */
int sbx_params_open(int jails_fd, const char *jail, struct sbx_err *err) SBX_MUST_CHECK;
int sbx_params_put(int fd, int jails_fd, const char *jail, struct sbx_err *err) SBX_MUST_CHECK;
int sbx_params_read(struct sbx_params *params, int fd, struct sbx_err *err) SBX_MUST_CHECK;
/* account.c: passwd and group by NSS, outside the jail and before anything of the account's runs */
int sbx_account_find(struct sbx_account *account, const char *name, uint32_t uid,
                     struct sbx_err *err) SBX_MUST_CHECK;
int sbx_account_write_files(const struct sbx_account *account, int dir_fd,
                            struct sbx_err *err) SBX_MUST_CHECK;
bool sbx_account_is_same(const struct sbx_account *account);
/* rules.c: the policy in force */
int sbx_rules_load(struct sbx_warden *warden, struct sbx_policy **policy, uint64_t *stamp,
                   struct sbx_err *err) SBX_MUST_CHECK;
/* What the stamp of sbx_rules_load() would be now. */
uint64_t sbx_rules_stamp(const struct sbx_warden *warden);
/* Records that the last good policy is in force, and why, where the last load came to that. */
void sbx_rules_tell(struct sbx_warden *warden);
bool sbx_rules_confine(const struct sbx_warden *warden);
bool sbx_rules_same_jail(const struct sbx_policy *a, const struct sbx_policy *b);
/* exempt.c: logins without a jail. `lacks`: what this machine is known to lack, or NULL. Never for a
 * jail that root asked for by name (sbxctl run). */
bool sbx_exempt_now(const struct sbx_warden *warden, const struct sbx_policy *policy,
                    const char *lacks, struct sbx_exempt *out);
int sbx_exempt_publish(const struct sbx_warden *warden, const struct sbx_exempt *exempt,
                       struct sbx_err *err) SBX_MUST_CHECK;
/* A jail is to be built: no session of the account is without one any more. */
void sbx_exempt_forget(const struct sbx_warden *warden);
/* files.c: the jail's directory below /run/sbx/jails and what the jail sees of it */
int sbx_files_claim(struct sbx_warden *warden, struct sbx_err *err) SBX_MUST_CHECK;
int sbx_files_make(struct sbx_warden *warden, struct sbx_err *err) SBX_MUST_CHECK;
int sbx_files_publish_policy(const struct sbx_warden *warden, struct sbx_err *err) SBX_MUST_CHECK;
int sbx_files_attest(const struct sbx_warden *warden, struct sbx_err *err) SBX_MUST_CHECK;
int sbx_files_write(int dir_fd, const char *name, const void *data, size_t size, mode_t mode,
                    struct sbx_err *err) SBX_MUST_CHECK;
int sbx_files_seal(const char *name, const void *data, size_t size,
                   struct sbx_err *err) SBX_MUST_CHECK;
int sbx_files_rename(struct sbx_warden *warden, const char *to, struct sbx_err *err) SBX_MUST_CHECK;
void sbx_files_remove(int jails_fd, const char *name);
/* setup.c, teardown.c */
int sbx_warden_setup(struct sbx_warden *warden, struct sbx_err *err) SBX_MUST_CHECK;
void sbx_warden_teardown(struct sbx_warden *warden, const char *reason);
/* watch.c: what mounts of the view protect, and the host may make anew */
void sbx_watch_add(struct sbx_warden *warden, const struct sbx_guard *guard);
int sbx_watch_start(struct sbx_warden *warden, struct sbx_err *err) SBX_MUST_CHECK;
void sbx_watch_notice(struct sbx_warden *warden);       /* something changed */
int64_t sbx_watch_due(const struct sbx_warden *warden); /* when to look at it; 0: no need */
/* True where a look is due already, and not yet: more changes need wake nobody. */
bool sbx_watch_rests(const struct sbx_warden *warden, int64_t now);
void sbx_watch_tend(struct sbx_warden *warden, int64_t now); /* looks, if it is time */
/* sockets.c */
const char *const *sbx_sockets_find(struct sbx_arena *arena, const struct sbx_policy *policy);
/* janitor.c: cleans up after a warden that was killed */
int sbx_janitor_start(struct sbx_warden *warden, struct sbx_err *err) SBX_MUST_CHECK;
void sbx_janitor_sweep(const struct sbx_paths *paths, const char *jail, const char *cgroup_name);
void sbx_janitor_sweep_left(int jails_fd, const char *jail);
void sbx_janitor_sweep_dead(const struct sbx_paths *paths, const char *jail); /* all of that id */
/* unit.c: the jail as a unit of systemd */
bool sbx_unit_is_usable(const struct sbx_paths *paths);
int sbx_unit_start(const char *jail, struct sbx_err *err) SBX_MUST_CHECK;
void sbx_unit_ready(void);
/* loop.c: returns when the jail has ended */
void sbx_warden_loop(struct sbx_warden *warden);
void sbx_warden_end(struct sbx_warden *warden, const char *reason); /* the loop returns */
/* control.c */
bool sbx_control_accept(struct sbx_warden *warden); /* false: nobody waits */
void sbx_control_serve(struct sbx_warden *warden, struct sbx_session *session);
void sbx_session_close(struct sbx_warden *warden, struct sbx_session *session);
void sbx_warden_retire(struct sbx_warden *warden, const char *why);
/* helpers.c: the clerk */
int sbx_clerk_start(struct sbx_warden *warden, struct sbx_err *err) SBX_MUST_CHECK;
void sbx_clerk_read(struct sbx_warden *warden);
/* strays.c */
int sbx_strays_open(uid_t uid);
bool sbx_strays_drain(struct sbx_warden *warden); /* true: scan now */
void sbx_strays_scan(struct sbx_warden *warden);
bool sbx_is_warden(pid_t pid); /* the same program, and root's */
/* record.c of the warden: an event of this jail */
void sbx_warden_record(struct sbx_warden *warden, struct sbx_event *event);
void sbx_warden_tell(struct sbx_warden *warden, const char *action, const char *reason);

#endif
