mkfifo "$1"
