# SPDX-License-Identifier: MIT
# Benchmarks, which measure the cost of events.

COST = tests/bench/cost.c tests/bench/cost_plain.c tests/bench/cost_noted.c tests/bench/cost_uprobe.c
$B/cost: $(COST) $(wildcard tests/bench/*.h) $(HEADERS)
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -Wall -Wextra -Iinclude -Iinclude/kernel -Iinclude/compat -Itests/bench -o $@ $(COST)
$B/cost_declared: tests/bench/cost_declared.c tests/bench/bench.h $(HEADERS)
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -Wall -Wextra -Iinclude -o $@ $<
$B/decode_bench: tests/bench/decode_bench.c $(HEADERS)
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -Wall -Wextra -Iinclude -o $@ $<
$B/capture_cost: tests/bench/capture_cost.c tests/bench/bench.h $(HEADERS)
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -Wall -Wextra -Iinclude -o $@ $<
$B/lttng_cost: tests/bench/lttng_cost.c tests/bench/lttng_provider.h tests/bench/bench.h
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -Wall -Wextra -Itests/bench -o $@ $< $$(pkg-config --cflags --libs lttng-ust)
$B/recorder_cost: tests/bench/recorder_cost.c tests/bench/bench.h $(HEADERS)
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -Wall -Wextra -Iinclude -o $@ $< -pthread
# If LTTng-UST is not installed, the table shows this in the rows of LTTng-UST.
bench: deps-bench
	@-$(MAKE) --no-print-directory -s $B/lttng_cost
	@$(MAKE) --no-print-directory $B/cost $B/cost_declared $B/decode_bench $B/capture_cost $B/recorder_cost
	@tests/compile/hotpath
	@tests/bench/compile_cost
	@$B/decode_bench
	@$B/capture_cost
	@tests/bench/recorder $B/recorder_cost $B/lttng_cost
	@UE_KERNEL=$$(tests/kernel/build-kernel) && export UE_KERNEL && \
		tests/kernel/vm -i sh -c '$B/cost_declared; status=$$?; $B/cost || status=1; tests/bench/lttng $B/lttng_cost; exit $$status'

# Compares the cost of events with the cost of alternatives. All figures in the table are measured in
# a single run of one virtual machine.
bench-peers: deps-bench
	@UE_KERNEL=$$(tests/kernel/build-kernel) && export UE_KERNEL && tests/bench/peers

.PHONY: bench bench-peers
