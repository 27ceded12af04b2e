# SPDX-License-Identifier: MIT
# user_events.h: `make help` lists what there is to make. Each subject has a build.mk of its own.

CC = gcc
CXX = g++
# debugging information takes as long as half of the rest: CFLAGS="-O2 -g" asks for it
CFLAGS ?= -O2
CXXFLAGS = $(CFLAGS)
prefix = $(or $(PREFIX),/usr/local)
includedir = $(prefix)/include
datadir = $(prefix)/share
VERSION := $(shell awk '/define UE_VERSION_MAJOR/ { a = $$3 } /define UE_VERSION_MINOR/ { b = $$3 } \
	/define UE_VERSION_PATCH/ { c = $$3 } END { print a "." b "." (c + 0) }' include/user_events.h)

B = build
TOP_HEADERS = $(wildcard include/*.h)
KERNEL_HEADERS = $(wildcard include/kernel/*/*.h)
COMPAT_HEADERS = $(wildcard include/compat/*.h include/compat/*/*.h)
HEADERS = $(TOP_HEADERS) $(KERNEL_HEADERS) $(COMPAT_HEADERS)
WERROR = -Werror
WARNINGS = -pedantic -Wall -Wextra -Wconversion -Wshadow -Wundef -Wcast-align $(WERROR)
C = $(CC) -std=gnu11 $(CPPFLAGS) $(CFLAGS) $(WARNINGS) -Wstrict-prototypes -Iinclude

# The commands that build are printed with V=1.
ifndef V
.SILENT:
endif

all: deps-examples
	@$(MAKE) --no-print-directory examples

help:
	@echo 'make demo            trace the example server, or let it record its own events'
	@echo 'make demo-kernel     trace it on a kernel with user_events, in a virtual machine'
	@echo 'make unit            unit tests alone: a compiler and libcmocka, no other package'
	@echo 'make test            the tests of every change, 5 minutes of CPU time; also make check'
	@echo 'make check-all       the remaining tests, as CI runs them: compilers, packages, installation,'
	@echo '                     manual pages, systemd, all programs in the documentation'
	@echo 'make check-kernel    the tests of real kernels, in virtual machines: with user_events,'
	@echo '                     without, and aarch64 (UE_KERNEL, UE_KERNEL_WITHOUT and'
	@echo '                     UE_KERNEL_ARM64 take images that are there already). The first run'
	@echo '                     fetches the kernel (155 MB) and builds it, 5 to 10 minutes for each'
	@echo 'make check-portable  compilers, standards, 32 bits, big endian, musl, sanitizers'
	@echo 'make fuzz            decoder and recordings, with libFuzzer (RUNS=100000 inputs)'
	@echo 'make bench           what events cost, in instructions, as tables'
	@echo 'make bench-peers     what an event costs beside the alternatives, as one table'
	@echo 'make all             the example programs, in build/examples'
	@echo 'make tools           uetrace, the tracer, in build/'
	@echo 'make man             manual pages of all functions and macros, in build/man'
	@echo 'make install         headers, their manual pages, pkg-config and CMake files (DESTDIR,'
	@echo '                     prefix=$(prefix))'
	@echo 'make install-tools   uetrace with its manual page and completion, the plugin for perf and trace-cmd'
	@echo 'make uninstall       removes what both have installed'
	@echo 'make dist            the tarball, the single headers, recipes for Meson, vcpkg and Conan'
	@echo 'make deb             packages for Debian, in build/deb; make check-packages tests them all'
	@echo 'make format          formats the sources; make check-format only compares'
	@echo 'make lint            clang-tidy, cppcheck and -fanalyzer'
	@echo 'make deps            installs what all of this needs from Debian'
	@echo 'make clean           removes build/'
	@echo 'Targets install the Debian packages that they need and that are missing, as root or by sudo;'
	@echo 'with UE_INSTALL=no they only say which, and stop. V=1 prints the commands.'

# What is needed from Debian: deps-test+tools installs what is missing of two groups in one round.
deps: deps-examples+demo+test+all+tools+kernel+bench+portable+lint+fuzz+packages
deps-%:
	@tests/deps $(subst +, ,$*)

include tools/uetrace/build.mk
include examples/build.mk
include tests/unit/build.mk
include tests/fuzz/build.mk
include tests/build.mk
include tests/compile/build.mk
include tests/kernel/build.mk
include tests/bench/build.mk
include packaging/install.mk
include packaging/dist.mk

clean:
	rm -rf $B

.PHONY: all help deps clean
.DELETE_ON_ERROR:
