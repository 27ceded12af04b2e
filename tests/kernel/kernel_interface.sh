#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The program "abi" of docs/kernel.md records its struct using only the kernel interface, and leaves
# nothing behind.

. "${0%/*}/helpers/lib.sh"
program=$top/build/docs-test/kernel/abi
[ -x "$program" ] || fail "make kernel-programs compiles the pages' programs"

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
