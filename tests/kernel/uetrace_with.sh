#!/bin/sh
# SPDX-License-Identifier: MIT
#
# With `uetrace with`, a recorder must find the events of programs that are not running yet, and
# uetrace must exit with the recorder's status. Also tests the messages if the kernel denies perf
# access, and a group that may register events.

. "${0%/*}/helpers/lib.sh"
need_uetrace
need perf

# The program's first event is recorded, although perf looked up the event before the program ran.
assert "$uetrace" with "$examples/hello" 'by_hand u32 a' -- \
	perf record -q -o perf.data -e 'user_events:*' "$examples/hello" >out
assert_eq 1 "$(perf script -i perf.data -F event | grep -c 'user_events:hello:')" "events of perf"
wait_until 20 is_gone hello
wait_until 20 is_gone by_hand

# uetrace exits with the status of the recording program.
"$uetrace" with 'some u32 a' -- sh -c "grep '^some' $TRACING/user_events_status; exit 7" >out
assert_eq 7 $? "exit status"
assert_eq some "$(cat out)" "event while the recorder runs"
sh -c "'$uetrace' with 'some u32 a' -- sh -c 'kill -KILL \$\$'; echo \$?" >out 2>/dev/null
assert_eq 137 "$(tail -n 1 out)" "status of a signal"
"$uetrace" with 'some u32 a' -- ./nosuch 2>err
assert_eq 127 $? "status without a recorder"
assert_eq 'uetrace: cannot run ./nosuch: No such file or directory' "$(cat err)"
mkdir directory
"$uetrace" with 'some u32 a' -- ./directory 2>err
assert_eq 126 $? "status of a recorder that cannot be executed"

# uetrace forwards signals to the recording program, which then has time to complete its file.
"$uetrace" with 'some u32 a' -- \
	sh -c 'trap "echo complete; exit 3" TERM; echo begun; while :; do sleep 0.1; done' >out &
wait_until 20 grep -q begun out
stop $!
assert_eq 3 $? "status after a signal"
assert_eq complete "$(tail -n 1 out)" "the recorder's last line"

# Usage errors
for wrong in "$examples/hello" "-- true" "$examples/hello --"; do
	# shellcheck disable=SC2086
	"$uetrace" with $wrong 2>err
	assert_eq 64 $? "status of 'with $wrong'"
	assert_match '^uetrace: usage: uetrace with ' "$(cat err)"
done
refute "$uetrace" with ./nosuch -- touch ran 2>err
assert_match 'cannot read ./nosuch: No such file' "$(cat err)"
[ ! -e ran ] || fail "the recorder was started although an event could not be registered"

# Without CAP_PERFMON, the sysctl perf_event_paranoid determines whether perf may trace.
paranoid=/proc/sys/kernel/perf_event_paranoid
unprivileged()
{
	setpriv --bounding-set=-perfmon,-sys_admin --inh-caps=-perfmon,-sys_admin \
		"$uetrace" with "$examples/hello" -- \
		perf record -q -o refused.data -e user_events:hello "$examples/hello" >out 2>err
}
echo 2 >$paranoid
refute unprivileged
assert_match '^uetrace: perf records events only as root or with CAP_PERFMON, because perf_event_paranoid is 2; ' "$(cat err)"
echo -1 >$paranoid
unprivileged || fail "$(cat err)"
refute_match paranoid "$(cat err)"
echo 2 >$paranoid
refute "$uetrace" with "$examples/hello" -- perf record -q -e user_events:nosuch true 2>err
refute_match 'uetrace: perf_event_paranoid' "$(cat err)" "messages about perf's permissions"

# Members of a group with write access to user_events_data may register events with uetrace, just as
# programs of that group may.
chgrp 4242 "$TRACING" "$TRACING/user_events_data"
chmod 0710 "$TRACING"
chmod 0620 "$TRACING/user_events_data"
setpriv --reuid=65534 --regid=65534 --groups=4242 \
	"$uetrace" with 'by_group u32 a' -- true 2>err || fail "a group member cannot register an event: $(cat err)"
refute setpriv --reuid=65534 --regid=65534 --clear-groups "$uetrace" with 'nobodys u32 a' -- true 2>err
assert_match '^uetrace: no permission to open user_events_data, if ' "$(cat err)"
chmod 0700 "$TRACING"
chmod 0640 "$TRACING/user_events_data"
chgrp 0 "$TRACING" "$TRACING/user_events_data"
