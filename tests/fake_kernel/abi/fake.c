/* SPDX-License-Identifier: MIT */
/* Runs the rows of the table on the fake kernel. */
#include "abi/language.h"

static struct {
	struct fake_world world;
	size_t seen;
	char perf[600];
} fake;

static int fake_trace(const char *tracepoint, bool on)
{
	int n = on ? fake_kernel_enable(tracepoint, FAKE_FTRACE) :
		     fake_kernel_disable(tracepoint, FAKE_FTRACE);

	return n == 1 ? 0 : -ENOENT;
}

static int fake_perf(const char *tracepoint)
{
	snprintf(fake.perf, sizeof(fake.perf), "%s", tracepoint);
	return fake_kernel_enable(tracepoint, FAKE_PERF) == 1 ? 0 : -ENOENT;
}

static int fake_perf_off(void)
{
	fake_kernel_disable(fake.perf, FAKE_PERF);
	return 0;
}

static long fake_perf_count(void)
{
	long n = 0;

	for (size_t i = 0; i < fake_kernel_records(); i++)
		n += (fake_kernel_record(i)->tracers & FAKE_PERF) != 0;
	return n;
}

static int fake_records(struct record *last)
{
	int n = 0;

	for (; fake.seen < fake_kernel_records(); fake.seen++) {
		const struct fake_record *r = fake_kernel_record(fake.seen);

		if (!(r->tracers & FAKE_FTRACE))
			continue;
		snprintf(last->tracepoint, sizeof(last->tracepoint), "%s", r->name);
		last->size = r->size;
		memcpy(last->data, r->data, r->size < PAGE ? r->size : PAGE);
		n++;
	}
	return n;
}

static int fake_perfmon(bool on)
{
	fake.world.perfmon = on;
	fake_kernel_change(&fake.world);
	return 0;
}

static int fake_max(unsigned int n)
{
	fake.world.max_events = n;
	fake_kernel_change(&fake.world);
	return 0;
}

static int fake_other_exit(const char *name)
{
	return fake_kernel_other_exit(name) > 0 ? 0 : -ENOENT;
}

static int fake_compat(int fd)
{
	int ret;

	fake.world.compat = true;
	fake_kernel_change(&fake.world);
	ret = fake_ioctl(fd, IOC_REG, NULL) ? -errno : 0;
	fake.world.compat = false;
	fake_kernel_change(&fake.world);
	return ret;
}

const struct world fake_world = {
	.name = "fake",
	.open = fake_open,
	.ioctl = fake_ioctl,
	.write = fake_write,
	.writev = fake_writev,
	.read = fake_read,
	.close = fake_close,
	.trace = fake_trace,
	.perf = fake_perf,
	.perf_off = fake_perf_off,
	.perf_count = fake_perf_count,
	.records = fake_records,
	.perfmon = fake_perfmon,
	.max_events = fake_max,
	.other = fake_kernel_other_register,
	.other_exit = fake_other_exit,
	.compat = fake_compat,
};

void set_up_fake(void)
{
	fake.world = fake_world_default();
	fake_kernel_reset(&fake.world);
	fake.seen = 0;
}
