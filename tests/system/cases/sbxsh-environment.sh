# The environment is made afresh: what a client sends or a file of the account's says changes neither
# the loader nor how bash reads.
. tests/system/lib.sh

# The world's sshd takes LANG, LC_* and SBXT_*; pam_env and su carry more.
seen=$(client ssh -o SetEnv="LANG=C.UTF-8 SBXT_X=1" bot env)
holds "LANG" '^LANG=C.UTF-8$' "$seen"
lacks "an unlisted name" '^SBXT_X=' "$seen"
for line in "HOME=$BOT_HOME" "USER=$BOT" "LOGNAME=$BOT" "SBX_JAIL=$BOT_UID" \
    "PATH=/usr/local/bin:/usr/bin:/bin"; do
    holds "$line" "^$line$" "$seen"
done
holds "SHELL" '^SHELL=/.*/sbxsh$' "$seen"
holds "SSH_CONNECTION" '^SSH_CONNECTION=127.0.0.1 ' "$seen"
lacks "a locale in which a backslash is half a character" 'BIG5' \
    "$(client ssh -o SetEnv="LC_ALL=zh_HK.BIG5-HKSCS" bot env)"

world_policy '[environment]' 'keep = SBXT_*' 'deny = SBXT_NO' 'set = FIXED=1' 'path = ~/work/bin:/usr/bin:/bin'
seen=$(client ssh -o SetEnv="SBXT_X=1 SBXT_NO=1 SBXT_TOKEN=t" bot env)
holds "kept" '^SBXT_X=1$' "$seen"
lacks "denied" '^SBXT_NO=' "$seen"
lacks "a secret by its name" '^SBXT_TOKEN=' "$seen"
holds "set" '^FIXED=1$' "$seen"
holds "path" "^PATH=$BOT_HOME/work/bin:/usr/bin:/bin$" "$seen"

# sbxctl run hands its caller's environment on as far as it likes: sbxsh takes none of this.
plant=$BOT_HOME/work/plant
echo 'echo PLANTED' >"$plant"
chmod 0644 "$plant"
world_policy '[environment]' 'keep = *'
seen=$("$B/sbxctl" run --account "$BOT" --root "$ROOT" -- /usr/bin/env BASH_ENV="$plant" ENV="$plant" \
    LD_PRELOAD=/absent.so SHELLOPTS=xtrace PS4='$(echo PLANTED)' 'BASH_FUNC_id%%=() { echo PLANTED; }' \
    PROMPT_COMMAND='echo PLANTED' HARMLESS=1 "$B/sbxsh" -c 'id -u; env' 2>"$W/out/err")
holds "the command itself" "^$BOT_UID$" "$seen"
lacks "the planted files" 'PLANTED|LD_PRELOAD|BASH_ENV|SHELLOPTS' "$seen"
holds "the twin: others are kept" '^HARMLESS=1$' "$seen"
# The twin: bash by itself runs the planted file.
holds "bash alone" PLANTED "$("$B/sbxctl" run --account "$BOT" --root "$ROOT" -- \
    /usr/bin/env BASH_ENV="$plant" bash -c true)"

# Start-up files of the account are not read.
echo 'echo STARTED' | tee "$BOT_HOME/.bashrc" "$BOT_HOME/.bash_profile" >"$BOT_HOME/.profile"
lacks "start-up files" STARTED "$(bot true; client ssh -tt bot true; echo true | client ssh -T bot)"
rm -f "$BOT_HOME/.bashrc" "$BOT_HOME/.bash_profile" "$BOT_HOME/.profile"
