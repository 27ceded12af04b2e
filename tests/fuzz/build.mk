# SPDX-License-Identifier: MIT
# Hostile inputs. Seeds that a program writes are in $B/seeds, the others in tests/fuzz.
S = $B/seeds
$S/perf: tests/fuzz/perf_seeds.py
	@mkdir -p $@
	$< $@ && touch $@
# by each compiler that is here: `make deps-portable` installs those of other machines
$S/usdt: tests/fuzz/usdt_probes.c include/user_events.h
	@mkdir -p $@
	for cc in $(CC) $(addsuffix -gcc,i686-linux-gnu aarch64-linux-gnu arm-linux-gnueabihf \
			riscv64-linux-gnu s390x-linux-gnu); do \
		! command -v $$cc >/dev/null || $$cc -std=gnu11 -O2 -Iinclude -fPIC -shared -nostdlib -s \
			-Wl,-z,noseparate-code,-z,max-page-size=4096 -o $@/$$cc $< || exit; \
	done
	touch $@

# The fuzzer's inputs, without a fuzzer; new ones are found by `make fuzz`.
$B/tests/decode_replay: tests/fuzz/decode_fuzz.c tests/fuzz/replay.h include/user_events_decode.h
	@mkdir -p $(@D)
	$(TC) $(ASAN) -DUE_FUZZ_REPLAY -o $@ $<

# What it needs of the tracer; its warnings are not the replay's matter.
PERF_FUZZ_FLAGS = $(UETRACE_CFLAGS) -g $(ASAN) -Iinclude -Iexamples/uetrace
PERF_FUZZ_LIBS = $$(pkg-config --cflags --libs $(UETRACE_PKGS))
$B/tests/perf_replay: tests/fuzz/perf_fuzz.c tests/fuzz/replay.h $(UETRACE_SRCS) $(UETRACE_HDRS)
	@mkdir -p $(@D)
	$(CC) $(PERF_FUZZ_FLAGS) -DUE_FUZZ_REPLAY -o $@ $< $(PERF_FUZZ_LIBS)

