#!/bin/sh
# SPDX-License-Identifier: MIT
#
# If a program's own capture and a kernel recording are enabled at the same time, they must contain
# the same events, fields and threads. Times may differ by a millisecond.

. "${0%/*}/helpers/lib.sh"
need_uetrace

# Converts events to their time in milliseconds, thread, name and fields. Sorts them by thread,
# because only events of one thread are in order.
normalise()
{
	sed -nE 's/^([0-9:]+\.[0-9]{3})[0-9]{3} \[[0-9]{3}\] /\1 /p' | sort -s -k 2,2
}

UE_RECORD=$TMPDIR/server.uer:keep "$uetrace" run -o kernel "$top/build/examples/server" \
	-d "$top/include" -n 60 -c 3 -w 3 >out 2>err || fail "$(cat err)"
"$uetrace" show server.uer >captured 2>err || fail "$(cat err)"
assert_eq "$(wc -l <kernel)" "$(wc -l <captured)" "number of events"
[ "$(wc -l <captured)" -ge 180 ] || fail "too few events: $(wc -l <captured)"
normalise <kernel >kernel.normal
normalise <captured >captured.normal
cut -d ' ' -f 2- kernel.normal >kernel.fields
cut -d ' ' -f 2- captured.normal >captured.fields
assert cmp kernel.fields captured.fields
# Kernel and program do not read the clock at the same instant, so the times of an event may differ
# in milliseconds. This may affect at most one event in ten.
differ=$(paste -d ' ' kernel.normal captured.normal | awk '
	{ if ($1 != $(NF / 2 + 1)) n++ } END { print n + 0 }')
[ "$differ" -lt $(($(wc -l <captured) / 10)) ] || fail "the times of $differ events differ, expected less than one in ten"
