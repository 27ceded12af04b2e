#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Tests `uetrace probe` on this kernel, with every form of a probe's location and arguments. Covers
# the promises of the kernel's document on kprobe events that no other test covers.

. "${0%/*}/helpers/lib.sh"
need_uetrace
[ -e "$TRACING/kprobe_events" ] || skip "this kernel has no kprobe events"
[ "$(uname -m)" = x86_64 ] || skip "the test uses x86-64 registers"
probe="$uetrace probe"

# takes DEFINITION: checks that the kernel accepts the probe definition, then removes the probe.
takes()
{
	assert $probe add "$1"
	assert $probe remove --all
}

# refuses SENTENCE DEFINITION: checks that the kernel rejects the probe definition with this
# message.
refuses()
{
	refute $probe add "$2" 2>err
	assert_match "^$1" "$(cat err)" "$2"
}

# hits DEFINITION COMMAND...: defines the probe `hit`, runs COMMAND, and writes the probe's events
# to the file `hit`.
hits()
{
	assert $probe add "$1"
	shift
	clear_trace
	assert $probe enable hit
	"$@" >/dev/null
	assert $probe disable hit
	recorded hit >hit
	assert $probe remove --all
	[ -s hit ] || fail "the probe was not hit by: $*"
}

# arguments COUNT: prints COUNT probe arguments.
arguments()
{
	seq -f 'a%g=%%di' -s ' ' "$1"
}

# Boot parameters: tests/kernel/check saved the probes that the kernel had before the first test.
assert_match '^p:kprobes/boot_open do_sys_openat2 dfd=%di$' "$(cat /run/booted)" kprobe_event=
assert_match '^r[0-9]*:kprobes/boot_opened do_sys_openat2 arg1=\$retval$' "$(cat /run/booted)" kprobe_event=
assert_match 'boot_open/enable:1$' "$(cat /run/booted)" "enabled by kprobe_event="
assert_match 'boot_opened/enable:1$' "$(cat /run/booted)" "enabled by kprobe_event="
assert_match 'boot_open: \(do_sys_openat2\+0x0/.*\) dfd=0xffffff9c$' "$(cat /run/booted)" "events recorded at boot"

# Probe locations.
assert $probe add 'p do_sys_openat2' 'p do_sys_openat2+4' "p:by/address 0x$(sed -n 's/ T vfs_read$//p' /proc/kallsyms)" \
	'p:by/return do_sys_openat2%return' 'r:by/zero do_sys_openat2+0'
assert_match '^kprobes/p_do_sys_openat2_0 ' "$($probe list)" "an omitted EVENT"
assert_match '^kprobes/p_do_sys_openat2_4 .* do_sys_openat2\+4$' "$($probe list)" "SYM+offs"
assert_match '^by/address .* 0x[0-9a-f]+$' "$($probe list)" MEMADDR
assert_match '^by/return .*  r[0-9]*:by/return do_sys_openat2' "$($probe list)" "SYM%return"
assert_match '^[0-9]+$' "$(cat "$TRACING/events/by/return/id")" "the id"
assert $probe remove --all
assert $probe add "p 0x$(sed -n 's/ T vfs_read$//p' /proc/kallsyms)"
assert_match '^kprobes/p_0x[0-9a-f]+ ' "$($probe list)" "an address with an omitted EVENT"
assert $probe remove --all
# contrary to the kernel's documentation, 0 does not select the default
refuses 'Invalid maxactive number' 'r0:x vfs_read'
refuses 'Retprobe address must be' 'r:x do_sys_openat2+4'
takes 'p:x nosuchmodule:nosuchfunction'
hits 'p:hit do_sys_openat2%return rv=$retval:s32' cat "$0"
assert_match 'hit: \(.* <- do_sys_openat2\) rv=[3-9]$' "$(cat hit)" "SYM%return"

