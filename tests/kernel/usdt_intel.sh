#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A program compiled with -masm=intel must have the same events as a program in AT&T syntax. Tested
# with user_events.h and with <sys/sdt.h>, whose notes contain the operands exactly as the compiler
# wrote them.

ANY_KERNEL=1
. "${0%/*}/helpers/lib.sh"
need_uprobes
need_uetrace
[ "$(uname -m)" = x86_64 ] || skip "only x86 has two assembler syntaxes"

cat >intel.c <<'END'
#include <user_events.h>

__attribute__((noinline)) static long calls(int a, long b, const char *s, unsigned char c, short d)
{
	volatile int local[4] = { a, 2, 3, -4 };

	UE_TRACE(intel_event, a, b, UE_STR(s), c, d, UE_I32(l, local[3]), UE_U16(k, 7), UE_I32(m, -3));
	return local[a & 3];
}

int main(void)
{
	calls(-1, 1L << 40, "text", 200, -5);
	return 0;
}
END
cat >sdt.c <<'END'
#include <sys/sdt.h>

static volatile long global = 123456789012;

__attribute__((noinline)) static int calls(int a, long b, unsigned char c, short d)
{
	volatile int local[4] = { a, 2, 3, -4 };

	STAP_PROBE6(intel, probe, a, b, c, d, local[3], global);
	return local[a & 3];
}

int main(void)
{
	calls(-1, 1L << 40, 200, -5);
	return 0;
}
END
for compiler in gcc clang; do
	command -v "$compiler" >/dev/null || { echo "skipped: no $compiler"; continue; }
	for options in "-O0 -masm=att" "-O0 -masm=intel" "-O2 -masm=intel" "-O2 -masm=intel -fno-pie -no-pie"; do
		# shellcheck disable=SC2086 # split into words
		"$compiler" -w -I"$top/include" $options intel.c -o program || fail "intel.c does not compile with $compiler $options"
		assert "$uetrace" run --usdt ./program >out 2>err
		assert_match ' intel_event a=-1 b=1099511627776 s="text" c=200 d=-5 l=-4 k=7 m=-3$' "$(cat out)" \
			"intel.c does not compile with $compiler $options"
		# shellcheck disable=SC2086 # split into words
		"$compiler" -w $options sdt.c -o program 2>/dev/null || { echo "skipped: no <sys/sdt.h>"; continue; }
		assert "$uetrace" run -e 'usdt::intel:*' ./program >out 2>err
		assert_match ' intel:probe arg1=-1 arg2=1099511627776 arg3=200 arg4=-5 arg5=-4 arg6=123456789012$' \
			"$(cat out)" "<sys/sdt.h>, $compiler $options"
	done
done
exit 0
