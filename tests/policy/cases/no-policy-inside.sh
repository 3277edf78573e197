mkdir "$1"
