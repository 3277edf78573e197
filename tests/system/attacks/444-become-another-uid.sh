# Other uids by the plain calls.
PROMISE=P4
SOURCE="CVE-2019-14287 class"
GIVE=(HUMAN_UID)
attack() {
    local uid
    for uid in 0 "$HUMAN_UID" 65534; do "$TOOL" become "$uid" && echo "$uid" >>"$PROOF"; done
}
success() { proof; }
twin() { unfiltered root; }
