#!/bin/sh
# SPDX-License-Identifier: MIT
#
# `make demo` must show the start of a program, a failure and a crash, and suggest commands to try
# next, in lines of at most 100 columns. If run by root, the demo uses the kernel's tracing, with
# any kernel configuration. If run by another user, it reads the program's own recording.

ANY_KERNEL=1
. "${0%/*}/helpers/lib.sh"
need_uprobes
need_uetrace

three_things()
{
	assert_eq "" "$(grep -E '.{101}' out)" "longer lines"
	[ "$(wc -l <out)" -le 22 ] || fail "$(cat out)"
	assert_eq 3 "$(sed -n '/^1\. The start:/,/^$/p' out | grep -c ' server-[0-9]* ')" "events recorded at startup"
	assert_match ' server-[0-9]+ request_done status=200 bytes=[0-9]+ path=' "$(sed -n '/^1\./,/^$/p' out)"
	assert_match '^2\. A request that failed:$' "$(cat out)"
	assert_match ' server-[0-9]+ Example_Server:CannotServe path="missing.html" error=ENOENT\(2\)$' "$(cat out)"
	assert_match ' server-[0-9]+ Example_Server:RequestStop \(stop\) status=404 bytes=0 ms=' "$(cat out)"
	assert_match '^3\. A crash: kill -9 of a server with a flight recorder ' "$(cat out)"
	assert_eq 3 "$(sed -n '/^3\./,/^$/p' out | grep -c ' server-[0-9]* ')" "events before the crash"
}

"$top/examples/demo" >out 2>&1 || fail "$(cat out)"
three_things
assert_match '^Next: build/uetrace run build/examples/server ' "$(cat out)"
assert_eq "" "$(ls "$TRACING/instances")" "instances"
assert_eq "" "$(grep -E 'uetrace_' "$TRACING/dynamic_events")" "dynamic events"
if [ -w "$TRACING/user_events_data" ]; then
	assert_match '^Tracing the example server right here: Linux .*, through its user_events\.$' "$(head -1 out)"
	assert_match 'perf record -e user_events:request_done' "$(tail -1 out)"
else
	assert_match '^Tracing the example server right here: Linux .*, by uprobes, as it has no user_events\.$' \
		"$(head -1 out)"
	assert_match "bpftrace -l 'usdt:build/examples/server:\*'" "$(tail -1 out)"
	# Check that the commands which the demo suggests work.
	! command -v bpftrace >/dev/null || assert_match '^usdt:build/examples/server:user_events:request_done$' \
		"$(cd "$top" && bpftrace -l 'usdt:build/examples/server:*')"
fi

# Run the demo in a PID namespace, as in a container.
if unshare -p -f true 2>/dev/null; then
	unshare -p -f --mount-proc "$top/examples/demo" >out 2>&1 || fail "$(cat out)"
	three_things
	assert_match '^Tracing the example server right here: ' "$(head -1 out)"
fi

# Run the demo with a tracer that records nothing. The demo must fail.
mkdir -p broken/build broken/examples
ln -s "$top/build/examples" broken/build/examples
cp "$top/examples/demo" broken/examples
cat >broken/build/uetrace <<'END'
#!/bin/sh
[ "$1" = run ] && : >"$3"
END
chmod +x broken/build/uetrace
broken/examples/demo >out 2>&1 && fail "the demo succeeds although no event was recorded: $(cat out)"
assert_match '^demo: this section has no events' "$(cat out)"

# Run the demo without tracefs. As root, the demo mounts tracefs if mounting is permitted.
without_tracefs='umount -l /sys/kernel/debug 2>/dev/null; umount -l /sys/kernel/tracing && exec'
unshare -m sh -c "$without_tracefs \"\$0\"" "$top/examples/demo" >out 2>&1 || fail "$(cat out)"
three_things
assert_match '^Tracing the example server right here: ' "$(head -1 out)"
unshare -m sh -c "$without_tracefs setpriv --bounding-set -sys_admin \"\$0\"" "$top/examples/demo" >out 2>&1 ||
	fail "$(cat out)"
three_things
assert_match '^The example server records its own events: tracefs is not mounted, and root has no' "$(head -1 out)"
assert_match '^Next: UE_RECORD=server.uer build/examples/server ' "$(cat out)"
# Run the demo in a chroot. There, / is not a mount point, so it cannot be made private. All mounts
# must end with their namespace, even if the demo fails.
mkdir root
unshare -m sh -c "mount --bind / root && mount -t proc proc root/proc && mount -t sysfs sysfs root/sys &&
		mount -t tmpfs tmpfs root/dev/shm || exit 77
	chroot root '$top/examples/demo' && grep '$PWD/root/sys/kernel/tracing' /proc/mounts >mounts
	exit 0" >out 2>&1
if [ $? -ne 77 ]; then
	assert_eq "" "$(cat mounts)" "mounts left by the demo"
	assert_match '^Tracing the example server right here: ' "$(cat out)"
	three_things
fi

mkdir -m 777 nobody
su nobody -s /bin/sh -c "TMPDIR=$TMPDIR/nobody '$top/examples/demo'" >out 2>&1 || fail "$(cat out)"
three_things
assert_eq "The example server records its own events: only root may trace through the kernel." "$(head -1 out)"
assert_match 'sudo make demo ' "$(tail -2 out)"
assert_match 'make demo-kernel ' "$(tail -1 out)"
# check that the commands printed after "Next:" work for this user
refute_match 'uetrace run' "$(cat out)"
(cd nobody && ln -s "$top/build" "$top/include" . && sed -n '/^Next: /,$s/^\(Next:\|     \) \(.*[^ ]\)   .*/\2/p' ../out | head -n 2 >next)
su nobody -s /bin/sh -c "cd '$TMPDIR/nobody' && sh -e ./next" >out 2>&1 || fail "$(cat nobody/next out)"
assert_match ' request_done status=' "$(cat out)"
exit 0
