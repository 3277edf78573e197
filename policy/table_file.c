/* Files: coreutils, findutils, archives. How to read a row: policy/command.h */
#include "policy/table.h"

/* clang-format off */
static const struct sbx_command_row sbx_rows_file[] = {
    /* --- looking --- */
    {"ncdu|nnn|ranger|lf|vifm|tig|gdu|broot|yazi", "-f=r -o=w -e -x -r -q --color=n -0 -1 -2 --exclude=n -X,--exclude-from=r --cmd=c:k -c=k -P=n -command=k:k --choosefile=w --selectfile=n", "l*", PAGER, NONE, sbx_check_console, NULL},
    {"ls|dir|vdir", "-I,--ignore=n -w,--width=n -T,--tabsize=n --block-size=n --color?n --format=n --hide=n --indicator-style=n --quoting-style=n --sort=n --time=n --time-style=n --hyperlink?n --classify?n -R,--recursive:r -d,--directory:d -a,--all -l", "l*", RO | SBX_CMD_PRINT, NONE, sbx_check_narrow, NULL},
    {"stat", "-c,--format=n --printf=n --cached=n -L,--dereference -f,--file-system -t,--terse", "l*", RO | PRINT, NONE, NULL, NULL},
    {"file", "-m,--magic-file=r -F,--separator=n -f,--files-from=r -e,--exclude=n -P,--parameter=n -b,--brief -C,--compile:w", "l*", RO | PRINT, NONE, NULL, NULL},
    {"tree", "-L=n -P=n -I=n -H=n -T=n -o=w --charset=n --filelimit=n --timefmt=n --sort=n --fromfile:r --info --gitfile=r --infofile=r --output=w", "L*", RO | PRINT, NONE, NULL, NULL},
    {"exa|eza|lsd", "-L,--level=n -I,--ignore-glob=n -s,--sort=n -t,--time=n --color=n --colour=n --icons?n --time-style=n -w,--width=n --tree=n --depth=n", "l*", RO | PRINT, NONE, NULL, NULL},
    {"du", "-d,--max-depth=n -B,--block-size=n -t,--threshold=n --exclude=n -X,--exclude-from=r --files0-from=r --time?n --time-style=n --inodes", "l*", RO | PRINT, NONE, NULL, NULL},
    {"df", "-B,--block-size=n -t,--type=n -x,--exclude-type=n --output?n --total -h", "l*", RO | PRINT, NONE, NULL, NULL},
    {"realpath", "--relative-to=n --relative-base=n -e -m -s -z", "l*", RO | PRINT, NONE, sbx_check_known, NULL},
    {"readlink", "-f -e -m -n -q -s -v -z --canonicalize --zero", "l*", RO | PRINT, NONE, sbx_check_known, NULL},
    {"dirname", "-z,--zero", "n*", RO | PRINT | DATA, NONE, sbx_check_known, NULL},
    {"basename", "-s,--suffix=n -a,--multiple -z,--zero", "n*", RO | PRINT | DATA, NONE, sbx_check_known, NULL},
    {"pathchk", "-p -P", "n*", RO | PRINT | DATA, NONE, NULL, NULL},
    {"namei", "", "l*", RO | PRINT, NONE, NULL, NULL},
    {"cmp", "-i,--ignore-initial=n -n,--bytes=n", "r r n n", RO | FILTER, NONE, NULL, NULL},
    {"diff|colordiff|sdiff|diff3", "-I,--ignore-matching-lines=n -x,--exclude=n -X,--exclude-from=r -S,--starting-file=n -U,--unified?n -C,--context?n -W,--width=n --label=n -L=n --color?n -F,--show-function-line=n --from-file=r --to-file=r -o,--output=w --line-format=n --diff-program=e --horizon-lines=n --tabsize=n --palette=n -D,--ifdef=n -r,--recursive:r", "r*", RO | FILTER, NONE, NULL, NULL},
    {"md5sum|sha1sum|sha224sum|sha256sum|sha384sum|sha512sum|b2sum|cksum|sum|shasum|b3sum|xxhsum|crc32", "-a,--algorithm=n -l,--length=n -c,--check -b -t -z --tag", "r*", RO | PRINT, NONE, NULL, NULL},
    {"hashdeep|md5deep|sha256deep", "-c=n -k=r -o=n -f=r -r", "r*", RO | PRINT, NONE, NULL, NULL},

    /* --- making --- */
    {"mkdir", "-m,--mode=n -p,--parents -v,--verbose -Z --context?n", "w*", 0, NONE, sbx_check_mkdir, NULL},
    {"mkfifo|mknod", "-m,--mode=n -Z --context?n", "w n*", 0, NONE, sbx_check_device, NULL},
    {"touch", "-d,--date=n -t=n -r,--reference=l --time=n -a -c,--no-create -m -h", "w*", 0, NONE, sbx_check_touch, NULL},
    {"mktemp", "-p,--tmpdir?n --suffix=n -d,--directory -u,--dry-run -t -q", "n*", PRINT, NONE, sbx_check_known, NULL},
    {"install", "-g,--group=n -m,--mode=n -o,--owner=n -S,--suffix=n -t,--target-directory=w --strip-program=e -d,--directory:d -D:p -C -b,--backup?n -T -v -p --strip -s", "r* w", 0, NONE, sbx_check_cp, NULL},
    {"cp|gcp", "-S,--suffix=n -t,--target-directory=w --no-preserve=n --preserve?n --sparse=n --reflink?n --context?n --backup?n -a,--archive:r -R,-r,--recursive:r -f,--force -i -l,--link:l -s,--symbolic-link:s -T,--no-target-directory:T -p -d -v -n -u -x --parents -L -P -H --attributes-only", "r* w", 0, NONE, sbx_check_cp, NULL},
    {"mv", "-S,--suffix=n -t,--target-directory=w --backup?n --update?n --strip-trailing-slashes -f -i -n -T,--no-target-directory -u -v", "v* w", 0, NONE, sbx_check_mv, NULL},
    {"ln", "-S,--suffix=n -t,--target-directory=w --backup?n -s,--symbolic:s -f,--force -n,--no-dereference -r,--relative -T,--no-target-directory -v -P -L -d,-F,--directory -i", "n*", 0, NONE, sbx_check_ln, NULL},
    {"link", "", "r w", 0, NONE, NULL, NULL},
    {"symlink", "", "n w", 0, NONE, NULL, NULL},
    {"dd", "", "n*", DANGER, NONE, sbx_check_dd, NULL},
    {"truncate|fallocate", "-s,--size=n -r,--reference=l -l,--length=n -o,--offset=n -c,--no-create -n -p -d -z -x", "w*", 0, NONE, sbx_check_truncate, NULL},
    {"tee", "-a,--append:a -i,--ignore-interrupts -p --output-error?n", "w*", FILTER, NONE, sbx_check_cat, NULL},
    {"sponge", "-a", "w*", FILTER, NONE, NULL, NULL},
    {"split", "-a,--suffix-length=n -b,--bytes=n -C,--line-bytes=n -l,--lines=n -n,--number=n --additional-suffix=n --filter=c -t,--separator=n -d,--numeric-suffixes?n -x,--hex-suffixes?n -e -u --verbose", "r w", 0, NONE, NULL, NULL},
    {"csplit", "-b,--suffix-format=n -f,--prefix=w -n,--digits=n -k -s -z --suppress-matched", "r n*", 0, NONE, NULL, NULL},
    {"mkisofs|genisoimage|xorriso|xorrisofs", "-o,-output,-outdev,-dev=w -V=n -m=n -x=n -b=r -c=n -sort=r -path-list=r -p=n -P=n", "r*", DLONG, NONE, NULL, NULL},
    {"mcopy", "-i=r", "r* w", 0, NONE, NULL, NULL},
    {"rename|prename|file-rename", "-e=k --filename -n,--no-act,--dry-run:n -v -f --fullpath -o", "n r*", 0, NONE, sbx_check_interpreter, NULL},
    {"mmv|vidir|qmv|moreutils", "", "r*", 0, NONE, NULL, NULL},
    {"patch", "-i,--input=r -o,--output=w -d,--directory=W -p,--strip=n -r,--reject-file=w -F,--fuzz=n -B,--prefix=n -z,--suffix=n -D,--ifdef=n -V,--version-control=n -Y=n -g,--get=n --dry-run -R -N -b -E -s -f -t", "w r", 0, NONE, NULL, NULL},
    {"ex2fs|debugfs", "-R=E -f=E -w:w", "r*", 0, NONE, sbx_check_device, NULL},

    /* --- losing --- */
    {"rm", "-r,-R,--recursive:r -f,--force -i -I --interactive?n --one-file-system --no-preserve-root:n --preserve-root?n -d,--dir -v,--verbose", "d*", DANGER, NONE, sbx_check_rm, NULL},
    {"rmdir", "-p,--parents -v --ignore-fail-on-non-empty", "v*", DANGER, NONE, NULL, NULL},
    {"unlink", "", "d*", DANGER, NONE, NULL, NULL},
    {"shred|wipe|srm", "-n,--iterations=n -s,--size=n --random-source=r -u -z -f -v -x -r:r", "n*", DANGER, NONE, sbx_check_shred, NULL},
    {"trash|trash-put|gio-trash|rip|trash-rm", "", "d*", DANGER, NONE, NULL, NULL},
    {"rimraf|del-cli|del", "-g,--glob -f", "D*", DANGER, NONE, NULL, NULL},

    /* --- modes and owners --- */
    {"chmod", "--reference=l -R,--recursive:r -c -f -v --no-preserve-root --preserve-root", "m p*", DANGER, NONE, sbx_check_chmod, NULL},
    {"chown|chgrp", "--from=n --reference=l -R,--recursive:r -h -c -f -v -H -L -P --dereference", "m p*", DANGER, NONE, sbx_check_chmod, NULL},
    {"setfacl", "-m,--modify=n -x,--remove=n -M,--modify-file=r -X=r --set=n --set-file=r --restore=r -R,--recursive:r -b -k -d", "p*", DANGER, NONE, sbx_check_chmod, NULL},
    {"getfacl|lsattr|getfattr", "-n=n -m=n -e=n -R,--recursive -d,--dump", "l*", RO | PRINT, NONE, NULL, NULL},
    {"chattr", "-v=n -p=n -R:r -V -f", "n p*", DANGER, NONE, sbx_check_chmod, NULL},
    {"setfattr", "-n,--name=n -v,--value=n -x,--remove=n --restore=r", "p*", DANGER, NONE, sbx_check_chmod, NULL},
    {"umask", "", "n", RO | BUILT | PRINT, NONE, NULL, NULL},

    /* --- searching --- */
    {"find|gfind|bfs", "", "n*", OWN | DANGER | PRINT, NONE, sbx_check_find, NULL},
    {"fd|fdfind", "-e,--extension=n -t,--type=n -d,--max-depth=n --min-depth=n --exact-depth=n -E,--exclude=n -x,--exec=C -X,--exec-batch=C -S,--size=n --changed-within=n --changed-before=n -o,--owner=n -c,--color=n -j,--threads=n --base-directory=L --search-path=L --and=n --ignore-file=r --max-results=n -g,--glob -H -I -a -p -u -F -0", "n L*", OWN | PRINT, NONE, sbx_check_find, NULL},
    {"locate|plocate|mlocate", "-d,--database=r -l,--limit,-n=n -i -c -r,--regexp=n --regex", "n*", RO | PRINT, NONE, NULL, NULL},
    {"updatedb", "-o,--output=w -U=L --localpaths=L", "", 0, NONE, NULL, NULL},
    {"which|type|whereis", "-a -s -t -p -f -P -b -m", "n*", RO | PRINT | DATA, NONE, sbx_check_known, NULL},

    /* --- archives --- */
    {"tar|gtar|bsdtar", "-f,--file=n -C,--directory=n -T,--files-from=r -X,--exclude-from=r -b,--blocking-factor=n -g,--listed-incremental=w -K,--starting-file=n -L,--tape-length=n -N,--newer,--after-date=n -V,--label=n -I,--use-compress-program=e -F,--info-script,--new-volume-script=e --to-command=e --checkpoint-action=e --rsh-command=e --rmt-command=e --checkpoint?n --exclude=n --transform,--xform=n --strip-components,--strip=n --owner=n --group=n --mode=n --mtime=n --sort=n --format,-H=n --warning=n --one-top-level?n --suffix=n --pax-option=n --record-size=n --totals?n --occurrence?n --exclude-vcs-ignores --add-file=r --index-file=w --quoting-style=n --owner-map=r --group-map=r --volno-file=w -c,--create:c -x,--extract,--get:x -t,--list:t -r,--append:a -u,--update:a -A,--catenate,--concatenate:a -d,--diff,--compare:t --delete:a --remove-files:R -z -j -J -Z -a,--auto-compress -p -P,--absolute-names:P -O,--to-stdout:O -k -m -v -w -h -S -B -W -U -l -o -s -M -G -n -i", "n*", OWN | OLD, NONE, sbx_check_tar, NULL},
    {"zip|zipcloak|zipnote|zipsplit", "-b=n -n=n -O=w -t=n -tt=n -i=n -x=n -TT,--unzip-command=e -T -r:r -P=n -s=n -lf=w -@ -m,--move:m --out=w", "w R*", DLONG, NONE, sbx_check_zip, NULL},
    {"unzip|zipinfo|zipgrep|unzipsfx", "-d=w -P=n -x=n -O=n -I=n -o -q -l -p -j -n -t -v -Z", "r n*", PRINT, NONE, sbx_check_tar, NULL},
    {"7z|7za|7zr|7zz|p7zip|rar|unrar", "-o=w -p=n -t=n -m=n -x=n -i=n", "n r*", DLONG, NONE, NULL, NULL},
    {"gzip|gunzip|bzip2|bunzip2|xz|unxz|lzma|unlzma|zstd|unzstd|lz4|unlz4|lzop|brotli|compress|uncompress|pigz|unpigz|pbzip2|lrzip|lzip", "-S,--suffix=n -T,--threads=n -o,--output=w -D=r --files?r --files0?r -M,--memory=n -b=n -p,--processes=n --filter=r --output-dir-flat=w --patch-from=r -f -k -c,--stdout,--to-stdout -d,--decompress -r -q -v -t -l -n -N -1 -2 -3 -4 -5 -6 -7 -8 -9", "r*", FILTER, NONE, sbx_check_transform, NULL},
    {"zcat|bzcat|xzcat|zstdcat|lz4cat|gzcat|lzcat", "", "r*", RO | FILTER, NONE, NULL, NULL},
    {"zgrep|zegrep|zfgrep|bzgrep|xzgrep|zipgrep2|zstdgrep|rgrep", "-e=n -f=r -A=n -B=n -C=n -m=n", "n r*", RO | FILTER, NONE, NULL, NULL},
    {"cpio", "-F,--file=r -H,--format=n -C=n -E,--pattern-file=r -I=r -O=w -M=n -D,--directory=W -R,--owner=n --rsh-command=e --to-stdout -i,--extract:x -o,--create:c -p,--pass-through:p -d -m -u -v -t,--list:t -l", "w n*", 0, NONE, sbx_check_cpio, NULL},
    {"arj|lha|zoo|unace|cabextract", "-d=w -o=n", "n r w", 0, NONE, NULL, NULL},
    {"restic|borg|duplicity|rdiff-backup|kopia|rsnapshot|duplicacy|attic|bup|tarsnap|rustic", "-r,--repo,--repository=u:r --password-command=e -p,--password-file=r --rsh=e -o=n --files-from=r --exclude-file=r --exclude=n --tag=n --host=n -e=n --compression=n", "n*", 0, NONE, sbx_check_backup, NULL},
    {"pax", "-f=r -s=n -x=n -b=n -o=n -T=n -U=n -G=n -r -w -v", "r*", 0, NONE, NULL, NULL},
    {"ar", "", "n n r*", OLD, NONE, NULL, NULL},
    {"unsquashfs|mksquashfs", "-d,-dest=w -f -comp=n", "r* w", DLONG, NONE, NULL, NULL},
    {"shar|uuencode|uudecode", "-o=w -m", "r*", FILTER, NONE, NULL, NULL},
    {"rsync", "-e,--rsh=e --rsync-path=e --files-from=r --exclude-from=r --include-from=r --exclude=n --include=n -f,--filter=n --log-file=w --password-file=r --partial-dir=n --temp-dir,-T=n --backup-dir=n --suffix=n --chmod=n --chown=n --bwlimit=n --timeout=n --port=n --compare-dest=n --copy-dest=n --link-dest=n --max-size=n --min-size=n --info=n --debug=n --out-format=n --block-size,-B=n --compress-level=n --address=n --write-batch=w --read-batch=r --iconv=n --groupmap=n --usermap=n --modify-window=n --config=E --early-input=r --delete:d --delete-before:d --delete-after:d --delete-during:d --delete-excluded:d --del:d --delete-delay:d --remove-source-files:s -n,--dry-run:n -a -v -z -h -r,--recursive -l -p -t -g -o -D -u -x -H -A -X -P -q -c -R -W -S -b -i -L -k -K -O -C -0", "n*", OWN | DANGER, NONE, sbx_check_rsync, NULL},
    {"dump|restore|star|dar", "-f=w", "R*", 0, NONE, NULL, NULL},
    {"basenc|base64|base32", "-w,--wrap=n -d,-D,--decode:d -i,--ignore-garbage -b=n --base64 --base32 --base16 --z85", "r", RO | FILTER, NONE, sbx_check_transform, NULL},
    {"getfd|sync|fsync", "-d -f", "l*", 0, NONE, NULL, NULL},
    {"mountpoint|findmnt|lsblk|blkid|lsof|fuser", "-t,--types=n -o,--output=n -T,--target=n -p=n -u=n -i?n -c=n -d=n -n -P -k,--kill:k -s=n -S,--source=n -k", "l*", RO | PRINT, NONE, sbx_check_device, NULL},
};
/* clang-format on */
const struct sbx_command_group sbx_group_file = {sbx_rows_file,
                                                 sizeof(sbx_rows_file) / sizeof(*sbx_rows_file)};
