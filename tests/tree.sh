#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Checks the files in git: the top-level directories, no files left by tools, no binaries, at most
# ten seeds for each fuzzer, and valid syntax of all scripts.

. "$(dirname "$0")/checks.sh"

git ls-files >"$dir/all" 2>/dev/null && [ -s "$dir/all" ] || {
	echo "this is no git repository"
	exit 77
}
# include/ is the product, tests/ tests it, docs/ explains it, and examples/ shows how to use it.
# tools/ contains programs that read events or generate code, which users run but never copy.
# packaging/ contains the files that distributions and build systems need for installation.
expect "top-level directories and files" \
	".ci .clang-format .gitignore LICENSE Makefile README.md docs examples include packaging tests tools" \
	"$(cut -d / -f 1 "$dir/all" | LC_ALL=C sort -u | paste -sd ' ')"
# files that profilers, tracers and compilers leave in any directory
expect "files that tools leave behind" "" \
	"$(grep -E '(^|/)(gmon\.out|a\.out|core|perf\.data(\.old)?|trace\.dat|record|[^/]*\.(o|gcda|gcno|orig|rej))$' "$dir/all")"
# the index may contain files that no longer exist in the working tree
expect "binaries in git" "" "$(xargs grep -lasP '\A\x7fELF' <"$dir/all")"
expect "fuzzers with more than ten seeds" "" \
	"$(sed -n 's|^\(tests/fuzz/[^/]*\)/.*|\1|p' "$dir/all" | uniq -c | awk '$1 > 10 { print $2 }')"
# lint and benchmarks are not tests, so their syntax errors are found only here
expect "scripts that the shell does not read" "" \
	"$(grep -v '\.md$' "$dir/all" | xargs grep -lasP '\A#!/(usr/bin/env |bin/)(ba)?sh' | while read -r script; do
		case $(head -n 1 "$script") in
		*bash) bash -n "$script" ;;
		*sh) sh -n "$script" ;;
		*) false ;; # the kernel would pass further text after the interpreter as an argument
		esac 2>/dev/null || echo "$script"
	done)"
version=$(sed -nE 's/^#define UE_VERSION_[A-Z]+ ([0-9]+)$/\1/p' include/user_events.h | paste -sd .)
expect "the version in README, the list of changes, and the manual page of uetrace" "$version $version $version" \
	"$(sed -nE 's/^Version ([0-9.]+[0-9])\..*/\1/p' README.md) $(sed -nE '/^## [0-9]/{s/## ([0-9.]*).*/\1/p;q}' docs/CHANGELOG.md) $(
		sed -nE 's/^\.TH .*user_events\.h ([0-9.]+)".*/\1/p' tools/uetrace/uetrace.1)"
# Prints the chapters listed under LABEL in the header's table of contents, separated by commas.
chapters()
{
	sed -n '/^ \* Contents:$/,/^ \* Names that begin/p' include/user_events.h |
		sed -nE "/^ \*\t$1/,/^ \*(\t[a-z]|\$)/{/^ \*\t($1|\t)/s/.*\t//p}" |
		tr -d '\n' | sed 's/, */,/g'
}
expect "chapters of the interface" "$(chapters interface)" \
	"$(grep -B1 '^ \* ====*$' include/user_events.h | sed -n 's/^ \* \([A-Z]\)/\1/p' | grep -v Implementation | paste -sd ,)"
expect "chapters of macros and implementation" "$(chapters macros),$(chapters implementation)" \
	"$(sed -nE 's|^/\* \* ---- (.*) ---- \*/$|\1|p' include/user_events.h | paste -sd ,)"
echo "the tree: $checks checks"
