#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Two processes write 100,000 events per second, which uetrace writes to a file with the default
# buffer size. No event may be lost.
#
# The rate is that of a machine with 10^9 instructions per second on each CPU, which is slower than
# any machine that runs this library. The test measures the speed of the emulated machine and scales
# the rate accordingly. For this, it uses the time to write an event with ftrace attached, which is
# 1650 instructions (uetrace_load speed under tests/kernel/vm -i, where one nanosecond is one
# instruction).

. "${0%/*}/helpers/lib.sh"
need_uetrace

INSTRUCTIONS=1650
RATE=100000
SECONDS_OF_LOAD=4

add_event 'load u32 process; u64 sequence; __rel_loc char[] path'
enable_event load
ns=$("$load" speed 50000)
disable_event load
clear_trace
wait_until 10 "$uetrace" delete load 2>/dev/null
rate=$((RATE * INSTRUCTIONS / ns))
[ $rate -le $RATE ] || rate=$RATE
[ $rate -ge 100 ] || rate=100
rate=$((rate / 2 * 2))
total=$((rate * SECONDS_OF_LOAD))
echo "an event takes $ns ns here: $rate events a second"

assert "$uetrace" run -o events "$load" $rate $SECONDS_OF_LOAD >written 2>err
cat written err
assert_match "^uetrace: $total events in .*, 0 lost\$" "$(cat err)" "summary"
assert_eq $total "$(wc -l <events)" "lines"
assert_eq "0 $((total / 2)) $((total / 2))" "$(awk '
	{
		split($5, a, "="); split($6, b, "=")
		if (b[2] != next_of[a[2]] + 0)
			wrong++
		next_of[a[2]] = b[2] + 1
	}
	END { print wrong + 0, next_of[0], next_of[1] }' events)" "out of order, and events of each"

# If the buffer is too small, a line between the surrounding events reports each loss. The kernel
# cannot store the number of lost events in a full sub-buffer, and its counter may be slightly
# ahead, so the numbers at two positions may differ, but their sum may not.
assert taskset -c 0 "$uetrace" run --buffer-size 16 "$load" speed 60000 >out 2>err
cat err
assert_match ', [1-9][0-9]* lost$' "$(cat err)" "a loss"
assert_match "^[0-2] 60000\$" "$(awk '
	/events lost\]$/ { lost = substr($1, 2); total += lost; next }
	/ load / {
		split($6, sequence, "=")
		if (sequence[2] != last + lost + (NR > 1))
			wrong++
		last = sequence[2]
		lost = 0
		total++
	}
	END { print wrong + 0, total }' out)" "gaps where nothing is said to be lost, and events in all"
