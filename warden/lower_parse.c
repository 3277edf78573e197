/* Parses one file, as the clerk. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "jail/caps.h"
#include "jail/seccomp.h"
#include "jail/sys.h"
#include "policy/cleanup.h"
#include "warden/lower_internal.h"

/* One packet from the child: a setting, something to tell, or the end. */
enum { PACKET_SETTING = 1, PACKET_TELL, PACKET_END };
#define TEXT_BYTES ((size_t)64 * 1024)

struct packet {
    uint32_t kind;
    uint32_t key, severity, line, column, value_column, status;
    uint32_t command_bytes, value_bytes; /* each with its NUL; 0: NULL */
    char text[TEXT_BYTES];               /* the command, then the value or message */
};

struct sender {
    int fd;
    struct packet packet;
};

static int put(struct sender *sender, const char *command, const char *value)
{
    struct packet *packet = &sender->packet;
    size_t first = command ? strlen(command) + 1 : 0, second = strlen(value) + 1;
    if (first + second > TEXT_BYTES)
        return -1;
    if (command)
        memcpy(packet->text, command, first);
    memcpy(packet->text + first, value, second);
    packet->command_bytes = (uint32_t)first;
    packet->value_bytes = (uint32_t)second;
    size_t size = offsetof(struct packet, text) + first + second;
    return send(sender->fd, packet, size, MSG_NOSIGNAL) == (ssize_t)size ? 0 : -1;
}

static int send_setting(void *data, const struct sbx_config_setting *setting)
{
    struct sender *sender = data;
    sender->packet.kind = PACKET_SETTING;
    sender->packet.key = setting->key;
    sender->packet.line = setting->line;
    sender->packet.column = setting->column;
    sender->packet.value_column = setting->value_column;
    return put(sender, setting->command, setting->value);
}

static void send_telling(void *data, enum sbx_severity severity, const struct sbx_place *place,
                         const char *message)
{
    struct sender *sender = data; /* there is but one file */
    sender->packet.kind = PACKET_TELL;
    sender->packet.severity = severity;
    sender->packet.line = place->line;
    sender->packet.column = place->column;
    if (put(sender, NULL, message))
        _exit(1);
}

static int load_filter(void)
{
    struct sbx_err err;
    struct sbx_bpf filter = {0};
    if (sbx_seccomp_compile_helper(SBX_HELPER_CLERK, &filter, &err))
        return -1;
    int status = sbx_seccomp_load(filter.code, filter.count, &err);
    free(filter.code);
    return status;
}

static void be_parser(const struct sbx_lower_file *file, const struct sbx_lower_text *text,
                      const struct sbx_lower_spec *spec, int socket_fd)
{
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_config *config = NULL;
    struct sender *sender = calloc(1, sizeof(*sender));
    if (!sender || dup2(socket_fd, 3) < 0 || sbx_sys_close_range(4, ~0u, 0) ||
        sbx_caps_become(spec->parser_uid, spec->parser_gid, NULL, 0, &err) ||
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_PDEATHSIG, SIGKILL) ||
        load_filter() || sbx_config_new(&config, &err))
        _exit(1);
    sender->fd = 3;
    const struct sbx_reporter reporter = {.say = send_telling, .data = sender};
    int status = sbx_config_read_lower(config, file, text->bytes, text->len, &reporter, &err);
    if (!status && sbx_config_each(config, send_setting, sender))
        _exit(1);
    sender->packet.kind = PACKET_END;
    sender->packet.status = status != 0;
    (void)put(sender, NULL, status ? err.message : "");
    _exit(0);
}

/* --- the parent's side ------------------------------------------------------------------------ */
struct receiver {
    struct sbx_config *config;
    const struct sbx_lower_file *file;
    const struct sbx_reporter *reporter;
    int fd;
    int64_t deadline;
    struct packet packet;
};

