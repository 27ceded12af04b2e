#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Traces a service that runs as another user without capabilities, in a read-only root directory
# that contains only one file of tracefs. The service must make all the system calls that
# docs/kernel.md lists and no others; any other call fails here as under a seccomp filter. The files
# in packaging/systemd grant the permission.

. "${0%/*}/helpers/lib.sh"
need strace

groupadd tracers
trap restore EXIT
restore()
{
	chmod 0700 "$TRACING"
	chmod 0640 "$TRACING/user_events_data"
	chgrp 0 "$TRACING" "$TRACING/user_events_data"
	groupdel tracers
}
if command -v systemd-tmpfiles >/dev/null; then
	assert systemd-tmpfiles --create "$top/packaging/systemd/user_events.conf"
else
	chgrp tracers "$TRACING" "$TRACING/user_events_data"
	chmod 710 "$TRACING"
	chmod 620 "$TRACING/user_events_data"
fi
assert_eq '710 tracers
620 tracers' "$(stat -c '%a %G' "$TRACING" "$TRACING/user_events_data")" permissions

cat >container <<'E2'
root=$(mktemp -d)
mount --bind / "$root"
mount -t sysfs -o ro sysfs "$root/sys"
file=$root/sys/kernel/tracing/user_events_data
# sysfs has a directory to mount tracefs on, but no file can be created in it
! touch "$file" 2>/dev/null
mount -t tmpfs tmpfs "$root/sys/kernel/tracing"
touch "$file"
mount --bind /sys/kernel/tracing/user_events_data "$file"
mount -o remount,ro "$root/sys/kernel/tracing"
mount -o remount,bind,ro "$root"
exec chroot "$root" setpriv --reuid=65534 --regid=65534 --groups="$1" --bounding-set=-all --inh-caps=-all \
	--no-new-privs "$2"
E2

# Both events exist and are enabled before the program runs. The program registers one of them in
# the existing format and the other in a different format.
add_event 'boxed u32 step; __rel_loc char[] text'
add_event 'taken u32 a'
enable_event boxed
enable_event taken
mkfifo go
unshare -m sh -eu container "$(getent group tracers | cut -d : -f 3)" \
	"$programs/system_calls" <go >out 2>err &
pid=$!
exec 5>go
ready()
{
	grep -q ready out || ! kill -0 $pid 2>/dev/null
}
wait_until 20 ready
grep -q ready out || fail "the program in the container did not start: $(cat err)"
assert_match '^CapBnd:	0+$' "$(cat /proc/$pid/status)" "capabilities"

listed=$(grep -E '^\| (registration|writing|`ue_activity_new)' "$top/docs/kernel.md" | grep -oE '`[a-z0-9]+`' |
	tr -d '`' | sort -u)
allowed=$(echo "$listed" exit_group | tr ' ' '\n' | paste -sd ,)
strace -f -o calls -e "inject=!$allowed:error=EPERM" -p $pid 2>attached &
wait_until 20 grep -q attached attached
echo go >&5
wait $pid
assert_eq 0 $? "exit status of the program in the container: $(tail -n 20 calls)"
wait

# some libcs implement fstat() with a different system call; read() is needed only if tracefs is
# mounted elsewhere
used=$(sed -nE 's/^[0-9]+ +([a-z0-9_]+)\(.*/\1/p' calls | sort -u)
assert_eq "$(echo "$listed" | grep -vxE 'fstat|newfstatat|read')" \
	"$(echo "$used" | grep -vxE 'fstat|newfstatat|read|exit_group')" "system calls"
assert_eq "step=0x1 (1)
step=0x2 (2)
step=0x4 (4)" "$(recorded boxed | grep -oE 'step=0x[0-9]+ \([0-9]+\)')" "events"
