# Written by a mapping, a splice, or cut to nothing by name and by descriptor.
PROMISE=P2
SOURCE="CVE-2022-0847 class (dirty pipe: written by the page cache)"
before() { printf 'original original original\n' >"$WHO_HOME/victim"; chown "$WHO" "$WHO_HOME/victim"; }
after() { rm -f "$WHO_HOME/victim"; }
attack() {
    "$TOOL" map ~/victim changed
    "$TOOL" truncate ~/victim
    : >~/victim
    : 1<>~/victim
    exec 9<~/victim
    echo changed >/proc/self/fd/9
    dd if=/dev/zero of=/dev/fd/9 count=1
}
success() { [ "$(cat "$WHO_HOME/victim")" != 'original original original' ]; }
twin() { unconfined; }
