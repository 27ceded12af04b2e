# SPDX-License-Identifier: MIT
# Tests on a real kernel, in a virtual machine.

KERNEL_PROGRAMS = $(patsubst tests/kernel/%,$B/tests/kernel/%, \
	$(basename $(wildcard tests/kernel/test_*.c tests/kernel/test_*.cc)))
K = $B/tests/kernel
KERNEL_PARTS = $(wildcard tests/kernel/*.h tests/unit/trace/*.h tests/unit/trace/*/*.h) \
	tests/kernel/prog_variant.c tests/kernel/prog_version1.c \
	$(HEADERS)
PLAIN = $(filter-out %.static %.m32 %.lto %.gc %.archive,$(basename $(notdir \
	$(wildcard tests/kernel/prog_*.c tests/kernel/prog_*.cc))))
SPECIAL = variant.static variant.lto variant.gc variant.archive
LIBRARIES = $(basename $(notdir $(wildcard tests/kernel/lib_*.c tests/kernel/lib_*.cc)))
HAVE_M32 := $(shell command -v i686-linux-gnu-gcc)
KC = $(TC) -Itests/kernel
KCPP = $(TCPP) -Itests/kernel

kernel-programs: $(KERNEL_PROGRAMS) $(PLAIN:prog_%=$K/prog/%) $(SPECIAL:%=$K/prog/%) \
	$(if $(HAVE_M32),$K/prog/variant.m32) $(LIBRARIES:lib_%=$K/lib/%.so) $B/tests/abi_table \
	$(UETRACE) $B/tests/uetrace_load examples

$K/%: tests/kernel/%.c $(KERNEL_PARTS)
	@mkdir -p $(@D)
	$(KC) -o $@ $< -lcmocka -pthread -ldl
$K/%: tests/kernel/%.cc $(KERNEL_PARTS)
	@mkdir -p $(@D)
	$(KCPP) -o $@ $< -lcmocka -pthread -ldl
$K/lib/%.so: tests/kernel/lib_%.c $(KERNEL_PARTS)
	@mkdir -p $(@D)
	$(KC) -fPIC -shared -o $@ $<
$K/lib/%.so: tests/kernel/lib_%.cc $(KERNEL_PARTS)
	@mkdir -p $(@D)
	$(KCPP) -fPIC -shared -o $@ $<
$K/prog/%.static: tests/kernel/prog_%.static.c $(KERNEL_PARTS)
	@mkdir -p $(@D)
	$(KC) -static -o $@ $<
$K/prog/%.lto: tests/kernel/prog_%.lto.c $(KERNEL_PARTS)
	@mkdir -p $(@D)
	$(KC) -flto=auto -o $@ $<
$K/prog/%.gc: tests/kernel/prog_%.gc.c $(KERNEL_PARTS)
	@mkdir -p $(@D)
	$(KC) -ffunction-sections -fdata-sections -Wl,--gc-sections -o $@ $<
$K/prog/%.archive: tests/kernel/prog_%.archive.c tests/kernel/archive_%.c $(KERNEL_PARTS)
	@mkdir -p $(@D)
	$(KC) -c -o $@.o tests/kernel/archive_$*.c
	$(AR) rcs $@.a $@.o
	$(KC) -o $@ $< $@.a
$K/prog/%.m32: tests/kernel/prog_%.m32.c $(KERNEL_PARTS)
	@mkdir -p $(@D)
	i686-linux-gnu-gcc -std=gnu11 $(CFLAGS) -Iinclude -static -o $@ $<
$K/prog/%: tests/kernel/prog_%.c $(KERNEL_PARTS)
	@mkdir -p $(@D)
	$(KC) -o $@ $< -pthread
$K/prog/%: tests/kernel/prog_%.cc $(KERNEL_PARTS)
	@mkdir -p $(@D)
	$(KCPP) -o $@ $< -pthread
$B/tests/uetrace_load: tests/kernel/uetrace_load.c $(HEADERS)
	@mkdir -p $(@D)
	$(KC) -o $@ $< -pthread

check-kernel: deps-test deps-kernel deps-tools
	@$(MAKE) --no-print-directory -j2 kernel-programs
	@UE_KERNEL=$$(tests/kernel/build-kernel) && export UE_KERNEL && \
		tests/kernel/check $(KERNEL_PROGRAMS) \
		$(filter-out tests/kernel/lib.sh,$(wildcard tests/kernel/*.sh))

.PHONY: kernel-programs check-kernel
