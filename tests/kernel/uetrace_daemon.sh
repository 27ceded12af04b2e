#!/bin/sh
# SPDX-License-Identifier: MIT
#
# If a daemon closes all descriptors and then drops root privileges, its events are lost, and
# uetrace run and uetrace watch must report this. If the daemon calls ue_register_all() after
# closing the descriptors, no event may be lost.

. "${0%/*}/helpers/lib.sh"
need_uetrace

cat >daemon.c <<'SOURCE'
#include <user_events.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	unsigned int i;

	for (i = 3; i < 4096; i++)
		close((int)i);
	if (argc > 1)
		ue_register_all();
	if (setgid(65534) != 0 || setuid(65534) != 0)
		return 1;
	for (i = 0; i < 600 && access("stop", F_OK) != 0; i++) {
		UE_TRACE(closed_daemon, UE_U32(i));
		usleep(100000);
	}
	(void)argv;
	return 0;
}
SOURCE
gcc -I"$top/include" daemon.c -o daemon || fail "daemon.c does not compile"

named='^uetrace: process [0-9]+ \(.*/daemon, user .*\) has not registered its events: '
for command in run watch; do
	rm -f stop
	if [ $command = run ]; then
		"$uetrace" run ./daemon >out 2>err &
		tracer=$!
	else
		"$uetrace" watch 'closed_*' >out 2>err &
		tracer=$!
		./daemon &
	fi
	wait_until 60 grep -qE "$named" err
	touch stop
	[ $command = run ] || kill $tracer
	wait
	assert_eq 1 "$(grep -cE "$named" err)" "reports of $command"
done
rm -f stop
"$uetrace" run ./daemon again >out 2>err &
wait_until 60 grep -q closed_daemon out
touch stop
wait
refute_match 'has not registered its events' "$(cat err)"
exit 0
