yes '# filler' | head -c 10485760 >"$1"
