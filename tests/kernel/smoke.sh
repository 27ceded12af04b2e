#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Checks the requirements of all other tests: a kernel with user_events, and tools that read the
# events. Reports which tools work on this machine. Fails unless ftrace and perf work.

. "${0%/*}/helpers/lib.sh"

# A producer that does not use our headers. It registers NAME with FIELDS, waits until a tracer
# enables the event, and writes COUNT events with the hexadecimal PAYLOAD.
cat >"$TMPDIR/produce.py" <<'END'
import ctypes, fcntl, os, struct, sys, time
default = ["smoke", "u32 a; __rel_loc char[] s", "3", "2a00000000000300686900"]
name, fields, count, payload = sys.argv[1:] or default
spec = ctypes.create_string_buffer(f"{name} {fields}".encode())
word = ctypes.c_uint32(0)
fd = os.open("/sys/kernel/tracing/user_events_data", os.O_RDWR)
reg = bytearray(struct.pack("<IBBHQQI", 28, 0, 4, 0, ctypes.addressof(word),
                            ctypes.addressof(spec), 0))
fcntl.ioctl(fd, 0xc0082a00, reg)
event = reg[24:28] + bytes.fromhex(payload)
end = time.monotonic() + 30
while not word.value & 1:
    if time.monotonic() > end:
        sys.exit("nobody listened")
    time.sleep(0.01)
for _ in range(int(count)):
    os.write(fd, event)
END

need python3
cat >produce <<END
#!/bin/sh
exec python3 $TMPDIR/produce.py
END
cat >produce-scalar <<END
#!/bin/sh
exec python3 $TMPDIR/produce.py scalar 'u32 a' 3 2a000000
END
chmod +x produce produce-scalar

echo "Linux $(uname -r), $(nproc) CPUs, $(sed 's/ .*//' /proc/uptime) s after boot"
[ "$(nproc)" -gt 1 ] || fail "the guest has only one CPU, so races cannot occur"

# Keep the events after the producers exit, so that tracers can enable them.
add_event 'smoke u32 a; __rel_loc char[] s'
add_event 'scalar u32 a'
assert is_registered smoke

status()
{
	sort "$TRACING/user_events_status" | xargs
}
assert_eq 'Active: 2 Busy: 0 scalar smoke' "$(status)" "user_events_status"
enable_event smoke
assert is_used smoke ftrace
assert_eq 'Active: 2 Busy: 1 scalar smoke # Used by ftrace' "$(status)" "user_events_status of an event in use"
assert ./produce
assert_eq 3 "$(recorded smoke | grep -c 's=hi')" "events in ftrace's buffer"
disable_event smoke
refute is_used smoke
clear_trace
echo "ftrace: works"

command -v perf >/dev/null || fail "perf is not installed; run 'tests/deps kernel'"
assert perf record -q -e user_events:smoke -o perf.data ./produce
assert_eq 3 "$(perf script -i perf.data | grep -c 'user_events:smoke: a=42 s=hi')" \
	"events that perf script shows"
echo "perf record, perf script: work ($(perf version))"

# tool NAME COMMAND PATTERN: reports whether an optional tool works.
tool()
{
	if ! command -v "${1%% *}" >/dev/null; then
		echo "$1: not installed"
		return
	fi
	if timeout 60 sh -c "$2" >out 2>&1 && grep -qE "$3" out; then
		echo "$1: works"
	else
		echo "$1: does not work: $(grep . out | tail -n 1)"
	fi
}

tool "perf stat" 'perf stat -e user_events:smoke ./produce' '3 +user_events:smoke'
tool "perf trace" 'perf trace -e user_events:smoke ./produce' 'smoke\(a: 42'
tool "trace-cmd record" \
	'trace-cmd record -q -e user_events:smoke ./produce && trace-cmd report' \
	'smoke: +a=42 s=hi'
# Linux 6.12 accepts a BPF program for a user event but never runs it.
if command -v bpftrace >/dev/null; then
	timeout 300 bpftrace -e 't:user_events:smoke { @hits = count(); }' \
		-c "$(command -v python3) $TMPDIR/produce.py" >out 2>&1 || fail "bpftrace: $(cat out)"
	assert_match '^Attaching 1 probe' "$(cat out)" "bpftrace attaches to a user event"
	# if a kernel runs the BPF program, correct docs/ and tests/kernel/README.md
	assert_match '^@hits: 0$' "$(cat out)" "runs of a BPF program"
	echo "BPF programs: accepted, never run"
fi

echo 'hist:keys=a:vals=hitcount' >"$TRACING/events/user_events/scalar/trigger" ||
	fail "no histogram triggers"
assert ./produce-scalar
assert_match 'a: +42.*hitcount: +3' \
	"$(cat "$TRACING/events/user_events/scalar/hist")" histogram
echo "histogram triggers: work"
