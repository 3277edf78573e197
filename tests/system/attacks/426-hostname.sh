# The jail's host name: what programs show to whom they talk.
PROMISE=P4
SOURCE="sethostname(2)"
attack() { "$TOOL" hostname sbxt-changed && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered root; }
