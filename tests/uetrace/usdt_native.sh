#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Tests of uprobes on the running kernel, if it has uprobes and the user is root. Only events with names of the
# tests get uprobes, and every process that a test starts is ended.

top=$(cd "${0%/*}/../.." && pwd -P)
[ -x "$top/build/uetrace" ] || { echo "there is no build/uetrace: make tools"; exit 77; }
[ "$(id -u)" -eq 0 ] || { echo "uprobes are root's"; exit 77; }
if [ -z "${UE_OWN_MOUNTS-}" ]; then
	unshare -m true 2>/dev/null || { echo "no mount namespaces here"; exit 77; }
	UE_OWN_MOUNTS=1 exec unshare -m setsid -w "$0"
fi
[ -e /sys/kernel/tracing/trace ] || mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null ||
	{ echo "no tracefs here"; exit 77; }
TMPDIR=$(mktemp -d)
export TMPDIR
for test in usdt_files uetrace_namespaces uetrace_mistakes; do
	# the script runs as a process group, so that its programs can be ended
	setsid "$top/tests/kernel/$test.sh" &
	wait $!
	status=$?
	kill -- -$! 2>/dev/null
	[ $status -eq 0 ] || break
done
rm -rf "$TMPDIR"
exit $status
