/* The shell itself: builtins, shells, wrappers. How to read a row: policy/command.h */
#include "policy/table.h"

/* clang-format off */
static const struct sbx_command_row sbx_rows_shell[] = {
    /* --- shells --- */
    {"bash|sh|dash|ash|zsh|ksh|ksh93|mksh|pdksh|yash|posh|rbash|rksh|lksh|oksh|loksh|osh|bash5|static-sh|sash|bosh|brush", "-c:c -o,+o=n -O,+O=n --rcfile,--init-file=E -i:i -l,--login:l -s:s --norc --noprofile --posix -e -u -x -v -n:n -r -p:p --verbose --restricted -f -a -h -k -t -B -C -E -H -P -T -m -b", "n*", OWN | SHELL, NONE, sbx_check_shell, NULL},
    {"fish|elvish|nu|xonsh|tcsh|csh|rc|es|scsh|pwsh|powershell|ion", "-c,--command,-Command=n:c -C,--init-command=c -e=n -f=n -i:i -l:l -s:s -File=x -d=n -o=n", "n*", OWN | SHELL, NONE, sbx_check_shell, NULL},
    {"sbxsh", "", "n*", 0, DENY(NESTED_SHELL), NULL, "you are in this shell already; run the command itself"},

    /* --- builtins that run or keep code --- */
    {"eval", "", "n*", OWN | BUILT | STOP | DANGER, NONE, sbx_check_eval, NULL},
    {"source|.", "", "x n*", BUILT | STOP | DANGER, NONE, sbx_check_source, NULL},
    {"exec", "-a=n -c -l", "C", BUILT | WRAP, NONE, sbx_check_exec, NULL},
    {"command", "-p -v:v -V:v", "n*", BUILT | WRAP, NONE, sbx_check_command, NULL},
    {"builtin", "", "C", BUILT | WRAP, NONE, NULL, NULL},
    {"coproc", "", "C", BUILT | WRAP, NONE, NULL, NULL},
    {"trap", "-l -p -P", "n*", OWN | BUILT | STOP, NONE, sbx_check_trap, NULL},
    {"alias", "-p", "n*", OWN | BUILT | STOP, NONE, sbx_check_alias, NULL},
    {"unalias", "-a", "n*", BUILT | STOP, NONE, NULL, NULL},
    {"bind", "-f=E -x=c -m=n -q=n -u=n -r=n -l -p -P -s -S -v -V", "n*", BUILT, NONE, sbx_check_codes, NULL},
    {"complete|compgen|compopt", "-F=n -C=e -W=n -A=n -G=n -X=n -P=n -S=n -o=n -D -E -I -p -r -a -b -c -d -f", "n*", BUILT | RO, NONE, sbx_check_codes, NULL},
    {"hash", "-p=n:p -d -l -r -t", "n*", BUILT | RO, NONE, sbx_check_hash, NULL},
    {"enable", "-f=n:f -a -d -n:n -p -s", "n*", BUILT, NONE, sbx_check_enable, NULL},
    {"mapfile|readarray", "-C=n:C -c=n -d=n -n=n -O=n -s=n -u=n -t", "n", BUILT, NONE, sbx_check_mapfile, NULL},
    {"fc|history", "-a?w:a -r?r:r -w?w:w -n?r -c:c -d=n:d -s:s -p:p -e=e -l:l", "n*", BUILT | ENVOUT, NONE, sbx_check_history, NULL},

    /* --- builtins that set --- */
    {"export|declare|typeset|local|readonly", "-f -F -p:p -a -A -i -l -u -n:n -r -t -x -g -I", "n*", OWN | BUILT | STOP | SBX_CMD_PLUS, NONE, sbx_check_export, NULL},
    {"set", "-o,+o=n -e -u -x -v -n -f -a -b -h -k -m -p -t -B -C -E -H -P -T", "n*", BUILT | STOP | SBX_CMD_PLUS, NONE, sbx_check_set, NULL},
    {"shopt", "-s:s -u:u -p -q -o:o", "n*", BUILT, NONE, sbx_check_shopt, NULL},
    {"setopt|unsetopt|emulate", "", "n*", BUILT, NONE, NULL, NULL},
    {"unset", "-f -v -n", "n*", BUILT, NONE, sbx_check_unset, NULL},
    {"read", "-a=n:a -d=n -i=n -n=n -N=n -p=n -t=n -u=n -r -s -e", "n*", BUILT, NONE, sbx_check_read, NULL},
    {"let", "", "n*", BUILT, NONE, sbx_check_unset, NULL},
    {"getopts|shift|return|exit|break|continue|times|caller|suspend|logout", "", "n*", BUILT | RO | PRINT, NONE, NULL, NULL},
    {"getopt", "-o,--options=n -l,--longoptions=n -n,--name=n -s=n --shell=n", "n*", RO | PRINT, NONE, NULL, NULL},
    {"ulimit", "-S -H -a -c=n -d=n -f=n -l=n -m=n -n=n -q=n -s=n -t=n -u=n -v=n", "n*", BUILT | PRINT, NONE, NULL, NULL},
    {"cd|chdir", "-L -P -e -@", "n", BUILT, NONE, sbx_check_cd, NULL},
    {"pushd|popd|dirs", "-n -c -l -p -v", "n", BUILT | SBX_CMD_PLUS, NONE, sbx_check_cd, NULL},
    {"test|[", "", "n*", OWN | BUILT | RO | PRINT, NONE, sbx_check_test, NULL},
    {"jobs|bg|fg|disown|wait", "-l -n -p -r -s -x -a -h", "n*", BUILT | PRINT, NONE, NULL, NULL},

    /* --- wrappers --- */
    {"env", "-u,--unset=n -C,--chdir=W -S,--split-string=n:S -i,--ignore-environment -0 -v --block-signal?n --default-signal?n --ignore-signal?n -a,--argv0=n", "n*", STOP | DANGER, NONE, sbx_check_env, NULL},
    {"printenv", "-0,--null", "n*", RO | PRINT, NONE, sbx_check_env, NULL},
    {"timeout|gtimeout", "-k,--kill-after=n -s,--signal=n -v,--verbose --foreground --preserve-status -f -p", "n C", WRAP, NONE, NULL, NULL},
    {"xargs|gxargs", "-a,--arg-file=r:a -d,--delimiter=n -E=n -e?n -I=n:I -i?n:I -L=n -l?n -n,--max-args=n -P,--max-procs=n -s,--max-chars=n --process-slot-var=n --replace?n:I --max-lines?n --eof?n -0,--null -r,--no-run-if-empty -t,--verbose -p -x -o", "n*", OWN | STOP | DANGER, NONE, sbx_check_xargs, NULL},
    {"parallel", "-j,--jobs=n -a,--arg-file=r:a --colsep,-C=n -I=n:I -N=n -n=n -L=n -S,--sshlogin=h --joblog=w --results=w --tmpdir=n --timeout=n --retries=n --delay=n --load=n --memfree=n --basefile=n --return=n --workdir,--wd=n --env=n -E=n -k -u -X -m -0 --pipe --bar --eta --progress --dry-run --halt=n --tag --shuf -q --no-notice --will-cite -d=n --recstart=n --recend=n --block=n", "n*", OWN | STOP | DANGER, NONE, sbx_check_xargs, NULL},
    {"busybox|toybox|coreutils", "--install:i -s", "C", WRAP, NONE, sbx_check_busybox, NULL},
    {"watch", "-n,--interval=n -d,--differences?n -q,--equexit=n -s,--shotsdir=n -b -c -e -g -p -t -w -x", "n*", STOP | DANGER, NONE, sbx_check_eval, NULL},
    {"entr", "-a -c -d -n -p -r -s:s -z", "C", WRAP, NONE, sbx_check_codes, NULL},
    {"flock", "-c,--command=c -w,--wait,--timeout=n -E,--conflict-exit-code=n -n -x -e -s -u -o -F", "w C", WRAP, NONE, NULL, NULL},
    {"script", "-c,--command=c -I,--log-in=w -O,--log-out=w -B,--log-io=w -T,--log-timing=w -o,--output-limit=n -E,--echo=n -t,--timing?n -a -e -f -q -m=n --logging-format=n", "w", 0, NONE, sbx_check_codes, NULL},
    {"scriptreplay", "-t,--timing=r -s,--typescript=r -B,--log-io=r -I,--log-in=r -O,--log-out=r -T,--log-timing=r -d,--divisor=n -m,--maxdelay=n -c,--cr-mode=n -x,--stream=n --summary", "r*", 0, NONE, NULL, NULL},
    {"scriptlive", "-t,--timing=r -B,--log-io=x -I,--log-in=x -T,--log-timing=r -d,--divisor=n -m,--maxdelay=n -c,--command=c", "r x n", 0, NONE, NULL, NULL},
    {"expect|expectk|autoexpect|dejagnu", "-c=k:c -f=r -b=r -d -i -n -N", "x n*", STOP, NONE, sbx_check_interpreter, NULL},
    {"screen|tmux|byobu|dtach|abduco|zellij|dvtm", "-S=n -c=E -f=E -L=n -r -d -m -X -p=n -t=n -s=n -n=n -D -R -x -A=n -a=n -e=n -T=n", "n*", STOP, NONE, sbx_check_screen, NULL},
    {"hyperfine", "-w,--warmup=n -r,--runs=n -m,--min-runs=n -M,--max-runs=n -p,--prepare=c -c,--cleanup=c -s,--setup=c -S,--shell=n -P,--parameter-scan=n -L,--parameter-list=n -n,--command-name=n --export-json=w --export-markdown=w --export-csv=w -i -N --style=n -u,--time-unit=n -D=n --parameter-step-size=n --output=w --export-asciidoc=w --export-orgmode=w --input=r -C=c --conclude=c --reference=c", "c*", DANGER, NONE, NULL, NULL},
    {"direnv", "", "n*", SUB, NONE, NULL, NULL},
    {"direnv exec", "", "n C", WRAP, NONE, NULL, NULL},
    {"direnv allow|direnv permit|direnv grant", "", "n*", 0, ASK(PERSISTENCE), NULL, "load what you need in the command itself"},
    {"mise|asdf|rbenv|pyenv|nodenv|goenv|jenv|volta|rtx|fnm|nvm|sdk", "", "n*", SUB, NONE, NULL, NULL},
    {"mise exec|mise x|rbenv exec|pyenv exec|nodenv exec|goenv exec|jenv exec|asdf exec|volta run|rtx exec|fnm exec", "", "C", WRAP, NONE, NULL, NULL},
    {"nix-shell|nix|devbox|flox|guix|distrobox|toolbox", "--run=c --command=c -c=n:C -p=n -I=n -A=n --expr=n -f=n -E=n --pure", "n*", 0, NONE, sbx_check_codes, NULL},
    {"ld.so|ld-linux.so.2|ld-linux-x86-64.so.2|ld-linux-aarch64.so.1|ld-linux-armhf.so.3|ld-2.36.so|ld-musl-x86_64.so.1", "--library-path=n --preload=b --audit=b --inhibit-rpath=n --argv0=n --list --verify --inhibit-cache --glibc-hwcaps-prepend=n --glibc-hwcaps-mask=n", "C", WRAP, NONE, NULL, NULL},
    {"start-stop-daemon|daemonize|daemon|run-one|run-this-one|keep-one-running", "-x,--exec=x -a,--startas=x -p,--pidfile=w -u=n -c,--chuid=n -d,--chdir=n -n,--name=n -N,--nicelevel=n -I,--iosched=n -m -b -S,--start -K,--stop -q -o -e=w --pid=n --ppid=n --user=n -g=n --group=n -s=n --signal=n -r=n --chroot=n -P=n --procsched=n -k=n --umask=n --notify-timeout=n -R=n --retry=n -O=w --output=w", "C", WRAP, NONE, NULL, NULL},
    {"run-parts", "--arg=n -a=n --regex=n --report --test --list -u,--umask=n", "x", 0, NONE, sbx_check_codes, NULL},
    {"Out-File|Set-Content|Add-Content|Tee-Object", "-FilePath,-Path=w -Value=n -Append -Encoding=n", "w*", DLONG, NONE, NULL, NULL},
    {"Remove-Item|Clear-Content", "-Path=D -Recurse -Force", "D*", DLONG | DANGER, NONE, NULL, NULL},
    {"Get-Content|Get-ChildItem|Get-Item", "-Path=r -Raw -Recurse -Force", "r*", DLONG | FILTER | RO, NONE, NULL, NULL},
    {"rlwrap|rlfe", "-l,--logfile=w -H,--history-filename=w -f,--file=r -z,--filter=e -b,--break-chars=n -C,--command-name=n -D,--history-no-dupes=n -e,--extra-char-after-completion=n -g,--forget-matching=n -M,--multi-line-ext=n -O,--only-cook=n -P,--pre-given=n -q,--quote-characters=n -s,--histsize=n -S,--substitute-prompt=n -t,--set-term-name=n -w,--wait-before-prompt=n -a?n -A?n -m?n -p?n -W?n -c -i -I -n -N -o -r -R -T -U -v -X", "C", WRAP, NONE, NULL, NULL},
    {"ledit", "-h=w -l=n -x -t -a -u", "C", WRAP, NONE, NULL, NULL},
    {"sshpass", "-p=n -f=r -d=n -P=n -e?n -v", "C", WRAP, NONE, NULL, NULL},
    {"logsave", "-a -v -s", "w C", WRAP, NONE, NULL, NULL},
    {"run-mailcap", "--action=n --debug --nopager --norun:n --norun", "r*", VOK, NONE, sbx_check_console, NULL},
    {"pee|mispipe", "", "c*", DANGER, NONE, NULL, NULL},
    {"vipe|sensible-editor|sensible-pager|select-editor|xdg-open|open|see|edit", "", "r*", 0, NONE, NULL, NULL},

};
/* clang-format on */
const struct sbx_command_group sbx_group_shell = {sbx_rows_shell,
                                                  sizeof(sbx_rows_shell) / sizeof(*sbx_rows_shell)};
