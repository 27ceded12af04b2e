#!/bin/sh
# SPDX-License-Identifier: MIT
#
# If tracefs is not mounted, uetrace must mount it for itself and for the programs that it runs,
# invisibly to all other processes. A user other than root must get a message that explains what to
# do.

ANY_KERNEL=1
. "${0%/*}/helpers/lib.sh"
need_uprobes
need_uetrace

# unmounted COMMAND: runs COMMAND in a shell without tracefs, with $uetrace set, and prints the
# mounts afterwards
unmounted()
{
	uetrace=$uetrace examples=$examples unshare -m --propagation unchanged sh -c "mount --make-private /sys
		umount -l /sys/kernel/debug '$TRACING'
		grep -w tracefs /proc/mounts
		$1
		status=\$?
		grep -w tracefs /proc/mounts
		exit \$status" >out 2>err
}

mounted='uetrace: tracefs is not mounted; uetrace has mounted it for itself and its child processes'
unmounted '"$uetrace" run "$examples/hello"' || fail "$(cat out err)"
assert_match ' hello-[0-9]+ hello argc=1 program=' "$(cat out)"
assert_match "^$mounted\$" "$(cat err)"
refute_match tracefs "$(cat out)" "mounts that are visible outside"

# if mounts are shared, other mounts that the program makes are visible outside
mkdir shared
mount -t tmpfs tmpfs shared
mount --make-shared shared
mkdir shared/place
unmounted "\"\$uetrace\" run -- mount -t tmpfs tmpfs '$PWD/shared/place'" || fail "$(cat out err)"
assert_match "$PWD/shared/place tmpfs" "$(cat /proc/mounts)"
umount -R shared

# A program that was already running could not register its events, but they are visible through
# uprobes.
unmounted '"$examples/server" -d "${examples%/build/examples}/include" -n 1000000 -c 2 -w 2 >/dev/null & server=$!
	timeout 30 "$uetrace" watch request_done | head -n 3
	kill $server'
assert_eq 3 "$(grep -c ' server-[0-9]* request_done status=' out)" "events that watch saw: $(cat out err)"
unmounted '"$uetrace" probe add "p:unmounted_main $examples/hello:main" && "$uetrace" probe list && "$uetrace" probe remove unmounted_main' ||
	fail "$(cat out err)"
assert_match unmounted_main "$(cat out)"

if command -v setpriv >/dev/null; then
	refute unmounted 'setpriv --reuid=65534 --clear-groups "$uetrace" run "$examples/hello"'
	assert_match '^uetrace: cannot trace: tracefs is not mounted; as root: mount -t tracefs' "$(cat err)"
fi
exit 0
