#!/bin/sh
# SPDX-License-Identifier: MIT
#
# With uprobes, uetrace must print the same lines as on a kernel with user_events, also for running
# programs, for their children, and for the USDT probes of other programs. It must leave nothing
# behind, even if it is killed.

ANY_KERNEL=1
. "${0%/*}/helpers/lib.sh"
need_uprobes
need_uetrace
types=$programs/usdt_types
app=$programs/usdt_app
[ "$(uname -m)" = x86_64 ] || skip "the handwritten probes are for x86-64"

# Mask the values that differ between runs: time, CPU and thread ID.
normalise()
{
	sed -E 's/^[0-9:]+\.[0-9]{6} \[[0-9]{3}\] ([^ ]*)-[0-9]+ /\1 /'
}

left_nothing()
{
	assert_eq "" "$(ls "$TRACING/instances")" "instances"
	assert_eq "" "$(grep uetrace_ "$TRACING/dynamic_events")" "dynamic events"
	assert_eq "" "$(grep uetrace_ "$TRACING/uprobe_events")" "uprobes"
}

# The last two of the thirteen fields have no probe argument, and only part of the 1000 bytes is
# fetched.
expected='usdt_types types_scalars a=-1 b=65535 c=-5 d=1099511627776 e=0xBEEF f=true g="x" h=-1
usdt_types types_strings n=1 s="first string" none="" wide="wiä" counted="counted"
usdt_types types_arrays id=30313233-3435-3637-3839-616263646566 noid=00000000-0000-0000-0000-000000000000 ip=127.0.0.1 bytes=01 words=[1,2,65535] name="12345678" nobytes=
usdt_types types_many a1=1 a2=2 a3=3 a4=4 a5=5 a6=6 a7=7 a8=8 a9=9 a10=10 a11=11
usdt_types Types_Test:Logged (start) n=1 f=1.5 s="second" point={x=1 y=2} b=61 62 63 words=[1,2,65535] three=[1,2,65535] list=["first string", "second", "third"]'

assert "$uetrace" run --usdt "$types" 3 >out 2>err
assert_eq 18 "$(wc -l <out)" "events"
assert_eq "$expected" "$(normalise <out | sed -n 7,12p | grep -v types_long)" "events recorded with uprobes"
assert_eq "256 x 07" "$(normalise <out | sed -n 11p | sed -E 's/.*bytes=(([0-9a-f]{2} ?)*).*/\1/' | tr -s ' ' '\n' | uniq -c | sed -E 's/ *([0-9]+) ([0-9a-f]+)/\1 x \2/')" \
	"bytes as far as they go"
assert_eq 1499 "$(sed -n '11s/.* s="\(l*\)".*/\1/p' out | tr -d '\n' | wc -c)" "an unmodified string"
assert_match 'types_many is shown without a12, a13, because a USDT probe has at most twelve arguments$' "$(cat err)"
assert_eq 1 "$(grep -c 'values of types_long are truncated' err)" "number of reports"
assert_match ', 0 lost$' "$(cat err)"
left_nothing

# With user_events, the output is the same, except for the data that probes do not contain.
if [ -w "$TRACING/user_events_data" ]; then
	assert "$uetrace" run "$types" 3 >real 2>err
	sed -E 's/ a12=.*//; s/ activity=.*//; /types_long/d' real >real.1
	grep -v types_long out >out.1
	assert_eq "$(normalise <real.1 | sed 's/ id=.* ip=/ ip=/')" \
		"$(normalise <out.1 | sed 's/ id=.* ip=/ ip=/')" "both ways"
else
	# here, uetrace chooses uprobes without the option --usdt
	assert "$uetrace" run "$types" 3 >out.2 2>err
	assert_eq "$(normalise <out)" "$(normalise <out.2)" "without --usdt"
fi

