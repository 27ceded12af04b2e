# SPDX-License-Identifier: MIT
# What is tested without a kernel: tests on the fake kernel, what compiles, examples, documentation,
# installation.

# The tests' own code may convert; what the headers may is tests/compile's matter.
TEST_WARNINGS = -Wall -Wextra -Wno-unused-parameter -Werror
TC = $(CC) -std=gnu11 $(CFLAGS) $(TEST_WARNINGS) -Iinclude -Itests/unit/helpers
TCPP = $(CXX) -std=c++17 $(CXXFLAGS) $(TEST_WARNINGS) -Iinclude -Itests/unit/helpers
ASAN = -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined
TSAN = -O1 -fsanitize=thread

UNIT_C = $(basename $(notdir $(wildcard tests/unit/test_*.c)))
UNIT_CPP = $(basename $(notdir $(wildcard tests/unit/test_*.cc)))
# those of the tracer are built with its sources, at the end of this list
UNIT_TOOLS = $(filter test_uetrace_%,$(UNIT_C))
UNIT = $(filter-out $(UNIT_TOOLS),$(UNIT_C)) $(UNIT_CPP)
THREADS = $(filter %threads% %activity%,$(UNIT))
UNIT_PROGRAMS = $(UNIT:%=$B/tests/unit/%) $(UNIT:%=$B/tests/unit/%.asan) \
	$(THREADS:%=$B/tests/unit/%.tsan) $(UNIT_TOOLS:%=$B/tests/unit/%)
# what is encoded is decoded, too
$B/tests/unit/test_lo% $B/tests/unit/test_build%: TEST_WARNINGS += -DUE_TEST_DECODE
UNIT_HELPERS = $(wildcard tests/unit/helpers/*.h tests/unit/helpers/trace/*.h \
	tests/unit/helpers/trace/*/*.h)
$B/tests/unit/test_tracepoin% $B/tests/kernel/test_tracepoin%: TEST_WARNINGS += -Iinclude/kernel

$B/tests/fake_kernel.o: tests/unit/helpers/fake_kernel.c tests/unit/helpers/fake_kernel.h
	@mkdir -p $(@D)
	$(TC) -c -o $@ $<
$B/tests/fake_kernel.asan.o: tests/unit/helpers/fake_kernel.c tests/unit/helpers/fake_kernel.h
	@mkdir -p $(@D)
	$(TC) $(ASAN) -c -o $@ $<
$B/tests/fake_kernel.tsan.o: tests/unit/helpers/fake_kernel.c tests/unit/helpers/fake_kernel.h
	@mkdir -p $(@D)
	$(TC) $(TSAN) -c -o $@ $<

$B/tests/unit/test_uetrace_%: tests/unit/test_uetrace_%.c $(UETRACE_SRCS) $(UETRACE_HDRS) $(UNIT_HELPERS)
	@mkdir -p $(@D)
	$(CC) $(UETRACE_CFLAGS) $(CFLAGS) $(ASAN) -Wall -Wextra -Iinclude -Iinclude/kernel \
		-Iexamples/uetrace -Itests/unit/helpers -o $@ $< \
		-lcmocka $$(pkg-config --cflags --libs $(UETRACE_PKGS))
$B/tests/unit/%.asan: tests/unit/%.c $B/tests/fake_kernel.asan.o $(UNIT_HELPERS) $(HEADERS)
	@mkdir -p $(@D)
	$(TC) $(ASAN) -o $@ $< $B/tests/fake_kernel.asan.o -lcmocka -pthread -lm
$B/tests/unit/%.asan: tests/unit/%.cc $B/tests/fake_kernel.asan.o $(UNIT_HELPERS) $(HEADERS)
	@mkdir -p $(@D)
	$(TCPP) $(ASAN) -o $@ $< $B/tests/fake_kernel.asan.o -lcmocka -pthread
$B/tests/unit/%.tsan: tests/unit/%.c $B/tests/fake_kernel.tsan.o $(UNIT_HELPERS) $(HEADERS)
	@mkdir -p $(@D)
	$(TC) $(TSAN) -o $@ $< $B/tests/fake_kernel.tsan.o -lcmocka -pthread -lm
$B/tests/unit/%: tests/unit/%.c $B/tests/fake_kernel.o $(UNIT_HELPERS) $(HEADERS)
	@mkdir -p $(@D)
	$(TC) -o $@ $< $B/tests/fake_kernel.o -lcmocka -pthread -lm
$B/tests/unit/%: tests/unit/%.cc $B/tests/fake_kernel.o $(UNIT_HELPERS) $(HEADERS)
	@mkdir -p $(@D)
	$(TCPP) -o $@ $< $B/tests/fake_kernel.o -lcmocka -pthread

$B/tests/abi_table: tests/kernel/programs/abi_table.c $B/tests/fake_kernel.o $(HEADERS)
	$(TC) -o $@ $< $B/tests/fake_kernel.o -pthread

test: deps-test+tools
	@$(MAKE) --no-print-directory -j2 test-programs
	@scripts/run-tests '$B' $(UNIT_PROGRAMS) '$B/tests/abi_table' \
		'tests/compile/run quick' 'tests/compile/hotpath gcc' tests/examples.sh tests/install.sh tests/deps.sh \
		'$B/tests/decode_replay tests/fuzz/corpus' \
		tests/uetrace_completion.sh tests/uetrace_show.sh tests/docs/run
test-programs: $(UNIT_PROGRAMS) $B/tests/abi_table $B/tests/decode_replay $(UETRACE) examples

.PHONY: test test-programs
