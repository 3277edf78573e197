printf '[environment]\nkeep = caf\351\nkeep = caf\303\251\nset = A=\033[31m\nkeep = a\342\200\213b\nkeep = \342\200\256x\n' >"$1"
