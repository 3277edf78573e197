# A file system of one's own over a folder of the view.
PROMISE=P4
SOURCE="mount(2)"
attack() { "$TOOL" mount none /opt tmpfs 0 && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered root; }
