#!/bin/sh
# SPDX-License-Identifier: MIT
#
# uetrace run must show every event of a program, of its library and of its children, from the first
# event on. Also tests options, exit statuses, and the messages for invalid arguments.

. "${0%/*}/helpers/lib.sh"
need_uetrace

# mask values that differ from run to run: time, CPU, thread ID
normalise()
{
	sed -E 's/^[0-9:]+\.[0-9]{6} \[[0-9]{3}\] (.*)-[0-9]+ /\1 /'
}

# summary FILE EVENTS: checks the summary that uetrace prints as its last line of standard error
summary()
{
	assert_match "^uetrace: $2 events? in [0-9.]+ s \([0-9]+/s\), 0 lost\$" "$(cat "$1")" summary
}

left_nothing()
{
	assert_eq "" "$(ls "$TRACING/instances")" "instances"
	assert_eq "" "$(cat "$TRACING/dynamic_events")" "dynamic events"
}

# A C program whose only event is written by its very first instructions.
assert "$uetrace" run "$examples/hello" a b >out 2>err
assert_eq "hello hello argc=3 program=\"$examples/hello\"" "$(normalise <out)" "hello"
summary err 1
left_nothing

# If a program has no events and no other events were requested, uetrace reports this.
assert "$uetrace" run true >out 2>err
assert_match "^uetrace: true and its libraries declare no events; to add the events of a plug-in: --also ./PLUGIN\\.so.*uetrace register --persist 'SPEC'\$" "$(cat err)"
assert "$uetrace" run -e 'sched:sched_process_exit' true >out 2>err
refute_match 'declare no events' "$(cat err)" "a program without events whose scheduling is shown"

# JSON output
assert "$uetrace" run --json -o json "$examples/hello" >out 2>err
assert_eq "" "$(cat out)" "standard output with -o"
json=$(sed -E 's/"time": "[0-9TZ:.-]+", "cpu": [0-9]+, "pid": [0-9]+, "tid": [0-9]+/-/' json)
assert_eq "{ \"n\": \"user_events:hello\", \"argc\": 1, \"program\": \"$examples/hello\", \"meta\": { - } }" \
	"$json" "JSON"

assert "$uetrace" run --origin "$examples/hello" >origin 2>err
assert_match ', "comm": "hello", "host": "'"$(uname -n)"'", "boot": "'"$(cat /proc/sys/kernel/random/boot_id)"'" } }$' \
	"$(cat origin)" "JSON with its origin"

# The OpenTelemetry resource is correct if the program is still running when uetrace reads its name.
assert "$uetrace" run --otlp --host web17 "$load" 2000 1 >otlp 2>err
resource='"resource":\{"attributes":\[\{"key":"host.name","value":\{"stringValue":"web17"\}\},'
[ ! -s /etc/machine-id ] ||
	resource="$resource\\{\"key\":\"host.id\",\"value\":\\{\"stringValue\":\"$(cat /etc/machine-id)\"\\}\\},"
assert_match "$resource"'\{"key":"process.pid",.*"process.executable.name","value":\{"stringValue":"uetrace_load"\}.*"unknown_service:uetrace_load"' \
	"$(cat otlp)" "OpenTelemetry's resource"
assert_match '^[1-9]' "$(grep -Fc '},{"attributes":[{"key":"thread.id"' otlp)" "requests of several records"

# A library's events.
printf 'a,b,c\nd\n' >lines
assert "$uetrace" run "$examples/library" <lines >out 2>err
assert_eq 'library parser_line fields=3 line="a,b,c"
library parser_line fields=1 line="d"' "$(grep parser_line out | normalise)" "events of a library"

# For a script, the events of its interpreter are shown.
printf '#! %s x\n' "$examples/hello" >script
printf '#!./script\n' >script2
chmod +x script script2
assert "$uetrace" run ./script >out 2>err
assert_match ' hello argc=3 ' "$(cat out)" "a script"
assert "$uetrace" run ./script2 >out 2>err
assert_match ' hello argc=4 ' "$(cat out)" "a script of a script"

# If a program forks, no event is lost, and the events of each process are in order.
assert "$uetrace" run -o out "$load" 2000 0.5 >/dev/null 2>err
summary err 1000
for process in 0 1; do
	assert_eq "$(seq 0 499)" "$(sed -n "s/.* process=$process sequence=\([0-9]*\) .*/\1/p" out)" \
		"sequence of process $process"
done

# Event sets in a C++ program.
assert "$uetrace" run "$examples/service" >out 2>err
assert_match ' Example_Service:JobStart ' "$(cat out)" "C++"
assert "$uetrace" run -l 4 "$examples/service" >out 2>err
assert_match ' Example_Service:JobStart ' "$(cat out)" "level 4"
assert "$uetrace" run -l 3 "$examples/service" >out 2>err
refute_match 'Example_Service' "$(cat out)" "level 3"
assert "$uetrace" run -k 0x4 "$examples/service" >out 2>err
refute_match 'Example_Service' "$(cat out)" "keyword 4"

