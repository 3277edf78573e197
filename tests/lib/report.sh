# Counting for the tests written in shell: source it, call ok, not_ok, check, refuse, skip; end with
# `finish NAME`, which prints the line that tests/run adds up.
# shellcheck shell=bash
checks_passed=0 checks_failed=0 checks_skipped=0

ok() { # NAME
    echo "ok      $1"
    checks_passed=$((checks_passed + 1))
}

not_ok() { # NAME [DETAIL…]
    echo "FAILED  $1"
    [ $# -lt 2 ] || printf '%s\n' "${@:2}" | head -n 20 | sed 's/^/        /'
    checks_failed=$((checks_failed + 1))
}

skip() { # NAME REASON
    echo "SKIPPED $1: $2"
    checks_skipped=$((checks_skipped + 1))
}

# check NAME COMMAND…: succeeds. The command's output is shown only where it does not.
check() {
    local name=$1 output
    shift
    if output=$("$@" 2>&1); then ok "$name"; else not_ok "$name" "exit status $?: $*" "$output"; fi
}

# refuse NAME COMMAND…: fails.
refuse() {
    local name=$1 output
    shift
    if output=$("$@" 2>&1); then not_ok "$name" "succeeded: $*" "$output"; else ok "$name"; fi
}

# same NAME EXPECTED SEEN
same() {
    if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "expected: $2" "seen:     $3"; fi
}

# contains NAME PATTERN TEXT: an extended regex matches somewhere in the text.
contains() {
    if grep -qE -e "$2" <<<"$3"; then ok "$1"; else not_ok "$1" "no match for: $2" "$3"; fi
}

finish() { # NAME
    local line="$1: $checks_passed passed, $checks_failed failed"
    [ "$checks_skipped" -eq 0 ] || line+=", $checks_skipped skipped"
    echo "$line"
    [ "$checks_failed" -eq 0 ] && [ "$checks_passed" -gt 0 ]
}
