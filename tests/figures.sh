#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Compares the code sizes in docs/performance.md with those of the current headers, if the same
# compiler is installed. Each figure is stated only on that page; other pages link to it.

. "$(dirname "$0")/checks.sh"
page=docs/performance.md

# cell PATTERN: prints the number in the last column of the documentation's row that matches PATTERN
cell()
{
	sed -nE "/^ *\| .*$1.*\|\$/s/.*\| [^|0-9]*([0-9.]+)[^|]*\|\$/\1/p" "$page"
}

[ "$(gcc -dumpversion 2>/dev/null | cut -d . -f 1) $(uname -m)" = "12 x86_64" ] || {
	echo "the sizes of code in $page are those of GCC 12 on x86-64"
	exit 77
}
printf '#include <user_events.h>\n' >"$dir/none.c"
printf '%s\n' '#include <user_events.h>' 'void one(int a);' 'void one(int a) { UE_TRACE(one, a); }' >"$dir/one.c"
cat "$dir/one.c" - >"$dir/both.c" <<-'END'
	UE_EVENT_SET(set, "Set", UE_LEVEL_INFORMATION, 1);
	void two(int a);
	void two(int a) { UE_LOG(set, "two", a); }
END
# code FILE [FLAG]...: prints the code size of FILE in KB, rounded
code()
{
	gcc -O2 -Iinclude "${@:2}" -c "$dir/$1.c" -o "$dir/$1.o" || fail "$1.c does not compile"
	size "$dir/$1.o" | awk 'NR == 2 { printf "%.0f\n", $1 / 1000 }'
}
expect "KB of code with UE_TRACE, with both kinds, shared, without an event" \
	"$(cell 'UE_TRACE. alone') $(cell 'with both') $(cell UE_IMPLEMENTATION) 0" \
	"$(code one) $(code both) $(code none -DUE_SHARED -DUE_IMPLEMENTATION) $(code none)"
echo "figures: $checks checks"
