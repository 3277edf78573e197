# valid, and not for such a file to say
mkdir -p "$1/home/.config/sbx" "$1/work/.sbx"
printf '%s\n' '[sandbox]' 'enabled = yes' '[limits]' 'tasks_max = 100' '[scopes]' 'project = extend' 'local = ignore' \
    '[network]' 'managed_domains_only = yes' >"$1/policy.ini"
printf '%s\n' '[filesystem]' 'allow_write = ~/more' '[limits]' 'tasks_max = 50' >"$1/home/.config/sbx/policy.ini"
printf '%s\n' '[sandbox]' 'mode = disabled' '[filesystem]' 'allow_write = more' '[network]' 'allow_domain = example.com' \
    >"$1/work/.sbx/policy.ini"
printf '%s\n' '[permissions]' 'allow = Bash(ls)' >"$1/work/.sbx/policy.local.ini"
chmod 0777 "$1/work"
