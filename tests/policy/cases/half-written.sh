printf '[filesystem]\ndeny_read = ~/.ss' >"$1"
