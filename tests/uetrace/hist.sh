#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Runs uetrace hist and uetrace latency on files. A Python script must calculate the same figures
# from the same events.

. "$(dirname "$0")/../checks.sh"
uetrace=${1:-build/uetrace}
server=${2:-build/examples/server}
export COLUMNS=100

# tell ARG...: writes uetrace's output to $dir/out, and its messages without the summary to $dir/err
tell()
{
	"$uetrace" "$@" >"$dir/out" 2>"$dir/all"
	status=$?
	grep -vE '^uetrace: [0-9]+ events? in ' "$dir/all" >"$dir/err"
}

UE_RECORD=$dir/a.uer:keep "$server" -n 300 -c 3 -w 3 >/dev/null || fail "the server failed"
"$uetrace" show --json "$dir/a.uer" >"$dir/source" 2>/dev/null

# call the interpreter directly, because python3 may be a wrapper script that is slow to find it
if python3=$(python3 -c 'import json, datetime, sys; print(sys.executable)' 2>/dev/null); then
	# compare WHAT PYTHON: compares the printed numbers with the values of the PYTHON
	# expression, which is evaluated for the recorded events
	compare()
	{
		checks=$((checks + 1))
		"$python3" - "$dir/source" "$dir/out" "$2" <<'END' || fail "$1: $(cat "$dir/out")"
import json, math, re, sys

events = [json.loads(line) for line in open(sys.argv[1])]
lines = open(sys.argv[2]).read().splitlines()

def ns(event):
    hour, minute, second = event["meta"]["time"][11:-1].split(":")
    whole, fraction = second.split(".")
    return ((int(hour) * 60 + int(minute)) * 60 + int(whole)) * 10**9 + int(fraction)

def named(name):
    return [e for e in events if e["n"].split(":")[1] == name]

def durations(start, stop, key):
    starts = {key(e): ns(e) for e in named(start)}
    return [ns(e) - starts[key(e)] for e in named(stop)]

UNITS = {"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1, "": 1}

def number(text):
    value, unit = re.fullmatch(r"(-?[0-9.e+-]+?)(s|ms|us|ns|)", text).groups()
    return float(value) * UNITS[unit]

values = sorted(eval(sys.argv[3]))
count, *told = lines[1].split()[-5:]
assert int(count) == len(values) > 0, (count, len(values))
for text, share in zip(told, (0, 0.5, 0.99, 1)):
    value = values[max(math.ceil(share * len(values)), 1) - 1]
    # allow for rounding to one decimal or six digits, and for an error of 0.5% in the two middle
    # percentiles
    slack = 0.05 * UNITS[re.sub("[^a-z]", "", text)] if re.search("[a-z]$", text) else 0
    slack += abs(value) * (0.006 if share in (0.5, 0.99) else 1e-5)
    assert abs(number(text) - value) <= slack, (share, text, value)
# every value belongs to a row
rows = [re.fullmatch(r" *(.*?) +(\d+) \|(@*)", line) for line in lines[2:] if line]
assert all(rows), lines
assert sum(int(r[2]) for r in rows) == len(values)
most = max(int(r[2]) for r in rows)
for r in rows:
    assert (int(r[2]) > 0) == (len(r[3]) > 0) and (int(r[2]) < most or len(r[3]) > 30)
    bounds = re.fullmatch(r"\[(.*), (.*)\)", r[1])
    if bounds:
        low, high = map(number, bounds.groups())
        # a value equal to the bound of two rows belongs to the upper row
        inside = sum(low * (1 - 1e-9) <= v < high * (1 - 1e-9) for v in values)
        assert inside == int(r[2]), (r[0], inside)
    elif r[1] != "...":
        assert sum(v == number(r[1]) for v in values) == int(r[2]), r[0]
END
	}
	tell hist request_done bytes "$dir/a.uer"
	compare "bytes" '[e["bytes"] for e in named("request_done")]'
	tell hist Example_Server:RequestStop ms "$dir/a.uer"
	compare "milliseconds" '[e["ms"] for e in named("RequestStop")]'
	tell hist 'RequestS*' fd "$dir/a.uer"
	compare "descriptors" '[e["fd"] for e in named("RequestStart")]'
	tell latency "$dir/a.uer"
	compare "latency of activities" \
		'durations("RequestStart", "RequestStop", lambda e: e["meta"]["activity"])'
	tell latency --from RequestStart --to RequestStop "$dir/a.uer"
	compare "latency by thread" 'durations("RequestStart", "RequestStop", lambda e:
		e["meta"]["activity"])'
else
	echo "no python3 with json: the figures are not compared"
fi

# Several events of the recording have the same text.
tell hist request_done path "$dir/a.uer"
expect "messages" "" "$(cat "$dir/err")"
for path in missing.html user_events.h; do
	expect "number of events with $path" "$(grep -c "request_done.*\"$path\"" "$dir/source")" \
		"$(awk -v path="$path" '$1 == path { print $2 }' "$dir/out")"
done
tell hist request_done status "$dir/a.uer"
expect "values that come again" "200 404" "$(awk 'NR > 2 { print $1 }' "$dir/out" | xargs)"

