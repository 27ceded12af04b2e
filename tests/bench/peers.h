/* SPDX-License-Identifier: MIT */
/* What a source file of tests/bench/peers defines, and what it may use. */
#ifndef PEERS_H
#define PEERS_H

#include "bench.h"

void site0(unsigned int a, unsigned long b, unsigned int c, unsigned long d);
void start(void); /* from now on somebody gets the events */

#endif
