# Prints "FILE:FUNCTION LINES" for functions over 60 lines and "FILE LINES" for files over 600.
# In this tree's format a function's body starts and ends with a brace in the first column.
/^[A-Za-z_].*\(/ && !/;[ \t]*$/ {
    name = $0
    sub(/\(.*/, "", name)
    sub(/.*[ *]/, "", name)
}
/^\{/ { start = FNR }
/^\}/ {
    if (start && FNR - start + 1 > 60)
        print file ":" name, FNR - start + 1
    start = 0
}
END { if (FNR > 600) print file, FNR }
