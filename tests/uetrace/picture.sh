#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Tests timelines. A JSON parser reads uetrace's timeline file, and each event in it is compared
# with the source.

. "$(dirname "$0")/../checks.sh"
uetrace=${1:-build/uetrace}
server=${2:-build/examples/server}
export PYTHONDONTWRITEBYTECODE=1

# call the interpreter directly, because python3 may be a wrapper script that is slow to find it
python3=$(python3 -c 'import json, decimal, re, sys; print(sys.executable)' 2>/dev/null) || {
	echo "skipped: comparing pictures needs python3"
	exit 0
}

# picture CAPTURE [COUNTER...]: compares the timeline of the recording CAPTURE with its source, and
# stores the summary in $summary
picture()
{
	local capture=$1 options=() counter
	shift
	for counter; do
		options+=(--counter "$counter")
	done
	"$uetrace" show --json "$capture" >"$dir/source" 2>"$dir/err" || fail "$(cat "$dir/err")"
	"$uetrace" show --to "$dir/p.json" "${options[@]}" "$capture" >"$dir/out" 2>"$dir/err" ||
		fail "$(cat "$dir/err")"
	expect "standard output" "" "$(cat "$dir/out")"
	summary=$("$python3" tests/uetrace/picture/compare.py "$dir/source" "$dir/p.json" "$@" 2>&1) ||
		fail "$summary"
	checks=$((checks + 1))
}

# The recording contains values of every type, and activities that are nested, overlap, cross
# threads, or are unfinished.
"${CC:-gcc}" -std=gnu11 -Iinclude -o "$dir/source_of" tests/uetrace/picture/source.c -pthread ||
	fail "tests/uetrace/picture/source.c does not compile"
UE_RECORD=$dir/all.uer:keep "$dir/source_of" || fail "the program with all kinds of activities failed"
picture "$dir/all.uer" picture_depth.depth Numbers.tenth
# expected slices: 15 nested calls, 6 connections with a query each, one collection, and two
# activities across threads
expect "summary of the timeline" "30 slices, 24 instants, 20 nested, 7 lines, 2 flows, 16 counts" "$summary"

# Test the comparison script: it must detect a wrong duration, argument or event.
for change in 's/"dur":\([0-9]*\)\./"dur":1\1./;t done' 's/"tenth":0.1/"tenth":0.2/' \
	'/"picture_empty"/d' 's/"name":"Nested"/"name":"nested"/' '/"ph":"f"/d'; do
	mv "$dir/p.json" "$dir/good"
	sed "$change; :done" "$dir/good" >"$dir/p.json"
	cmp -s "$dir/good" "$dir/p.json" && fail "nothing was changed by $change"
	"$python3" tests/uetrace/picture/compare.py "$dir/source" "$dir/p.json" picture_depth.depth \
		Numbers.tenth >/dev/null 2>&1 && fail "the comparison does not detect $change"
	checks=$((checks + 1))
	mv "$dir/good" "$dir/p.json"
done

# In the timeline of a multi-threaded server, each request is a slice.
UE_RECORD=$dir/server.uer:keep "$server" -n 210 -c 3 -w 3 >/dev/null || fail "the server failed"
picture "$dir/server.uer" request_done.bytes
[[ $summary == "210 slices, "*" 210 counts" ]] || fail "unexpected timeline of the server: $summary"

# Timelines of perf recordings.
picture tests/data/perf_one.data
expect "perf's events" "0 slices, 21 instants, 0 nested, 0 lines, 0 flows, 0 counts" "$summary"
picture tests/data/perf_packed.data
expect "perf's activities" "16 slices, 23 instants, 0 nested, 1 lines, 0 flows, 0 counts" "$summary"

# Even for damaged recordings, uetrace must write timelines that viewers can read.
for ((i = 0; i < 4; i++)); do
	damage "$dir/all.uer" $i 20
	"$uetrace" show --to "$dir/bad.json" "$dir/bad.uer" 2>/dev/null
	[ $? -le 1 ] || fail "uetrace crashed on a damaged file in round $i"
	"$python3" -m json.tool <"$dir/bad.json" >/dev/null || fail "invalid JSON for a damaged file in round $i"
	checks=$((checks + 1))
done

# An empty timeline is valid. -o and --to have the same effect.
UE_RECORD=$dir/empty.uer:64K "$server" -n 0 >/dev/null
picture "$dir/empty.uer"
expect "an empty picture" "0 slices, 0 instants, 0 nested, 0 lines, 0 flows, 0 counts" "$summary"
"$uetrace" show -o "$dir/o.json" "$dir/server.uer" 2>/dev/null
"$uetrace" show --to "$dir/to.json" "$dir/server.uer" 2>/dev/null
cmp "$dir/o.json" "$dir/to.json" || fail "-o and --to write different files"
# The extension of the output file selects the format, unless --json is given. Unknown extensions
# are rejected.
while read -r name printed given; do
	[ "$printed" = json ] && printed=--json || printed=
	"$uetrace" show $printed "$dir/server.uer" >"$dir/out" 2>/dev/null
	"$uetrace" show $given --to "$dir/$name" "$dir/server.uer" 2>/dev/null || fail "$name: $?"
	cmp "$dir/out" "$dir/$name" || fail "$name differs from the output of show $printed"
	checks=$((checks + 1))
