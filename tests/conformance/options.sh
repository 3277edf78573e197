#!/bin/bash
# The options that the command table names beside those that the installed programs say they have:
# NAME --help, and the manual page where that shows hardly any. Wrong is
#   missing   an option that takes a value, or may, and is not named so: its value would be judged as an operand
#   shifts    a word behind the option would be taken for its value, and is none; or the other way round
# A flag that the table does not name is right: the parser takes an unknown word for a flag. They are counted.
#
# The programs run where they can change nothing: everything is read-only, no network, no privilege, no terminal.
# options-known.txt: what is not compared, and why.
#
# usage: tests/conformance/options.sh [NAME…]       only those names of the table
#   OPTIONS_UNNAMED=1 prints the flags that are not named
# The table was compared with the programs of Debian 12. Elsewhere they are of other versions: what they say
# differently is printed and counted as skipped, and fails with OPTIONS_STRICT=1 alone.
# Last line: options: N passed, N failed, N skipped. Exit status: 0, 1 with wrong ones, 2 where it could not run.
set -u
export LC_ALL=C.UTF-8
here=${0%/*} build=${BUILD:-build}
known=$here/options-known.txt
seconds=5 # for one program
bytes=400000 # of one text
[ -x "$build/optcheck" ] || { echo "options: build $build/optcheck first" >&2; exit 2; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/texts" && chmod 0755 "$work" && chmod 0777 "$work/texts" || exit 2

skip_all() {
    echo "options: SKIPPED: $1"
    echo "options: 0 passed, 0 failed, 1 skipped"
    exit 0
}

# As nobody where the test runs as root: what a program may not read it does not need for its help.
jail=()
[ "$(id -u)" != 0 ] || jail=(setpriv --reuid 65534 --regid 65534 --clear-groups)
jail+=(bwrap --unshare-all --as-pid-1 --die-with-parent --new-session --cap-drop ALL --ro-bind / /
    --dev /dev --proc /proc --tmpfs /tmp --tmpfs /run --tmpfs /home --tmpfs /root
    --bind "$work/texts" /tmp/texts --chdir /tmp)
for tool in bwrap setpriv timeout python3; do
    command -v $tool >/dev/null || skip_all "no $tool"
done
env -i "${jail[@]}" /bin/true 2>/dev/null || skip_all "no namespaces to run programs in"

# --- the names -------------------------------------------------------------------------------------
"$build/optcheck" -l >"$work/list" || exit 2
declare -A left=([absent]=0 [deny]=0 [builtin]=0)
while IFS=$'\t' read -r name kind; do
    [ $# = 0 ] || [[ " $* " == *" $name "* ]] || continue
    case $kind in
    deny | builtin) left[$kind]=$((left[$kind] + 1)) ;;
    *) if type -P "${name%% *}" >/dev/null; then echo "$name"; else left[absent]=$((left[absent] + 1)); fi ;;
    esac
done <"$work/list" >"$work/names"

# --- their texts -----------------------------------------------------------------------------------
# Several in one jail: starting one costs more than most programs do.
# shellcheck disable=SC2016 # for the shell inside
inside='
    seconds=$1 bytes=$2
    shift 2
    mkdir empty && cd empty || exit
    for name; do
        text=/tmp/texts/${name//[ \/]/_}
        read -ra words <<<"$name"
        help=--help
        [ "${words[0]}" != git ] || [ ${#words[@]} = 1 ] || help=-h # --help would show the manual page
        timeout -k 1 "$seconds" "${words[@]}" $help </dev/null 2>&1 | head -c "$bytes" >"$text.help"
        [ "$(grep -cE "^ {0,14}-" "$text.help")" -lt 8 ] || continue
        timeout -k 1 "$seconds" man -P cat -- "${name// /-}" </dev/null 2>/dev/null | head -c "$bytes" >"$text.man"
    done'
tr '\n' '\0' <"$work/names" |
    xargs -0 -r -n 24 -P "$(nproc)" env -i PATH="$PATH" HOME=/tmp LC_ALL=C.UTF-8 TERM=dumb COLUMNS=200 MANWIDTH=200 \
        PAGER=cat MANPAGER=cat MAN_KEEP_FORMATTING= "${jail[@]}" /bin/bash -c "$inside" bash $seconds $bytes 2>"$work/jail.err"
python3 "$here/optwords.py" "$work/texts" "$work/names" >"$work/words" || exit 2
"$build/optcheck" <"$work/words" >"$work/verdicts" || exit 2

# --- what is wrong ---------------------------------------------------------------------------------
mapfile -t rules < <(grep -v -e '^#' -e '^$' "$known")
excepted() { # NAME OPTION
    local rule names options
    for rule in "${rules[@]}"; do
        IFS=$'\t' read -r names options _ <<<"$rule"
        # shellcheck disable=SC2053 # patterns
        [[ $1 == $names && $2 == $options ]] && return 0
    done
    return 1
}

declare -A says=([value]="takes a value" [optional]="may have a value" [flag]="takes no value")
failed=0 skipped=0
while IFS=$'\t' read -r verdict name option kind role; do
    if excepted "$name" "$option"; then
        skipped=$((skipped + 1))
    elif [ "$verdict" = missing ]; then
        failed=$((failed + 1))
        echo "missing: $name: $option ${says[$kind]}, the table does not say so"
    else
        failed=$((failed + 1))
        echo "shifts: $name: $option ${says[$kind]}, the table says otherwise (role $role)"
    fi
done < <(grep -e '^missing' -e '^shifts' -e '^broken' "$work/verdicts")
passed=$(grep -cE '^(ok|unnamed)' "$work/verdicts")
unnamed=$(grep -c '^unnamed' "$work/verdicts")
[ -z "${OPTIONS_UNNAMED:-}" ] || awk -F '\t' '$1 == "unnamed" { print "unnamed: " $2 ": " $3 }' "$work/verdicts"

silent=$(comm -23 <(sort -u "$work/names") <(cut -f 1 "$work/words" | sort -u) | wc -l)
echo "compared: $(cut -f 1 "$work/words" | sort -u | wc -l) names, $(wc -l <"$work/words") options;" \
    "$unnamed of them flags that the table does not name"
echo "SKIPPED: ${left[absent]} names whose program is not installed, $silent whose texts show no options"
echo "SKIPPED: $skipped options that $known explains"
echo "not compared: ${left[deny]} names that are denied whatever their options, ${left[builtin]} of bash itself"
# shellcheck source=/dev/null
if [ $failed -gt 0 ] && [ -z "${OPTIONS_STRICT:-}" ] && ! (. /etc/os-release && [ "$ID $VERSION_ID" = 'debian 12' ]) 2>/dev/null; then
    echo "SKIPPED: $failed options of programs of other versions than Debian 12 has (OPTIONS_STRICT=1 makes them fail)"
    skipped=$((skipped + failed)) failed=0
fi
echo "options: $passed passed, $failed failed, $((skipped + left[absent] + silent)) skipped"
[ $failed = 0 ] && [ "$passed" -gt 0 ]
