# what may not stand in the file of an account is an error in it
mkdir -p "$1/home/.config/sbx" "$1/work"
printf '[sandbox]\nenabled = yes\n' >"$1/policy.ini"
printf '[sandbox]\nenabled = no\n[accounts]\nuser = x\n[limits]\ntasks_max = few\n' >"$1/home/.config/sbx/policy.ini"
