# make install DESTDIR=…: the layout of a package. Modes are part of it: sbxsh is 0711, so that the
# kernel makes it non-dumpable for its user.
sysconfdir   ?= /etc
docdir       ?= $(datadir)/doc/sbx
# pam-auth-update's profile: only where that tool is used (Debian and its kin).
PAM_CONFIGS  ?= yes

inst_program := install -D -m 0755
inst_file    := install -D -m 0644
inst_dir     := install -d -m 0755

.PHONY: install
install: all
	$(inst_program) $(B)/sbxctl $(DESTDIR)$(bindir)/sbxctl
	install -D -m 0711 $(B)/sbxsh $(DESTDIR)$(bindir)/sbxsh
	for program in sbx-warden sbx-clerk sbx-init sbx-line; do \
	    $(inst_program) $(B)/$$program $(DESTDIR)$(libexecdir)/$$program || exit 1; done
	$(inst_file) $(B)/pam_sbx.so $(DESTDIR)$(pamdir)/pam_sbx.so
	$(inst_file) etc/policy.ini $(DESTDIR)$(sysconfdir)/sbx/policy.ini
	for dir in policy.d group.d account.d; do \
	    $(inst_dir) $(DESTDIR)$(sysconfdir)/sbx/$$dir || exit 1; done
	for file in etc/policies/*.ini; do \
	    $(inst_file) $$file $(DESTDIR)$(datadir)/sbx/policy/$${file##*/} || exit 1; done
	$(inst_file) etc/sbx-jail@.service $(DESTDIR)$(unitdir)/sbx-jail@.service
	$(inst_file) etc/sbx.slice $(DESTDIR)$(unitdir)/sbx.slice
	$(inst_file) etc/sbx.sysusers $(DESTDIR)$(prefix)/lib/sysusers.d/sbx.conf
	$(inst_file) etc/sbx.tmpfiles $(DESTDIR)$(prefix)/lib/tmpfiles.d/sbx.conf
	$(inst_file) etc/sbx.logrotate $(DESTDIR)$(sysconfdir)/logrotate.d/sbx
	$(inst_file) etc/sbxctl.bash $(DESTDIR)$(datadir)/bash-completion/completions/sbxctl
	$(if $(filter yes,$(PAM_CONFIGS)),$(inst_file) etc/sbx.pam-config $(DESTDIR)$(datadir)/pam-configs/sbx)
	for page in man/*.[1-8]; do section=$${page##*.}; \
	    $(inst_file) $$page $(DESTDIR)$(mandir)/man$$section/$${page##*/} || exit 1; done
	for page in README.md SECURITY.md docs/*.md; do \
	    $(inst_file) $$page $(DESTDIR)$(docdir)/$${page##*/} || exit 1; done
	$(inst_file) etc/sshd-sbx.conf $(DESTDIR)$(docdir)/examples/sshd-sbx.conf
	cd docs/examples && find . -type f | while read -r file; do \
	    mode=0644; [ ! -x "$$file" ] || mode=0755; \
	    install -D -m $$mode "$$file" $(abspath $(DESTDIR)/)$(docdir)/examples/$${file#./} || exit 1; done

# For scripts that need to know where something goes: make -s print-pamdir
print-%:
	@echo '$($*)'
