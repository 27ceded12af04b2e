#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The commands of the documentation: the `sh kernel` blocks of a page run in one shell,
# beside the page's programs, and none of them may fail. The words of the output that the
# page shows under them must occur in what they print, numbers aside.

. "${0%/*}/helpers/lib.sh"

work=$TMPDIR/docs
mkdir -p "$work"
# what make install-tools puts there
[ ! -e "$top/build/plugin_user_events.so" ] || install -D "$top/build/plugin_user_events.so" \
	/usr/local/lib/user_events/plugins/plugin_user_events.so

# as the pages find them: another test may have let a group in
chgrp root /sys/kernel/tracing /sys/kernel/tracing/user_events_data
chmod 700 /sys/kernel/tracing
chmod 640 /sys/kernel/tracing/user_events_data

PATH=$top/build:$PATH # uetrace
export UE_INCLUDE="$top/include"

# words: those that do not change from run to run.
words()
{
	grep -oE '[A-Za-z_]{4,}' | sort -u
}

# compile BLOCK NAME: to $dir/NAME, and each text only once: pages share programs. What
# "tests/docs/run programs" has compiled is taken, since compiling takes long in an emulated machine.
compile()
{
	binary=$work/$(cksum <"$1" | tr ' ' -)
	built=$top/build/docs-test/$(basename "$dir")/$2
	if [ ! -e "$binary" ] && cmp -s "$1" "$built.c" &&
		[ "$built" -nt "$top/include/user_events.h" ]; then
		cp "$built" "$binary"
	fi
	if [ ! -e "$binary" ]; then
		gcc -I"$top/include" -I"$top/include/kernel" -I"$dir" "$1" -o "$binary" || fail "$1 does not compile"
	fi
	ln -f "$binary" "$dir/$2"
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
	: >"$script"
	after=
	for block in "$dir"/[0-9][0-9][0-9].*; do
		case $block in
		*.tags) continue ;;
		*.c)
			name=$(grep -oE '[a-z_]+\.[ch]' "$block.tags")
			[[ $name != *.h ]] || cp "$block" "$dir/$name"
			if [ -n "$name" ] && grep -q 'int main(' "$block" &&
				cat "$dir"/*.sh 2>/dev/null | grep -q "\./${name%.c}\b"; then
				compile "$block" "${name%.c}"
			fi ;;
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
	[ -z "$missing" ] || fail "$1: its output shows words that were not printed:" $missing
}

# The other pages: docs_tour.sh, so that neither takes too long.
[ $# -gt 0 ] || set -- "$top"/docs/kernel.md
for file; do
	page "$file"
done
