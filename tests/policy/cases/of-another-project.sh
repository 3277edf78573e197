# one project opens what another closed, and shows what the view does not hold
mkdir -p "$1/home/work/.sbx" "$1/home/work2/.sbx"
printf '%s\n' '[sandbox]' 'enabled = yes' '[filesystem]' 'workspace = ~/work' 'workspace = ~/work2' >"$1/policy.ini"
printf '%s\n' '[filesystem]' 'deny_read = shut' >"$1/home/work/.sbx/policy.ini"
printf '%s\n' '[filesystem]' 'allow_read = ~/work/shut/in' 'allow_read = /srv' >"$1/home/work2/.sbx/policy.ini"
