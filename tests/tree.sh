#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The top folder holds what it is described to hold, and no file that something left there.

. "$(dirname "$0")/checks.sh"

git ls-files >"$dir/all" 2>/dev/null && [ -s "$dir/all" ] || {
	echo "skipped: this is no git repository"
	exit 0
}
expect "what the top folder has in git" \
	".ci .clang-format .gitignore LICENSE Makefile README.md docs examples include packaging scripts tests" \
	"$(cut -d / -f 1 "$dir/all" | LC_ALL=C sort -u | paste -sd ' ')"
# of profilers, tracers and compilers, wherever they ran
expect "files that tools leave behind" "" \
	"$(grep -E '(^|/)(gmon\.out|a\.out|core|perf\.data(\.old)?|trace\.dat|record|[^/]*\.(o|gcda|gcno|orig|rej))$' "$dir/all")"
echo "the tree: $checks checks"
