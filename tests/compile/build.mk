# SPDX-License-Identifier: MIT
# Compilers, standards and machines; format and lint.

check-portable: deps-test+portable
	@tests/compile/run matrix

# The headers and the tests' tables are laid out by hand.
BY_HAND = tests/compile/% tests/fake_kernel/abi_table.c tests/kernel/test_log_all.c \
	tests/unit/test_log.c tests/unit/test_trace.c tests/unit/test_builder.c \
	tests/unit/test_property.c tests/unit/test_runtime.c tests/fake_kernel/fake_kernel.c \
	tests/unit/test_log_cpp.cc tests/unit/test_trace_cpp.cc tests/unit/test_decode_%.c \
	tests/bench/decode_bench.c examples/decode_event.c tests/kernel/test_thousand_events.c
SOURCES = $(filter-out $(BY_HAND),$(shell git ls-files '*.c' '*.cc'))
format: deps-lint
	clang-format -i $(SOURCES)
check-format: deps-lint
	@clang-format --dry-run --Werror $(SOURCES)
lint: deps-lint
	@tests/compile/lint

.PHONY: check-portable format check-format lint
