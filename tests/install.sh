#!/bin/bash
# SPDX-License-Identifier: MIT
#
# pkg-config and CMake must find the files that `make install` has installed, even after they were
# moved. The files must work, and `make uninstall` must remove them. The headers must also work when
# copied to an empty directory.

. "$(dirname "$0")/checks.sh"
set -e
at=$PWD/build/install
rm -rf "$at"
make -s install prefix="$at/usr"
consumer=$PWD/tests/consumer
export PKG_CONFIG_PATH="$at/usr/share/pkgconfig"
version=$(pkg-config --modversion user_events)
grep -q "UE_VERSION_MAJOR ${version%%.*}$" include/user_events.h
# pc PREFIX: checks that pkg-config finds the headers below PREFIX, and that programs compile with
# its flags
pc()
{
	export PKG_CONFIG_PATH="$1/share/pkgconfig"
	expect "where pkg-config finds the headers" "$1/include" \
		"$(realpath -m "$(pkg-config --variable=includedir user_events)")"
	# shellcheck disable=SC2046
	cc -o "$at/pc" "$consumer/main.c" $(pkg-config --cflags user_events)
	"$at/pc"
	# shellcheck disable=SC2046
	cc -o "$at/kernel" "$consumer/kernel.c" -I"$consumer" $(pkg-config --cflags user_events-kernel)
	"$at/kernel"
	# shellcheck disable=SC2046
	cc -o "$at/compat" "$consumer/compat.c" $(pkg-config --cflags user_events-compat)
	"$at/compat"
}
pc "$at/usr"
mkdir "$at/copy"
echo 'find_package(user_events 1.0 REQUIRED)' >"$at/package.cmake"
# consume PREFIX: checks that a CMake project finds the package and the headers below PREFIX
consume()
{
	rm -rf "$at/cmake"
	cmake -S "$consumer" -B "$at/cmake" -DPACKAGE="$at/package.cmake" -DCMAKE_PREFIX_PATH="$1" \
		-DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DCMAKE_C_COMPILER_WORKS=1 >"$at/log"
	cmake --build "$at/cmake" >>"$at/log"
	"$at/cmake/consumer"
	"$at/cmake/consumer_kernel"
	"$at/cmake/consumer_compat"
	grep -q -- "$1/include" "$at/cmake/compile_commands.json" ||
		fail "the headers are not those below $1"
}
consume "$at/usr"
# installed with DESTDIR, as in a package build, and then moved
make -s install DESTDIR="$at/stage" prefix=/usr
[ -f "$at/stage/usr/include/user_events.h" ] && [ -f "$at/stage/usr/share/licenses/user_events/LICENSE" ] ||
	fail "no header or no license below DESTDIR"
expect "a manual page" "$at/stage/usr/share/man/man3/UE_TRACE.3" "$(man -M "$at/stage/usr/share/man" -w 3 UE_TRACE)"
consume "$at/stage/usr"
echo 'provider p { probe a(int); };' >"$at/p.d"
"$at/stage/usr/bin/ue-dtrace" -G -s "$at/p.d" -o "$at/p.o" # finds the header near its own path
pc "$at/stage/usr"
mv "$at/stage/usr" "$at/moved"
consume "$at/moved"
pc "$at/moved"
# headers outside of the prefix, as on systems that split a package into several outputs
make -s install prefix="$at/main" includedir="$at/dev/include"
expect "headers elsewhere" "$at/dev/include" \
	"$(PKG_CONFIG_PATH="$at/main/share/pkgconfig" pkg-config --variable=includedir user_events)"
cp include/user_events.h "$at/copy"
sed 's/<user_events.h>/"user_events.h"/' "$consumer/main.c" >"$at/copy/main.c"
cc -o "$at/copy/main" "$at/copy/main.c"
"$at/copy/main"
# The shell must not parse a quote in DESTDIR.
quoted="$at/a'b \"c"
make -s install DESTDIR="$quoted" prefix=/usr
expect "a DESTDIR with quotes" "usr/include/user_events.h
usr/share/cmake/user_events/user_events-config.cmake
usr/share/man/man3/UE_TRACE.3
usr/share/pkgconfig/user_events.pc" "$(cd "$quoted" && find . -name UE_TRACE.3 -o -name user_events.h -o \
	-name user_events.pc -o -name user_events-config.cmake | sed 's|./||' | sort)"
make -s uninstall DESTDIR="$quoted" prefix=/usr
expect "left behind in a DESTDIR with quotes" "" "$(find "$quoted" -type f)"
make -s uninstall prefix="$at/usr"
expect "left behind" "" "$(find "$at/usr" -type f)"
echo "installation: $checks checks"
