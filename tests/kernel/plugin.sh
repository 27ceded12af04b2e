#!/bin/sh
# SPDX-License-Identifier: MIT
#
# With plugin_user_events.so, perf and trace-cmd must print EventHeader events in the same way as
# uetrace, and all other events as they do without the plugin. They must exit normally with all
# other plugins loaded, whether or not the file contains user events. The plugin must mark truncated
# events. Without it, both tools must print the fields of these events.

. "${0%/*}/helpers/lib.sh"

need perf trace-cmd
need_uetrace
plugin=$top/build/plugin_user_events.so
log_all=$top/build/tests/kernel/test_log_all
variant=$programs/variant
truncated=$programs/truncated
[ -x "$plugin" ] || skip "$plugin is missing; run 'make tools'"
event=LogAll_L3Kdeadbeef12345678Ggrp7

# Use two plugin directories, one of which contains all plugins. trace-cmd has a default plugin
# directory, perf does not.
mkdir ours all
cp "$plugin" ours
cp "$plugin" all
others=$(dirname "$(ldconfig -p | sed -n 's/.*libtraceevent\.so\.1 .*=> //p' | head -n 1)")/traceevent/plugins
cp "$others"/*.so all || skip "no plugins in $others"

add_event 'variant u32 number; s64 negative; __rel_loc char[] text'
add_event 'truncated u32 number; __rel_loc char[] text'
add_event 'Truncated_L4K1 u8 eventheader_flags; u8 version; u16 id; u16 tag; u8 opcode; u8 level'

# Mask the only value that differs between runs.
no_address()
{
	sed -E 's/( p=|"p": ")0x[0-9A-F]+/\1ADDRESS/'
}

# Prints uetrace's output without the time and thread columns.
assert "$uetrace" run -o uetrace.txt "$log_all" write >log 2>&1
sed -E 's/^[^ ]+ \[[0-9]+\] [^ ]+ //' uetrace.txt | no_address >expected
assert_eq 35 "$(wc -l <expected)" "events of uetrace"

# perf and trace-cmd need the events to exist before the programs that write the events start.
"$log_all" hold &
wait_until 20 is_registered "$event"
cat >write.sh <<END
"$log_all" write
"$variant" "a text" 3
"$truncated" || echo "$truncated: exit status \$?" >>"$TMPDIR/failed"
END

# perf_script OUTPUT FILE
perf_script()
{
	perf script -i "$2" >"$1" 2>err || fail "perf script $2: exit status $?, $(cat err)"
	# the tracer may warn about an unrelated plugin that it cannot load because of missing
	# functions
	refute_match user_events "$(cat err)" "perf script $2"
}

# report OUTPUT FILE [OPTION]...
report()
{
	report_to=$1
	shift
	trace-cmd report -i "$@" >"$report_to" 2>err ||
		fail "trace-cmd report $*: exit status $?, $(cat err)"
}

# has_truncated FILE BEFORE EVENT: checks the text of the truncated events. BEFORE precedes the fields
# of the kernel-typed event, and EVENT is the whole text of the EventHeader event.
has_truncated()
{
	assert_match "[: ]truncated: +${2}number=7 text=x+\$" "$(cat "$1")" "$1"
	assert_match "[: ]Truncated_L4K1: +$3\$" "$(cat "$1")" "$1"
}
marked='Truncated:Big number=7 text="x+" \(truncated\)'

# same EXPECTED FILE: checks that every tool prints the expected events for FILE.
same()
{
	sed -n "s/^.*: *$event: *//p; s/^.*user_events:$event: *//p" "$2" | no_address >decoded
	cmp "$1" decoded || fail "the events of $2 differ from $1: $(diff "$1" decoded | head -n 4)"
}

assert perf record -q -o events.data -e "user_events:$event" -e user_events:variant \
	-e user_events:truncated -e user_events:Truncated_L4K1 -e sched:sched_process_exec \
	sh write.sh
assert perf record -q -o none.data -e sched:sched_process_exec true
assert trace-cmd record -q -b 1408 -o events.dat -e user_events -e sched:sched_process_exec \
	sh write.sh >log 2>&1
assert trace-cmd record -q -o none.dat -e sched:sched_process_exec true >log 2>&1
assert_eq "" "$(cat failed 2>/dev/null)" "programs whose events were not truncated"

mkdir nothing
export TRACEEVENT_PLUGIN_DIR="$TMPDIR/nothing"
plain='eventheader_flags=7 version=0 id=0 tag=0 opcode=0 level=4'
perf_script perf.txt events.data
has_truncated perf.txt '' "$plain"
report report.txt events.dat -N
has_truncated report.txt '' "$plain"
assert_eq 2 "$("$uetrace" show events.data 2>err | grep -c 'text="x*" (truncated)$')" \
	"truncated events of uetrace"

for folder in ours all; do
	export TRACEEVENT_PLUGIN_DIR="$TMPDIR/$folder"
	perf_script perf.txt events.data
	same expected perf.txt
	assert_match 'user_events:variant: number=3 negative=-3 text=a text$' "$(cat perf.txt)"
	has_truncated perf.txt '\(truncated\) ' "$marked"
	assert_match 'sched:sched_process_exec: filename=.*variant pid=' "$(cat perf.txt)"
	perf_script none.txt none.data
	assert_match 'sched:sched_process_exec: filename=.*true pid=' "$(cat none.txt)"

	report report.txt events.dat
	same expected report.txt
	assert_match 'variant: +number=3 negative=-3 text=a text$' "$(cat report.txt)"
	has_truncated report.txt '\(truncated\) ' "$marked"
	assert_match 'sched_process_exec: +filename=.*variant pid=' "$(cat report.txt)"
	report none.txt none.dat
	assert_match 'sched_process_exec: +filename=.*true pid=' "$(cat none.txt)"
done

# With JSON output, selected by trace-cmd's option or by an environment variable, the plugin prints
# the same as uetrace, except for the metadata that only a recording contains.
assert "$uetrace" run --json -o uetrace.json "$log_all" write >log 2>&1
sed -E 's/"time": .*"tid": [0-9]+(, )?//' uetrace.json | no_address >expected.json
report report.txt events.dat -O user_events:json
same expected.json report.txt
export USER_EVENTS_JSON=1
perf_script perf.txt events.data
same expected.json perf.txt
unset USER_EVENTS_JSON

# perf trace uses libtraceevent only on request.
perf trace -o trace.txt --libtraceevent_print -e 'user_events:*' "$log_all" write >log 2>err ||
	fail "perf trace: exit status $?, $(cat err)"
assert_match "user_events:$event\(LogAll:U8 v=78 " "$(cat trace.txt)"
