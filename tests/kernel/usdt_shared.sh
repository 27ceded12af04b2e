#!/bin/sh
# SPDX-License-Identifier: MIT
#
# bpftrace enables one semaphore per event name. All calls of a UE_TRACEPOINT's functions share a
# semaphore in a C file and in all C++ files of a program, so bpftrace must see all of their events.
# If two UE_TRACE sites have the same name, bpftrace sees only the events of one.

ANY_KERNEL=1
. "${0%/*}/helpers/lib.sh"
need_uprobes
need bpftrace gcc g++
[ -d /sys/fs/bpf ] || skip "this kernel has no BPF"

cat >shared.h <<'END'
#include <unistd.h>
#include <user_events.h>
UE_TRACEPOINT(shared_point, UE_U32(place));
END
cat >two.c <<'END'
#include "shared.h"
static void first(void) { trace_shared_point(1); UE_TRACE(shared_trace, UE_U32(place, 1)); }
static void second(void) { trace_shared_point(2); UE_TRACE(shared_trace, UE_U32(place, 2)); }
int main(void)
{
	for (;;) {
		first();
		second();
		usleep(10000);
	}
}
END
cat >one.cc <<'END'
#include "shared.h"
void second();
int main()
{
	for (;;) {
		trace_shared_point(1);
		second();
		usleep(10000);
	}
}
END
cat >other.cc <<'END'
#include "shared.h"
void second();
void second() { trace_shared_point(2); }
END
gcc -O2 -I"$top/include" two.c -o c_file || fail "two.c does not compile"
g++ -O2 -I"$top/include" one.cc other.cc -o cxx_files || fail "one.cc and other.cc do not compile"

# places PROGRAM EVENT: prints the call sites of the first 20 events that bpftrace sees
places()
{
	"./$1" &
	program=$!
	timeout -s INT 60 bpftrace -p $program -e "usdt:./$1:user_events:$2 {
		printf(\"place %d\\n\", arg0); @n++; if (@n == 20) { exit(); } }" 2>err |
		grep '^place' | sort -u | paste -sd ' '
	kill $program
}
assert_eq "place 1 place 2" "$(places c_file shared_point)" "call sites in a C file"
assert_eq "place 1 place 2" "$(places cxx_files shared_point)" "call sites in two C++ files"
# If this fails, bpftrace has learnt to enable all sites. Update docs/usdt.md.
assert_match '^place [12]$' "$(places c_file shared_trace)" "call sites of UE_TRACE"
exit 0
