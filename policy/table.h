/* Short names for the rows of the command table (table_*.c), and the checks they name. */
#ifndef SBX_POLICY_TABLE_H
#define SBX_POLICY_TABLE_H

#include "policy/command.h"

#define RO     SBX_CMD_READONLY
#define STOP   SBX_CMD_STOP
#define SUB    SBX_CMD_SUB
#define DLONG  SBX_CMD_DASHLONG
#define WRAP   (SBX_CMD_WRAPPER | SBX_CMD_STOP | SBX_CMD_DANGER)
#define FILTER SBX_CMD_FILTER
#define NET    SBX_CMD_NET
#define BUILT  SBX_CMD_BUILTIN
#define VOK    SBX_CMD_VERSION_OK
#define DANGER SBX_CMD_DANGER
#define DATA   SBX_CMD_DATA
#define SHELL  (SBX_CMD_SHELL | SBX_CMD_STOP | SBX_CMD_DANGER | SBX_CMD_PLUS)
#define SENDER SBX_CMD_SENDER
#define OLD    SBX_CMD_OLD
#define ENVOUT SBX_CMD_ENV
#define PRINT  SBX_CMD_PRINT
#define OWN    SBX_CMD_OWN
#define PAGER  SBX_CMD_PAGER
#define LETTER SBX_CMD_CLUSTER

#define NONE                                                                                       \
    {                                                                                              \
        SBX_ALLOW, SBX_CLASS_NONE                                                                  \
    }
#define DENY(c)                                                                                    \
    {                                                                                              \
        SBX_DENY, SBX_CLASS_##c                                                                    \
    }
#define ASK(c)                                                                                     \
    {                                                                                              \
        SBX_ASK, SBX_CLASS_##c                                                                     \
    }

/* clang-format off */
#define CHECK(name) void sbx_check_##name(struct sbx_judge *j, struct sbx_use *use)
/* classify_file.c */
CHECK(rm); CHECK(mv); CHECK(cp); CHECK(ln); CHECK(dd); CHECK(chmod); CHECK(find); CHECK(rsync);
CHECK(tar); CHECK(truncate); CHECK(mkdir); CHECK(touch); CHECK(shred); CHECK(zip); CHECK(grep); CHECK(fd);
/* classify_text.c */
CHECK(echo); CHECK(printf); CHECK(cat); CHECK(transform); CHECK(sed); CHECK(awk); CHECK(sort);
CHECK(editor); CHECK(pager); CHECK(narrow);
/* classify_shell.c */
CHECK(shell); CHECK(eval); CHECK(source); CHECK(cd); CHECK(set); CHECK(export); CHECK(alias);
CHECK(trap); CHECK(read); CHECK(unset); CHECK(test); CHECK(mapfile); CHECK(hash); CHECK(enable);
CHECK(history); CHECK(env); CHECK(xargs); CHECK(known); CHECK(exec); CHECK(shopt); CHECK(codes); CHECK(unalias);
CHECK(command); CHECK(busybox); CHECK(daemon); CHECK(own_shell); CHECK(setarch); CHECK(console);
/* classify_code.c */
CHECK(interpreter); CHECK(rake); CHECK(make); CHECK(sql);
/* classify_net.c */
CHECK(curl); CHECK(wget); CHECK(netcat); CHECK(ssh); CHECK(scp); CHECK(mail); CHECK(lookup);
CHECK(sender); CHECK(broker); CHECK(stress); CHECK(probe); CHECK(sevenzip); CHECK(serve); CHECK(socat); CHECK(openssl); CHECK(ping);
/* classify_admin.c */
CHECK(kill); CHECK(pkill); CHECK(pidof); CHECK(prlimit); CHECK(swap); CHECK(tex); CHECK(cmake); CHECK(cpio); CHECK(backup); CHECK(print); CHECK(systemctl); CHECK(journalctl); CHECK(mount); CHECK(ip); CHECK(crontab);
CHECK(sysctl); CHECK(date); CHECK(hostname); CHECK(renice); CHECK(trace); CHECK(device);
CHECK(container); CHECK(secret); CHECK(ps); CHECK(iptables); CHECK(logger); CHECK(packages); CHECK(remote_package);
CHECK(infra); CHECK(gpg); CHECK(screen); CHECK(npm); CHECK(tty);
/* classify_git.c */
CHECK(git); CHECK(git_reset); CHECK(git_checkout); CHECK(git_restore); CHECK(git_switch);
CHECK(git_clean); CHECK(git_push); CHECK(git_branch); CHECK(git_stash); CHECK(git_config);
CHECK(git_remote); CHECK(git_clone); CHECK(git_tag); CHECK(git_init); CHECK(git_gc);
CHECK(git_submodule); CHECK(git_worktree); CHECK(git_public); CHECK(git_destroy); CHECK(git_show);
CHECK(git_bisect); CHECK(git_rebase); CHECK(git_grep);
#undef CHECK
/* clang-format on */

#endif
