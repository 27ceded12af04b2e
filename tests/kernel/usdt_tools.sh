#!/bin/sh
# SPDX-License-Identifier: MIT
#
# bpftrace, bcc, perf and trace-cmd must find the USDT probes of events with their arguments and
# strings, and enable them through the semaphore.

ANY_KERNEL=1
. "${0%/*}/helpers/lib.sh"
need_uprobes
need_uetrace
types=$programs/usdt_types
[ "$(uname -m)" = x86_64 ] || skip "the handwritten probes are for x86-64"

if command -v bpftrace >/dev/null && [ -d /sys/fs/bpf ]; then
	assert_match "^usdt:$types:user_events:types_scalars\$" "$(bpftrace -l "usdt:$types:*")"
	"$types" 100000 50000 &
	program=$!
	timeout -s INT 30 bpftrace -p $program -e "usdt:$types:user_events:types_strings {
		printf(\"n=%d s=%s none=%d counted=%s\\n\", arg0, str(arg1), arg2, str(arg4, arg5)); }
		usdt:$types:user_events:types_scalars { printf(\"c=%d e=%x\\n\", (int32)arg2, arg4); }
		usdt:$types:types_set:Logged { printf(\"log %s\\n\", str(arg2)); @n = count(); }
		interval:s:3 { exit(); }" >out 2>err
	kill $program
	assert_match '^n=[0-9]+ s=first string none=0 counted=counted$' "$(cat out err)" "bpftrace"
	assert_match '^c=-5 e=beef$' "$(cat out)" "bpftrace"
	assert_match '^log second$' "$(cat out)" "bpftrace"
fi

# A UE_LOG event whose name is not an identifier. Its probe has the same name, which perf rejects.
gcc -I"$top/include" "$top/tests/compile/usdt_sites.c" -o sites || fail "usdt_sites.c does not compile"
cat >logged.c <<'END'
#include <unistd.h>
#include <user_events.h>

UE_EVENT_SET(shop, "Shop", UE_LEVEL_INFORMATION, 1);

int main(void)
{
	for (int i = 0; i < 10000; i++) {
		UE_LOG(shop, "Order placed, 100%", UE_I32(n, i));
		usleep(50000);
	}
	return 0;
}
END
gcc -I"$top/include" logged.c -o logged || fail "logged.c does not compile"
assert_match '^    Shop:Order placed, 100%  \(USDT probe shop:Order placed, 100%\)$' "$("$uetrace" list ./logged)" "list"
assert_match '"events": \[ \{ "name": "Shop:Order placed, 100%", "fields": .*, "probe": "shop:Order placed, 100%" \} \]' \
	"$("$uetrace" list --json ./logged)" "list as JSON"
assert_match '^    Usdt_Sites:2nd try \{a\|b\} .*  \(USDT probe usdt_set:2nd try \{a\|b\} .*\)$' "$("$uetrace" list ./sites)" "list"
./logged &
program=$!
if command -v bpftrace >/dev/null && [ -d /sys/fs/bpf ]; then
	assert_match "^usdt:./logged:shop:Order placed, 100%\$" "$(bpftrace -l 'usdt:./logged:*')"
	timeout -s INT 30 bpftrace -p $program -e 'usdt:./logged:shop:"Order placed, 100%" {
		printf("n=%d\n", (int32)arg0); exit(); }' >out 2>err
	assert_match '^n=[0-9]+$' "$(cat out err)" "bpftrace, a name with spaces"
fi
timeout -s INT 6 "$uetrace" watch --usdt 'usdt:./logged:shop:Order *' >out 2>err
assert_match 'Shop:Order placed, 100% n=[0-9]+$' "$(head -1 out err)" "uetrace, by the probe's name"
kill $program

# bcc reads the notes too. Its programs need the kernel's headers, as SystemTap's do, and the guest
# has none.
if command -v tplist-bpfcc >/dev/null; then
	tplist-bpfcc -vv -l "$types" >out 2>err || fail "$(cat err)"
	assert_match '^user_events:types_scalars \[sema 0x[0-9a-f]+\]$' "$(cat out)" "bcc"
	assert_match '^ +location #1 .*/usdt_types 0x[0-9a-f]+$' "$(cat out)" "bcc"
	assert_match '^ +argument #[0-9]+ 8 signed +bytes @ ' "$(cat out)" "bcc"
fi

if command -v perf >/dev/null; then
	HOME=$TMPDIR
	export HOME
	assert perf buildid-cache --add "$types" >err 2>&1
	assert_match 'sdt_user_events:types_scalars' "$(perf list sdt 2>&1)"
	perf probe sdt_user_events:types_scalars >err 2>&1 || fail "$(cat err)"
	assert perf record -q -o perf.data -e sdt_user_events:types_scalars "$types" 2 2>err
	perf script -i perf.data >out 2>err
	assert_eq 2 "$(grep -c sdt_user_events:types_scalars out)" "perf's events"
	assert_match 'sdt_user_events:types_scalars: \([0-9a-f]+\) arg1=-1 arg4=1099511627776 arg6=1 arg8=-1$' "$(cat out)" "perf"
	if command -v trace-cmd >/dev/null; then
		assert trace-cmd record -q -o trace.dat -e sdt_user_events:types_scalars "$types" 2 >err 2>&1
		trace-cmd report -q -i trace.dat >out 2>err
		assert_match 'types_scalars: .* arg1=-1 arg4=1099511627776 arg6=1 arg8=-1$' "$(cat out)" \
			"trace-cmd"
	fi
	assert perf buildid-cache --add ./sites >err 2>&1
	perf probe -q sdt_usdt_set:Floats >err 2>&1 || fail "$(cat err)"
	assert perf record -q -o perf.data -e sdt_usdt_set:Floats ./sites 2>err
	assert_eq 1 "$(perf script -i perf.data 2>err | grep -c sdt_usdt_set:Floats)" "perf's events of UE_LOG"
	perf probe -d 'sdt_user_events:*' -d 'sdt_usdt_set:*' >/dev/null 2>&1
	assert_eq "" "$(cat "$TRACING/uprobe_events")" "probes that perf leaves"
fi
exit 0