# Arguments: the maximum number, and the arguments that are available at each kind of location.
takes "p:x vfs_read $(arguments 128)"
refuses 'Argument list too long' "p:x vfs_read $(arguments 129)"
refuses '\$retval is not available on probe' 'p:x vfs_read a=$retval'
refuses '\$arg. can be used only on function entry' 'p:x do_sys_openat2+4 a=$arg1'
refuses '\$comm and immediate-string only accepts string' 'p:x vfs_read a=$comm:u32'
takes 'p:x vfs_read a=+0(%si):u8[64]'
refuses 'Array number is too big' 'p:x vfs_read a=+0(%si):u8[65]'
refuses 'String accepts only memory argument' 'p:x vfs_read a=$stack1:x8[8]'
takes 'p:x vfs_read a=+8($stack):x8[8] b=+0(%si):x16[4] c=+0(%si):x32[1]'

# Fetch methods: two methods of fetching the same word must yield the same number.
symbol=0x$(sed -n 's/ T vfs_write$//p' /proc/kallsyms)
hits "p:hit vfs_write a=@$symbol:x64 b=@vfs_write:x64 c=@vfs_write+4:x32 d=@vfs_write-4:x32 e=@vfs_write+0:x32" \
	sh -c 'echo x >named'
refute_match 'd=0x[0-9a-f]+ e=' "$(sed -E '/a=(0x([0-9a-f]*))([0-9a-f]{8}) b=\1\3 c=\1 /d' hit)" "@ADDR, @SYM+offs"
hits 'p:hit do_sys_openat2 a=$stack:x64 b=$stack0:x64 c=+0($stack):x64 d=$stack2:x64 e=+16($stack):x64 f=-8(+8($stack)):x8 who=$comm' \
	cat "$0"
