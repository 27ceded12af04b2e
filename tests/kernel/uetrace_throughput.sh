#!/bin/sh
# SPDX-License-Identifier: MIT
#
# 100,000 events a second from two processes, written to a file by uetrace with the default
# buffer size: none is lost.
#
# A machine is taken to execute 10^9 instructions a second, which is less than any that runs
# this library. The emulated one's speed is measured by system calls, of which the instructions
# were counted once (tests/kernel/vm -i, where a nanosecond is an instruction: a block of dd is
# BLOCK instructions); the rate is scaled down to it, never up.

. "${0%/*}/lib.sh"
top=$(cd "${0%/*}/../.." && pwd -P)
uetrace=$top/build/uetrace
load=$top/build/tests/uetrace_load
[ -x "$uetrace" ] || skip "there is no build/uetrace: make tools"
cd "$TMPDIR" || exit 1

BLOCK=1100
RATE=100000
SECONDS_OF_LOAD=4
blocks=100000

uptime_ms()
{
	awk '{ printf "%d", $1 * 1000 }' /proc/uptime
}

begin=$(uptime_ms)
dd if=/dev/zero of=/dev/null bs=1 count=$blocks 2>/dev/null
ms=$(($(uptime_ms) - begin + 1))
speed=$((blocks * BLOCK / ms * 1000))
rate=$((RATE * (speed / 1000) / 1000000))
[ $rate -le $RATE ] || rate=$RATE
[ $rate -ge 100 ] || rate=100
rate=$((rate / 2 * 2))
total=$((rate * SECONDS_OF_LOAD))
echo "$((speed / 1000000)) million instructions a second: $rate events a second"

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
