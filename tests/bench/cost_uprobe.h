/* SPDX-License-Identifier: MIT */
/*
 * Declares the events of cost.c with and without a USDT probe, and a function that finds a probe.
 */
#ifndef COST_UPROBE_H
#define COST_UPROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void plain4(uint32_t a, uint64_t b);
void noted4(uint32_t a, uint64_t b);

/*
 * Finds the file offsets of the nop and the semaphore of the probe PROVIDER:NAME in /proc/self/exe.
 */
bool own_probe(const char *provider, const char *name, uint64_t *nop, uint64_t *semaphore);

#endif
