# SPDX-License-Identifier: MIT
# user_events.h: `make help` lists the targets. Each directory has its own build.mk.

CC = gcc
CXX = g++
# no -g, because debugging information makes builds 50 % slower; use CFLAGS="-O2 -g" to add it
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

# V=1 prints the build commands.
ifndef V
.SILENT:
endif

all: deps-examples
	@$(MAKE) --no-print-directory examples

help:
	@echo 'make demo            trace the example server, or let it record its own events'
	@echo 'make demo-kernel     the same demo in a virtual machine with a user_events kernel'
	@echo 'make unit            only the unit tests, which need a compiler and libcmocka'
	@echo 'make test            tests to run for every change, 8 minutes of CPU time; also make check'
	@echo 'make check-all       the remaining tests, as CI runs them: compilers, installation,'
	@echo '                     manual pages, systemd, all programs in the documentation'
	@echo 'make check-kernel    tests on real kernels in virtual machines: with user_events, without,'
	@echo '                     and aarch64. The first run downloads the kernel sources (155 MB) and'
	@echo '                     builds each kernel in 5 to 10 minutes. To use existing images, set'
	@echo '                     UE_KERNEL, UE_KERNEL_WITHOUT and UE_KERNEL_ARM64'
	@echo 'make check-portable  compilers, standards, 32 bits, big endian, musl, sanitizers'
	@echo 'make fuzz            fuzz the decoder and the readers of recordings (RUNS=100000 inputs)'
	@echo 'make bench           tables of the cost of events, in instructions'
	@echo 'make bench-peers     table that compares the cost of an event with alternatives'
	@echo 'make all             the example programs, in build/examples'
	@echo 'make tools           uetrace, the tracer, in build/'
	@echo 'make man             manual pages of all functions and macros, in build/man'
	@echo 'make install         headers, their manual pages, pkg-config and CMake files (DESTDIR,'
	@echo '                     prefix=$(prefix))'
	@echo 'make install-tools   uetrace with its manual page and completion, the plugin for perf and trace-cmd'
	@echo 'make uninstall       remove the files that both have installed'
	@echo 'make dist            the tarball, the single headers, recipes for Meson, vcpkg and Conan'
	@echo 'make deb             Debian packages, in build/deb; make check-packages tests them'
	@echo 'make format          format the sources; make check-format only checks them'
	@echo 'make lint            clang-tidy, cppcheck and -fanalyzer'
	@echo 'make deps            install the Debian packages for all of the above'
	@echo 'make clean           remove build/'
	@echo 'Targets install missing Debian packages as root or with sudo. With UE_INSTALL=no, they only'
	@echo 'list the missing packages and stop. V=1 prints the commands.'

# Installs missing Debian packages. Groups can be combined: deps-test+tools installs two of them.
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
