/* SPDX-License-Identifier: MIT */
/*
 * user_events.h may be included before all other headers, without conflicts with their
 * definitions.
 */
#include <user_events.h>
#include <user_events.h>

#include <ctype.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void first(const struct stat *st);
void first(const struct stat *st)
{
	UE_TRACE(first, UE_I64(size, st->st_size));
}
