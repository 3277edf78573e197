echo '# a file' >"$1"
