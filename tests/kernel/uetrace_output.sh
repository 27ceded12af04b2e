#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Tests uetrace when its output stalls, is full, is moved or is closed, when the system clock is
# set, and when uetrace is killed. In each case, uetrace must count lost events, write only whole
# lines, and report the condition in its output.

. "${0%/*}/helpers/lib.sh"
need_uetrace

# events FILE...: prints the number of lines that contain events of the load program
events()
{
	cat "$@" | grep -c '^{ "n": "user_events:load", .* } }$'
}

# whole FILE...: checks that each file consists of whole lines
whole()
{
	for file; do
		assert_eq "" "$(grep -v '^{ "n": ".* } }$' "$file")" "lines of $file that are not whole"
		assert_eq "" "$(tail -c 1 "$file" | tr -d '\n')" "the last byte of $file"
	done
}

watches()
{
	grep -q 1 "$TRACING/instances/uetrace-$watcher/events/user_events/load/enable" 2>/dev/null
}

both_wrote()
{
	[ "$(wc -l <written)" -eq 2 ]
}

# The reader of uetrace's output sleeps until the program has exited. The events fill four times the
# kernel's buffers.
: >written
"$uetrace" run --json --also "$load" sh -c "'$load' 1000 12 1000 >written" 2>err | { wait_until 120 both_wrote; cat; } >out
assert_match '^uetrace: 12000 events in .*, 0 lost$' "$(cat err)" "lost events with a sleeping reader"
assert_eq 12000 "$(events out)" "events that the reader received"
whole out

# Beyond 256 MiB, events are lost. The number of lost events is shown at their position.
: >written
"$uetrace" run --json --also "$load" sh -c "'$load' 2500 30 4000 >written" 2>err | {
	wait_until 300 both_wrote
	sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$(ls "$TRACING/instances" | cut -d - -f 2)/status" >memory
	awk '/^{ "n": "uetrace:lost", / { lost += $5; gaps++; next }
		/^{ "n": "user_events:load", .* } }$/ { events++ }
		END { print events, lost, events + lost; exit !gaps }' || fail "no lost events are reported"
} >out
cat out memory err
assert_match ' 75000$' "$(cat out)" "received events, lost events, and their sum"
assert_match "^uetrace: ${x:=$(cut -d ' ' -f 1 out)} events in .*, $(cut -d ' ' -f 2 out) lost\$" "$(cat err)"
[ "$x" -gt 30000 ] || fail "only $x events were kept"
[ "$(cat memory)" -lt 285000 ] || fail "$(cat memory) KiB of memory"

# The reader of uetrace's output never reads. SIGTERM must end uetrace, even if SIGINT does not.
mkfifo pipe
sleep 1000 <pipe &
sleeper=$!
"$uetrace" watch --json "$load" >pipe 2>err &
watcher=$!
wait_until 20 watches
"$load" 2000 2 >/dev/null
kill -INT $watcher
sleep 1
kill -INT $watcher
sleep 1
kill -0 $watcher || fail "SIGINT ended uetrace before its reader could read everything"
refute stop $watcher
kill $sleeper
assert_match '^uetrace: interrupted before all events were written to standard output$' "$(cat err)"
assert_match '^uetrace: 4000 events in .* 0 lost, [1-9][0-9]* lines not written$' "$(cat err)" "summary of a reader that never read"

# The disk is full for a while. uetrace must write all lines, and only whole lines.
mkdir disk
assert mount -t tmpfs -o size=300k tmpfs disk
"$uetrace" watch --origin --append -o disk/events "$load" 2>err &
watcher=$!
wait_until 20 watches
"$load" 1000 2 >/dev/null
wait_until 20 grep -q '^uetrace: cannot write disk/events: No space left on device; lines are queued in memory$' err
whole disk/events
[ "$(events disk/events)" -lt 1200 ] || fail "the disk did not become full: $(events disk/events) lines were written"
mount -o remount,size=10m disk
wait_until 20 grep -q '^uetrace: the disk of disk/events has free space again$' err
assert stop -INT $watcher
assert_eq 2000 "$(events disk/events)" "events after the disk was full"
whole disk/events
assert_match '^uetrace: 2000 events in .*, 0 lost$' "$(cat err)"

# The disk remains full until uetrace exits.
rm disk/events
mount -o remount,size=100k disk
"$uetrace" run --json -o disk/events "$load" 1000 1 >/dev/null 2>err
assert_eq 1 $? "status with a full disk"
whole disk/events
assert_match "^uetrace: 1000 events in .*, 0 lost, $((1000 - $(events disk/events))) lines not written\$" "$(cat err)"
umount disk

# Reaching the file-size limit is handled like a full disk, and the program still receives its own
# SIGXFSZ.
(
	ulimit -f 20
	exec "$uetrace" run --json -o limited --also "$load" sh -c "'$load' 1000 1; grep SigIgn /proc/self/status" >out 2>err
)
assert_eq 1 $? "status with a limit"
assert_match '^uetrace: cannot write limited: File too large$' "$(cat err)"
whole limited
[ "$(events limited)" -gt 10 ] || fail "the limited file has only $(events limited) events"
assert_match "^uetrace: 1000 events in .*, 0 lost, $((1000 - $(events limited))) lines not written\$" "$(cat err)"
assert_match '^SigIgn:.*0000000$' "$(cat out)" "signals that the program ignores"
rm limited

