#!/bin/sh
# SPDX-License-Identifier: MIT
#
# make demo: in lines of at most 100 columns a start, a failure and a crash, and what to try next; as root
# the trace comes through the kernel, whatever it has, and else from the program's own recording.

ANY_KERNEL=1
. "${0%/*}/helpers/lib.sh"
need_uprobes
need_uetrace

three_things()
{
	assert_eq "" "$(grep -E '.{101}' out)" "longer lines"
	[ "$(wc -l <out)" -le 22 ] || fail "$(cat out)"
	assert_eq 3 "$(sed -n '/^1\. The start:/,/^$/p' out | grep -c ' server-[0-9]* ')" "events of the start"
	assert_match ' server-[0-9]+ request_done status=200 bytes=[0-9]+ path=' "$(sed -n '/^1\./,/^$/p' out)"
	assert_match '^2\. A request that failed:$' "$(cat out)"
	assert_match ' server-[0-9]+ Example_Server:CannotServe path="missing.html" error=ENOENT\(2\)$' "$(cat out)"
	assert_match ' server-[0-9]+ Example_Server:RequestStop \(stop\) status=404 bytes=0 ms=' "$(cat out)"
	assert_match '^3\. A crash: kill -9 of a server with a flight recorder ' "$(cat out)"
	assert_eq 3 "$(sed -n '/^3\./,/^$/p' out | grep -c ' server-[0-9]* ')" "events before the crash"
	assert_match '^Next: build/uetrace run build/examples/server ' "$(cat out)"
}

"$top/examples/demo" >out 2>&1 || fail "$(cat out)"
three_things
assert_eq "" "$(ls "$TRACING/instances")" "instances"
assert_eq "" "$(grep -E 'uetrace_' "$TRACING/dynamic_events")" "dynamic events"
if [ -w "$TRACING/user_events_data" ]; then
	assert_match '^Tracing the example server right here: Linux .*, through its user_events\.$' "$(head -1 out)"
	assert_match 'perf record -e user_events:request_done' "$(tail -1 out)"
else
	assert_match '^Tracing the example server right here: Linux .*, by uprobes, as it has no user_events\.$' \
		"$(head -1 out)"
	assert_match "bpftrace -l 'usdt:build/examples/server:\*'" "$(tail -1 out)"
	# what is next is what works
	! command -v bpftrace >/dev/null || assert_match '^usdt:build/examples/server:user_events:request_done$' \
		"$(cd "$top" && bpftrace -l 'usdt:build/examples/server:*')"
fi

# Where tracefs is not mounted, and where root may not mount it.
without_tracefs='umount -l /sys/kernel/debug /sys/kernel/tracing && exec'
unshare -m sh -c "$without_tracefs \"\$0\"" "$top/examples/demo" >out 2>&1 || fail "$(cat out)"
three_things
assert_match '^Tracing the example server right here: ' "$(head -1 out)"
unshare -m sh -c "$without_tracefs setpriv --bounding-set -sys_admin \"\$0\"" "$top/examples/demo" >out 2>&1 ||
	fail "$(cat out)"
three_things
assert_match '^The example server records its own events: tracefs is not mounted' "$(head -1 out)"
# A chroot has no mount at its / that could be made private.
mkdir root
if mount --bind / root && mount -t proc proc root/proc && mount -t sysfs sysfs root/sys; then
	chroot root "$top/examples/demo" >out 2>&1 || fail "$(cat out)"
	assert_match '^Tracing the example server right here: ' "$(head -1 out)"
	assert_eq 0 "$(grep -c "$PWD/root/sys/kernel/tracing" /proc/mounts)" "what is mounted afterwards"
fi
umount -R root

mkdir -m 777 nobody
su nobody -s /bin/sh -c "TMPDIR=$TMPDIR/nobody '$top/examples/demo'" >out 2>&1 || fail "$(cat out)"
three_things
assert_eq "The example server records its own events: only root may trace through the kernel." "$(head -1 out)"
assert_match 'sudo make demo ' "$(tail -2 out)"
assert_match 'make demo-kernel ' "$(tail -1 out)"
exit 0
