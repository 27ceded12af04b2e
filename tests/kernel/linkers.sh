#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Traces the programs that tests/compile/linkers built with every linker and layout, using
# user_events and uprobes.

. "${0%/*}/helpers/lib.sh"
need_uprobes
need_uetrace
need bash
[ -e "$top/build/linkers/host.o" ] || skip "build/linkers is missing; run 'tests/compile/linkers build'"
"$top/tests/compile/linkers" guest >out 2>&1 || fail "$(cat out)"
