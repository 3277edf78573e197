# socket(AF_INET, SOCK_PACKET): the kernel makes a packet socket of it, whatever family a filter
# saw.
PROMISE=P4
SOURCE="packet(7), SOCK_PACKET"
attack() { "$TOOL" socket 2 10 0 && echo went through >"$PROOF"; }
success() { proof; }
twin() { unfiltered root; }
