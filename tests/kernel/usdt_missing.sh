#!/bin/sh
# SPDX-License-Identifier: MIT
#
# With uprobes, uetrace must record long strings, and must report events as lost that the kernel
# drops because they do not fit. It must not report events of another process that runs the same
# file as lost.

ANY_KERNEL=1
. "${0%/*}/helpers/lib.sh"
need_uprobes
need_uetrace
[ "$(uname -m)" = x86_64 ] || skip "the limits are those of x86-64"

# Strings are recorded completely if they fit in a record. If the kernel does not fetch a string,
# uetrace reports this once.
cat >long.c <<'END'
#include <stdlib.h>
#include <string.h>
#include <user_events.h>

int main(int argc, char **argv)
{
	static char s[8192];
	int len = argc > 1 ? atoi(argv[1]) : 0;

	memset(s, 'x', (size_t)len);
	for (int i = 0; i < 2; i++)
		UE_TRACE(strs, len, UE_STR(s));
	if (argc > 2)
		UE_TRACE(two, UE_STR(s), UE_STR(t, s));
	return 0;
}
END
gcc -I"$top/include" long.c -o long || fail "long.c does not compile"
for n in 10 4000; do
	assert "$uetrace" run --usdt ./long $n >strings 2>err
	assert_eq $n "$(sed -n '2s/.* s="\(x*\)"$/\1/p' strings | tr -d '\n' | wc -c)" "a string of $n bytes"
	refute_match 'more than is shown' "$(cat err)"
done
refute_match 'missing' "$(cat err)"
# The kernel drops some events: uprobes are hit but leave no record. uetrace counts them.
assert "$uetrace" run --usdt ./long 4090 >strings 2>err
assert_eq "" "$(cat strings)" "strings that do not fit"
assert_eq "uetrace: 2 events of strs are missing: with uprobes, an event and its strings have at most about 4000 bytes; or another process ran the same file for less than a second" \
	"$(grep missing err)" "what is missing"
assert "$uetrace" run --usdt ./long 2500 two >strings 2>err
assert_eq 2 "$(wc -l <strings)" "events of one string"
assert_match '^uetrace: 1 event of two is missing: ' "$(cat err)"
# some events are missing; all processes are traced
"$uetrace" watch --usdt ./long >strings 2>err &
tracer=$!
wait_until 20 grep -q two "$TRACING/uprobe_events"
for n in 10 4090 20; do ./long $n two; done
wait_until 20 grep -q 'len=20' strings
stop -INT $tracer
assert_eq 6 "$(wc -l <strings)" "events that fit"
assert_eq "uetrace: 3 events of strs and others are missing: with uprobes, an event and its strings have at most about 4000 bytes" \
	"$(grep missing err)" "what is missing"
# Another process runs the same file, permanently or only at first. The kernel counts the hits of
# this process too, but uetrace reports no loss because of them, and shows none of its events.
cat >slow.c <<'END'
#include <stdlib.h>
#include <unistd.h>
#include <user_events.h>

int main(int argc, char **argv)
{
	for (int i = 0; i < atoi(argv[argc - 1]); i++) {
		UE_TRACE(slow, UE_I32(i), UE_STR(name, argv[0]));
		usleep(10000);
	}
	return 0;
}
END
gcc -I"$top/include" slow.c -o slow || fail "slow.c does not compile"
./slow 100000 &
other=$!
assert "$uetrace" run --usdt ./slow 50 >slow.out 2>err
kill $other
assert_eq "50" "$(wc -l <slow.out)" "events of one process of two"
refute_match 'missing' "$(cat err)"
wait $other
./slow 100000 &
traced=$!
"$uetrace" watch --usdt -p $traced >slow.out 2>err &
tracer=$!
wait_until 20 grep -q slow slow.out
./slow 200
stop -INT $tracer
kill $traced
assert_eq "$traced" "$(sed -n 's/.* slow-\([0-9]*\) .*/\1/p' slow.out | sort -u)" "processes whose events are shown"
refute_match 'missing' "$(cat err)"
for n in 4096 8000; do
	assert "$uetrace" run --usdt ./long $n >strings 2>err
	assert_eq 2 "$(grep -c "strs len=$n s=\"(fault)\"$" strings)" "events with a string of $n bytes"
	assert_eq 1 "$(grep -c '^uetrace: values of strs are truncated' err)" "number of reports"
done
assert_eq "" "$(grep uetrace_ "$TRACING/dynamic_events")" "dynamic events"
exit 0
