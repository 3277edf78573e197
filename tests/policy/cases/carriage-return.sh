printf '[sandbox]\nenabled = yes\rmode = regular\n' >"$1"
