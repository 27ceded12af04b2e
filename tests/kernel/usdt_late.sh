#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A user keeps mapping new files, each with the maximum number of probes and symbols. This must
# delay neither the events of other users nor processes that wait to write to a program.

ANY_KERNEL=1
. "${0%/*}/helpers/lib.sh"
need_uprobes
need_uetrace
[ "$(uname -m)" = x86_64 ] || skip "the handwritten probes are for x86-64"

# A file with 150 probes of seven arguments each. The arguments' symbols are missing from the file's
# 65,000 symbols, all of which have the same prefix.
long=$(printf '%0118d' 0 | tr 0 a)
cat >costly.s <<END
	.text
code:	.fill 256, 1, 0x90
	.set n, 0
	.section .note.stapsdt, "", "note"
	.rept 150
	.balign 4
	.4byte 8, 2f - 1f, 3
	.asciz "stapsdt"
1:	.8byte code + n, 0, 0
	.set n, n + 1
	.asciz "costly"
	.asciz "probe"
	.asciz "$(for _ in 1 2 3 4 5 6 7; do printf '8@%s_gone+4(%%rip) ' "$long"; done)"
2:
	.endr
END
awk -v long="$long" 'BEGIN { for (i = 0; i < 65000; i++) print long "_" i " = code" }' >>costly.s
gcc -shared -nostdlib costly.s -o costly || fail "costly.s does not assemble"
rm costly.s
# A program that maps a file as executable again and again, and changes the file each time.
cat >maps.c <<'END'
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int i, file = open("costly", O_RDONLY);

	for (i = 0; i < 300; i++) {
		chmod("costly", i % 2 ? 0755 : 0700);
		mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 4096);
		usleep(1000);
	}
	pause();
	return 0;
}
END
cat >writes.c <<'END'
#include <unistd.h>
#include <user_events.h>

int main(void)
{
	for (int i = 0;; i++) {
		UE_TRACE(written, i);
		usleep(10000);
	}
}
END
gcc -w maps.c -o maps || fail "maps.c does not compile"
gcc -w -I"$top/include" writes.c -o program || fail "writes.c does not compile"

./program &
program=$!
"$uetrace" watch --usdt --json --heartbeat 1 written >out 2>err &
tracer=$!
wait_until 30 eval '[ "$(grep -c :written out)" -ge 10 ]'
./maps &
maps=$!
wait_until 20 eval '[ "$(grep -c costly /proc/$maps/maps)" -ge 300 ]'
events=$(grep -c :written out)
beats=$(grep -c uetrace:alive out)
wait_until 15 eval '[ "$(grep -c :written out)" -ge $((events + 200)) ]'
wait_until 15 eval '[ "$(grep -c uetrace:alive out)" -ge $((beats + 3)) ]'
kill $program
wait $program
timeout 20 sh -c 'cat maps >program' || fail "overwriting the program's file takes longer than 20 s"
kill $maps
stop -INT $tracer
assert_match ', 0 lost$' "$(cat err)"
exit 0
