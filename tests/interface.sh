#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Checks the internal interface of user_events.h. Files outside the core may use public names and
# the names in the chapters "Internal interface" and "Recorded format", but no other private names
# of the core.

. "$(dirname "$0")/checks.sh"

core=include/user_events.h
# Tests that use other private names of the core, with the reason.
exceptions='
tests/fake_kernel/	keeps the state of a program between two tests, and redefines its lock
tests/unit/helpers/	resets the state of the library between two tests
tests/unit/test_cancel_threads.c	stops a thread while it holds the lock
tests/unit/test_descriptor.c	closes and moves the fd that the library keeps
tests/unit/test_life.c	forks and unloads at each step of a registration
tests/unit/test_numbers.c	asserts the numbers of the wire format and of the kernel interface
tests/unit/test_probe_threads.c	holds the lock against a probe
tests/unit/test_property.c	compares the packer with a reference encoder
tests/unit/test_recorder.c	numbers events up to the limits of a serial
tests/promises.txt	quotes lines of tests
tests/README.md	lists the faults that no test notices
tests/data/promised.txt	has the C types in the signatures of public functions
tests/unit/test_runtime.c	reads the state after a failed registration
tests/unit/test_shorten.c	truncates pieces of every size
tests/unit/test_stack.c	measures the stack of private functions
tests/unit/test_threads.c	holds the lock against a thread that registers
tests/unit/test_types.c	compares the table of types with the documents
tests/unit/test_unload_threads.c	runs the destructor that dlclose() runs
tests/compile/	compiles, links and disassembles private symbols
tests/bench/	measures private functions
tests/kernel/	counts the bytes of private structs
tests/uetrace/	makes ELF notes by the numbers of the core
tests/lttng.sh	names a section of the core
'
names()
{
	grep -ohE '\b(ue|UE)__[A-Za-z0-9_]+' "$@" | sort -u
}
# Counts all members of a family as one name, such as UE__I_EACH_1 and UE__I_PASS_ue__i_bare.
families()
{
	sed -E 's/^(UE__I_(EACH|ITEMS|USDT_TEXT)_)([0-9]+)?$/\1n/; s/^(UE__I_[A-Z_]+)_ue__.*/\1/; s/__define_.*//; s/_v[0-9]+$//; s/^(ue__i_event_)$/\1NAME/' |
		sort -u
}
# chapter TITLE NEXT PREFIX: compares the names that start with PREFIX with the names documented in
# the chapter
chapter()
{
	sed -n "/---- $1 ----/,/---- $2 ----/p" "$core" >"$dir/chapter"
	names "$dir/chapter" | grep -E "^($3)_." | families >"$dir/documented"
	names "$core" | grep -E "^($3)_." | families >"$dir/defined"
	expect "$1: names without a contract" "" "$(comm -13 "$dir/documented" "$dir/defined" | paste -sd ' ')"
	expect "$1: contracts without a name" "" "$(comm -23 "$dir/documented" "$dir/defined" | paste -sd ' ')"
	count=$(wc -l <"$dir/defined")
}
chapter "Recorded format" "Internal interface" "ue__f|UE__F"
recorded=$count
chapter "Internal interface" "How a site expands" "ue__i|UE__I"
[ "$count" -le 122 ] || fail "the internal interface has $count names, more than 122: use another name, or give the reason here"

names "$core" | grep -vE '^(ue__[if]|UE__[IF])_' >"$dir/private"
git ls-files 'include/*' 'tools/*' 'tests/*' 'examples/*' | grep -vxF "$core" |
	grep -vF "$(printf '%s\n' "$exceptions" | cut -f 1 -s)" >"$dir/files"
violations=$(xargs grep -oHE '\b(ue|UE)__[A-Za-z0-9_]+' <"$dir/files" 2>/dev/null | sort -u |
	awk -F: 'NR == FNR { private[$1] = 1; next } $2 in private { print $1 ":" $2 }' "$dir/private" - | paste -sd ' ')
expect "private names of the core used outside of it" "" "$violations"
echo "the internal interface: $count names; the recorded format: $recorded; $checks checks"
