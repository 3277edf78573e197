/* git, its kin and the forges' tools. How to read a row: policy/command.h */
#include "policy/table.h"

/* What `git diff` and its kin take. */
#define DIFF                                                                                       \
    "-U,--unified?n --output=w --output-indicator-new=n --output-indicator-old=n "                 \
    "--output-indicator-context=n --stat?n --stat-width=n --stat-name-width=n "                    \
    "--stat-graph-width=n --stat-count=n --dirstat?n -X?n --dirstat-by-file?n --color?n "          \
    "--color-moved?n --color-moved-ws=n --word-diff?n --word-diff-regex=n --color-words?n "        \
    "--ws-error-highlight=n --abbrev?n -B?n --break-rewrites?n -M?n --find-renames?n -C?n "        \
    "--find-copies?n -l=n --diff-filter=n -S=n -G=n --find-object=n -O=r --skip-to=n "             \
    "--rotate-to=n --relative?n -I,--ignore-matching-lines=n --inter-hunk-context=n "              \
    "--ignore-submodules?n --submodule?n --src-prefix=n --dst-prefix=n --line-prefix=n "           \
    "--anchored=n --diff-algorithm=n --ext-diff:x --textconv -p"

/* What chooses commits and how they are printed. */
#define REVISIONS                                                                                  \
    "-n,--max-count=n --skip=n --since=n --after=n --since-as-filter=n --until=n --before=n "      \
    "--max-age=n --min-age=n --author=n --committer=n --grep-reflog=n --grep=n --min-parents=n "   \
    "--max-parents=n --branches?n --tags?n --remotes?n --glob=n --exclude=n --exclude-hidden=n "   \
    "--ancestry-path?n --no-walk?n --encoding=n --date=n --show-linear-break?n --format=n "        \
    "--pretty?n --notes?n --show-notes?n"

#define MSG                                                                                        \
    "-m,--message=i -F,--file=i -t,--template=r -C,--reuse-message=n -c,--reedit-message=n "       \
    "--author=i --date=n --trailer=i --cleanup=n --fixup=n --squash=n -S,--gpg-sign?n "            \
    "--pathspec-from-file=r -u,--untracked-files?n -a,--all -s,--signoff -q -v -e -n,--no-verify " \
    "--amend --no-edit "                                                                           \
    "--allow-empty"

