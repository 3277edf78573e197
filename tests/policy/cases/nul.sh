printf '[sandbox]\nenabled\0= yes\n# and a comment with one \0\n' >"$1"
