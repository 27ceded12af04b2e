/* SPDX-License-Identifier: MIT */
/*
 * Prints the rate of this machine's time stamp counter (TSC) in kHz. Without KVM, QEMU passes the
 * host's TSC to its guests. A guest without HPET and ACPI cannot determine the rate itself.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

struct moment {
	uint64_t ns, ticks;
};

/* Reads the TSC and the clock at the same moment. Returns the fastest of several attempts. */
static struct moment look(void)
{
	struct moment best = { 0, 0 };
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < 50; i++) {
		struct timespec a, b;
		uint64_t ticks, gap;

		clock_gettime(CLOCK_MONOTONIC_RAW, &a);
		ticks = __rdtsc();
		clock_gettime(CLOCK_MONOTONIC_RAW, &b);
		gap = (uint64_t)((b.tv_sec - a.tv_sec) * 1000000000 + b.tv_nsec - a.tv_nsec);
		if (gap < least) {
			least = gap;
			best.ns = (uint64_t)a.tv_sec * 1000000000 + (uint64_t)a.tv_nsec + gap / 2;
			best.ticks = ticks;
		}
	}
	return best;
}

int main(void)
{
	struct timespec pause = { 0, 50000000 };
	struct moment a = look(), b;

	nanosleep(&pause, NULL);
	b = look();
	printf("%.0f\n", (double)(b.ticks - a.ticks) * 1e6 / (double)(b.ns - a.ns));
	return 0;
}
