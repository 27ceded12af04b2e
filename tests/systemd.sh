#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Tests the files in packaging/systemd and the unit in docs/kernel.md, as far as systemd is
# available. systemd must accept the units. If this script runs as root, the group is created and
# must get write permission and nothing else; tests/kernel/sandbox.sh tests this on a real tracefs.
# If the machine does not run systemd, root starts systemd in namespaces. There, the units run with
# uetrace's own lines instead of events; tests/kernel/uetrace_units.sh tests them with real events.

. "$(dirname "$0")/checks.sh"
command -v systemd-analyze systemd-tmpfiles >/dev/null || {
	echo "there is no systemd here"
	exit 77
}

# this check does not depend on the location of uetrace
mkdir "$dir/units"
for unit in packaging/systemd/*.service packaging/systemd/*.timer; do
	sed -e "s|/usr/bin/uetrace|$PWD/build/uetrace|" -e "s|=logrotate |=/bin/true |" "$unit" >"$dir/units/${unit##*/}"
done
[ -x build/uetrace ] || sed -i "s|$PWD/build/uetrace|/bin/true|" "$dir"/units/*
expect "systemd-analyze verify" "" "$(systemd-analyze --man=no verify "$dir"/units/* 2>&1)"

# Prints the exposure level that systemd-analyze computes, in tenths. systemd 252 prints 3.6, 3.5,
# 4.7, 2.4 and 2.1.
for most in uetrace-file:40 uetrace-journal:40 uetrace-kafka:50 uetrace-rotate:30 user_events:30; do
	unit=packaging/systemd/${most%:*}.service
	level=$(systemd-analyze security --no-pager --offline=true "$unit" 2>/dev/null |
		sed -n 's/.*exposure level for .*: \([0-9]*\)[.]\([0-9]\) .*/\1\2/p')
	checks=$((checks + 1))
	[ -z "$level" ] || [ "$level" -le "${most#*:}" ] || fail "exposure of $unit: ${level}, more than ${most#*:}"
	[ -n "$level" ] || echo "skipped: systemd-analyze cannot compute exposure levels offline"
done

# The unit that passes a descriptor. The program and the shell, which stands in for systemd, must
# use the same name for the descriptor.
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
	# run with the capabilities of user_events.service
	expect "systemd-tmpfiles" "" "$(setpriv --bounding-set "-all,$(sed -n 's/^CapabilityBoundingSet=//p' packaging/systemd/user_events.service |
		tr 'A-Z ' 'a-z,' | sed 's/cap_/+/g')" systemd-tmpfiles --root="$dir" --create "$PWD/packaging/systemd/user_events.conf" 2>&1)"
	expect "permissions" "710 $group tracing
640 0 trace
620 $group user_events_data" "$(cd "$dir/sys/kernel" && stat -c '%a %g %n' tracing tracing/* | sed 's|tracing/||')"
else
	echo "skipped: only root can give files to another group, as systemd-tmpfiles does"
fi
expect "what docs/kernel.md shows" "$(grep '^z ' packaging/systemd/user_events.conf)" "$(grep '^z ' docs/kernel.md)"

# members SET: prints the system calls of a set, including those of nested sets
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

# in_machine COMMAND...: runs COMMAND in the namespaces of systemd
in_machine()
{
	nsenter -t "$init" -m -p -u -i -n "$@"
}

# until_true SECONDS COMMAND...: repeats COMMAND until it succeeds
until_true()
{
	local end=$((SECONDS + $1))
	shift
	until "$@" >/dev/null 2>&1; do
		[ $SECONDS -lt $end ] || fail "waited in vain for: $*"
		sleep 0.1
	done
}

# lines FILE...: prints the event names of uetrace's own lines, with consecutive duplicates removed
lines()
{
	in_machine cat "$@" | sed -n 's/^{ "n": "uetrace:\([a-z]*\)", .* } }$/\1/p' | uniq | xargs
}

# has NAMES FILE...: succeeds if the files contain uetrace's own lines with these names
has()
{
	[ "$(lines "${@:2}")" = "$1" ]
}

# read_journal: copies the lines of uetrace from the journal to $dir/journal
read_journal()
{
	in_machine journalctl --sync --namespace uetrace
	in_machine journalctl --namespace uetrace -o cat -p 6..6 >"$dir/journal"
}

journal_has()
{
	read_journal
	has "$1" "$dir/journal"
}

property()
{
	in_machine systemctl show -P "$2" "uetrace-$1"
}

# stop_unit UNIT: stops a unit. If nothing matched the unit's pattern, this must not count as a
# failure of the service.
stop_unit()
{
	in_machine systemctl stop "uetrace-$1"
	expect "the state of uetrace-$1 after its stop" "inactive success" "$(property "$1" ActiveState) $(property "$1" Result)"
}

stop_machine()
{
	local made=(/sys/fs/cgroup -depth -newer "$dir/booted" -type d
		'(' -path '*/system.slice*' -o -path '*/init.scope*' ')')
	kill -9 "$machine" # also kills all processes in its PID namespace
	wait "$machine" 2>/dev/null
	# the processes may not have exited yet
	for ((i = 0; i < 50; i++)); do
		[ -n "$(find "${made[@]}")" ] || break
		find "${made[@]}" -exec rmdir {} + 2>/dev/null
		sleep 0.1
	done
	rm -rf "$dir"
}

