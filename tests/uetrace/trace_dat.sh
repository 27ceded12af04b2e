#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Runs uetrace on trace.dat files without any kernel support. The files are written by the fuzzer's
# replay program, and are complete, merged, truncated or damaged. If trace-cmd is installed, its
# output is compared with uetrace's. tests/kernel/uetrace_trace_dat.sh tests files written by
# trace-cmd record.

. "$(dirname "$0")/../checks.sh"
uetrace=${1:-build/uetrace}
replay=${2:-build/tests/trace_dat_replay}

# write FILE BYTES: writes a trace.dat file with the records that BYTES describes. Each record is
# given by one byte each for CPU and event, time in units of 100 ns, payload size, and thread (0 is
# TID 498), followed by the payload.
write()
{
	printf "$2" >"$dir/input"
	"$replay" -w "$1" "$dir/input" || fail "$1 cannot be written"
}

# The file contains kernel-typed and self-describing events, sched_switch, a system call and a
# probe, on two CPUs.
zeros='\0\0\0\0\0\0\0\0\0\0\0\0'
write "$dir/good.dat" "\\0\\12\\24\\2\\310\\0\\0\\0\\7\\0\\0\\0\\0\\0\\0\\0\\0\\0\\4\\0/ab\\0\
\\3\\24\\35\\3\\7\\0\\0\\0\\0\\0\\0\\4\\15\\0\\1\\0Order\\0items\\0\\4\\3\\0\\0\\0\
\\4\\36\\64\\4worker$zeros$zeros${zeros}\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0"
tell show "$dir/good.dat"
expect "events" '       5.000001 [000] server-500 request_done status=200 bytes=7 path="/ab"
       5.000002 [001] worker?[31m-501 Shop:Order items=3' "$(head -n 2 "$dir/out")"
expect "status" "0 uetrace: 3 events in a recording of 0.000 s, 0 lost" "$status $(cat "$dir/err")"
grep -qF ' sched:sched_switch ' "$dir/out" || fail "sched_switch: $(cat "$dir/out")"
tell show --json -e Shop:Order "$dir/good.dat"
expect "JSON" '{ "n": "Shop:Order", "items": 3, "meta": { "time": "5.000002000", "cpu": 1, "tid": 501, "level": 4, "keyword": "0x1" } }' \
	"$(cat "$dir/out")"
"$uetrace" show - <"$dir/good.dat" >"$dir/out" 2>/dev/null
expect "standard input" 3 "$(wc -l <"$dir/out")"
tell list "$dir/good.dat"
expect "contents of the file" 'sched:sched_switch
    char[16] prev_comm
    pid_t prev_pid
    long prev_state
    char[16] next_comm
    pid_t next_pid
Shop_L4K1
    events of provider Shop, level 4 (information), keyword 0x1
    Shop:Order
        u32 items
request_done
    s32 status
    u64 bytes
    __rel_loc char[] path' "$(cat "$dir/out")"
tell show "$dir/good.dat" tests/data/perf_one.data
expect "merged with perf.data" "0 24 1" "$status $(wc -l <"$dir/out") $(grep -c 'clocks that cannot' "$dir/err")"
if command -v trace-cmd >/dev/null; then
	expect "events printed by trace-cmd" "Shop_L4K1 request_done sched_switch" "$(trace-cmd report -N -i "$dir/good.dat" 2>/dev/null |
		sed -nE 's/.*[0-9]: ([A-Za-z_0-9]+): .*/\1/p' | sort | xargs)"
fi

# For a file that is truncated at any position, uetrace prints a message that contains the file
# name, and does not crash.
size=$(stat -c %s "$dir/good.dat")
for ((n = 11; n < size; n += 173)); do
	head -c "$n" "$dir/good.dat" >"$dir/cut.dat"
	tell show "$dir/cut.dat"
	expect "status of $n bytes" 1 $status
	grep -qE '^uetrace: .*cut.dat: libtracecmd (cannot read|crashed on) it' "$dir/err" || fail "a file truncated to $n bytes: $(cat "$dir/err")"
done
# A damaged file, on which libtracecmd 3.1 crashes, is reported, and the events before the damage
# are shown.
printf '\2\0\0\0\0' >"$dir/input"
printf '\234%.0s' {1..150} >>"$dir/input"
printf '\377%.0s' {1..8} >>"$dir/input"
"$replay" -w "$dir/bad.dat" "$dir/input"
tell show "$dir/bad.dat"
expect "status of hostile pages" 1 "$status"
grep -q '^uetrace: .*bad.dat: libtracecmd ' "$dir/err" || fail "hostile pages: $(cat "$dir/err")"
tell show tests/data/perf_one.data "$dir/bad.dat"
expect "status with a good file" 1 "$status"

echo "uetrace and trace.dat: $checks checks"
