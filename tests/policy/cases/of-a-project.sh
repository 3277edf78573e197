mkdir -p "$1/home" "$1/work/.sbx"
printf '[sandbox]\nenabled = yes\n' >"$1/policy.ini"
printf '[network]\nmanaged_domains_only = yes\n[filesytem]\n' >"$1/work/.sbx/policy.ini"
