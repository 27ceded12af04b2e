#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs the unmodified commands of the units in packaging/systemd with events, and checks their
# output. Also tests a full disk, a moved file and a hanging broker. tests/systemd.sh runs the units
# in systemd, without events.

. "${0%/*}/helpers/lib.sh"
need_uetrace
units=$top/packaging/systemd

# of UNIT KEY: prints the values of KEY in the unit file, one per line, with %H replaced by the host
# name
of()
{
	sed -e ':a' -e '/\\$/{N;s/\\\n//;ba' -e '}' "$units/uetrace-$1.service" |
		sed -n "s|%H|$(hostname)|; s|/usr/bin/uetrace|$uetrace|; s|/var/log/uetrace|log|; s|^$2=||p"
}

# start UNIT [VARIABLE...]: runs the unit's command in the background and, after uetrace has
# notified systemd, starts $load
start()
{
	unit=$1
	shift
	python3 -c 'import socket
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind("notify")
open("ready", "wb").write(s.recv(100))' &
	wait_until 20 [ -e notify ]
	(
		for variable in $(of "$unit" Environment) NOTIFY_SOCKET="$PWD/notify" UETRACE_OPTIONS="--origin $load" "$@"; do
			export "${variable?}"
		done
		export UETRACE_OPTIONS="--origin $load"
		eval "exec $(of "$unit" ExecStart)"
	) &
	pid=$!
	wait_until 30 [ -s ready ]
	assert_eq READY=1 "$(cat ready)" "what $unit tells systemd"
	rm notify ready
}

events()
{
	grep -c '^{ "n": "user_events:load", ' "$@"
}

# end: stops uetrace as systemd does
end()
{
	pkill "-$(of "$unit" KillSignal)" -x uetrace
	wait $pid
}

# The unit that writes to a file, which logrotate moves.
mkdir log
start file
"$load" 1000 2 >/dev/null
wait_until 20 sh -c '[ $(wc -l <log/events.jsonl) -gt 1000 ]'
if command -v logrotate >/dev/null; then
	sed -e "s|/var/log/uetrace|$PWD/log|; s/size 1G/size 100k/; s/systemctl.*/kill -HUP $pid/" "$units/uetrace-logrotate.conf" >rules
	chmod 644 rules
	assert logrotate --state "$PWD/state" rules
else
	mv log/events.jsonl log/events.jsonl.1
	kill -HUP $pid
fi
wait_until 20 [ -e log/events.jsonl ]
"$load" 1000 1 >/dev/null
end
assert_eq 3000 "$(cat log/* | events)" "events in both files"
assert_eq "0 1" "$(tail -n 1 log/events.jsonl.1 | grep -c uetrace:stop) $(tail -n 1 log/events.jsonl | grep -c uetrace:stop)" "the end of the output"

# The unit that writes to the journal through standard output.
start journal >out
"$load" 1000 1 >/dev/null
end
assert_eq 1000 "$(events out)" "events in the journal"
assert_match '^\{ "n": "uetrace:stop", "version": "[0-9.]*", "events": 1000, "lost": 0, ' "$(tail -n 1 out)"

# The unit that writes to Kafka. The broker hangs for a while, and the unit stops only after the
# broker has received everything.
command -v kcat >/dev/null || {
	echo "skipped: no kcat"
	exit 0
}
mkfifo idle
kcat -P -X test.mock.num.brokers=1 -b mock -d mock -t none <idle 2>broker &
broker=$!
exec 3>idle
wait_until 20 grep -q 'bootstrap.servers=' broker
start kafka BROKERS="$(sed -n 's/.* bootstrap.servers=//p' broker)" >out 2>err
"$load" 1000 1 >/dev/null
kill -STOP $broker
"$load" 1000 5 >/dev/null
kill -CONT $broker
end || cat err
timeout 60 kcat -C -q -b "$(sed -n 's/.* bootstrap.servers=//p' broker)" -t events -o beginning -e -f '%k %s\n' >out 2>/dev/null
assert_eq 6000 "$(sed -n "s/^$(hostname) //p" out | events)" "events at the broker"
assert_match '"uetrace:stop", "version": "[0-9.]*", "events": 6000, "lost": 0, ' "$(tail -n 1 out)"
exit 0
