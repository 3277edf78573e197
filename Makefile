# sbx: everything is built into build/. Programs built there find one another there.
#
#   make            build everything         make check      unit tests (no root)
#   make run        demonstration (root)     make test       every test (root)
#   make deps       what is needed (root)    make lint       layers, style, analysers
#   make deb | rpm  packages                 make install    into DESTDIR
#   make vm         tests in guests (root)   make bench      ratios, side by side (root)
#   make conformance CORPUS=DIR | fuzz | clean

VERSION   := 0.1.0
B         := build
ifeq ($(origin CC),default)
CC        := gcc
endif
PKG       := pkg-config
prefix    := /usr
bindir    := $(prefix)/bin
libexecdir := $(prefix)/libexec/sbx
multiarch := $(shell $(CC) -print-multiarch 2>/dev/null)
pamdir    := $(prefix)/lib/$(if $(multiarch),$(multiarch)/)security
datadir   := $(prefix)/share
unitdir   := $(prefix)/lib/systemd/system
mandir    := $(datadir)/man

WARN := -Wall -Wextra -Werror -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes \
        -Wmissing-prototypes -Wformat=2 -Wvla -Wpointer-arith -Wwrite-strings -Wundef
HARDEN := -fstack-protector-strong -fstack-clash-protection -fcf-protection=full \
        -ftrivial-auto-var-init=zero -fno-strict-aliasing -fno-delete-null-pointer-checks
# Every login starts these programs: what none of them calls is left out, and the relocations are packed
# where linker and C library can (glibc 2.36).
LEAN   := -ffunction-sections -fdata-sections
LEAN_LINK := -Wl,--gc-sections $(shell \
        echo 'int main(void){return 0;}' | $(CC) -xc - -pie -Wl,-z,pack-relative-relocs -o /dev/null \
        2>/dev/null && echo -Wl,-z,pack-relative-relocs)
OPT  ?= -O2 -g -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3
CPPFLAGS += -I. -I$(B)/gen -D_GNU_SOURCE -DSBX_VERSION='"$(VERSION)"' -DSBX_LIBEXECDIR='"$(libexecdir)"' \
            -DSBX_BINDIR='"$(bindir)"'
ALL_CFLAGS = -std=gnu11 -fPIC -fvisibility=hidden $(WARN) $(HARDEN) $(LEAN) $(OPT) $(SAN) $(CFLAGS)
ALL_LDFLAGS = -Wl,-z,relro,-z,now,-z,noexecstack,--as-needed,--no-undefined $(LEAN_LINK) $(SAN) $(LDFLAGS)

