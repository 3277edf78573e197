/* The words between the warden and those who talk to it: pam_sbx, sbxctl, sbxsh (through the clerk).
 *
 * Both sockets are SOCK_SEQPACKET: one message is one packet of one fixed struct, followed for some
 * by descriptors (SCM_RIGHTS) or by text. A packet of another size, version or type ends the
 * connection. All strings are NUL-terminated within their arrays; receivers make sure of it. */
#ifndef SBX_WARDEN_PROTO_H
#define SBX_WARDEN_PROTO_H

#include <stdint.h>

#define SBX_PROTO_MAGIC   0x31706273u /* "sbp1" */
#define SBX_PROTO_VERSION 1u

/* A jail's id: UID, or UID-N. */
#define SBX_JAIL_ID_BYTES 32

/* Names below the state directories (/run/sbx and so on, or DIR/run/sbx under root=DIR). */
#define SBX_RUN_DIR   "/run/sbx"
#define SBX_LIB_DIR   "/var/lib/sbx"
#define SBX_LOG_DIR   "/var/log/sbx"
#define SBX_ETC_DIR   "/etc/sbx"
#define SBX_JAILS_DIR "/run/sbx/jails" /* JAIL/control.sock, JAIL/session/, JAIL/launch */

/* --- control socket: /run/sbx/jails/JAIL/control.sock, root and group sbx-operators ------------ */
#define SBX_SETTINGS_BYTES 65 /* 64 hex digits, or "" for none */

enum sbx_message {
    SBX_MSG_JOIN = 1, /* struct sbx_join_request; only from uid 0 */
    SBX_MSG_JOINED,   /* struct sbx_join_reply + descriptors */
    SBX_MSG_REFUSED,  /* struct sbx_join_reply: message says why */
    SBX_MSG_RETIRED,  /* struct sbx_join_reply: this jail takes no more sessions; start a new one */
    SBX_MSG_BYE,      /* struct sbx_header: the session ends; no answer */
    SBX_MSG_STATUS,   /* struct sbx_header */
    SBX_MSG_STATE,    /* struct sbx_state */
    SBX_MSG_KILL,     /* struct sbx_header: end the jail now */
    SBX_MSG_DONE,     /* struct sbx_header: answer to KILL, sent when all is gone */
};

struct sbx_header {
    uint32_t magic, version;
    uint32_t message; /* enum sbx_message */
    uint32_t size;    /* of the whole packet */
};

/* The connection on which JOIN was sent is the session: it lasts until that connection closes, so a
 * killed sshd ends its session as surely as a polite one. The asker is identified by SO_PEERCRED. */
struct sbx_join_request {
    struct sbx_header header;
    uint32_t uid;      /* must be the jail's */
    uint32_t loginuid; /* of the joining process, for the record; (uint32_t)-1: unset */
    char service[64];  /* PAM service, or "run" */
    char tty[64];      /* PAM_TTY, or "" */
    char rhost[128];   /* PAM_RHOST, or "" */
    /* Of the settings that the asker brings (sbx_settings_digest): a jail that was built with others
     * retires. */
    char settings[SBX_SETTINGS_BYTES];
};

#define SBX_JOIN_MAX_CGROUPS 6

struct sbx_rlimit {
    uint32_t resource; /* RLIMIT_… */
    uint32_t unused;
    uint64_t value; /* soft and hard alike */
};

#define SBX_JOIN_MAX_RLIMITS 6

/* Descriptors sent with JOINED, in this order: pidfd of the jail's init; memfd with the deny-list
 * filter (struct sock_filter[]); then cgroup_count descriptors that move who writes "0" there. */
struct sbx_join_reply {
    struct sbx_header header;
    uint32_t session; /* number of the session in its jail */
    uint32_t cgroup_count;
    uint32_t filter_count; /* instructions in the filter */
    uint32_t rlimit_count;
    struct sbx_rlimit rlimit[SBX_JOIN_MAX_RLIMITS];
    char jail[SBX_JAIL_ID_BYTES];
    char message[512]; /* REFUSED: for the log. What the terminal may see is a fixed sentence. */
};

struct sbx_state {
    struct sbx_header header;
    uint32_t uid, sessions, processes;
    uint32_t is_retired;
    int64_t started; /* seconds since the epoch */
    uint64_t events, dropped;
    uint64_t fingerprint; /* of the policy in force */
    uint64_t head_seq;    /* last record of the jail's event chain; 0: none yet */
    char head[72];        /* its hash, hex */
    int32_t warden_pid, init_pid;
    char jail[SBX_JAIL_ID_BYTES];
    char account[64];
};

/* --- shell socket: /run/sbx/session/shell.sock in the jail, read by the clerk alone ------------- */
#define SBX_REPORT_TEXT_BYTES 65536

/* sbxsh → clerk, followed by text_bytes of the command (cut at SBX_REPORT_TEXT_BYTES). The clerk
 * judges the text again; what only the shell can know is marked so in the event. */
struct sbx_shell_report {
    struct sbx_header header; /* message: SBX_MSG_REPORT; size counts the text */
    uint32_t text_bytes;
    uint32_t text_total;     /* length before it was cut */
    uint32_t verdict, class; /* as the shell saw them; evidence, not truth */
    uint32_t interactive;
    char cwd[1024];
};

struct sbx_shell_answer {
    struct sbx_header header; /* message: SBX_MSG_NOTED */
    uint64_t event;           /* seq of the record, 0: it was dropped over the rate */
};

enum { SBX_MSG_REPORT = 64, SBX_MSG_NOTED };

#endif
