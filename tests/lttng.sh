#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Builds the unmodified examples of Debian's liblttng-ust-dev with their own makefiles, with
# include/compat/lttng and without liblttng-ust. The programs must declare their events.
# unit/test_lttng.c tests the written events.

. "$(dirname "$0")/checks.sh"

# With UE_SHARED, the source file of a provider contains no more library code than other files.
printf '#define UE_IMPLEMENTATION\n#include <user_events_builder.h>\n' >"$dir/implementation.c"
for compiler in 'gcc -x c' 'g++ -x c++'; do
	$compiler -shared -fPIC -Wl,-z,defs -DUE_SHARED -Iinclude -Iinclude/compat -Itests/unit/helpers -o "$dir/shared.so" \
		tests/compile/good/lttng.c "$dir/implementation.c" 2>"$dir/err" || fail "$compiler, UE_SHARED: $(cat "$dir/err")"
done
examples=/usr/share/doc/liblttng-ust-dev/examples
[ -d "$examples/demo" ] || { echo "liblttng-ust-dev's examples are not installed"; exit 77; }
uetrace=$PWD/build/uetrace compat=$PWD/include/compat
cp -r "$examples" "$dir/examples"
cd "$dir/examples" || exit

events()
{
	"$uetrace" list "$@" | sed -nE 's/^([A-Za-z0-9_]+).*/\1/p' | LC_ALL=C sort -u | xargs
}

for example in demo demo-tracef demo-tracelog easy-ust gen-tp hello-static-lib; do
	make -s -C "$example" CPPFLAGS="-I$compat" CFLAGS='-O1 -Wall -Wextra -Wno-unused-parameter -Werror' LIBS= PYTHON=python3 \
		LTTNG_GEN_TP_PATH=/usr/bin/ LDFLAGS='-Wl,--as-needed -Wl,-z,defs' >"$dir/log" 2>&1 ||
		fail "$example is not built: $(cat "$dir/log")"
	for program in "$example"/*; do
		case $program in *.*) continue ;; esac
		! ldd "$program" 2>&1 | grep lttng-ust || fail "$program needs LTTng's library"
	done
done
expect demo 'ust_tests_demo2__loop_L3K1 ust_tests_demo3__done ust_tests_demo__done ust_tests_demo__starting' "$(events demo/demo)"
expect tracef lttng_ust_tracef_L5K1 "$(events demo-tracef/demo-tracef)"
expect easy-ust 'sample_component__message' "$(events easy-ust/sample)"
expect gen-tp 'sample_tracepoint__message' "$(events gen-tp/sample)"
expect hello 'ust_tests_hello__tptest_L5K1 ust_tests_hello__tptest_sighandler' "$(events hello-static-lib/hello)"

# Two C++ shared libraries that each define the same events.
cd cmake-multiple-shared-libraries || exit
for file in tracepoint-provider aligner-lib tester-lib; do
	c++ -shared -fPIC -O1 -Wall -Wextra -Werror -I. "-I$compat" -o lib$file.so $file.cpp || fail "$file is not built"
	expect $file 'gydle_om__align_query gydle_om__test_alignment' "$(events ./lib$file.so)"
done
c++ -o tester tester.cpp -L. -ltester-lib -laligner-lib -Wl,-rpath,. && ./tester || fail "the C++ program does not run"
echo "lttng: $checks checks"
