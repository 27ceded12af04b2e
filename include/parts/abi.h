/* SPDX-License-Identifier: MIT */
/*
 * Kernel ABI
 */

/* @public */

/*
 * Kernel ABI: the kernel's own header where it is installed (linux-libc-dev 6.4
 * ==========  and later), else the same structures by other names.
 */
struct iovec; /* of <sys/uio.h> or <linux/uio.h>, which a program may include as it likes */
#ifndef UE_DISABLE
/* As few names as possible: the code has most constants as numbers. */
#include <sys/mman.h>
#if __has_include(<asm/unistd.h>) && __has_include(<linux/ioctl.h>)
#include <asm/unistd.h>
#include <linux/ioctl.h>
#else
#include <sys/ioctl.h>
#include <sys/syscall.h>
#endif

#if __has_include(<linux/user_events.h>) && !defined(UE__NO_KERNEL_HEADER)
#include <linux/user_events.h>
#define UE__KERNEL_HEADER 1
#define ue__reg user_reg
#define ue__unreg user_unreg
#else
struct ue__reg {
	uint32_t size;
	uint8_t enable_bit;
	uint8_t enable_size;
	uint16_t flags;
	uint64_t enable_addr;
	uint64_t name_args;
	uint32_t write_index;
} __attribute__((__packed__));

struct ue__unreg {
	uint32_t size;
	uint8_t disable_bit;
	uint8_t __reserved;
	uint16_t __reserved2;
	uint64_t disable_addr;
} __attribute__((__packed__));
#define DIAG_IOCSREG _IOWR('*', 0, struct ue__reg *)
#define DIAG_IOCSDEL _IOW('*', 1, char *)
#define DIAG_IOCSUNREG _IOW('*', 2, struct ue__unreg *)
#endif
#endif /* UE_DISABLE */

/*
 * Flags of a registration. The kernel's header has them as enumerators, which
 * an older one lacks unnoticed, so they stand here by the library's names.
 */
#define UE_PERSIST 1u	   /* stays when its last user is gone; CAP_PERFMON */
#define UE_MULTI_FORMAT 2u /* one name, many formats; Linux 6.9 and later */
