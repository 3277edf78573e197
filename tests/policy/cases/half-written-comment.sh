printf '[filesystem]\n# deny_read = ~/.ss' >"$1"
