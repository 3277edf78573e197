/* Text: printing, filtering, editing, viewing. How to read a row: policy/command.h */
#include "policy/table.h"

/* clang-format off */
static const struct sbx_command_row sbx_rows_text[] = {
    /* --- printing --- */
    {"echo", "-n -e:e -E", "n*", RO | STOP | BUILT | DATA | PRINT, NONE, sbx_check_echo, NULL},
    {"printf", "-v=n", "n*", RO | STOP | BUILT | DATA | PRINT, NONE, sbx_check_printf, NULL},
    {"yes|seq|expr|factor|numfmt", "", "n*", RO | PRINT | DATA, NONE, NULL, NULL},
    {"true|false|:|sleep", "", "n*", RO | PRINT | DATA, NONE, sbx_check_known, NULL},
    {"figlet|toilet|cowsay|lolcat|banner", "-f=r -d=r -w=n", "n*", RO | PRINT, NONE, NULL, NULL},
    {"pwd", "-L -P", "", RO | PRINT | BUILT, NONE, sbx_check_known, NULL},
    {"whoami|id|groups|logname|hostid|arch|nproc|tty|uptime|uname|users|cal|ncal|getconf|locale|lscpu|lsmem|lspci|lsusb|lsmod|lsns|lsirq|free|vmstat|iostat|mpstat|sar|w|who|last|lastb|lastlog|finger|pinky", "-u -n -g -G -r -f=r -F -C,--cache=n", "n*", RO | PRINT, NONE, sbx_check_known, NULL},
    {"date|gdate", "-d,--date=n -f,--file=r -r,--reference=l -s,--set=n:s -u -R -I?n --rfc-3339=n", "n*", RO | PRINT, NONE, sbx_check_date, NULL},
    {"clear|reset|tput|tset|stty|setterm", "-F,--file=r -T=n", "n*", RO | PRINT, NONE, NULL, NULL},

    /* --- reading and filtering --- */
    {"cat|gcat|tac|nl|rev", "-b,--body-numbering=n -v,--starting-line-number=n -i=n -w=n -s,--separator=n -l=n -d=n -f=n -h=n -n -A -E -T -r -B", "r*", RO | FILTER, NONE, sbx_check_cat, NULL},
    {"head|tail", "-n,--lines=n -c,--bytes=n --pid=n -s,--sleep-interval=n --max-unchanged-stats=n -f -F --follow?n -q -v -z --retry", "r*", RO | FILTER, NONE, sbx_check_narrow, NULL},
    {"sort|gsort", "-k,--key=n -t,--field-separator=n -o,--output=w -S,--buffer-size=n -T,--temporary-directory=w --compress-program=e --files0-from=r --parallel=n --batch-size=n --random-source=r --sort=n -u -n -r -f -h -V -c -m -s -z -b -d -g -i -M -R", "r*", FILTER | RO, NONE, sbx_check_sort, NULL},
    {"uniq", "-f,--skip-fields=n -s,--skip-chars=n -w,--check-chars=n --group?n -D --all-repeated?n -c -d -i -u -z", "r w", RO | FILTER, NONE, sbx_check_sort, NULL},
    {"shuf", "-n,--head-count=n -i,--input-range=n -o,--output=w --random-source=r -e,--echo -r -z", "r*", FILTER, NONE, NULL, NULL},
    {"cut", "-b,--bytes=n -c,--characters=n -d,--delimiter=n -f,--fields=n --output-delimiter=n -s -z -n --complement", "r*", RO | FILTER, NONE, NULL, NULL},
    {"paste", "-d,--delimiters=n -s -z", "r*", RO | FILTER, NONE, NULL, NULL},
    {"column", "-s,--separator=n -c,--output-width=n -o,--output-separator=n -N,--table-columns=n -n,--table-name=n -R,--table-right=n -T,--table-truncate=n -W,--table-wrap=n -H,--table-hide=n -E,--table-noextreme=n -r,--tree=n -i,--tree-id=n -p,--tree-parent=n -l,--table-columns-limit=n -t -J -x -e -L -d", "r*", RO | FILTER, NONE, NULL, NULL},
    {"od", "-A,--address-radix=n -j,--skip-bytes=n -N,--read-bytes=n -t,--format=n -S?n -w?n --endian=n -a -b -c -d -f -i -l -o -s -x -v", "r*", RO | FILTER, NONE, NULL, NULL},
    {"hexdump|hd|hexyl", "-n,--length=n -s,--skip=n -e,--format=n -f,--format-file=r -L -C -b -c -d -o -v -x", "r*", RO | FILTER, NONE, NULL, NULL},
    {"strings", "-n,--bytes=n -t,--radix=n -e,--encoding=n -s=n -T=n -a -f -d", "r*", RO | FILTER, NONE, NULL, NULL},
    {"wc", "--files0-from=r --total=n -l -c -m -w -L", "r*", RO | FILTER, NONE, NULL, NULL},
    {"fold|fmt|expand|unexpand", "-w,--width=n -t,--tabs=n -p,--prefix=n -g,--goal=n -s -b -i -a -u -c", "r*", RO | FILTER, NONE, NULL, NULL},
    {"pr", "-w=n -W=n -l=n -h=n -o=n -D=n -s?n -S?n -e?n -i?n -n?n -N=n -t -m -d -a -T -f -F", "r*", RO | FILTER, NONE, NULL, NULL},
    {"comm|join|tsort|ptx", "-1=n -2=n -a=n -e=n -j=n -o=n -t=n -v=n -i -z --output-delimiter=n --total --check-order", "r*", RO | FILTER, NONE, NULL, NULL},
    {"iconv|recode", "-f,--from-code=n -t,--to-code=n -o,--output=w -c -s -l --verbose", "r*", FILTER, NONE, NULL, NULL},
    {"colrm|look|ul|col|colcrt|rs|lam|ansi2txt|dircolors", "-t,--terminal=n -w=n -g=n -l=n -c=n -s=n -b -f -x -d -a", "r*", RO | FILTER, NONE, NULL, NULL},
    {"dos2unix|unix2dos|mac2unix", "-n,--newfile:n -c=n -k -q -f -l -b -i -o,--oldfile", "w*", 0, NONE, NULL, NULL},
    {"tr", "-d,--delete:d -s,--squeeze-repeats -c,-C,--complement -t", "n n", RO | FILTER | DATA, NONE, sbx_check_transform, NULL},
    {"xxd", "-c,-cols=n -g=n -l,-len=n -s,-seek=n -o=n -n=n -R=n -r:r -p,-ps,-plain,-postscript:p -i -u -b -e -a", "r w", FILTER | RO | DLONG, NONE, sbx_check_transform, NULL},
    {"grep|egrep|fgrep|ggrep|ack|ag|pcre2grep|ugrep|git-grep", "-e,--regexp=n -f,--file=r -A,--after-context=n -B,--before-context=n -C,--context=n -m,--max-count=n -d,--directories=n -D,--devices=n --include=n --exclude=n --exclude-dir=n --exclude-from=r --label=n --color?n --colour?n --binary-files=n -r,-R,--recursive,--dereference-recursive:r -G=n --ignore=n --ignore-dir=n --pager=e -p,--path-to-ignore=r --om-separator=n -o?n --group-separator=n", "n R*", OWN | RO | FILTER, NONE, sbx_check_grep, NULL},
    {"rg|ripgrep", "-e,--regexp=n -f,--file=r -A,--after-context=n -B,--before-context=n -C,--context=n -m,--max-count=n -g,--glob=n --iglob=n -t,--type=n -T,--type-not=n --type-add=n -d,--max-depth=n -M,--max-columns=n -j,--threads=n --pre=e --pre-glob=n --hostname-bin=e --sort=n --sortr=n -r,--replace=n --color=n --colors=n --ignore-file=r -E,--encoding=n --max-filesize=n --engine=n --context-separator=n --field-match-separator=n --files:f", "n R*", OWN | RO | FILTER, NONE, sbx_check_grep, NULL},
    {"jq|yq|xq|tomlq|gojq|jaq|dasel", "-f,--from-file=r --arg=n --argjson=n --slurpfile=n --rawfile=n --indent=n -L=r --tab -r -c -s -n -e -S -a -M -C -R -j -i,--in-place,--inplace:i -p,--input-format=n -o,--output-format=n --args --jsonargs", "n r*", OWN | RO | FILTER, NONE, sbx_check_codes, NULL},
    {"xmllint|xmlstarlet|xsltproc|tidy|html2text|pandoc", "--xpath=n --output,-o=w --schema=r --dtdvalid=r --path=n --encode=n -f,--from=n -t,--to=n -F,--filter=x -L,--lua-filter=x --template=r --metadata-file=r --css=n --pdf-engine=n --data-dir=n --bibliography=r -V=n -M=n -H=r -A=r -B=r --extract-media=w --log=w -m:m -config=r -file=w", "r*", FILTER, NONE, NULL, NULL},
    {"miller|mlr|csvcut|csvgrep|csvlook|csvsort|csvstat|csvjson|in2csv|csvjoin|csvformat|xsv|qsv|datamash", "-c=n -d=n -m=n -r=n -t=n -f=n -g=n -s=n -o=w --output=w", "n r*", RO | FILTER, NONE, NULL, NULL},
    {"csvsql", "--query=q --db=n --insert", "r*", FILTER, NONE, NULL, NULL},
    {"gron|fx|jo|jc|tokei|cloc|scc|wdiff|dwdiff|spell|aspell|hunspell|diction|style|detex|chktex|shellcheck|yamllint|jsonlint|markdownlint|hadolint|codespell|typos|vale", "-c,--config=r -x=n -e=n -f=n -s=n -d=n -l=n -o=n --exclude=n --include=n --dump -d -H,--html", "r*", RO | FILTER, NONE, NULL, NULL},
    {"base58|rot13|caesar|ascii|ascii-xfr", "-n -s -d -e", "r*", RO | FILTER, NONE, NULL, NULL},
    {"envsubst", "-v", "n", RO | FILTER | ENVOUT, NONE, NULL, NULL},
    {"pv|mbuffer|buffer|cstream", "-s,--size=n -L,--rate-limit=n -N,--name=n -i=w -o=w -b=n -m=n -W=n", "r*", FILTER, NONE, NULL, NULL},
    {"soelim|troff|groff|nroff|eqn|tbl|pic|refer|grotty|preconv|psbook|ps2ascii|pdftotext|pdfinfo|pdftk|qpdf|mutool|enscript|a2ps", "-m=n -T=n -F=n -o=n -f=n -M=n -I=n -d=n -r=n -w=n -W=n", "r*", FILTER, NONE, NULL, NULL},
    {"msgfmt|msgattrib|msgcat|msgconv|msgmerge|msguniq|xgettext|msggrep", "-o,--output-file=w -d=n -f,--files-from=r -D=n -i,--input=r -L=n", "r*", 0, NONE, NULL, NULL},
    {"msgfilter", "-i,--input=r -o,--output-file=w", "n C", DANGER | STOP, NONE, NULL, NULL},
    {"ctags|cscope|etags|gtags|readtags", "-f,-o=w -L=r -R -e --options=E --languages=n -n --exclude=n --fields=n --extras=n", "r*", 0, NONE, NULL, NULL},
    {"indent|astyle|clang-format|uncrustify|prettier|black|isort|autopep8|yapf|gofmt|goimports|rustfmt|shfmt|stylua|ruff|flake8|pylint|mypy|pyflakes|pycodestyle|eslint|stylelint|biome|tslint|standard|rubocop|golangci-lint|ktlint|dprint|clang-tidy|cppcheck|bandit|djlint", "-i -w -l -d --config=n -c=n --check --fix -o=n --output-file=n -p=n --line-length=n", "n*", 0, NONE, NULL, NULL},

    /* --- programs in an option or operand --- */
    {"sed|gsed", "-e,--expression=n:e -f,--file=r:f -n,--quiet,--silent -i,--in-place?n:i -E,-r,--regexp-extended -s,--separate -l,--line-length=n -u -z --posix --sandbox:S --debug", "n*", OWN | FILTER | RO | DANGER, NONE, sbx_check_sed, NULL},
    {"ssed|super-sed", "-e=n:e -i?n:i", "n*", OWN | FILTER, NONE, sbx_check_sed, NULL},
    {"awk|gawk|mawk|nawk|original-awk|busybox-awk", "-F,--field-separator=n -v,--assign=n -f,--file=r:f -e,--source=n:e -E,--exec=r:f -i,--include=r:f -l,--load=b -o,--pretty-print?w -d,--dump-variables?w -p,--profile?w -W=n -M -b -c -n -N -O -P -r -S,--sandbox:S -t -h", "n*", OWN | FILTER | RO | STOP | DANGER, NONE, sbx_check_awk, NULL},
    {"ed|red|ex|vi|vim|view|nvim|gvim|vimdiff|rvim|rview|vim.basic|vim.tiny|nvi|elvis", "-c=n:c --cmd=n:c -S=r:f -s=r:f -u=r:u -U=r -i=r -T=n -W=w -w=w -p?n -o?n -O?n -t=n -e -E -R -n -b -d -v -y -Z -x --headless --clean -p,--prompt=n", "r*", SBX_CMD_PLUS, NONE, sbx_check_editor, NULL},
    {"nano|pico|rnano|micro|joe|jed|mcedit|jove|ne|mg|kak|helix|hx|emacs|emacsclient|emacs-nox|xemacs|gedit|kate|code|subl|gemacs", "-s,--speller=e -o,--operatingdir=n -r,--fill=n -T=n -f,--rcfile,--function,--funcall=n:x -l,--load=r:x -e,--eval,--execute,--exec=n:x --script=x:x -Q=n -C=n -Y=n -u=n --init=n --tty=n --chdir=n --batch --diff --install-extension=E --exec=n", "r*", SBX_CMD_PLUS, NONE, sbx_check_editor, NULL},
    {"less|more|most|pg|lessfile|lesspipe", "-k=r -o,-O=w -P=n -p,--pattern=n -t=n -T=n -b=n -h=n -j=n -x=n -y=n -z=n -D=n -N -S -R -X -F -E -i -I -n -q -r -s --use-color --lesskey-file=r --lesskey-src=r --log-file=w", "r*", FILTER | RO | PAGER | SBX_CMD_PLUS, NONE, sbx_check_pager, NULL},
    {"bat|batcat|delta|glow|mdcat|moar", "-l,--language=n -H=n -r,--line-range=n --style=n --theme=n --color=n --pager=e --tabs=n --wrap=n --map-syntax=n -m=n --decorations=n --paging=n -w=n --file-name=n --terminal-width=n --config-file=r --diff", "r*", FILTER | RO, NONE, sbx_check_pager, NULL},
    {"man|apropos|whatis|info|tldr|help|mandoc|mandb|manpath|xman|yelp", "-P,--pager=e -H,--html?e -C,--config-file=E -M=n -L=n -S,-s=n -e=n -m=n -p=n -r,--prompt=n -E=n -R=n -l,--local-file:l --init-file=E -f,--file=r -d=n -n=n -o,--output=w -k -K -w -t -T?n -X?n -Z -a", "n*", RO | PRINT | PAGER, NONE, sbx_check_pager, NULL},
    {"dialog|whiptail|zenity|kdialog|rofi|dmenu|fzf|sk|gum|peco|percol", "--textbox=r --tailbox=r --file=r --preview=c -e --bind=n:x --history=w --output-fd=n -q=n -f=n --filename=r -m -d=n -n=n --nth=n --delimiter=n --height=n --reverse --print0 --read0", "n*", OWN | FILTER, NONE, sbx_check_codes, NULL},
    {"aoss|fakeroot|fakechroot|unbuffer|winpty|torify|torsocks|proxychains|proxychains4|tsocks|eatmydata|nocache|cpulimit|firejail|chronic|cgclassify|numactl|ionice|nice|nohup|setsid|linux32|linux64|i386|x86_64|uname26|stdbuf|catchsegv|softlimit|dbus-run-session|xvfb-run|systemd-inhibit|systemd-cat|caffeinate|trickle|time|timelimit|memusage|sprof|heaptrack|valgrind|ccache|distcc|sccache|icecc|colormake|scan-build|bear|intercept-build|compiledb|grc|rlwrap|rlfe|ledit|dotenv|sem|multitime|choom|uclampset|gtime|ifne|zrun|chpst|s6-setsid|s6-nice|luit|aa-exec|thefuck", "-n,--adjustment=n -c,--class,--cpu-list=n -p,--pid=n -i,--input=n -o,--output=n -e,--error=n -f,--format=n -a,--auto-servernum -s,--server-args=n -C=n -H=n -l=n -w,--wait=n -u=n -g=n -m,--membind=n -N=n -t=n -r -b -d -v,--verbose -k -q -L=n --what=n --who=n --why=n --mode=n --tool=n --leak-check=n --log-file=w --error-exitcode=n --suppressions=r --track-origins=n --show-leak-kinds=n --xml-file=w --trace-children=n --nofile=n --nproc=n --as=n --cpu=n -P=n", "C", WRAP, NONE, NULL, NULL},
    {"prlimit", "-p,--pid=n --as?n --nproc?n --nofile?n --core?n --cpu?n --data?n --fsize?n --memlock?n --nice?n --rss?n --stack?n -o,--output=n --noheadings --raw --verbose", "C", WRAP, NONE, sbx_check_prlimit, NULL},
    {"taskset|chrt|setarch|faketime|datefudge|envdir|envuidgid|setlock|cgexec|lckdo|withlock", "-p,--pid=n -c,--cpu-list=n -g=n -f=n -T=n -P=n -D=n -a -b -i -m -o -r -v -R", "n C", WRAP, NONE, NULL, NULL},
};
/* clang-format on */
const struct sbx_command_group sbx_group_text = {sbx_rows_text, sizeof(sbx_rows_text) / sizeof(*sbx_rows_text)};
