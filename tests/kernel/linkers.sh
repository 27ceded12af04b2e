#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Traces programs of every linker and layout with user_events and uprobes; tests/compile/linkers
# built them.

. "${0%/*}/helpers/lib.sh"
need_uprobes
need_uetrace
need bash
[ -e "$top/build/linkers/host.o" ] || skip "there is no build/linkers: tests/compile/linkers build"
"$top/tests/compile/linkers" guest >out 2>&1 || fail "$(cat out)"
