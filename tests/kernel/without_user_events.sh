#!/bin/sh
# SPDX-License-Identifier: MIT
#
# On a kernel without user_events, programs must run normally: no event is registered, ue_status()
# reports the reason, and the program's own recording contains its events.

ANY_KERNEL=1
. "${0%/*}/helpers/lib.sh"
[ ! -e "$TRACING/user_events_data" ] || skip "this kernel has user_events"
need_uetrace

# the server serves files from its initial working directory
assert_eq "served 60 requests" "$(cd "$top" && "$examples/server" -n 60 -c 3 -w 2)" server
assert_eq "sorted 4500 numbers" "$("$examples/service")" service
assert_eq "80 done, 20 failed" "$("$examples/tracepoints" 100)" tracepoints

# the program reports the reason in one sentence
status=$("$examples/runtime" 'reading u32 n' 1 2>&1)
assert_match 'this kernel has no user_events' "$status" "the program's status message"

# the recorder works without kernel support
(cd "$top" && UE_RECORD=$TMPDIR/capture:keep "$examples/server" -n 3 -c 1 -w 1) >/dev/null
assert_match 'request_done' "$("$uetrace" show capture)" capture

# an empty list is printed along with the reason
assert "$uetrace" list >out 2>err
assert_eq "uetrace: this kernel has no user_events, and no running program declares events; to list the events of \
a program that is not running: uetrace list ./PROGRAM" "$(cat out err)" "uetrace list"

# no file descriptor is left open
"$programs/fds" report
assert_eq "data -1 lowest 3 registered 0" "$(cat report)" descriptors
