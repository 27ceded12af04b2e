# SPDX-License-Identifier: MIT
# user_events.h: `make help` lists what there is to make.

CC = gcc
CXX = g++
CFLAGS = -O2 -g
CXXFLAGS = $(CFLAGS)
prefix = /usr/local
includedir = $(prefix)/include
datadir = $(prefix)/share
VERSION := $(shell awk '/define UE_VERSION_MAJOR/ { a = $$3 } /define UE_VERSION_MINOR/ { b = $$3 } \
	END { print a "." b }' include/user_events.h)

B = build
TOP_HEADERS = $(wildcard include/*.h)
KERNEL_HEADERS = $(wildcard include/kernel/*/*.h)
HEADERS = $(TOP_HEADERS) $(KERNEL_HEADERS)
WARNINGS = -pedantic -Wall -Wextra -Wconversion -Wshadow -Wundef -Wcast-align -Werror
C = $(CC) -std=gnu11 $(CFLAGS) $(WARNINGS) -Wstrict-prototypes -Iinclude
# The tests' own code may convert; what the headers may is tests/compile's matter.
TEST_WARNINGS = -Wall -Wextra -Wno-unused-parameter -Werror
TC = $(CC) -std=gnu11 $(CFLAGS) $(TEST_WARNINGS) -Iinclude -Itests/unit
TCPP = $(CXX) -std=c++17 $(CXXFLAGS) $(TEST_WARNINGS) -Iinclude -Itests/unit
ASAN = -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined
TSAN = -O1 -fsanitize=thread

# The tracer is built with the decoder.
ifneq ($(wildcard include/user_events_decode.h),)
include examples/uetrace/build.mk
UETRACE = $B/uetrace
endif

all: examples

help:
	@echo 'make demo            trace the example server, or let it capture its own events'
	@echo 'make demo-kernel     trace it on a kernel with user_events, in a virtual machine'
	@echo 'make test            unit, compile, documentation and installation tests'
	@echo 'make check-kernel    the tests of the real kernel, in a virtual machine'
	@echo '                     (UE_KERNEL=image takes a kernel that is there already)'
	@echo 'make check-portable  compilers, standards, 32 bits, big endian, musl, sanitizers'
	@echo 'make fuzz            decoder and captures, with libFuzzer (RUNS=100000 inputs)'
	@echo 'make bench           what events cost, in instructions, as tables'
	@echo 'make all             the example programs, in build/examples'
	@echo 'make tools           uetrace, the tracer, in build/'
	@echo 'make install         headers, pkg-config and CMake files (DESTDIR, prefix=$(prefix))'
	@echo 'make install-tools   uetrace with its manual page and completion'
	@echo 'make uninstall       removes what both have installed'
	@echo 'make format          formats the sources; make check-format only compares'
	@echo 'make lint            clang-tidy, cppcheck and -fanalyzer'
	@echo 'make deps            installs what all of this needs from Debian'
	@echo 'make clean'

# What is needed from Debian, for each target its own; a no-op when it is there.
deps:
	@scripts/deps test tools kernel portable lint
deps-%:
	@scripts/deps $*

#
# Examples and tools
#
EXAMPLES = hello runtime server plugin_host service decode_event
EXAMPLES += $(patsubst examples/%.c,%,$(wildcard examples/probe.c examples/capture_test.c))
examples: $(EXAMPLES:%=$B/examples/%) $B/examples/library \
	$(if $(wildcard examples/tracepoints/main.c),$B/examples/tracepoints)
$B/examples/capture_test: LIBRARIES_OF = -lcmocka

$B/examples/%: examples/%.c $(HEADERS)
	@mkdir -p $(@D)
	$C -o $@ $< -pthread $(LIBRARIES_OF)
$B/examples/%: examples/%.cc $(HEADERS)
	@mkdir -p $(@D)
	$(CXX) -std=c++11 $(CXXFLAGS) $(WARNINGS) -Iinclude -o $@ $<
