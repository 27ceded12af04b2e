#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tests/kernel/usdt_files.sh on the running kernel, where uprobes are there and ours: root's. Only events of
# the test's own names get uprobes, and all that it starts is ended.

top=$(cd "${0%/*}/../.." && pwd -P)
test=$top/tests/kernel/usdt_files.sh
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
# the script runs as a process group, so that its programs can be ended
setsid "$test" &
wait $!
status=$?
kill -- -$! 2>/dev/null
rm -rf "$TMPDIR"
exit $status
