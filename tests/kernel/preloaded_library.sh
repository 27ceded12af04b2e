#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A library with events is preloaded into a shell script that chooses its own descriptors. The
# script's files contain only its own bytes, whatever descriptor it uses, and the library's events
# are recorded.

. "${0%/*}/helpers/lib.sh"
library=$top/build/tests/kernel/lib/preloaded.so

LD_PRELOAD=$library sleep 100 & # keeps the event registered
enable_event preloaded
for shell in sh bash; do
	for n in 3 4 5 6 7 8 9; do
		LD_PRELOAD=$library $shell -c "
			exec $n>file
			echo one >&$n
			$shell -c ':'
			echo two >&$n
			exec 3>&1 3>&-
			test $n = 3 || echo three >&$n
		" || fail "$shell: exit status $?"
		expected='one two three'
		[ $n = 3 ] && expected='one two'
		assert_match "^$expected\$" "$(tr '\n' ' ' <"file" | sed 's/ $//')"
	done
done
assert_match 'preloaded: ' "$(recorded preloaded)"
