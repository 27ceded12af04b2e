#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A program with more privileges than its caller must ignore UE_RECORD, because it could otherwise
# write files that the caller may not write. Tested with setuid programs and, if the file system
# supports them, with file capabilities.

. "${0%/*}/helpers/lib.sh"

chmod 755 .
mkdir -m 777 free
install -m 755 "$programs/records" plain
install -m 755 "$programs/records" capable
install -m 4755 "$programs/records" setuid
privileged=setuid
# skip the test on file systems without capabilities
if setcap cap_dac_override+ep "$TMPDIR/capable" 2>/dev/null; then
	privileged="setuid capable"
fi

as_nobody() # PROGRAM
{
	UE_RECORD=$TMPDIR/free/$1.uer setpriv --reuid 65534 --regid 65534 --clear-groups "$TMPDIR/$1" >"$TMPDIR/out"
}

as_nobody plain
assert_match '^secure 0 environment 1$' "$(cat "$TMPDIR/out")"
assert test -s "$TMPDIR/free/plain.uer"
for program in $privileged; do
	as_nobody $program
	assert_match '^secure 1 environment 0$' "$(cat "$TMPDIR/out")"
	assert test ! -e "$TMPDIR/free/$program.uer"
done