# --- what each part is made of: the link lines are the map of privilege -------------------------
policy_src := $(wildcard policy/*.c)
jail_src   := $(wildcard jail/*.c)
# Spoken by several programs: the asking side of the control socket, and the log.
shared_src := $(wildcard warden/client*.c warden/lower*.c) warden/event.c warden/budget.c warden/chain.c warden/record.c
warden_src := $(filter-out $(shared_src) warden/clerk.c warden/init.c,$(wildcard warden/*.c))
pam_src    := $(wildcard pam_sbx/*.c)
sbxsh_src  := $(wildcard sbxsh/*.c)
line_src   := $(wildcard line/*.c)
sbxctl_src := $(wildcard sbxctl/*.c)
unit_src   := $(wildcard tests/unit/*.c)
# Parts of sbxctl that need no machine to try.
unit_more  := $(addprefix sbxctl/,options.c run_words.c run_account.c events_files.c events_verify.c operate.c \
              enroll_record.c schedule.c) \
              $(addprefix sbxsh/,arguments.c environment.c bash.c frame.c resolve.c say.c state.c unit.c) \
              $(filter-out line/main.c,$(line_src))

# Runs inside the jail, or reads what comes out of it: static, and with musl where there is one, whose
# start-up does a third of the work of glibc's (no CPUID, which traps in a virtual machine).
inside_jail := $(addprefix jail/,attest.c landlock.c relay.c seal.c seccomp_load.c sessiondir.c sys.c unjailed.c)
MUSL        := $(if $(SAN),,$(shell command -v musl-gcc 2>/dev/null))
INSIDE_CC   := $(or $(MUSL),$(CC))

obj = $(patsubst %.c,$(B)/obj/%.o,$(1))
inside = $(patsubst %.c,$(B)/inside/%.o,$(1))

policy_lib := $(B)/libsbxpolicy.a
jail_lib   := $(B)/libsbxjail.a
shared_lib := $(B)/libsbxshared.a
inside_lib := $(B)/libsbxinside.a

INIH    := -linih
SECCOMP := -lseccomp
CAPNG   := -lcap-ng
JSON    := -ljson-c
MD      := -lmd
EDIT    := -ledit
SYSTEMD := $(shell $(PKG) --exists libsystemd 2>/dev/null && echo -lsystemd)
CPPFLAGS += $(if $(SYSTEMD),-DSBX_HAVE_SYSTEMD=1,-DSBX_HAVE_SYSTEMD=0)

programs := $(B)/sbxctl $(B)/sbxsh $(B)/pam_sbx.so $(B)/sbx-warden $(B)/sbx-clerk $(B)/sbx-init \
            $(B)/sbx-line

.PHONY: all deps check test conformance install deb rpm run bench fuzz vm lint clean help
all: $(programs)

help:
	@sed -n '/^#   make/s/^# *//p' Makefile


$(B)/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

# musl has no headers of the kernel's; those lie where they do.
$(B)/inside/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(INSIDE_CC) $(CPPFLAGS) $(ALL_CFLAGS) \
	    $(if $(MUSL),-idirafter /usr/include -idirafter /usr/include/$(multiarch)) -MMD -MP -c $< -o $@

$(policy_lib): $(call obj,$(policy_src))
$(jail_lib):   $(call obj,$(jail_src))
$(shared_lib): $(call obj,$(shared_src))
$(inside_lib): $(call inside,$(inside_jail) $(policy_src))
$(B)/%.a:
	@rm -f $@
	$(AR) rcs $@ $^

$(B)/sbxctl: $(call obj,$(sbxctl_src)) $(shared_lib) $(jail_lib) $(policy_lib)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -pie $^ -o $@ $(INIH) $(SECCOMP) $(CAPNG) $(JSON) $(MD)

$(B)/sbx-warden: $(call obj,$(warden_src)) $(shared_lib) $(jail_lib) $(policy_lib)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -pie $^ -o $@ $(INIH) $(SECCOMP) $(CAPNG) $(JSON) $(MD) $(SYSTEMD)

# static-pie by hand for musl, whose gcc knows of static and of pie alone. No library of the machine's is
# loaded, and no configuration of it is read before the environment is ours.
musl_start := $(if $(MUSL),$(shell $(MUSL) -x c -pie -\#\#\# /dev/null 2>&1 | grep -o '[^ "]*/Scrt1\.o'))
musl_dir   := $(dir $(musl_start))
gcc_file    = $(shell $(CC) -print-file-name=$(1))
INSIDE_LINK = $(if $(MUSL),\
    -static -nostartfiles -Wl$(comma)-pie$(comma)--no-dynamic-linker$(comma)-z$(comma)text \
    $(musl_dir)rcrt1.o $(musl_dir)crti.o $(call gcc_file,crtbeginS.o),-static-pie)
INSIDE_END = $(if $(MUSL),$(call gcc_file,crtendS.o) $(musl_dir)crtn.o)
comma := ,

$(B)/sbxsh: $(call inside,$(sbxsh_src) line/proto.c)
$(B)/sbx-init: $(call inside,warden/init.c)
$(B)/sbx-clerk: $(call inside,warden/clerk.c)
$(B)/sbxsh $(B)/sbx-init $(B)/sbx-clerk: $(inside_lib)
	$(INSIDE_CC) $(ALL_CFLAGS) $(filter-out $(if $(MUSL),%pack-relative-relocs),$(ALL_LDFLAGS)) \
	    $(INSIDE_LINK) $(filter %.o,$^) $(inside_lib) $(INSIDE_END) -o $@

# The line editor, for interactive sessions alone: libedit is there for the machine's C library only.
$(B)/sbx-line: $(call obj,$(line_src))
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -pie $^ -o $@ $(EDIT)

$(B)/pam_sbx.so: $(call obj,$(pam_src)) $(shared_lib) $(jail_lib) $(policy_lib) pam_sbx/pam_sbx.map
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -shared -Wl,--version-script=pam_sbx/pam_sbx.map \
	    $(filter %.o %.a,$^) -o $@ -lpam $(INIH) $(SECCOMP) $(CAPNG) $(JSON) $(MD)

# --- tests ---------------------------------------------------------------------------------------
# tests/unit/test_NAME.c defines `Suite *NAME_suite(void)`; the list is made from the file names.
$(B)/gen/suites.h: $(unit_src) Makefile
	@mkdir -p $(@D)
	@printf '#define SUITES(X)' >$@.new
	@for f in $(sort $(notdir $(basename $(filter tests/unit/test_%,$(unit_src))))); do \
	    printf ' X(%s)' "$${f#test_}" >>$@.new; done
	@echo >>$@.new && mv $@.new $@

$(B)/obj/tests/unit/main.o: $(B)/gen/suites.h

$(B)/unit: $(call obj,$(unit_src) $(unit_more)) $(shared_lib) $(jail_lib) $(policy_lib)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -pie $^ -o $@ $(shell $(PKG) --libs check) \
	    $(INIH) $(SECCOMP) $(CAPNG) $(JSON) $(MD)

check: all $(B)/unit
	$(B)/unit
	tests/policy/run

# What is missing is installed first; then make starts afresh, since it looked at the machine when it began.
test:
	@tools/deps --if-missing build test package vm
	@$(MAKE) -s all $(B)/unit $(B)/attack $(B)/optcheck $(argv_tools)
	@tests/run

clean:
	rm -rf $(B)

-include mk/*.mk
-include $(shell find $(B)/obj $(B)/inside -name '*.d' 2>/dev/null)
