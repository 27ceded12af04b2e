#!/bin/bash
# SPDX-License-Identifier: MIT
#
# One figure has one value: what an event costs stands in docs/performance.md, and what other pages and headers say
# agrees with it; so does the version. The sizes of code there are those of today's headers, where the compiler is the page's.

. "$(dirname "$0")/checks.sh"
page=docs/performance.md

# Each text as one line, without the stars of comments; the list of changes tells of older versions.
for file in README.md docs/*.md include/*.h; do
	[ "$file" = docs/CHANGELOG.md ] || printf '%s: %s\n' "$file" "$(sed 's/^ \* *//' "$file" | tr '\t\n' '  ' | tr -s ' ')"
done >"$dir/texts"

# cell PATTERN: the number in the last column of the page's row that matches PATTERN
cell()
{
	sed -nE "/^ *\| .*$1.*\|\$/s/.*\| [^|0-9]*([0-9.]+)[^|]*\|\$/\1/p" "$page"
}
# values PATTERN: what matches the Perl pattern in all texts, each once
values()
{
	grep -oP "$1" "$dir/texts" | sort -u | paste -sd ' '
}

# A copy of the library's code. Other pages name one kind of event, the other, or a range.
one=$(cell 'UE_TRACE. alone') both=$(cell 'with both') shared=$(cell UE_IMPLEMENTATION)
grep -oE '^[^:]*:|.{0,70}[0-9.]+ KB.{0,40}' "$dir/texts" | awk -v one="$one" -v both="$both" -v shared="$shared" '
	/^[^ ]*:$/ { file = $0; next }
	!/code|copy|compil/ { next }
	{ seen++ }
	match($0, /[0-9.]+ KB/) {
		kb = substr($0, RSTART, RLENGTH) + 0
		if ((kb < one || kb > both) && kb != shared)
			print file " " $0
	}
	END { if (seen < 2) print "only " seen + 0 " texts say how large the code is" }' >"$dir/wrong"
expect "KB of code outside of $one to $both, and $shared for UE_SHARED" "" "$(cat "$dir/wrong")"
if [ "$(gcc -dumpversion 2>/dev/null | cut -d . -f 1) $(uname -m)" = "12 x86_64" ]; then
	printf '#include <user_events.h>\n' >"$dir/none.c"
	printf '%s\n' '#include <user_events.h>' 'void one(int a);' 'void one(int a) { UE_TRACE(one, a); }' >"$dir/one.c"
	cat "$dir/one.c" - >"$dir/both.c" <<-'END'
		UE_EVENT_SET(set, "Set", UE_LEVEL_INFORMATION, 1);
		void two(int a);
		void two(int a) { UE_LOG(set, "two", a); }
	END
	# code FILE [FLAG]...: KB that it has, rounded
	code()
	{
		gcc -O2 -Iinclude "${@:2}" -c "$dir/$1.c" -o "$dir/$1.o" || fail "$1.c does not compile"
		size "$dir/$1.o" | awk 'NR == 2 { printf "%.0f\n", $1 / 1000 }'
	}
	expect "KB of code with UE_TRACE, with both, shared, without an event" "$one $both $shared 0" \
		"$(code one) $(code both) $(code none -DUE_SHARED -DUE_IMPLEMENTATION) $(code none)"
else
	echo "skipped: the sizes of code in $page are those of GCC 12 on x86-64"
fi
expect "seconds to compile the code" 0.3 "$(values '[0-9.]+(?= (s|seconds) of (compiling|them))|GCC 12 some \K[0-9.]+(?= s,)')"

# The table of stack, and the header's
expect "KiB of stack" "$(sed -n '/^ \*\tup to .* scalars/,/^ \* UE_TRACEPOINT(/p' include/user_events.h | grep -oE '[0-9.]+ KiB')" \
	"$(sed -n '/^| of up to .* scalars/,/^| by /p' "$page" | sed '$d' | grep -oE '[0-9.]+ KiB')"

# One write() of a copy against a writev(); an event's own cost; its memory
expect "instructions of write() and writev(), one pair" 2 "$(values '[0-9]+(?= instructions against [0-9])|instructions against \K[0-9]+' | wc -w)"
expect "times a bare write()" "$(awk '/^UE_TRACE, 4 scalars/ { printf "%.2f\n", $(NF - 1) }' "$page")" \
	"$(values '[0-9.]+(?= times a bare)')"
expect "bytes of an event's memory" "$(sed -nE 's/^memory of an event +([0-9]+) bytes$/\1/p' "$page")" \
	"$(values '[0-9]+(?= bytes of writable memory)')"

version=$(sed -nE 's/^#define UE_VERSION_[A-Z]+ ([0-9]+)$/\1/p' include/user_events.h | paste -sd .)
expect "the version in README, the list of changes, and the manual page of uetrace" "$version $version $version" \
	"$(sed -nE 's/^Version ([0-9.]+[0-9])\..*/\1/p' README.md) $(sed -nE '/^## [0-9]/{s/## ([0-9.]*).*/\1/p;q}' docs/CHANGELOG.md) $(
		sed -nE 's/^\.TH .*user_events\.h ([0-9.]+)".*/\1/p' tools/uetrace/uetrace.1)"
echo "figures: $checks checks"
