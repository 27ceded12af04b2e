/* SPDX-License-Identifier: MIT */
/* flags: -D_GNU_SOURCE */
/*
 * Checks the constants that user_events.h defines itself, so that it need not include <fcntl.h> and
 * <sys/mman.h>.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <user_events.h>

UE__I_STATIC_ASSERT(UE__RDONLY == O_RDONLY && UE__WRONLY == O_WRONLY, "access");
UE__I_STATIC_ASSERT(UE__ACCESS_MODE == (O_ACCMODE & 3) && UE__I_CLOEXEC == O_CLOEXEC, "flags");
UE__I_STATIC_ASSERT(UE__NOCTTY == O_NOCTTY && UE__NONBLOCK == O_NONBLOCK, "flags");
UE__I_STATIC_ASSERT(UE__CURRENT_DIRECTORY == AT_FDCWD, "directory");
UE__I_STATIC_ASSERT(UE__GET_FLAGS == F_GETFL && UE__DUPLICATE == F_DUPFD_CLOEXEC, "fcntl()");
UE__I_STATIC_ASSERT(UE__I_MAP_ANONYMOUS == MAP_ANONYMOUS, "mmap()");
