/* git, its kin and the forges' tools. How to read a row: policy/command.h */
#include "policy/table.h"

#define MSG                                                                                        \
    "-m,--message=i -F,--file=i -t,--template=r -C,--reuse-message=n -c,--reedit-message=n "       \
    "--author=i --date=n --trailer=i --cleanup=n --fixup=n --squash=n -S?n "                       \
    "--pathspec-from-file=r -u?n -a,--all -s,--signoff -q -v -e -n,--no-verify --amend --no-edit " \
    "--allow-empty"

/* clang-format off */
static const struct sbx_command_row sbx_rows_git[] = {
    {"git", "-C=W -c=n:c --git-dir=n:g --work-tree=n --namespace=n --exec-path?n:x --config-env=n:v --super-prefix=n --list-cmds=n --attr-source=n -p,--paginate -P,--no-pager --bare --no-replace-objects --literal-pathspecs --html-path --man-path --info-path -v,--version -h,--help", "n*", SUB | STOP | DANGER, NONE, sbx_check_git, NULL},
    {"git status|git rev-parse|git describe|git cat-file|git ls-tree|git merge-base|git rev-list|git show-ref|git name-rev|git count-objects|git fsck|git check-ignore|git check-attr|git for-each-ref|git var|git help|git version|git shortlog|git cherry|git diff-tree|git diff-index|git diff-files|git show-branch|git verify-commit|git verify-tag|git whatchanged|git range-diff|git ls-files|git column|git interpret-trailers|git patch-id|git stripspace|git annotate", "-f=n --format=n -n=n --since=n --until=n -X=n --exclude-from=r", "n*", RO | FILTER | PAGER, NONE, sbx_check_narrow, NULL},
    {"git log|git diff|git show|git blame|git reflog", "-n=n -S=n -G=n -L=n --format=n --since=n --until=n --author=n --grep=n -O=r --output=w --ext-diff:x --textconv -U=n --word-diff?n --color?n --contents=r --ignore-revs-file=r -p -c -M -C", "n*", RO | FILTER | PAGER, NONE, sbx_check_git_show, NULL},
    {"git grep", "-e=n -f=r -A=n -B=n -C=n -m=n -O?e --open-files-in-pager?e --threads=n --max-depth=n", "n*", RO | FILTER, NONE, sbx_check_git_grep, NULL},
    {"git add|git stage", "--pathspec-from-file=r --chmod=n -A -u -p -n -f -v -i -N", "n*", 0, NONE, NULL, NULL},
    {"git rm", "--pathspec-from-file=r -r -f --cached:c -n,--dry-run:n -q", "n*", 0, NONE, sbx_check_git_destroy, NULL},
    {"git mv", "-f -k -n -v", "n*", 0, NONE, NULL, NULL},
    {"git commit", MSG, "n*", 0, NONE, sbx_check_git_public, NULL},
    {"git notes", MSG, "n*", 0, NONE, sbx_check_git_public, NULL},
    {"git commit-tree", "-p=n -m=i -F=i -S?n", "n*", 0, NONE, sbx_check_git_public, NULL},
    {"git tag", "-m,--message=i -F,--file=i -u,--local-user=n -n?n --contains?n --merged?n --points-at?n --sort=n --format=n -a -s -f,--force:f -d,--delete:d -l,--list:l -v,--verify:l", "n*", 0, NONE, sbx_check_git_tag, NULL},
    {"git merge", "-m=i -F=i -s,--strategy=n -X,--strategy-option=n -S?n --into-name=n --abort --continue --no-ff --ff-only --squash", "n*", 0, NONE, sbx_check_git_public, NULL},
    {"git pull", "-s=n -X=n --upload-pack=e -o=n --depth=n -j=n --rebase?n", "n*", 0, NONE, sbx_check_git_remote, NULL},
    {"git fetch", "--upload-pack=e -o=n --depth=n --shallow-since=n -j=n --refmap=n --negotiation-tip=n --server-option=n --recurse-submodules?n -p -a -f -t -v -q", "n*", 0, NONE, sbx_check_git_remote, NULL},
    {"git ls-remote", "--upload-pack,--exec=e -o=n --sort=n --server-option=n -h -t -q", "n*", NET, NONE, sbx_check_git_remote, NULL},
    {"git fetch-pack|git clone-pack", "--upload-pack,--exec=e", "n*", NET, NONE, sbx_check_git_remote, NULL},
    {"git send-pack", "--receive-pack,--exec=e", "n*", 0, NONE, sbx_check_git_push, NULL},
    {"git archive", "-o,--output=w --remote=u --exec=e --format=n --prefix=n --add-file=r -l -v", "n*", FILTER, NONE, NULL, NULL},
    {"git clone", "-b,--branch=n -o,--origin=n -u,--upload-pack=e --reference=n --reference-if-able=n --template=E -c,--config=n:c --depth=n --shallow-since=n --shallow-exclude=n --separate-git-dir=w -j,--jobs=n --filter=n --bundle-uri=u --recurse-submodules?n --bare:b --mirror:b -n -l -s -q -v", "n w", 0, NONE, sbx_check_git_clone, NULL},
    {"git init|git init-db", "--template=E --separate-git-dir=w -b,--initial-branch=n --shared?n --object-format=n --bare:b -q", "w", 0, NONE, sbx_check_git_init, NULL},
    {"git push", "--receive-pack,--exec=e -o,--push-option=n --repo=n --signed?n --recurse-submodules?n --force-with-lease?n:f --force-if-includes -f,--force:f -d,--delete:d --mirror:f --prune:f -n,--dry-run:n --all --tags -u,--set-upstream -q -v --no-verify --follow-tags --porcelain --atomic", "n*", 0, NONE, sbx_check_git_push, NULL},
    {"git remote", "-m=n -t=n -f -v --mirror?n --tags", "n*", 0, NONE, sbx_check_git_remote, NULL},
    {"git branch", "-u,--set-upstream-to=n --contains?n --no-contains?n --merged?n --no-merged?n --points-at=n --sort=n --format=n -t?n --color?n -d,--delete:d -D:D -f,--force:f -m,--move -M:M -c,--copy -C:M -a -r -v -l -q --show-current", "n*", 0, NONE, sbx_check_git_branch, NULL},
    {"git checkout", "-b=i -B=i:f --orphan=i --pathspec-from-file=r --conflict=n -f,--force:f -p,--patch -t,--track -q -m -d,--detach --ours --theirs", "n*", 0, NONE, sbx_check_git_checkout, NULL},
    {"git switch", "-c,--create=i -C,--force-create=i:f --orphan=i --conflict=n -f,--force:f --discard-changes:f -t -d -m -q", "n*", 0, NONE, sbx_check_git_switch, NULL},
    {"git restore", "-s,--source=n --pathspec-from-file=r --conflict=n -S,--staged:S -W,--worktree:W -p -q -m --ours --theirs", "n*", 0, NONE, sbx_check_git_restore, NULL},
    {"git reset", "--pathspec-from-file=r --hard:h --merge:h --keep:k --soft --mixed -q -p -N", "n*", 0, NONE, sbx_check_git_reset, NULL},
    {"git clean", "-e,--exclude=n -n,--dry-run:n -f,--force:f -d -x -X -q -i:i", "n*", 0, NONE, sbx_check_git_clean, NULL},
    {"git stash", "-m,--message=n --pathspec-from-file=r -p -k -u -a -q -S", "n*", 0, NONE, sbx_check_git_stash, NULL},
    {"git reflog expire|git reflog delete|git update-ref|git filter-branch|git filter-repo|git read-tree|git prune|git prune-packed|git fast-import|git checkout-index|git quiltimport|git replay", "-d,--delete -n,--dry-run:n -l,--list:n --show-current-patch:n --tree-filter=c --index-filter=c --msg-filter=c --env-filter=c --commit-filter=c --parent-filter=c --tag-name-filter=c --subdirectory-filter=n --setup=c -m:m -q:q --short:q --import-marks=r --export-marks=w", "n*", 0, NONE, sbx_check_git_destroy, NULL},
    {"git gc|git repack|git maintenance", "--prune?n:p --aggressive --auto -a -d -f -q --task=n", "n*", 0, NONE, sbx_check_git_gc, NULL},
    {"git worktree", "-b=i -B=i --reason=n --expire=n -f,--force:f -n --detach --lock -d", "n*", 0, NONE, sbx_check_git_worktree, NULL},
    {"git submodule", "--reference=n -b=n --name=n --depth=n -j=n --recursive --init --remote -f,--force:f -q --all:a", "n*", STOP, NONE, sbx_check_git_submodule, NULL},
    {"git config", "-f,--file=n:f --blob=n --type=n --default=n --comment=n --value=n --url=n --global:G --system:Y --local --worktree --get:g --get-all:g --get-regexp:g --get-urlmatch:g -l,--list:g --unset:u --unset-all:u --remove-section:u --rename-section:u --add --replace-all -e,--edit:e --show-origin --show-scope --name-only -z --get-color:g --get-colorbool:g --fixed-value --bool --int --path", "n*", 0, NONE, sbx_check_git_config, NULL},
    {"git rebase", "-x,--exec=c --onto=n -s=n -X=n -C=n --whitespace=n --empty=n -S?n --abort --continue --skip -i --root --autosquash --autostash --quit", "n*", 0, NONE, sbx_check_git_rebase, NULL},
    {"git bisect", "-q --term-new=n --term-old=n --no-checkout", "n*", STOP, NONE, sbx_check_git_bisect, NULL},
    {"git difftool|git mergetool", "-t,--tool=n -x,--extcmd=e -y -g -d", "n*", 0, NONE, NULL, NULL},
    {"git apply|git am", "--directory=n --exclude=n --include=n -p=n -C=n --whitespace=n -S?n --abort --continue --check --stat -3 -R", "r*", 0, NONE, NULL, NULL},
    {"git cherry-pick|git revert", "-m=n -s=n -X=n -S?n -n -e -x --abort --continue --skip --quit", "n*", 0, NONE, NULL, NULL},
    {"git format-patch", "-o,--output-directory=w --to=n --cc=n --in-reply-to=n --cover-letter --base=n -v=n -n -s -k --stdout --signature-file=r", "n*", FILTER, NONE, NULL, NULL},
    {"git send-email|git imap-send|git request-pull", "--to=n --smtp-server=n --smtp-pass=n --sendmail-cmd=e --to-cmd=e --cc-cmd=e --dry-run:n", "n*", 0, ASK(EXFIL), NULL, "mail leaves the machine; ask first"},
    {"git bundle", "--version=n", "n w n*", 0, NONE, NULL, NULL},
    {"git daemon|git http-backend|git shell|git instaweb|git upload-pack|git receive-pack|git upload-archive|git cvsserver", "--base-path=n -d=e --httpd=e --browser=e --listen=n --port=n", "n*", 0, ASK(EXFIL), NULL, "this serves the repository to others; ask first"},
    {"git credential|git credential-store|git credential-cache|git credential-osxkeychain|git askpass", "--file=r --timeout=n", "n*", 0, ASK(CRED_READ), NULL, "let git ask for its own credentials"},
    {"git replace|git symbolic-ref|git lfs", "-m=i -d,--delete -n,--dry-run -f --force", "n*", 0, NONE, sbx_check_git_destroy, NULL},
    {"git annex|git svn|git p4|git cvsimport|git cvsexportcommit|git subtree|git flow|git sparse-checkout|git pack-refs|git pack-objects|git index-pack|git unpack-objects|git write-tree|git mktree|git mktag|git update-index|git update-server-info|git rerere|git hash-object|git merge-file|git merge-tree|git merge-index|git citool|git gui|gitk", "-m=i -P=n -r=n", "n*", 0, NONE, NULL, NULL},
    {"git hook", "", "n*", 0, NONE, NULL, NULL},

    /* --- other systems --- */
    {"hg|svn|jj|bzr|fossil|darcs|pijul|cvs|sl|svk|p4", "-m,--message=i -R,--repository=n --cwd=W --config=n:c -r=n -F=i -l=r -u=n --editor-cmd=e --diff-cmd=e --diff3-cmd=e --config-option=n --config-dir=n -d=n -e=e", "n*", DANGER, NONE, sbx_check_git_destroy, NULL},
    {"svnadmin|svnserve|hgweb|gitea|gogs|gitolite|git-shell", "-r=n", "n*", 0, NONE, NULL, NULL},

    /* --- forges --- */
    {"gh|glab|hub|tea", "-R,--repo=n", "n*", SUB | DANGER, NONE, NULL, NULL},
    {"gh pr|gh issue|gh release|gh repo|gh gist|gh secret|gh variable|gh auth|gh run|gh workflow|gh label|gh ssh-key|gh gpg-key|gh cache|gh codespace|gh extension|gh alias|gh project|gh ruleset|glab mr|glab issue|glab release|glab repo|glab auth|glab variable|glab ci", "-R,--repo=n", "n*", SUB, NONE, NULL, NULL},
    {"gh pr create|gh pr edit|gh pr comment|gh pr review|gh pr merge|gh issue create|gh issue edit|gh issue comment|gh issue close|gh pr close|gh release create|gh release edit|glab mr create|glab issue create|glab mr note|glab mr update|glab issue note|glab release create|gh label create|gh repo edit", "-t,--title=i -b,--body,--description,--message,-m,-d=i -F,--body-file,--notes-file=i -n,--notes=i -B,--base=n -H,--head=n -l,--label=n -a,--assignee=n -r,--reviewer=n -c,--comment=i --subject=i --target=n --milestone=n -p,--project=n --template=n", "n*", 0, NONE, sbx_check_git_public, NULL},
    {"gh repo delete|gh release delete|gh issue delete|gh label delete|gh secret delete|gh run delete|gh cache delete|gh workflow disable|gh repo archive|gh repo rename|gh gist delete|gh variable delete|gh ssh-key delete|gh gpg-key delete|gh codespace delete|glab repo delete|glab issue delete|glab release delete|glab mr delete|gh release delete-asset|gh project delete|gh repo transfer|glab repo transfer|glab repo archive", "", "n*", 0, ASK(GIT_DESTROY), NULL, "this cannot be taken back at the forge; ask first"},
    {"gh auth token|glab auth token", "", "n*", 0, ASK(CRED_READ), NULL, "tools find their token by themselves; no need to print it"},
    {"gh auth status|glab auth status", "-t,--show-token:t -h=n", "n*", PRINT, NONE, sbx_check_secret, NULL},
    {"gh secret set|gh variable set|glab variable set", "-b,--body=n -f,--env-file=r -e=n -o=n -v=n", "n*", 0, ASK(EXFIL), NULL, "this stores data at the forge; ask first"},
    {"gh ssh-key add|gh gpg-key add|glab ssh-key add|gh repo deploy-key", "", "r", 0, DENY(PERSISTENCE), NULL, "login keys belong to people"},
    {"gh gist create", "-d=i -f=n -p,--public -w", "n*", 0, ASK(EXFIL), NULL, "this publishes files; ask first"},
    {"gh release upload", "", "n*", 0, ASK(EXFIL), NULL, "this publishes files; ask first"},
    {"gh extension install|gh extension exec|gh extension upgrade", "", "n*", 0, ASK(REMOTE_CODE), NULL, "this runs code from the forge; ask first"},
    {"gh alias set|gh alias import", "-s,--shell:s", "n c", 0, NONE, sbx_check_codes, NULL},
    {"gh repo create", "--description,-d=i --public:p -s=n -r=n --source=n --push:P", "n*", 0, NONE, sbx_check_git_public, NULL},
    {"gh api|glab api", "-X,--method=n:X -f,--raw-field=n -F,--field=n -H=n --input=f -q=n -t=n --hostname=n -p=n --cache=n", "n*", 0, NONE, sbx_check_git_destroy, NULL},
    {"gh codespace ssh", "", "n*", 0, ASK(EXFIL), NULL, "this logs in to another machine; ask first"},
};
/* clang-format on */
const struct sbx_command_group sbx_group_git = {sbx_rows_git,
                                                sizeof(sbx_rows_git) / sizeof(*sbx_rows_git)};
