#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A program that is started with stdin, stdout and stderr closed: the library takes none of the
# three, whatever stdio or the program then opens there.

. "${0%/*}/helpers/lib.sh"
program=$programs/fds

# the fd is in the last eighth of the numbers, and the lowest is the program's
assert "$program" "open"
"$program" "stdin" <&- || fail "exit status $? with stdin closed"
"$program" "stdout" >&- || fail "exit status $? with stdout closed"
"$program" "all" <&- >&- 2>&- || fail "exit status $? with all closed"
assert_match '^data (89[6-9]|9[0-9]{2}|[1-9][0-9]{3,}) lowest 3 registered 1$' "$(cat "open")"
assert_match '^data (89[6-9]|9[0-9]{2}|[1-9][0-9]{3,}) lowest 0 registered 1$' "$(cat "stdin")"
assert_match '^data (89[6-9]|9[0-9]{2}|[1-9][0-9]{3,}) lowest 1 registered 1$' "$(cat "stdout")"
assert_match '^data (89[6-9]|9[0-9]{2}|[1-9][0-9]{3,}) lowest 0 registered 1$' "$(cat "all")"
