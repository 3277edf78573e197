# Whatever is wrong with the policy files, others log in as ever and the confined account does not.
# limit: 200
. tests/system/lib.sh

file=$ROOT/etc/sbx/policy.ini
spoil() { # NAME COMMAND…
    local name=$1
    shift
    world_policy
    "$@" || fail "cannot spoil: $name"
    [ "$(status_of bot 'echo ran')" -ne 0 ] || fail "the confined account logged in: $name"
    ! grep -qx ran "$W/out/last" || fail "a command ran: $name"
    same "another account, policy $name" hello "$(human 'echo hello')"
    rm -rf "$file"
}
spoil "world-writable" chmod 0666 "$file"
spoil "another's" chown "$BOT" "$file"
spoil "a symbolic link" bash -c "mv $file $file.real; ln -s policy.ini.real $file"
spoil "binary" bash -c "head -c 4096 /dev/urandom >$file"
spoil "with a NUL" bash -c "printf 'x\\0y\\n' >>$file"
spoil "10 MB" bash -c "yes '# filler' | head -c 10485760 >>$file"
spoil "half-written" bash -c "echo '[sandb' >>$file"
spoil "with an unknown key" bash -c "echo 'colour = red' >>$file"
spoil "a directory" bash -c "rm $file; mkdir $file"
spoil "a FIFO" bash -c "rm $file; mkfifo $file"
spoil "in a writable directory" chmod 0777 "$ROOT/etc/sbx"
chmod 0755 "$ROOT/etc/sbx"
rm -f "$file.real"

# Nothing enabled: nobody is confined by policy, and sbxsh starts nothing outside a jail.
for name in missing empty; do
    rm -rf "$file"
    [ $name = missing ] || : >"$file"
    [ "$(status_of bot 'echo ran')" -ne 0 ] || fail "sbxsh ran a command outside, policy $name"
    ! grep -qx ran "$W/out/last" || fail "a command ran, policy $name"
    same "another account, policy $name" hello "$(human 'echo hello')"
done
