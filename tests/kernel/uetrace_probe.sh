#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Follows the chapter on kprobe events in the kernel's documentation with uetrace probe: define a
# probe, read its format, filter, trace and remove it. Also tests return probes, user probes, probes
# on events, and triggers.

. "${0%/*}/helpers/lib.sh"
need_uetrace
[ -e "$TRACING/kprobe_events" ] || skip "this kernel has no kprobe events"
probe="$uetrace probe"

# Define.
assert $probe add 'p:myprobe do_sys_openat2 dfd=%di filename=%si:x64 name=+0(%si):ustring'
assert $probe add 'r8:myretprobe do_sys_openat2 $retval'
assert_match '^kprobes/myprobe +no +0 +0  p:kprobes/myprobe do_sys_openat2 dfd=%di filename=%si:x64' \
	"$($probe list)"
assert_match '^kprobes/myretprobe +no +0 +0  r8:kprobes/myretprobe do_sys_openat2 arg1=\$retval' \
	"$($probe list)"

# Check the format of the probe's event.
format=$($probe format myprobe)
assert_match '^name: myprobe$' "$format"
assert_match 'field:unsigned long __probe_ip;' "$format"
assert_match 'field:u64 filename;' "$format"
assert_match 'field:__data_loc char\[\] name;' "$format"

# Filter.
assert $probe filter myretprobe 'arg1 > 1000'
assert_match '^    filter: arg1 > 1000$' "$($probe list)"
refute $probe filter myretprobe 'arg9 > 1' 2>err
assert_eq 'uetrace: the kernel rejected this filter
  arg9 > 1
       ^
Field not found' "$(cat err)" "bad filter"
assert_eq 'arg1 > 1000' "$($probe filter myretprobe)" "the filter before the bad one"
assert $probe filter myretprobe 0
assert_eq none "$($probe filter myretprobe)"

# Trace.
clear_trace
assert $probe enable myprobe kprobes/myretprobe
cat "$0" >/dev/null
assert $probe disable myprobe kprobes:myretprobe
assert_match "myprobe: .* name=\"$0\"" "$(recorded)"
assert_match 'myretprobe: .* arg1=0x[0-9a-f]+$' "$(recorded)"
hits=$($probe list | awk '$1 == "kprobes/myprobe" { print $3 }')
[ "$hits" -gt 0 ] || fail "the list shows $hits hits, expected more than 0"

# Triggers.
assert $probe trigger myprobe 'hist:keys=common_pid'
assert_match 'trigger: hist:keys=common_pid' "$($probe list)"
assert $probe enable myprobe
cat "$0" >/dev/null
assert_match 'common_pid: +[0-9]+ } hitcount: +[0-9]+' "$($probe trigger myprobe)"
refute $probe trigger myprobe 'hist:keys=nosuch' 2>err
assert_match '^uetrace: the kernel rejected this trigger$' "$(cat err)"
refute $probe trigger myprobe 'enable_event:nosuch:nosuch' 2>err
assert_eq 'uetrace: the kernel rejected this trigger
  enable_event:nosuch:nosuch
Invalid argument' "$(cat err)" "a trigger without a reason"
refute $probe trigger myprobe 'traceoff:5 if common_pid > ' 2>err
assert_match '^Invalid value' "$(cat err)" "a trigger's filter"
assert $probe disable myprobe

# Remove all probes. This must remove their triggers too.
assert $probe remove myprobe myretprobe
assert_eq "" "$($probe list)" "after removal"
assert_eq "" "$(cat "$TRACING/dynamic_events")"
refute $probe remove myprobe 2>err
assert_match 'cannot find the probe myprobe' "$(cat err)"

# Define a probe with every kind of fetch argument that this machine supports.
assert $probe add 'p:args do_sys_openat2 a=$arg1:s32 b=%si:x64 d=$stack0:x64 e=$stack f=$comm g=\42:u8 h=+0(%si):ustring i=+u0(%si):x32 l=+0(%sp):x8[4] j=%si:b4@0/32 k=$stack0:symbol'
refute_match 'field:.*nosuch' "$($probe format args)"
assert $probe remove args

