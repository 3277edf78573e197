# A login that starts below the jail's limits, by a root that cannot raise any (containers; sudo takes
# core files away): it keeps what it has, and is confined as ever.
. tests/system/lib.sh

low() { # COMMAND…: with few open files and no core, by root without CAP_SYS_RESOURCE
    without_terminal setpriv --bounding-set -sys_resource --inh-caps -sys_resource \
        bash -c 'ulimit -Hc 0; ulimit -Sc 0; ulimit -n 200; exec "$@"' low "$@"
}

case $(cat /proc/sys/kernel/core_pattern) in
'|'*)
    [ "$(status_of low "$with_pam" su - "$BOT" -c true)" -ne 0 ] ||
        fail "a core could be piped to root's program"
    ;;
*)
    same "files" 200 "$(low "$with_pam" su - "$BOT" -c 'ulimit -Hn')"
    same "process 1" sbx-init "$(low "$with_pam" su - "$BOT" -c 'cat /proc/1/comm')"
    ;;
esac
