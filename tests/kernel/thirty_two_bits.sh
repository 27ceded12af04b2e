#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A 32-bit program on a 64-bit kernel cannot register its events. It runs normally, and ue_status()
# reports the reason.

. "${0%/*}/helpers/lib.sh"
program=$programs/variant.m32

[ "$(uname -m)" = x86_64 ] || skip "this kernel is not x86_64"
[ -x "$program" ] || skip "there is no compiler for 32-bit x86 (i686-linux-gnu-gcc)"
out=$("$program")
assert_eq 0 $? "exit status of a program whose events failed with a reason"
assert_match '^registered 0 of 1: .*a 32-bit program cannot use user_events of a 64-bit kernel' \
	"$out"
