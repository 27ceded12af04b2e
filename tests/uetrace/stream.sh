#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Tests JSON lines for log collectors. uetrace must write only whole lines, report lost events at
# the position where they are missing, write all available output while the input waits, and print a
# message if the reader exits. Two of the collectors that docs/fleet.md names must accept the lines.

. "$(dirname "$0")/../checks.sh"
uetrace=${1:-build/uetrace}
server=${2:-build/examples/server}
export PYTHONDONTWRITEBYTECODE=1

tests/fuzz/perf_seeds.py "$dir" || fail "no recordings"
UE_RECORD=$dir/server.uer:16M:keep "$server" -n 600 -c 2 -w 2 -d include >/dev/null || fail "the server failed"
"$uetrace" show --json "$dir/server.uer" >"$dir/lines" 2>/dev/null

# The lines report lost events, and contain the process that wrote each event.
tell show --origin "$dir/big_endian"
expect "a stream with lost events" \
	'user_events:request_done 404 - worker
uetrace:lost - 3 uetrace
user_events:request_done 200 - renamed' \
	"$(python3 -c '
import json, sys
for line in sys.stdin:
    e = json.loads(line)
    print(e["n"], e.get("status", "-"), e.get("lost", "-"), e["meta"]["comm"])' <"$dir/out" | tail -n +2)"
expect "the time of a report of lost events" 1 "$(count '"uetrace:lost", "lost": 3, "meta": { "time": "5.000002000", "comm"')"
tell show --json "$dir/big_endian"
expect "without --origin" 0 "$(count comm)"

# If the recording or the user provides the origin of the events, the lines contain the origin.
tell show --origin "$dir/file"
expect "the host name recorded by perf" "$(wc -l <"$dir/out")" "$(count '"comm": "[a-z]+", "host": "web\\"17" \} \}$')"
tell show --origin "$dir/big_endian"
expect "an unknown host name" 0 "$(count '"host"')"
tell show --origin --host 'web"18' "$dir/big_endian"
expect "a host name given by the user" "$(wc -l <"$dir/out")" "$(count ', "host": "web\\"18" \} \}$')"

# A program can choose the names of its fields, providers and events. In a line of JSON, these names
# must not be mistaken for names that uetrace itself uses.
"${CC:-gcc}" -std=gnu11 -Iinclude -o "$dir/trees" tests/uetrace/otlp/trees.c || fail "the program with trees does not compile"
UE_RECORD=$dir/trees.uer:keep "$dir/trees" || fail "the program with trees failed"
tell show --json "$dir/trees.uer"
expect "an event with a name of uetrace's own events" "0 1" "$(count '"uetrace:') $(count '^\{ "n": "uetrace#2:lost", "lost": 99, "meta": ')"
expect "fields that are called as the event's" 1 \
	"$(count '^\{ "n": "Trees:Inside", "n#2": 1, "meta#2": 9, "meta": \{ "time": "2')"
# The line of an event must not exceed 1 MB, because kcat exits at a longer line, and journald
# splits it.
lengths()
{
	awk '{ n = length($0) + 1 } n > most { most = n } END { print most }' "$dir/out"
}
[ "$(lengths)" -le 49152 ] || fail "unexpected line length: $(lengths) bytes"
expect "a truncated line" 1 \
	"$(count '^\{ "n": "Trees:Large", "before": 1, "text\\", \\\\ \{\[": "[^"]*", "meta": \{ "time": "[^}]*, "cut": true \} \}$')"
tell show --json --max-line 0 "$dir/trees.uer"
[ "$(lengths)" -gt 1000000 ] || fail "the longest line is too long: $(lengths) bytes"
expect "without a limit" 0 "$(count '"cut"')"
tell show --origin --host h --max-line 1 "$dir/trees.uer"
[ "$(lengths)" -le 1024 ] || fail "unexpected line length: $(lengths) bytes"
expect "cut, with its origin" 2 "$(count ', "comm": "trees", "host": "h", "cut": true \} \}$')"
python3 -c '
import json, sys
for line in sys.stdin:
    json.loads(line)' <"$dir/out" || fail "a truncated line is not valid JSON"
