#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Runs the commands of the documentation. The `sh kernel` blocks of a page run in one shell,
# together with the page's programs, and must succeed. Each word of the output shown below a block
# must occur in the block's actual output; numbers are ignored.

. "${0%/*}/helpers/lib.sh"

work=$TMPDIR/docs
mkdir -p "$work"
# Provide the commands that `make install-tools` installs.
[ ! -e "$top/build/plugin_user_events.so" ] || install -D "$top/build/plugin_user_events.so" \
	/usr/local/lib/user_events/plugins/plugin_user_events.so

# Restore the permissions that the pages assume, because another test may have granted a group
# access.
chgrp root /sys/kernel/tracing /sys/kernel/tracing/user_events_data
chmod 700 /sys/kernel/tracing
chmod 640 /sys/kernel/tracing/user_events_data

PATH=$top/build:$PATH # path of uetrace
export UE_INCLUDE="$top/include"

# words: copies the words that are the same in every run from standard input to standard output.
words()
{
	grep -oE '[A-Za-z_]{4,}' | sort -u
}

# page FILE: runs the commands of a documentation page in a directory with the page's programs,
# which "tests/docs/run programs" compiled.
page()
{
	dir=$work/$(basename "$1" .md)
	mkdir -p "$dir"
	find "$top/build/docs-test/${dir##*/}" -maxdepth 1 -type f -perm /111 -exec cp -t "$dir" {} + ||
		fail "the pages' programs are missing; run 'make kernel-programs'"
	awk -v OUT="$dir" -f "$top/tests/docs/blocks.awk" "$1"
	script=$dir/commands
	expected=$dir/expected
	: >"$expected"
	: >"$script"
	after=
	for block in "$dir"/[0-9][0-9][0-9].*; do
		case $block in
		*.tags) continue ;;
		*.sh)
			after=
			if grep -q ' kernel ' "$block.tags"; then
				after=1
				echo "cd $dir" >>"$script"
				cat "$block" >>"$script"
			fi ;;
		*.text)
			if [ "$after" ] && ! grep -q ' other ' "$block.tags"; then
				cat "$block" >>"$expected"
			fi
			after= ;;
		esac
	done
	[ -s "$script" ] || return 0
	for need_block in perf trace-cmd bpftrace babeltrace2; do
		! grep -qw "$need_block" "$script" || need "$need_block"
	done
	( bash -eu -c 'trap "kill \$(jobs -p) 2>/dev/null || :" EXIT; . "$1"' docs "$script" 2>&1
	  echo "exit status $?" ) | tee "$dir/output"
	grep -qx 'exit status 0' "$dir/output" || fail "$1: a command failed, see above"
	words <"$dir/output" >"$dir/words"
	missing=$(words <"$expected" | comm -23 - "$dir/words")
	[ -z "$missing" ] || fail "$1: these words of the documented output were not printed:" $missing
}

# docs_tour.sh runs the other pages. The pages are divided between two scripts, so that neither
# exceeds the time limit.
[ $# -gt 0 ] || set -- "$top"/docs/kernel.md
for file; do
	page "$file"
done