# With --by and a field that all events have, events with the same field value are matched.
tell latency --from RequestStart --to request_done --by path "$dir/a.uer"
expect "status by a field" 0 $status
grep -q '^RequestStart to request_done ' "$dir/out" || fail "by a field: $(cat "$dir/out")"
# A name that is too long for its column is printed completely.
COLUMNS=50 tell latency --from Example_Server:RequestStart --to request_done --by path "$dir/a.uer"
expect "a long name" "Example_Server:RequestStart to request_done" "$(sed -n 2p "$dir/out")"

# The longest durations are printed with the fields of their events.
tell latency --slowest 3 "$dir/a.uer"
sed -n '/^SLOWEST$/,$p' "$dir/out" >"$dir/slowest"
mv "$dir/slowest" "$dir/out"
expect "slowest durations" 3 "$(count '^[0-9.]+[mun]?s  [0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6} server-[0-9]+$')"
expect "begins of the slowest" 3 "$(count '^    Example_Server:RequestStart \(start\) path=')"
expect "ends of the slowest" 3 "$(count '^    Example_Server:RequestStop \(stop\) status=')"
expect "longest first" "" "$(awk '/^[0-9]/ { u = $1 ~ /us$/ ? 1 : $1 ~ /ms$/ ? 1e3 : $1 ~ /ns$/ ? 1e-3 : 1e6
	if (NR > 2 && $1 * u > last) print "later", $0; last = $1 * u }' "$dir/out")"
if command -v python3 >/dev/null; then
	longest=$(python3 -c '
import json, sys
begins, most = {}, (-1, "")
for event in map(json.loads, open(sys.argv[1])):
    second = float(event["meta"]["time"][17:-1])
    if event["n"] == "Example_Server:RequestStart":
        begins[event["meta"]["activity"]] = second
    if event["n"] == "Example_Server:RequestStop":
        activity = event["meta"]["activity"]
        most = max(most, ((second - begins[activity]) % 60, activity))
print(most[1])' "$dir/source")
	expect "the longest durations" "$longest" "$(sed -nE '4s/.*activity=([-0-9a-f]+).*/\1/p' "$dir/out")"
fi
tell latency --slowest 0 "$dir/a.uer"
expect "none of the slowest" 0 "$(count SLOWEST)"

# The second event has a field with the name given after the comma. The values of status and fd
# differ, so no events may be matched.
tell latency --from request_done --to RequestStop --by status,fd "$dir/a.uer"
grep -q '300 events have no value for --by status,fd' "$dir/err" || fail "two fields: $(cat "$dir/err")"
UE_RECORD=$dir/one.uer:keep "$server" -n 30 -c 1 -w 1 >/dev/null || fail "the server failed"
tell latency --from request_done --to RequestStop --by status,status "$dir/one.uer"
expect "two names of a field" 30 "$(awk '/^request_done to RequestStop / { print $4 }' "$dir/out")"

# The output of latency fits on the terminal: no line is longer than COLUMNS.
for columns in 60 80 132; do
	COLUMNS=$columns "$uetrace" latency "$dir/a.uer" >"$dir/out" 2>/dev/null
	[ "$(awk '{ print length }' "$dir/out" | sort -n | tail -n 1)" -lt $columns ] ||
		fail "a line is longer than $columns: $(cat "$dir/out")"
	checks=$((checks + 1))
done

# With -f, only the events that match the filter are counted.
tell hist -f 'status == 404' Example_Server:RequestStop ms "$dir/a.uer"
expect "filtered" "$(grep -c 'RequestStop.*"status": 404' "$dir/source")" "$(awk 'NR == 2 { print $2 }' "$dir/out")"

# Strings beyond the limit, and activities that never end, are counted.
cat >"$dir/many.c" <<'END'
#include <stdio.h>
#include <user_events_recorder.h>
UE_EVENT_SET(many, "Many", UE_LEVEL_INFORMATION, 0x1);
int main(void)
{
	uint8_t id[16] = { 0 };
	char text[16];

	if (ue_recorder_environment() != 1)
		return 1;
	for (int i = 0; i < 5000; i++) {
		snprintf(text, sizeof(text), "text%d", i);
		UE_TRACE(many_texts, UE_STR(text));
	}
	for (int i = 0; i < 270000; i++) {
		memcpy(id, &i, sizeof(i));
		UE_LOG(many, "Start", UE_OPCODE(UE_OPCODE_ACTIVITY_START), UE_ACTIVITY(id));
	}
	UE_LOG(many, "Stop", UE_OPCODE(UE_OPCODE_ACTIVITY_STOP), UE_ACTIVITY(id));
	return 0;
}
END
"${CC:-gcc}" -std=gnu11 -Iinclude -o "$dir/many" "$dir/many.c" || fail "many.c does not compile"
UE_RECORD=$dir/many.uer:64M:keep "$dir/many" || fail "many failed"
tell hist many_texts text "$dir/many.uer"
expect "texts beyond those" \
	"uetrace: many_texts.text: only the first 4096 distinct strings are counted separately; 904 other values are shown as (others)" "$(cat "$dir/err")"
expect "20 texts and the others" "21 $((5000 - 20))" \
	"$(wc -l <"$dir/out" | awk '{ print $1 - 1 }') $(awk '$1 == "(others)" { print $2 }' "$dir/out")"
tell latency "$dir/many.uer"
expect "activities beyond those" "uetrace: 262143 did not end, 7856 started again or exceeded the limit of open activities" \
	"$(cat "$dir/err")"

# For spans, each name is printed with the number of ended spans, and slices are nested in the
# timeline.
cat >"$dir/spans.c" <<'END'
#include <user_events_recorder.h>
#include <user_events_span.h>
UE_EVENT_SET(spans, "Spans", UE_LEVEL_INFORMATION, 0x1);
int main(void)
{
	struct ue_span outer;

	UE_SPAN_BEGIN(spans, &outer, "Early");
	if (ue_recorder_environment() != 1)
		return 1;
	UE_SPAN_END(spans, &outer, "Early");
	for (int i = 0; i < 30; i++) {
		UE_SPAN_BEGIN(spans, &outer, "OuterBegin", i);
		{
			UE_SPAN_SCOPE_IN(spans, inner, &outer, "Inner");
			UE_LOG(spans, "Within", UE_IN_SPAN(&inner));
		}
		UE_SPAN_END(spans, &outer, "OuterEnd", UE_I32(status, 200));
	}
	return 0;
}
END
"${CC:-gcc}" -std=gnu11 -Iinclude -o "$dir/spans" "$dir/spans.c" || fail "spans.c does not compile"
UE_RECORD=$dir/spans.uer:keep "$dir/spans" || fail "spans failed"
tell latency "$dir/spans.uer"
expect "the latencies of spans" "0 Inner 30 Outer 30" \
	"$status $(awk 'NF == 6 && $2 == 30 { print $1, $2 }' "$dir/out" | sort | paste -sd ' ')"
expect "spans that are not whole" "" "$(cat "$dir/err")"
tell show -o "$dir/spans.json" "$dir/spans.uer"
expect "slices, and instants within them" "30 30 30" \
	"$(for name in Outer Inner Within; do grep -c "\"name\":\"$name\"" "$dir/spans.json"; done | paste -sd ' ')"