# JSON output, patterns, levels and filters also work with uprobes.
assert "$uetrace" run --usdt --json -e 'Types*' "$types" 1 >out 2>err
assert_match '^\{ "n": "Types_Test:Logged", "n#2": 0, "f": 1.5, .*"level": 3, "keyword": "0x6", "opcode": 1' "$(cat out)"
assert_eq 1 "$(wc -l <out)"
for pattern in Logged Types_Test:Logged 'Types_Test:L*'; do
	assert "$uetrace" run --usdt -e "$pattern" "$types" 3 >out 2>err
	assert_eq 3 "$(grep -c ' Types_Test:Logged ' out)" "events that match $pattern"
	assert_eq 3 "$(wc -l <out)" "events by $pattern"
done
assert "$uetrace" run --usdt -l 2 "$types" 1 >out 2>err
refute_match Types_Test "$(cat out)"
assert "$uetrace" run --usdt -f 'd > 1099511627776 && c < 0' "$types" 3 >out 2>err
assert_eq 1 "$(wc -l <out)" "filtered events"
assert_match 'types_scalars a=-2 ' "$(cat out)"
assert "$uetrace" run --usdt -f 'level <= 3 && n == 2' "$types" 3 >out 2>err
assert_match ' Types_Test:Logged .* n=2 ' "$(cat out)"
assert "$uetrace" run --usdt -f 's ~ "*st str*" && n > 0' "$types" 3 >out 2>err
assert_eq 2 "$(wc -l <out)" "events whose string matches"
refute "$uetrace" run --usdt -f 'nonsense >' "$types" 1 >out 2>err
assert_match 'cannot use the filter for any event' "$(cat err)"
left_nothing

# The header's own macros: the C and C++ examples yield the same output with uprobes and with
# user_events. Events of TRACE_EVENT are printed with the text of TP_printk.
for program in "hello a b" "service" "tracepoints"; do
	# shellcheck disable=SC2086 # split into words
	assert "$uetrace" run --usdt "$examples"/$program >out 2>err
	assert_match ', 0 lost$' "$(cat err)"
	[ -w "$TRACING/user_events_data" ] || continue
	# shellcheck disable=SC2086
	assert "$uetrace" run "$examples"/$program >real 2>err
	for file in out real; do
		grep '^[0-9]' $file | normalise | sed -E 's/ activity=[^ ]*//; s/ (ms|took_ns)=[^ ]*//; s/ comparisons=[^ ]*//' >$file.1
	done
	assert_eq "$(cat real.1)" "$(cat out.1)" "$program, both ways"
done
assert "$uetrace" run --usdt "$examples/tracepoints" >out 2>err
assert_eq 'tracepoints job_queued job 2 of bob: queued, flags=URGENT
tracepoints job_read job 2: checksum 436 of 77 68 61 74...
tracepoints job_done job 2 of bob: done, flags=URGENT' "$(normalise <out | grep 'job 2')" "TRACE_EVENTs"
left_nothing

# A running program can be traced by default, by its PID and by its file, until uetrace detaches.
"$app" 1 || skip "built without <sys/sdt.h>: tests/deps kernel"
"$app" 100000 20000 &
program=$!
for how in "usdt:$app:app:work" "usdt::app:w*" "-p $program usdt::app:work"; do
	# shellcheck disable=SC2086 # split into words
	timeout -s INT 6 "$uetrace" watch --usdt $how >out 2>err
	assert_match 'usdt_app-[0-9]+ app:work arg1=[0-9]+ arg2=0x[0-9A-F]+ arg3=-[0-9]+ arg4=[0-9]+$' "$(head -1 out)"
	left_nothing
done

# If uetrace is killed, its uprobes remain. The next uetrace removes them.
"$uetrace" watch "usdt:$app:app:*" >out 2>err &
tracer=$!
wait_until 20 grep -q uetrace_ "$TRACING/uprobe_events"
stop -9 $tracer
assert_match uetrace_ "$(cat "$TRACING/uprobe_events")"
assert "$uetrace" run --usdt "$types" 1 >out 2>err
left_nothing
kill $program

