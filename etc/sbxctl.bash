# Completion of sbxctl for bash.
_sbxctl() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
    local words verbs='check explain parse policy doctor status jails kill events run enroll unenroll'
    local judge='--policy --account --home --cwd --workspace --json --batch --tool -c -f -0'

    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$verbs --help --version" -- "$cur")
        return
    fi
    case $prev in
    --account)
        mapfile -t COMPREPLY < <(compgen -u -- "$cur")
        return ;;
    --policy | --home | --cwd | --workspace | --root | -f)
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
        return ;;
    --kind)
        mapfile -t COMPREPLY < <(compgen -W 'command exec file net syscall approval policy scrub disclosure jail' -- "$cur")
        return ;;
    --kind)
        words='command exec file net syscall approval policy scrub disclosure jail'
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
        return ;;
    --tool)
        mapfile -t COMPREPLY < <(compgen -W 'Read Edit WebFetch' -- "$cur")
        return ;;
    esac
    case ${COMP_WORDS[1]} in
    check | explain) words=$judge ;;
    parse) words='-c -f' ;;
    policy) words='check show lint test diff fingerprint --policy --account --as --cases --json --root' ;;
    kill)
        words=$(sbxctl jails 2>/dev/null | awk '$1 ~ /^[0-9]/ { print $1 }') ;;
    events) words='verify --jail --account --kind --since --follow --json --root' ;;
    enroll | unenroll)
        mapfile -t COMPREPLY < <(compgen -u -- "$cur")
        return ;;
    enroll | unenroll)
        mapfile -t COMPREPLY < <(compgen -W --dry-run -u -- "$cur")
        return ;;
    events) words='verify --jail --account --kind --since --follow --json --root' ;;
    run) words='--account --policy --workspace --set --root --' ;;
    doctor) words='--account --json --root' ;;
    *) words='--json --root --help' ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}
complete -F _sbxctl sbxctl
