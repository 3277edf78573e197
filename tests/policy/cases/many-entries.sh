# limit of all files together
mkdir -p "$1/policy.d"
for file in $(seq 10 21); do
    { echo '[permissions]'; seq -f "deny = Bash(x$file%g)" 100000 108999; } >"$1/policy.d/$file.ini"
done
