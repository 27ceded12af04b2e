#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A 32-bit program on a 64-bit kernel cannot register its events. It must run normally, and
# ue_status() must report the reason.

. "${0%/*}/helpers/lib.sh"
program=$programs/variant.m32

[ "$(uname -m)" = x86_64 ] || skip "this kernel is not x86_64"
[ -x "$program" ] || skip "no 32-bit x86 compiler (i686-linux-gnu-gcc) is installed"
out=$("$program")
assert_eq 0 $? "exit status of a program whose events could not be registered"
assert_match '^registered 0 of 1: .*a 32-bit program cannot use user_events of a 64-bit kernel' \
	"$out"
