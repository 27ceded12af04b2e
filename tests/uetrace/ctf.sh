#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The Common Trace Format: what uetrace writes is read back by libbabeltrace2 and compared with the source,
# event by event, field by field.

. "$(dirname "$0")/../checks.sh"
uetrace=${1:-build/uetrace}
export PYTHONDONTWRITEBYTECODE=1

for python3 in python3 /usr/bin/python3; do
	"$python3" -c 'import bt2' 2>/dev/null && break
done
"$python3" -c 'import bt2' 2>/dev/null && command -v babeltrace2 >/dev/null || {
	echo "skipped: reading CTF back needs babeltrace2 and python3-bt2"
	exit 77
}

# folder RECORDING: $dir/c.ctf is what it says, and babeltrace2 has nothing to object to; the summary is in $summary
folder()
{
	rm -rf "$dir/c.ctf"
	"$uetrace" show --json "$1" >"$dir/source" 2>/dev/null
	"$uetrace" show --to "$dir/c.ctf" "$1" >"$dir/out" 2>"$dir/err"
	[ $? -le 1 ] || fail "$1: $(cat "$dir/err")"
	expect "standard output" "" "$(cat "$dir/out")"
	[ -s "$dir/source" ] || return 0
	summary=$("$python3" tests/uetrace/ctf/compare.py "$dir/source" "$dir/c.ctf" 2>&1) || fail "$1: $summary"
	for sink in pretty details; do
		babeltrace2 --component=sink.text.$sink "$dir/c.ctf" >"$dir/out" 2>"$dir/err" || fail "$(cat "$dir/err")"
		expect "complaints" "" "$(grep -v 'Tracer discarded' "$dir/err")"
	done
	checks=$((checks + 1))
}

# Every type of value, names that the metadata's grammar does not have, and what would end a string in it.
cat >"$dir/odd.c" <<'END'
#include <user_events_recorder.h>
UE_EVENT_SET(odd, "Odd", UE_LEVEL_ERROR, 0x1);
int main(void)
{
	int a = 1;

	ue_recorder_environment();
	UE_LOG(odd, "\" } event { id = 7 \\ \n", a, UE_NAMED("a\" } \n{", UE_STR(n, "\" \\ \n ; }")),
	       UE_NAMED("", UE_U8(b, 1)), UE_NAMED("a.b", UE_U8(b, 2)), UE_NAMED("a b", UE_U8(b, 3)),
	       UE_NAMED("event", UE_U8(b, 4)), UE_NAMED("_x_length", UE_U8(b, 5)), UE_NAMED("\xff", UE_U8(b, 6)),
	       UE_NAMED("x", UE_STRN(n, "a\0b", 3)), UE_NAMED("meta", UE_STR(n, "")), UE_NAMED("\\", UE_U8(b, 7)));
	UE_LOG(odd, "\xc3\xa4 \x01\x7f\xff", UE_U16(n, a));
	/* one name, two layouts */
	UE_LOG(odd, "Twice", UE_U16(n, a));
	UE_LOG(odd, "Twice", UE_STR(n, "x"));
	return 0;
}
END
for program in tests/uetrace/picture/source.c "$dir/odd.c"; do
	"${CC:-gcc}" -std=gnu11 -Iinclude -o "$dir/program" "$program" -pthread || fail "$program does not compile"
	UE_RECORD=$dir/${program##*/}.uer:64K:keep "$dir/program" || fail "$program failed"
	folder "$dir/${program##*/}.uer"
	[[ $summary == [1-9]*" events, 0 lost in 0 places" ]] || fail "$summary"
done
[ "$(grep -c 'name = "Odd:Twice"' "$dir/c.ctf/metadata")" = 2 ] || fail "one name has two layouts"
folder tests/data/perf_packed.data

# What the comparison is worth: what differs in one place is found.
folder "$dir/source.c.uer"
for change in 's/"u8": 255/"u8": 254/' 's/"tenth": 0.1/"tenth": 0.2/' 's/"b": "x"/"b": "y"/' 's/"tid": ./&1/' \
	'1d' 's/"opcode": 1/"opcode": 2/' 's/"empty"/"emptied"/' 's/\(:..\.[0-9]*\)[0-9]Z/\1xZ/'; do
	sed "$change" "$dir/source" >"$dir/changed"
	"$python3" tests/uetrace/ctf/compare.py "$dir/changed" "$dir/c.ctf" >/dev/null 2>&1 && fail "not seen: $change"
	checks=$((checks + 1))
done

# Losses stand where they happened.
tests/fuzz/perf_seeds.py "$dir" || fail "no recordings"
folder "$dir/big_endian"
expect "what perf lost" "3 events, 3 lost in 1 places" "$summary"
babeltrace2 "$dir/c.ctf" 2>&1 | grep -q 'discarded 3 events between \[00:00:05.000002000\] and \[00:00:05.000003000\]' ||
	fail "where they were lost: $(babeltrace2 "$dir/c.ctf" 2>&1)"

# Damaged recordings: every name and every byte of a text may be anything.
for ((i = 0; i < 12; i++)); do
	damage "$dir/odd.c.uer" $i 12
	folder "$dir/bad.uer"
done

folder "$dir/odd.c.uer"

# A folder is not replaced; what cannot be written is told.
"$uetrace" show --to "$dir/c.ctf" "$dir/odd.c.uer" 2>"$dir/err"
expect "status of a second time" 1 $?
grep -q 'cannot write .*c.ctf: File exists' "$dir/err" || fail "$(cat "$dir/err")"
"$uetrace" show --to "$dir/no/c.ctf" "$dir/odd.c.uer" 2>"$dir/err"
expect "status of no directory" 1 $?
expect "a histogram as a folder" 64 "$("$uetrace" latency -o "$dir/x.ctf" "$dir/odd.c.uer" 2>/dev/null; echo $?)"

echo "uetrace CTF: $checks checks"
