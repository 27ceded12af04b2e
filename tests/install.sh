#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What `make install` puts somewhere is found by pkg-config and CMake there, also after a move, works,
# and is gone after `make uninstall`. The headers work as copies in an empty folder, too.

. "$(dirname "$0")/checks.sh"
set -e
at=$PWD/build/install
rm -rf "$at"
make -s install prefix="$at/usr"
cat >"$at/main.c" <<'END'
#include <user_events.h>
int main(void)
{
	UE_TRACE(installed);
	return 0;
}
END
cat >"$at/event.h" <<'END'
#undef TRACE_SYSTEM
#define TRACE_SYSTEM installed
#if !defined(EVENT_H) || defined(TRACE_HEADER_MULTI_READ)
#define EVENT_H
#include <linux/tracepoint.h>
TRACE_EVENT(installed_event, TP_PROTO(int number), TP_ARGS(number),
	    TP_STRUCT__entry(__field(int, number)), TP_fast_assign(__entry->number = number;),
	    TP_printk("number=%d", __entry->number));
#endif
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE event
#include <trace/define_trace.h>
END
cat >"$at/kernel.c" <<'END'
#define CREATE_TRACE_POINTS
#include "event.h"
int main(void)
{
	trace_installed_event(1);
	return 0;
}
END
cat >"$at/compat.c" <<'END'
#include <eventheader/TraceLoggingProvider.h>
#include <tracepoint/tracepoint-provider.h>
TRACELOGGING_DEFINE_PROVIDER(provider, "Installed", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
int main(void)
{
	TraceLoggingRegister(provider);
	return TraceLoggingWrite(provider, "Event");
}
END
export PKG_CONFIG_PATH="$at/usr/share/pkgconfig"
version=$(pkg-config --modversion user_events)
grep -q "UE_VERSION_MAJOR ${version%%.*}$" include/user_events.h
# pc PREFIX: pkg-config finds the headers below PREFIX, and its packages build
pc()
{
	export PKG_CONFIG_PATH="$1/share/pkgconfig"
	expect "where pkg-config finds the headers" "$1/include" \
		"$(realpath -m "$(pkg-config --variable=includedir user_events)")"
	# shellcheck disable=SC2046
	cc -o "$at/pc" "$at/main.c" $(pkg-config --cflags user_events)
	"$at/pc"
	# shellcheck disable=SC2046
	cc -o "$at/kernel" "$at/kernel.c" -I"$at" $(pkg-config --cflags user_events-kernel)
	"$at/kernel"
	# shellcheck disable=SC2046
	cc -o "$at/compat" "$at/compat.c" $(pkg-config --cflags user_events-compat)
	"$at/compat"
}
pc "$at/usr"
mkdir "$at/cmake" "$at/copy"
cat >"$at/cmake/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.10)
project(consumer C)
find_package(user_events 3.0 REQUIRED)
add_executable(consumer ../main.c)
target_link_libraries(consumer user_events::user_events)
add_executable(consumer_kernel ../kernel.c)
target_include_directories(consumer_kernel PRIVATE ..)
target_link_libraries(consumer_kernel user_events::kernel)
add_executable(consumer_compat ../compat.c)
target_link_libraries(consumer_compat user_events::compat)
END
# consume PREFIX: a CMake project finds the package there, and its headers
consume()
{
	rm -rf "$at/cmake/build"
	cmake -S "$at/cmake" -B "$at/cmake/build" -DCMAKE_PREFIX_PATH="$1" \
		-DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DCMAKE_C_COMPILER_WORKS=1 >"$at/cmake.log"
	cmake --build "$at/cmake/build" >>"$at/cmake.log"
	"$at/cmake/build/consumer"
	"$at/cmake/build/consumer_kernel"
	"$at/cmake/build/consumer_compat"
	grep -q -- "$1/include" "$at/cmake/build/compile_commands.json" ||
		fail "the headers are not those below $1"
}
consume "$at/usr"
# below DESTDIR, as a package's build sees it, and moved elsewhere
make -s install DESTDIR="$at/stage" prefix=/usr
[ -f "$at/stage/usr/include/user_events.h" ] && [ -f "$at/stage/usr/share/licenses/user_events/LICENSE" ] ||
	fail "no header or no license below DESTDIR"
expect "a manual page" "$at/stage/usr/share/man/man3/UE_TRACE.3" "$(man -M "$at/stage/usr/share/man" -w 3 UE_TRACE)"
consume "$at/stage/usr"
echo 'provider p { probe a(int); };' >"$at/p.d"
"$at/stage/usr/bin/ue-dtrace" -G -s "$at/p.d" -o "$at/p.o" # finds the header below its own folder
pc "$at/stage/usr"
mv "$at/stage/usr" "$at/moved"
consume "$at/moved"
pc "$at/moved"
# headers outside of the prefix, as some systems' multiple outputs have them
make -s install prefix="$at/main" includedir="$at/dev/include"
expect "headers elsewhere" "$at/dev/include" \
	"$(PKG_CONFIG_PATH="$at/main/share/pkgconfig" pkg-config --variable=includedir user_events)"
cp include/user_events.h "$at/copy"
(cd "$at/copy" && sed 's/<user_events.h>/"user_events.h"/' ../main.c >main.c && cc main.c && ./a.out)
make -s uninstall prefix="$at/usr"
expect "left behind" "" "$(find "$at/usr" -type f)"
echo "installation: $checks checks"