$B/tests/usdt_replay: tests/fuzz/usdt_fuzz.c tests/fuzz/replay.h $(UETRACE_SRCS) $(UETRACE_HDRS) $(TOP_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(PERF_FUZZ_FLAGS) -Iinclude/kernel -DUE_FUZZ_REPLAY -o $@ $< $(PERF_FUZZ_LIBS)

# Recordings are read by the tracer's own objects.
RECORDING_FUZZ_FLAGS = $(PERF_FUZZ_FLAGS) -DUE_FUZZ -Wl,--wrap=warning
RECORDING_FUZZ_SRCS = $(addprefix $(UETRACE_DIR)/, decode.c print.c fields.c otel.c threads.c input.c util.c formats.c)
TRACE_DAT_OWN = $(addprefix $(UETRACE_DIR)/, trace_dat.c texts_fields.c)
TRACE_DAT_FUZZ_SRCS = $(TRACE_DAT_OWN) $(RECORDING_FUZZ_SRCS)
TRACE_DAT_FUZZ_LIBS = $$(pkg-config --cflags --libs libtracefs libtraceevent libtracecmd)
RECORDING_OBJECTS = $(RECORDING_FUZZ_SRCS:$(UETRACE_DIR)/%.c=$B/replay.o/%.o)
$B/replay.o/%.o: $(UETRACE_DIR)/%.c $(UETRACE_HDRS)
	@mkdir -p $(@D)
	$(CC) $(RECORDING_FUZZ_FLAGS) $(UETRACE_PKG_CFLAGS) -c -o $@ $<
$B/tests/trace_dat_replay: tests/fuzz/trace_dat_fuzz.c tests/fuzz/replay.h tests/fuzz/recordings.h $(UETRACE_HDRS) \
		$(TRACE_DAT_OWN) $(RECORDING_OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(RECORDING_FUZZ_FLAGS) -DUE_FUZZ_REPLAY -o $@ $< $(TRACE_DAT_OWN) $(RECORDING_OBJECTS) $(TRACE_DAT_FUZZ_LIBS)

RUNS = 100000
# gcc's
$B/%_fuzz: ASAN_CALLS =
$B/%_fuzz: ASAN_TRAP =
$B/decode_fuzz: tests/fuzz/decode_fuzz.c tests/fuzz/replay.h include/user_events_decode.h
	@mkdir -p $(@D)
	clang -std=gnu11 -g $(ASAN) -fsanitize=fuzzer -Iinclude -o $@ $<
$B/perf_fuzz: tests/fuzz/perf_fuzz.c tests/fuzz/replay.h $(UETRACE_SRCS) $(UETRACE_HDRS)
	@mkdir -p $(@D)
	clang $(PERF_FUZZ_FLAGS) -fsanitize=fuzzer -o $@ $< $(PERF_FUZZ_LIBS)
$B/recorder_fuzz: tests/fuzz/recorder_fuzz.c tests/fuzz/replay.h $(TOP_HEADERS)
	@mkdir -p $(@D)
	clang -std=gnu11 -g $(ASAN) -fsanitize=fuzzer -Iinclude -o $@ $<
$B/usdt_fuzz: tests/fuzz/usdt_fuzz.c tests/fuzz/replay.h $(UETRACE_SRCS) $(UETRACE_HDRS) $(TOP_HEADERS)
	@mkdir -p $(@D)
	clang $(PERF_FUZZ_FLAGS) -Iinclude/kernel -fsanitize=fuzzer -o $@ $< $(PERF_FUZZ_LIBS)
$B/trace_dat_fuzz: tests/fuzz/trace_dat_fuzz.c tests/fuzz/replay.h tests/fuzz/recordings.h $(UETRACE_SRCS) $(UETRACE_HDRS)
	@mkdir -p $(@D)
	clang $(RECORDING_FUZZ_FLAGS) -fsanitize=fuzzer -o $@ $< $(TRACE_DAT_FUZZ_SRCS) $(TRACE_DAT_FUZZ_LIBS)
# Inputs that reach new code are left in $B/fuzz/new, perf and so on, those that fail in $B/fuzz.
fuzz: deps-fuzz+tools
	@$(MAKE) --no-print-directory $B/decode_fuzz $B/perf_fuzz \
		$B/recorder_fuzz $B/usdt_fuzz $B/trace_dat_fuzz $S/perf $S/usdt
	@mkdir -p '$B/fuzz/new' '$B/fuzz/perf' '$B/fuzz/recorders' \
		'$B/fuzz/usdt' '$B/fuzz/trace_dat'
	$B/recorder_fuzz -max_len=4096 -runs=$(RUNS) -print_final_stats=1 \
		-artifact_prefix='$B/fuzz/' '$B/fuzz/recorders'
	$B/decode_fuzz -max_len=1500 -runs=$(RUNS) -print_final_stats=1 \
		-artifact_prefix='$B/fuzz/' '$B/fuzz/new' tests/fuzz/decode
	$B/perf_fuzz -max_len=8000 -runs=$(RUNS) -print_final_stats=1 \
		-artifact_prefix='$B/fuzz/' '$B/fuzz/perf' tests/fuzz/perf $S/perf
	$B/usdt_fuzz -max_len=48000 -runs=$(RUNS) -print_final_stats=1 \
		-artifact_prefix='$B/fuzz/' '$B/fuzz/usdt' tests/fuzz/usdt $S/usdt
	@# libtracecmd 3.1 keeps two mappings of each file: a process reads 10000 inputs, twice, before it has too many
	for left in $$(seq $(RUNS) -10000 1); do \
		$B/trace_dat_fuzz -max_len=2048 -runs=$$((left < 10000 ? left : 10000)) -print_final_stats=1 \
			-artifact_prefix='$B/fuzz/' '$B/fuzz/trace_dat' tests/fuzz/trace_dat || exit; \
	done

.PHONY: fuzz
