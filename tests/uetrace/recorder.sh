#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Runs uetrace show on the recorder files of a killed server, of a running server, and of a server
# that keeps the oldest events; on a snapshot; and on files that are not recordings.

. "$(dirname "$0")/../checks.sh"
uetrace=${1:-build/uetrace}
server=${2:-build/examples/server}

show()
{
	tell show "$@"
}

# until COMMAND...: repeats COMMAND until it succeeds, for at most ten seconds
until_true()
{
	local i
	for i in {1..100}; do
		"$@" && return
		sleep 0.1
	done
	fail "not true within ten seconds: $*"
}

# A complete recording.
UE_RECORD=$dir/a.uer:1M "$server" -n 40 -c 2 -w 2 >/dev/null || fail "the server failed"
expect "mode of the file" 600 "$(stat -c %a "$dir/a.uer")"
show "$dir/a.uer"
expect "status" 0 $status
expect "requests" 40 "$(count ' request_done status=(200|404) bytes=[0-9]+ path="[^"]*"$')"
expect "stops" 40 "$(count ' Example_Server:RequestStop \(stop\) status=.* ms=[0-9.e-]+ activity=')"
all=$(wc -l <"$dir/out")
expect "lines" "$all" \
	"$(count '^[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6} \[[0-9]{3}\] server-[0-9]+ [A-Za-z_]+')"
expect "order" "" "$(cut -d ' ' -f 1 "$dir/out" | sort -c 2>&1)"
grep -q '^uetrace: .*, 0 lost$' "$dir/err" || fail "no lost events are reported: $(cat "$dir/err")"
show --json "$dir/a.uer"
expect "JSON lines" "$all" "$(wc -l <"$dir/out")"

# Events that the program truncated are marked as truncated.
cat >"$dir/truncated.c" <<'END'
#include <user_events_recorder.h>
UE_EVENT_SET(big, "Big", UE_LEVEL_INFORMATION, 0x1);
int main(void)
{
	static char text[5000];
	uint64_t mark;

	ue_recorder_environment();
	memset(text, 'x', sizeof(text) - 1);
	UE_TRACE(big_typed, UE_U8(number, 1), UE_STR(text));
	UE_LOG(big, "Event", UE_U8(number, 2), UE_STR(text));
	UE_TRACE(big_typed, UE_U8(number, 3), UE_STR(text, "short"));
	UE_LOG(big, "Event", UE_U8(number, 4), UE_STR(text, "short"));
	memcpy(&mark, "UE_TRUNC", 8);
	UE_LOG(big, LONG_NAME, mark); /* complete; its only value looks like the mark */
	return ue_status().cut != 2;
}
END
long_name=$(printf %01200d 0)
"${CC:-gcc}" -std=gnu11 -Iinclude "-DLONG_NAME=\"$long_name\"" -o "$dir/truncated" "$dir/truncated.c" -pthread ||
	fail "truncated.c does not compile"
UE_RECORD=$dir/truncated.uer:1M "$dir/truncated" || fail "truncated.c truncates two events"
show "$dir/truncated.uer"
expect "text of truncated events" "big_typed number=1 text=\"x\" (truncated)
Big:Event number=2 text=\"x\" (truncated)
big_typed number=3 text=\"short\"
Big:Event number=4 text=\"short\"" "$(sed -E "/$long_name/d; s/.*(big_typed|Big:Event)/\1/; s/x+\"/x\"/" "$dir/out")"
show --json "$dir/truncated.uer"
expect "truncated events in JSON" "1 2" "$(sed -nE 's/.*"number": ([0-9]).* "truncated": true \} \}$/\1/p' "$dir/out" | xargs)"
show --json --max-line 1 "$dir/truncated.uer"
expect "truncated events in short lines" 2 "$(count '"truncated": true, "cut": true \} \}$')"
expect "short lines of all long events" 3 "$(count '"cut": true \} \}$')"

# The server is killed and started again.
UE_RECORD=$dir/k.uer:64K "$server" -n 1000000 >/dev/null &
pid=$!
lapped() { show "$dir/k.uer" && grep -q overwritten "$dir/err"; }
until_true lapped
kill -9 $pid
wait $pid 2>/dev/null
show "$dir/k.uer"
expect "status of a killed one" 0 $status
grep -qE '^uetrace: [0-9]+ events in a recording of [0-9.]+ s, [0-9] lost, [0-9]+ overwritten, the oldest of each CPU$' "$dir/err" ||
	fail "report of the overwritten recording: $(cat "$dir/err")"
cp "$dir/out" "$dir/killed"
UE_RECORD=$dir/k.uer:64K "$server" -n 2 >/dev/null
show "$dir/k.uer.old"
cmp "$dir/out" "$dir/killed" || fail "a restart changed the previous recording"
show "$dir/k.uer"
expect "the new recording" 2 "$(count ' request_done ')"

# The recorder has several rings, each of which overwrites its own oldest events. The output marks
# the end of the last gap, after which no event is missing.
cat >"$dir/gap.c" <<'END'
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <user_events_recorder.h>

static int two[2], found;

static void on_cpu(int which)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(two[which], &one);
	sched_setaffinity(0, sizeof(one), &one);
}

