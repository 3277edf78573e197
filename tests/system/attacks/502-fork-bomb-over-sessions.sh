# The same from several logins at once, each below the limit.
PROMISE=P5
SOURCE="promise P5: over all sessions of the account"
NEEDS_RUN=no
attack() { "$TOOL" hold 70; }
count() { pgrep -c -U "$WHO_UID" -x attack; }
three() { # POLICY LINES
    be bot
    world_policy "$@"
    prepare
    local n seen most=0 pids=()
    for n in 1 2 3; do
        bot "bash $WORK/.attack $n" &
        pids+=($!)
    done
    for n in $(seq 60); do
        seen=$(count)
        [ "$seen" -le "$most" ] || most=$seen
        sleep 0.05
    done
    wait "${pids[@]}"
    echo "$most" >"$PROOF"
}
launch() { three '[limits]' 'tasks_max = 100'; }
success() { [ "$(cat "$PROOF")" -gt 110 ]; }
twin() { three '[limits]' 'tasks_max = 1000'; }