# A filter on level and keyword, which the kernel stores only as part of the set's name.
filtered()
{
	assert "$uetrace" run -f "$1" "$examples/service" >out 2>err
	sed -nE 's/.* (Example_Service:[A-Za-z]+|service_request) .*/\1/p' out | sort -u | xargs
}
assert_eq 'Example_Service:JobStart Example_Service:JobStop' "$(filtered 'keyword & 5')" "keyword"
assert_eq 'Example_Service:Sorted' "$(filtered 'keyword == 0x2')" "keyword"
assert_eq 'Example_Service:Sorted' "$(filtered '!(keyword & 1)')" "not a keyword"
assert_eq 'Example_Service:JobStart Example_Service:JobStop' \
	"$(filtered '(keyword>=1&&level<=4) || keyword & 0x8')" "keyword and level"
assert_eq '' "$(filtered 'level < 4 && keyword & 3')" "level"
refute "$uetrace" run -f 'level < 6 && keyword & x' "$examples/service" >out 2>err
assert_match '^  level < 6 && keyword & x$' "$(cat err)" "bad keyword"
# A field that is unknown to the kernel may belong to an event in a set. Therefore uetrace accepts
# any field, and reports at the end if no event had it.
"$uetrace" run -f 'keyword & 1 && levle < 6' "$examples/service" >out 2>err
assert_eq 1 $? "status of a field that no event has"
assert_eq 'uetrace: could not use the filter for any event
  keyword & 1 && levle < 6
                       ^
Field not found' "$(grep -A 3 'use the filter' err)" "caret behind a keyword"
assert_eq 'Example_Service:Sorted' "$(filtered 'comparisons > 1 && ms >= 0')" "fields of the event"
assert_eq 'Example_Service:JobStart Example_Service:JobStop Example_Service:Sorted' \
	"$(filtered 'name_ ~ "*"')" "an own text"
assert_eq 'Example_Service:JobStart' "$(filtered 'opcode == 1')" "the header's field"
assert_eq 'service_request' "$(filtered 'n > 1')" "a field of another event"
refute_match 'use the filter' "$(cat err)" "a filter of own fields"

# Events of a set can be selected by their own names.
named()
{
	"$uetrace" run -e "$1" "$examples/service" >out 2>err
	sed -nE 's/.* (Example_Service:[A-Za-z]+|service_request) .*/\1/p' out | sort -u | xargs
}
assert_eq 'Example_Service:JobStart' "$(named Example_Service:JobStart)" "provider and name"
assert_eq 'Example_Service:JobStart Example_Service:JobStop' "$(named 'JobS*')" "an event's own name"
assert_eq 'Example_Service:Sorted' "$(named '*:Sor?ed')" "any provider"
assert_eq '' "$(named 'Other:JobStart')" "another provider"
assert_match '^uetrace: available: .*Example_Service' "$(cat err)" "the suggested names"

# Patterns and filters.
assert "$uetrace" run -e 'load' -f 'sequence < 3 && process == 1' "$load" 200 0.5 >out 2>err
assert_eq '0 1 2' "$(sed -n 's/.* load process=1 sequence=\([0-9]*\) .*/\1/p' out | xargs)" filter
summary err 3
# If no event has a requested name or field, uetrace fails. If the program itself failed, uetrace
# exits with the program's status instead.
"$uetrace" run -e 'nothing*' "$examples/hello" >out 2>err
assert_eq 1 $? "status of a name that matches nothing"
assert_match "^uetrace: no event of $examples/hello matches nothing\*\$" "$(cat err)"
"$uetrace" run -e hello -e helo "$examples/hello" >out 2>err
assert_eq 1 $? "status of a name that matches nothing, along with one that matches"
assert_match ' hello argc=1 ' "$(cat out)" "the event of the matching name"
"$uetrace" run -e nothing sh -c 'exit 7' >out 2>err
assert_eq 7 $? "the program's own status"
refute "$uetrace" run -f 'argx > 1' "$examples/hello" >out 2>err
assert_eq 'uetrace: cannot use the filter for any event
  argx > 1
       ^
Field not found
uetrace: available: argc, program' "$(cat err)" "bad filter"
refute "$uetrace" run -f 'argc > ' "$examples/hello" >out 2>err
assert_match '^uetrace: cannot use the filter for any event$' "$(cat err)" "bad filter"
refute "$uetrace" run -f 'argc > 0 && argc=-3' "$examples/hello" >out 2>err
assert_eq 'uetrace: cannot use the filter
  argc > 0 && argc=-3
                  ^
