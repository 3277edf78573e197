# Chains of processes, each of which lives for a moment: who kills by a list always comes late.
PROMISE=P5
SOURCE="fork rabbit: ends before it is found, from a child that lives on"
GIVE=(SLOW)
attack() {
    perl -e '
        $0 = "rabbit"; $SIG{CHLD} = "IGNORE";
        for (1 .. 8) { last unless fork }
        my $end = time + 2 * shift;
        while (time < $end) { my $p = fork; exit if $p; setpgrp; select undef, undef, undef, 0.002 }
    ' "$SLOW" </dev/null >/dev/null 2>&1 &
    disown -a
    sleep 0.3
}
success() { pgrep -U "$WHO_UID" >/dev/null; }
after() { wait_until 15 no_humans; }
no_humans() { ! pgrep -U "$HUMAN_UID" >/dev/null; }
twin() { unconfined; }
