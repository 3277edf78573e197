mkdir -p "$1/home" "$1/work/.sbx"
printf '[sandbox]\nenabled = yes\n' >"$1/policy.ini"
{ echo '[permissions]'; seq -f 'deny = Bash(x%g)' 2001; } >"$1/work/.sbx/policy.local.ini"
