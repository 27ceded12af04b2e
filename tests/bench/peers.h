/* SPDX-License-Identifier: MIT */
/* What a source file of tests/bench/peers defines, and what it may use. */
#ifndef PEERS_H
#define PEERS_H

void site0(unsigned int a, unsigned long b, unsigned int c, unsigned long d);
void start(void); /* from now on somebody gets the events */

void must(int ok, const char *what);
void put(const char *file, const char *text); /* into a file of tracefs */

#endif
