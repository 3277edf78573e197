#include "jail/mount.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <unistd.h>

#include "jail/sys.h"
#include "policy/cleanup.h"

int sbx_mount_set(int fd, uint64_t attributes, unsigned recursive)
{
    struct sbx_mount_attr attr = {.attr_set = attributes, .propagation = MS_PRIVATE};
    return sbx_sys_mount_setattr(fd, "", AT_EMPTY_PATH | recursive, &attr);
}

int sbx_mount_copy(int fd, uint64_t attributes, unsigned recursive)
{
    _cleanup_fd_ int tree = sbx_sys_open_tree(
        fd, "", SBX_OPEN_TREE_CLONE | SBX_OPEN_TREE_CLOEXEC | AT_EMPTY_PATH | recursive);
    if (tree < 0 || sbx_mount_set(tree, attributes, recursive))
        return -1;
    return sbx_steal_fd(&tree);
}

int sbx_mount_attach(int mount_fd, int target_fd)
{
    return sbx_sys_move_mount(mount_fd, "", target_fd, "",
                              SBX_MOVE_MOUNT_F_EMPTY_PATH | SBX_MOVE_MOUNT_T_EMPTY_PATH);
}

int sbx_mount_new(const char *type, const struct sbx_mount_option *options, uint64_t attributes)
{
    _cleanup_fd_ int context = sbx_sys_fsopen(type, SBX_FSOPEN_CLOEXEC);
    if (context < 0)
        return -1;
    for (; options && options->key; options++)
        if (sbx_sys_fsconfig(context, SBX_FSCONFIG_SET_STRING, options->key, options->value, 0))
            return -1;
    if (sbx_sys_fsconfig(context, SBX_FSCONFIG_CREATE, NULL, NULL, 0))
        return -1;
    return sbx_sys_fsmount(context, SBX_FSMOUNT_CLOEXEC, (unsigned)attributes);
}
