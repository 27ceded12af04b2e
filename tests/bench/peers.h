/* SPDX-License-Identifier: MIT */
/*
 * Interface between peers.c and the source files that tests/bench/peers generates: functions that
 * these files must define, and functions that they may use.
 */
#ifndef PEERS_H
#define PEERS_H

#include "bench.h"

#ifdef __cplusplus
extern "C" {
#endif
void site0(unsigned int a, unsigned long b, unsigned int c, unsigned long d);
void start(void); /* enables the events, so that a tracer receives them */
#ifdef __cplusplus
}
#endif

#endif
