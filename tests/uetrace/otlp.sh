#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Tests OpenTelemetry requests. Compares one output with a golden file, and checks the required
# content for a service with spans and logs. OpenTelemetry's generated JavaScript message classes
# must parse each line, and must serialise it again without a change. A request must not contain
# duplicate attributes or exceed the maximum line length.

. "$(dirname "$0")/../checks.sh"
uetrace=${1:-build/uetrace}
service=${2:-build/examples/otel_service}
here=tests/uetrace/otlp
version=0.208.0 # the last version that contains the message classes for protobuf

modules=build/npm
messages=$modules/node_modules/@opentelemetry/otlp-transformer/build/src/generated/root.js
if ! command -v node >/dev/null; then
	echo "skipped: no node to decode the lines with"
	messages=
elif [ ! -e $messages ] && ! npm install --silent --no-save --prefix $modules \
	"@opentelemetry/otlp-transformer@$version" >/dev/null 2>&1; then
	echo "skipped: npm cannot install @opentelemetry/otlp-transformer"
	messages=
fi

# requests FILE: converts FILE, checks that OpenTelemetry's message classes accept all lines, and
# writes each record to $dir/out
requests()
{
	tell show --to "$dir/x.otlp.jsonl" "$1"
	[ $status -le 1 ] || fail "$1: $(cat "$dir/err")"
	tell show --otlp "$1"
	cmp <(alike <"$dir/out") <(alike <"$dir/x.otlp.jsonl") || fail "--otlp and .otlp.jsonl differ"
	[ -z "$messages" ] || node $here/decode.js "$PWD/$messages" <"$dir/out" || fail "$1: see above"
	mv "$dir/out" "$dir/requests"
	$here/records.py <"$dir/requests" >"$dir/out" || fail "$1: see above"
	checks=$((checks + 2))
}

# alike: replaces the observed times, which differ between runs
alike()
{
	sed -E 's/"observedTimeUnixNano":"[0-9]{19}"/"observedTimeUnixNano":"1"/g'
}

tests/fuzz/perf_seeds.py "$dir" || fail "no recordings"
requests "$dir/file"
expect "logs, a begin without an end, a loss" "$(head -n 5 $here/golden.otlp.jsonl)" "$(cat "$dir/out")"
expect "requests of what is read at once" 1 "$(wc -l <"$dir/requests")"
requests tests/data/perf_packed.data
expect "spans" "$(tail -n +6 $here/golden.otlp.jsonl)" "$(grep -m 1 '"resourceSpans"' "$dir/out"
	grep -m 1 '"traceId".*"severityNumber"' "$dir/out")"

"${CC:-gcc}" -std=gnu11 -Iinclude -o "$dir/source_of" tests/uetrace/picture/source.c -pthread ||
	fail "the program with all types does not compile"
UE_RECORD=$dir/all.uer:keep "$dir/source_of" || fail "the program with all types failed"
requests "$dir/all.uer"

# The recording contains activities that end before their children, and duplicate names.
"${CC:-gcc}" -std=gnu11 -Iinclude -o "$dir/trees" $here/trees.c || fail "the program with trees does not compile"
UE_RECORD=$dir/trees.uer:keep "$dir/trees" || fail "the program with trees failed"
requests "$dir/trees.uer"
python3 - "$dir/out" <<'END' || fail "trees: see above"
import json, sys

records, traces = {}, set()
for line in open(sys.argv[1]):
	for kind, (request,) in json.loads(line).items():
		(scope,) = request["scope" + kind[8:]]
		(record,) = scope.get("spans") or scope["logRecords"]
		record["keys"] = [a["key"] for a in record["attributes"]]
		records[scope["scope"]["name"], record.get("name") or record["eventName"]] = record
for name in "Root", "Child", "Leaf", "Inside":
	traces.add(records["Trees", name]["traceId"])
assert len(traces) == 1, f"the trace falls apart: {traces}"
assert records["Trees", "Child"]["parentSpanId"] == records["Trees", "Root"]["spanId"]
assert records["Trees", "Leaf"]["parentSpanId"] == records["Trees", "Child"]["spanId"]
assert records["Trees", "Root"]["keys"] == ["thread.id", "thread.name", "n", "n#2", "thread.id#2", "n#2#2"]
assert [a["key"] for a in records["Trees", "Leaf"]["attributes"][2]["value"]["kvlistValue"]["values"]] == \
	["n", "n#2", "meta"]
assert "meta" in records["Trees", "Inside"]["keys"]
truncated = records["Trees", "Truncated"]["attributes"]
assert [a["key"] for a in truncated] == ["thread.id", "thread.name", "event.truncated", "text"], truncated
assert truncated[2]["value"] == {"boolValue": True}, truncated
sale = records["Trees", "Sale"]
assert sale["keys"] == ["thread.id", "thread.name", "event.id", "n"], sale
assert (sale["severityNumber"], sale["severityText"], sale["body"]["stringValue"]) == (17, "ERROR", "sold out"), sale
assert int(sale["timeUnixNano"]) > 1700000000 * 10**9, sale
# the scope "uetrace" contains only events that uetrace itself generated
assert ("uetrace", "lost") not in records and records["uetrace#2", "lost"]
large = records["Trees", "Large"]
assert large["keys"] == ["thread.id", "thread.name", "before", "text\", \\ {[", "after"], large["keys"]
assert large["droppedAttributesCount"] == 1
END
tell show "$dir/trees.uer"
expect "a log with its own name" 1 "$(count ' Trees:Sale ERROR "sold out" n=1 id=2$')"
tell show --otlp --max-line 0 "$dir/trees.uer"
$here/records.py 3000000 <"$dir/out" | grep -q droppedAttributes && fail "a line is truncated although there is no limit"
tell show --otlp --max-line 1 "$dir/trees.uer"
$here/records.py 1024 <"$dir/out" >/dev/null || fail "lines of 1 KiB: see above"
tell show --otlp --host 'web"18' "$dir/trees.uer"
expect "a host name given by the user" 2 "$(count '"key":"host.name","value":\{"stringValue":"web\\"18"\}')"
checks=$((checks + 3))