/* Whole, and both texts end where they say. */
static bool is_sound(const struct packet *packet, ssize_t n)
{
    size_t head = offsetof(struct packet, text);
    if (n <= (ssize_t)head || packet->value_bytes == 0 || packet->command_bytes > TEXT_BYTES ||
        packet->value_bytes > TEXT_BYTES ||
        (size_t)n != head + packet->command_bytes + packet->value_bytes)
        return false;
    const char *command = packet->text, *value = packet->text + packet->command_bytes;
    return (!packet->command_bytes ||
            strnlen(command, packet->command_bytes) == packet->command_bytes - 1) &&
           strnlen(value, packet->value_bytes) == packet->value_bytes - 1;
}

static int take_setting(const struct receiver *receiver, struct sbx_err *err)
{
    const struct packet *packet = &receiver->packet;
    const struct sbx_config_setting setting = {
        .key = packet->key,
        .line = packet->line,
        .column = packet->column,
        .value_column = packet->value_column,
        .command = packet->command_bytes ? packet->text : NULL,
        .value = packet->text + packet->command_bytes,
    };
    return sbx_config_add_lower(receiver->config, receiver->file, &setting, err);
}

static void take_telling(const struct receiver *receiver)
{
    const struct packet *packet = &receiver->packet;
    enum sbx_severity severity = packet->severity <= SBX_SEVERITY_NOTE
                                     ? (enum sbx_severity)packet->severity
                                     : SBX_SEVERITY_ERROR;
    const struct sbx_place place = {receiver->file->label, packet->line, packet->column};
    if (receiver->reporter)
        receiver->reporter->say(receiver->reporter->data, severity, &place,
                                packet->text + packet->command_bytes);
}

/* Until the child says that it is done. */
static int receive_all(struct receiver *receiver, struct sbx_err *err)
{
    struct packet *packet = &receiver->packet;
    for (;;) {
        ssize_t n = sbx_lower_wait(receiver->fd, receiver->deadline)
                        ? recv(receiver->fd, packet, sizeof(*packet), MSG_DONTWAIT)
                        : -1;
        if (!is_sound(packet, n))
            return sbx_fail(err, SBX_E_POLICY, 0, "%s: the program that reads it failed",
                            receiver->file->label);
        if (packet->kind == PACKET_END)
            return packet->status
                       ? sbx_fail(err, SBX_E_POLICY, 0, "%s", packet->text + packet->command_bytes)
                       : 0;
        if (packet->kind == PACKET_SETTING && take_setting(receiver, err))
            return -1;
        if (packet->kind == PACKET_TELL)
            take_telling(receiver);
    }
}

static int receive(struct sbx_config *config, const struct sbx_lower_file *file, int fd,
                   const struct sbx_reporter *reporter, struct sbx_err *err)
{
    _cleanup_free_ struct receiver *receiver = calloc(1, sizeof(*receiver));
    if (!receiver)
        return sbx_fail(err, SBX_E_MEMORY, 0, "%s: out of memory", file->label);
    receiver->config = config;
    receiver->file = file;
    receiver->reporter = reporter;
    receiver->fd = fd;
    receiver->deadline = sbx_now_ms() + SBX_LOWER_TIMEOUT_MS;
    return receive_all(receiver, err);
}

int sbx_lower_parse(struct sbx_config *config, const struct sbx_lower_file *file,
                    const struct sbx_lower_text *text, const struct sbx_lower_spec *spec,
                    const struct sbx_reporter *reporter, struct sbx_err *err)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot make a socket pair");
    pid_t pid = fork();
    if (pid == 0)
        be_parser(file, text, spec, pair[1]);
    int saved = errno;
    (void)close(pair[1]);
    _cleanup_fd_ int socket_fd = pair[0];
    if (pid < 0)
        return sbx_fail(err, SBX_E_SYSTEM, saved, "cannot fork to read %s", file->label);
    int status = receive(config, file, socket_fd, reporter, err);
    sbx_lower_reap(pid);
    return status;
}
