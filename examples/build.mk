# SPDX-License-Identifier: MIT
# The example programs and the demonstration.

EXAMPLES = hello runtime server plugin_host service decode_event probe capture_test otel_service connections
EXAMPLE_PROGRAMS = $(EXAMPLES:%=$B/examples/%) $B/examples/library $B/examples/tracepoints

examples: $(EXAMPLE_PROGRAMS)

$B/examples/capture_test: LIBRARIES_OF = -lcmocka
$B/examples/%: examples/%.c $(HEADERS)
	@mkdir -p $(@D)
	@$(SAY) 'compiling $<'
	$C -o $@ $< -pthread $(LIBRARIES_OF)
$B/examples/%: examples/%.cc $(HEADERS)
	@mkdir -p $(@D)
	$(CXX) -std=c++11 $(CXXFLAGS) $(WARNINGS) -Iinclude -o $@ $<
$B/examples/library: $(wildcard examples/library/*) $(HEADERS)
	@mkdir -p $(@D)
	$C -fPIC -shared -o $B/examples/libparser.so examples/library/parser.c
	$C -o $@ examples/library/main.c -L$B/examples -lparser '-Wl,-rpath,$$ORIGIN'
$B/examples/tracepoints: $(wildcard examples/tracepoints/*) $(HEADERS)
	@mkdir -p $(@D)
	$C -DUE_SHARED -Iinclude/kernel -Iexamples/tracepoints -o $@ examples/tracepoints/*.c

DEMO_PROGRAMS = $B/examples/server $(UETRACE)
demo: deps-demo+tools
	@$(MAKE) --no-print-directory demo-programs
	@examples/demo
demo-kernel: deps-demo+tools+kernel
	@$(MAKE) --no-print-directory demo-programs
	@examples/demo kernel
demo-programs:
	@$(MAKE) -s $(PARALLEL) SAY=echo $(DEMO_PROGRAMS)

.PHONY: examples demo demo-kernel demo-programs