done <<-END
	o.json json --json
	o.jsonl json
	o.png json --json
	o.txt text
	o.x.log text
	.json text
	none text
END
for name in x.png x.ctf2 x.pftrace x.jsonx x.json.gz; do
	"$uetrace" show --to "$dir/$name" "$dir/server.uer" >"$dir/out" 2>"$dir/err"
	expect "status of $name" 64 $?
	grep -q "cannot choose the format of $dir/$name by its suffix; " "$dir/err" || fail "$name: $(cat "$dir/err")"
	[ ! -e "$dir/$name" ] || fail "$name was written despite the error"
done
"$uetrace" hist -o "$dir/x.json" request_done bytes "$dir/server.uer" >"$dir/out" 2>"$dir/err"
expect "status of a histogram as a picture" 64 $?

# With --row, the timeline has one row per fiber or per activity instead of one row per thread.
# Events without a fiber or activity remain in the row of their thread.
"${CC:-gcc}" -std=gnu11 -Iinclude -o "$dir/fibers" tests/uetrace/picture/fibers.c -pthread ||
	fail "tests/uetrace/picture/fibers.c does not compile"
UE_RECORD=$dir/fibers.uer:keep "$dir/fibers" || fail "the program with fibers failed"
# rows: prints each row of the timeline, with the names of the events in the row
rows()
{
	"$python3" - "$dir/rows.json" <<'END'
import json, re, sys
names, events = {}, {}
for e in json.load(open(sys.argv[1]))["traceEvents"]:
    row = (e["pid"], e.get("tid"))
    if e["name"] == "thread_name":
        names[row] = re.sub("[0-9a-f-]{36}", "ID", e["args"]["name"])
    elif e["ph"] in "Xisf":
        events.setdefault(row, []).append(e["name"])
print("\n".join(sorted(names[row] + ": " + " ".join(sorted(events[row])) for row in events)))
END
}
"$uetrace" show --to "$dir/rows.json" --row fiber "$dir/fibers.uer" 2>"$dir/err"
expect "rows of a field" "0 fiber 0: Middle Work step
fiber 1: Middle Work step
fiber 2: Middle Work step
fibers: done" "$? $(rows)"
"$uetrace" show --to "$dir/rows.json" --row activity "$dir/fibers.uer" 2>"$dir/err"
expect "rows of activities" "0 activity ID: Middle Work
activity ID: Middle Work
activity ID: Middle Work
fibers: done
fibers: step step step" "$? $(rows)"
"$uetrace" show --to "$dir/rows.json" "$dir/fibers.uer" 2>"$dir/err"
expect "rows of threads" "6 flows" "$(rows | grep -o ' activity' | wc -l) flows"
"$uetrace" show --to "$dir/rows.json" --row nosuch "$dir/fibers.uer" 2>"$dir/err"
expect "status of --row nosuch" 1 $?
grep -q 'no event has a field nosuch for --row' "$dir/err" || fail "--row nosuch: $(cat "$dir/err")"
grep -q 'available: .*fiber' "$dir/err" || fail "--row nosuch: $(cat "$dir/err")"

# Failed writes and unknown counters are reported.
"$uetrace" show --to /dev/full "$dir/server.uer" 2>"$dir/err"
expect "status of a full disk" 1 $?
grep -q 'cannot write /dev/full: No space left' "$dir/err" || fail "full: $(cat "$dir/err")"
"$uetrace" show --to "$dir/no/x.json" "$dir/server.uer" 2>"$dir/err"
expect "status of no directory" 1 $?
grep -q 'cannot write .*no/x.json: No such file' "$dir/err" || fail "no directory: $(cat "$dir/err")"
for wrong in x .x x.; do
	"$uetrace" show --to "$dir/x.json" --counter "$wrong" "$dir/server.uer" 2>"$dir/err"
	expect "status of --counter $wrong" 64 $?
	grep -qF -- "--counter needs EVENT.FIELD, not \"$wrong\"" "$dir/err" ||
		fail "$wrong: $(cat "$dir/err")"
done

# Options that have no effect are rejected.
for wrong in '--counter a.b' "--counter a.b --json --to $dir/x.json" "--counter a.b --to $dir/x.txt" \
	"--row a --to $dir/x.txt" "--stats --to $dir/x.json"; do
	# shellcheck disable=SC2086
	"$uetrace" show $wrong "$dir/server.uer" >/dev/null 2>"$dir/err"
	expect "status of $wrong" 64 $?
	grep -qE -- '--(counter|row) needs a timeline|cannot write the table of --stats' "$dir/err" || fail "$wrong: $(cat "$dir/err")"
done

echo "uetrace pictures: $checks checks"
