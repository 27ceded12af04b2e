#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tests/deps on machines that are played: what is missing is installed in one round, with one line
# on the screen; it waits for another apt; it shows the end of the log when apt fails, and the command
# where it may not install, or is told not to.

set -u
cd "${0%/*}/.."
at=$PWD/build/deps-test
rm -rf "$at"
mkdir -p "$at/bin"
export AT="$at" UE_DEPS_LOG="$at/log"
for name in dpkg-query apt-get apt-cache id sudo sleep; do
	printf '#!/bin/sh\n' >"$at/bin/$name"
	chmod +x "$at/bin/$name"
done
echo '[ ! -e "$AT/installed" ] || sed "s/^/installed /" "$AT/installed"' >>"$at/bin/dpkg-query"
echo 'echo "$*" >>"$AT/queries"; printf "Package: %s\n" "$@"' >>"$at/bin/apt-cache"
echo 'cat "$AT/uid"' >>"$at/bin/id"
echo 'exit 1' >>"$at/bin/sudo"
echo 'exec /bin/sleep 0.01' >>"$at/bin/sleep"
cat >>"$at/bin/apt-get" <<'END'
echo "$*" >>"$AT/calls"
case $* in
*update*) ;;
*--assume-no*) echo "Need to get 1,2 MB/3 MB of archives." ;;
*)
	if [ -s "$AT/locked" ]; then
		cat "$AT/locked" >&2
		: >"$AT/locked"
		exit 100
	fi
	if [ -e "$AT/broken" ]; then
		echo "E: the disk is full"
		exit 100
	fi
	for word; do echo "$word"; done | grep -E -- '-(dev|compiler)$' >>"$AT/installed" ;;
esac
echo "a hundred lines of apt"
END

fail() {
	echo "$*"
	echo "it said: $(cat "$at/said")"
	exit 1
}
# played UID: tests/deps test tools, on a machine where nothing is installed
played() {
	echo "$1" >"$at/uid"
	rm -f "$at/calls" "$at/queries" "$at/installed"
	PATH=$at/bin:$PATH tests/deps test tools >"$at/said" 2>&1
	status=$?
}

played 0
[ $status -eq 0 ] || fail "exit status $status"
[ "$(wc -l <"$at/said")" -eq 1 ] || fail "more than a line"
grep -q 'Installing for the tests; uetrace: .*libcmocka-dev.*libtracefs-dev.*log.* (fetches 1,2 MB) .* done' "$at/said" ||
	fail "the line does not say what and why"
[ "$(grep -c 'install -y' "$at/calls")" -eq 1 ] || fail "not one round: $(cat "$at/calls")"
grep -q 'a hundred lines' "$at/log" || fail "there is no log"

echo 'E: Could not get lock /var/lib/dpkg/lock-frontend.' >"$at/locked"
played 0
[ $status -eq 0 ] && grep -q 'waits for another apt' "$at/said" || fail "did not wait for the lock"

: >"$at/broken"
played 0
[ $status -eq 1 ] && grep -q 'the disk is full' "$at/said" && grep -q 'still missing:.*libcmocka' \
	"$at/said" || fail "did not show why apt failed"

played 1000
[ $status -eq 1 ] && grep -q 'sudo apt-get update && sudo apt-get install.* libcmocka-dev' "$at/said" ||
	fail "did not say what to run"
[ ! -e "$at/calls" ] || fail "ran apt without permission"
[ "$(wc -l <"$at/queries")" -eq 1 ] || fail "more than one query: $(cat "$at/queries")"

UE_INSTALL=no played 0
[ $status -eq 0 ] && grep -q 'nothing is installed; missing for .*libcmocka' "$at/said" ||
	fail "did not say what is missing"
[ ! -e "$at/calls" ] || fail "ran apt against UE_INSTALL=no"
echo "5 machines"
