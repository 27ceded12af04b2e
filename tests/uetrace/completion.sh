#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Tests what uetrace's bash completion suggests at each position of a command line, using a fake
# tracefs that this script creates. The completion must suggest exactly the options and commands of
# uetrace.

set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/uetrace/uetrace.bash
uetrace=${1:-build/uetrace}
# the completion runs uetrace to read its options
uetrace()
{
	"$uetrace" "$@"
}
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
failed=0 checks=0

_uetrace_tracing=$directory
cat >"$directory/user_events_status" <<END
request_begin
request_end # Used by ftrace perf
MyApp_L4K1
\$(touch\${IFS}$directory/executed)

Active: 4
Busy: 1
END
cat >"$directory/dynamic_events" <<'END'
p:kprobes/open do_sys_openat2 file=+0($arg2):ustring
r8:mine/opened do_sys_openat2
u:request_begin u32 a
e:slow user_events.request_end
END

fail()
{
	echo "FAILED: $*"
	failed=1
}

# expect WORDS SUGGESTIONS: checks what is suggested for the last word of the command line WORDS
expect()
{
	local want=$2

	IFS=' ' read -ra COMP_WORDS <<<"$1"
	[[ $1 != *' ' ]] || COMP_WORDS+=('')
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	# earlier suggestions must not be repeated
	COMPREPLY=(left over)
	_uetrace uetrace "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
	checks=$((checks + 1))
	[ "${COMPREPLY[*]}" = "$want" ] || fail "\"$1\" offers \"${COMPREPLY[*]}\", not \"$want\""
}

# Compares the long options in the --help output with those that the completion suggests.
options()
{
	"$uetrace" "$1" --help | grep -oE -e ' --[a-z-]+' | grep -v -e --usage -e --version | sort
}

known()
{
	local want

	expect_any "uetrace $1 --"
	want=$(options "$1" | xargs)
	[ "$(printf '%s\n' "${COMPREPLY[@]}" | sort | xargs)" = "$want" ] ||
		fail "uetrace $1 offers ${COMPREPLY[*]}, and has $want"
}

expect_any()
{
	IFS=' ' read -ra COMP_WORDS <<<"$1"
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	_uetrace
	checks=$((checks + 1))
	[ ${#COMPREPLY[@]} -gt 0 ] || fail "\"$1\" offers nothing"
}

complete -p uetrace >/dev/null || fail "the script registers no completion for uetrace"

expect 'uetrace ' 'run watch list show hist latency register with delete probe help'
expect 'uetrace help l' 'list latency'
expect 'uetrace r' 'run register'
expect 'uetrace x' ''
[ "$("$uetrace" --help | sed -nE 's/^  ([a-z]+) +[A-Z].*\.$/\1/p' | xargs)" = \
	'run watch list show hist latency register with delete probe' ] || fail "the completion's commands differ from those of uetrace"
for command in run watch list show hist latency register; do
	known $command
done

expect 'uetrace run --l' '--level'
expect 'uetrace run --event request' 'request_begin request_end'
expect 'uetrace run -e My' 'MyApp_L4K1'
expect 'uetrace run -l ' 'critical error warning information verbose'
expect 'uetrace run -f ' ''
expect 'uetrace run --probe p:' ''
expect 'uetrace run -k ' ''
expect_any 'uetrace run ba'
[[ " ${COMPREPLY[*]} " == *' bash '* ]] || fail "the completion of uetrace run does not suggest programs"
expect 'uetrace run -l 3 -e req -o Makef' 'Makefile'
expect 'uetrace run --json cat README' 'README.md'
expect 'uetrace run cat --le' ''

expect 'uetrace watch request_b' 'request_begin'
expect 'uetrace watch --p' '--probe --pid'
expect 'uetrace watch ./Makef' './Makefile'
expect 'uetrace watch -p x' ''
expect_any "uetrace watch -p $$"
[[ " ${COMPREPLY[*]} " == *" $$ "* ]] || fail "uetrace watch -p does not offer processes"

expect 'uetrace list req' 'request_begin request_end'
expect 'uetrace list --' '--json --usdt --help'
expect 'uetrace list ./READ' './README.md'
expect 'uetrace list "./no' ''
expect 'uetrace show READ' 'README.md'
expect 'uetrace show -e request_b' 'request_begin'
expect 'uetrace show --to Makef' 'Makefile'
expect 'uetrace hist request_b' 'request_begin'
expect 'uetrace hist request_begin ms READ' 'README.md'
expect 'uetrace latency --from request_b' 'request_begin'
expect 'uetrace latency --from request_begin --to request_e' 'request_end'
expect 'uetrace latency READ' 'README.md'
expect 'uetrace delete request_e' 'request_end'
expect 'uetrace register -' '--persist --help'
expect 'uetrace register ./READ' './README.md'
expect 'uetrace with ./READ' './README.md'
expect_any 'uetrace with ./server -- ba'
[[ " ${COMPREPLY[*]} " == *' bash '* ]] || fail "the completion of uetrace with does not suggest recorders"
expect 'uetrace with ./server -- cat Makef' 'Makefile'
expect 'uetrace nosuch ' ''

expect 'uetrace probe ' 'add list enable disable filter trigger format remove'
expect 'uetrace probe e' 'enable'
expect 'uetrace probe enable ' 'kprobes/open mine/opened slow'
expect 'uetrace probe remove mine' 'mine/opened'
expect 'uetrace probe add p:' ''

# An event name contains a shell command. The name is suggested, but neither the completion nor the
# completed command line may execute the command.
expect 'uetrace delete $' "\\\$\\(touch\\\$\\{IFS\\}$directory/executed\\)"
eval "true ${COMPREPLY[*]}"
[ ! -e "$directory/executed" ] || fail "an event's name was executed"
# Without tracefs, no events are suggested.
_uetrace_tracing=$directory/nosuch
expect 'uetrace watch ' ''

echo "completion: $checks checks"
exit $failed
