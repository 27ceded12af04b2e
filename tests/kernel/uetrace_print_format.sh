#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A TRACE_EVENT event must be printed with the text of its TP_printk, which the binary contains.
# Like the kernel's own tracers, uetrace uses libtraceevent's parser. Tested live, with files, and
# in perf and trace-cmd with the plugin. If libtraceevent cannot print the text, or if the binary is
# not available, the plain fields must be printed.

. "${0%/*}/helpers/lib.sh"

need perf trace-cmd
need_uetrace
program=$TMPDIR/tracepoints
cp "$examples/tracepoints" "$program" || fail "cannot copy $examples/tracepoints"

# with_texts WHAT TEXT
with_texts()
{
	assert_match 'job_queued:? +job 2 of bob: queued, flags=URGENT$' "$2" "$1"
	assert_match 'job_read:? +job 2: checksum [0-9]+ of 77 68 61 74\.\.\.$' "$2" "$1"
	assert_match 'job_done:? +job 4 of ann: done, flags=URGENT\|RETRIED$' "$2" "$1"
	# %pe
	assert_match 'job_error:? +id=1 error=-[0-9]+$' "$2" "$1"
}

# without_texts WHAT TEXT
without_texts()
{
	assert_match 'job_queued:? +id=2 flags=[x0-9]+ state=0 owner="?bob"?$' "$2" "$1"
	refute_match 'job 2 of bob' "$2" "$1"
}

assert "$uetrace" run -o out "$program" >log 2>&1
with_texts run "$(cat out)"
# JSON output always contains the fields, regardless of the print format
assert "$uetrace" run --json -o out "$program" >log 2>&1
assert_match '"n": "user_events:job_queued", "id": 2, "flags": 1, "state": 0, "owner": "bob"' "$(cat out)"

"$uetrace" register --persist "$program" >log 2>&1 || fail "register: $(cat log)"
assert perf record -q -o events.data -e 'user_events:job_*' "$program" >log
assert perf record -q --buildid-mmap -o ids.data -e 'user_events:job_*' "$program" >log
perf record -q -o - -e 'user_events:job_*' "$program" 2>err >pipe.data || fail "$(cat err)"
assert trace-cmd record -q -b 1408 -o events.dat -e user_events "$program" >log 2>&1

# perf.data contains the program's name and path, from which uetrace gets the print format.
for file in events ids pipe; do
	with_texts "$file.data" "$("$uetrace" show $file.data 2>err)"
done
# trace.dat does not contain the program's path, so pass the path with an option.
without_texts events.dat "$("$uetrace" show events.dat 2>err)"
with_texts events.dat "$("$uetrace" show --program "$program" events.dat 2>err)"

# Print the events with perf and trace-cmd and the plugin. perf 6.1 contains its own libtraceevent.
mkdir plugins
cp "$top/build/plugin_user_events.so" plugins
export TRACEEVENT_PLUGIN_DIR="$TMPDIR/plugins"
without_texts perf "$(perf script -i events.data 2>err)"
with_texts perf "$(USER_EVENTS_PROGRAM=/missing:$program perf script -i events.data 2>err)"
without_texts trace-cmd "$(trace-cmd report -i events.dat 2>err)"
with_texts trace-cmd "$(trace-cmd report -i events.dat -O "user_events:program=$program" 2>err)"

# A different build of the program is not used for the print format, unless the user asks for it.
cp "$programs/variant" "$program"
without_texts "no texts" "$("$uetrace" show events.data 2>err)"
rm "$program"
without_texts "no program" "$("$uetrace" show ids.data 2>err)"
with_texts "ids.data" "$("$uetrace" show --program "$examples/tracepoints" ids.data 2>err)"
"$uetrace" show --program /missing events.data >out 2>err && fail "show accepts --program with a missing file"
assert_match 'cannot read /missing: No such file' "$(cat err)"
