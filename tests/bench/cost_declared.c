/* SPDX-License-Identifier: MIT */
/*
 * Measures how long the registration of 200 declared events takes, compared with plain ioctl()
 * calls for 200 events. Runs in the guest of cost.c. Each measurement runs in a separate process,
 * because for each registration, the kernel searches all events of the process.
 */
#define UE_NO_AUTO_REGISTER
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <user_events.h>

#include "bench.h"

#define ONE(n) UE_TRACE(declared_##n, UE_U32(status, 1), UE_U64(bytes, 2));
#define TEN(n)    \
	ONE(n##0) \
	ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) ONE(n##5) ONE(n##6) ONE(n##7) ONE(n##8) ONE(n##9)
#define HUNDRED(n) \
	TEN(n##0)  \
	TEN(n##1) TEN(n##2) TEN(n##3) TEN(n##4) TEN(n##5) TEN(n##6) TEN(n##7) TEN(n##8) TEN(n##9)

enum { EVENTS = 200 };

void sites(void);
void sites(void)
{
	HUNDRED(1)
	HUNDRED(2)
}

struct registration { /* struct user_reg; <linux/user_events.h> may be missing */
	uint32_t size;
	uint8_t enable_bit, enable_size;
	uint16_t flags;
	uint64_t enable_addr, name_args;
	uint32_t write_index;
} __attribute__((packed));

static bool declared(void)
{
	return ue_register_all() == 0 && ue_status().registered == EVENTS;
}

static char specs[EVENTS][64];

static bool bare(void)
{
	static uint32_t enabled[EVENTS];
	int fd = open(TRACING "user_events_data", O_WRONLY | O_CLOEXEC), done = 0;

	for (int i = 0; i < EVENTS; i++) {
		struct registration r = { .size = sizeof(r), .enable_size = 4 };

		r.enable_addr = (uintptr_t)&enabled[i];
		r.name_args = (uintptr_t)specs[i];
		done += ioctl(fd, _IOWR('*', 0, struct registration *), &r) == 0;
	}
	return done == EVENTS;
}

static double cost(bool (*work)(void))
{
	uint64_t *time = mmap(NULL, sizeof(*time), PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;

	if (fork() == 0) {
		uint64_t t = now();

		if (!work())
			_exit(1);
		*time = now() - t;
		_exit(0);
	}
	if (wait(&status) < 0 || status != 0) {
		fprintf(stderr, "cost_declared: %s\n", ue_status().message);
		exit(1);
	}
	return (double)*time;
}

int main(void)
{
	double a, b;
	bool more;

	for (int i = 0; i < EVENTS; i++)
		snprintf(specs[i], sizeof(specs[i]), "ioctl_%d u32 status; u64 bytes", 100 + i);
	a = cost(declared);
	b = cost(bare);
	more = a / b > 1.2;
	printf("%d declared events, instructions each%24.0f\n%d bare ioctl() calls%39.0f\n", EVENTS,
	       a / EVENTS, EVENTS, b / EVENTS);
	printf("ratio, at most 1.2%42.3f%s\n", a / b, more ? " EXCEEDED" : "");
	return more;
}
