# SPDX-License-Identifier: MIT
# Tests on a real kernel in a virtual machine.

KERNEL_PROGRAMS = $(patsubst tests/kernel/%,$B/tests/kernel/%, \
	$(basename $(wildcard tests/kernel/test_*.c tests/kernel/test_*.cc)))
K = $B/tests/kernel
PROGRAMS = tests/kernel/programs
KERNEL_HELPERS = $(wildcard tests/kernel/helpers/*.h) $(UNIT_HELPERS) $(HEADERS)
PROGRAM_PARTS = $(PROGRAMS)/variant.c $(PROGRAMS)/version1.c $(KERNEL_HELPERS)
# Programs and libraries that the tests run. Programs with a second dot in their names have their
# own build rules and event names.
PROGRAM_NAMES = $(basename $(notdir $(wildcard $(PROGRAMS)/*.c $(PROGRAMS)/*.cc)))
PLAIN = $(filter-out uetrace_load %.archive %.member,$(PROGRAM_NAMES))
SPECIAL = variant.static variant.lto variant.gc variant.archive
LIBRARIES = $(basename $(notdir $(wildcard tests/kernel/libraries/*.c tests/kernel/libraries/*.cc)))
HAVE_M32 := $(shell command -v i686-linux-gnu-gcc)
KC = $(TC) -D_GNU_SOURCE= -Itests/kernel/helpers -Iinclude/compat
KCPP = $(TCPP) -Itests/kernel/helpers -Iinclude/compat

$K/prog/lttng_demo: TEST_WARNINGS += -I$(LTTNG_EXAMPLES)/demo
kernel-programs: $(KERNEL_PROGRAMS) $(PLAIN:%=$K/prog/%) $(SPECIAL:%=$K/prog/%) \
	$(if $(HAVE_M32),$K/prog/variant.m32) $(LIBRARIES:%=$K/lib/%.so) $B/tests/abi_table \
	$(UETRACE) $(PLUGIN) $B/tests/uetrace_load examples $B/docs-test/programs $B/linkers/host.o

# Links the programs for linkers.sh with every linker and layout.
$B/linkers/host.o: tests/compile/linkers tests/compile/linkers.c $(HEADERS)
	tests/compile/linkers build
# Compiles the programs for docs.sh on the host, because compiling in the emulated machine is slow.
$B/docs-test/programs: README.md $(wildcard docs/*.md) tests/docs/run $(HEADERS)
	tests/docs/run programs
	touch $@
$K/%: tests/kernel/%.c $(KERNEL_HELPERS)
	@mkdir -p $(@D)
	$(KC) -o $@ $< -lcmocka -pthread -ldl
$K/%: tests/kernel/%.cc $(KERNEL_HELPERS)
	@mkdir -p $(@D)
	$(KCPP) -o $@ $< -lcmocka -pthread -ldl
$K/lib/%.so: tests/kernel/libraries/%.c $(KERNEL_HELPERS)
	@mkdir -p $(@D)
	$(KC) -fPIC -shared -o $@ $<
$K/lib/%.so: tests/kernel/libraries/%.cc $(KERNEL_HELPERS)
	@mkdir -p $(@D)
	$(KCPP) -fPIC -shared -o $@ $<
$K/prog/%.static: $(PROGRAMS)/%.c $(PROGRAM_PARTS)
	@mkdir -p $(@D)
	$(KC) -DVARIANT=$*_static -static -o $@ $<
$K/prog/%.lto: $(PROGRAMS)/%.c $(PROGRAM_PARTS)
	@mkdir -p $(@D)
	$(KC) -DVARIANT=$*_lto -flto=auto -o $@ $<
$K/prog/%.gc: $(PROGRAMS)/%.c $(PROGRAM_PARTS)
	@mkdir -p $(@D)
	$(KC) -DVARIANT=$*_gc -ffunction-sections -fdata-sections -Wl,--gc-sections -o $@ $<
$K/prog/%.archive: $(PROGRAMS)/%.archive.c $(PROGRAMS)/%.member.c $(PROGRAM_PARTS)
	@mkdir -p $(@D)
	$(KC) -c -o $@.o $(PROGRAMS)/$*.member.c
	$(AR) rcs $@.a $@.o
	$(KC) -o $@ $< $@.a
$K/prog/%.m32: $(PROGRAMS)/%.c $(PROGRAM_PARTS)
	@mkdir -p $(@D)
	i686-linux-gnu-gcc -std=gnu11 $(CFLAGS) -Iinclude -DVARIANT=$*_m32 -static -o $@ $<
$K/prog/%: $(PROGRAMS)/%.c $(PROGRAM_PARTS)
	@mkdir -p $(@D)
	$(KC) -o $@ $< -pthread
$K/prog/%: $(PROGRAMS)/%.cc $(PROGRAM_PARTS)
	@mkdir -p $(@D)
	$(KCPP) -o $@ $< -pthread
$B/tests/uetrace_load: $(PROGRAMS)/uetrace_load.c $(HEADERS)
	@mkdir -p $(@D)
	$(KC) -o $@ $< -pthread

# Static programs for the guest of another machine. They do not use cmocka, which is not built for
# that machine.
A = $B/arm64
ARM64_CC = aarch64-linux-gnu-gcc
$A/%: tests/kernel/%.c $(KERNEL_HELPERS) tests/unit/helpers/test.h
	@mkdir -p $(@D)
	$(ARM64_CC) $(filter-out $(CC),$(KC)) -static -DUE_TEST_NO_CMOCKA -o $@ $< -pthread
$A/test_tracepoin%: TEST_WARNINGS += -Iinclude/kernel
$A/guest_init: tests/kernel/helpers/guest_init.c
	@mkdir -p $(@D)
	$(ARM64_CC) -std=gnu11 -O2 $(TEST_WARNINGS) -static -o $@ $<
$A/abi_table: $(ABI_TABLE) tests/fake_kernel/abi/language.h $(FAKE_KERNEL) $(HEADERS)
	@mkdir -p $(@D)
	$(ARM64_CC) $(filter-out $(CC),$(TC)) -static -o $@ $(ABI_TABLE) tests/fake_kernel/fake_kernel.c -pthread

# The tests that matter most on another machine: the kernel's ABI, enable words that tracers change,
# typed and EventHeader events, unregistering, and forks. Tests that need other programs or
# libraries are omitted.
ARM64_TESTS = $(addprefix test_,enable_word_follows_tracers files_of_the_host \
	filters_and_histograms fork_keeps_events full_system log_all log_stress persistent_events \
	probes_and_tracers sandbox_uses_a_passed_fd signal_handlers_write thousand_events \
	trace_shows_every_type tracefs_elsewhere unregistered_is_given_back usdt_counter \
	usdt_operands)
arm64-programs: $(ARM64_TESTS:%=$A/%) $A/abi_table $A/guest_init

# Runs the tests on three kernels: one with user_events, one without, and one for aarch64.
check-kernel: deps-test+kernel+tools
	@echo 'Tests in three virtual machines: 15 to 30 minutes. A kernel that is not there yet is'
	@echo 'built first, 5 to 10 minutes each, from 155 MB that are fetched once.'
	@$(MAKE) --no-print-directory -s $(PARALLEL) kernel-programs arm64-programs
	@$(MAKE) --no-print-directory -k check-kernel-with check-kernel-without check-kernel-arm64
check-kernel-with:
	@echo 'A kernel with user_events:'
	@UE_KERNEL=$$(tests/kernel/build-kernel) && export UE_KERNEL && \
		tests/kernel/check $(KERNEL_PROGRAMS) $(wildcard tests/kernel/*.sh)
check-kernel-without:
	@echo 'A kernel without user_events:'
	@UE_KERNEL_WITHOUT=$$(tests/kernel/build-kernel without) && export UE_KERNEL_WITHOUT && \
		tests/kernel/check -k without
check-kernel-arm64:
	@echo 'aarch64:'
	@UE_KERNEL_ARM64=$$(tests/kernel/build-kernel arm64) && export UE_KERNEL_ARM64 && \
		tests/kernel/check-arm64 '$A/abi_table real' $(ARM64_TESTS:%=$A/%)

.PHONY: kernel-programs arm64-programs check-kernel check-kernel-with check-kernel-without \
	check-kernel-arm64