use == to compare' "$(cat err)" "a single ="

# A misspelt name is reported before the program starts, with the most similar names, including
# events of sets. A name is not reported if an event of that name may still occur.
"$uetrace" run -e requst_done -e CannotServe -e Unserved "$examples/server" -d "$top/include" -n 1000000 -c 1 -w 1 \
	>out 2>err &
tracer=$!
wait_until 20 grep -q '^uetrace: available:' err
assert_eq "uetrace: no event of $examples/server matches requst_done yet
uetrace: no event of $examples/server matches Unserved yet
uetrace: available: request_done, Example_Server:RequestStop, Example_Server:CannotServe, Example_Server:RequestStart, slow_request, \
Example_Server_L2K1, Example_Server_L4K1" "$(cat err)" "before the end"
wait_until 60 grep -q CannotServe out
stop $tracer
assert_eq "uetrace: no event of $examples/server matches requst_done
uetrace: no event of $examples/server matches Unserved" "$(grep ' matches [^ ]*$' err)" "at the end"
assert_eq 1 "$(grep -c '^uetrace: available:' err)" "lists of names"

# With hist, uetrace run shows a table instead of events.
assert "$uetrace" run --stats "$load" 200 0.5 >out 2>err
assert_match '^load +100 +[0-9]+ +[0-9]+ +[0-9.]+(ns|us|ms|s) ' "$(cat out)" table

# Probes and events share a timeline: the slice of write() encloses the event that this call writes.
"$uetrace" run --probe 'p:mine/enter vfs_write' --probe 'r:leave vfs_write bytes=$retval:s64' \
	-e hello "$examples/hello" >out 2>err || fail "$(cat err)"
