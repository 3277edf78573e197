/* Redirections: paths like any other, and where data comes from and goes. */
#include "policy/classify.h"
#include "policy/place.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_write(enum sbx_redir_kind kind)
{
    return kind == SBX_REDIR_WRITE || kind == SBX_REDIR_CLOBBER || kind == SBX_REDIR_APPEND ||
           kind == SBX_REDIR_BOTH || kind == SBX_REDIR_BOTH_APPEND || kind == SBX_REDIR_READWRITE;
}

static bool is_read(enum sbx_redir_kind kind)
{
    return kind == SBX_REDIR_READ || kind == SBX_REDIR_READWRITE;
}

/* /dev/tcp/HOST/PORT is bash's own socket, no file. */
static bool network_target(struct sbx_judge *j, const struct sbx_value *target,
                           const struct sbx_redir *redir, struct sbx_redirected *r)
{
    if (target->len < 9 ||
        (strncmp(target->text, "/dev/tcp/", 9) && strncmp(target->text, "/dev/udp/", 9)))
        return false;
    struct sbx_url url = {0};
    const char *host = target->text + 9, *slash = strchr(host, '/');
    size_t len = slash ? (size_t)(slash - host) : strlen(host);
    if (len && len < sizeof(url.host)) {
        memcpy(url.host, host, len);
        url.port = slash ? (unsigned)strtoul(slash + 1, NULL, 10) : 0;
    }
    sbx_check_host(j, &url);
    if (sbx_is_loopback(url.host))
        return true;
    if (is_read(redir->kind)) {
        r->in = (struct sbx_flow){.is_set = true, .taint = SBX_TAINT_NET};
    }
    r->out_net = true;
    return true;
}

/* What is opened for reading: standard input, or a descriptor that <&N and /dev/fd/N give back. */
static void set_input(struct sbx_judge *j, const struct sbx_redir *redir, struct sbx_redirected *r,
                      struct sbx_flow in)
{
    if (redir->fd > 2 && redir->fd < 10)
        j->descriptor[redir->fd] = in;
    else if (redir->fd <= 0)
        r->in = in;
}

static void read_target(struct sbx_judge *j, const struct sbx_redir *redir,
                        const struct sbx_value *target, struct sbx_redirected *r)
{
    char path[SBX_PATH_BYTES];
    uint32_t taint = sbx_check_path(j, target, SBX_ACCESS_READ);
    bool known = sbx_path_of(j, target, path, sizeof(path));
    struct sbx_made *made = known ? sbx_made_find(j, path) : NULL;
    struct sbx_flow in = {.is_set = true,
                          .taint = taint | (made ? made->taint : 0),
                          .endless = known && sbx_is_endless_source(path)};
    if (made)
        in.text = made->text;
    if (!strcmp(target->text, "/dev/null"))
        in.text = sbx_value_new(&j->arena, "", 0);
    set_input(j, redir, r, in);
}

static void write_target(struct sbx_judge *j, const struct sbx_redir *redir,
                         const struct sbx_value *target, struct sbx_redirected *r)
{
    char path[SBX_PATH_BYTES];
    bool stdout_too = redir->kind == SBX_REDIR_BOTH || redir->kind == SBX_REDIR_BOTH_APPEND ||
                      redir->fd < 0 || redir->fd == 1;
    (void)sbx_check_path(j, target, SBX_ACCESS_WRITE);
    bool known = sbx_path_of(j, target, path, sizeof(path));
    if (!known || strncmp(path, "/dev/", 5) != 0)
        r->out_any = true;
    if (!stdout_too || redir->fd_var)
        return;
    r->out_file = true;
    r->append = redir->kind == SBX_REDIR_APPEND || redir->kind == SBX_REDIR_BOTH_APPEND;
    r->made = known ? sbx_arena_strndup(&j->arena, path, strlen(path)) : NULL;
}

