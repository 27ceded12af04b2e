# SPDX-License-Identifier: MIT
# `make test`: all that needs no special kernel; `make check` is the same. Each test is a target, so that
# make runs them side by side.

# Each test has a log of its name. One of a script is found by the script's name: tests/man.sh is man,
# tests/uetrace/show.sh is uetrace_show.
NO_TEST = tests/checks.sh
SCRIPTS = $(filter-out $(NO_TEST),$(wildcard tests/*.sh tests/uetrace/*.sh))
REPLAYS = $(patsubst tests/fuzz/%/,%_replay,$(wildcard tests/fuzz/*/))
# The long ones first, as many short ones fill the end: scripts, then unit tests by their size.
TESTS = compile_gcc compile_clang docs $(sort $(subst /,_,$(SCRIPTS:tests/%.sh=%))) hotpath redzone \
	versions names promised $(UNIT_TESTS) $(REPLAYS) abi_table

a_test = @tests/run-tests one $@
$B/logs/%: tests/%.sh
	$(a_test) $<
$B/logs/uetrace_%: tests/uetrace/%.sh
	$(a_test) $<
# is built when its turn comes, so that some are built while others run
$B/logs/test_%:
	$(a_test) '$(MAKE) -s $B/tests/unit/test_$* && $B/tests/unit/test_$*'
$B/logs/compile_%:
	$(a_test) 'JOBS=1 UE_COMPILE_OUT=$B/compile_$* tests/compile/run quick $*'
$B/logs/perf_replay: SEEDS = $S/perf tests/data/perf_*
$B/logs/usdt_replay: SEEDS = $S/usdt
$B/logs/%_replay: $B/tests/%_replay
	$(a_test) '$< tests/fuzz/$* $(SEEDS)'
$B/logs/abi_table: $B/tests/abi_table
	$(a_test) $<
$B/logs/docs:
	$(a_test) tests/docs/run
$B/logs/hotpath:
	$(a_test) 'tests/compile/hotpath -c'
$B/logs/redzone $B/logs/versions $B/logs/names $B/logs/promised:
	$(a_test) tests/compile/$(@F)

# What several tests need. make would keep a test that has to wait for such a file until all others have begun.
BUILT_BEFORE = $(FAKE_KERNEL_OBJECTS) $(UETRACE) $(PLUGIN) $(EXAMPLE_PROGRAMS) $B/tests/tracer.a \
	$(REPLAYS:%=$B/tests/%) $S/perf $S/usdt

# one job more than processors, since some tests wait; unless make was told a number
PARALLEL = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell expr $$(nproc) + 1))
test: deps-test+tools
	@$(MAKE) -s $(PARALLEL) $(BUILT_BEFORE)
	@tests/run-tests all '$B/logs' $(words $(TESTS)) \
		$(MAKE) --no-print-directory -sk $(PARALLEL) test-run
check: test
test-run: $(TESTS:%=$B/logs/%)

# and with the tools of Debian's packagers
check-packages: deps-test+tools+packages
	@tests/packages.sh
	@$(MAKE) --no-print-directory deb

# A misspelt target, or a file that nothing makes.
Makefile: ;
%.mk: ;
.DEFAULT:
	@echo "make: there is no target '$@'; 'make help' lists them" >&2; exit 2

.PHONY: test check test-run check-packages
