#!/bin/bash
# The tree of a text, printed as text again: it must parse to the same tree, and bash must show both texts
# as the same function (declare -f). bash runs nothing of them: argv-place.sh.
#
# usage: tests/conformance/roundtrip.sh [CORPUS]
#   CORPUS         folder with syntax/, multiline/, benign-*.txt, parseonly-*.txt
#   RANDOM_TEXTS   how many random texts (2000); RANDOM_SEED: where they begin (1)
# Besides: the shell scripts of this machine, at most most_scripts of them.
# Last line: roundtrip: N passed, N failed, N skipped. Exit status: 0, 1 with differences, 2 where it could not run.
# What is known to differ, and why: tests/conformance/syntax-differences.md
set -u
export LC_ALL=C
here=${0%/*} corpus=${1:-} build=${BUILD:-build} skipped=0
most_scripts=1500 # of a larger machine every n-th
passed=0 failed=0
for name in roundtrip argvrun argvgen textgen argvhook.so; do
    [ -e "$build/$name" ] || { echo "roundtrip: build $build/$name first" >&2; exit 2; }
done
work=$(mktemp -d) || exit 2
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
# shellcheck source=tests/conformance/argv-place.sh
. "$here/argv-place.sh"
forms=yes
if ! why=$(place_usable); then
    echo "roundtrip: SKIPPED: bash's own form, nowhere to ask for it safely: $why"
    forms='' skipped=$((skipped + 1))
else
    echo p | place_make || exit 2
fi

tally() { # NAME FILE: its last line is "same N different N left N"
    local same different left
    read -r _ same _ different _ left < <(tail -n 1 "$2")
    grep -av '^same ' "$2" | head -n 200
    passed=$((passed + same)) failed=$((failed + different))
    printf '%-30s %6d same, %d different, %d left out\n' "$1" "$same" "$different" "$left"
}

texts() { # NAME < texts, NUL-ended
    cat >"$work/texts"
    "$build/roundtrip" "$work/texts" "$work/pairs" >"$work/trees"
    [ $? -le 1 ] || { echo "roundtrip: cannot read $1" >&2; exit 2; }
    tally "$1: trees" "$work/trees"
    [ -n "$forms" ] || return
    place_run succeeds <"$work/pairs" >"$work/records" || { echo "roundtrip: cannot ask bash: $1" >&2; exit 2; }
    "$build/roundtrip" -c "$work/pairs" "$work/records" >"$work/shown"
    [ $? -le 1 ] || { echo "roundtrip: cannot compare $1" >&2; exit 2; }
    tally "$1: bash's form" "$work/shown"
}

lines() { grep -v '^$' "$1" | tr '\n' '\0'; }
bodies() { # < names of files; those with a NUL byte are no texts
    local file
    while IFS= read -r file; do
        grep -qP '\x00' "$file" || { cat "$file" && printf '\0'; }
    done
}
scripts() {
    find /usr /etc -xdev -type f -size -100k -print0 2>/dev/null |
        xargs -0 grep -lIm1 -E -- '^#! ?(/usr)?/bin/(env )?(ba)?sh( |$)' 2>/dev/null | sort
}

if [ -d "$corpus/syntax" ]; then
    texts syntax/ < <(printf '%s\n' "$corpus"/syntax/*.sh | bodies)
    texts multiline/ < <(printf '%s\n' "$corpus"/multiline/*.sh | bodies)
    for file in "$corpus"/benign-*.txt "$corpus"/parseonly-*.txt; do
        texts "${file##*/}" < <(lines "$file")
    done
else
    echo "roundtrip: SKIPPED: the corpus (make roundtrip CORPUS=DIR)"
    skipped=$((skipped + 1))
fi
scripts >"$work/scripts"
count=$(wc -l <"$work/scripts")
texts "scripts" < <(awk -v step=$((count / most_scripts + 1)) 'NR % step == 0' "$work/scripts" | bodies)
texts "random texts" < <("$build/textgen" "${RANDOM_SEED:-1}" "${RANDOM_TEXTS:-2000}")
texts "random texts that run" < <("$build/argvgen" "${RANDOM_SEED:-1}" "${RANDOM_TEXTS:-2000}")
echo "roundtrip: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