static struct sbx_flow duplicated(const struct sbx_judge *j, const struct sbx_value *fd)
{
    if (fd->len == 1 && fd->text[0] > '2' && fd->text[0] <= '9' && sbx_value_known(fd) &&
        j->descriptor[fd->text[0] - '0'].is_set)
        return j->descriptor[fd->text[0] - '0'];
    return (struct sbx_flow){.is_set = true, .taint = SBX_TAINT_UNKNOWN | j->exec_taint};
}

static void enter_one(struct sbx_judge *j, const struct sbx_redir *redir, struct sbx_redirected *r)
{
    if (!sbx_step(j, 1))
        return;
    if (redir->kind == SBX_REDIR_HEREDOC) {
        struct sbx_value *text =
            redir->heredoc ? sbx_expand_one(j, redir->heredoc) : sbx_value_new(&j->arena, "", 0);
        set_input(j, redir, r,
                  (struct sbx_flow){.text = text, .is_set = true, .taint = text ? text->taint : 0});
        return;
    }
    if (!redir->target)
        return;
    if (redir->kind == SBX_REDIR_HERESTRING) {
        struct sbx_value *text = sbx_expand_one(j, redir->target);
        set_input(j, redir, r,
                  (struct sbx_flow){.text = text, .is_set = true, .taint = text->taint});
        return;
    }
    if (redir->kind == SBX_REDIR_DUP_IN || redir->kind == SBX_REDIR_DUP_OUT) {
        struct sbx_value *fd = sbx_expand_one(j, redir->target);
        /* <&3: what was opened before; a network socket made by exec 3<>/dev/tcp/… stays one. */
        if (redir->kind == SBX_REDIR_DUP_IN && redir->fd <= 0 && !sbx_value_is(fd, "-") &&
            !sbx_value_is(fd, "0"))
            r->in = duplicated(j, fd);
        if (redir->kind == SBX_REDIR_DUP_OUT && j->exec_taint && fd->len &&
            isdigit((unsigned char)fd->text[0]) && fd->text[0] > '2')
            r->out_net = true;
        return;
    }
    struct sbx_values targets;
    sbx_values_init(&targets);
    sbx_expand(j, redir->target, &targets);
    for (struct sbx_value *target = targets.first; target; target = target->next) {
        if (network_target(j, target, redir, r))
            continue;
        if (is_read(redir->kind))
            read_target(j, redir, target, r);
        if (is_write(redir->kind))
            write_target(j, redir, target, r);
    }
}

void sbx_redirs_enter(struct sbx_judge *j, const struct sbx_redir *redirs, struct sbx_redirected *r)
{
    for (; redirs; redirs = redirs->next)
        enter_one(j, redirs, r);
}

void sbx_redirs_leave(struct sbx_judge *j, const struct sbx_redirected *r,
                      const struct sbx_flow *own, struct sbx_flow *out)
{
    if (r->out_net)
        sbx_find_sent(j, own->taint | SBX_TAINT_UNKNOWN);
    if (!r->out_file) {
        if (out)
            *out = *own;
        return;
    }
    if (out)
        *out = (struct sbx_flow){0};
    if (!r->made)
        return;
    struct sbx_made *pipe = sbx_made_find(j, r->made);
    if (own->endless && strncmp(r->made, "/dev/", 5) != 0)
        sbx_find_endless_file(j);
    if (pipe && pipe->sink) {
        struct sbx_flow ignored = {0};
        sbx_walk_script(j, pipe->sink, own, &ignored);
        return;
    }
    const struct sbx_value *text = own->is_set ? own->text : NULL;
    uint32_t taint = own->taint;
    struct sbx_made *old = r->append ? sbx_made_find(j, r->made) : NULL;
    if (old && old->text && text) {
        struct sbx_text joined = {.arena = &j->arena};
        sbx_text_append(&joined, old->text);
        sbx_text_append(&joined, text);
        text = sbx_text_value(&joined, text->span);
        taint |= old->taint;
    } else if (old) {
        taint |= old->taint;
    }
    sbx_made_add(j, r->made, text, taint, own->copy_of);
    sbx_classify_written(j, r->made, text);
}
