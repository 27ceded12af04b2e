#!/bin/sh
# SPDX-License-Identifier: MIT
#
# perf records the events of a program written for LinuxTracepoints. uetrace and perf must print the
# values that the program wrote.

. "${0%/*}/helpers/lib.sh"

need perf
need_uetrace
program=$programs/compat
set=Kernel_Compat_L4K21Ggrp

# perf can record only events that exist before perf starts.
"$program" hold &
wait_until 20 is_registered kernel_compat
assert is_registered $set

assert perf record -q -o perf.data -e user_events:$set -e user_events:kernel_compat -- "$program"
assert_eq '{ "n": "Kernel_Compat:Request", "status": 200, "the client": { "user": "ann", "port": 443 }, -
{ "n": "Kernel_Compat:Large", "s": "x", "behind": 1, -
{ "n": "user_events:kernel_compat", "status": 200, "path": "", "user": "ann", "id": [ 49, 50, 51, 52 ], -' \
	"$("$uetrace" show --json perf.data | sed -E 's/"meta".*/-/; s/x{3000}/x/')" "events"