# Fields must be printed as the kernel prints them, except for function sizes, which uetrace does
# not know. Lines about trace_marker, which the child process of uetrace opens first, are ignored.
assert $probe add 'p:kinds do_sys_openat2 m=+0(%sp):u64[2] r=+0(%sp):s16[3] x=+0(%sp):symbol[2] w=%di:s8 q=\65:char n=\177:char h=%di:x32 s=+0(%si):ustring e=+0(%di):ustring[1] b=+0(%sp):b4@4/32[2]'
clear_trace
assert $probe enable kinds
assert "$uetrace" run -e kprobes:kinds "$examples/hello" >out 2>err
assert $probe disable kinds
LC_ALL=C sed -nE '/trace_marker/d; s|/0x[0-9a-f]+||g; s/\xb1/\\xb1/; s/.* hello-.* kinds: //p' "$TRACING/trace" >kernel
sed -n 's/.* hello-.* kprobes:kinds //p' out >own
assert_match " m=\{[1-9].* w=-100 q='A' n='.xb1' .* e=\{\(fault\)\} " "$(cat own)"
assert_eq "$(cat kernel)" "$(cat own)" "text of probes"
assert $probe remove kinds

# Arrays of strings: unlike string, string[1] reads an array of pointers to strings. Also checks
# file names.
if [ "$(uname -m)" = x86_64 ]; then
	assert "$uetrace" run -e 'probe:*' \
		--probe "p:main $load:main all=+0(%si):string[2] first=+0(%si):string[1] same=+0(+0(%si)):string" \
		"$load" 1 0.1 >out 2>err
	assert_match " all=\{\"$load\",\"1\"\} first=\{\"$load\"\} same=\"$load\"\$" "$(cat out)" "arrays of strings"
fi
assert "$uetrace" run --probe 'p:named vfs_write name=$arg1:%pD' sh -c 'echo x >named' >out 2>err
assert_match ' probe:named .* name="named"$' "$(cat out)" "a file name"

# Probes can be placed in user programs and attached to events.
assert $probe add "p:prog $examples/hello:0x1000"
assert_match "^uprobes/prog +no +0 +-  p:uprobes/prog $examples/hello:0x" "$($probe list)"
assert $probe remove prog
main=$(nm "$load" | sed -n 's/ T main$//p')
assert "$uetrace" run --probe "p:in $load:0x$main" --probe "r:out $load:0x$main rv=\$retval" \
	-e 'probe:*' "$load" 1 0.1 >out 2>err
assert_match 'probe:in \(0x[0-9a-f]+\)$' "$(cat out)" "a user probe"
main=$(sed -n 's/.* probe:in (\(.*\))$/\1/p' out)
assert_match "probe:out \(0x[0-9a-f]+ <- $main\) rv=0x0\$" "$(cat out)" "a user return probe"
assert "$uetrace" run --probe 'e:on user_events.hello n=$argc:s32' -e 'probe:*' "$examples/hello" \
	>out 2>err
assert_match 'probe:on \(user_events\.hello\) n=1$' "$(cat out)" "a probe on an event"
assert "$uetrace" run --json -e sched:sched_switch "$load" 100 0.1 >out 2>err
assert_match '"prev_pid": [0-9]+,' "$(cat out)" "a pid in JSON"
refute $probe add 'e:slow user_events.nosuch' 2>err
assert_match '^uetrace: the kernel rejected the probe' "$(cat err)" "an event probe on a missing event"
add_event 'base u32 status'
assert $probe add 'e:mine/derived user_events.base status=$status:u32'
assert_match '^mine/derived +no +- +-  e:mine/derived user_events.base status=\$status:u32' \
	"$($probe list)"
