/* SPDX-License-Identifier: MIT */
/*
 * ROUNDS_OF(N): number of rounds for a test that repeats a random or threaded scenario. The result
 * is N, or N / 10 in slow builds (sanitizers) and in builds that should be quick (no optimisation).
 */
#ifndef ROUNDS_H
#define ROUNDS_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
#define ROUNDS_OF(n) ((n) / 10)
#else
#define ROUNDS_OF(n) (n)
#endif

#endif
