# Protected names that do not exist: a jail that masks by creating them leaves them in git status.
PROMISE=P11
SOURCE="sandbox-runtime 0.0.78: 11 stray names, 11 phantoms in git status"
NEEDS_RUN=no
attack() { :; }
before() {
    (cd "$WORK" && git -c init.defaultBranch=main init -q . && chown -R "$WHO" .)
    state >"$W/out/state"
}
state() { git -c safe.directory='*' -C "$WORK" status --porcelain --ignored --untracked-files=all; ls -A "$WORK"; }
launch() {
    be bot
    world_policy 'deny_write = ~/work/.env' 'deny_read = ~/work/keys/private' 'deny_write = ~/work/.mcp.json'         'allow_write = ~/work/out'
    run_as -- ls -lA >/dev/null
    bot 'ls -lA; git status' >/dev/null
}
success() { [ "$(state)" != "$(cat "$W/out/state")" ]; }
twin() { # as jails do that mount on names
    unshare --mount --propagation private sh -c "cd '$WORK' && touch .env .mcp.json && mount --bind /dev/null .env"
}
