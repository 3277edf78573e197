mkdir -p "$1/policy.ini" "$1/policy.d/x.ini"
