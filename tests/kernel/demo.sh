#!/bin/sh
# SPDX-License-Identifier: MIT
#
# make demo: three lines tell what one sees, and three what to try next; as root the trace comes through the
# kernel, whatever it has, and else from the program's own recording. Where tracefs is not mounted,
# root's demonstration mounts it for itself, or says that it cannot.

ANY_KERNEL=1
. "${0%/*}/helpers/lib.sh"
need_uprobes
need_uetrace

three_lines()
{
	assert_eq 3 "$(sed '/^$/q' out | grep -c .)" "lines before the trace"
	assert_eq 3 "$(sed -n '/^Next:/,$p' out | grep -c .)" "lines of what is next"
	assert_match '^Each line has time, CPU, thread, event and fields\. ' "$(sed -n 3p out)"
	assert_match '^(Next:|     ) build/uetrace list build/examples/server ' "$(sed -n '/^Next:/,$p' out)"
	assert_match ' server-[0-9]+ request_done status=200 bytes=[0-9]+ path=".*"$' "$(cat out)"
	assert_match ' server-[0-9]+ Example_Server:RequestStop \(stop\) status=404 bytes=0 ms=' "$(cat out)"
	assert_match '^A server with a flight recorder .* was killed by kill -9\. Its last events:$' "$(cat out)"
}

"$top/examples/demo" >out 2>&1 || fail "$(cat out)"
three_lines
assert_eq "" "$(ls "$TRACING/instances")" "instances"
assert_eq "" "$(grep -E 'uetrace_|demo' "$TRACING/dynamic_events")" "dynamic events"
if [ -w "$TRACING/user_events_data" ]; then
	assert_match '^Tracing the example server right here: Linux .*, through its user_events\.$' "$(head -1 out)"
	assert_match 'perf record -e user_events:request_done' "$(tail -1 out)"
else
	assert_match '^Tracing the example server right here: Linux .*, by uprobes, since it has no user_events\.$' \
		"$(head -1 out)"
	assert_match "bpftrace -l 'usdt:build/examples/server:\*'" "$(tail -1 out)"
	# what is next is what works
	! command -v bpftrace >/dev/null || assert_match '^usdt:build/examples/server:user_events:request_done$' \
		"$(cd "$top" && bpftrace -l 'usdt:build/examples/server:*')"
fi
assert_match '^request_done$' "$(cd "$top" && build/uetrace list build/examples/server)"

# without_tracefs [PATH]: the demonstration where tracefs is not mounted, with what is in PATH first
without_tracefs()
{
	unshare -m sh -c 'umount -l /sys/kernel/debug /sys/kernel/tracing && PATH=$1$PATH exec "$0"' \
		"$top/examples/demo" "${1-}" >out 2>&1 || fail "$(cat out)"
}
without_tracefs
assert_match '^Tracing the example server right here: ' "$(head -1 out)"
assert_eq "Next: mount -t tracefs tracefs /sys/kernel/tracing   first: tracefs is not mounted here" \
	"$(grep '^Next:' out)"
mkdir bin
printf '#!/bin/sh\nexit 1\n' >bin/unshare
chmod +x bin/unshare
without_tracefs "$PWD/bin:"
assert_eq "The example server records its own events: tracefs is not mounted, and could not be for this \
demonstration alone: mount -t tracefs tracefs /sys/kernel/tracing." "$(head -1 out)"
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
three_lines
assert_eq "The example server records its own events: only root may trace through the kernel." "$(head -1 out)"
assert_match 'sudo make demo ' "$(tail -2 out)"
assert_match 'make demo-kernel ' "$(tail -1 out)"
exit 0
