#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Several sites of one event name declare different types for a field. With uprobes, each record
# must be printed with the types of its site. With user_events, the site is unknown, so the kernel's
# type is used.

ANY_KERNEL=1
. "${0%/*}/helpers/lib.sh"
need_uprobes
need_uetrace

cat >sites.cc <<'END'
#include <arpa/inet.h>
#include <user_events.h>

template <class T> static void typed(T t)
{
	UE_TRACE(site_template, t);
}

int main()
{
	UE_TRACE(site_port, UE_PORT(v, htons(80)));
	UE_TRACE(site_port, UE_U16(v, 443));
	UE_TRACE(site_number, UE_U16(v, 443));
	UE_TRACE(site_number, UE_PORT(v, htons(80)));
	UE_TRACE(site_same, UE_PORT(v, htons(80)));
	UE_TRACE(site_same, UE_PORT(v, htons(81)));
	typed(5);
	typed('x');
	typed(true);
}
END
g++ -w -I"$top/include" sites.cc -o sites || fail "sites.cc does not compile"

# fields: prints the events in the file "out", without the columns before the event's name
fields()
{
	sed -nE 's/.* (site_[a-z]+ .*)/\1/p' out
}

assert "$uetrace" run --usdt ./sites >out 2>err
assert_eq 'site_port v=80
site_port v=443
site_number v=443
site_number v=80
site_same v=80
site_same v=81
site_template t=5
site_template t="x"
site_template t=true' "$(fields)" "by uprobes"

assert_eq 'site_port  (2 sites)
    u16 v  (declared as port, u16)
site_number  (2 sites)
    u16 v  (declared as u16, port)' "$("$uetrace" list ./sites | grep -A1 -E '^site_(port|number)')" "a list"

if [ -w "$TRACING/user_events_data" ]; then
	assert "$uetrace" run ./sites >out 2>err
	assert_eq 'site_port v=20480
site_port v=443
site_number v=443
site_number v=20480
site_same v=80
site_same v=81
site_template t=5
site_template t="x"
site_template t=1' "$(fields)" "by user_events"
fi

# Floating-point arguments of <sys/sdt.h> probes are written as "8f@" and "4f@".
cat >floats.c <<'END'
#include <sys/sdt.h>

int main(int argc, char **argv)
{
	double d = argc + 1.5;
	float f = argc + 0.25f;

	DTRACE_PROBE3(floats, both, d, f, argc);
	return 0;
}
END
if gcc -w -O0 floats.c -o floats && readelf -n floats | grep -q 8f@; then
	assert "$uetrace" run -e 'usdt::floats:*' ./floats >out 2>err
	assert_match ' floats:both arg1=2.5 arg2=1.25 arg3=1$' "$(cat out)" "floats of <sys/sdt.h>"
	assert "$uetrace" run --json -e 'usdt::floats:*' ./floats >out 2>err
	assert_match '"arg1": 2.5, "arg2": 1.25, "arg3": 1,' "$(cat out)" "floats of <sys/sdt.h> as JSON"
else
	echo "skipped: no <sys/sdt.h> that marks floats"
fi
exit 0