# If a crash truncated the last line, the next run starts a new line.
printf '{ "n": "user_events:load", "proc' >after_crash
assert "$uetrace" run --json --append -o after_crash "$load" 10 1 2>err >/dev/null
assert_eq '{ "n": "user_events:load", "proc' "$(head -n 1 after_crash)"
assert_eq 10 "$(events after_crash)" "events after the truncated line"

# The output file is moved while events arrive. SIGHUP makes uetrace open a new file, and no line is
# lost or truncated. If uetrace cannot open the file, it tries again.
mkdir log
"$uetrace" watch --json --append -o log/events "$load" 2>err &
watcher=$!
wait_until 20 watches
"$load" 1000 5 >/dev/null &
loader=$!
for i in 1 2 3 4; do
	sleep 1
	mv log/events log/events.$i
	kill -HUP $watcher
	wait_until 20 [ -e log/events ]
done
wait $loader
mv log moved
kill -HUP $watcher
wait_until 20 grep -q '^uetrace: cannot reopen log/events: No such file or directory; writing continues to the old file$' err
"$load" 1000 2 >/dev/null
mkdir log
wait_until 20 grep -q '^uetrace: reopened log/events$' err
"$load" 1000 1 >/dev/null
assert stop $watcher
assert_eq 8000 "$(events moved/* log/events)" "lines of all files"
assert_eq 1000 "$(events log/events)" "lines of the file that could not be opened first"
assert_eq 2 "$(grep -c reopen err)" "messages about that file"
whole moved/* log/events
rm -r log
[ "$(events moved/events.3)" -gt 0 ] || fail "the reopened file has no events"
# The program does not receive the SIGHUP that makes uetrace reopen the file.
mkdir log
"$uetrace" run --json --append -o log/events "$load" 1000 5 >/dev/null 2>err &
runner=$!
wait_until 20 [ -s log/events ]
mv log/events log/events.1
kill -HUP $runner
wait_until 20 [ -e log/events ]
assert wait $runner
assert_eq 5000 "$(events log/*)" "events of a program whose log is moved"
whole log/*
rm -r log
refute "$uetrace" watch --append 2>err
assert_eq "uetrace: --append needs -o FILE" "$(cat err)"
# uetrace must open a FIFO only for writing. If it also opened it for reading, it would not notice
# that the reader has closed the FIFO.
for file in pipe /dev/null; do
	timeout -s KILL 20 "$uetrace" watch --append -o $file 2>err
	assert_eq 1 $? "status of --append to $file"
	assert_eq "uetrace: cannot write $file: --append needs a regular file" "$(cat err)"
done

# The clock is set while events arrive. Later times must be correct, and one line must report the
# change.
"$uetrace" watch --json --heartbeat 1 "$load" >out 2>err &
watcher=$!
wait_until 20 watches
"$load" 10 1 >/dev/null
before=$(date +%s)
date -s "@$((before + 60))" >/dev/null
"$load" 10 1 >/dev/null
wait_until 20 grep -q uetrace:clock out
date -s "@$before" >/dev/null
wait_until 20 sh -c '[ $(grep -c uetrace:clock out) -eq 2 ]'
"$load" 10 1 >/dev/null
alive=$(grep -c uetrace:alive out)
wait_until 20 sh -c "[ \$(grep -c uetrace:alive out) -gt $alive ]"
assert stop $watcher
whole out
# the change of the clock and the time since $before, both in minutes, and the counters in uetrace's
# own lines
assert_eq 'start 0 0
load 0
clock 1 1
load 1
clock -1 0
load 0
stop 30 0' "$(python3 -c '
import datetime, json, sys
last = None
for line in open("out"):
    e = json.loads(line)
    time = datetime.datetime.strptime(e["meta"]["time"][:19], "%Y-%m-%dT%H:%M:%S")
    minutes = int((time.replace(tzinfo=datetime.timezone.utc).timestamp() - int(sys.argv[1])) / 60)
    name = e["n"].split(":")[1]
    more = [e["events"], e["lost"]] if name in ("start", "stop") else [minutes]
    if name == "clock":
        more.insert(0, round(e["step"] / 60e9))
    now = " ".join(map(str, [name] + more))
    if now != last and name != "alive":
        print(now)
        last = now' "$before")" "events and clocks"
assert_match '^\{ "n": "uetrace:alive", "version": "[0-9.]+", "events": 30, "lost": 0, "meta": \{ "time": "' "$(cat out)"

# If a program exits at once, its events may be missing, unless they were registered beforehand.
assert "$uetrace" register --persist "$load"
"$uetrace" watch --json load >out 2>err &
watcher=$!
wait_until 20 watches
for i in 1 2 3 4 5 6 7 8 9 10; do
	"$load" speed 50 >/dev/null
done
assert stop $watcher
assert_eq 500 "$(events out)" "events of ten short programs"
assert "$uetrace" delete load
exit 0
