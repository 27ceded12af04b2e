#!/bin/sh
# SPDX-License-Identifier: MIT
#
# `uetrace watch --usdt` must record the events of programs of every layout: position-independent or
# not, static or not, started before or after the tracer. /proc/PID/maps pads addresses below
# 0x10000000 with zeros, so programs at fixed addresses differ from position-independent ones.
# tests/uetrace/usdt_native.sh runs this script without a virtual machine.

ANY_KERNEL=1
. "${0%/*}/helpers/lib.sh"
need_uprobes
need_uetrace

cat >layout.c <<'END'
#include <unistd.h>
#include <user_events.h>

int main(void)
{
	for (int i = 0;; i++) {
		UE_TRACE(EVENT, i);
		usleep(10000);
	}
}
END

# build NAME FLAG...: compiles a program whose event is layout_NAME
build()
{
	name=$1
	shift
	gcc -w -O1 -I"$top/include" -DEVENT="layout_$name" "$@" layout.c -o "$name"
}

# expect_event NAME: waits until uetrace's output contains an event of the program NAME
expect_event()
{
	wait_until 30 grep -qE "$1-[0-9]+ layout_$1 i=[0-9]+\$" out
}

build pie -pie -fPIE || fail "layout.c does not compile"
build no_pie -no-pie -fno-pie || fail "layout.c does not compile with -no-pie"
build static -static || fail "layout.c does not compile with -static"
build static_pie -static-pie -fPIE || fail "layout.c does not compile with -static-pie"
layouts="pie no_pie static static_pie"

started=
for name in $layouts; do
	"./$name" &
	started="$started $!"
done
"$uetrace" watch --usdt 'layout_*' >out 2>err &
tracer=$!
for name in $layouts; do
	expect_event "$name"
done
# shellcheck disable=SC2086 # process IDs
kill $started
stop -INT $tracer

"$uetrace" watch --usdt 'layout_*' >out 2>err &
tracer=$!
wait_until 30 grep -q 'waiting for it' err
started=
for name in $layouts; do
	"./$name" &
	started="$started $!"
	expect_event "$name"
done
# shellcheck disable=SC2086 # process IDs
kill $started
stop -INT $tracer
refute_match 'map_files does not' "$(cat err)"

# If uetrace lacks the capabilities to open other processes' files, it reports this.
if command -v setpriv >/dev/null; then
	./pie &
	program=$!
	setpriv --bounding-set -sys_admin,-checkpoint_restore,-sys_ptrace "$uetrace" watch --usdt 'layout_*' >out 2>err &
	tracer=$!
	wait_until 30 grep -qE 'cannot open the files .*: (Permission denied|Operation not permitted); .*CAP_SYS_PTRACE' err
	stop -INT $tracer
	kill $program
fi
exit 0
