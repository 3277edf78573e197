# Everyday tools that keep modes: install, cp, tar, Python.
PROMISE=P4
SOURCE="set-id bits outlive a nosuid view"
attack() {
    install -m 4755 /bin/true "$WORK/install"
    cp -p /usr/bin/passwd "$WORK/cp"
    tar -C /usr/bin -cf - passwd | tar -C "$WORK" -xpf -
    perl -e 'open F, ">", "p"; chmod 06755, "p"'
}
success() { find "$WORK" -perm /6000 | grep -q .; }
twin() { unfiltered; }