$B/examples/library: $(wildcard examples/library/*) $(HEADERS)
	@mkdir -p $(@D)
	$C -fPIC -shared -o $B/examples/libparser.so examples/library/parser.c
	$C -o $@ examples/library/main.c -L$B/examples -lparser '-Wl,-rpath,$$ORIGIN'

$B/examples/tracepoints: $(wildcard examples/tracepoints/*) $(HEADERS)
	@mkdir -p $(@D)
	$C -Iinclude/kernel -Iexamples/tracepoints -o $@ examples/tracepoints/*.c

tools: deps-tools $(UETRACE)
$B/uetrace: $(UETRACE_SRCS) $(UETRACE_HDRS)
	@mkdir -p $(@D)
	$(CC) $(UETRACE_CFLAGS) $(CFLAGS) -Wall -Wextra -Wconversion -Wshadow -Werror -Iinclude \
		-o $@ $(UETRACE_SRCS) $$(pkg-config --cflags --libs $(UETRACE_PKGS))

demo: deps-demo deps-tools $B/examples/server $(UETRACE)
	@scripts/demo
demo-kernel: deps-demo deps-tools $B/examples/server $(UETRACE)
	@scripts/demo kernel

#
# Tests without a kernel
#
UNIT_C = $(basename $(notdir $(wildcard tests/unit/test_*.c tests/unit/decode_*.c)))
UNIT_CPP = $(basename $(notdir $(wildcard tests/unit/test_*.cc)))
# those of the tracer are built with its sources, at the end of this list
UNIT_TOOLS = $(filter test_uetrace_%,$(UNIT_C))
UNIT = $(filter-out $(UNIT_TOOLS),$(UNIT_C)) $(UNIT_CPP)
THREADS = $(filter %threads% %activity%,$(UNIT))
UNIT_PROGRAMS = $(UNIT:%=$B/tests/unit/%) $(UNIT:%=$B/tests/unit/%.asan) \
	$(THREADS:%=$B/tests/unit/%.tsan) $(if $(UETRACE),$(UNIT_TOOLS:%=$B/tests/unit/%))
# what is encoded is decoded, too
$B/tests/unit/test_lo% $B/tests/unit/test_build%: TEST_WARNINGS += \
	$(if $(UETRACE),-DUE_TEST_DECODE)
UNIT_PARTS = $(wildcard tests/unit/*.h tests/unit/trace/*.h tests/unit/trace/*/*.h)
$B/tests/unit/test_tracepoin% $B/tests/kernel/test_tracepoin%: TEST_WARNINGS += -Iinclude/kernel

$B/tests/fake_kernel.o: tests/unit/fake_kernel.c tests/unit/fake_kernel.h
	@mkdir -p $(@D)
	$(TC) -c -o $@ $<
$B/tests/fake_kernel.asan.o: tests/unit/fake_kernel.c tests/unit/fake_kernel.h
	@mkdir -p $(@D)
	$(TC) $(ASAN) -c -o $@ $<
$B/tests/fake_kernel.tsan.o: tests/unit/fake_kernel.c tests/unit/fake_kernel.h
	@mkdir -p $(@D)
	$(TC) $(TSAN) -c -o $@ $<

$B/tests/unit/test_uetrace_%: tests/unit/test_uetrace_%.c $(UETRACE_SRCS) $(UETRACE_HDRS) $(UNIT_PARTS)
	@mkdir -p $(@D)
	$(CC) $(UETRACE_CFLAGS) $(CFLAGS) $(ASAN) -Wall -Wextra -Iinclude -Iinclude/kernel \
		-Iexamples/uetrace -Itests/unit -o $@ $< \
		-lcmocka $$(pkg-config --cflags --libs $(UETRACE_PKGS))
$B/tests/unit/%.asan: tests/unit/%.c $B/tests/fake_kernel.asan.o $(UNIT_PARTS) $(HEADERS)
	@mkdir -p $(@D)
	$(TC) $(ASAN) -o $@ $< $B/tests/fake_kernel.asan.o -lcmocka -pthread -lm
