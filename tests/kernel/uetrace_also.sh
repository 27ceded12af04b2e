#!/bin/sh
# SPDX-License-Identifier: MIT
#
# With `uetrace run --also`, all events of a plug-in that the program opens later must be shown,
# from the first event on. Without the option, uetrace must suggest it.

. "${0%/*}/helpers/lib.sh"
need_uetrace
opens=$programs/opens
plugin=$top/build/tests/kernel/lib/plugin.so
[ -x "$opens" ] && [ -e "$plugin" ] || skip "$opens is missing; run 'make kernel-programs'"

numbers()
{
	sed -n 's/.* plugin_c number=//p' "$1" | xargs
}

assert "$uetrace" run --also "$plugin" -o out "$opens" "$plugin" 2>err
assert_eq "1 2 3" "$(numbers out)" "events of the plug-in"
refute_match 'also' "$(cat err)" "suggestions without a reason"
# the file is given as a relative path, and its event is selected by name
cp "$plugin" own.so
assert "$uetrace" run --also ./own.so -e plugin_c -o out "$opens" ./own.so 2>err
assert_eq "1 2 3" "$(numbers out)" "selected events of the plug-in"
refute_match 'also' "$(cat err)" "suggestions without a reason"

# A file that was not announced with --also is found, but late. uetrace reports such a file once.
assert "$uetrace" run -o out "$opens" "$plugin" "$TMPDIR/own.so" 2>err
assert_match '3$' "$(numbers out)" "late events"
assert_eq "uetrace: the first events of $plugin, which the program opened at run time, may be missing; use --also $plugin to record them" \
	"$(grep 'also' err)" "hint"

# The program closes a file immediately after opening it, and then continues or exits. Tested with
# user_events and with uprobes.
for how in "" --usdt; do
	for then in "" "$plugin"; do
		# shellcheck disable=SC2086 # none, or one
		assert "$uetrace" run $how -o out "$opens" "-$TMPDIR/own.so" $then 2>err
		assert_match "the first events of $TMPDIR/own.so, which the program opened at run time" "$(cat err)" "a brief plug-in $how $then"
	done
	assert "$uetrace" run $how --also ./own.so -o out "$opens" "-$TMPDIR/own.so" 2>err
	assert_eq "1 2" "$(numbers out)" "events of a brief plug-in $how"
	refute_match 'also' "$(cat err)" "suggestions without a reason"
	assert "$uetrace" run $how -e host_begins -o out "$opens" "-$TMPDIR/own.so" 2>err
	refute_match 'also' "$(cat err)" "suggestions without requested events"
done

# With uprobes, uetrace also reports each file that contains probes of its own.
assert "$uetrace" run --usdt --also "$plugin" -o out "$opens" "$plugin" 2>err
assert_eq "1 2 3" "$(numbers out)" "events of the plug-in recorded with uprobes"
refute_match 'also' "$(cat err)" "suggestions without a reason"
assert "$uetrace" run --usdt -o out "$opens" "$plugin" "$TMPDIR/own.so" 2>err
assert_match '3$' "$(numbers out)" "late events recorded with uprobes"
assert_eq "uetrace: the first events of $plugin, which the program opened at run time, may be missing; use --also $plugin to record them
uetrace: the first events of $TMPDIR/own.so, which the program opened at run time, may be missing; use --also $TMPDIR/own.so to record them" \
	"$(grep 'also' err)" "hint by uprobes"

"$uetrace" run --also ./nosuch.so "$opens" >out 2>err && fail "uetrace accepts --also with a missing file"
assert_match 'cannot read ./nosuch.so: No such file' "$(cat err)"
echo text >text
"$uetrace" run --also ./text "$opens" >out 2>err && fail "uetrace accepts --also with a file that is no plug-in"
assert_match 'cannot read ./text: it is not an ELF binary' "$(cat err)"
