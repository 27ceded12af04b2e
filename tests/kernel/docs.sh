#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The commands of the documentation: the `sh kernel` blocks of a page run in one shell,
# beside the page's programs, and none of them may fail. The words of the output that the
# page shows under them must occur in what they print, numbers aside.

. "${0%/*}/lib.sh"

top=$(cd "${0%/*}/../.." && pwd -P)
work=$TMPDIR/docs
mkdir -p "$work"

# words: those that do not change from run to run.
words()
{
	grep -oE '[A-Za-z_]{4,}' | sort -u
}

# page FILE: compiles its programs, runs its commands.
page()
{
	dir=$work/$(basename "$1" .md)
	mkdir -p "$dir"
	awk -v OUT="$dir" -f "$top/tests/docs/blocks.awk" "$1"
	script=$dir/commands
	expected=$dir/expected
	: >"$expected"
	echo "cd $dir" >"$script"
	after=
	for block in "$dir"/[0-9][0-9][0-9].*; do
		case $block in
		*.tags) continue ;;
		*.c)
			name=$(grep -oE '[a-z_]+\.c' "$block.tags")
			if [ -n "$name" ] && grep -q 'int main(' "$block"; then
				cp "$block" "$dir/$name"
				gcc -I"$top/include" "$dir/$name" -o "$dir/${name%.c}" ||
					fail "$1: $name does not compile"
			fi ;;
		*.sh)
			after=
			if grep -q ' kernel ' "$block.tags"; then
				after=1
				cat "$block" >>"$script"
			fi ;;
		*.text)
			if [ "$after" ] && ! grep -q ' other ' "$block.tags"; then
				cat "$block" >>"$expected"
			fi
			after= ;;
		esac
	done
	[ "$(wc -l <"$script")" -gt 1 ] || return 0
	for need_block in perf trace-cmd bpftrace; do
		! grep -qw "$need_block" "$script" || need "$need_block"
	done
	( bash -euo pipefail -c 'trap "kill \$(jobs -p) 2>/dev/null" EXIT; . "$1"' docs "$script" 2>&1
	  echo "exit status $?" ) | tee "$dir/output"
	grep -qx 'exit status 0' "$dir/output" || fail "$1: a command failed, see above"
	words <"$dir/output" >"$dir/words"
	missing=$(words <"$expected" | sed 's/^server$/request/' | sort -u | comm -23 - "$dir/words")
	[ -z "$missing" ] || fail "$1: its output shows words that were not printed:" $missing
}

for file in "$top"/README.md "$top"/docs/*.md; do
	page "$file"
done
