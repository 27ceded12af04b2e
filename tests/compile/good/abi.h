/* SPDX-License-Identifier: MIT */
/* The kernel ABI as user_events.h sees it, whichever header it comes from. */
#include <stddef.h>

#ifdef __cplusplus
#define SAME(a, b) static_assert((a) == (b), #a " is " #b)
#else
#define SAME(a, b) _Static_assert((a) == (b), #a " is " #b)
#endif
SAME(sizeof(struct ue__reg), 28);
SAME(offsetof(struct ue__reg, size), 0);
SAME(offsetof(struct ue__reg, enable_bit), 4);
SAME(offsetof(struct ue__reg, enable_size), 5);
SAME(offsetof(struct ue__reg, flags), 6);
SAME(offsetof(struct ue__reg, enable_addr), 8);
SAME(offsetof(struct ue__reg, name_args), 16);
SAME(offsetof(struct ue__reg, write_index), 24);
SAME(sizeof(struct ue__unreg), 16);
SAME(offsetof(struct ue__unreg, size), 0);
SAME(offsetof(struct ue__unreg, disable_bit), 4);
SAME(offsetof(struct ue__unreg, __reserved), 5);
SAME(offsetof(struct ue__unreg, __reserved2), 6);
SAME(offsetof(struct ue__unreg, disable_addr), 8);
/* direction, size of a pointer, '*', number */
#define READ_WRITE (_IOC_READ | _IOC_WRITE)
SAME(DIAG_IOCSREG, _IOC(READ_WRITE, '*', 0, sizeof(void *)));
SAME(DIAG_IOCSDEL, _IOC(_IOC_WRITE, '*', 1, sizeof(void *)));
SAME(DIAG_IOCSUNREG, _IOC(_IOC_WRITE, '*', 2, sizeof(void *)));