$B/tests/unit/%.asan: tests/unit/%.cc $B/tests/fake_kernel.asan.o $(UNIT_PARTS) $(HEADERS)
	@mkdir -p $(@D)
	$(TCPP) $(ASAN) -o $@ $< $B/tests/fake_kernel.asan.o -lcmocka -pthread
$B/tests/unit/%.tsan: tests/unit/%.c $B/tests/fake_kernel.tsan.o $(UNIT_PARTS) $(HEADERS)
	@mkdir -p $(@D)
	$(TC) $(TSAN) -o $@ $< $B/tests/fake_kernel.tsan.o -lcmocka -pthread -lm
$B/tests/unit/%: tests/unit/%.c $B/tests/fake_kernel.o $(UNIT_PARTS) $(HEADERS)
	@mkdir -p $(@D)
	$(TC) -o $@ $< $B/tests/fake_kernel.o -lcmocka -pthread -lm
$B/tests/unit/%: tests/unit/%.cc $B/tests/fake_kernel.o $(UNIT_PARTS) $(HEADERS)
	@mkdir -p $(@D)
	$(TCPP) -o $@ $< $B/tests/fake_kernel.o -lcmocka -pthread

$B/tests/abi_table: tests/kernel/abi_table.c $B/tests/fake_kernel.o $(HEADERS)
	$(TC) -o $@ $< $B/tests/fake_kernel.o -pthread

# The fuzzer's inputs, without a fuzzer; new ones are found by `make fuzz`.
$B/tests/decode_replay: tests/fuzz/decode_fuzz.c include/user_events_decode.h
	@mkdir -p $(@D)
	$(TC) $(ASAN) -DUE_FUZZ_REPLAY -o $@ $<

test: deps-test deps-tools
	@$(MAKE) --no-print-directory -j2 test-programs
	@scripts/run-tests '$B' $(UNIT_PROGRAMS) '$B/tests/abi_table' \
		'tests/compile/run quick' 'tests/compile/hotpath gcc' tests/examples.sh tests/install.sh \
		'$B/tests/decode_replay tests/fuzz/corpus' \
		$(if $(UETRACE),tests/uetrace_completion.sh tests/uetrace_show.sh) \
		$(wildcard tests/docs/run)
test-programs: $(UNIT_PROGRAMS) $B/tests/abi_table $B/tests/decode_replay $(UETRACE) examples

check-portable: deps-test deps-portable
	@tests/compile/run matrix

RUNS = 100000
$B/decode_fuzz: tests/fuzz/decode_fuzz.c include/user_events_decode.h
	@mkdir -p $(@D)
	clang -std=gnu11 -g $(ASAN) -fsanitize=fuzzer -Iinclude -o $@ $<
$B/capture_fuzz: tests/fuzz/capture_fuzz.c $(TOP_HEADERS)
	@mkdir -p $(@D)
	clang -std=gnu11 -g $(ASAN) -fsanitize=fuzzer -Iinclude -o $@ $<
# Inputs that reach new code are left in $B/fuzz/new and captures, those that fail in $B/fuzz.
fuzz: deps-fuzz $B/decode_fuzz $B/capture_fuzz
	@mkdir -p '$B/fuzz/new' '$B/fuzz/captures'
	$B/capture_fuzz -max_len=4096 -runs=$(RUNS) -print_final_stats=1 \
		-artifact_prefix='$B/fuzz/' '$B/fuzz/captures'
	$B/decode_fuzz -max_len=1500 -runs=$(RUNS) -print_final_stats=1 \
		-artifact_prefix='$B/fuzz/' '$B/fuzz/new' tests/fuzz/corpus