# If the input pipe stalls, uetrace writes all events that it has read.
mkfifo "$dir/fifo"
"$uetrace" show --otlp - <"$dir/fifo" >"$dir/out" 2>/dev/null &
reader=$!
exec 3>"$dir/fifo"
cat "$dir/pipe" >&3
for ((i = 0; i < 600; i++)); do
	[ -s "$dir/out" ] && break
	sleep 0.1
done
[ -s "$dir/out" ] || fail "records are held back while the input waits"
exec 3>&-
wait $reader

UE_RECORD=$dir/otel.uer:1M:keep "$service" 8 >/dev/null || fail "the service failed"
requests "$dir/otel.uer"
python3 - "$dir/out" <<'END' || fail "the service's logs and spans: see above"
import json, sys

spans, logs = {}, []
for line in open(sys.argv[1]):
	for kind, request in json.loads(line).items():
		attributes = {a["key"]: a["value"] for a in request[0]["resource"]["attributes"]}
		assert attributes["service.name"] == {"stringValue": "shop"}, attributes
		assert "process.executable.name" not in attributes # the file does not contain this property
		scope = request[0]["scope" + kind[8:]][0]
		assert scope["scope"] == {"name": "Example_Shop"}
		if kind == "resourceSpans":
			spans[scope["spans"][0]["spanId"]] = scope["spans"][0]
		else:
			logs += scope["logRecords"]
assert len(spans) == 16 and len(logs) == 3, (len(spans), len(logs))
inner = [s for s in spans.values() if "parentSpanId" in s]
assert len(inner) == 8 and {s["name"] for s in inner} == {"POST /charge"} and {s["kind"] for s in inner} == {2}
for s in inner:
	outer = spans[s["parentSpanId"]]
	assert outer["name"] == "order" and outer["kind"] == 1 and outer["traceId"] == s["traceId"]
	assert int(outer["startTimeUnixNano"]) <= int(s["startTimeUnixNano"]) <= int(s["endTimeUnixNano"]) \
		<= int(outer["endTimeUnixNano"])
failed = [s for s in inner if "status" in s]
assert [s["status"] for s in failed] == [{"code": 2, "message": "card declined"}]
declined = logs[1]
assert declined["traceId"] == failed[0]["traceId"] and declined["spanId"] == failed[0]["spanId"]
assert (declined["severityNumber"], declined["severityText"], declined["eventName"], declined["body"]) == \
	(13, "WARN", "CardDeclined", {"stringValue": "card declined"})
assert {"key": "card.brand", "value": {"stringValue": "jcb"}} in declined["attributes"]
assert {"key": "event.id", "value": {"intValue": "7"}} in declined["attributes"]
END
checks=$((checks + 1))

# In the timeline and in the durations, charging the card is a part of the order, on a row for the
# provider.
tell show --to "$dir/otel.json" "$dir/otel.uer"
python3 - "$dir/otel.json" <<'END' || fail "spans as a timeline: see above"
import json, sys

events = json.load(open(sys.argv[1]))["traceEvents"]
lines = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
slices = [e for e in events if e["ph"] == "X"]
assert len(slices) == 16 and {lines[(e["pid"], e["tid"])] for e in slices} == {"Example_Shop"}
for inner in (e for e in slices if e["name"] == "POST /charge"):
	parent = inner["args"]["PartB"]["parentId"]
	outer = next(e for e in slices if e["args"]["PartA"]["ext_dt_spanId"] == parent)
	assert outer["name"] == "order" and outer["tid"] == inner["tid"]
	assert outer["ts"] <= inner["ts"] and inner["ts"] + inner["dur"] <= outer["ts"] + outer["dur"] + 0.0011
assert sorted(e["name"] for e in events if e["ph"] == "i") == ["card declined", "started", "stopped"]
END
tell latency "$dir/otel.uer"
expect "durations" "POST /charge 8
order 8" "$(sed -nE 's/^(POST .charge|order) +([0-9]+) .*/\1 \2/p' "$dir/out" | sort)"
tell show "$dir/otel.uer"
expect "severity, text and ids" 1 "$(count ' Example_Shop:Log WARN "card declined" card.brand="jcb" name="CardDeclined" id=7 trace="[0-9a-f]{32}" span="[0-9a-f]{16}" service="shop"$')"
expect "a span" 1 "$(count ' Example_Shop:Span "POST /charge" [0-9.]+[nu]s server cents=105 http.response.status_code=402 error="card declined" trace="[0-9a-f]{32}" span="[0-9a-f]{16}" parent="[0-9a-f]{16}" service="shop"$')"

# Even for damaged recordings, uetrace must write valid requests.
for ((i = 0; i < 8; i++)); do
	damage "$dir/otel.uer" $i 40
	requests "$dir/bad.uer"
done

echo "uetrace OTLP: $checks checks"