int main(int argc, char **argv)
{
	unsigned int busy = 0, quiet = 0, all = argc > 2 ? 3000 : 50;
	cpu_set_t set;

	/* an even and an odd one have different rings of the two */
	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return 1;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (CPU_ISSET(cpu, &set) && (!found || cpu % 2 != two[0] % 2) && found < 2)
			two[found++] = cpu;
	}
	if (found < 2)
		return 77;
	if (ue_recorder_open(argv[1], 131072, UE_RECORDER_RINGS(2)))
		return 1;
	for (int i = 0; i < 3; i++, quiet++) {
		on_cpu(0);
		UE_TRACE(quiet_done, quiet);
		on_cpu(1);
		for (unsigned int n = 0; n < all / 3; n++, busy++)
			UE_TRACE(busy_done, busy);
	}
	return 0;
}
END
${CC:-gcc} -std=gnu11 -Iinclude -o "$dir/gap" "$dir/gap.c" || fail "gap.c does not compile"
"$dir/gap" "$dir/gap.uer" much
case $? in
0)
	mark='[complete from here on: of some CPUs, earlier events are overwritten]'
	show "$dir/gap.uer"
	expect "number of marks of lost events" 1 "$(grep -cxF "$mark" "$dir/out")"
	before=$(sed "/^\[complete/,\$d" "$dir/out")
	expect "before the mark, of a CPU that had few" "quiet_done" \
		"$(printf '%s\n' "$before" | sed -E 's/.* ([a-z]+_done) .*/\1/' | sort -u)"
	sed '1,/^\[complete/d' "$dir/out" >"$dir/behind"
	first=$(sed -nE '1s/.* busy_done busy=//p' "$dir/behind")
	[ "${first:-0}" -gt 0 ] || fail "event after the mark: $(head -n 1 "$dir/behind")"
	expect "all behind the mark" "$(seq "$first" 2999)" "$(sed -nE 's/.* busy_done busy=//p' "$dir/behind")"
	grep -q ", 0 lost, $first overwritten, " "$dir/err" || fail "$first overwritten: $(cat "$dir/err")"
	show -e quiet_done "$dir/gap.uer"
	expect "the mark among other events" "2:$mark" "$(grep -nF complete "$dir/out")"
	show -e busy_done "$dir/gap.uer"
	expect "no mark where nothing is before" 0 "$(grep -cF complete "$dir/out")"
	show --json "$dir/gap.uer"
	expect "no mark in JSON" 0 "$(grep -cv '^{' "$dir/out")"
	"$dir/gap" "$dir/whole.uer"
	show "$dir/whole.uer"
	expect "no mark where nothing is missing" 51 "$(grep -c '_done ' "$dir/out")"
	expect "no mark where nothing is missing" 0 "$(grep -cF complete "$dir/out")"
	;;
77) echo "one CPU only: the mark is not looked at" ;;
*) fail "the recorder with a gap" ;;
esac

# With "keep", the file contains the oldest events, and the number of later events that did not fit.
UE_RECORD=$dir/s.uer:64K:keep "$server" -n 400 -c 1 -w 1 >/dev/null
show "$dir/s.uer"
expect "status of the oldest" 0 $status
expect "the first request" "path=\"" "$(grep -m 1 -o 'path="' "$dir/out")"
lost=$(sed -nE 's/^uetrace: [0-9]+ events in a recording of [0-9.]+ s, ([0-9]+) lost$/\1/p' "$dir/err")
kept=$(wc -l <"$dir/out")
[ "$kept" -gt 300 ] && [ "$lost" -gt 300 ] || fail "expected over 300 kept and lost events, found $kept and $lost"
[ $((kept + lost)) -ge 1200 ] || fail "of 3 events a request, $kept were kept and $lost lost"

# While the server runs, read its file with --follow, and take a snapshot.
UE_RECORD=$dir/f.uer:1M "$server" -s "$dir/snapshot.uer" -n 1000000 >/dev/null &
pid=$!
begun() { show "$dir/f.uer" && [ "$status" -eq 0 ]; }
until_true begun
: >"$dir/followed"
"$uetrace" show --follow -e request_done "$dir/f.uer" >"$dir/followed" 2>"$dir/err" &
follower=$!
more() { [ "$(wc -l <"$dir/followed")" -gt "$1" ]; }
until_true more 100
until_true more $(($(wc -l <"$dir/followed") + 100))
kill -USR2 $pid
# if the server is killed while it writes a snapshot, a partial snapshot remains
copied() { [ "$(stat -c %s "$dir/snapshot.uer" 2>&1)" = "$(stat -c %s "$dir/f.uer")" ]; }
until_true copied
kill -9 $pid
wait $pid 2>/dev/null
kill -INT $follower
wait $follower
expect "status of a follower" 0 $?
expect "order of a follower" "" "$(cut -d ' ' -f 1 "$dir/followed" | sort -c 2>&1)"
grep -q '^uetrace: ' "$dir/err" || fail "the follower's summary: $(cat "$dir/err")"
show "$dir/snapshot.uer"
expect "status of a snapshot" 0 $status
[ "$(count ' request_done ')" -gt 0 ] || fail "the snapshot is empty"

# A truncated recorder file is reported.
head -c 5000 "$dir/a.uer" >"$dir/cut.uer"
show "$dir/cut.uer"
expect "status of a cut one" 1 $status
grep -q 'is not a complete recorder file of this version' "$dir/err" || fail "a truncated file: $(cat "$dir/err")"
"$uetrace" show --follow "$dir/s.uer" "$dir/a.uer" >"$dir/out" 2>"$dir/err"
expect "status of two files to follow" 64 $?
echo "uetrace show of recorders: $checks checks passed"
