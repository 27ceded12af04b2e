#!/bin/sh
# SPDX-License-Identifier: MIT
#
# uetrace show must read perf recordings from pipes and standard input, and merge them by time of
# day with the program's own recordings.

. "${0%/*}/helpers/lib.sh"
need_uetrace
need perf
export TZ=UTC0

# Do not let perf read the binaries of all processes, which takes a long time in an emulated
# machine.
record()
{
	perf record -q -B -N "$@"
}

start_server

record -o some.data -e 'user_events:*' -a sleep 0.1 || fail "perf record"

# uetrace must read a live pipe, a pipe that cat fills from a file, and a file on standard input.
record -o - -e 'user_events:*' -a sleep 0.1 | tee live.data | "$uetrace" show - >live 2>err ||
	fail "uetrace cannot read a live pipe: $(cat err)"
"$uetrace" show live.data 2>err | cmp - live || fail "the output for a live pipe differs from that for a file"
"$uetrace" show some.data >expected 2>err || fail "$(cat err)"
# shellcheck disable=SC2002
cat some.data | "$uetrace" show - 2>err | cmp - expected || fail "the output for a piped file differs from that for the file"
"$uetrace" show - <some.data 2>err | cmp - expected || fail "the output for standard input differs from that for the file"

# With CLOCK_MONOTONIC, the time of day is known, so a kernel recording can be merged with the
# program's own.
UE_RECORD=own.uer:16M:keep "$examples/server" -d "$top/include" -n 1000000 -c 2 -w 2 >/dev/null 2>&1 &
capturing=$!
wait_until 20 test -s own.uer
record -k CLOCK_MONOTONIC -o mono.data -e 'user_events:*' -p $capturing sleep 1 ||
	fail "perf record -k"
kill $capturing
"$uetrace" show mono.data >kernel 2>err || fail "$(cat err)"
assert_match "^$(date +%H):[0-9]{2}:[0-9]{2}\.[0-9]{6} " "$(head -n 1 kernel)"
first=$(head -n 1 kernel | cut -c 1-15)
last=$(tail -n 1 kernel | cut -c 1-15)
"$uetrace" show own.uer mono.data >merged 2>err || fail "$(cat err)"
cut -d ' ' -f 1 merged | sort -c || fail "events of merged files are not sorted by time"
refute_match 'guess' "$(cat err)" "warnings"
# Each event occurs twice: recorded by the kernel and by the program. The first and last 0.2 seconds
# are not compared, because perf attaches to one thread after another.
within()
{
	awk -v a="$first" -v b="$last" '
		function seconds(t, part) { split(t, part, ":"); return part[1] * 3600 + part[2] * 60 + part[3] }
		seconds($1) > seconds(a) + 0.2 && seconds($1) < seconds(b) - 0.2' "$1" | grep -c ' request_done '
}
between=$(within merged)
n=$(within kernel)
[ "$n" -gt 0 ] || fail "nothing was recorded between $first and $last"
[ $((between - 2 * n)) -le 4 ] && [ $((2 * n - between)) -le 4 ] ||
	fail "merged: only $between of $n events occur in both recordings"
"$uetrace" show own.uer some.data >merged 2>err || fail "$(cat err)"
assert_match 'clocks that cannot be compared' "$(cat err)" "warnings"
