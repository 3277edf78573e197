/* What each word of a command is for: the roles of the table, applied. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <string.h>

/* --- what words are for ------------------------------------------------------------------------------------------- */
static enum sbx_access access_of(char role)
{
    switch (role) {
    case 'l':
        return SBX_ACCESS_LIST;
    case 'L':
        return SBX_ACCESS_LIST_TREE;
    case 'R':
        return SBX_ACCESS_READ_TREE;
    case 'w':
        return SBX_ACCESS_WRITE;
    case 'd':
        return SBX_ACCESS_DELETE;
    case 'D':
        return SBX_ACCESS_DELETE_TREE;
    case 'v':
        return SBX_ACCESS_MOVE;
    case 'p':
        return SBX_ACCESS_PERM;
    case 'P':
        return SBX_ACCESS_PERM_TREE;
    default:
        return SBX_ACCESS_READ;
    }
}

static void mark_made(struct sbx_judge *j, const struct sbx_value *value, const struct sbx_use *use)
{
    char path[SBX_PATH_BYTES];
    if (!sbx_path_of(j, value, path, sizeof(path)))
        return;
    uint32_t taint = use->in ? use->in->taint : 0;
    if (use->row && (use->row->flags & SBX_CMD_NET))
        taint |= SBX_TAINT_NET;
    if (!sbx_made_find(j, path))
        sbx_made_add(j, path, NULL, taint, NULL);
}

/* What an rsync client starts at the other end, `rsync --server -logDtpre.iLsfxCIvu . DIR`: the "-e"
 * in it takes letters that tell what the client can do, and runs nothing. */
static bool is_rsync_capability(const struct sbx_use *use, const struct sbx_value *value)
{
    return !strcmp(use->name, "rsync") && use->words > 1 &&
           sbx_value_is(use->word[1], "--server") && sbx_value_known(value) &&
           value->text[0] == '.' &&
           strspn(value->text + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") + 1 ==
               value->len;
}

static uint32_t read_role(struct sbx_judge *j, char role, const struct sbx_value *value)
{
    char path[SBX_PATH_BYTES];
    uint32_t taint = sbx_value_is(value, "-") ? 0 : sbx_check_path(j, value, access_of(role));
    if (role == 'l' || role == 'L')
        return taint & SBX_TAINT_SECRET;
    struct sbx_made *made =
        j->made && sbx_path_of(j, value, path, sizeof(path)) ? sbx_made_find(j, path) : NULL;
    return taint | (made ? made->taint : 0);
}

static void write_role(struct sbx_judge *j, const struct sbx_use *use,
                       const struct sbx_value *value)
{
    j->writes_output = true;
    if (sbx_value_is(value, "-"))
        return;
    (void)sbx_check_path(j, value, SBX_ACCESS_WRITE);
    mark_made(j, value, use);
    char path[SBX_PATH_BYTES];
    if (sbx_path_of(j, value, path, sizeof(path)))
        sbx_classify_written(j, path, NULL);
}

/* Roles whose value makes the program run something. */
static void code_role(struct sbx_judge *j, struct sbx_use *use, char role, struct sbx_value *value)
{
    switch (role) {
    case 'x':
        (void)sbx_run_file(j, value, use);
        break;
    case 'c':
        sbx_judge_code(j, value, use->in, use->out);
        break;
    case 'b':
        sbx_find(j, SBX_DENY, SBX_CLASS_PERSISTENCE, "a library to load into a program",
                 "run the program without libraries of your own");
        break;
    case 'E':
        (void)sbx_check_path(j, value, SBX_ACCESS_LIST);
        /* A bare word names something that is installed. */
        if (strpbrk(value->text, "./") || sbx_value_has(value, SBX_MASK_UNKNOWN))
            sbx_find(j, SBX_ASK, SBX_CLASS_SHELL_EVASION, "configuration that may run code",
                     "run the program without it, or ask");
        break;
    default:
        if (!sbx_is_harmless_tool(value) && !is_rsync_capability(use, value))
            sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "an option that runs a program",
                     "run that program as a command of its own");
    }
}

uint32_t sbx_apply_role(struct sbx_judge *j, struct sbx_use *use, char role,
                        struct sbx_value *value)
{
    if (strchr("rlRL", role))
        return read_role(j, role, value);
    if (strchr("xcbEe", role)) {
        code_role(j, use, role, value);
        return 0;
    }
    switch (role) {
    case 'w':
        write_role(j, use, value);
        return 0;
    case 'd':
    case 'D':
    case 'v':
    case 'p':
    case 'P':
        (void)sbx_check_path(j, value, access_of(role));
        return 0;
    case 'W':
        (void)sbx_check_path(j, value, SBX_ACCESS_LIST);
        sbx_chdir(j, value); /* until this command is done: judge_named() goes back */
        return 0;
    case 'u':
    case 'h':
        if (!strncmp(value->text, "ext::", 5))
            sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "an address that runs a program",
                     "run that program as a command of its own");
        sbx_check_host_value(j, value, role == 'u');
        return value->taint;
    case 'i':
        sbx_classify_public(j, value);
        return value->taint;
    default:
        return value->taint;
    }
}

void sbx_apply_roles(struct sbx_judge *j, struct sbx_use *use)
{
    uint32_t taint = 0;
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *option = &use->option[i];
        if (option->value && option->role && option->role != 'C' && option->role != 'k')
            taint |= sbx_apply_role(j, use, option->role, option->value);
        else if (option->value)
            taint |= option->value->taint;
    }
    for (uint32_t i = 0; i < use->operands; i++) {
        char role = sbx_use_role(use, i);
        if (role == 'C')
            break;
        /* jq -f x.jq FILE, zgrep -e x FILE: the text stands in an option, and this is a file. */
        bool by_option = !use->row->check || use->row->check == sbx_check_codes;
        if (role == 'n' && !i && by_option && (use->row->flags & SBX_CMD_FILTER) &&
            use->operand[i]->text[0] == '/')
            role = 'r';
        if (role != 'k' && role != 'q' && role != 'f' && role != 'F' && role != 'm')
            taint |= sbx_apply_role(j, use, role, use->operand[i]);
    }
    uint32_t flags = use->row->flags;
    use->out->is_set = true;
    if (flags & SBX_CMD_FILTER)
        use->out->taint |= taint | (use->in ? use->in->taint : 0);
    else if (flags & SBX_CMD_NET)
        use->out->taint |= SBX_TAINT_NET;
    else if (flags & SBX_CMD_ENV)
        use->out->taint |= SBX_TAINT_ENV;
    else if (flags & SBX_CMD_PRINT)
        use->out->taint |= taint & (SBX_TAINT_SECRET | SBX_TAINT_ENV);
    else
        use->out->taint |= (taint & ~(uint32_t)SBX_TAINT_LIST) | SBX_TAINT_FILE;
}
