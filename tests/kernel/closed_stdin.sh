#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A program that is started with stdin, stdout and stderr closed: the library takes none of the
# three, whatever stdio or the program then opens there.

. "${0%/*}/helpers/lib.sh"
program=${0%/*}/../../build/tests/kernel/prog/fds

# the fd behind those that were open, and the lowest one that the program gets
assert "$program" "$TMPDIR/open"
"$program" "$TMPDIR/stdin" <&- || fail "exit status $? with stdin closed"
"$program" "$TMPDIR/stdout" >&- || fail "exit status $? with stdout closed"
"$program" "$TMPDIR/all" <&- >&- 2>&- || fail "exit status $? with all closed"
assert_match '^data [3-9][0-9]* lowest [3-9][0-9]* registered 1$' "$(cat "$TMPDIR/open")"
assert_match '^data [3-9][0-9]* lowest 0 registered 1$' "$(cat "$TMPDIR/stdin")"
assert_match '^data [3-9][0-9]* lowest 1 registered 1$' "$(cat "$TMPDIR/stdout")"
assert_match '^data [3-9][0-9]* lowest 0 registered 1$' "$(cat "$TMPDIR/all")"
