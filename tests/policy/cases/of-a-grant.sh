# needs root
mkdir -p "$1/etc/sbx" "$1/var/lib/sbx/grants" "$1/home"
printf '[sandbox]\nenabled = yes\n' >"$1/etc/sbx/policy.ini"
printf '[permissions]\nallow = Bash(true)\n[limits]\ntasks_max = 9\n' >"$1/var/lib/sbx/grants/sbxt-is-not-here.ini"
