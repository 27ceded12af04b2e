#!/bin/bash
# SPDX-License-Identifier: MIT
#
# For a recording of .NET runtime events, uetrace and the plugin must show each event with its
# provider, its name, and the fields described by its metadata. dotnet.py writes the records.

. "$(dirname "$0")/../checks.sh"
uetrace=${1:-build/uetrace}
plugin=${2:-build/plugin_user_events.so}
replay=${3:-build/tests/trace_dat_replay}

"$(dirname "$0")/dotnet.py" >"$dir/input" || fail "dotnet.py: status $?"
"$replay" -w "$dir/dotnet.dat" "$dir/input" || fail "the recording cannot be written"
id=03020100-0504-0706-0809-0a0b0c0d0e0f
expected="Shop:Order items=3 who=\"ann\"
Shop:PayStart (start) sum=1.5 activity=$id
Shop:PayStop (stop) activity=$id
Shop:Order items=4 who=\"bob\"
Microsoft-Windows-DotNETRuntime:80 payload_size=5
dotnet:9 payload_size=3
Shop:Order payload_size=1"

tell show "$dir/dotnet.dat"
expect "text" "$expected
dotnet version=1 event_id=1 extension=? payload=?" "$(sed -E 's/^ *[^ ]+ \[[0-9]+\] [^ ]+ //' "$dir/out")"
expect "status" "0 uetrace: 8 events in a recording of 0.000 s, 0 lost" "$status $(cat "$dir/err")"
tell show --json -e Shop:Order -f 'items > 3' "$dir/dotnet.dat"
expect "JSON" '{ "n": "Shop:Order", "items": 4, "who": "bob", "meta": { "time": "5.000004000", "cpu": 0, "tid": 501, "id": 1, "level": 4, "keyword": "0x1" } }' \
	"$(cat "$dir/out")"
tell show -e dotnet "$dir/dotnet.dat"
expect "a pattern for the tracepoint" 8 "$(wc -l <"$dir/out")"
tell show -l err "$dir/dotnet.dat"
expect "a level" "1 1" "$(wc -l <"$dir/out") $(grep -c ' Microsoft-Windows-DotNETRuntime:80 ' "$dir/out")"
tell list "$dir/dotnet.dat"
expect "the listing" '    Shop:Order
        s32 items
        string16 who' "$(grep -m 1 -A 2 -x '    Shop:Order' "$dir/out")"
tell latency "$dir/dotnet.dat"
expect "a span of start and stop" "1 0" "$(grep -c '^Pay ' "$dir/out") $status"
tell show -o "$dir/t.json" "$dir/dotnet.dat"
expect "a slice in the timeline" 1 "$(grep -c '"ph":"X".*"name":"Pay","cat":"Shop","args":{"sum":1.5' "$dir/t.json")"
tell show -o "$dir/t.ctf" "$dir/dotnet.dat"
expect "CTF" 0 "$status"
if command -v babeltrace2 >/dev/null; then
	expect "babeltrace2" 2 "$(babeltrace2 "$dir/t.ctf" 2>/dev/null | grep -cE 'Order.*items = [34], who = "(ann|bob)"')"
fi

if command -v trace-cmd >/dev/null; then
	mkdir "$dir/plugins"
	cp "$plugin" "$dir/plugins"
	expect "trace-cmd" "$expected" "$(TRACEEVENT_PLUGIN_DIR=$dir/plugins trace-cmd report -i "$dir/dotnet.dat" 2>/dev/null |
		sed -n 's/^[^:]*: dotnet: *//p' | head -n 7)"
fi

echo "events of the .NET runtime: $checks checks"
