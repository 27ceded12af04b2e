/* SPDX-License-Identifier: MIT */
/*
 * ROUNDS_OF(N): number of rounds for a test that repeats a random or threaded scenario. It is N /
 * 10 with sanitizers, which are slow, and without optimisation, for a quick `make unit`.
 */
#ifndef ROUNDS_H
#define ROUNDS_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
#define ROUNDS_OF(n) ((n) / 10)
#else
#define ROUNDS_OF(n) (n)
#endif

#endif
