#!/bin/bash
# SPDX-License-Identifier: MIT
#
# If root runs uetrace with an output file in a directory like /tmp, uetrace must not write through
# a symbolic link or to another user's file. If a file name contains a newline, a message about the
# file must still be a single line.

. "$(dirname "$0")/../checks.sh"
uetrace=$PWD/build/uetrace
data=$PWD/tests/data/perf_one.data

chmod 755 "$dir"
mkdir "$dir/shared"
chmod 1777 "$dir/shared"
echo precious >"$dir/victim"
ln -s "$dir/victim" "$dir/shared/link"
for option in --json --stats; do
	tell show $option -o "$dir/shared/link" "$data"
	expect "a link: status" 1 $status
	expect "a link" precious "$(cat "$dir/victim")"
	grep -q "^uetrace: cannot write $dir/shared/link: " "$dir/err" || fail "a link: $(cat "$dir/err")"
done
tell show --json -o "$dir/shared/own" "$data"
expect "our own file" "0 21" "$status $(wc -l <"$dir/shared/own")"
echo "longer than what is written now, if it were not emptied; $(seq 1000)" >"$dir/shared/own"
tell show --json -o "$dir/shared/own" "$data"
expect "our own file, written again" "0 21" "$status $(wc -l <"$dir/shared/own")"
ln -s "$dir/victim" "$dir/link"
tell show --json -o "$dir/link" "$data"
expect "a link in our own directory" "0 21" "$status $(wc -l <"$dir/victim")"
tell show --json -o /dev/stdout "$data"
expect "standard output by its name" "0 21" "$status $(wc -l <"$dir/out")"
if [ "$(id -u)" -eq 0 ]; then
	echo precious >"$dir/shared/other"
	chmod 666 "$dir/shared/other"
	# the directory belongs to a third user
	chown 65534 "$dir/shared/other"
	tell show --json -o "$dir/shared/other" "$data"
	expect "another user's file" "1 precious" "$status $(cat "$dir/shared/other")"
else
	echo "skipped: only root has files of others"
fi

name=$(printf 'two\nuetrace: forged \033[31m')
tell list "$dir/$name"
expect "a newline in a name" "uetrace: cannot read $dir/two?uetrace: forged ?[31m: No such file or directory" \
	"$(cat "$dir/err")"

# in the journal, messages must not be mistaken for events
tell_journal()
{
	JOURNAL_STREAM=$1 "$uetrace" list "$dir/nosuch" 2>"$dir/err"
	cut -d : -f 1 "$dir/err"
}
expect "a message to the journal" "<4>uetrace" "$(tell_journal "$(stat -c %d:%i "$dir/err")")"
expect "a message to another file" uetrace "$(tell_journal 1:1)"

echo "output: $checks checks"
