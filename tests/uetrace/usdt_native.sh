#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs the named tests of tests/kernel on the running kernel, if it has uprobes and the user is
# root. Uprobes are placed only on events whose names belong to the tests. When a test ends, all
# processes that it started are killed.

top=$(cd "${0%/*}/../.." && pwd -P)
[ -x "$top/build/uetrace" ] || { echo "there is no build/uetrace: make tools"; exit 77; }
[ "$(id -u)" -eq 0 ] || { echo "uprobes need root"; exit 77; }
if [ -z "${UE_OWN_MOUNTS-}" ]; then
	unshare -m true 2>/dev/null || { echo "no mount namespaces here"; exit 77; }
	UE_OWN_MOUNTS=1 exec unshare -m setsid -w "$0" "$@"
fi
[ -e /sys/kernel/tracing/trace ] || mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null ||
	{ echo "no tracefs here"; exit 77; }
[ $# -gt 0 ] || set -- usdt_files usdt_layouts usdt_linkers usdt_intel usdt_site_types \
	uetrace_namespaces uetrace_mistakes
for test; do
	unset TMPDIR
	TMPDIR=$(mktemp -d) || exit 1
	export TMPDIR
	# run each test in its own process group, so that all its processes can be killed
	setsid "$top/tests/kernel/$test.sh" &
	wait $!
	status=$?
	kill -- -$! 2>/dev/null
	rm -rf "$TMPDIR"
	[ $status -eq 0 ] || { echo "$test: exit status $status"; exit $status; }
done
