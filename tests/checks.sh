# SPDX-License-Identifier: MIT
# What the scripts of this directory share, which source it first: a directory for their files, and checks.
# shellcheck shell=bash

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
checks=0
export TZ=UTC0

fail()
{
	echo "FAILED: $*"
	exit 1
}

# expect WHAT EXPECTED ACTUAL
expect()
{
	checks=$((checks + 1))
	[ "$2" = "$3" ] || fail "$1: expected
$2
got
$3"
}

# tell ARG...: what uetrace says, into $dir/out and $dir/err
tell()
{
	timeout 60 "$uetrace" "$@" >"$dir/out" 2>"$dir/err"
	status=$?
}

# damage FILE ROUND BYTES: a copy with that many other bytes is $dir/bad.uer
damage()
{
	local size k
	size=$(stat -c %s "$1")
	cp "$1" "$dir/bad.uer"
	for ((k = 0; k < $3; k++)); do
		printf "\\x$(printf %02x $((($2 * 37 + k * 101) % 256)))" | dd of="$dir/bad.uer" bs=1 \
			seek=$((($2 * 7919 + k * 1047 + 9000) % size)) conv=notrunc status=none
	done
}

count() # PATTERN
{
	grep -cE -e "$1" "$dir/out"
}
