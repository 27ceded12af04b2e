#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs the program "abi" from docs/kernel.md, which records a struct using only the kernel
# interface. It must leave nothing behind.

. "${0%/*}/helpers/lib.sh"
program=$top/build/docs-test/kernel/abi
[ -x "$program" ] || fail "the pages' programs are missing; run 'make kernel-programs'"

"$program" &
pid=$!
wait_until 20 is_registered packet
enable_event packet
wait_until 20 recorded packet
assert_match "^ *abi-$pid .* packet: src=0x1 \(1\) dst=0xfffffffe \(-2\) flags=0x[0-9a-f]+ \([0-9]+\)$" \
	"$(recorded packet)" "the fields"
disable_event packet
assert wait "$pid"
wait_until 20 is_gone packet
