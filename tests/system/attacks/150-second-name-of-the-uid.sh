# A second name for the account's uid, which no policy lists.
PROMISE=P1
SOURCE="several names for one uid"
NEEDS_RUN=no
attack() { :; }
before() {
    alias=${BOT%%-*}-${BOT#*-}b
    useradd -M -o -u "$WHO_UID" -g "$WHO" -d "$WHO_HOME" -s /bin/bash "$alias" 2>/dev/null
    usermod -p '*' "$alias"
    cp "$W/client/key.pub" "$W/keys/$alias"
}
after() {
    sed -i "/^$alias:/d" /etc/passwd /etc/shadow # userdel would look for the uid's processes
    rm -f "$W/keys/$alias"
}
launch() {
    be bot
    client ssh -l "$alias" bot 'readlink /proc/self/ns/mnt' >"$W/out/ns"
}
success() { [ "$(cat "$W/out/ns")" = "$(readlink /proc/self/ns/mnt)" ]; }
twin() { client ssh -l "$alias" human 'readlink /proc/self/ns/mnt' >"$W/out/ns"; }
