#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Recorder files must be readable on any machine with the same byte order. This machine reads the
# files in tests/data. If a cross compiler and qemu-user are installed, emulated 32-bit and 64-bit
# machines read these files and a file written by this machine, and this machine reads the files
# written by the emulated machines. A big-endian machine reads only its own file.

. "$(dirname "$0")/../checks.sh"
machines=0

build() # COMPILER OUTPUT [OPTION]
{
	$1 -std=c11 -Wall -Wextra -Iinclude ${3:-} tests/data/recorder_machine.c -o "$2" ||
		fail "$1 does not compile"
}

here=$dir/recorder_machine
build "${CC:-cc}" "$here"
"$here" read tests/data/recorder_*.uer || fail "this machine cannot read a file in tests/data"
"$here" write "$dir/here.uer" || fail "the program records nothing on this machine"
"$here" read "$dir/here.uer" || fail "this machine cannot read its own file"
head -c 5000 "$dir/here.uer" >"$dir/cut.uer"
! "$here" read "$dir/cut.uer" 2>"$dir/err" || fail "a truncated file is accepted"

while read -r machine compiler qemu option; do
	qemu=$(command -v "$qemu-static" "$qemu" | head -n 1) # provided by qemu-user-static or qemu-user
	command -v "$compiler" >/dev/null && [ -n "$qemu" ] || continue
	machines=$((machines + 1))
	mkdir "$dir/$machine"
	build "$compiler" "$dir/$machine/recorder_machine" "-static $option"
	run="$qemu $dir/$machine/recorder_machine"
	$run write "$dir/$machine.uer" || fail "$machine records nothing"
	if [ "$machine" = s390x ]; then
		$run read "$dir/$machine.uer" || fail "$machine cannot read its own file"
		! "$here" read "$dir/$machine.uer" 2>"$dir/err" || fail "a file of the other byte order is accepted"
		continue
	fi
	$run read tests/data/recorder_*.uer "$dir/here.uer" || fail "$machine cannot read the files in tests/data"
	"$here" read "$dir/$machine.uer" || fail "this machine cannot read the file of $machine"
done <<'END'
s390x s390x-linux-gnu-gcc qemu-s390x
i686 i686-linux-gnu-gcc qemu-i386 -march=i486
aarch64 aarch64-linux-gnu-gcc qemu-aarch64
ppc64le powerpc64le-linux-gnu-gcc qemu-ppc64le
armhf arm-linux-gnueabihf-gcc qemu-arm
END
echo "files of $(ls tests/data/recorder_*.uer | wc -l) machines were read; $machines other machines ran"
