# needs root
# no file at all is no error
mkdir "$1"
