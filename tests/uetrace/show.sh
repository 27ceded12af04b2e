#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Runs uetrace show on complete, merged, truncated and damaged recordings of programs and of perf,
# without any kernel support. The recorded program is examples/server.

. "$(dirname "$0")/../checks.sh"
uetrace=${1:-build/uetrace}
server=${2:-build/examples/server}

show()
{
	tell show "$@"
}

record() # FILE REQUESTS
{
	UE_RECORD=$1:keep "$server" -n "$2" -c 2 -w 2 >/dev/null || fail "the server failed"
}

# A complete recording.
record "$dir/a.uer" 40
expect "mode of the file" 600 "$(stat -c %a "$dir/a.uer")"
show "$dir/a.uer"
expect "status of a whole file" 0 $status
expect "requests" 40 "$(count ' request_done status=(200|404) bytes=[0-9]+ path="[^"]*"$')"
expect "starts" 40 "$(count ' Example_Server:RequestStart \(start\) path=.* activity=[-0-9a-f]{36}$')"
expect "stops" 40 "$(count ' Example_Server:RequestStop \(stop\) status=.* ms=[0-9.e-]+ activity=')"
all=$(wc -l <"$dir/out")
expect "summary" "uetrace: $all events" "$(cut -d ' ' -f 1-3 "$dir/err")"
grep -q ', 0 lost$' "$dir/err" || fail "no lost events are reported: $(cat "$dir/err")"
expect "lines" "$all" \
	"$(count '^[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6} \[[0-9]{3}\] server-[0-9]+ [A-Za-z_]+')"
expect "order" "" "$(cut -d ' ' -f 1 "$dir/out" | sort -c 2>&1)"
now=$(date +%H:%M)
before=$(date -d '1 minute ago' +%H:%M)
[[ $(head -n 1 "$dir/out") =~ ^($now|$before) ]] || fail "the time of day: $(head -n 1 "$dir/out")"
cp "$dir/out" "$dir/whole"

# Reading the recording from standard input results in the same output.
"$uetrace" show - <"$dir/a.uer" >"$dir/out" 2>"$dir/err"
expect "status of standard input" 0 $?
cmp "$dir/out" "$dir/whole" || fail "the output for standard input differs from that for the file"

# With -e, only the selected events are shown.
show -e 'request_*' "$dir/a.uer"
expect "events that match" 40 "$(wc -l <"$dir/out")"
show -e 'Example_Server_*' -l 2 "$dir/a.uer"
expect "levels up to error" "$(grep -c CannotServe "$dir/whole")" "$(wc -l <"$dir/out")"
show -k 2 "$dir/a.uer"
expect "other keywords" 0 "$(count Example_Server)"

# JSON output.
show --json "$dir/a.uer"
expect "JSON lines" "$all" "$(wc -l <"$dir/out")"
expect "JSON" "$all" "$(count '^\{ "n": "(user_events|Example_Server):[A-Za-z_]+", .*"pid": [0-9]+, "tid": [0-9]+')"
expect "JSON's date" "$all" "$(count '"time": "20[0-9]{2}-[0-9]{2}-[0-9]{2}T')"
if command -v python3 >/dev/null; then
	expect "JSON, parsed" 40 "$(python3 -c '
import json, sys
print(sum(json.loads(line)["n"] == "user_events:request_done" for line in sys.stdin))' <"$dir/out")"
fi

# Several files.
record "$dir/b.uer" 20
show "$dir/b.uer" "$dir/a.uer"
expect "status of two files" 0 $status
expect "requests of two files" 60 "$(count ' request_done ')"
expect "order of two files" "" "$(cut -d ' ' -f 1 "$dir/out" | sort -c 2>&1)"

# Every failed write is reported.
"$uetrace" show "$dir/a.uer" >/dev/full 2>"$dir/err"
expect "status of a full disk" 1 $?
expect "a full disk" "uetrace: cannot write standard output: No space left on device" \
	"$(head -n 1 "$dir/err")"
# a failed write is reported even if no output remains to be written at the end
stdbuf -oL "$uetrace" show "$dir/a.uer" >/dev/full 2>"$dir/err"
expect "a full disk, line by line" "uetrace: cannot write standard output: No space left on device" \
	"$(head -n 1 "$dir/err")"

# Control characters, including U+0080 to U+009F, and characters that change the text direction must
# not reach the terminal. Letters are printed unchanged.
mkdir "$dir/files"
directions=(061c 200e 200f 202a 202b 202c 202d 202e 2066 2067 2068 2069)
touch "$dir/files/a"$'\x9b'31m "$dir/files/b"$'\xc2\x9b'32m "$dir/files/c"$'\xc3\x9b\x7f'
for code in "${directions[@]}"; do
	name=$(LC_ALL=C.UTF-8 printf "\\u$code"); touch "$dir/files/${name}x"
done
cp "$server" "$dir/x"$'\x9b'31m
UE_RECORD=$dir/evil.uer:keep "$dir/x"$'\x9b'31m -d "$dir/files" -n 60 -c 2 -w 2 >/dev/null ||
	fail "the server failed"
show "$dir/evil.uer"
expect "status of control characters" 0 $status
expect "control characters" 0 "$(LC_ALL=C grep -cP '(?<!\xc3)\x9b|\x7f' "$dir/out")"
# UTF-8 encoding of U+061C, U+200E and U+200F, U+202A to U+202E, and U+2066 to U+2069
changes_direction='\xd8\x9c|\xe2\x80[\x8e\x8f\xaa-\xae]|\xe2\x81[\xa6-\xa9]'
expect "directions" 0 "$(LC_ALL=C grep -cP "$changes_direction" "$dir/out")"
paths=("${directions[@]/%/x}")
paths=('a\u009b31m' 'b\u009b32m' $'c\xc3\x9b\\u007f' "${paths[@]/#/\\u}")
for path in "${paths[@]}"; do
	[ "$(grep -cF " x?31m-" "$dir/out")" -gt 0 ] && grep -qF "path=\"$path\"" "$dir/out" ||
		fail "$path: $(cat -v "$dir/out")"
done
show --json "$dir/evil.uer"
expect "controls in JSON" 0 "$(LC_ALL=C grep -cP "(?<!\xc3)\x9b|\x7f|$changes_direction" "$dir/out")"
for path in "${paths[@]}"; do
	grep -qF "\"path\": \"$path\"" "$dir/out" || fail "$path in JSON: $(cat -v "$dir/out")"
done
show --to "$dir/evil.json" "$dir/evil.uer"
expect "controls in a picture" 0 "$(LC_ALL=C grep -cP "(?<!\xc3)\x9b|\x7f|$changes_direction" "$dir/evil.json")"
grep -qF '"path":"\u202ex"' "$dir/evil.json" || fail "a timeline contains a character that changes the text direction"

# A service writes OpenTelemetry logs and spans. Each log must refer to its span, and each span to
# its parent and its trace.
UE_RECORD=$dir/otel.uer:keep "${server%/*}/otel_service" 6 >/dev/null || fail "otel_service failed"
show --json "$dir/otel.uer"
expect "events of the service" "6 6 1 2" "$(count '"name": "order"') $(count '"name": "POST /charge"') $(count \
	'"severityNumber": 13, .*"eventId": 7 \}, "PartC": \{ "card.brand": "jcb" \}, "meta": .*"level": 3') $(count \
	'"PartB": \{ "_typeName": "Log", "body": "st(art|opp)ed".*"level": 4')"
# id NAME EVENT: prints the values of the field NAME in all events that contain the text EVENT
id()
{
	grep -F "$2" "$dir/out" | sed -n "s/.*\"$1\": \"\([0-9a-f]*\)\".*/\1/p" | sort
}
expect "parents of the spans" "$(id ext_dt_spanId '"name": "order"')" "$(id parentId '"name": "POST /charge"')"
expect "traces of the spans" "$(id ext_dt_traceId '"name": "order"')" "$(id ext_dt_traceId '"name": "POST /charge"')"
expect "span of the log" "$(id ext_dt_spanId '"statusMessage": "card declined"')" "$(id ext_dt_spanId '"eventId": 7')"

# Recordings of perf: a file with one event, and a compressed file with four events.
one=tests/data/perf_one.data
show $one
expect "status of perf.data" 0 $status
expect "events of perf.data" "21 21" "$(wc -l <"$dir/out") $(count \
	'^ {7}[0-9]\.[0-9]{6} \[00[01]\] <\.\.\.>-88 request_done status=(200|404) bytes=[0-9]+ path="[a-z_.]+"$')"
expect "summary of perf.data" "uetrace: 21 events in a recording of 0.136 s, 0 lost" "$(cat "$dir/err")"
cp "$dir/out" "$dir/one"
show --json $one
expect "JSON of perf.data" 21 "$(count '^\{ "n": "user_events:request_done", "status": [0-9]+, "bytes": [0-9]+, "path": "[a-z_.]+", "meta": \{ "time": "8\.[0-9]{9}", "cpu": [01], "pid": 86, "tid": 88 \} \}$')"
show tests/data/perf_packed.data
expect "compressed" "0 55" "$status $(wc -l <"$dir/out")"
expect "names of threads" 55 "$(count ' server-88 ')"
expect "self-describing ones of perf.data" 17 "$(count ' Example_Server:RequestStop \(stop\) status=')"
show --stats tests/data/perf_packed.data
expect "a row for each name" "Example_Server:RequestStart 17" \
	"$(awk '$1 ~ /RequestStart/ { print $1, $2 }' "$dir/out")"
# For one event of each kind, the JSON must equal the output of LinuxTracepoints' perf-decode,
# including order, "meta" and spaces. Only the time differs, because perf-decode prints it as a
# number of seconds.
"$uetrace" show --json tests/data/perf_packed.data 2>/dev/null | awk '!seen[$3]++' |
	sed -E 's/"time": "([0-9.]+)"/"time": \1/' >"$dir/out"
expect "the JSON of perf-decode" '{ "n": "user_events:request_done", "status": 200, "bytes": 197704, "path": "user_events.h", "meta": { "time": 13.929122263, "cpu": 0, "pid": 86, "tid": 88 } }
{ "n": "Example_Server:RequestStop", "status": 200, "bytes": 197704, "ms": 24.0015, "meta": { "time": 13.929180600, "cpu": 0, "pid": 86, "tid": 88, "level": 4, "keyword": "0x1", "opcode": 2, "activity": "82b0589e-b610-4f8a-bc02-fb8f3ce5d36d" } }
{ "n": "Example_Server:RequestStart", "path": "user_events_decode.h", "fd": 6, "meta": { "time": 13.933174550, "cpu": 0, "pid": 86, "tid": 88, "level": 4, "keyword": "0x1", "opcode": 1, "activity": "82b0589e-b610-4f8a-bc02-fb8f3ce5d36e" } }
{ "n": "Example_Server:CannotServe", "path": "missing.html", "error": "ENOENT(2)", "meta": { "time": 13.959692535, "cpu": 0, "pid": 86, "tid": 88, "level": 2, "keyword": "0x1", "activity": "82b0589e-b610-4f8a-bc02-fb8f3ce5d36f" } }' "$(cat "$dir/out")"
# All values sampled by perf are shown, including thread ID 0, which belongs to idle threads.
LC_ALL=C sed 's/\x56\x00\x00\x00\x58\x00\x00\x00/\x00\x00\x00\x00\x00\x00\x00\x00/g' $one >"$dir/idle.data"
show --json "$dir/idle.data"
expect "process 0" 21 "$(count '"cpu": [01], "pid": 0, "tid": 0 \} \}$')"
show --pid 88 $one
expect "a process" "0 21" "$status $(wc -l <"$dir/out")"
show --pid 89 $one
expect "another process" "0 0" "$status $(wc -l <"$dir/out")"
show --pid 89 tests/data/perf_packed.data
expect "the list of processes" "uetrace: no event belongs to process 89
uetrace: available: 86 (server)" "$(tail -n 2 "$dir/err")"
show -l warning $one
expect "events without a level" "0" "$(wc -l <"$dir/out")"
show -l warning -e '*' $one
expect "events without a level, by name" "21" "$(wc -l <"$dir/out")"
show -e 'sched:*' $one
expect "another system" "1 0" "$status $(wc -l <"$dir/out")"
# If a name given with -e matches no event, the exit status is 1, so that scripts notice it. Each
# name is checked separately. It is not an error if a name matches only events that other options
# exclude.
show -e request_done -e requst_done -e 'Request*' tests/data/perf_packed.data
expect "one missing name of three" "1 51 uetrace: no event matches requst_done" \
	"$status $(wc -l <"$dir/out") $(grep matches "$dir/err")"
show -e '*' -e Example_Server:RequestStop -e Example_Server_L4K1 tests/data/perf_packed.data
expect "a name of events that other names select, too" "0 55" "$status $(wc -l <"$dir/out")"
show -e request_done --pid 89 $one
expect "a name of another process" "0 0" "$status $(wc -l <"$dir/out")"
show -e CannotServe -l 1 tests/data/perf_packed.data
expect "a name of another level" "0 0" "$status $(wc -l <"$dir/out")"
# Events are selected by their own names, and by filters, even on fields that the kernel does not
# know.
packed=tests/data/perf_packed.data
names() # ARG...
{
	"$uetrace" show "$@" $packed 2>"$dir/err" |
		sed -nE 's/.* (Example_Server:[A-Za-z]+|request_done) .*/\1/p' | sort | uniq -c | xargs
}
expect "provider and name" "17 Example_Server:RequestStop" "$(names -e Example_Server:RequestStop)"
expect "own name" "17 Example_Server:RequestStart 17 Example_Server:RequestStop" "$(names -e 'RequestS*')"
expect "a set" "4 Example_Server:CannotServe" "$(names -e Example_Server_L2K1)"
expect "no such name" "" "$(names -e Example_Server:Request)"
expect "the list of available events" "uetrace: available: Example_Server:CannotServe, Example_Server:RequestStart, Example_Server:RequestStop, request_done" \
	"$(tail -n 1 "$dir/err")"
expect "a filter" "4 Example_Server:RequestStop 4 request_done" "$(names -f 'status >= 400')"
expect "the filter and its equivalent" "4 Example_Server:RequestStop 4 request_done" "$(names -f '!(status<400)')"
expect "own fields" "4 Example_Server:CannotServe" "$(names -f 'error == ENOENT || error == EPERM')"
expect "text" "4 Example_Server:CannotServe" "$(names -f 'path ~ "miss*" && error != 1')"
expect "floating point" "17 Example_Server:RequestStop" "$(names -f 'ms < 2.5 || ms >= 2.5')"
expect "level and keyword" "4 Example_Server:CannotServe" "$(names -f 'level <= 2 && keyword & 0x1')"
expect "of the kernel's filters" 55 "$("$uetrace" show -f 'comm == server && common_pid == 88' \
	$packed 2>/dev/null | wc -l)"
# If an event has a field with the same name as a header field, a filter uses the event's own field.
cat >"$dir/own.c" <<'END'
#include <user_events_recorder.h>
UE_EVENT_SET(shop_info, "Shop", UE_LEVEL_INFORMATION, 1);
int main(void)
{
	unsigned int id, level = 9;

	if (ue_recorder_environment() != 1)
		return 1;
	for (id = 2129; id < 2132; id++)
		UE_LOG(shop_info, "Sold", UE_U32(id), UE_U32(level));
	UE_LOG(shop_info, "Closed;at=night", UE_ID(7, 1), UE_U32(level));
	return 0;
}
END
"${CC:-gcc}" -std=gnu11 -Iinclude -o "$dir/own" "$dir/own.c" || fail "own.c does not compile"
UE_RECORD=$dir/own.uer:keep "$dir/own" || fail "own failed"
own() { "$uetrace" show "$@" "$dir/own.uer" 2>/dev/null | sed -nE 's/.* Shop://p' | xargs; }
expect "an own id" "Sold id=2130 level=9" "$(own -f 'id == 2130')"
expect "an own id of a named event" "Sold id=2130 level=9" "$(own -e Shop:Sold -f 'id == 2130')"
expect "the header's id" "Closed;at=night level=9" "$(own -f 'id == 7')"
expect "no id" "" "$(own -f 'id == 0')"
expect "attributes are not the name" "Closed;at=night level=9" "$(own -e Shop:Closed)"
expect "attributes in JSON" '{ "n": "Shop:Closed", "level": 9, ... "attributes": "at=night" } }' "$("$uetrace" show --json \
	-e Shop:Closed "$dir/own.uer" 2>/dev/null | sed 's/"meta".*"attributes"/... "attributes"/')"
expect "an own level" 4 "$(own -f 'level == 9' | grep -o level | wc -l)"
expect "the header's version" "Closed;at=night level=9" "$(own -f 'version == 1')"
show -f 'nosuch == 1' "$dir/own.uer"
expect "no event has the field" "1 uetrace: no event has all the fields of the filter: nosuch == 1
uetrace: available: id, level" "$status $(tail -n 2 "$dir/err")"
show -f 'level == 1' "$dir/own.uer"
expect "the event's own field" "0 uetrace: 0 events in a recording of 0.000 s, 0 lost" "$status $(cat "$dir/err")"

# If there is nothing to write, an existing output file is kept.
echo good >"$dir/y.json"
for input in nosuchfile empty text; do
	: >"$dir/empty"
	echo nonsense, which is no recording at all >"$dir/text"
	show --to "$dir/y.json" "$dir/$input"
	expect "status without an input" "1 good" "$status $(cat "$dir/y.json")"
done
show --to "$dir/y.json" "$dir/own.uer"
expect "the output" 0 "$status$(grep -c good "$dir/y.json" | tr -d 0)"
show --to "$dir/y.json" --counter Sold.level --counter Sold.nosuch "$dir/own.uer"
expect "a missing counter" "1 uetrace: no event has a numeric field Sold.nosuch for --counter
uetrace: available: id, level" "$status $(head -n 2 "$dir/err")"
show "$dir/empty"
expect "an empty file, and nothing behind that" "1 uetrace: $dir/empty is empty" "$status $(cat "$dir/err")"
for filter in 'status=404' 'status = 404' '(!status=404)'; do
	show -f "$filter" $packed
	expect "a single =" "1 use == to compare" "$status $(tail -n 1 "$dir/err")"
done
show -f 'status >> 3' $packed
expect "a wrong filter" "1 uetrace: cannot use the filter
  status >> 3
          ^" "$status $(head -n 3 "$dir/err")"

# perf data from a pipe, from a machine with the opposite byte order, with lost events and a changed
# thread name.
tests/fuzz/perf_seeds.py "$dir" || fail "no recordings"
expect "a pipe of a big-endian machine" '       5.000001 [000] server-500 request_done status=-1 bytes=1099511627776 path="/"
       5.000002 [001] worker-501 request_done status=404 bytes=0 path="/missing"
[3 events lost]
       5.000003 [001] renamed-501 request_done status=200 bytes=7 path="/a"' \
	"$("$uetrace" show - <"$dir/big_endian" 2>"$dir/err")"
expect "number of events lost by perf" "uetrace: 3 events in a recording of 0.000 s, 3 lost" "$(cat "$dir/err")"
"$uetrace" show "$dir/pipe" >"$dir/piped" 2>"$dir/err"
expect "a pipe" "5 uetrace: 4 events in a recording of 0.000 s, 3 lost" "$(wc -l <"$dir/piped") $(cat "$dir/err")"
expect "compressed by zstd" "$(cat "$dir/piped")" "$("$uetrace" show "$dir/packed" 2>/dev/null)"
expect "with the time of day" "22:13:20.000001 [000] server-500 request_done status=-1 bytes=1099511627776 path=\"/\"" \
	"$("$uetrace" show "$dir/file" 2>/dev/null | head -n 1)"
# perf writes the descriptions of events to the end of a file, so uetrace buffers a file that it
# reads from a pipe. If a file is named twice, its events are merged with themselves.
expect "a pipe of a file" "$(cat "$dir/one")" "$(cat $one | "$uetrace" show - 2>/dev/null)"
show $one $one
expect "merged" "0 42" "$status $(wc -l <"$dir/out")"
expect "clocks of perf" 1 "$(grep -c 'clocks that cannot be compared' "$dir/err")"

# For truncated and damaged perf recordings, uetrace reports the position of the damage, and does
# not crash.
for cut in 15 100 200 500 5000; do
	head -c $cut $one >"$dir/cut.data"
	show "$dir/cut.data"
	expect "status of $cut bytes" 1 $status
	grep -qE 'cut.data: .* at byte [0-9]+$' "$dir/err" || fail "a file truncated to $cut bytes: $(cat "$dir/err")"
done
size=$(stat -c %s "$dir/pipe")
for cut in 9 20 60; do
	head -c $((size - cut)) "$dir/pipe" >"$dir/cut.data"
	show "$dir/cut.data"
	expect "status of a cut pipe" 1 $status
	expect "events of a truncated pipe" 4 "$(wc -l <"$dir/out")"
	grep -qE 'cut.data: the file ends within a record at byte [0-9]+$' "$dir/err" ||
		fail "message for a truncated pipe: $(cat "$dir/err")"
done

# If the input is endless and not a recording, uetrace does not try to read all of it.
for input in /dev/zero /dev/urandom; do
	show $input
	expect "$input" "1 uetrace: $input is not a perf.data, trace.dat or recorder file" \
		"$status $(head -n 1 "$dir/err")"
done
show - < <(yes)
expect "a pipe without an end" "1 uetrace: standard input is not a perf.data, trace.dat or recorder file" \
	"$status $(head -n 1 "$dir/err")"
tell hist any field /dev/zero
expect "status of a histogram of it" 1 $status

# Inputs that are not recordings, missing files and empty inputs are reported.
show Makefile
expect "an input that is not a recording" "1 uetrace: Makefile is not a perf.data, trace.dat or recorder file" \
	"$status $(head -n 1 "$dir/err")"
show "$server"
expect "status of a program" "1 uetrace: $server is a program, not a recording; use 'uetrace list' to show the events it declares, \
or 'uetrace run' to record them" "$status $(head -n 1 "$dir/err")"
# Formats that uetrace can write but not read are reported.
for output in own.ctf own.json own.jsonl own.otlp.jsonl; do
	show -o "$dir/$output" "$dir/a.uer"
	show "$dir/$output"
	case $output in
	*.ctf) reason="in the Common Trace Format, which uetrace only writes; use babeltrace2 $dir/$output" ;;
	*) reason="JSON, which uetrace only writes; use jq" ;;
	esac
	expect "a file written by uetrace" "1 uetrace: cannot show $dir/$output: it is $reason" \
		"$status $(head -n 1 "$dir/err")"
