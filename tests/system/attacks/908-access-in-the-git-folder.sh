# A repository with changes of every kind, looked at from inside: index and objects stay as they
# are but for what git itself writes.
PROMISE=P11
SOURCE="promise P11: git status"
NEEDS_RUN=no
attack() { :; }
before() {
    (cd "$WORK" && git -c init.defaultBranch=main init -q . && echo a >a && git add a &&
        git -c user.name=x -c user.email=x commit -qm x && echo b >>a && echo c >c && chown -R "$WHO" .)
    state >"$W/out/state"
}
state() {
    git -c safe.directory='*' -C "$WORK" status --porcelain
    find "$WORK" -type f ! -name index -exec sha256sum {} + | sort
    find "$WORK" -printf '%P %y %m\n' | grep -v '/index$' | sort
}
launch() {
    be bot
    bot 'git status; git diff; git log' >/dev/null
    run_as -- ls -lR >/dev/null
}
success() { [ "$(state)" != "$(cat "$W/out/state")" ]; }
twin() { # what a jail that protects hooks by making them leaves
    touch "$WORK/.git/hooks/pre-commit" "$WORK/.mcp.json"
}
