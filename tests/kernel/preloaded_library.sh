#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Preloads a library with events into a shell script that chooses its own descriptors. Whatever
# descriptors the script uses, its files must contain only its own bytes, and the library's events
# must be recorded.

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
