# git over ssh with the account's host as the server: push, clone, fetch; hooks run in the jail.
. tests/system/lib.sh
command -v git >/dev/null || skip "no git here"

export GIT_SSH_COMMAND="ssh -F $W/client/config" GIT_CONFIG_GLOBAL=/dev/null HOME=$W/out
git config --file "$W/out/.gitconfig" user.email t@example.com
export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@example.com GIT_COMMITTER_NAME=t \
    GIT_COMMITTER_EMAIL=t@example.com
bot 'git init -q --bare repo.git' || fail "git init on the account"
git init -q "$W/out/clone"
cd "$W/out/clone" || exit 1
echo one >file
git add file
git commit -qm one
timeout 60 git push -q "bot:$BOT_HOME/work/repo.git" HEAD:refs/heads/main || fail "push"
timeout 60 git clone -q -b main "bot:$BOT_HOME/work/repo.git" "$W/out/clone2" || fail "clone"
cmp file "$W/out/clone2/file" || fail "another file came back"
timeout 60 git -C "$W/out/clone2" fetch -q || fail "fetch"

timeout 60 git clone -q "bot:/etc/.git" "$W/out/etc" 2>/dev/null && fail "cloned what is not there"
timeout 60 git clone -q --upload-pack "touch $BOT_HOME/pwned; git-upload-pack" "bot:$BOT_HOME/work/repo.git" \
    "$W/out/clone3" 2>/dev/null
[ ! -e "$BOT_HOME/pwned" ] || fail "--upload-pack wrote outside the workspace"
exit 0
