/* SPDX-License-Identifier: MIT */
/*
 * Functions that the source files written by tests/bench/peers define, and functions that they may
 * use.
 */
#ifndef PEERS_H
#define PEERS_H

#include "bench.h"

#ifdef __cplusplus
extern "C" {
#endif
void site0(unsigned int a, unsigned long b, unsigned int c, unsigned long d);
void start(void); /* enables the events and makes a tracer receive them */
#ifdef __cplusplus
}
#endif

#endif
