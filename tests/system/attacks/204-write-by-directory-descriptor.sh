# By a directory descriptor, and by what /dev/fd makes of it.
PROMISE=P2
SOURCE="CVE-2024-21626 class"
after() { rm -rf "$WHO_HOME/outside"; }
attack() {
    exec 9<"$HOME"
    echo here >/proc/self/fd/9/outside
    echo here >/dev/fd/9/outside
    perl -e 'use Fcntl; chdir "/proc/self/fd/9"; open F, ">", "outside" and print F "here\n"'
}
success() { [ -e "$WHO_HOME/outside" ]; }
twin() { unconfined; }
