#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Tests uetrace in PID and mount namespaces, as in containers. run must show all events of its
# program and of the program's children under their names, and several uetrace processes with the
# same PID must not disturb each other. If a container does not permit tracing, the message must say
# how to start one that does.

ANY_KERNEL=1
. "${0%/*}/helpers/lib.sh"
need_uprobes
need_uetrace
need unshare
unshare -p -f true 2>/dev/null || skip "this kernel has no PID namespaces"

# in_pid_namespace COMMAND...: runs COMMAND as PID 1 of a PID namespace that has its own /proc
in_pid_namespace()
{
	timeout 60 unshare -p -f --mount-proc "$@" >out 2>err
}

for way in '' --usdt; do
	# shellcheck disable=SC2086 # unquoted: empty or one word
	in_pid_namespace "$uetrace" run $way "$examples/hello" || fail "$(cat out err)"
	assert_match ' hello-[0-9]+ hello argc=1 program=' "$(cat out)" "run $way"
	refute_match 'missing' "$(cat err)" "run $way"
	# shellcheck disable=SC2086
	in_pid_namespace "$uetrace" run $way --json --origin "$examples/hello" || fail "$(cat out err)"
	assert_match '"comm": "hello"' "$(cat out)" "run $way --origin"
	# shellcheck disable=SC2086
	in_pid_namespace "$uetrace" run $way -- sh -c "'$examples/hello'; sleep 1; '$examples/hello' again; sleep 1" ||
		fail "$(cat out err)"
	assert_match ' hello argc=2 ' "$(cat out)" "run $way of a program that a shell starts"
done

# here, /proc belongs to the outer namespace
timeout 60 unshare -p -f "$uetrace" run "$examples/hello" >out 2>err || fail "$(cat out err)"
assert_match ' hello-[0-9]+ hello argc=1 ' "$(cat out)" "events with the /proc of another namespace"

# if the process has no entry in /proc, the thread's name is shown
in_pid_namespace sh -c '"$1/server" -d "$2" -n 1000000 -c 1 -w 1 >/dev/null & server=$!
	sleep 1
	timeout 30 "$0" watch request_done | head -n 3
	kill $server' "$uetrace" "$examples" "$top/include"
assert_eq 3 "$(grep -c ' server-[0-9]* request_done ' out)" "events of watch: $(cat out err)"

# the outer PID of an already running process cannot be determined
in_pid_namespace "$uetrace" watch -p 1 && fail "watch -p succeeds for a process in another PID namespace"
assert_match '^uetrace: cannot follow process 1: .* PID namespace .*--pid=host$' "$(cat err)"

# run two uetrace processes at the same time, each with PID 1 in its own namespace
timeout 60 unshare -p -f --mount-proc "$uetrace" watch hello >first 2>first.err &
first=$!
instances()
{
	[ "$(find "$TRACING/instances" -name 'uetrace-[1-9]*' | wc -l)" -ge "$1" ]
}
wait_until 20 instances 1
in_pid_namespace "$uetrace" run "$examples/hello" || fail "$(cat out err)"
assert_match ' hello argc=1 ' "$(cat out)" "events with two uetrace processes of the same PID"
kill "$first"
wait "$first"

# Permissions

command -v setpriv >/dev/null || exit 0
# without_admin COMMAND: runs COMMAND as root without CAP_SYS_ADMIN and without tracefs
without_admin()
{
	unshare -m sh -c "umount -l /sys/kernel/debug '$TRACING' 2>/dev/null
		exec setpriv --bounding-set -sys_admin $1" >out 2>err
}
without_admin "'$uetrace' run '$examples/hello'" && fail "run succeeds without tracefs and without CAP_SYS_ADMIN"
assert_match '^uetrace: cannot trace: tracefs is not mounted, and root has no CAP_SYS_ADMIN here; run uetrace on the host, or start the container with --privileged$' \
	"$(cat err)"
unshare -m sh -c "mount --bind '$TRACING' '$TRACING' && mount -o remount,bind,ro '$TRACING' && exec '$uetrace' run '$examples/hello'" \
	>out 2>err && fail "run succeeds with a read-only tracefs"
assert_match '^uetrace: cannot create the trace instance uetrace-[0-9]+: Read-only file system; tracefs is mounted read-only; as root: mount -o remount,rw ' \
	"$(cat err)"
refute_match 'as root$' "$(cat err)"
exit 0
