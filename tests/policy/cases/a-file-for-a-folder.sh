mkdir -p "$1"
printf '[sandbox]\nenabled = yes\n' | tee "$1/policy.ini" >"$1/policy.d"
