# Nothing is cut: a line is taken whole, or it is an error.
a() { head -c "$1" /dev/zero | tr '\0' a; }
{
    echo '[filesystem]'
    echo "allow_read = ~/$(a 3000)"
    echo "allow_read = ~/$(a 5000)"
    echo "allow_read = ~/$(a 3000)/$(a 3000)"
    echo "$(a 50) = 1"
    echo '[permissions]'
    echo "deny = Bash($(a 5000))"
    echo "deny = Read($(a 9000))"
    echo "deny = Edit($(a 4090)/$(a 3))"
    echo '[accounts]'
    echo "user = $(a 201)"
    echo "[$(a 50)]"
} >"$1"
