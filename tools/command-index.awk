# Prints "name TAB group TAB row" for each name of each row of the command tables, in the order of
# the files given. A row begins with a line whose first text is {"name|name…".
FNR == 1 { group++; row = -1 }
match($0, /^ *\{"[^"]+"/) {
    row++
    text = substr($0, RSTART, RLENGTH)
    sub(/^ *\{"/, "", text)
    sub(/"$/, "", text)
    n = split(text, names, "|")
    for (i = 1; i <= n; i++)
        printf "%s\t%d\t%d\n", names[i], group - 1, row
}
