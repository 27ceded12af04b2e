#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Tests the names that uetrace shows and accepts: listings of sets and of kernel events, levels by
# name, the help text, programs in the current directory, events declared by a program, and a single
# format of an event that has several.

. "${0%/*}/helpers/lib.sh"
need_uetrace

# The listing of a set shows the processes that write its events. It does not show the fields of the
# header that all its events share.
assert "$uetrace" list "$examples/service" >out
assert_match '^    events of provider Example_Service, level 4 \(information\), keyword 0x1$' "$(cat out)"
refute_match 'eventheader_flags' "$(cat out)" "the header's fields"
assert "$uetrace" list --json "$examples/service" >out
assert_match '"provider": "Example_Service", "level": 4, "keyword": "0x1", "fields": \[ \{' "$(cat out)"

# Three kinds of events: declared by a program, persistent, and left by a program that has exited.
assert "$uetrace" register --persist "$examples/service"
assert is_registered service_request
assert is_registered Example_Service_L4K1
assert_match '^Example_Service_L4K1$' "$("$uetrace" list 'Example*' service_request)" "two patterns"
assert_match '^service_request$' "$("$uetrace" list 'Example*' service_request)" "two patterns"
assert_match '^Example_Service_L4K1$' "$("$uetrace" list Example_Service:JobStart)" "the set of an event"
for event in $(sed -n 's/^\([A-Za-z_0-9]*\).*/\1/p' "$TRACING/user_events_status" | grep -i service); do
	assert "$uetrace" delete "$event"
done
refute is_registered service_request
refute "$uetrace" register ./nosuch 2>err
assert_match 'cannot read ./nosuch: No such file' "$(cat err)"

# The kernel's events are listed without their padding fields.
assert_match '^sched:sched_switch$' "$("$uetrace" list 'sched:sched_sw*')" "an event of the kernel"
assert_match '^    pid_t prev_pid$' "$("$uetrace" list 'sched:sched_sw*')" "fields of the kernel's event"
refute_match '__pad_|common_' "$("$uetrace" list '*:*')" "padding fields"
assert_match '^    __u8\[4\] saddr$' "$("$uetrace" list tcp:tcp_retransmit_skb)" "array length in the kernel's event"

# If several formats are registered for a name, a pattern can select one of them.
"$uetrace" register 'versioned u32 a' >/dev/null &
first=$!
wait_until 20 is_registered versioned
assert "$uetrace" register --persist 'versioned u64 b'
format=$(basename "$TRACING"/events/user_events_multi/versioned.*)
assert_match '^versioned\.[0-9a-f]+$' "$format" "a second format"
assert "$uetrace" delete "$format"
[ ! -e "$TRACING/events/user_events_multi/$format" ] || fail "$format still exists"
assert is_registered versioned
stop $first
refute "$uetrace" delete "$format" 2>err
assert_eq "uetrace: cannot delete $format: there is no such event" "$(cat err)"

# When deleting this format, the kernel would use only the text before the #, which is the
# definition of another event.
cat >cut.c <<'END'
#include <user_events.h>

int main(void)
{
	unsigned int flags = UE_PERSIST | UE_MULTI_FORMAT;
	static uint32_t word;

	return ue__register_word(open("/sys/kernel/tracing/user_events_data", O_WRONLY), &word, "cut u64 b#", &flags) < 0;
}
END
gcc -w -I"$top/include" -include fcntl.h cut.c -o cut || fail "cut.c does not compile"
assert "$uetrace" register --persist 'cut u64 b'
assert ./cut
refute "$uetrace" delete "$(basename "$TRACING"/events/user_events_multi/cut.*)" 2>err
assert_match 'cannot delete .* alone: the kernel ignores everything after the # in its definition' "$(cat err)"
assert is_registered cut
assert grep -qx 'u:cut u64 b' "$TRACING/dynamic_events"

# If an event's name contains a slash, readdir() fails at this event. uetrace must still find the
# remaining events in the directory.
add_event before
add_event user_events/with/slash
add_event 'behind u32 a'
assert_match '^behind$' "$("$uetrace" list behind before)" "list"
"$uetrace" watch behind >out 2>err &
watcher=$!
wait_until 20 is_used behind
stop -INT $watcher

