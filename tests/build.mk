# SPDX-License-Identifier: MIT
# `make test` is meant to be run for every change, and takes about 8 minutes of CPU time. `make
# check-all` runs the remaining tests, which CI needs: other builds and tools. Neither requires a
# special kernel. Each test is a make target, so that tests can run in parallel.

# Each log file is named after its test. For a script, the test name is derived from the path:
# tests/man.sh becomes man, and tests/uetrace/show.sh becomes uetrace_show. The scripts source
# checks.sh. packages.sh is not listed here, because check-packages runs it.
NO_TEST = tests/checks.sh tests/packages.sh
SCRIPTS = $(sort $(subst /,_,$(patsubst tests/%.sh,%,$(filter-out $(NO_TEST),$(wildcard tests/*.sh tests/uetrace/*.sh)))))
# Tests that need additional packages, root, or several minutes. They are part of check-all.
SLOW_SCRIPTS = dtrace exits figures first_build install lttng man systemd uetrace_ctf uetrace_lines \
	uetrace_list_hostile uetrace_otlp uetrace_recorder_busy uetrace_recorder_machines uetrace_stream uetrace_usdt_native
REPLAYS = $(patsubst tests/fuzz/%/,%_replay,$(wildcard tests/fuzz/*/))
# Start the long tests first, so that short tests fill the remaining time: first the scripts, then
# the unit tests in order of size.
TESTS = compile_fast $(filter-out $(SLOW_SCRIPTS),$(SCRIPTS)) hotpath_gcc docs_text promised \
	$(filter-out $(UNIT_OPTIMIZED),$(UNIT_TESTS)) $(REPLAYS) abi_table
ALL_TESTS = compile_gcc compile_clang docs $(filter $(SLOW_SCRIPTS),$(SCRIPTS)) hotpath redzone versions names $(UNIT_OPTIMIZED)

a_test = @tests/run-tests one $@
$B/logs/%: tests/%.sh
	$(a_test) $<
$B/logs/uetrace_%: tests/uetrace/%.sh
	$(a_test) $<
# A test is built just before it runs, so that some tests are built while others run.
$B/logs/test_%:
	$(a_test) '$(MAKE) -s $B/tests/unit/test_$* && $B/tests/unit/test_$*'
$B/logs/compile_%:
	$(a_test) 'JOBS=1 UE_COMPILE_OUT=$B/compile_$* tests/compile/run $(if $(filter fast,$*),,quick) $*'
$B/logs/perf_replay: SEEDS = $S/perf tests/data/perf_*
$B/logs/usdt_replay: SEEDS = $S/usdt
$B/logs/%_replay: $B/tests/%_replay
	$(a_test) '$< tests/fuzz/$* $(SEEDS)'
$B/logs/abi_table: $B/tests/abi_table
	$(a_test) $<
$B/logs/docs:
	$(a_test) tests/docs/run
$B/logs/docs_text:
	$(a_test) 'tests/docs/run text'
$B/logs/hotpath:
	$(a_test) 'tests/compile/hotpath -c g++ clang clang++'
$B/logs/hotpath_gcc:
	$(a_test) 'tests/compile/hotpath -c gcc'
$B/logs/redzone $B/logs/versions $B/logs/names $B/logs/promised:
	$(a_test) tests/compile/$(@F)

# Files that several tests need. They are not dependencies of these tests, because make would then
# start the tests last.
BUILT_BEFORE = $(FAKE_KERNEL_OBJECTS) $(UETRACE) $(PLUGIN) $(EXAMPLE_PROGRAMS)
BUILT_BEFORE_TEST = $(BUILT_BEFORE) $B/tests/tracer.a $(REPLAYS:%=$B/tests/%) $S/perf $S/usdt

# Run one job more than there are processors, because some tests spend time waiting. If the user
# passes -j, that number is used.
PARALLEL = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell expr $$(nproc) + 1))
test: deps-test+tools
	@$(MAKE) -s $(PARALLEL) $(BUILT_BEFORE_TEST)
	@tests/run-tests all '$B/logs' $(words $(TESTS)) \
		$(MAKE) --no-print-directory -sk $(PARALLEL) $(TESTS:%=$B/logs/%)
check: test
check-all: deps-test+all+tools
	@$(MAKE) -s $(PARALLEL) $(BUILT_BEFORE)
	@tests/run-tests all '$B/logs' $(words $(ALL_TESTS)) \
		$(MAKE) --no-print-directory -sk $(PARALLEL) $(ALL_TESTS:%=$B/logs/%)

# Prints the names of all tests, for tests/promises.sh.
print-tests:
	@printf '%s\n' $(TESTS) $(ALL_TESTS) packages

# Tests the output of `make dist`, and builds and checks the Debian packages.
check-packages: deps-test+all+tools+packages
	@tests/packages.sh
	@$(MAKE) --no-print-directory deb

# Prevents make from applying its implicit rules to misspelt targets and to files that have no rule.
Makefile: ;
%.mk: ;
.DEFAULT:
	@echo "make: there is no target '$@'; 'make help' lists them" >&2; exit 2

.PHONY: test check check-all print-tests check-packages
