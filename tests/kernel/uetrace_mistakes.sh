#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Tests mistakes on the command line of uetrace. Each message must name the object, the reason and
# the remedy.

ANY_KERNEL=1
. "${0%/*}/helpers/lib.sh"
need_uprobes
need_uetrace

# rejects STATUS MESSAGE ARG...: checks that uetrace exits with STATUS and that a line on standard
# error matches MESSAGE
rejects()
{
	wanted_status=$1 message=$2
	shift 2
	timeout 60 "$uetrace" "$@" >out 2>err
	assert_eq "$wanted_status" $? "exit status of $*: $(cat err)"
	assert_match "^uetrace: $message\$" "$(cat err)"
}

cp "$top/README.md" "$examples/hello" .
rejects 127 'cannot run README.md: the file in this directory is not executable; .* uetrace run ./PROGRAM' run README.md
rejects 126 'cannot run ./README.md: it is not executable' run ./README.md
rejects 127 'cannot run hello: it is not in PATH; the program in this directory is ./hello' run hello
rejects 127 'cannot run nosuch: there is no such program' run nosuch
rejects 64 'cannot choose the format of x.out by its suffix; use .txt, .log or none .*' run -o x.out ./hello

# --level hides events without a level, and says so, unless -e selects them.
rejects 0 "--level excludes hello, which has no level; to show all events: -e '\*'" run -l err ./hello
assert_eq "" "$(cat out)"
rejects 0 '1 event in .*' run -l err -e '*' ./hello
refute_match '--level excludes' "$(cat err)"

# either all probes of a command are added or none
probes()
{
	grep -cE 'mistake_[ab]' "$TRACING/dynamic_events"
}
rejects 1 'cannot add "-:x": it removes a probe; write: uetrace probe remove x' probe add '-:x'
rejects 1 'no probe was added, because one of the definitions is invalid' \
	probe add "p:mistake_a $PWD/hello:main" "p:mistake_b $PWD/hello:nosuch"
assert_eq 0 "$(probes)" "probes after a failure"
rejects 1 'no probe was added, .*' probe add "p:mistake_a $PWD/hello:main" "x:mistake_b $PWD/hello:main"
assert_eq 0 "$(probes)" "probes after a failure"
"$uetrace" probe add "p:mistake_a $PWD/hello:main" "p:mistake_b $PWD/hello:main" || fail "probe add rejects two correct definitions"
assert_eq 2 "$(probes)" "probes that were added"
rejects 1 'no probe was added, .*' probe add "p:mistake_a2 $PWD/hello:main" 'x'
assert_eq 2 "$(probes)" "the probes that existed before"
"$uetrace" probe remove mistake_a mistake_b || fail "probe remove fails"

if [ ! -e "$TRACING/kprobe_events" ]; then
	for definition in 'p:mistake_k vfs_read' 'r:mistake_k vfs_read'; do
		rejects 1 "cannot add $definition: this kernel has no kprobes .*" probe add "$definition"
		rejects 1 "cannot add $definition: this kernel has no kprobes .*" run --probe "$definition" ./hello
	done
fi

# register, without tracefs
if command -v setpriv >/dev/null; then
	unshare -m sh -c "umount -l /sys/kernel/debug 2>/dev/null; umount -l '$TRACING'
		exec setpriv --bounding-set -sys_admin '$uetrace' register 'mistake u32 a'" >out 2>err && fail "register succeeds without tracefs"
	assert_eq 1 "$(grep -c . err)" "messages: $(cat err)"
	assert_match '^uetrace: cannot trace: tracefs is not mounted, and root has no CAP_SYS_ADMIN here; ' "$(cat err)"
fi
if [ ! -e "$TRACING/user_events_data" ]; then
	rejects 1 'this kernel has no user_events; .* Linux 6.4 .*' register 'mistake u32 a'
fi
exit 0
