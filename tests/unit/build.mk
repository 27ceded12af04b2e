# SPDX-License-Identifier: MIT
# Tests on the fake kernel. Each test has one or more builds:
#
#   NAME        the build that users make, but with less optimisation for a few tests. Tests of the
#               decoder and tests in C++ have only sanitized builds, which find the same defects.
#   NAME.asan   AddressSanitizer and UndefinedBehaviorSanitizer
#   NAME.tsan   ThreadSanitizer, for tests with threads

# Test code may contain implicit conversions. tests/compile checks that the headers contain none.
TEST_WARNINGS = -Wall -Wextra -Wno-unused-parameter -Werror
TC = $(CC) -std=gnu11 $(CFLAGS) $(TEST_WARNINGS) -Iinclude -Itests/unit/helpers -Itests/fake_kernel
TCPP = $(CXX) -std=c++17 $(CFLAGS) $(TEST_WARNINGS) -Iinclude -Itests/unit/helpers -Itests/fake_kernel
# -g1 is sufficient, because sanitizer reports contain only functions and lines. Null checks are
# omitted, because dereferencing NULL ends the test anyway. With GCC, two more options each save a
# quarter of the build time: ASAN_CALLS turns AddressSanitizer's checks into function calls, and
# with ASAN_TRAP a report of undefined behaviour contains a function and a line, but no description.
# To build TEST with descriptions, run `make ASAN_TRAP= TEST`.
ASAN = -O0 -g1 -fsanitize=address,undefined -fno-sanitize=null -fno-sanitize-recover=undefined $(ASAN_CALLS) $(ASAN_TRAP)
ASAN_CALLS = $(if $(findstring clang,$(CC)),,--param asan-instrumentation-with-call-threshold=0)
ASAN_TRAP = $(if $(findstring clang,$(CC)),,-fsanitize-undefined-trap-on-error -include tests/unit/helpers/asan_trap.h)
# This test has virtual functions. The check for invalid virtual tables works only with
# descriptions.
$B/tests/unit/test_trace_cpp.asan: private ASAN_TRAP =
# With ASAN_TRAP, this test would call its hook before the sanitizer is initialised.
$B/tests/unit/test_traced_function%: private ASAN_TRAP =
TSAN = -O1 -g1 -fsanitize=thread
# Tests that consist mostly of test code are compiled with -Og. The header code that they run is
# also run at -O2, by test_recorder_kill, test_capture_threads, test_property, test_activity,
# test_probe_threads and test_tracepoint_threads, by the smoke tests in tests/compile, and by the
# tests on a kernel.
UNIT_OG = test_builder test_capture test_limits test_log test_recorder test_recorder_threads \
	test_shorten test_trace test_tracepoint
UNIT_O = $(if $(filter $(UNIT_OG),$*),-Og)