if [ -e /run/systemd/system ] || [ "$(id -u)" -ne 0 ] || [ ! -x build/uetrace ]; then
	echo "skipped: the units run where root has no other systemd, and build/uetrace"
	exit 0
fi
printf '[Unit]\nDefaultDependencies=no\n' >"$dir/units/none.target"
cp /lib/systemd/system/{systemd-journald*,basic.target,sysinit.target} "$dir/units"
for unit in file journal kafka; do
	mkdir "$dir/units/uetrace-$unit.service.d"
	printf '[Service]\nWatchdogSec=5\nEnvironment="UETRACE_OPTIONS=--origin --heartbeat 1 nothing_*"\n' \
		>"$dir/units/uetrace-$unit.service.d/test.conf"
done
cat >"$dir/boot" <<END
mount -t tmpfs tmpfs /run && mount -t tmpfs tmpfs /var/log && mkdir -p /run/log/journal || exit 1
ip link set lo up
export SYSTEMD_UNIT_PATH=$dir/units SYSTEMD_LOG_TARGET=console container=test
exec /lib/systemd/systemd --system --unit=none.target --show-status=no
END
touch "$dir/booted"
trap stop_machine EXIT
unshare --pid --mount --cgroup --ipc --uts --net --fork --mount-proc --kill-child sh "$dir/boot" </dev/null >"$dir/log" 2>&1 &
machine=$!
for ((i = 0; i < 100; i++)); do
	init=$(pgrep -P $machine)
	[ -n "$init" ] && [ "$(in_machine systemctl is-system-running 2>/dev/null)" = running ] && break
	sleep 0.1
done
if [ $i -eq 100 ]; then
	echo "skipped: systemd does not start here: $(tail -n 1 "$dir/log")"
	exit 0
fi

# The unit that writes to a file. The file is rotated without a gap, and after a kill uetrace starts
# again and reports the restart.
log=/var/log/uetrace/events.jsonl
sed 's/size 1G/size 1/' packaging/systemd/uetrace-logrotate.conf >"$dir/rules"
in_machine systemctl start uetrace-file || fail "$(in_machine systemctl status uetrace-file)"
expect "the limit of memory" 402653184 "$(property file MemoryMax)"
until_true 20 has "start alive" $log
expect "the status" "0 events, 0 lost, 0 MB waiting for the output" "$(property file StatusText)"
expect "the timer" active "$(in_machine systemctl is-active uetrace-rotate.timer)"
if command -v logrotate >/dev/null; then
	sed -i "s|/bin/true |$(command -v logrotate) |" "$dir/units/uetrace-rotate.service"
	sed -i "s|RULES=.*|RULES=$dir/rules|" "$dir/units/uetrace-rotate.service"
	in_machine systemctl daemon-reload
	in_machine systemctl start uetrace-rotate || fail "$(in_machine systemctl status uetrace-rotate)"
else
	echo "skipped: no logrotate"
	in_machine mv $log $log.1
	in_machine systemctl reload uetrace-file
fi
until_true 20 has "alive" $log
in_machine kill -9 "$(property file MainPID)"
until_true 20 has "alive start alive" $log
# uetrace hangs
in_machine kill -STOP "$(property file MainPID)"
until_true 60 has "alive start alive start alive" $log
stop_unit file
expect "its lines" "start alive start alive start alive stop" "$(lines $log.1 $log)"
expect "the timer after the stop" inactive "$(in_machine systemctl is-active uetrace-rotate.timer)"
if command -v logrotate >/dev/null; then
	in_machine systemctl start uetrace-rotate || fail "$(in_machine systemctl status uetrace-rotate)"
	expect "its lines, rotated after the stop" "alive start alive start alive stop" "$(lines $log.1)"
fi

