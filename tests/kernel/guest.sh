#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Checks that the guest is suitable for the tests: its clock is exact, and other users can enter the
# project directory even if one of its parent directories is closed to them.

ANY_KERNEL=1
. "${0%/*}/helpers/lib.sh"

assert_eq tsc "$(cat /sys/devices/system/clocksource/clocksource0/current_clocksource)" clock
before=$(date +%s%N)
sleep 0.2
took=$((($(date +%s%N) - before) / 1000000))
[ $took -ge 200 ] || fail "sleep 0.2 took only $took ms by the guest's clock"

assert su nobody -s /bin/sh -c "test -r '$top/README.md' && test -x '$top/tests/kernel/vm'"
