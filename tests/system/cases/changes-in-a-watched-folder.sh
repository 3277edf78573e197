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
bot true
ticks() { awk '{ print $14 + $15 }' "/proc/$(jail_state warden)/stat"; }
before=$(ticks)
bot 'python3 flood.py' || fail "the flood did not run"
sleep 4 # what is still queued counts
used=$(($(ticks) - before)) all=$((4 * $(getconf CLK_TCK)))
[ $used -lt $((all / 4)) ] || fail "the warden used $used of $all ticks"
same "and it still serves" hello "$(bot 'echo hello')"
