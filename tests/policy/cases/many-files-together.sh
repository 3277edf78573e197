mkdir -p "$1/policy.d" "$1/group.d"
for file in $(seq 1000 1999); do echo '# nothing' >"$1/policy.d/$file.ini"; done
for file in $(seq 1000 1024); do echo '# nothing' >"$1/group.d/$file.ini"; done
