# Other sessions of the account are let be without a jail: the login shell, started by a service without
# pam_sbx, must not take their record for its own, nor one that the account wrote.
PROMISE=P1
SOURCE="docs/threat-model.md: sbxsh outside a jail; CVE-2022-31214 (a false record is believed)"
NEEDS_RUN=no
attack() { :; }
in_host() { # COMMAND…: where /run/sbx is this world's, with a login number of its own
    mkdir -p "$ROOT/run/sbx"
    unshare --mount --propagation private bash -c '
        mount -t tmpfs -o mode=0755 tmpfs /run && mkdir -m 0755 /run/sbx &&
            mount --bind "$ROOT/run/sbx" /run/sbx && echo "$1" >/proc/self/loginuid && exec "${@:2}"' bash "$WHO_UID" "$@"
}
hold_record() { # as root makes one for another login of the account
    printf 'account=%s\nuid=%s\nrun=no\n' "$BOT" "$BOT_UID" >"$W/out/parameters"
    "$B/sbx-warden" --launch "$BOT_UID" --root "$ROOT" <"$W/out/parameters"
    cat >"$W/out/forge" <<'END'
import struct, sys
open(sys.argv[2] + "/s" + sys.argv[1], "wb").write(
    struct.pack("<3I640s", 0x31757273, int(sys.argv[3]), int(sys.argv[1]), b"forged"))
END
    python3 "$W/out/forge" 4242 "$ROOT/run/sbx/unjailed/$BOT_UID" "$BOT_UID"
}
start() { # SHELL
    as=(setpriv --reuid "$WHO_UID" --regid "$WHO_UID" --init-groups)
    in_host "${as[@]}" env -i HOME="$WHO_HOME" SBX_JAIL=none "$1" -c "echo other >$PROOF"
    # A folder of the account's own at that name, with a record of the very login.
    # shellcheck disable=SC2016 # expanded by the inner shells
    in_host "${as[@]}" env -i W="$WORK" U="$WHO_UID" P="$PROOF" PATH="$PATH" unshare --user --map-root-user --mount bash -c '
        mount -t tmpfs -o mode=0755 none /run && mkdir -p -m 0755 /run/sbx/unjailed/$U &&
            cp $W/policy /run/sbx/unjailed/$U/ &&
            python3 $W/forge $(cat /proc/self/sessionid) /run/sbx/unjailed/$U $U
        unshare --user --map-user=$U "$1" -c "echo forged >$P"
        "$1" -c "echo root >$P"' bash "$1"
}
launch() {
    be bot
    world_policy '[sandbox]' 'mode = disabled'
    hold_record
    cp "$ROOT/run/sbx/unjailed/$BOT_UID/policy" "$WORK/policy"
    cp "$W/out/forge" "$WORK/forge"
    chown "$BOT" "$WORK/policy" "$WORK/forge"
    start "$B/sbxsh"
}
success() { proof; }
after() { rm -rf "$ROOT/run/sbx/unjailed"; }
# The same with the record that root makes for that very login.
twin() {
    be bot
    world_policy '[sandbox]' 'mode = disabled'
    hold_record
    # shellcheck disable=SC2016 # expanded by the inner shell
    PROOF=$PROOF in_host bash -c 'login=$(cat /proc/self/sessionid)
        python3 "$W/out/forge" "$login" "/run/sbx/unjailed/$BOT_UID" "$BOT_UID" &&
            exec setpriv --reuid "$BOT_UID" --regid "$BOT_UID" --init-groups "$B/sbxsh" -c "echo ran >$PROOF"'
}