# Events and fields that do not exist are reported.
tell hist nosuch bytes "$dir/a.uer"
expect "no such event" "1 uetrace: no event matches nosuch" "$status $(head -n 1 "$dir/err")"
grep -q '^uetrace: available: .*request_done' "$dir/err" || fail "list of available events: $(cat "$dir/err")"
tell hist request_done nosuch "$dir/a.uer"
expect "no such field" "1 uetrace: 300 request_done events have no value for the field nosuch
uetrace: available: bytes, path, status" "$status $(cat "$dir/err")"
tell latency -e 'request_*' "$dir/a.uer"
expect "no activity" "0 uetrace: no activity with a start and a stop was found" "$status $(cat "$dir/err")"
tell latency --from RequestStop --to RequestStart --by nosuch "$dir/a.uer"
expect "status of no such field" 1 $status
grep -q '600 events have no value for --by nosuch' "$dir/err" || fail "no field: $(cat "$dir/err")"
for wrong in 'hist request_done' 'hist' 'latency --from a' 'latency --to a' 'latency --by a'; do
	# shellcheck disable=SC2086
	tell $wrong
	expect "status of uetrace $wrong" 64 $status
done
# Operands in the wrong order are reported.
for words in "request_done $dir/a.uer" "$dir/a.uer request_done bytes" "$dir/a.uer" "request_done $dir/a.uer bytes"; do
	# shellcheck disable=SC2086
	tell hist $words
	expect "status of hist $words" "64 uetrace: cannot use the file $dir/a.uer as an event or field; use: \
uetrace hist EVENT FIELD $dir/a.uer; to list its events and fields: uetrace list $dir/a.uer" "$status $(cat "$dir/err")"
done
(cd "$dir" && cp a.uer bytes)
cd "$dir" || exit 1
case $uetrace in /*) ;; *) uetrace=$OLDPWD/$uetrace ;; esac
tell hist request_done bytes a.uer
cd "$OLDPWD" || exit 1
expect "a field with the name of a file" "0 300" "$status $(awk 'NR == 2 { print $2 }' "$dir/out")"
# The title contains the provider, even if there is little space for it.
tell hist RequestStop ms "$dir/a.uer"
expect "the title" Example_Server:RequestStop.ms "$(awk 'NR == 2 { print $1 }' "$dir/out")"
COLUMNS=60 tell hist RequestStop ms "$dir/a.uer"
expect "a title without space for it" Example_Server:RequestStop.ms "$(head -n 1 "$dir/out")"
tell hist CannotServe path "$dir/a.uer"
expect "the title of text" Example_Server:CannotServe.path "$(head -n 1 "$dir/out")"
tell hist -o "$dir/file" request_done bytes "$dir/a.uer"
tell hist request_done bytes "$dir/a.uer"
cmp "$dir/file" "$dir/out" || fail "-o writes a different output"

echo "uetrace hist and latency: $checks checks"
