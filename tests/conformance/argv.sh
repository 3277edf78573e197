#!/bin/bash
# The words that the judge foretells beside those that bash hands to execve: each exec must be one of
# those foretold, or part of it was said to be unknown. A certainty that is wrong is printed and fails.
#
# The texts are really run, in a place where nothing else is (argv-place.sh) and no program is started.
# Twice: with programs that succeed in silence, and with programs that print something and fail.
#
# usage: tests/conformance/argv.sh [CORPUS]
#   CORPUS         folder with benign-*.txt and multiline/
#   RANDOM_TEXTS   how many random texts (500); RANDOM_SEED: the number of the first (1)
#   ARGV_UNKNOWN=1 prints what is unknown, too
# Last line: argv: N passed, N failed, N skipped. Exit status: 0, 1 with wrong ones, 2 where it could not run.
set -u
export LC_ALL=C
here=${0%/*} corpus=${1:-} build=${BUILD:-build} skipped=0
most_unknown=5 # percent of the lines of the corpus
passed=0 failed=0
for name in argvcheck argvrun argvgen argvhook.so; do
    [ -e "$build/$name" ] || { echo "argv: build $build/$name first" >&2; exit 2; }
done
work=$(mktemp -d) || exit 2
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
# shellcheck source=tests/conformance/argv-place.sh
. "$here/argv-place.sh"
if ! why=$(place_usable); then
    echo "argv: SKIPPED: nowhere to run texts safely: $why"
    echo "argv: 0 passed, 0 failed, 1 skipped"
    exit 0
fi

runs() { # NAME < texts, NUL-ended: both kinds of programs
    local kind out texts wrong
    cat >"$work/texts"
    for kind in succeeds fails; do
        place_run $kind <"$work/texts" >"$work/records" || { echo "argv: cannot run $1" >&2; exit 2; }
        # shellcheck disable=SC2086 # an option, or nothing
        out=$("$build/argvcheck" ${ARGV_UNKNOWN:+-u} "$work/texts" "$work/records")
        [ $? -le 1 ] || { echo "argv: cannot compare $1: $out" >&2; exit 2; }
        grep -aE -A 1 '^(WRONG|UNKNOWN): ' <<<"$out"
        out=$(tail -n 1 <<<"$out")
        printf '%-26s %-8s %s\n' "$1" "$kind" "$out"
        texts=$(grep -oE '^texts [0-9]+' <<<"$out") wrong=$(grep -oE 'in [0-9]+ texts\)$' <<<"$out")
        texts=${texts#texts } wrong=${wrong//[!0-9]/}
        passed=$((passed + texts - wrong)) failed=$((failed + wrong))
        count=$texts unknown=$(grep -oE 'unknown [0-9]+ \(in [0-9]+' <<<"$out") unknown=${unknown##*in }
        [ $kind = fails ] || { all=$((${all:-0} + count)) all_unknown=$((${all_unknown:-0} + unknown)); }
    done
}

random_texts() { "$build/argvgen" "${RANDOM_SEED:-1}" "${RANDOM_TEXTS:-500}"; }
lines() { grep -v '^$' "$1" | tr '\n' '\0'; }
bodies() {
    local file
    for file in "$1"/*; do cat "$file" && printf '\0'; done
}

# argv.txt: a line is a text, and so is a block between lines of %%.
own() {
    awk '/^#/ && !block { next }
         $0 == "%%" { if (block) printf "%s%c", text, 0; block = 1; text = ""; next }
         block { text = text $0 "\n"; next }
         { printf "%s%c", $0, 0 }' "$here/argv.txt"
}

# Programs that are found: those of every text.
{
    own
    random_texts
    if [ -d "$corpus/multiline" ]; then
        for file in "$corpus"/benign-*.txt; do lines "$file"; done
        bodies "$corpus/multiline"
    fi
} >"$work/all"
"$build/argvcheck" -n "$work/all" | place_make || exit 2

runs own < <(own)
runs "random texts" < <(random_texts)
if [ -d "$corpus/multiline" ]; then
    all=0 all_unknown=0
    for file in "$corpus"/benign-*.txt; do runs "${file##*/}" < <(lines "$file"); done
    runs multiline/ < <(bodies "$corpus/multiline")
    printf 'unknown: %d of %d lines of the corpus, %d %% at most\n' "$all_unknown" "$all" $most_unknown
    if [ $((all_unknown * 100)) -gt $((all * most_unknown)) ]; then failed=$((failed + 1)); fi
else
    echo "argv: SKIPPED: the corpus (make argv CORPUS=DIR)"
    skipped=1
fi
echo "argv: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
