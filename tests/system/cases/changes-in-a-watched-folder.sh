# Files made without end beside protected ones: the warden looks at them in its own time. What it uses is
# outside the jail's limits, and the account must not be able to spend it.
. tests/system/lib.sh

rules=()
for n in $(seq 300); do
    rules+=("deny_read = ~/work/secret-$n")
    echo x >"$BOT_HOME/work/secret-$n"
done
world_policy "${rules[@]}"
cat >"$BOT_HOME/work/flood.py" <<'END'
import os, time
end = time.time() + 4
while time.time() < end:
    os.close(os.open("made", os.O_CREAT | os.O_WRONLY))
    os.unlink("made")
END
# The session is there before: what a login costs the warden is not meant.
bot 'echo in; until [ -e go ]; do sleep 0.1; done; python3 flood.py' >"$W/out/flood" &
flood=$!
wait_until 20 grep -qx in "$W/out/flood" || fail "no session"
ticks() { awk '{ print $14 + $15 }' "/proc/$(jail_state warden)/stat"; }
before=$(ticks) began=$(date +%s%N)
: >"$BOT_HOME/work/go"
wait "$flood" || fail "the flood did not run"
all=$((($(date +%s%N) - began) * $(getconf CLK_TCK) / 1000000000))
sleep 4 # what is still queued counts
used=$(($(ticks) - before))
[ $used -lt $((all / 4)) ] || fail "the warden used $used of $all ticks"
same "and it still serves" hello "$(bot 'echo hello')"
