# SPDX-License-Identifier: MIT
# Tests with other compilers, standards and machines; formatting and linting.

check-portable: deps-test+portable+tools
	@$(MAKE) --no-print-directory check-compilers
	@$(MAKE) --no-print-directory check-linkers
check-compilers: deps-test+portable
	@tests/compile/run matrix
# If run as root on a kernel with uprobes, also traces the programs.
check-linkers: $(UETRACE)
	@tests/compile/linkers

# Lines have at most 100 columns, except in tests/compile/bad, where each expected message is on a single line. The
# files below are formatted manually: test tables, and headers with macros that clang-format does not understand.
BY_HAND = tests/compile/% tests/fake_kernel/abi_table.c tests/fake_kernel/abi/% tests/kernel/test_log_all.c \
	tests/unit/test_log.c tests/unit/test_trace.c tests/unit/test_builder.c \
	tests/unit/test_property.c tests/unit/test_runtime.c tests/fake_kernel/fake_kernel.c \
	tests/unit/test_log_cpp.cc tests/unit/test_trace_cpp.cc tests/unit/test_decode_%.c \
	tests/bench/decode_bench.c examples/decode_event.c tests/kernel/test_thousand_events.c \
	include/kernel/% include/compat/eventheader/% include/compat/tracepoint/% include/compat/ue_compat.h \
	$(addprefix include/user_events_,builder.h decode.h otel.h sdt.h span.h)
SOURCES = $(filter-out $(BY_HAND),$(shell git ls-files '*.c' '*.cc' 'include/*.h'))
format: deps-lint
	clang-format -i $(SOURCES)
check-format: deps-lint
	@clang-format --dry-run --Werror $(SOURCES)
	@git ls-files '*.c' '*.cc' '*.h' ':!tests/compile/bad' | xargs awk '{ s = $$0; while (i = index(s, "\t")) \
			s = substr(s, 1, i - 1) substr("        ", 1 + (i - 1) % 8) substr(s, i + 1) } \
		length(s) > 100 { print FILENAME ":" FNR ": over 100 columns"; bad = 1 } END { exit bad }'
lint: deps-lint
	@tests/compile/lint

.PHONY: check-portable check-compilers check-linkers format check-format lint
