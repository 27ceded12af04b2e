#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Starts a program with stdin, stdout and stderr closed. The library must not use descriptors 0 to
# 2, even if stdio or the program later opens other files with these numbers.

. "${0%/*}/helpers/lib.sh"
program=$programs/fds

# the library's fd is in the upper eighth of the fd range, and the lowest number remains free for
# the program
assert "$program" "open"
"$program" "stdin" <&- || fail "exit status $? with stdin closed"
"$program" "stdout" >&- || fail "exit status $? with stdout closed"
"$program" "all" <&- >&- 2>&- || fail "exit status $? with all closed"
assert_match '^data (89[6-9]|9[0-9]{2}|[1-9][0-9]{3,}) lowest 3 registered 1$' "$(cat "open")"
assert_match '^data (89[6-9]|9[0-9]{2}|[1-9][0-9]{3,}) lowest 0 registered 1$' "$(cat "stdin")"
assert_match '^data (89[6-9]|9[0-9]{2}|[1-9][0-9]{3,}) lowest 1 registered 1$' "$(cat "stdout")"
assert_match '^data (89[6-9]|9[0-9]{2}|[1-9][0-9]{3,}) lowest 0 registered 1$' "$(cat "all")"
