#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Checks that each file in tests/promises.txt exists, is run, and contains the named test.

. "$(dirname "$0")/checks.sh"
names=$(make -s print-tests)
while IFS=$'\t' read -r promise file test rest; do
	[ -n "$promise" ] && [ "${promise#\#}" = "$promise" ] || continue
	[ -n "$test" ] && [ -z "$rest" ] || fail "promises.txt: '$promise' has no three columns"
	[ -f "$file" ] || fail "promises.txt: $file does not exist: $promise"
	case $file in
	*.c | *.cc) grep -qE "^TEST(_[A-Z]+)*\($test[,)]" "$file" ;;
	*) grep -qF -- "$test" "$file" && [ -x "$file" ] ;;
	esac || fail "promises.txt: $file has no test '$test': $promise"
	name=${file##*/}
	case $file in
	tests/kernel/*) ;; # make check-kernel runs all files of this directory
	*) grep -qE "^${name%.*}(\.asan)?\$" <<<"$names" || fail "promises.txt: no make target runs $file" ;;
	esac
	checks=$((checks + 1))
done <tests/promises.txt
[ "$checks" -gt 0 ] || fail "promises.txt is empty"
echo "promises: $checks checks"
