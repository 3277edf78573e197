# A process of another jail of the same account: the same uid may send signals.
PROMISE=P5
SOURCE="signals, by number"
GIVE=(victims)
victim=''
before() {
    if [ "$WHO" = "$BOT" ]; then
        hold_jail
        victim=$INSIDE
    else
        as_human sleep 60 3>&- 4>&- &
        sleep 0.3
        victim=$(pgrep -n -x -U "$HUMAN_UID" sleep)
    fi
    victims="$victim $(awk '/^NSpid:/ { print $NF }' "/proc/$victim/status")"
}
after() {
    release_jail
    kill "$victim" 2>/dev/null
}
attack() { # not by -1, which would end the attack itself
    local pid
    for pid in $victims $(seq 2 400); do
        [ "$pid" = $$ ] || [ "$pid" = $PPID ] || [ -e /proc/$pid ] || kill -KILL "$pid"
    done
    [ "$WALL" != none ] || kill -KILL $victims
}
success() { ! kill -0 "$victim"; }
twin() { unconfined; }
