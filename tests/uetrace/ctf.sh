#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Converts recordings to the Common Trace Format. libbabeltrace2 reads uetrace's output, and every
# event and field is compared with the source. The older reader babeltrace must also accept the
# output. No name in the metadata may be a reserved word of the grammar, because Trace Compass
# rejects such traces.

. "$(dirname "$0")/../checks.sh"
uetrace=${1:-build/uetrace}
export PYTHONDONTWRITEBYTECODE=1

# metadata: checks that no name in $dir/c.ctf is reserved or occurs twice
metadata()
{
	tests/uetrace/ctf/reserved.py "$dir/c.ctf/metadata" >"$dir/out" 2>&1 || fail "$(cat "$dir/out")"
	checks=$((checks + 1))
}

# record PROGRAM.c: compiles and runs the program, and records its events in $dir/PROGRAM.c.uer
record()
{
	"${CC:-gcc}" -std=gnu11 -Iinclude -o "$dir/program" "$1" -pthread || fail "$1 does not compile"
	UE_RECORD=$dir/${1##*/}.uer:1M:keep "$dir/program" || fail "$1 failed"
}

for name in picture/source ctf/names; do
	record tests/uetrace/$name.c
	rm -rf "$dir/c.ctf"
	tell show --to "$dir/c.ctf" "$dir/${name#*/}.c.uer"
	metadata
	# Trace Compass does not show the labels of an enumeration that has an alias
	expect "enumerations with an alias" 0 "$(grep -c 'typealias enum' "$dir/c.ctf/metadata")"
done
# test the checks themselves: they must detect errors
for change in 's/trace_clock/clock/' 's/ _align;/ align;/' 's/ _Bool_2;/ _Bool;/' 's/ __data_2;/ _data_length;/'; do
	sed "$change" "$dir/c.ctf/metadata" >"$dir/changed"
	tests/uetrace/ctf/reserved.py "$dir/changed" >/dev/null 2>&1 && fail "the check did not detect the change: $change"
	checks=$((checks + 1))
done

for python3 in python3 /usr/bin/python3; do
	"$python3" -c 'import bt2' 2>/dev/null && break
done
"$python3" -c 'import bt2' 2>/dev/null && command -v babeltrace2 >/dev/null || {
	echo "skipped: reading CTF back needs babeltrace2 and python3-bt2"
	exit 77
}
command -v babeltrace >/dev/null || echo "skipped: no babeltrace"

# folder RECORDING: converts the recording to $dir/c.ctf, compares the result with the source,
# checks that babeltrace2 prints no warning, and stores the summary in $summary
folder()
{
	rm -rf "$dir/c.ctf"
	"$uetrace" show --json "$1" >"$dir/source" 2>/dev/null
	"$uetrace" show --to "$dir/c.ctf" "$1" >"$dir/out" 2>"$dir/err"
	[ $? -le 1 ] || fail "$1: $(cat "$dir/err")"
	expect "standard output" "" "$(cat "$dir/out")"
	metadata
	[ -s "$dir/source" ] || return 0
	summary=$("$python3" tests/uetrace/ctf/compare.py "$dir/source" "$dir/c.ctf" 2>&1) || fail "$1: $summary"
	for reader in 'babeltrace2 --component=sink.text.pretty' 'babeltrace2 --component=sink.text.details' babeltrace; do
		command -v ${reader%% *} >/dev/null || continue
		$reader "$dir/c.ctf" >"$dir/out" 2>"$dir/err" || fail "$reader: $(cat "$dir/err")"
		expect "complaints" "" "$(grep -vE 'Tracer discarded|^$' "$dir/err")"
	done
	checks=$((checks + 1))
}

# The recording contains values of every type, names that the grammar of the metadata does not
# permit, and characters that would end a string in the metadata.
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
record "$dir/odd.c"
# Truncated events, one kernel-typed and one EventHeader event.
cat >"$dir/truncated.c" <<'END'
#include <user_events_recorder.h>
UE_EVENT_SET(big, "Big", UE_LEVEL_ERROR, 0x1);
int main(void)
{
	static char text[5000];

	ue_recorder_environment();
	memset(text, 'x', sizeof(text) - 1);
	UE_TRACE(big_typed, UE_STR(text), UE_U8(end, 1));
	UE_LOG(big, "Event", UE_STR(text), UE_U8(end, 1));
	return 0;
}
END
record "$dir/truncated.c"
for name in source names odd; do
	folder "$dir/$name.c.uer"
	[[ $summary == [1-9]*" events, 0 lost in 0 places" ]] || fail "$summary"
done
folder "$dir/truncated.c.uer"
expect "truncated events" 2 "$(babeltrace2 "$dir/c.ctf" | grep -c 'truncated = ( "true" :')"
folder "$dir/odd.c.uer"
[ "$(grep -c 'name = "Odd:Twice"' "$dir/c.ctf/metadata")" = 2 ] || fail "a name has two different layouts"
folder tests/data/perf_packed.data

# Test the comparison script: it must detect a single difference at any place.
folder "$dir/source.c.uer"
for change in 's/"u8": 255/"u8": 254/' 's/"tenth": 0.1/"tenth": 0.2/' 's/"b": "x"/"b": "y"/' 's/"tid": ./&1/' \
	'1d' 's/"opcode": 1/"opcode": 2/' 's/"empty"/"emptied"/' 's/\(:..\.[0-9]*\)[0-9]Z/\1xZ/'; do
	sed "$change" "$dir/source" >"$dir/changed"
	"$python3" tests/uetrace/ctf/compare.py "$dir/changed" "$dir/c.ctf" >/dev/null 2>&1 && fail "the check did not detect the change: $change"
	checks=$((checks + 1))
done

# Lost events are reported at the position where they are missing.
tests/fuzz/perf_seeds.py "$dir" || fail "no recordings"
folder "$dir/big_endian"
expect "number of events lost by perf" "3 events, 3 lost in 1 places" "$summary"
babeltrace2 "$dir/c.ctf" 2>&1 | grep -q 'discarded 3 events between \[00:00:05.000002000\] and \[00:00:05.000003000\]' ||
	fail "position of the lost events: $(babeltrace2 "$dir/c.ctf" 2>&1)"

# The output contains those properties of the machine that are in the recording.
folder "$dir/file"
expect "the machine" 'hostname: web"17
machine: riscv64
release: 6.12.1-test
sysname: Linux' "$(babeltrace2 --component=sink.text.details "$dir/c.ctf" | sed -nE 's/^ +((host|sys)name|machine|release): /\1: /p' | sort -u)"

# In a damaged recording, names and texts may contain any bytes.
for ((i = 0; i < 12; i++)); do
	damage "$dir/odd.c.uer" $i 12
	folder "$dir/bad.uer"
done

folder "$dir/odd.c.uer"

# An existing directory is not replaced, and failed writes are reported.
"$uetrace" show --to "$dir/c.ctf" "$dir/odd.c.uer" 2>"$dir/err"
expect "status of a second time" 1 $?
grep -q 'cannot write .*c.ctf: File exists' "$dir/err" || fail "$(cat "$dir/err")"
"$uetrace" show --to "$dir/no/c.ctf" "$dir/odd.c.uer" 2>"$dir/err"
expect "status of no directory" 1 $?
expect "a histogram with an output directory" 64 "$("$uetrace" latency -o "$dir/x.ctf" "$dir/odd.c.uer" 2>/dev/null; echo $?)"

echo "uetrace CTF: $checks checks"