# <sys/sdt.h> probes have arguments in registers, in the file's data and as constants. uetrace
# prints their values with the right signs.
assert "$uetrace" run -e "usdt:$app:app:*" "$app" 2 >out 2>err
assert_eq 'usdt_app app:work arg1=0 arg2=PTR arg3=0 arg4=250
usdt_app app:idle arg1=10 arg2=42
usdt_app app:work arg1=1 arg2=PTR arg3=-1000000000 arg4=251
usdt_app app:idle arg1=20 arg2=42' "$(normalise <out | grep app: | sed 's/arg2=0x[0-9A-F]*/arg2=PTR/')" "sdt.h's probes"

# As with other patterns, the program's own events are shown only if a pattern names them.
for how in "" --usdt; do
	# shellcheck disable=SC2086 # unquoted: no word or one word
	"$uetrace" run $how -e "usdt:$app:app:*" sh -c "'$app' 2; '$examples/hello'" >out 2>err || fail "$(cat err)"
	assert_eq 4 "$(normalise <out | grep -c '^usdt_app app:')" "sdt.h's probes of two programs $how"
	refute_match '^hello' "$(normalise <out)" "other events $how"
	"$uetrace" run $how --also "$examples/hello" -e "usdt:$app:app:*" -e hello \
		sh -c "'$app' 2; '$examples/hello'" >out 2>err || fail "$(cat err)"
	assert_eq 4 "$(normalise <out | grep -c '^usdt_app app:')" "sdt.h's probes of two programs and one event $how"
	assert_match '^hello hello ' "$(normalise <out)" "the event $how"
done

# uetrace fails if a requested probe does not exist.
"$uetrace" run -e "usdt:$app:app:work" -e 'usdt::app:wrok' "$app" 2 >out 2>err
assert_eq 1 $? "status of a missing USDT probe"
assert_match "^uetrace: no event of $app matches usdt::app:wrok\$" "$(cat err)"

# Files with a space in their names are traced, and so are programs started by the program, once
# they are detected.
mkdir "a b"
cp "$app" "a b/app"
assert "$uetrace" run -e 'usdt::app:idle' "a b/app" 2 >out 2>err
assert_eq 2 "$(grep -c app:idle out)" "events of a file with a space in its name"
assert "$uetrace" run --usdt -e 'usdt::app:idle' sh -c "'a b/app' 200 10000; true" >out 2>err
assert_match 'app-[0-9]+ app:idle arg1=[0-9]+ arg2=42$' "$(tail -1 out)"
left_nothing

# uetrace lists the events of a file, including the probes of other libraries, and the events of
# running programs.
assert_match '^usdt:app:work$' "$("$uetrace" list "$app")"
assert_match '^    s64 arg3$' "$("$uetrace" list "$app")"
refute_match usdt: "$("$uetrace" list "$types")"
refute "$uetrace" list --usdt types_scalars 2>err
assert_match 'no event matches types_scalars' "$(cat err)"
refute "$uetrace" watch usdt:nothing 2>err
assert_match 'usdt:FILE:PROVIDER:NAME' "$(cat err)"
left_nothing

# If no event arrived and there is no other explanation, uetrace reports the events that uprobes
# cannot show.
for what in "-e nosuch" "-f nosuch==1"; do
	# shellcheck disable=SC2086 # split into words
	refute "$uetrace" run --usdt $what "$examples/hello" >out 2>err
	assert_match "nosuch" "$(cat err)"
	refute_match 'need a kernel' "$(cat err)" "run --usdt $what"
done
assert "$uetrace" run --usdt "$examples/otel_service" >out 2>err
assert_match 'user_events_otel.h, builders and .* need a kernel with user_events$' "$(cat err)"
assert "$uetrace" run --usdt "$types" 1 >out 2>err
refute_match 'need a kernel' "$(cat err)"
left_nothing
exit 0
