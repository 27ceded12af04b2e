#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Starts a first build on a machine without a compiler or packages. The build must name the missing
# parts, stop, and leave no file that a later build would consider up to date.

. "$(dirname "$0")/checks.sh"

# commands that the scripts need, without a compiler
mkdir "$dir/bin"
for name in awk cat cut date expr grep ls make mkdir nproc rm sed sh sort tr; do
	ln -s "$(command -v $name)" "$dir/bin/$name"
done

without_compiler() # TARGET
{
	env -u MAKEFLAGS -u MAKELEVEL PATH="$dir/bin" UE_INSTALL=no make B="$dir/build" "$1" >"$dir/out" 2>&1
}

# the replaced dpkg reports that no packages are installed
printf '#!/bin/sh\nexit 1\n' >"$dir/bin/dpkg-query"
chmod +x "$dir/bin/dpkg-query"
for target in demo tools all test; do
	without_compiler $target
	expect "make $target's exit status" 2 $?
	expect "make $target names" 1 "$(count '^tests/deps: UE_INSTALL=no, so nothing is installed; missing for .*:.* gcc ')"
	expect "what make $target says behind that" "" "$(grep -v -e ^tests/deps: -e ^make "$dir/out")"
done

without_compiler "$dir/build/syscalls.inc"
expect "the exit status without a compiler" 2 $?
make -s B="$dir/build" "$dir/build/syscalls.inc"
expect "a system call in the next build" 1 "$(grep -c '"read"' "$dir/build/syscalls.inc")"
echo "first build: $checks checks"
