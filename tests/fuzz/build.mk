# SPDX-License-Identifier: MIT
# Fuzz tests. Generated seeds are in $B/seeds, and all other seeds are in tests/fuzz.
S = $B/seeds
$S/perf: tests/fuzz/perf_seeds.py
	@mkdir -p $@
	$< $@ && touch $@
# Builds the probes with each installed compiler. `make deps-portable` installs cross compilers.
$S/usdt: tests/fuzz/usdt_probes.c include/user_events.h
	@mkdir -p $@
	for cc in $(CC) $(addsuffix -gcc,i686-linux-gnu aarch64-linux-gnu arm-linux-gnueabihf \
			riscv64-linux-gnu s390x-linux-gnu); do \
		! command -v $$cc >/dev/null || $$cc -std=gnu11 -O2 -Iinclude -fPIC -shared -nostdlib -s \
			-Wl,-z,noseparate-code,-z,max-page-size=4096 -o $@/$$cc $< || exit; \
	done
	touch $@

# Each fuzzer is built twice: $B/NAME_fuzz uses libFuzzer, and $B/tests/NAME_replay only runs the
# inputs in this directory. Fuzzers of the tracer are linked with the tracer's object files, but a
# function that a fuzzer defines replaces the tracer's function of the same name. Messages are
# formatted but not printed.
FUZZ_NEEDS = $(wildcard tests/fuzz/*.h) $(HEADERS) $(UETRACE_HDRS)
FUZZ_FLAGS = $(TRACER_TEST) -g $(FUZZ_WRAP)
FUZZ_LIBS = $$(pkg-config --cflags --libs $(UETRACE_PKGS))
$B/perf_fuzz $B/tests/perf_replay: FUZZ_WRAP = -Wl,--wrap=warning,--wrap=tep_parse_format
$B/trace_dat_fuzz $B/tests/trace_dat_replay: FUZZ_WRAP = -Wl,--wrap=warning
$B/decode_fuzz $B/recorder_fuzz $B/tests/decode_replay: \
	FUZZ_FLAGS = -std=gnu11 -g $(TEST_WARNINGS) $(ASAN) -Iinclude
$B/decode_fuzz $B/recorder_fuzz $B/tests/decode_replay: FUZZ_LIBS =
$B/tests/perf_replay $B/tests/usdt_replay $B/tests/trace_dat_replay: $B/tests/tracer.a
$B/perf_fuzz $B/usdt_fuzz $B/trace_dat_fuzz: $B/fuzz.o/tracer.a
$B/tests/%_replay: tests/fuzz/%_fuzz.c $(FUZZ_NEEDS)
	@mkdir -p $(@D)
	$(CC) $(FUZZ_FLAGS) -DUE_FUZZ_REPLAY -o $@ $(filter %.c %.a,$^) $(FUZZ_LIBS)
# These options exist only in GCC, but fuzzers are built with clang.
$B/fuzz.o/%.o $B/%_fuzz: ASAN_CALLS =
$B/fuzz.o/%.o $B/%_fuzz: ASAN_TRAP =
$B/%_fuzz: tests/fuzz/%_fuzz.c $(FUZZ_NEEDS)
	@mkdir -p $(@D)
	clang $(FUZZ_FLAGS) -fsanitize=fuzzer -o $@ $(filter %.c %.a,$^) $(FUZZ_LIBS)
$B/fuzz.o/%.o: $(UETRACE_DIR)/%.c $(UETRACE_HDRS) $B/syscalls.inc
	@mkdir -p $(@D)
	clang $(TRACER_TEST) -g -fsanitize=fuzzer-no-link $(UETRACE_PKG_CFLAGS) -c -o $@ $<
$B/fuzz.o/tracer.a: $(TRACER_TEST_OBJECTS:$B/tests/tracer/%=$B/fuzz.o/%)
	rm -f $@
	$(AR) rcs $@ $^

RUNS = 100000
# Inputs that reach new code are stored in $B/fuzz/decode, $B/fuzz/perf and so on. Inputs that fail
# are stored in $B/fuzz.
FUZZ_RUN = -print_final_stats=1 -artifact_prefix='$B/fuzz/'
fuzz: deps-fuzz+tools
	@$(MAKE) --no-print-directory $B/decode_fuzz $B/perf_fuzz \
		$B/recorder_fuzz $B/usdt_fuzz $B/trace_dat_fuzz $S/perf $S/usdt
	@cd $B && mkdir -p fuzz/decode fuzz/perf fuzz/recorder fuzz/usdt fuzz/operands fuzz/trace_dat
	$B/recorder_fuzz -max_len=4096 -runs=$(RUNS) $(FUZZ_RUN) '$B/fuzz/recorder'
	$B/decode_fuzz -max_len=1500 -runs=$(RUNS) $(FUZZ_RUN) '$B/fuzz/decode' tests/fuzz/decode
	$B/perf_fuzz -max_len=8000 -runs=$(RUNS) $(FUZZ_RUN) '$B/fuzz/perf' tests/fuzz/perf $S/perf
	@# the operands alone, which are short and fast
	$B/usdt_fuzz -max_len=200 -runs=$$((20 * $(RUNS))) $(FUZZ_RUN) '$B/fuzz/operands' tests/fuzz/usdt
	$B/usdt_fuzz -max_len=48000 -runs=$(RUNS) $(FUZZ_RUN) '$B/fuzz/usdt' tests/fuzz/usdt $S/usdt
	@# libtracecmd 3.1 never releases two mappings of each file. A process can read 10000 inputs, each twice,
	@# before it exceeds the limit on mappings.
	for left in $$(seq $(RUNS) -10000 1); do \
		$B/trace_dat_fuzz -max_len=2048 -runs=$$((left < 10000 ? left : 10000)) $(FUZZ_RUN) \
			'$B/fuzz/trace_dat' tests/fuzz/trace_dat || exit; \
	done

.PHONY: fuzz
