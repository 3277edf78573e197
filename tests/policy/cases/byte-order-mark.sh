# In front it is no fault and counts in no column; anywhere else it is one.
printf '\357\273\277[sandboks]\n[sandbox]\n\357\273\277enabled = yes\n' >"$1"
