/* SPDX-License-Identifier: MIT */
/*
 * CPU sets. NR_CPUS is the maximum number of CPUs in a set. The default is the same as for
 * cpu_set_t. An event contains one bit for each CPU of the machine (nr_cpumask_bits).
 */
#ifndef UE_LINUX_CPUMASK_H
#define UE_LINUX_CPUMASK_H
#pragma GCC system_header

#include <linux/bitmap.h>
#include <string.h>
#include <unistd.h>

#ifndef NR_CPUS
#define NR_CPUS 1024
#endif

typedef struct cpumask {
	DECLARE_BITMAP(bits, NR_CPUS);
} cpumask_t;

/* Returns the number of CPUs. Calls sysconf() only once, because it reads files. */
static inline unsigned int ue__cpus(void)
{
	static unsigned int known;
	unsigned int n = __atomic_load_n(&known, __ATOMIC_RELAXED);
	long now;

	if (n == 0) {
		now = sysconf(_SC_NPROCESSORS_CONF);
		n = now < 1 ? 1u : now > NR_CPUS ? NR_CPUS : (unsigned int)now;
		__atomic_store_n(&known, n, __ATOMIC_RELAXED);
	}
	return n;
}

#define nr_cpu_ids ue__cpus()
#define nr_cpumask_bits ue__cpus()
#define num_possible_cpus() ue__cpus()
#define cpumask_bits(mask) ((mask)->bits)
#define cpumask_pr_args(mask) ue__cpus(), cpumask_bits(mask)

static inline void cpumask_clear(struct cpumask *mask)
{
	memset(mask, 0, sizeof(*mask));
}

static inline void cpumask_set_cpu(unsigned int cpu, struct cpumask *mask)
{
	__set_bit(cpu, mask->bits);
}

static inline void cpumask_clear_cpu(unsigned int cpu, struct cpumask *mask)
{
	__clear_bit(cpu, mask->bits);
}

static inline bool cpumask_test_cpu(unsigned int cpu, const struct cpumask *mask)
{
	return test_bit(cpu, mask->bits);
}

static inline void cpumask_copy(struct cpumask *to, const struct cpumask *from)
{
	*to = *from;
}

#endif
