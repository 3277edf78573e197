#!/bin/bash
# What the parser takes for shell syntax beside what `bash -n` does: the snippets of a corpus, every
# shell script below /usr, and random texts. bash's exit status is right; each difference is printed.
# Nothing is ever run.
#
# usage: tests/conformance/syntax.sh [CORPUS]
#   CORPUS         folder with syntax/, benign-*.txt, parseonly-*.txt, reject-*.txt, multiline/
#   RANDOM_TEXTS   how many random texts (2000); RANDOM_SEED: where they begin (1)
# Last line: syntax: N passed, N failed. Exit status: 0, 1 with differences, 2 where it could not run.
# What is known to differ, and why: tests/conformance/syntax-differences.md
set -u
export LC_ALL=C # read in UTF-8 takes a NUL behind half a character for a part of it
corpus=${1:-}
check=${BUILD:-build}/parsecheck
gen=${BUILD:-build}/textgen
most_scripts=3000 # of a larger machine every n-th
passed=0 failed=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
if [ ! -x "$check" ] || [ ! -x "$gen" ]; then
    echo "syntax: build $check and $gen first" >&2
    exit 2
fi

# say NAME OURS BASH: counts one text, prints a difference
compare() {
    local ours=no theirs=no
    case $2 in ok | warned) ours=yes ;; esac
    [ "$3" = 0 ] && theirs=yes
    if [ $ours = $theirs ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'DIFFERENT %s: bash %s, parser %s\n' "$1" "$3" "$2"
    fi
}

# files NAME < paths, one a line: both look at each file
files() {
    local list=$work/files path status before=$passed before_failed=$failed
    local -a paths
    cat >"$list"
    mapfile -t paths <"$list"
    [ ${#paths[@]} -gt 0 ] || return
    "$check" "${paths[@]}" | cut -f 1 >"$work/ours" || exit 2
    while IFS= read -r path <&3 && IFS= read -r status <&4; do
        bash -n "$path" </dev/null >/dev/null 2>&1
        compare "$path" "$status" $?
    done 3<"$list" 4<"$work/ours"
    printf '%-36s %6d same, %d different\n' "$1" $((passed - before)) $((failed - before_failed))
}

# lines FILE WANT: each line is labelled: "yes" must parse, "no" must not, or must draw a warning
lines() {
    local total bad
    total=$(wc -l <"$1")
    "$check" -l "$1" | case $2 in
    yes) awk -F '\t' '$1 != "ok" && $1 != "warned" { print $3 ": " $1 " at " $2 ": " $4 }' ;;
    no) awk -F '\t' '$1 == "ok" { print $3 ": accepted" }' ;;
    esac >"$work/bad"
    bad=$(wc -l <"$work/bad")
    sed 's/^/DIFFERENT /' "$work/bad"
    passed=$((passed + total - bad))
    failed=$((failed + bad))
    printf '%-36s %6d same, %d different\n' "${1##*/}" $((total - bad)) "$bad"
}

# Shell scripts below /usr, by their first line.
scripts() {
    find /usr -xdev -type f -size -1000k -print0 2>/dev/null |
        LC_ALL=C xargs -0 grep -lIm1 -E -- '^#! ?(/usr)?/bin/(env )?(ba|da)?sh( |$)' 2>/dev/null |
        while IFS= read -r path; do
            IFS= read -r -n 80 first <"$path" && case $first in '#!'*sh*) printf '%s\n' "$path" ;; esac
        done | LC_ALL=C sort
}

random_texts() { # COUNT SEED
    local text status before=$passed before_failed=$failed
    local -a seeds=()
    [ -d "$corpus/syntax" ] && seeds=("$corpus"/syntax/*.sh)
    "$gen" "$2" "$1" "${seeds[@]}" >"$work/random" || exit 2
    "$check" -0 <"$work/random" >"$work/verdicts" || exit 2
    grep -aE $'^(ok|warned|syntax|incomplete|limit)\t[0-9]+\tstdin:' "$work/verdicts" | cut -f 1 >"$work/ours"
    while IFS= read -r -d '' text <&3 && IFS= read -r status <&4; do
        # A file that ends in a backslash: see syntax-differences.md. A bound is no verdict on syntax.
        case $text in *\\) continue ;; esac
        [ "$status" = limit ] && continue
        printf '%s' "$text" | bash -n >/dev/null 2>&1
        compare "${text@Q}" "$status" $?
    done 3<"$work/random" 4<"$work/ours"
    printf '%-36s %6d same, %d different\n' "random texts" $((passed - before)) $((failed - before_failed))
}

if [ -z "$corpus" ] || [ ! -d "$corpus/syntax" ]; then
    echo "syntax: SKIPPED: the corpus (make syntax CORPUS=DIR); the scripts of this machine alone"
else
    printf '%s\n' "$corpus"/syntax/*.sh | files syntax/
    printf '%s\n' "$corpus"/multiline/*.sh | files multiline/
    for file in "$corpus"/benign-*.txt "$corpus"/parseonly-*.txt; do lines "$file" yes; done
    for file in "$corpus"/reject-*.txt; do lines "$file" no; done
fi
scripts >"$work/scripts"
count=$(wc -l <"$work/scripts")
awk -v step=$((count / most_scripts + 1)) 'NR % step == 0' "$work/scripts" | files "scripts below /usr ($count)"
random_texts "${RANDOM_TEXTS:-2000}" "${RANDOM_SEED:-1}"
echo "syntax: $passed passed, $failed failed"
[ $failed = 0 ]
