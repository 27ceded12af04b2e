/* SPDX-License-Identifier: MIT */
/*
 * Compares the structures and ioctl requests defined in user_events.h with those in
 * <linux/user_events.h>.
 */
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
SAME(offsetof(struct ue__unreg, reserved), 5);
SAME(offsetof(struct ue__unreg, reserved2), 6);
SAME(offsetof(struct ue__unreg, disable_addr), 8);
/* arguments: transfer direction, pointer size, ioctl type ('*'), ioctl number */
#define READ_WRITE (_IOC_READ | _IOC_WRITE)
SAME(UE__IOCTL_REGISTER, _IOC(READ_WRITE, '*', 0, sizeof(void *)));
SAME(UE__IOCTL_DELETE, _IOC(_IOC_WRITE, '*', 1, sizeof(void *)));
SAME(UE__IOCTL_UNREGISTER, _IOC(_IOC_WRITE, '*', 2, sizeof(void *)));
SAME(UE__IOCTL_REGISTER, DIAG_IOCSREG);
SAME(UE__IOCTL_DELETE, DIAG_IOCSDEL);
SAME(UE__IOCTL_UNREGISTER, DIAG_IOCSUNREG);
SAME(sizeof(struct ue__reg), sizeof(struct user_reg));
SAME(sizeof(struct ue__unreg), sizeof(struct user_unreg));
SAME(UE_PERSIST, USER_EVENT_REG_PERSIST);
SAME(UE_MULTI_FORMAT, USER_EVENT_REG_MULTI_FORMAT);
