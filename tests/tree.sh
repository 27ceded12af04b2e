#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The top folder holds what it is described to hold, and no file that something left there. Binaries
# are made when they are needed, a fuzzer has ten seeds in git, and the shell can read each script.

. "$(dirname "$0")/checks.sh"

git ls-files >"$dir/all" 2>/dev/null && [ -s "$dir/all" ] || {
	echo "this is no git repository"
	exit 77
}
expect "what the top folder has in git" \
	".ci .clang-format .gitignore LICENSE Makefile README.md docs examples include packaging tests" \
	"$(cut -d / -f 1 "$dir/all" | LC_ALL=C sort -u | paste -sd ' ')"
# of profilers, tracers and compilers, wherever they ran
expect "files that tools leave behind" "" \
	"$(grep -E '(^|/)(gmon\.out|a\.out|core|perf\.data(\.old)?|trace\.dat|record|[^/]*\.(o|gcda|gcno|orig|rej))$' "$dir/all")"
# the index may name files that are deleted here
expect "binaries in git" "" "$(xargs grep -lasP '\A\x7fELF' <"$dir/all")"
expect "fuzzers with more than ten seeds" "" \
	"$(sed -n 's|^\(tests/fuzz/[^/]*\)/.*|\1|p' "$dir/all" | uniq -c | awk '$1 > 10 { print $2 }')"
# lint and the benchmarks are no tests, so nothing else would tell
expect "scripts that the shell does not read" "" \
	"$(grep -v '\.md$' "$dir/all" | xargs grep -lasP '\A#!/(usr/bin/env |bin/)(ba)?sh' | while read -r script; do
		case $(head -n 1 "$script") in
		*bash) bash -n "$script" ;;
		*) sh -n "$script" ;;
		esac 2>/dev/null || echo "$script"
	done)"
# The list of chapters at the top of the header, in its order; the macros' and the code's are marked.
chapters()
{
	sed -n '/^ \* The chapters:$/,/^ \* Names that begin/p' include/user_events.h |
		sed -nE "/^ \*\t$1/,/^ \*(\t[a-z]|\$)/{/^ \*\t($1|\t)/s/.*\t//p}" | sed 's/Implementation: //' |
		tr -d '\n' | sed 's/, */,/g'
}
expect "chapters for users" "$(chapters 'for users')" \
	"$(grep -B1 '^ \* ====*$' include/user_events.h | sed -n 's/^ \* \([A-Z]\)/\1/p' | grep -v Implementation | paste -sd ,)"
expect "chapters of macros and code" "$(chapters 'the macros'),$(chapters 'the code')" \
	"$(sed -nE 's|^/\* \* ---- (.*) ---- \*/$|\1|p' include/user_events.h | paste -sd ,)"
echo "the tree: $checks checks"
