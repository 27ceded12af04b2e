/* SPDX-License-Identifier: MIT */
/*
 * ROUNDS_OF(N): N rounds of a test that repeats something at random or among threads. Sanitizers
 * take several times as long, and see what is wrong in the first of them.
 */
#ifndef ROUNDS_H
#define ROUNDS_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ROUNDS_OF(n) ((n) / 10)
#else
#define ROUNDS_OF(n) (n)
#endif

#endif
