#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Tests files whose layout misleads the kernel or perf. uetrace must never report "0 lost" for
# probes that processes may not hit, and `uetrace list` must warn. The probes are those of
# <sys/sdt.h> with semaphores, which depend on the linker. Also tests files whose notes were
# stripped.

ANY_KERNEL=1
. "${0%/*}/helpers/lib.sh"
need_uprobes
need_uetrace

cat >probe.c <<'END'
#include <unistd.h>
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>

__extension__ unsigned short linked_probe_semaphore __attribute__((section(".probes")));

int main(int argc, char **argv)
{
	for (int i = 0; i < 3; i++) {
		if (__atomic_load_n(&linked_probe_semaphore, __ATOMIC_RELAXED))
			STAP_PROBE1(linked, probe, argc);
	}
	return 0;
}
END
gcc -w probe.c -o probe || skip "no <sys/sdt.h>: tests/deps kernel"

# traced NAME: runs the program, and sets $events and $lost to the numbers that uetrace reports
traced()
{
	assert "$uetrace" run -e 'usdt::linked:*' "./$1" >out 2>err
	events=$(grep -c linked:probe out)
	lost=$(sed -nE 's/^uetrace: .* events? in .*, (.*) lost$/\1/p' err)
}

missed=
for linker in bfd gold lld mold; do
	for layout in "-pie -fPIE" "-no-pie -fno-pie" -static; do
		name="$linker $layout"
		# shellcheck disable=SC2086 # split into words
		gcc -w -O1 "-fuse-ld=$linker" $layout probe.c -o linked 2>/dev/null ||
			{ echo "skipped: cannot link with $name"; continue; }
		traced linked
		"$uetrace" list ./linked >list 2>warnings || fail "$name: $(cat warnings)"
		case $linker in
		bfd | gold)
			assert_eq "3 0" "$events $lost" "$name: events, lost"
			assert_eq "" "$(cat warnings)" "$name: warnings"
			;;
		*)
			# in a program with a large .data section, such as a static program, the
			# enable word may be in another page
			if grep -q 'uprobes do not see 1 of the 1 .*separate-loadable-segments$' warnings; then
				assert_eq "an unknown number" "$lost" "$name: lost"
				assert_match 'number of lost events is unknown, because' "$(cat err)" "$name"
				missed="$missed $linker"
			else
				assert_eq "3 0" "$events $lost" "$name: events, lost"
			fi
			assert_match 'do not trace .* with perf' "$(cat warnings)" "$name"
			# shellcheck disable=SC2086 # split into words
			gcc -w -O1 "-fuse-ld=$linker" $layout -Wl,-z,separate-loadable-segments probe.c -o linked ||
				fail "$name: cannot link with -z separate-loadable-segments"
			traced linked
			assert_eq "3 0" "$events $lost" "$name: events, lost, with separate segments"
			assert_eq "" "$("$uetrace" list ./linked 2>&1 >/dev/null)" "$name: warnings with separate segments"
			;;
		esac
	done
done

case $missed in
*lld*mold* | "") ;;
*) fail "uprobes must miss probes with both lld and mold or with neither, but missed:$missed" ;;
esac

cat >stripped.c <<'END'
#include <user_events.h>

int main(void)
{
	UE_TRACE(stripped_event, UE_I32(a, 1));
	return 0;
}
END
gcc -w -I"$top/include" stripped.c -o whole || fail "stripped.c does not compile"
keep="--keep-section=.note.stapsdt --keep-section=.note.user_events"
for command in llvm-strip "llvm-objcopy --strip-all" "strip --remove-section=.note*"; do
	command -v "${command%% *}" >/dev/null || { echo "skipped: no ${command%% *}"; continue; }
	cp whole stripped
	# shellcheck disable=SC2086 # split into words
	$command stripped || fail "$command"
	refute "$uetrace" list ./stripped >out 2>err
	assert_match "stripped; strip it with $keep\$" "$(cat err)" "$command"
	assert "$uetrace" run --usdt ./stripped >out 2>err
	assert_match "stripped; strip it with $keep\$" "$(cat err)" "run, $command"
	cp whole stripped
	# shellcheck disable=SC2086 # split into words
	$command $keep stripped || fail "$command $keep"
	assert "$uetrace" run --usdt ./stripped >out 2>err
	assert_match ' stripped_event a=1$' "$(cat out)" "$command $keep"
done
for command in strip "llvm-strip --strip-all-gnu" "llvm-strip --strip-unneeded"; do
	command -v "${command%% *}" >/dev/null || continue
	cp whole stripped
	$command stripped || fail "$command"
	assert "$uetrace" run --usdt ./stripped >out 2>err
	assert_match ' stripped_event a=1$' "$(cat out)" "$command"
done
exit 0
