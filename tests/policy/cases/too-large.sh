# valid, and more than one block of compiled policy may hold
mkdir -p "$1/policy.d"
long=$(head -c 900 /dev/zero | tr '\0' a)
for file in $(seq 10 29); do
    { echo '[permissions]'; seq -f "deny = Bash($long$file%g)" 1 1000; } >"$1/policy.d/$file.ini"
done