# uetrace must search all event systems whose names start with "user_events", because later kernels
# may add such systems.
assert "$uetrace" probe add 'p:user_events_later/opened do_sys_openat2 flags=%si:x64'
assert_eq 'user_events_later:opened' "$("$uetrace" list 'open*' | head -n 1)" "an event of another system"
assert "$uetrace" run -e opened cat /dev/null >out 2>err
assert_match ' cat-[0-9]+ user_events_later:opened .* flags=' "$(cat out)" "an event of another system"
"$uetrace" watch later 2>err >out &
watcher=$!
wait_until 20 grep -q 'waiting for it' err
assert "$uetrace" probe add 'p:user_events_latest/later do_sys_openat2'
later_is_shown()
{
	cat /dev/null
	grep -q ' user_events_latest:later ' out
}
wait_until 20 later_is_shown
assert stop $watcher
assert "$uetrace" probe remove --all

# Levels.
assert "$uetrace" run -l info "$examples/service" >out 2>err
assert_match ' Example_Service:JobStart ' "$(cat out)" "level information"
assert "$uetrace" run --level=WARN "$examples/service" >out 2>err
refute_match 'Example_Service' "$(cat out)" "level warning"
refute "$uetrace" run -l warm "$examples/service" >out 2>err
assert_match 'the level must be critical, error, warning, information, verbose, or a number' "$(cat err)"

# The events of a set are listed, as far as the binary describes them.
assert_eq 'Example_Service_L4K1
    events of provider Example_Service, level 4 (information), keyword 0x1
    Example_Service:JobStart (start)  (USDT probe service_info:JobStart)
        string name_
    Example_Service:JobStop (stop)  (USDT probe service_info:JobStop)
        string name_
        s64 took_ns' "$("$uetrace" list "$examples/service" | sed '/_L5K2$/,$d')" \
	"events of a set"

# A program in the current directory that is not in PATH: list accepts its name, whereas run, watch
# and register explain the mistake.
cp "$examples/hello" .
assert_eq "$("$uetrace" list ./hello)" "$("$uetrace" list hello 2>err)" "a program in this directory"
assert_eq 'uetrace: hello is not an event; listing the events of ./hello' "$(cat err)"
# the same must hold while an event set is registered, which could contain an event of any name
"$uetrace" register "$examples/service" >out &
holder=$!
wait_until 20 is_registered Example_Service_L4K1
assert_eq "$("$uetrace" list ./hello)" "$("$uetrace" list hello 2>err)" "a program along with a set"
assert_match '^Example_Service_L4K1$' "$("$uetrace" list Example_Service:JobStart)" "a set with the provider's name"
stop $holder
"$uetrace" register hello >out 2>err &
holder=$!
wait_until 20 is_registered hello
assert_match '^uetrace: hello is registered as an event without fields; the program in this directory is ./hello$' "$(cat err)"
assert_eq hello "$("$uetrace" list hello 2>err)" "an event takes precedence over a program"
stop $holder
wait_until 20 is_gone hello
"$uetrace" watch hello >out 2>err &
watcher=$!
wait_until 20 grep -q 'waiting for it' err
stop $watcher
assert_match '^uetrace: no event matches hello yet; waiting for it; the program in this directory is ./hello$' "$(cat err)"
"$uetrace" run hello 2>err
assert_eq 127 $? "exit status"
assert_eq 'uetrace: cannot run hello: it is not in PATH; the program in this directory is ./hello' "$(cat err)"
"$uetrace" run nosuch 2>err
assert_eq 'uetrace: cannot run nosuch: there is no such program' "$(cat err)"

# All common ways to ask for help work.
"$uetrace" --help >expected
for how in help -h; do
	assert "$uetrace" $how | cmp - expected || fail "uetrace $how prints a different text"
done
"$uetrace" run --help >expected
assert "$uetrace" help run | cmp - expected || fail "help run prints a different text"
assert "$uetrace" run -h | cmp - expected || fail "run -h prints a different text"
assert_match 'enabled before the program starts' "$(cat expected)"
