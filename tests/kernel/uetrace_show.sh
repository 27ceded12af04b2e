#!/bin/sh
# SPDX-License-Identifier: MIT
#
# While a program's own capture and the kernel's recording are both enabled, they contain the same
# events, fields, threads and, to a millisecond, times.

. "${0%/*}/helpers/lib.sh"
need_uetrace

# time to the millisecond, thread, event, fields; sorted by thread, because only a thread's events
# are in order
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
# The two clocks are not read at the same time, so the milliseconds of an event may differ. This may
# happen to at most one event in ten.
differ=$(paste -d ' ' kernel.normal captured.normal | awk '
	{ if ($1 != $(NF / 2 + 1)) n++ } END { print n + 0 }')
[ "$differ" -lt $(($(wc -l <captured) / 10)) ] || fail "the times of $differ events differ"
