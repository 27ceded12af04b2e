#!/bin/sh
# SPDX-License-Identifier: MIT
#
# `uetrace run --also` shows all events of a plug-in that the program opens later, from the first
# event on. Without the option, uetrace suggests the option.

. "${0%/*}/helpers/lib.sh"
need_uetrace
opens=$programs/opens
plugin=$top/build/tests/kernel/lib/plugin.so
[ -x "$opens" ] && [ -e "$plugin" ] || skip "there is no $opens: make kernel-programs"

numbers()
{
	sed -n 's/.* plugin_c number=//p' "$1" | xargs
}

assert "$uetrace" run --also "$plugin" -o out "$opens" "$plugin" 2>err
assert_eq "1 2 3" "$(numbers out)" "events of the plug-in"
refute_match 'also' "$(cat err)" "nothing to hint at"
# by a relative path, and selected by name
cp "$plugin" own.so
assert "$uetrace" run --also ./own.so -e plugin_c -o out "$opens" ./own.so 2>err
assert_eq "1 2 3" "$(numbers out)" "selected events of the plug-in"
refute_match 'also' "$(cat err)" "nothing to hint at"

# A file that was not announced is found, but late. uetrace reports the file once.
assert "$uetrace" run -o out "$opens" "$plugin" "$TMPDIR/own.so" 2>err
assert_match '3$' "$(numbers out)" "late events"
assert_eq "uetrace: the first events of $plugin, which the program opened while it ran, may be missing; --also $plugin records them" \
	"$(grep 'also' err)" "hint"

# The program closes a file immediately after opening it. This is tested with user_events and with
# uprobes, for a program that continues and for a program that exits.
for how in "" --usdt; do
	for then in "" "$plugin"; do
		# shellcheck disable=SC2086 # none, or one
		assert "$uetrace" run $how -o out "$opens" "-$TMPDIR/own.so" $then 2>err
		assert_match "the first events of $TMPDIR/own.so, which the program opened while it ran" "$(cat err)" "a brief plug-in $how $then"
	done
	assert "$uetrace" run $how --also ./own.so -o out "$opens" "-$TMPDIR/own.so" 2>err
	assert_eq "1 2" "$(numbers out)" "events of a brief plug-in $how"
	refute_match 'also' "$(cat err)" "nothing to hint at"
	assert "$uetrace" run $how -e host_begins -o out "$opens" "-$TMPDIR/own.so" 2>err
	refute_match 'also' "$(cat err)" "nothing is asked for"
done

# With uprobes too, each file that has its own probes is reported.
assert "$uetrace" run --usdt --also "$plugin" -o out "$opens" "$plugin" 2>err
assert_eq "1 2 3" "$(numbers out)" "events of the plug-in by uprobes"
refute_match 'also' "$(cat err)" "nothing to hint at"
assert "$uetrace" run --usdt -o out "$opens" "$plugin" "$TMPDIR/own.so" 2>err
assert_match '3$' "$(numbers out)" "late events by uprobes"
assert_eq "uetrace: the first events of $plugin, which the program opened while it ran, may be missing; --also $plugin records them
uetrace: the first events of $TMPDIR/own.so, which the program opened while it ran, may be missing; --also $TMPDIR/own.so records them" \
	"$(grep 'also' err)" "hint by uprobes"

"$uetrace" run --also ./nosuch.so "$opens" >out 2>err && fail "a missing plug-in"
assert_match 'cannot read ./nosuch.so: No such file' "$(cat err)"
echo text >text
"$uetrace" run --also ./text "$opens" >out 2>err && fail "no plug-in"
assert_match 'cannot read ./text: it is not an ELF binary' "$(cat err)"
