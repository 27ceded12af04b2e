#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Runs uetrace list on hostile files, and on binaries with a huge number of notes.

. "$(dirname "$0")/../checks.sh"
top=$PWD
uetrace=$top/${1:-build/uetrace}
server=$top/${2:-build/examples/server}

UE_RECORD=$dir/recording.uer:1M "$server" -n 40 -c 2 -w 2 >/dev/null || fail "the server failed"
cd "$dir" || exit 1

# Hostile files must need only bounded time and memory, and no control character in them may reach
# the terminal.
python3 - "$server" recording.uer <<'END' 2>/dev/null || echo "no python3: no hostile files"
import random, sys
random.seed(7)
for path in sys.argv[1:]:
    good = open(path, "rb").read()
    for i in range(60):
        bad = bytearray(good)
        for _ in range(random.choice((1, 20, 400))):
            bad[random.randrange(len(bad))] = random.randrange(256)
        open("hostile.%s.%d" % (path.split("/")[-1], i), "wb").write(bad[:random.choice((len(bad), random.randrange(len(bad)))) ])
END
for file in hostile.*; do
	[ -e "$file" ] || continue
	checks=$((checks + 1))
	timeout 20 "$uetrace" list "$file" >out 2>err
	status=$?
	[ $status -le 1 ] || fail "status $status of $file: $(cat err)"
	LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]' out && fail "control characters of $file"
done

# A file with a huge number of notes must need little time and memory.
if command -v python3 >/dev/null; then
	"$top/tests/uetrace/notes_cost.py" "$uetrace" "$dir" >"$dir/out" 2>&1 || fail "many notes: $(cat "$dir/out")"
	checks=$((checks + 1))
fi

# uetrace reads at most 24 MiB of notes, and reports when a file has more.
printf '.section .note.user_events,"",@note\n.skip 25165825\n' >large.s
if "${CC:-gcc}" -c -o large.o large.s 2>/dev/null && "${CC:-gcc}" -nostdlib -shared -o large.so large.o 2>/dev/null; then
	timeout 60 "$uetrace" list ./large.so >out 2>err
	expect "status of large notes" 1 $?
	expect "large notes" "uetrace: cannot list all events of ./large.so: its notes exceed 24 MiB" "$(head -n 1 err)"
fi

echo "uetrace list of hostile files: $checks checks"
