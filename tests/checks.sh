# SPDX-License-Identifier: MIT
# Helpers for the scripts in this directory: a temporary directory and checks. Each script sources
# this file first.
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

# expect WHAT EXPECTED ACTUAL: fails if the two texts differ
expect()
{
	checks=$((checks + 1))
	[ "$2" = "$3" ] || fail "$1: expected
$2
got
$3"
}

# tell ARG...: runs uetrace and stores its output in $dir/out and $dir/err, and its exit status in
# $status
tell()
{
	timeout 60 "$uetrace" "$@" >"$dir/out" 2>"$dir/err"
	status=$?
}

# damage FILE ROUND BYTES: copies FILE to $dir/bad.uer and overwrites BYTES bytes of the copy, at
# positions that depend on ROUND
damage()
{
	python3 - "$1" "$2" "$3" "$dir/bad.uer" <<-'END' || fail "cannot damage $1"
		import sys
		data = bytearray(open(sys.argv[1], "rb").read())
		number, count = int(sys.argv[2]), int(sys.argv[3])
		for k in range(count):
		    data[(number * 7919 + k * 1047 + 9000) % len(data)] = (number * 37 + k * 101) % 256
		open(sys.argv[4], "wb").write(data)
	END
}

# count PATTERN: prints the number of lines in $dir/out that match PATTERN
count()
{
	grep -cE -e "$1" "$dir/out"
}
