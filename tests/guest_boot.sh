#!/bin/bash
# SPDX-License-Identifier: MIT
#
# If the kernel of the virtual machine panics at boot, tests/kernel/check boots it once more. On a
# loaded machine, a guest may miss timer interrupts. A script in place of QEMU simulates the guest.

. "$(dirname "$0")/checks.sh"

# Simulates the number of panics given in the file "panics". After that, reports each test of the
# job as passed.
cat >"$dir/qemu-system-x86_64" <<'END'
#!/bin/bash
[[ $* =~ path=([^ ]*)/console ]]
job=${BASH_REMATCH[1]} at=${0%/*}
echo "$*" >>"$at/boots"
if [ "$(wc -l <"$at/boots")" -le "$(cat "$at/panics")" ]; then
	echo "Kernel panic - not syncing: IO-APIC + timer doesn't work!" >"$job/console"
	exit 0
fi
mapfile -d '' argv <"$job/argv"
echo "Linux 6.12, 2 CPUs" >&3
for word in "${argv[@]}"; do
	case $word in
	*.sh) echo "ok ${word##*/}" >&3 ;;
	esac
done
echo 0 >"$job/status"
END
chmod +x "$dir/qemu-system-x86_64"

# boot PANICS: runs tests/kernel/check with a guest that panics PANICS times
boot()
{
	echo "$1" >"$dir/panics"
	rm -f "$dir/boots"
	UE_KERNEL=$dir/qemu-system-x86_64 PATH=$dir:$PATH tests/kernel/check tests/kernel/guest.sh tests/kernel/smoke.sh >"$dir/out" 2>&1
	status=$?
}

for panics in 0 1; do
	boot $panics
	expect "the exit status after $panics panics" 0 $status
	expect "the result after $panics panics" "2 passed, 0 failed" "$(tail -n 1 "$dir/out")"
	expect "the boots after $panics panics" $((panics + 1)) "$(grep -c no_timer_check "$dir/boots")"
done
boot 2
expect "the exit status after two panics" 1 $status
expect "the boots after two panics" 2 "$(grep -c no_timer_check "$dir/boots")"
expect "the reason" 2 "$(count "^vm: the guest's kernel crashed: Kernel panic .* IO-APIC")"
expect "the result after two panics" "0 passed, 2 failed" "$(tail -n 1 "$dir/out")"
echo "booting a guest: $checks checks"
