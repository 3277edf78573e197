mkdir -p "$1/policy.d"
for file in $(seq 1000 2024); do echo '# nothing' >"$1/policy.d/$file.ini"; done
