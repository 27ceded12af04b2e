#!/bin/sh
# SPDX-License-Identifier: MIT
#
# uetrace prints a TRACE_EVENT with the text of its TP_printk, which the binary carries: through
# libtraceevent's parser, as the kernel's own tracers would. What that cannot print has plain fields.

. "${0%/*}/helpers/lib.sh"

need_uetrace
assert "$uetrace" run -o out "$examples/tracepoints" >log 2>&1
text=$(cat out)
assert_match 'job_queued job 2 of bob: queued, flags=URGENT$' "$text"
assert_match 'job_read job 2: checksum [0-9]+ of 77 68 61 74\.\.\.$' "$text"
assert_match 'job_done job 4 of ann: done, flags=URGENT\|RETRIED$' "$text"
# %pe
assert_match 'job_error id=1 error=-[0-9]+$' "$text"
# JSON has the fields in any case
assert "$uetrace" run --json -o out "$examples/tracepoints" >log 2>&1
assert_match '"n": "user_events:job_queued", "id": 2, "flags": 1, "state": 0, "owner": "bob"' "$(cat out)"
