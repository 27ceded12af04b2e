#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The files of packaging/systemd, as far as systemd is here: it takes the units, and that of docs/kernel.md, and,
# for root, makes the group and gives it write permission and nothing more. On a real tracefs: tests/kernel/sandbox.sh.

. "$(dirname "$0")/checks.sh"
command -v systemd-analyze systemd-tmpfiles >/dev/null || {
	echo "there is no systemd here"
	exit 77
}

# where uetrace is installed does not matter here
for unit in user_events uetrace-json; do
	sed "s|^ExecStart=/usr/bin/uetrace|ExecStart=/bin/true|" packaging/systemd/$unit.service >"$dir/$unit.service"
	expect "systemd-analyze verify" "" "$(systemd-analyze --man=no verify "$dir/$unit.service" 2>&1)"
done

# The unit that has a descriptor passed. The program, and the shell in the place of systemd, have the same name for it.
sed -n '/^\[Service\]$/,/^```$/p' docs/kernel.md | sed '/^```$/d; s|^ExecStart=.*|ExecStart=/bin/true|' >"$dir/passed.service"
expect "what opens the file" "OpenFile=/sys/kernel/tracing/user_events_data:user_events:graceful" "$(grep '^OpenFile=' "$dir/passed.service")"
expect "the name of the descriptor" "3" "$(grep -cE ':user_events:graceful$|passed_fd\("user_events"\)|LISTEN_FDNAMES=user_events ' docs/kernel.md)"
expect "systemd-analyze verify, the unit of docs/kernel.md" "" "$(systemd-analyze --man=no verify "$dir/passed.service" 2>&1 |
	grep -v "passed.service:[0-9]*: Unknown key.*'OpenFile'.*ignoring")"
[ "$(systemd-analyze --version | sed -n '1s/[^0-9]*\([0-9]*\).*/\1/p')" -ge 253 ] ||
	echo "skipped: systemd has OpenFile= since version 253"

if [ "$(id -u)" -eq 0 ]; then
	mkdir -p "$dir/etc" "$dir/sys/kernel/tracing"
	echo 'root:x:0:' >"$dir/etc/group"
	echo 'root:x:0:0::/:/bin/sh' >"$dir/etc/passwd"
	systemd-sysusers --root="$dir" "$PWD/packaging/systemd/user_events-group.conf" 2>"$dir/sysusers" ||
		fail "systemd-sysusers: $(cat "$dir/sysusers")"
	group=$(sed -n 's/^tracers:[^:]*:\([0-9]*\):$/\1/p' "$dir/etc/group")
	[ "${group:-0}" -gt 0 ] || fail "systemd-sysusers made no group tracers"
	touch "$dir/sys/kernel/tracing/user_events_data" "$dir/sys/kernel/tracing/trace"
	chmod 700 "$dir/sys/kernel/tracing"
	chmod 640 "$dir/sys/kernel/tracing"/*
	expect "systemd-tmpfiles" "" "$(systemd-tmpfiles --root="$dir" --create "$PWD/packaging/systemd/user_events.conf" 2>&1)"
	expect "permissions" "710 $group tracing
640 0 trace
620 $group user_events_data" "$(cd "$dir/sys/kernel" && stat -c '%a %g %n' tracing tracing/* | sed 's|tracing/||')"
else
	echo "skipped: only root can give files to another group, as systemd-tmpfiles does"
fi
expect "what docs/kernel.md shows" "$(grep '^z ' packaging/systemd/user_events.conf)" "$(grep '^z ' docs/kernel.md)"

# members SET: its system calls, also those of the sets in it
members()
{
	systemd-analyze syscall-filter "$1" 2>/dev/null | sed -n 's/^    \([^#]*\)$/\1/p' |
		while read -r name; do
			[[ $name == @* ]] && members "$name" || echo "$name"
		done
}
listed=$(sed -n '/^| what | system calls |$/,/^$/p' docs/kernel.md | grep -oE '`[a-z0-9_]+`' | tr -d '`' | sort -u)
expect "calls that are listed" 1 "$(echo "$listed" | grep -c '^openat$')"
expect "calls that @system-service lacks" "" "$(comm -23 <(echo "$listed") <(members @system-service | sort -u))"
echo "systemd: $checks checks"