/* clang-format off */
static const struct sbx_command_row sbx_rows_git[] = {
    {"git", "-C=W -c=n:c --git-dir=n:g --work-tree=n --namespace=n --exec-path?n:x --config-env=n:v --super-prefix=n --list-cmds=n --attr-source=n -p,--paginate -P,--no-pager --bare --no-replace-objects --literal-pathspecs --html-path --man-path --info-path -v,--version -h,--help", "n*", SUB | STOP | DANGER, NONE, sbx_check_git, NULL},
    {"git rev-list", REVISIONS " --disk-usage?n --abbrev=n --filter=n --missing=n --progress=n --exclude-first-parent-only --bisect", "n*", RO | FILTER | PAGER, NONE, sbx_check_narrow, NULL},
    {"git shortlog", "-n --committer -w?n --group=n --format?n --skip=n --since=n --after=n --since-as-filter=n --until=n --before=n --author=n --grep-reflog=n --grep=n --min-parents=n --max-parents=n --branches?n --tags?n --remotes?n --glob=n --exclude=n --exclude-hidden=n --ancestry-path?n --date=n", "n*", RO | FILTER | PAGER, NONE, sbx_check_narrow, NULL},
    {"git rev-parse", "--default=n --prefix=n --short?n --abbrev-ref?n --branches?n --tags?n --remotes?n --glob=n --exclude=n --exclude-hidden=n --disambiguate=n --path-format=n --resolve-git-dir=n --git-path=n --show-object-format?n --since=n --after=n --until=n --before=n", "n*", RO | FILTER | PAGER, NONE, sbx_check_narrow, NULL},
    {"git diff-tree|git diff-index|git diff-files|git range-diff", DIFF " --format=n --pretty?n --encoding=n --notes?n --show-notes?n --creation-factor=n", "n*", RO | FILTER | PAGER, NONE, sbx_check_git_show, NULL},
    {"git whatchanged", DIFF " " REVISIONS " --decorate?n --decorate-refs=n --decorate-refs-exclude=n --diff-merges=n -L=n", "n*", RO | FILTER | PAGER, NONE, sbx_check_git_show, NULL},
    {"git annotate", "-f -n -L=n -M?n -C?n -S=r --abbrev?n --contents=r --ignore-rev=n --ignore-revs-file=r --date=n", "n*", RO | FILTER | PAGER, NONE, sbx_check_narrow, NULL},
    {"git ls-files", "-f -x,--exclude=n -X,--exclude-from=r --exclude-per-directory=n --with-tree=n --abbrev?n --format=n", "n*", RO | FILTER | PAGER, NONE, sbx_check_narrow, NULL},
    {"git column", "--command=n --mode?n --raw-mode=n --width=n --indent=n --nl=n --padding=n", "n*", RO | FILTER | PAGER, NONE, sbx_check_narrow, NULL},
    {"git for-each-ref", "--count=n --color?n --sort=n --points-at=n --merged=n --no-merged=n --contains=n --no-contains=n --format=n --exclude=n", "n*", RO | FILTER | PAGER, NONE, sbx_check_narrow, NULL},
    {"git cat-file", "--batch?n --batch-check?n --batch-command?n --path=n --filter=n", "n*", RO | FILTER | PAGER, NONE, sbx_check_narrow, NULL},
    {"git describe|git name-rev", "--abbrev?n --candidates=n --match=n --exclude=n --refs=n --dirty?n --broken?n", "n*", RO | FILTER | PAGER, NONE, sbx_check_narrow, NULL},
    {"git ls-tree|git show-ref|git cherry|git show-branch", "--format=n --abbrev?n --hash?n --exclude-existing?n --color?n --more?n -g,--reflog?n", "n*", RO | FILTER | PAGER, NONE, sbx_check_narrow, NULL},
    {"git interpret-trailers", "--where=n --if-exists=n --if-missing=n --trailer=n --in-place:i", "n*", RO | FILTER | PAGER, NONE, sbx_check_narrow, NULL},
    {"git status|git merge-base|git count-objects|git fsck|git check-ignore|git check-attr|git var|git help|git version|git verify-commit|git verify-tag|git patch-id|git stripspace", "--format=n --since=n --until=n -X=n --exclude-from=r --porcelain?n --untracked-files?n --ignored?n --ignore-submodules?n --column?n --find-renames?n -u?n", "n*", RO | FILTER | PAGER, NONE, sbx_check_narrow, NULL},
    {"git blame", "-n -S=r -L=n -M?n -C?n --abbrev?n --since=n --date=n --contents=r --ignore-rev=n --ignore-revs-file=r -p -c", "n*", RO | FILTER | PAGER, NONE, sbx_check_git_show, NULL},
    {"git diff", DIFF, "n*", RO | FILTER | PAGER, NONE, sbx_check_git_show, NULL},
    {"git reflog", DIFF " " REVISIONS " -L=n --decorate?n --expire=n --expire-unreachable=n", "n*", RO | FILTER | PAGER, NONE, sbx_check_git_show, NULL},
    {"git log|git show", DIFF " " REVISIONS " -L=n --decorate?n --decorate-refs=n --decorate-refs-exclude=n --diff-merges=n -c", "n*", RO | FILTER | PAGER, NONE, sbx_check_git_show, NULL},
    {"git grep", "-e=n -f=r -A,--after-context=n -B,--before-context=n -C,--context=n -m,--max-count=n --color?n -O?e --open-files-in-pager?e --threads=n --max-depth=n", "n*", RO | FILTER, NONE, sbx_check_git_grep, NULL},
    {"git add|git stage", "--pathspec-from-file=r --chmod=n -A -u -p -n -f -v -i -N", "n*", 0, NONE, NULL, NULL},
    {"git rm", "--pathspec-from-file=r -r -f --cached:c -n,--dry-run:n -q", "n*", 0, NONE, sbx_check_git_destroy, NULL},
    {"git mv", "-f -k -n -v", "n*", 0, NONE, NULL, NULL},
    {"git commit", MSG, "n*", 0, NONE, sbx_check_git_public, NULL},
    {"git notes", "-m,--message=i -F,--file=i -C,--reuse-message=n -c,--reedit-message=n --ref=n -s,--strategy=n --separator?n -f,--force -q -v", "n*", 0, NONE, sbx_check_git_public, NULL},
    {"git commit-tree", "-p=n -m=i -F=i -S,--gpg-sign?n", "n*", 0, NONE, sbx_check_git_public, NULL},
    {"git tag", "-m,--message=i -F,--file=i -u,--local-user=n -n?n --contains=n --no-contains=n --merged=n --no-merged=n --points-at=n --cleanup=n --column?n --color?n --sort=n --format=n -a -s -f,--force:f -d,--delete:d -l,--list:l -v,--verify:l", "n*", 0, NONE, sbx_check_git_tag, NULL},
    {"git merge", "-m,--message=i -F,--file=i -s,--strategy=n -X,--strategy-option=n -S,--gpg-sign?n --log?n --cleanup=n --into-name=n --abort --continue --no-ff --ff-only --squash", "n*", 0, NONE, sbx_check_git_public, NULL},
    {"git pull", "-s,--strategy=n -X,--strategy-option=n --upload-pack=e -o,--server-option=n --depth=n -j,--jobs?n --rebase?n --recurse-submodules?n --log?n --signoff?n --cleanup=n -S,--gpg-sign?n --shallow-since=n --shallow-exclude=n --deepen=n --refmap=n --negotiation-tip=n", "n*", 0, NONE, sbx_check_git_remote, NULL},
    {"git fetch", "--upload-pack=e -o=n --depth=n --shallow-since=n -j,--jobs=n --shallow-exclude=n --deepen=n --filter=n --refmap=n --negotiation-tip=n --server-option=n --recurse-submodules?n -p -a -f -t -v -q", "n*", 0, NONE, sbx_check_git_remote, NULL},
    {"git ls-remote", "--upload-pack,--exec=e -o=n --sort=n --server-option=n -h -t -q", "n*", NET, NONE, sbx_check_git_remote, NULL},
    {"git fetch-pack|git clone-pack", "--upload-pack,--exec=e --depth=n --shallow-since=n --shallow-exclude=n", "n*", NET, NONE, sbx_check_git_remote, NULL},
    {"git send-pack", "--receive-pack,--exec=e --remote=n --signed?n --push-option=n --force-with-lease?n:f", "n*", 0, NONE, sbx_check_git_push, NULL},
    {"git archive", "-o,--output=w --remote=u --exec=e --format=n --prefix=n --add-file=r --add-virtual-file=n -l -v", "n*", FILTER, NONE, NULL, NULL},
    {"git clone", "-b,--branch=n -o,--origin=n -u,--upload-pack=e --reference=n --reference-if-able=n --template=E -c,--config=n:c --depth=n --shallow-since=n --shallow-exclude=n --separate-git-dir=w -j,--jobs=n --filter=n --bundle-uri=u --recurse-submodules,--recursive?n --server-option=n --bare:b --mirror:b -n -l -s -q -v", "n w", 0, NONE, sbx_check_git_clone, NULL},
    {"git init|git init-db", "--template=E --separate-git-dir=w -b,--initial-branch=n --shared?n --object-format=n --bare:b -q", "w", 0, NONE, sbx_check_git_init, NULL},
    {"git push", "--receive-pack,--exec=e -o,--push-option=n --repo=n --signed?n --recurse-submodules?n --force-with-lease?n:f --force-if-includes -f,--force:f -d,--delete:d --mirror:f --prune:f -n,--dry-run:n --all --tags -u,--set-upstream -q -v --no-verify --follow-tags --porcelain --atomic", "n*", 0, NONE, sbx_check_git_push, NULL},
    {"git remote", "-m=n -t=n -f -v --mirror?n --tags", "n*", 0, NONE, sbx_check_git_remote, NULL},
    {"git branch", "-u,--set-upstream-to=n --contains=n --no-contains=n --merged=n --no-merged=n --points-at=n --sort=n --format=n -t,--track?n --abbrev?n --column?n --color?n -d,--delete:d -D:D -f,--force:f -m,--move -M:M -c,--copy -C:M -a -r -v -l -q --show-current", "n*", 0, NONE, sbx_check_git_branch, NULL},
    {"git checkout", "-b=i -B=i:f --orphan=i --pathspec-from-file=r --conflict=n -f,--force:f -p,--patch -t,--track?n --recurse-submodules?n -q -m -d,--detach --ours --theirs", "n*", 0, NONE, sbx_check_git_checkout, NULL},
    {"git switch", "-c,--create=i -C,--force-create=i:f --orphan=i --conflict=n -f,--force:f --discard-changes:f -t,--track?n --recurse-submodules?n -d -m -q", "n*", 0, NONE, sbx_check_git_switch, NULL},
    {"git restore", "-s,--source=n --pathspec-from-file=r --conflict=n -S,--staged:S -W,--worktree:W -p -q -m --recurse-submodules?n --ours --theirs", "n*", 0, NONE, sbx_check_git_restore, NULL},
    {"git reset", "--pathspec-from-file=r --hard:h --merge:h --keep:k --recurse-submodules?n --soft --mixed -q -p -N", "n*", 0, NONE, sbx_check_git_reset, NULL},
    {"git clean", "-e,--exclude=n -n,--dry-run:n -f,--force:f -d -x -X -q -i:i", "n*", 0, NONE, sbx_check_git_clean, NULL},
    {"git stash", "-m,--message=n --pathspec-from-file=r -p -k -u -a -q -S", "n*", 0, NONE, sbx_check_git_stash, NULL},
    {"git quiltimport", "--author=n --patches=R --series=r -n,--dry-run:n --keep-non-patch", "n*", 0, NONE, sbx_check_git_destroy, NULL},
    {"git checkout-index", "--prefix=n --stage=n --index -f,--force -a -q -n", "n*", 0, NONE, sbx_check_git_destroy, NULL},
    {"git read-tree", "--index-output=w --prefix=n --exclude-per-directory=n --recurse-submodules?n -m:m -n,--dry-run:n", "n*", 0, NONE, sbx_check_git_destroy, NULL},
    {"git fast-import", "--cat-blob-fd=n --date-format=n --rewrite-submodules-from=r --rewrite-submodules-to=r --active-branches=n --big-file-threshold=n --depth=n --export-pack-edges=w --max-pack-size=n --import-marks=r --import-marks-if-exists=r --export-marks=w --quiet --force", "n*", 0, NONE, sbx_check_git_destroy, NULL},
    {"git filter-branch", "--tree-filter=c --index-filter=c --msg-filter=c --env-filter=c --commit-filter=c --parent-filter=c --tag-name-filter=c --subdirectory-filter=n --setup=c --original=n -d=w --state-branch=n --prune-empty -f,--force", "n*", 0, NONE, sbx_check_git_destroy, NULL},
    {"git update-ref|git prune", "-d,--delete -n,--dry-run:n -m=n --expire=n --no-deref --stdin -z", "n*", 0, NONE, sbx_check_git_destroy, NULL},
    {"git reflog expire|git reflog delete|git filter-repo|git prune-packed|git replay", "-d,--delete -n,--dry-run:n -l,--list:n --show-current-patch:n --tree-filter=c --index-filter=c --msg-filter=c --env-filter=c --commit-filter=c --parent-filter=c --tag-name-filter=c --subdirectory-filter=n --setup=c -m:m -q:q --short:q --import-marks=r --export-marks=w", "n*", 0, NONE, sbx_check_git_destroy, NULL},
    {"bfg|git-filter-repo|git-filter-branch", "", "n*", VOK, ASK(GIT_DESTROY), NULL, "this rewrites history; ask first, or work on a copy of the repository"},
    {"git gc|git repack|git maintenance", "--prune?n:p --aggressive --auto -a -d -f -q --task=n --scheduler=n --schedule?n --cruft --cruft-expiration=n --unpack-unreachable=n --window=n --window-memory=n --depth=n --threads=n --max-pack-size=n --keep-pack=n -g,--geometric=n --expire-to=w", "n*", 0, NONE, sbx_check_git_gc, NULL},
    {"git worktree", "-b=i -B=i --reason=n --expire=n -f,--force:f -n --detach --lock -d", "n*", 0, NONE, sbx_check_git_worktree, NULL},
    {"git submodule", "--reference=n -b,--branch=n --name=n --depth=n -j,--jobs=n --recursive --init --remote -f,--force:f -q --all:a", "n*", STOP, NONE, sbx_check_git_submodule, NULL},
    {"git config", "-f,--file=n:f --blob=n -t,--type=n --default=n --comment=n --value=n --url=n --global:G --system:Y --local --worktree --get:g --get-all:g --get-regexp:g --get-urlmatch:g -l,--list:g --unset:u --unset-all:u --remove-section:u --rename-section:u --add --replace-all -e,--edit:e --show-origin --show-scope --name-only -z --get-color:g --get-colorbool:g --fixed-value --bool --int --path", "n*", 0, NONE, sbx_check_git_config, NULL},
    {"git rebase", "-x,--exec=c --onto=n -s,--strategy=n -X,--strategy-option=n -C=n --whitespace=n --empty=n -S,--gpg-sign?n --rebase-merges?n --abort --continue --skip -i --root --autosquash --autostash --quit", "n*", 0, NONE, sbx_check_git_rebase, NULL},
    {"git bisect", "-q --term-new=n --term-old=n --no-checkout", "n*", STOP, NONE, sbx_check_git_bisect, NULL},
    {"git difftool|git mergetool", "-t,--tool=n -O=r -x,--extcmd=e -y -g -d", "n*", 0, NONE, NULL, NULL},
    {"git apply|git am", "--directory=n --exclude=n --include=n -p=n -C=n --whitespace=n -S,--gpg-sign?n --build-fake-ancestor=w --resolvemsg=n --quoted-cr=n --patch-format=n --show-current-patch?n --empty=n --abort --continue --check --stat -3 -R", "r*", 0, NONE, NULL, NULL},
    {"git cherry-pick|git revert", "-m,--mainline=n -s --strategy=n -X,--strategy-option=n -S,--gpg-sign?n --cleanup=n -n -e -x --abort --continue --skip --quit", "n*", 0, NONE, NULL, NULL},
    {"git format-patch", DIFF " -o,--output-directory=w --to=n --cc=n --in-reply-to=n --cover-letter --base=n -v,--reroll-count=n -n -s -k --stdout --signature=n --signature-file=r --suffix=n --start-number=n --filename-max-length=n --cover-from-description=n --subject-prefix=n --add-header=n --from?n --attach?n --inline?n --thread?n --interdiff=n --range-diff=n --creation-factor=n --notes?n", "n*", FILTER, NONE, NULL, NULL},
    {"git send-email|git imap-send|git request-pull", "--to=n --smtp-server=n --smtp-pass=n --sendmail-cmd=e --to-cmd=e --cc-cmd=e --dry-run:n", "n*", 0, ASK(EXFIL), NULL, "mail leaves the machine; ask first"},
    {"git bundle", "--version=n", "n w n*", 0, NONE, NULL, NULL},
    {"git instaweb", "-p,--port=n -d,--httpd=e -b,--browser=e -m,--module-path=b -l,--local", "n*", 0, ASK(EXFIL), NULL, "this serves the repository to others; ask first"},
    {"git daemon|git http-backend|git shell|git upload-pack|git receive-pack|git upload-archive|git cvsserver", "--base-path=n --listen=n --port=n --interpolated-path=n --init-timeout=n --timeout=n --max-connections=n --log-destination=n --user-path?n --pid-file=w --user=n --group=n --enable=n --disable=n --allow-override=n --forbid-override=n --access-hook=e", "n*", 0, ASK(EXFIL), NULL, "this serves the repository to others; ask first"},
    {"git credential|git credential-store|git credential-cache|git credential-osxkeychain|git askpass", "--file=r --timeout=n --socket=n", "n*", 0, ASK(CRED_READ), NULL, "let git ask for its own credentials"},
    {"git replace|git symbolic-ref|git lfs", "-m=i --format=n -d,--delete -n,--dry-run -f --force", "n*", 0, NONE, sbx_check_git_destroy, NULL},
    {"git pack-objects|git index-pack|git unpack-objects", "-o=w --index-version=n --max-pack-size=n --max-input-size=n --window=n --window-memory=n --depth=n --threads=n --unpack-unreachable?n --cruft-expiration?n --keep-pack=n --compression=n --filter=n --missing=n --uri-protocol=n --object-format=n --promisor?n --keep?n -q -n -r", "n*", 0, NONE, NULL, NULL},
    {"git update-index|git hash-object|git write-tree", "--cacheinfo=n --index-version=n --chmod=n -t=n --path=n --prefix=n -g,--again -w --stdin --stdin-paths", "n*", 0, NONE, NULL, NULL},
    {"git merge-file", "-L=n --marker-size=n --diff-algorithm=n -p -q", "w r*", 0, NONE, NULL, NULL},
    {"git subtree", "-P,--prefix=n -m,--message=i -b,--branch=n --onto=n --annotate=n -q -d", "n*", 0, NONE, NULL, NULL},
    {"git annex|git svn|git p4|git cvsimport|git cvsexportcommit|git flow|git sparse-checkout|git pack-refs|git mktree|git mktag|git update-server-info|git rerere|git merge-tree|git merge-index|git citool|git gui|gitk", "-m=i -P=n -r=n", "n*", 0, NONE, NULL, NULL},
    {"git hook", "", "n*", 0, NONE, NULL, NULL},

    /* --- other systems --- */
    {"hg|svn|jj|bzr|fossil|darcs|pijul|cvs|sl|svk|p4", "-m,--message=i -R,--repository=n --cwd=W --config=n:c -r=n -F=i -l=r -u=n --editor-cmd=e --diff-cmd=e --diff3-cmd=e --config-option=n --config-dir=n -d=n -e=e", "n*", DANGER, NONE, sbx_check_git_destroy, NULL},
    {"svnadmin|svnserve|hgweb|gitea|gogs|gitolite|git-shell", "-r=n", "n*", 0, NONE, NULL, NULL},

    /* --- forges --- */
    {"gh|glab|hub|tea", "-R,--repo=n", "n*", SUB | DANGER, NONE, NULL, NULL},
    {"glab snippet|gh pr|gh issue|gh release|gh repo|gh gist|gh secret|gh variable|gh auth|gh run|gh workflow|gh label|gh ssh-key|gh gpg-key|gh cache|gh codespace|gh extension|gh alias|gh project|gh ruleset|glab mr|glab issue|glab release|glab repo|glab auth|glab variable|glab ci", "-R,--repo=n", "n*", SUB, NONE, NULL, NULL},
    {"gh pr create|gh pr edit|gh pr comment|gh pr review|gh pr merge|gh issue create|gh issue edit|gh issue comment|gh issue close|gh pr close|gh release create|gh release edit|glab mr create|glab issue create|glab mr note|glab mr update|glab issue note|glab release create|gh label create|gh repo edit", "-t,--title=i -b,--body,--description,--message,-m,-d=i -F,--body-file,--notes-file=i -n,--notes=i -B,--base=n -H,--head=n -l,--label=n -a,--assignee=n -r,--reviewer=n -c,--comment=i --subject=i --target=n --milestone=n -p,--project=n --template=n --delete-branch:D --admin:A --visibility=n:V --accept-visibility-change-consequences", "n*", 0, NONE, sbx_check_git_public, NULL},
    {"gh repo delete|gh release delete|gh issue delete|gh label delete|gh secret delete|gh run delete|gh cache delete|gh workflow disable|gh repo archive|gh repo rename|gh gist delete|gh variable delete|gh ssh-key delete|gh gpg-key delete|gh codespace delete|glab repo delete|glab issue delete|glab release delete|glab mr delete|gh release delete-asset|gh project delete|gh repo transfer|glab repo transfer|glab repo archive", "", "n*", 0, ASK(GIT_DESTROY), NULL, "this cannot be taken back at the forge; ask first"},
    {"gh workflow run|gh workflow enable", "-f,--raw-field=n -F,--field=n -r,--ref=n --json --failed -b=n --force", "n*", 0, ASK(NONE), NULL, "this acts at the forge for everybody; ask first"},
    {"gh auth token|glab auth token", "", "n*", 0, ASK(CRED_READ), NULL, "tools find their token by themselves; no need to print it"},
    {"gh auth status|glab auth status", "-t,--show-token:t -h=n", "n*", PRINT, NONE, sbx_check_secret, NULL},
    {"gh secret set|gh variable set|glab variable set", "-b,--body=n -f,--env-file=r -e=n -o=n -v=n", "n*", 0, ASK(EXFIL), NULL, "this stores data at the forge; ask first"},
    {"gh ssh-key add|gh gpg-key add|glab ssh-key add|gh repo deploy-key", "", "r", 0, DENY(PERSISTENCE), NULL, "login keys belong to people"},
    {"gh gist create|glab snippet create", "-t=i -d=i -f=n -p,--public -w", "n*", 0, ASK(EXFIL), NULL, "this publishes files; ask first"},
    {"gh release upload", "", "n*", 0, ASK(EXFIL), NULL, "this publishes files; ask first"},
    {"gh extension install|gh extension exec|gh extension upgrade", "", "n*", 0, ASK(REMOTE_CODE), NULL, "this runs code from the forge; ask first"},
    {"gh alias set|gh alias import", "-s,--shell:s", "n c", 0, NONE, sbx_check_codes, NULL},
    {"gh repo create", "--description,-d=i --public:p -s=n -r=n --source=n --push:P", "n*", 0, NONE, sbx_check_git_public, NULL},
    {"gh api|glab api", "-X,--method=n:X -f,--raw-field=i -F,--field=i -H=n --input=f -q=n -t=n --hostname=n -p=n --cache=n", "n*", 0, NONE, sbx_check_git_destroy, NULL},
    {"gh codespace ssh", "", "n*", 0, ASK(EXFIL), NULL, "this logs in to another machine; ask first"},
};
/* clang-format on */
const struct sbx_command_group sbx_group_git = {sbx_rows_git,
                                                sizeof(sbx_rows_git) / sizeof(*sbx_rows_git)};
