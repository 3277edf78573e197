# As an editor of another system writes it: no fault by itself.
printf '[sandbox]\r\nenabled = yes\r\nmood = good\r\n' >"$1"