assert $probe remove derived
refute $probe add 'e:slow user_events.base ms=$status:u32 if nosuch > 3' 2>err
assert_match '^                                                   *\^$' "$(cat err)" "a probe's filter"
assert_match '^Field not found' "$(cat err)" "a probe's filter"
# an event probe with fields is identified only by its name and its fields
refute sh -c 'echo "-:base" >>"$1/dynamic_events"' sh "$TRACING" 2>/dev/null
assert_eq 'u:base u32 status' "$(cat "$TRACING/dynamic_events")" "an event by its name alone"
assert sh -c 'echo "-:base u32 status" >>"$1/dynamic_events"' sh "$TRACING"
assert_eq "" "$(cat "$TRACING/dynamic_events")" "events after the removal"

# Special locations: a numeric address, arguments given as ABI registers, functions that the kernel
# protects, and data symbols, which this kernel does not keep (CONFIG_KALLSYMS_ALL).
address=0x$(sed -n 's/ [Tt] vfs_write$//p' /proc/kallsyms)
assert $probe add "p:places/address $address"
# the kernel accepts probes at data symbols, but they never hit
assert $probe add 'p:places/module nosuch:vfs_write' 'p:places/kernel vmlinux:vfs_write' 2>err
assert_eq 'uetrace: this probe is not hit until the module nosuch is loaded
uetrace: this probe is never hit, because vmlinux is not a module; for a function of the kernel, use vfs_write' \
	"$(cat err)" "places of no module"
if [ "$(uname -m)" = x86_64 ]; then
	assert "$uetrace" run --probe 'p:abi vfs_write file=%di:x64 same=$arg1:x64 count=%dx:u64 also=$arg3:u64' \
		sh -c 'echo x >named' >out 2>err
	assert_match ' probe:abi \(vfs_write' "$(cat out)"
	refute_match 'count=([0-9]+) also=' "$(sed -E '/file=([^ ]*) same=\1 count=([^ ]*) also=\2$/d' out)"
fi
assert $probe remove 'places/*'
refute $probe add 'p:places/cut ./dir:0x10#x/program:0x20' 2>err
assert_match '^uetrace: cannot add .*: the kernel ignores everything after # or a newline' "$(cat err)"
refute $probe add 'p:places/protected notify_die' 2>err
assert_match '^Failed to register probe event' "$(cat err)" "a function that the kernel protects"
refute $probe add 'p:places/data vfs_write now=@jiffies_64:u64' 2>err
assert_match '^Invalid probed address or symbol' "$(cat err)" "a data symbol"

# Hit counts are listed for every probe. A probe that another tracer uses is not changed.
(cd "$examples" && assert $probe add 'p:relative ./hello:0x1000') || exit 1
assert $probe add 'p:k1 vfs_write' 'p:k2 vfs_read'
assert $probe enable k1 k2
assert $probe trigger k1 'hist:keys=common_pid'
cat "$0" >/dev/null
list=$($probe list)
assert_match '^uprobes/relative +no +0 +-  p:uprobes/relative \./hello:0x' "$list"
assert_match '^kprobes/k1 +yes +[1-9][0-9]* +0  ' "$list"
assert_match '^kprobes/k2 +yes +[1-9][0-9]* +0  ' "$list"
refute $probe list >/dev/full 2>err
assert_eq 'uetrace: cannot write standard output: No space left on device' "$(cat err)"
mkdir "$TRACING/instances/other"
echo 1 >"$TRACING/instances/other/events/kprobes/k1/enable"
refute $probe remove k1 2>err
assert_eq 'uetrace: cannot remove the probe k1: the trace instance other uses it' "$(cat err)"
assert_match '^kprobes/k1 +yes ' "$($probe list)"
assert_match 'trigger: hist:keys=common_pid' "$($probe list)"
echo 0 >"$TRACING/instances/other/events/kprobes/k1/enable"
rmdir "$TRACING/instances/other"
assert $probe remove relative k1 k2
assert_eq "" "$($probe list)" "after removal"