tell show --json "$dir/trees.uer"
iconv -f UTF-8 -t UTF-8 "$dir/out" >/dev/null || fail "a line is not UTF-8"
for ((i = 0; i < 12; i++)); do
	damage "$dir/server.uer" $i 100
	tell show --json "$dir/bad.uer"
	python3 -c '
import json, sys
for line in sys.stdin.buffer:
    members = json.loads(line.decode(), object_pairs_hook=list)
    keys = [k for k, _ in members]
    assert keys[0] == "n" and keys[-1] == "meta" and keys.count("n") == keys.count("meta") == 1, line
    assert all(type(v) is str for k, v in members[-1][1] if k == "time"), line' <"$dir/out" || fail "see above"
	checks=$((checks + 1))
done

# If the input pipe stalls, uetrace writes all events that it has read completely. A signal then
# ends uetrace after a whole line.
mkfifo "$dir/fifo"
"$uetrace" show --json - <"$dir/fifo" >"$dir/out" 2>"$dir/err" &
reader=$!
exec 3>"$dir/fifo"
cat "$dir/pipe" >&3
for ((i = 0; i < 600; i++)); do
	[ "$(wc -l <"$dir/out")" -ge 1 ] && break
	sleep 0.1
done
[ "$(wc -l <"$dir/out")" -ge 1 ] || fail "lines are held back while the input waits"
kill -INT $reader
wait $reader
expect "status of an interrupted stream" 1 $?
exec 3>&-
expect "last byte of the output" '\n' "$(tail -c 1 "$dir/out" | od -An -c | tr -d ' ')"
grep -q '^uetrace: interrupted' "$dir/err" || fail "$(cat "$dir/err")"

# The reader of the output exits.
"$uetrace" show --json "$dir/server.uer" 2>"$dir/err" | head -n 1 >/dev/null
expect "status without a reader" "1 0" "${PIPESTATUS[*]}"
grep -q '^uetrace: cannot write standard output: Broken pipe' "$dir/err" || fail "$(cat "$dir/err")"

# Send the lines to Kafka, using the mock broker of librdkafka.
if command -v kcat >/dev/null; then
	mkfifo "$dir/idle"
	kcat -P -X test.mock.num.brokers=1 -b mock -d mock -t none <"$dir/idle" 2>"$dir/broker" &
	exec 3>"$dir/idle"
	for ((i = 0; i < 100; i++)); do
		address=$(sed -n 's/.* bootstrap.servers=//p' "$dir/broker")
		[ -n "$address" ] && break
		sleep 0.1
	done
	"$uetrace" show --json "$dir/server.uer" 2>/dev/null | kcat -P -b "$address" -t events -p 0 ||
		fail "kcat rejects the lines"
	timeout 60 kcat -C -q -b "$address" -t events -p 0 -o beginning -e >"$dir/out" 2>/dev/null
	exec 3>&-
	cmp "$dir/lines" "$dir/out" || fail "the lines in Kafka differ from the output"
	checks=$((checks + 1))
else
	echo "skipped: no kcat"
fi

# Send the lines to a journal, as if from another machine.
remote=/usr/lib/systemd/systemd-journal-remote
if [ -x $remote ] && command -v journalctl >/dev/null; then
	awk '{ printf "__REALTIME_TIMESTAMP=%d\n__MONOTONIC_TIMESTAMP=%d\n_BOOT_ID=%032d\nMESSAGE=%s\n\n",
		1e15 + NR, NR, 1, $0 }' "$dir/lines" | $remote --split-mode=none -o "$dir/remote.journal" - 2>"$dir/err" ||
		fail "systemd-journal-remote: $(cat "$dir/err")"
	journalctl --file "$dir/remote.journal" -o cat >"$dir/out" 2>/dev/null
	cmp "$dir/lines" "$dir/out" || fail "the lines in the journal differ from the output"
	checks=$((checks + 1))
else
	echo "skipped: no systemd-journal-remote"
fi

echo "uetrace stream: $checks checks"
