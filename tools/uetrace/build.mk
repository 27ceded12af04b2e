# SPDX-License-Identifier: MIT
# Builds uetrace and its libtraceevent plugin.
UETRACE_DIR = tools/uetrace
UETRACE_SRCS = $(filter-out $(UETRACE_DIR)/plugin/%,$(wildcard $(UETRACE_DIR)/*/*.c))
UETRACE_HDRS = $(wildcard $(UETRACE_DIR)/*.h $(UETRACE_DIR)/*/*.h) $(wildcard include/*.h) include/kernel/ue_trace_event/spec.h
UETRACE_PKGS = libtracefs libtraceevent libtracecmd libzstd libelf
# uetrace does not register events of its own at startup.
UETRACE_CFLAGS = -std=gnu11 -D_GNU_SOURCE -DUE_NO_AUTO_REGISTER
UETRACE_MAN = $(UETRACE_DIR)/uetrace.1
UETRACE_COMPLETION = $(UETRACE_DIR)/uetrace.bash
UETRACE = $B/uetrace

# Command that prints the name of each compiled file, to show users the progress.
SAY = :
tools: deps-tools
	@$(MAKE) --no-print-directory SAY=echo $(UETRACE) $(PLUGIN)
# Converts each line such as "#define __NR_read 0" to [__NR_read] = "read",
$B/syscalls.inc:
	@mkdir -p $(@D)
	@echo '#include <asm/unistd.h>' | $(CC) -E -dM - >$@.macros
	@sed -nE '/__NR_syscalls/d; s/^#define __NR_([a-z][a-z0-9_]*) .*/[__NR_\1] = "\1",/p' $@.macros >$@
# Runs pkg-config only once, and only if its output is needed.
UETRACE_PKG_CFLAGS = $(eval UETRACE_PKG_CFLAGS := $(shell pkg-config --cflags $(UETRACE_PKGS)))$(UETRACE_PKG_CFLAGS)
UETRACE_OBJECTS = $(UETRACE_SRCS:$(UETRACE_DIR)/%.c=$B/uetrace.o/%.o)
$B/uetrace.o/%.o: $(UETRACE_DIR)/%.c $(UETRACE_HDRS) $B/syscalls.inc $(UETRACE_DIR)/build.mk
	@mkdir -p $(@D)
	@$(SAY) 'compiling $<'
	$(CC) $(UETRACE_CFLAGS) $(CPPFLAGS) $(CFLAGS) -Wall -Wextra -Wconversion -Wshadow $(WERROR) -Iinclude -I$(UETRACE_DIR) -I$B \
		$(UETRACE_PKG_CFLAGS) $(UETRACE_PIC) -c -o $@ $<
$(UETRACE): $(UETRACE_OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $$(pkg-config --libs $(UETRACE_PKGS)) -pthread

# Plugin for perf, trace-cmd and KernelShark. The plugin is not linked with libtraceevent, because
# the tool that loads the plugin provides libtraceevent's functions and may have its own copy of the
# library.
PLUGIN = $B/plugin_user_events.so
PLUGIN_SRCS = $(addprefix $(UETRACE_DIR)/, plugin/plugin_user_events.c plugin/printk.c fields/text.c fields/otel.c fields/dotnet.c binary/printk.c binary/tep_format.c binary/elf.c)
PLUGIN_OBJECTS = $(PLUGIN_SRCS:$(UETRACE_DIR)/%.c=$B/uetrace.o/%.o)
# The plugin's objects are position-independent, because the plugin is a shared object. Some of
# these objects are also part of uetrace.
$(PLUGIN_OBJECTS): UETRACE_PIC = -fPIC -fvisibility=hidden
$(PLUGIN): $(PLUGIN_OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -o $@ $^ $$(pkg-config --libs libelf)
PLUGIN_TEST_SRCS = $(UETRACE_DIR)/plugin/printk.c tests/uetrace/trace_notes.c
$B/tests/unit/test_uetrace_plugin: TEST_PARTS = $(PLUGIN_TEST_SRCS)
$B/tests/unit/test_uetrace_plugin: $(PLUGIN_SRCS) $(PLUGIN_TEST_SRCS)

.PHONY: tools