done
show request_done "$dir/a.uer"
expect "an event instead of a file" "uetrace: cannot read request_done: No such file or directory; events are \
selected with -e" "$(head -n 1 "$dir/err")"
# For a running process, uetrace run suggests uetrace watch.
for words in "" true; do
	# shellcheck disable=SC2086 # unquoted: no word or one word
	tell run -p 7 $words
	expect "run of a process" "64 uetrace: run does not support -p; to trace a running program: uetrace watch -p 7" "$status $(cat "$dir/err")"
done

# Empty patterns and names are rejected.
for option in e f; do
	show -$option '' $one
	expect "status of show -$option ''" "64 1" "$status $(grep -cE '^uetrace show: an empty (pattern|filter) ' "$dir/err")"
	tell run -$option '' true
	expect "status of run -$option ''" "64 1" "$status $(grep -cE '^uetrace run: an empty (pattern|filter) ' "$dir/err")"
done
for command in watch list "show $one"; do
	# shellcheck disable=SC2086 # split into words
	tell $command ''
	expect "uetrace $command ''" "64 uetrace: cannot use an empty argument for uetrace ${command% *}" \
		"$status $(cat "$dir/err")"
done
for command in run watch; do
	"$uetrace" $command $one >"$dir/out" 2>"$dir/err"
	expect "$command of a recording" "64 uetrace: $one is a recording; to show it: uetrace show $one" "$? $(cat "$dir/err")"
done
show --to "$dir/x.txt" "$dir/a.uer"
expect "text" 1 "$(wc -l <"$dir/err")"
show "$dir/nosuch" "$dir/a.uer"
expect "a missing file" "1 $all" "$status $(wc -l <"$dir/out")"
grep -q 'cannot read .*nosuch: No such file' "$dir/err" || fail "missing: $(cat "$dir/err")"
"$uetrace" show >"$dir/out" 2>&1
expect "no file at all" 64 $?

# If a program cannot record its events, it reports this and continues.
expect "a program that cannot record" "served 2 requests" \
	"$(UE_RECORD=$dir/no/such/file "$server" -n 2 -c 1 -w 1 2>"$dir/err")"
grep -q 'cannot record to UE_RECORD=.*/no/such/file: No such file' "$dir/err" ||
	fail "reason why the program cannot record: $(cat "$dir/err")"

echo "uetrace show: $checks checks"