refute_match 'who=' "$(sed -E '/ b=([^ ]*) c=\1 d=([^ ]*) e=\2 .* who="[^"]+"$/d' hit)" '$stackN'
hits 'p:hit do_sys_openat2 a=+0(%si):ustring b=+u0(%si):string c=+u0(%si):x32 d=+u4(%si):x8' cat "$0"
refute_match ' c=' "$(sed -E '/ a="([^"]*)" b="\1" c=/d' hit)" "+u0():string is ustring"
assert_match ' a="/etc/.* c=0x6374652f d=0x2f$' "$(cat hit)" "+u0() and +u4() of /etc/..."

# On x86-64, user addresses and kernel addresses are distinguishable, so the type string reads both.
hits 'p:hit do_sys_openat2 a=+0(%si):ustring b=+0(%si):string' cat "$0"
refute_match ' b=' "$(sed -E '/ a="(\/[^"]*)" b="\1"$/d' hit)" "string of user memory"
hits 'p:hit do_filp_open name=+0(+0(%si)):string' cat "$0"
assert_match " name=\"$0\"\$" "$(cat hit)" "string of kernel memory"

# Types: each argument in memory reads the same 8 bytes.
hits 'p:hit do_sys_openat2 text=\"str" small=\65535:u16 whole=+0(%sp):x64 parts=+0(%sp):x16[4] one=+0(%sp):x32[1] low=+0(%sp):x32' \
	cat "$0"
assert_match ' text="str" small=65535 whole=' "$(cat hit)" 'immediate string, u16'
whole=$(sed -nE '1s/.* whole=0x([0-9a-f]+) .*/\1/p' hit)
whole=$(printf %016x "0x$whole")
parts=
for i in 13 9 5 1; do
	parts=$parts${parts:+,}$(printf '0x%x' "0x$(echo "$whole" | cut -c $i-$((i + 3)))")
done
low=$(printf '0x%x' "0x$(echo "$whole" | cut -c 9-16)")
assert_match " parts=\\{$parts\\} one=\\{$low\\} low=$low\$" "$(head -n 1 hit)" 'x16[4], x32[1], x32'

# Fetch one register with each type. The default type on this machine is x64.
hits 'p:hit do_sys_openat2 a=%di:u8 b=%di:u16 c=%di:u32 d=%di:u64 e=%di:s8 f=%di:s16 g=%di:s32 h=%di:s64 i=%di:x8 j=%di:x16 k=%di:x32 l=%di:x64 m=%di' \
	cat "$0"
assert_match ' a=156 b=65436 c=4294967196 d=4294967196 e=-100 f=-100 g=-100 h=4294967196 i=0x9c j=0xff9c k=0xffffff9c l=0xffffff9c m=0xffffff9c$' \
	"$(head -n 1 hit)" "u8 to x64"
hits 'p:hit do_sys_openat2 low=%di:b4@0/32 high=%di:b4@4/32 call=+0(%sp):symbol whole=+0(%sp):x64' cat "$0"
assert_match ' low=12 high=9 call=[a-z_0-9]+\+0x[0-9a-f]+/0x[0-9a-f]+ whole=0xf' "$(head -n 1 hit)" "bitfields and symbols"

# The format file describes the fields, and its print format matches the definition.
assert $probe add 'p:shown do_sys_openat2 dfd=%di:s32 flags=%dx name=+0(%si):ustring' 'r:returned do_sys_openat2 $retval'
format=$($probe format shown)
assert_match '^	field:unsigned short common_type;	offset:0;	size:2;	signed:0;$' "$format" "common fields"
assert_match '^	field:int common_pid;	offset:4;	size:4;	signed:1;$' "$format" "common fields"
assert_match '^	field:unsigned long __probe_ip;	offset:8;	size:8;	signed:0;$' "$format" "the address"
assert_match '^	field:s32 dfd;	offset:16;	size:4;	signed:1;$' "$format" "an argument"
assert_match '^print fmt: "\(%lx\) dfd=%d flags=0x%Lx name=\\"%s\\"", REC->__probe_ip, REC->dfd, REC->flags, __get_str\(name\)$' \
	"$format" "print fmt"
assert_match '^print fmt: "\(%lx <- %lx\) arg1=0x%Lx", REC->__probe_func, REC->__probe_ret_ip, REC->arg1$' \
	"$($probe format returned)" "print fmt of a return probe"
assert_eq "0 0" "$(cat "$TRACING/events/kprobes/shown/enable" "$TRACING/events/kprobes/returned/enable" | xargs)" "a new probe"

# Probes that are active only during an interval: outside of the interval, hits are counted but not
# recorded.
clear_trace
assert $probe enable shown
for state in 0 1 0; do
	echo $state >"$TRACING/tracing_on"
	cat "$0.$state" 2>/dev/null
done
echo 0 >"$TRACING/tracing_on"
assert $probe disable shown
assert_match " name=\"$0.1\"\$" "$(recorded shown)" "an event in the interval"
refute_match " name=\"$0.0\"\$" "$(recorded shown)" "an event outside of the interval"
hits=$($probe list | awk '$1 == "kprobes/shown" { print $3 }')
[ "$hits" -gt "$(recorded shown | wc -l)" ] || fail "all $(recorded shown | wc -l) of $hits hits were recorded"
echo 1 >"$TRACING/tracing_on"

# Probes that other programs defined through the kernel's control file: uetrace lists them, and
# removes them one by one or all at once.
assert $probe remove --all
echo 'p:foreign do_sys_openat2 dfd=%di' >>"$TRACING/kprobe_events"
echo 'r:returns do_sys_openat2 $retval' >>"$TRACING/kprobe_events"
assert_match '^kprobes/foreign .* p:kprobes/foreign do_sys_openat2 dfd=%di$' "$($probe list)" "a probe of kprobe_events"
assert $probe add 'p:ours vfs_read'
assert_match '^p:kprobes/ours vfs_read$' "$(cat "$TRACING/kprobe_events")" "our probe in kprobe_events"
echo '-:foreign' >>"$TRACING/kprobe_events"
refute_match foreign "$($probe list)" "a cleared probe"
assert_match '^kprobes/returns ' "$($probe list)" "a probe that was not cleared"
echo >"$TRACING/kprobe_events"
assert_eq "" "$($probe list)" "all probes cleared"

# MAXACTIVE: while one call waits, it occupies the only instance, so further calls are counted as
# misses.
assert $probe add 'r1:one vfs_read' 'r:many vfs_read'
assert $probe enable one many
mkfifo fifo
cat fifo >/dev/null &
waiting=$!
exec 5>fifo
wait_until 20 grep -q '^State:.S' /proc/$waiting/status
for i in 1 2 3; do cat "$0"; done >/dev/null
misses=$($probe list | awk '$1 == "kprobes/one" { print $4 }')
[ "$misses" -ge 3 ] || fail "r1 missed $misses calls while one call waited, expected at least 3"
assert_eq 0 "$($probe list | awk '$1 == "kprobes/many" { print $4 }')" "misses without MAXACTIVE"
exec 5>&-
wait $waiting
assert $probe disable one many
assert $probe remove --all