#
# Tests on a kernel
#
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
		$(filter-out tests/kernel/lib.sh $(if $(UETRACE),,tests/kernel/uetrace%), \
			$(wildcard tests/kernel/*.sh))

$B/cost: tests/bench/cost.c tests/bench/cost_trace.h $(HEADERS)
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -Wall -Wextra -Iinclude -Iinclude/kernel -Itests/bench -o $@ $<
$B/decode_bench: tests/bench/decode_bench.c $(HEADERS)
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -Wall -Wextra -Iinclude -o $@ $<
$B/capture_cost: tests/bench/capture_cost.c $(HEADERS)
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -Wall -Wextra -Iinclude -o $@ $<
bench: deps-test deps-kernel $B/cost $B/decode_bench $B/capture_cost
	@UE_KERNEL=$$(tests/kernel/build-kernel) && export UE_KERNEL && tests/kernel/vm -i $B/cost
	@tests/compile/hotpath
	@$B/decode_bench
	@$B/capture_cost

#
# Installation
#
install:
	install -d '$(DESTDIR)$(includedir)' '$(DESTDIR)$(datadir)/pkgconfig' \
		'$(DESTDIR)$(datadir)/cmake/user_events'
	install -m 644 $(TOP_HEADERS) '$(DESTDIR)$(includedir)'
	for f in $(KERNEL_HEADERS:include/%=%); do install -D -m 644 "include/$$f" \
		"$(DESTDIR)$(includedir)/user_events/$$f" || exit; done
	for f in user_events user_events-kernel; do \
		sed -e 's|@prefix@|$(prefix)|' -e 's|@includedir@|$(includedir)|' \
			-e 's|@VERSION@|$(VERSION)|' packaging/$$f.pc.in \
			>"$(DESTDIR)$(datadir)/pkgconfig/$$f.pc" || exit; \
	done
	for f in user_events-config user_events-config-version; do \
		sed -e 's|@includedir@|$(includedir)|g' -e 's|@VERSION@|$(VERSION)|' \
			packaging/$$f.cmake.in \
			>"$(DESTDIR)$(datadir)/cmake/user_events/$$f.cmake" || exit; \
	done
install-tools: tools
	install -D -m 755 $B/uetrace '$(DESTDIR)$(prefix)/bin/uetrace'
	install -D -m 644 $(UETRACE_MAN) '$(DESTDIR)$(datadir)/man/man1/uetrace.1'
	install -D -m 644 $(UETRACE_COMPLETION) \
		'$(DESTDIR)$(datadir)/bash-completion/completions/uetrace'
uninstall:
	rm -f $(TOP_HEADERS:include/%='$(DESTDIR)$(includedir)/%') '$(DESTDIR)$(prefix)/bin/uetrace' \
		'$(DESTDIR)$(datadir)/pkgconfig/user_events.pc' \
		'$(DESTDIR)$(datadir)/pkgconfig/user_events-kernel.pc' \
		'$(DESTDIR)$(datadir)/man/man1/uetrace.1' \
		'$(DESTDIR)$(datadir)/bash-completion/completions/uetrace'
	rm -rf '$(DESTDIR)$(datadir)/cmake/user_events' '$(DESTDIR)$(includedir)/user_events'

#
# Upkeep
#
# The headers' macros and the tests' tables are laid out by hand.
BY_HAND = tests/compile/% tests/kernel/abi_table.c tests/kernel/test_log_all.c \
	tests/unit/test_log.c tests/unit/test_trace.c tests/unit/test_builder.c \
	tests/unit/test_property.c tests/unit/test_runtime.c tests/unit/fake_kernel.c \
	tests/unit/test_log_cpp.cc tests/unit/test_trace_cpp.cc tests/unit/decode_%.c \
	tests/bench/decode_bench.c examples/decode_event.c tests/kernel/test_thousand_events.c
SOURCES = $(filter-out $(BY_HAND),$(shell git ls-files '*.c' '*.cc'))
format: deps-lint
	clang-format -i $(SOURCES)
check-format: deps-lint
	@clang-format --dry-run --Werror $(SOURCES)
lint: deps-lint
	@tests/compile/lint

clean:
	rm -rf $B

.PHONY: all help deps examples tools demo demo-kernel test test-programs check-portable kernel-programs \
	fuzz check-kernel bench install install-tools uninstall format check-format lint clean
.DELETE_ON_ERROR:
