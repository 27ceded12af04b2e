# SPDX-License-Identifier: MIT
# `make test`: all that needs no special kernel; `make check` is the same. Each test is a target, so that make runs them side
# by side; the slow ones begin early.

# $(call a_test,NAME,COMMAND,WHAT IT NEEDS)
define a_test
$B/logs/$1: $3
	@tests/run-tests one $$@ '$2'
endef

# A unit test is built when its turn comes, so that some are built while others run.
$(foreach t,$(UNIT_TESTS),$(eval $(call a_test,$t,$(MAKE) -s $B/tests/unit/$t && $B/tests/unit/$t)))
$(foreach c,gcc clang,$(eval $(call a_test,compile_$c,JOBS=1 UE_COMPILE_OUT=$B/compile_$c tests/compile/run quick $c)))
$(eval $(call a_test,hotpath,tests/compile/hotpath -c))
$(eval $(call a_test,redzone,tests/compile/redzone))
$(eval $(call a_test,docs,tests/docs/run))
$(eval $(call a_test,examples,tests/examples.sh,examples))
$(eval $(call a_test,dtrace,tests/dtrace.sh))
$(eval $(call a_test,lttng,tests/lttng.sh,$(UETRACE)))
$(eval $(call a_test,first_build,tests/first_build.sh))
$(eval $(call a_test,install,tests/install.sh))
$(eval $(call a_test,man,tests/man.sh))
$(eval $(call a_test,packages,tests/packages.sh))
$(eval $(call a_test,systemd,tests/systemd.sh))
$(eval $(call a_test,tree,tests/tree.sh))
$(eval $(call a_test,abi_table,$B/tests/abi_table,$B/tests/abi_table))
$(eval $(call a_test,decode_replay,$B/tests/decode_replay tests/fuzz/decode,$B/tests/decode_replay))
$(eval $(call a_test,perf_replay,$B/tests/perf_replay tests/fuzz/perf $S/perf tests/data/perf_*,$B/tests/perf_replay $S/perf))
$(eval $(call a_test,usdt_replay,$B/tests/usdt_replay tests/fuzz/usdt $S/usdt,$B/tests/usdt_replay $S/usdt))
$(eval $(call a_test,trace_dat_replay,$B/tests/trace_dat_replay tests/fuzz/trace_dat,$B/tests/trace_dat_replay))
$(eval $(call a_test,uetrace_trace_dat,tests/uetrace/trace_dat.sh,$(UETRACE) $B/tests/trace_dat_replay))
$(eval $(call a_test,plugin,tests/uetrace/plugin.sh,$(UETRACE) $(PLUGIN) $B/tests/trace_dat_replay))
$(eval $(call a_test,uetrace_completion,tests/uetrace/completion.sh,$(UETRACE)))
$(eval $(call a_test,uetrace_show,tests/uetrace/show.sh,$(UETRACE) examples))
$(eval $(call a_test,uetrace_list,tests/uetrace/list.sh,$(UETRACE) examples))
$(eval $(call a_test,uetrace_alike,tests/uetrace/alike.sh,$(UETRACE)))
$(eval $(call a_test,uetrace_recorder,tests/uetrace/recorder.sh,$(UETRACE) examples))
$(eval $(call a_test,recorder_machines,tests/uetrace/recorder_machines.sh))
$(eval $(call a_test,uetrace_picture,tests/uetrace/picture.sh,$(UETRACE) examples))
$(eval $(call a_test,uetrace_ctf,tests/uetrace/ctf.sh,$(UETRACE)))
$(eval $(call a_test,uetrace_stream,tests/uetrace/stream.sh,$(UETRACE) examples))
$(eval $(call a_test,uetrace_otlp,tests/uetrace/otlp.sh,$(UETRACE) examples))
$(eval $(call a_test,uetrace_hist,tests/uetrace/hist.sh,$(UETRACE) examples))

# The long ones first, with the programs that they need; many short ones fill the end.
TESTS = compile_gcc compile_clang docs uetrace_show uetrace_picture uetrace_ctf uetrace_stream uetrace_otlp uetrace_list uetrace_hist uetrace_recorder uetrace_alike \
	uetrace_completion uetrace_trace_dat plugin examples lttng recorder_machines first_build install dtrace man packages hotpath redzone systemd tree abi_table \
	decode_replay perf_replay usdt_replay trace_dat_replay $(UNIT_LONG) \
	$(filter-out $(UNIT_LONG),$(UNIT_TESTS))
UNIT_LONG = test_recorder.asan test_recorder test_recorder_kill test_uetrace_plugin test_recorder_threads.tsan \
	test_capture.asan test_log.asan test_log test_trace.asan test_trace test_uetrace_notes test_uetrace_usdt \
	test_recorder_threads.asan test_shorten.asan test_log_cpp.asan test_capture_cpp.asan test_probe_threads.asan \
	test_builder test_builder.asan test_capture_threads test_capture test_uetrace_histogram test_uetrace_picture

# What several tests need. make would keep a test that has to wait for such a file until all others have begun.
BUILT_BEFORE = $(FAKE_KERNEL_OBJECTS) $(UETRACE) $(PLUGIN) $(EXAMPLE_PROGRAMS) $B/tests/trace_dat_replay

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
