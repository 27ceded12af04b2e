#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Every line of --json and --otlp output must be valid JSON and within --max-line, even if names and
# texts are 60,000 bytes long, or contain quotes, control characters or invalid UTF-8. The time for
# an event with many fields must be linear in its size.

. "$(dirname "$0")/../checks.sh"
uetrace=${1:-build/uetrace}
host=$(printf '"%.0s' {1..255})

for seed in 1 2 3; do
	tests/uetrace/lines.py write "$dir/hostile" $seed || fail "lines.py cannot write a recording"
	events=$("$uetrace" show --max-line 0 --json "$dir/hostile" 2>"$dir/err" | wc -l)
	[ "$events" -ge 20 ] || fail "show fails after $events events of seed $seed: $(cat "$dir/err")"
	for format in "--json --max-line 1" "--json --origin --max-line 1" "--json" "--otlp --max-line 1" "--otlp"; do
		# shellcheck disable=SC2086
		tell show $format --host "$host" "$dir/hostile"
		[[ $format == *" 1" ]] && limit=1024 || limit=49152
		lines=$(tests/uetrace/lines.py check $limit <"$dir/out" 2>"$dir/err") ||
			fail "seed $seed, $format: $(cat "$dir/err")"
		[[ $format == --otlp* || $lines == "$events" ]] || fail "$lines lines for $events events"
		checks=$((checks + 1))
	done
done

# Even a slow machine needs less than five seconds of CPU time, whereas a quadratic algorithm would
# need more.
tests/uetrace/lines.py wide "$dir/wide" || fail "no recording of a wide event"
for to in x.txt x.jsonl x.otlp.jsonl x.json x.ctf; do
	(ulimit -t 5 && exec "$uetrace" show -o "$dir/$to" "$dir/wide") 2>"$dir/err" ||
		fail "an event of 15,000 fields as $to: $(cat "$dir/err")"
	checks=$((checks + 1))
done

echo "lines of JSON: $checks checks"