# C tests with a comment line that begins with "Also compiled as C++" are also compiled as C++.
UNIT_CPP = $(patsubst tests/unit/%.c,%_cpp,$(shell grep -l '^ \* Also compiled as C++' tests/unit/*.c))
# Names of all tests, largest test first.
UNIT = $(basename $(notdir $(shell ls -S tests/unit/test_*.c*))) $(UNIT_CPP)
# Tests that are linked with the tracer.
UNIT_TOOLS = $(basename $(notdir $(wildcard tests/uetrace/test_*.c)))
UNIT_PLAIN = $(filter-out test_decode_% %_cpp,$(UNIT))
# Builds without sanitizers that only check-all runs. `make test` includes unsanitized builds of
# only two tests, whose results sanitizers would change.
UNIT_OPTIMIZED = $(filter-out test_stack test_recorder_kill,$(UNIT_PLAIN))
UNIT_THREADS = $(foreach t,$(filter-out %_cpp,$(UNIT)),$(if $(findstring threads,$t)$(findstring activity,$t),$t))
UNIT_TESTS = $(UNIT_TOOLS) $(foreach t,$(UNIT),$t.asan $(filter $t,$(UNIT_PLAIN)) $(patsubst %,%.tsan,$(filter $t,$(UNIT_THREADS))))
UNIT_HELPERS = $(wildcard tests/unit/helpers/*.h tests/unit/helpers/trace/*.h \
	tests/unit/helpers/trace/*/*.h tests/fake_kernel/*.h)

# These tests also decode all events that they encode.
$B/tests/unit/test_lo% $B/tests/unit/test_build% $B/tests/unit/test_span% $B/tests/unit/test_otel%: TEST_WARNINGS += -DUE_TEST_DECODE
$B/tests/unit/test_compat%: TEST_WARNINGS += -DUE_TEST_DECODE -Iinclude/compat
LTTNG_EXAMPLES = /usr/share/doc/liblttng-ust-dev/examples
$B/tests/unit/test_lttn%: TEST_WARNINGS += -Iinclude/compat -I$(LTTNG_EXAMPLES) -I$(LTTNG_EXAMPLES)/demo \
	-I$(LTTNG_EXAMPLES)/easy-ust
$B/tests/unit/test_tracepoin% $B/tests/kernel/test_tracepoin%: TEST_WARNINGS += -Iinclude/kernel
$B/tests/kernel/test_usdt_operands $B/arm64/test_usdt_operands: TEST_WARNINGS += -Itools/uetrace

# `make unit` builds each test once, in a separate directory, without optimisation. Only the test of
# stack sizes needs optimisation.
unit: deps-unit
	@$(MAKE) --no-print-directory B=$B/unit CFLAGS=-O0 UNIT_OG=test_stack unit-tests
UNIT_ALONE = $(if $(shell command -v $(CXX)),$(UNIT),$(filter-out $(UNIT_CPP) %_cpp,$(UNIT)))
unit-tests:
	@[ -n '$(shell command -v $(CXX))' ] || echo 'skipped: the C++ tests; no compiler $(CXX)'
	@tests/run-tests all '$B/logs' $(words $(UNIT_ALONE)) \
		$(MAKE) --no-print-directory -sk $(PARALLEL) $(UNIT_ALONE:%=$B/logs/%)
print-unit:
	@printf '%s\n' $(UNIT_ALONE)
.PHONY: unit unit-tests print-unit

# Detects writes beyond the end of an event's buffer. In the other build, AddressSanitizer detects
# them.
$B/tests/unit/test_limits: TEST_WARNINGS += -fstack-protector-strong
# Compiled as position-independent code, like a library.
$B/tests/unit/test_unloa%: TEST_WARNINGS += -fPIC
# Adds a hook to each function and, if the compiler can exclude functions (GCC 12), to each block.
$B/tests/unit/test_traced_function%: private TEST_WARNINGS += -finstrument-functions $(TRACE_PC)
TRACE_PC = $(if $(filter-out 6 6.% 7 7.% 8 8.% 9 9.% 10 10.% 11 11.%,$(shell $(CC) -dumpversion)),-fsanitize-coverage=trace-pc)

# The fake kernel also depends on build.mk, which contains the flags.
FAKE_KERNEL = tests/fake_kernel/fake_kernel.c tests/fake_kernel/fake_kernel.h tests/unit/build.mk
FAKE_KERNEL_OBJECTS = $B/tests/fake_kernel.o $B/tests/fake_kernel.asan.o $B/tests/fake_kernel.tsan.o
$B/tests/fake_kernel.o: $(FAKE_KERNEL)
	@mkdir -p $(@D)
	$(TC) -Og -c -o $@ $<
$B/tests/fake_kernel.asan.o: $(FAKE_KERNEL)
	@mkdir -p $(@D)
	$(TC) $(ASAN) -c -o $@ $<
$B/tests/fake_kernel.tsan.o: $(FAKE_KERNEL)
	@mkdir -p $(@D)
	$(TC) $(TSAN) -c -o $@ $<

# The tracer without main(), with sanitizers. A function that is defined by both a test and the
# tracer is taken from the test.
TRACER_TEST = $(UETRACE_CFLAGS) $(ASAN) -DUE_FUZZ -Iinclude -Iinclude/kernel -I$(UETRACE_DIR) -I$B
TRACER_TEST_OBJECTS = $(patsubst $(UETRACE_DIR)/%.c,$B/tests/tracer/%.o,$(filter-out %/main.c,$(UETRACE_SRCS)))
$B/tests/tracer/%.o: $(UETRACE_DIR)/%.c $(UETRACE_HDRS) $B/syscalls.inc
	@mkdir -p $(@D)
	$(CC) $(TRACER_TEST) $(UETRACE_PKG_CFLAGS) -c -o $@ $<
$B/tests/tracer.a: $(TRACER_TEST_OBJECTS)
	rm -f $@
	$(AR) rcs $@ $^
$B/tests/unit/test_uetrace_%: tests/uetrace/test_uetrace_%.c $B/tests/tracer.a $(UETRACE_HDRS) $(UNIT_HELPERS) $(wildcard tests/uetrace/*.h)
	@mkdir -p $(@D)
	$(CC) $(TRACER_TEST) -Wall -Wextra -Werror -Itests/uetrace -Itests/unit/helpers -Itests/fake_kernel \
		-o $@ $< $(TEST_PARTS) $B/tests/tracer.a -lcmocka $$(pkg-config --cflags --libs $(UETRACE_PKGS))
$B/tests/unit/%.asan: tests/unit/%.c $B/tests/fake_kernel.asan.o $(UNIT_HELPERS) $(HEADERS)
	@mkdir -p $(@D)
	$(TC) $(ASAN) -o $@ $< $B/tests/fake_kernel.asan.o -lcmocka -pthread -lm
$B/tests/unit/%.asan: tests/unit/%.cc $B/tests/fake_kernel.asan.o $(UNIT_HELPERS) $(HEADERS)
	@mkdir -p $(@D)
	$(TCPP) $(ASAN) -o $@ $< $B/tests/fake_kernel.asan.o -lcmocka -pthread
$(UNIT_CPP:%=$B/tests/unit/%): $B/tests/unit/%_cpp: tests/unit/%.c $B/tests/fake_kernel.o $(UNIT_HELPERS) $(HEADERS)
	@mkdir -p $(@D)
	$(TCPP) -x c++ $< -x none -o $@ $B/tests/fake_kernel.o -lcmocka -pthread
$(UNIT_CPP:%=$B/tests/unit/%.asan): $B/tests/unit/%_cpp.asan: tests/unit/%.c $B/tests/fake_kernel.asan.o $(UNIT_HELPERS) $(HEADERS)
	@mkdir -p $(@D)
	$(TCPP) $(ASAN) -x c++ $< -x none -o $@ $B/tests/fake_kernel.asan.o -lcmocka -pthread
$B/tests/unit/%.tsan: tests/unit/%.c $B/tests/fake_kernel.tsan.o $(UNIT_HELPERS) $(HEADERS)
	@mkdir -p $(@D)
	$(TC) $(TSAN) -o $@ $< $B/tests/fake_kernel.tsan.o -lcmocka -pthread -lm
$B/tests/unit/%: tests/unit/%.c $B/tests/fake_kernel.o $(UNIT_HELPERS) $(HEADERS)
	@mkdir -p $(@D)
	$(TC) $(UNIT_O) -o $@ $< $B/tests/fake_kernel.o -lcmocka -pthread -lm
$B/tests/unit/%: tests/unit/%.cc $B/tests/fake_kernel.o $(UNIT_HELPERS) $(HEADERS)
	@mkdir -p $(@D)
	$(TCPP) -o $@ $< $B/tests/fake_kernel.o -lcmocka -pthread

ABI_TABLE = tests/fake_kernel/abi_table.c $(wildcard tests/fake_kernel/abi/*.c)
$B/tests/abi_table: $(ABI_TABLE) tests/fake_kernel/abi/language.h $B/tests/fake_kernel.o $(HEADERS)
	$(TC) -Og -o $@ $(ABI_TABLE) $B/tests/fake_kernel.o -pthread