assert_eq "hello mine:enter
hello hello
hello probe:leave" "$(normalise <out | awk '$2 == "hello" || prev == "hello" { show = 1 }
	{ line[NR] = $1 " " $2; prev = $2; if ($2 == "hello") at = NR }
	END { for (i = at - 1; i <= at + 1; i++) print line[i] }')" "timeline"
assert_match 'probe:leave \(.*ksys_write\+0x[0-9a-f]+ <- vfs_write.*\) bytes=[0-9]+$' "$(cat out)"
left_nothing
# A filter applies to those requested probes that have the field. uetrace reports that the other
# probes are not filtered.
assert "$uetrace" run --probe 'p:enter vfs_write' -f 'argc == 1' "$examples/hello" >out 2>err
assert_match ' probe:enter ' "$(cat out)" "a probe without the field"
assert_match ' hello argc=1 ' "$(cat out)" "an event that passes"
assert_match 'the filter is not applied to the probe enter' "$(cat err)" "message about the unfiltered probe"
assert "$uetrace" run --probe 'r:leave vfs_write bytes=$retval:s64' -f 'bytes > 5' \
	sh -c 'echo 123456789 >/dev/null; echo 1 >/dev/null' >out 2>err
assert_eq 1 "$(grep -c ' probe:leave .* bytes=10$' out)" "events that pass the filter"
assert_eq 1 "$(grep -c ' probe:leave ' out)" "events that fail the filter"
refute_match 'is not applied to the probe' "$(cat err)" "message about a probe that has the field"
assert "$uetrace" run --probe 'p:mine.dot vfs_write' "$examples/hello" >out 2>err
assert_match ' mine:dot ' "$(cat out)" "a group followed by a dot"
# An event's group is part of its name in text, JSON and timelines, and patterns match the full
# name.
assert "$uetrace" run --probe 'p:grp/wr vfs_write count=$arg3:u64' -e 'grp:w*' sh -c "'$examples/hello'; echo x" >out 2>err
assert_match ' grp:wr \(vfs_write' "$(cat out)" "a group"
refute_match ' hello argc=' "$(cat out)" "events that no pattern selects"
assert "$uetrace" run --probe 'p:grp/wr vfs_write count=$arg3:u64' --json "$examples/hello" >out 2>err
assert_match '^\{ "n": "grp:wr", ' "$(cat out)" "a group in JSON"
assert "$uetrace" run --probe 'p:grp/wr vfs_write count=$arg3:u64' -o out.json --counter grp:wr.count \
	"$examples/hello" >out 2>err
assert_match '"cat":"grp"' "$(cat out.json)" "a group in a timeline"
assert_match '"ph":"C".*"name":"wr.count"' "$(cat out.json)" "a counter of a group's probe"
assert "$uetrace" run --probe 'p:grp/io vfs_write' --probe 'p:grp/io vfs_read' sh -c 'read x </etc/passwd; echo x' \
	>out 2>err
assert_match ' grp:io \(vfs_write' "$(cat out)" "a probe with two locations"
assert_match ' grp:io \(vfs_read' "$(cat out)" "a probe with two locations"
"$uetrace" run --probe 'p:one/wr vfs_write' --probe 'p:two/wr vfs_read' "$examples/hello" >out 2>err
assert_eq 64 $? "status of two groups with a probe of one name"
assert_match 'cannot use two probes with the name wr, two/wr and one/wr' "$(cat err)"
refute "$uetrace" run --probe 'p:a/b  vfs_read   foo=$nosuch' "$examples/hello" >out 2>err
assert_eq 'uetrace: the kernel rejected the probe
  p:a/b  vfs_read   foo=$nosuch
                        ^
Invalid $-variable specified' "$(cat err)" "caret"
left_nothing

# uetrace run exits with the program's status.
"$uetrace" run sh -c 'exit 7' 2>/dev/null
assert_eq 7 $? "exit status"
sh -c "'$uetrace' run sh -c 'kill -TERM \$\$'; echo \$?" >out 2>/dev/null
assert_eq 143 "$(tail -n 1 out)" "a signal's status"
sh -c "'$uetrace' run sh -c 'kill -SEGV \$\$' 2>err; echo \$?" >out 2>/dev/null
assert_eq 139 "$(tail -n 1 out)" "the status of a crash"
assert_match '^uetrace: signal 11 \(Segmentation fault\) ended the program sh; uetrace ends with the same signal$' "$(cat err)" "a crash"
if env --ignore-signal=CHLD true 2>/dev/null; then
	timeout -k 1 10 env --ignore-signal=CHLD "$uetrace" run sh -c 'exit 7' 2>err
	assert_eq 7 $? "exit status with SIGCHLD ignored"
fi
"$uetrace" run ./nosuch >out 2>err
assert_eq 127 $? "no program"
assert_eq "uetrace: cannot run ./nosuch: there is no such program" "$(cat err)"
"$uetrace" run nosuchprogram 2>/dev/null
assert_eq 127 $? "no program in PATH"
mkdir -p directory/hello
assert env PATH="directory:$examples:$PATH" "$uetrace" run hello >out 2>err
assert_match ' hello argc=1 ' "$(cat out)" "a directory of the program's name in PATH"
echo text >text
chmod +x text
"$uetrace" run ./text 2>err
assert_eq 126 $? "not a program"
assert_match 'cannot run ./text: Exec format error' "$(cat err)"
"$uetrace" run 2>err
assert_eq 64 $? "status of wrong use"
assert_match '^uetrace: usage: uetrace run ' "$(cat err)"
for wrong in register delete probe 'probe add' 'probe nosuch' 'probe list x'; do
	"$uetrace" $wrong 2>err
	assert_eq 64 $? "status of $wrong"
	assert_match '^uetrace: usage: uetrace ' "$(cat err)"
done
refute "$uetrace" run -o /nonexistent/file "$examples/hello" 2>err
assert_eq "uetrace: cannot write /nonexistent/file: No such file or directory" "$(cat err)"
refute "$uetrace" nosuch 2>err
assert_match 'unknown command "nosuch"' "$(cat err)"
refute "$uetrace" 2>err
assert_eq 10 "$(grep -c '^  [a-z]*  .*[A-Z]' err)" "the list of commands"
left_nothing

# If the program writes to the same terminal, uetrace never appends to a line that the program has
# started.
cat >begun.c <<'END'
#include <stdio.h>
#include <unistd.h>
#include <user_events.h>
int main(void)
{
	printf("begun");
	fflush(stdout);
	UE_TRACE(fresh_event);
	sleep(1);
	puts(" and ended");
	printf("begun again");
	return 0;
}
END
gcc -I"$top/include" begun.c -o begun || fail "begun.c does not compile"
NO_COLOR=1 script -qec "$uetrace run ./begun" /dev/null </dev/null | tr '\r' '\n' | sed 's/ *$//' >out
assert_eq 1 "$(grep -c '^[0-9:.]* .* fresh_event$' out)" "an event's line"
assert_eq 1 "$(grep -c '^uetrace: 1 event' out)" "the summary's line"
assert_eq "begun
 and ended
begun again" "$(grep -E "^(begun| and ended)" out)" "the program's lines"

# Each missing requirement is reported in one sentence with its remedy.
if command -v setpriv >/dev/null; then
	mkdir -m 700 closed
	cp "$examples/hello" closed
	refute setpriv --reuid=65534 --clear-groups "$uetrace" run closed/hello >out 2>err
	assert_match 'closed/hello: Permission denied' "$(cat err)" "a program in an inaccessible directory"
	refute setpriv --reuid=65534 --clear-groups "$uetrace" run "$examples/hello" >out 2>err
	assert_match '^uetrace: cannot read .*: no permission; run uetrace as root$' "$(cat err)"
fi
exit 0
