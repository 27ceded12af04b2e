#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs `perf record` on a program that writes every kind of EventHeader event. The samples in
# perf.data must contain the expected bytes.

. "${0%/*}/helpers/lib.sh"

need perf
program=$top/build/tests/kernel/test_log_all
event=LogAll_L3Kdeadbeef12345678Ggrp7

# perf can record only events that exist before perf starts.
"$program" hold &
wait_until 20 is_registered "$event"

assert perf record -q -o perf.data -e "user_events:$event" -- "$program" write
assert "$program" compare perf.data

# For the fields that perf itself can print, its output must agree.
text=$(perf script -i perf.data -F event,trace 2>/dev/null)
assert_eq 35 "$(printf '%s\n' "$text" | wc -l)" "number of events"
assert_match 'version=9 id=511 tag=51966 opcode=1 level=3' "$text" "perf script"
