#!/bin/bash
# SPDX-License-Identifier: MIT
#
# tests/watch: a command that shows life may take its time, one that hangs is ended with all that it
# started.

. "$(dirname "$0")/checks.sh"

# watched NAME SECONDS SCRIPT: its exit status and the last line of what it printed, to $dir/NAME
watched()
{
	tests/watch "$2" "$dir/$1.output" sh -c "$3" >/dev/null
	echo "$? $(tail -n 1 "$dir/$1.output")" >"$dir/$1"
}

# side by side, since they mostly wait; with seconds to spare on a busy machine
watched status 5 'echo said; exit 7' &
watched signal 5 'kill -9 $$' &
watched hangs 2 'echo said; sleep 321' &
watched stopped 2 'trap "" TERM; kill -STOP $$' &
watched prints 4 'for i in 1 2 3 4 5 6; do echo $i; sleep 1; done; exit 3' &
watched starts 4 'for i in 1 2 3 4 5 6; do sleep 1; done; exit 3' &
watched computes 8 'i=$(timeout 10 sh -c "while :; do :; done"); exit 3' &
watched lives 1 'while :; do echo; sleep 0.2; done' &
wait
expect "exit status and output" "7 said" "$(cat "$dir/status")"
expect "killed by a signal" "137 " "$(cat "$dir/signal")"
expect "a hang" "124 gave no sign of life for 2 seconds" "$(cat "$dir/hangs")"
expect "a hang that ignores SIGTERM" "124 gave no sign of life for 2 seconds" "$(cat "$dir/stopped")"
expect "one that prints" "3 6" "$(cat "$dir/prints")"
expect "one that starts processes" "3 " "$(cat "$dir/starts")"
expect "one that computes" "3 " "$(cat "$dir/computes")"
expect "one that lives forever" "124 did not end within 10 seconds" "$(cat "$dir/lives")"

# a shell's background commands ignore SIGINT and SIGQUIT
tests/watch 2 "$dir/output" sed -n 's/SigIgn:\t/0x/p' /proc/self/status
expect "signals that are ignored" 0 $(($(cat "$dir/output") & 6))

tests/watch 100 "$dir/began" sh -c "echo said; sleep 1000$$" &
until [ -s "$dir/began" ]; do sleep 0.1; done
kill -TERM $!
wait $!
expect "it is ended itself" 143 $?
expect "left behind" "" "$(grep -slzx "[1]000$$" /proc/[0-9]*/cmdline)"
echo "watch: $checks checks"
