#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Tests the libtraceevent plugin with existing recordings. perf script, trace-cmd report and
# KernelShark's library load the plugin, and must then print the same text as uetrace: with and
# without user events in the file, and also with all plugins of libtraceevent loaded. The exit
# status must be 0, and valgrind must find no error. tests/kernel/plugin.sh tests the plugin with
# new recordings.

. "$(dirname "$0")/../checks.sh"
uetrace=${1:-build/uetrace}
plugin=${2:-build/plugin_user_events.so}
replay=${3:-build/tests/trace_dat_replay}

have()
{
	command -v "$1" >/dev/null && return
	echo "no $1: it is no witness"
	return 1
}

# write FILE BYTES: writes a trace.dat file, as in trace_dat.sh
write()
{
	printf "$2" >"$dir/input"
	"$replay" -w "$1" "$dir/input" || fail "$1 cannot be written"
}
switch='\4\36\64\4worker\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
write "$dir/events.dat" "\\0\\12\\24\\2\\310\\0\\0\\0\\7\\0\\0\\0\\0\\0\\0\\0\\0\\0\\4\\0/ab\\0\
\\3\\24\\35\\3\\7\\0\\0\\0\\0\\0\\0\\4\\15\\0\\1\\0Order\\0items\\0\\4\\3\\0\\0\\0\
\\2\\24\\35\\2\\7\\0\\0\\0\\0\\0\\1\\2\\15\\0\\1\\0Begin\\0items\\0\\4\\4\\0\\0\\0$switch"
write "$dir/none.dat" "$switch"
write "$dir/damaged.dat" "\\3\\24\\20\\3\\7\\0\\0\\0\\0\\0\\0\\4\\377\\377\\1\\0Orde\\2\\24\\2\\2\\7\\0\\2\\24\\0\\3"

# Use two plugin directories: one with only our plugin, and one with our plugin and all plugins of
# libtraceevent.
mkdir "$dir/ours" "$dir/all" "$dir/nothing"
cp "$plugin" "$dir/ours"
cp "$plugin" "$dir/all"
library=$(ldconfig -p | sed -n 's/.*libtraceevent\.so\.1 .*=> //p' | head -n 1)
cp "$(dirname "$library")"/traceevent/plugins/*.so "$dir/all" 2>/dev/null || echo "no other plugins"

# Prints uetrace's output without the time and thread columns.
fields()
{
	"$uetrace" show "$@" 2>/dev/null | sed -E 's/^ *[^ ]+ \[[0-9]+\] [^ ]+ //'
}

# Checks that valgrind reports no error for a program. Ignores leaks of the program itself and of
# other libraries.
watched()
{
	valgrind -q --error-exitcode=99 "$@" >/dev/null 2>"$dir/valgrind"
	status=$?
	expect "valgrind of $*" 0 $status
	! grep -q 'Invalid\|uninitialised' "$dir/valgrind" || fail "valgrind of $*: $(cat "$dir/valgrind")"
}

for folder in ours all; do
	export TRACEEVENT_PLUGIN_DIR=$dir/$folder
	if have perf; then
		perf script -i tests/data/perf_packed.data >"$dir/out" 2>"$dir/err" || fail "perf script: status $?"
		expect "perf script" "$(fields -e 'Example_Server:*' tests/data/perf_packed.data)" \
			"$(sed -n 's/.* user_events:Example_Server_L[0-9]K1: //p' "$dir/out")"
		expect "events of the kernel's types" 17 \
			"$(grep -cE 'user_events:request_done: status=(200|404) bytes=[0-9]+ path=[a-z_.]+$' "$dir/out")"
		perf script -i tests/data/perf_one.data >"$dir/out" 2>"$dir/err" || fail "perf script: status $?"
		expect "a file without self-describing events" 21 \
			"$(grep -cE 'user_events:request_done: status=(200|404) bytes=[0-9]+ path=[a-z_.]+$' "$dir/out")"
	fi
	if have trace-cmd; then
		trace-cmd report -i "$dir/events.dat" >"$dir/out" 2>"$dir/err" || fail "trace-cmd report: status $?"
		expect "trace-cmd report" "$(fields -e 'Shop:*' "$dir/events.dat")" \
			"$(sed -n 's/.* Shop_L4K1: *//p' "$dir/out")"
		expect "events of the kernel's types" 1 "$(grep -c 'request_done: *status=200 bytes=7 path=/ab$' "$dir/out")"
		expect "JSON" "$(fields --json -e 'Shop:*' "$dir/events.dat" | sed -E 's/"time": [^{]*"tid": [0-9]+(, )?//')" \
			"$(trace-cmd report -i "$dir/events.dat" -O user_events:json 2>/dev/null | sed -n 's/.* Shop_L4K1: *//p')"
		trace-cmd report -i "$dir/none.dat" >"$dir/out" 2>"$dir/err" || fail "no user events: status $?"
		expect "a file without user events" 1 "$(grep -c ' sched_switch: ' "$dir/out")"
		trace-cmd report -i "$dir/damaged.dat" >"$dir/out" 2>"$dir/err" || fail "damaged events: status $?"
		# this directory does not contain our plugin
		if [ $folder = all ] && have valgrind; then
			for file in events none damaged; do
				watched trace-cmd report -i "$dir/$file.dat"
			done
		fi
	fi
	# KernelShark opens the files one after the other, and unloads the plugins after each file.
	if have python3; then
		python3 tests/uetrace/kshark_info.py "$dir/events.dat" "$dir/none.dat" "$dir/damaged.dat" "$dir/events.dat" \
			>"$dir/out" 2>"$dir/err"
		status=$?
		if [ $status -eq 77 ]; then
			echo "no libkshark: it is no witness"
		else
			expect "KernelShark's status" 0 $status
			expect "KernelShark" "$(fields -e 'Shop:*' "$dir/events.dat")" \
				"$(sed -n 's/.* user_events\/Shop_L4K1 //p' "$dir/out" | head -n 2)"
			expect "each of its files" "2 4" "$(grep -c ' user_events/request_done status=200 bytes=7 path=/ab$' "$dir/out") \
$(grep -cE ' user_events/Shop_L4K1 Shop:(Order|Begin) ' "$dir/out")"
		fi
	fi
done

# Without the plugin, the tools must print the events differently.
export TRACEEVENT_PLUGIN_DIR=$dir/nothing
if have trace-cmd; then
	expect "without the plugin" 2 "$(HOME=$dir trace-cmd report -i "$dir/events.dat" 2>/dev/null | grep -c 'eventheader_flags=')"
fi

# uetrace prints the variable to export if the plugin is in the same directory as uetrace.
expect "the variable printed by --help" "  export TRACEEVENT_PLUGIN_DIR=$(realpath "$(dirname "$plugin")")" \
	"$("$uetrace" --help | grep TRACEEVENT_PLUGIN_DIR)"

echo "the plugin: $checks checks"
