/* The groups of the command table, in the order of their file names: the index goes by it. */
#include "policy/command.h"

extern const struct sbx_command_group sbx_group_admin, sbx_group_build, sbx_group_cloud,
    sbx_group_file, sbx_group_git, sbx_group_net, sbx_group_shell, sbx_group_text;

const struct sbx_command_group *const sbx_command_groups[SBX_COMMAND_GROUPS] = {
    &sbx_group_admin, &sbx_group_build, &sbx_group_cloud, &sbx_group_file,
    &sbx_group_git,   &sbx_group_net,   &sbx_group_shell, &sbx_group_text,
};