# A pattern may name an event system that is created later.
"$uetrace" watch 'lat*r:*' >out 2>err &
watcher=$!
wait_until 20 grep -q 'waiting for it' err
assert $probe add 'p:later/seen do_sys_openat2'
wait_until 20 grep -q 1 "$TRACING/instances/uetrace-$watcher/events/later/seen/enable"
cat "$0" >/dev/null
assert stop $watcher
assert_match ' cat-[0-9]+ later:seen \(do_sys_openat2' "$(cat out)" "a system created later"
assert $probe remove seen

# In a user program, a location given as a symbol is equivalent to its offset.
assert "$uetrace" run --probe "p:in $load:main" --probe "r:out $load:main%return" "$load" 2 0.1 >out 2>err
assert_match ' probe:in \(0x' "$(cat out)" "a symbol"
assert $probe add "p:mine/byname $load:main argc=%di:s32" "p:mine/inside $load:main+4"
main=$(nm "$load" | sed -n 's/^0*\([0-9a-f]*\) T main$/\1/p')
assert_match "p:mine/byname $load:0x0*$main argc=%di:s32" "$($probe list)" "the offset of a symbol"
assert_match "p:mine/inside $load:0x0*$(printf %x $((0x$main + 4)))( |\$)" "$($probe list | sed -n 's/ *$//p')" "an offset after a symbol"
assert $probe remove 'mine/*'
refute $probe add "p:mine/x $load:nosuch" 2>err
assert_match "cannot find the symbol nosuch in $load, which may be stripped" "$(cat err)"
refute $probe add "p:mine/x $0:main" 2>err
assert_match 'is not an ELF binary' "$(cat err)"

# Delete several probes: by a pattern, if they are not in use, and by a name that two probes share.
assert $probe add 'p:one/twin vfs_read' 'p:two/twin vfs_write' 'p:two/other vfs_open'
refute $probe remove twin 2>err
assert_eq 'uetrace: several probes are called twin; name one of them, such as one/twin or two/twin' "$(cat err)"
refute $probe remove 'one/nosuch*' 2>err
assert_match "cannot find the probe one/nosuch" "$(cat err)"
assert $probe remove 'two/o*'
assert_eq 'one/twin two/twin' "$($probe list | awk 'NR > 1 { print $1 }' | xargs)" "after two/o*"
mkdir "$TRACING/instances/other"
echo 1 >"$TRACING/instances/other/events/one/twin/enable"
refute $probe remove 'tw?n' 2>err
assert_eq 'uetrace: cannot remove the probe one/twin: the trace instance other uses it' "$(cat err)"
assert_eq one/twin "$($probe list | awk 'NR > 1 { print $1 }' | xargs)" "probes that are in use"
echo 0 >"$TRACING/instances/other/events/one/twin/enable"
rmdir "$TRACING/instances/other"
assert $probe add 'p:two/other vfs_open'
# a command that is written like an option
$probe --remove --all 2>err
assert_eq 64 $? "status of a command written as an option"
assert_eq 'uetrace: --remove is a command, not an option; use: uetrace probe remove --all' "$(cat err)"
assert $probe remove --all
assert_eq "" "$($probe list)" "after --all"
assert $probe remove --all

# A rejected definition is printed as typed, with the caret of the kernel's error message.
refute $probe add 'p:mine/x   do_sys_openat2    a=%nosuch' 2>err
assert_eq 'uetrace: the kernel rejected the probe
  p:mine/x   do_sys_openat2    a=%nosuch
                                 ^' "$(head -n 3 err)" "caret"
refute "$uetrace" run --probe 'r99999999:x vfs_write' "$examples/hello" 2>err
assert_match '^   \^$' "$(cat err)" "caret before the group"
refute $probe add 'p:mine/x nosuchfunction' 2>err
assert_match '^           \^$' "$(cat err)" "caret"
refute $probe add 'nonsense' 2>err
assert_match 'a probe definition begins with p, r or e' "$(cat err)"
exit 0
