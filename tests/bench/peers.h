/* SPDX-License-Identifier: MIT */
/* The functions that a source file of tests/bench/peers defines, and those that it may use. */
#ifndef PEERS_H
#define PEERS_H

#include "bench.h"

void site0(unsigned int a, unsigned long b, unsigned int c, unsigned long d);
void start(void); /* enables the events: a tracer receives them from now on */

#endif
