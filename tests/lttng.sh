#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The examples of Debian's liblttng-ust-dev are built by their own makefiles over include/compat/lttng, unmodified and
# without liblttng-ust, and declare their events. (unit/test_lttng.c shows what they write.)

. "$(dirname "$0")/checks.sh"
examples=/usr/share/doc/liblttng-ust-dev/examples
[ -d "$examples/demo" ] || { echo "liblttng-ust-dev's examples are not installed"; exit 77; }
uetrace=$PWD/build/uetrace compat=$PWD/include/compat
cp -r "$examples" "$dir/examples"
cd "$dir/examples" || exit

events()
{
	"$uetrace" list "$@" | sed -nE 's/^ +([a-z0-9_]+:[a-z_]+) .*/\1/p' | sort -u | xargs
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
expect demo 'ust_tests_demo2:loop ust_tests_demo3:done ust_tests_demo:done ust_tests_demo:starting' "$(events demo/demo)"
expect tracef lttng_ust_tracef_L5K1 "$("$uetrace" list demo-tracef/demo-tracef | head -n 1)"
expect easy-ust 'sample_component:message' "$(events easy-ust/sample)"
expect gen-tp 'sample_tracepoint:message' "$(events gen-tp/sample)"
expect hello 'ust_tests_hello:tptest ust_tests_hello:tptest_sighandler' "$(events hello-static-lib/hello)"

# Shared libraries in C++, each of which defines the events for itself.
cd cmake-multiple-shared-libraries || exit
for file in tracepoint-provider aligner-lib tester-lib; do
	c++ -shared -fPIC -O1 -Wall -Wextra -Werror -I. "-I$compat" -o lib$file.so $file.cpp || fail "$file is not built"
	expect $file 'gydle_om:align_query gydle_om:test_alignment' "$(events ./lib$file.so)"
done
c++ -o tester tester.cpp -L. -ltester-lib -laligner-lib -Wl,-rpath,. && ./tester || fail "the C++ program does not run"
echo "lttng: $checks checks"
