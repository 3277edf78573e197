/* What cannot work in a jail, whatever the judge says of it, and what does instead. */
#include <string.h>

#include "policy/explain.h"

static const struct {
    const char *names, *instead;
} rows[] = {
    {"docker podman nerdctl buildah ctr crictl lxc incus kind minikube k3d docker-compose",
     "no container engine is reachable from a jail, and none starts in one; have an operator run "
     "it "
     "outside"                                                                                                                                                                   },
    {"watchman",                                                                            "its daemon lives outside; let the tool poll for changes"                            },
    {"ping ping6 fping traceroute tracepath mtr arping hping3",
     "raw sockets are closed; try the connection itself, with curl or nc"                                                                                                        },
    {"tcpdump tshark dumpcap",                                                              "packets cannot be captured from here; log in the program itself"                    },
    {"systemctl systemd-run loginctl machinectl journalctl busctl hostnamectl timedatectl "
     "resolvectl "
     "service",                                                                        "systemd is not reachable from a jail; run the program in the foreground, or in tmux"},
    {"crontab at atq atrm batch",                                                           "nothing starts by the clock here; keep a session open for it"                       },
    {"strace ltrace gdb lldb perf bpftrace rr",
     "other processes are traced only where policy says [jail] allow_ptrace = yes"                                                                                               },
    {"bwrap firejail unshare nsenter flatpak snap newuidmap systemd-nspawn",
     "there are no namespaces within a jail; the session is confined already"                                                                                                    },
    {"sshfs fusermount fusermount3 mount.fuse squashfuse",
     "nothing is mounted from within a jail; copy the files with scp or rsync"                                                                                                   },
    {"sudo su doas pkexec runuser",                                                         "there is no way to another account; ask an operator"                                },
    {"dmesg",                                                                               "the kernel's log is the operator's"                                                 },
    {"wall write mesg",                                                                     "other terminals are out of reach"                                                   },
};

const char *sbx_command_instead(const char *name)
{
    size_t len = strlen(name);
    for (size_t i = 0; len && i < sizeof(rows) / sizeof(*rows); i++)
        for (const char *at = rows[i].names; (at = strstr(at, name)); at += len)
            if ((at == rows[i].names || at[-1] == ' ') && (at[len] == ' ' || !at[len]))
                return rows[i].instead;
    return NULL;
}
