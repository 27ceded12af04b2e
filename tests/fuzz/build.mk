# SPDX-License-Identifier: MIT
# Hostile inputs.

# The fuzzer's inputs, without a fuzzer; new ones are found by `make fuzz`.
$B/tests/decode_replay: tests/fuzz/decode_fuzz.c include/user_events_decode.h
	@mkdir -p $(@D)
	$(TC) $(ASAN) -DUE_FUZZ_REPLAY -o $@ $<

RUNS = 100000
$B/decode_fuzz: tests/fuzz/decode_fuzz.c include/user_events_decode.h
	@mkdir -p $(@D)
	clang -std=gnu11 -g $(ASAN) -fsanitize=fuzzer -Iinclude -o $@ $<
$B/capture_fuzz: tests/fuzz/capture_fuzz.c $(TOP_HEADERS)
	@mkdir -p $(@D)
	clang -std=gnu11 -g $(ASAN) -fsanitize=fuzzer -Iinclude -o $@ $<
# Inputs that reach new code are left in $B/fuzz/new and captures, those that fail in $B/fuzz.
fuzz: deps-fuzz
	@$(MAKE) --no-print-directory $B/decode_fuzz $B/capture_fuzz
	@mkdir -p '$B/fuzz/new' '$B/fuzz/captures'
	$B/capture_fuzz -max_len=4096 -runs=$(RUNS) -print_final_stats=1 \
		-artifact_prefix='$B/fuzz/' '$B/fuzz/captures'
	$B/decode_fuzz -max_len=1500 -runs=$(RUNS) -print_final_stats=1 \
		-artifact_prefix='$B/fuzz/' '$B/fuzz/new' tests/fuzz/corpus

.PHONY: fuzz
