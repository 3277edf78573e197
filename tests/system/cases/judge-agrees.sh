# What the judge says of a path is what the kernel does to it: random trees, policies, operations.
# limit: 300
. tests/system/lib.sh

rounds=${AGREE_ROUNDS:-12}
first=${AGREE_SEED:-1}
as_bot() { setpriv --reuid "$BOT_UID" --regid "$BOT_UID" --clear-groups "$@"; }
trap 'umount -l "$BOT_HOME/work/mnt" 2>/dev/null' EXIT
install -d -m 0755 "$W/out/agree"
for ((seed = first; seed < first + rounds; seed++)); do
    rm -rf "$BOT_HOME"/{work/t,work/ops,extra,other}
    install -d -o "$BOT" -g "$BOT" "$BOT_HOME"/{extra,other,work/mnt}
    mount -t tmpfs -o "size=1m,uid=$BOT_UID,gid=$BOT_UID,mode=0755" sbxt "$BOT_HOME/work/mnt" ||
        skip "no file system can be mounted here"
    cp tests/system/tools/agree.py "$BOT_HOME/work/agree.py"
    as_bot /usr/bin/python3 "$BOT_HOME/work/agree.py" make "$seed" "$BOT_HOME" "$BOT_HOME/work/ops" \
        >"$W/out/agree/$seed.rules" || fail "seed $seed: no tree"
    mapfile -t rules <"$W/out/agree/$seed.rules"
    world_policy "${rules[@]}"
    "$B/sbxctl" run --root "$ROOT" --account "$BOT" -- \
        "$B/sbxsh" -c "/usr/bin/python3 agree.py run ops $B/sbxsh result" >"$W/out/last" 2>&1 ||
        fail "seed $seed: $(cat "$W/out/last"; cat "$W/out/agree/$seed.rules")"
    cp "$BOT_HOME/work/result" "$W/out/agree/$seed.json"
    jails_kill
    umount -l "$BOT_HOME/work/mnt"
done
python3 tests/system/tools/agree.py compare "$W"/out/agree/*.json >"$W/out/compared" ||
    fail "$(cat "$W/out/compared")"
cat "$W/out/compared"