# With --usdt, the unit traces a program in /tmp, and another user's program below /home in a
# directory that only this user can read.
home=$(mktemp -d /home/uetrace.XXXXXX)
cat >"$dir/sandboxed.c" <<'END'
#include <unistd.h>
#include <user_events.h>
int main(int argc, char **argv)
{
	for (int i = 0; i < 1200; i++) {
		UE_TRACE(sandboxed_event, UE_STR(directory, argc > 1 ? argv[1] : ""));
		usleep(50000);
	}
	return 0;
}
END
cc -O2 -Iinclude -o "$dir/sandboxed" "$dir/sandboxed.c" || fail "cannot compile sandboxed.c"
cp "$dir/sandboxed" "$home/sandboxed2"
chown -R nobody "$home"
chmod 700 "$home"
sed -i 's/nothing_\*/--usdt sandboxed_*/' "$dir/units/uetrace-file.service.d/test.conf"
in_machine systemctl daemon-reload
in_machine "$dir/sandboxed" tmp &
programs=$!
in_machine setpriv --reuid=nobody --clear-groups --regid="$(id -g nobody)" "$home/sandboxed2" home &
programs="$programs $!"
in_machine systemctl start uetrace-file || fail "$(in_machine systemctl status uetrace-file)"
saw()
{
	in_machine cat $log | grep -q "sandboxed_event\", \"directory\": \"$1\""
}
until_true 30 saw tmp
until_true 30 saw home
checks=$((checks + 2))
stop_unit file
# shellcheck disable=SC2086 # several processes
kill $programs
rm -r "$home"

# The unit that writes to a separate journal, in which messages have the priority of warnings.
in_machine systemctl start systemd-journald.socket systemd-journald uetrace-journal ||
	fail "$(in_machine systemctl status uetrace-journal)"
until_true 20 journal_has "start alive"
stop_unit journal
read_journal
expect "its lines in the journal" "start alive stop" "$(lines "$dir/journal")"
expect "messages in the journal" 1 "$(in_machine journalctl --namespace uetrace -o cat -p warning | grep -c 'waiting for it')"

# The unit that writes to Kafka. The broker exits and returns at another port, to which its address
# then refers.
if ! command -v kcat >/dev/null; then
	echo "skipped: no kcat"
	exit 0
fi
cat >"$dir/forward.py" <<'END'
import socket, sys, threading
def pump(a, b):
    try:
        while data := a.recv(65536):
            b.sendall(data)
    except OSError:
        pass
    b.close()
server = socket.create_server(("127.0.0.1", 9092))
while True:
    client = server.accept()[0]
    try:
        broker = socket.create_connection(("127.0.0.1", int(open(sys.argv[1]).read())))
    except (OSError, ValueError):
        client.close()
        continue
    for a, b in (client, broker), (broker, client):
        threading.Thread(target=pump, args=(a, b), daemon=True).start()
END
# start_broker NUMBER: starts a broker that exits when descriptor 3 is closed
start_broker()
{
	mkfifo "$dir/idle$1"
	in_machine kcat -P -X test.mock.num.brokers=1 -b mock -d mock -t none <"$dir/idle$1" 2>"$dir/broker$1" &
	broker=$!
	disown
	exec 3>"$dir/idle$1"
	until_true 20 grep -q 'bootstrap.servers=' "$dir/broker$1"
	sed -n 's/.* bootstrap.servers=.*://p' "$dir/broker$1" >"$dir/port"
}
consume()
{
	in_machine timeout 20 kcat -C -q -b "127.0.0.1:$(cat "$dir/port")" -t events -o beginning -e -f '%k %s\n' 2>/dev/null
}
: >"$dir/port"
in_machine python3 "$dir/forward.py" "$dir/port" 2>/dev/null &
disown
start_broker 1
in_machine systemctl start uetrace-kafka || fail "$(in_machine systemctl status uetrace-kafka)"
arrived()
{
	[ "$(consume | wc -l)" -ge 3 ]
}
gone()
{
	! kill -0 "$broker"
}
until_true 30 arrived
consume >"$dir/got"
exec 3>&-
until_true 30 gone
pid=$(property kafka MainPID)
expect "users and capabilities of the processes" "kcat nobody 0000000000000000
uetrace root 00000000102800c4" "$(in_machine ps -o comm=,user=,pid= --ppid "$pid" | sort | while read -r name user child; do
	echo "$name $user $(in_machine sed -n 's/^CapEff:\t//p' "/proc/$child/status")"
done)"
sleep 8
start_broker 2
until_true 60 arrived
expect "the unit after the broker was gone" "$pid 0" "$(property kafka MainPID) $(property kafka NRestarts)"
stop_unit kafka
consume >>"$dir/got"
exec 3>&-
sort -t '"' -k 12 "$dir/got" | sed "s/^$(in_machine uname -n) //" >"$dir/kafka"
expect "its lines at both brokers" "start alive stop" "$(lines "$dir/kafka")"
expect "gaps of over 6 s" "" "$(sed 's/.*"time": "\([^"]*\)".*/\1/' "$dir/kafka" | date -f - +%s |
	awk 'NR > 1 && $1 - last > 6 { print last, $1 } { last = $1 }')"
echo "systemd: $checks checks"
