/* SPDX-License-Identifier: MIT */
/*
 * Registering an enable word
 */

/* @enabled */

/* Registers bit BIT of WORD for what SPEC says. Returns the index on FD. */
UE__SETUP int ue__register_word(int fd, const uint32_t *word, uint8_t bit, const char *spec,
				unsigned int flags)
{
	struct ue__reg reg;
	int error;

	memset(&reg, 0, sizeof(reg));
	reg.size = sizeof(reg);
	reg.enable_bit = bit;
	reg.enable_size = sizeof(*word);
	reg.flags = (uint16_t)flags;
	reg.enable_addr = (uint64_t)(uintptr_t)word;
	reg.name_args = (uint64_t)(uintptr_t)spec;
	error = ue__ioctl(fd, DIAG_IOCSREG, &reg);
	return error < 0 ? error : (int)reg.write_index;
}

/* The kernel forgets the enable word, through any fd; -ENOENT if it did not know it. */
UE__SETUP int ue__unregister_word(int fd, const uint32_t *word, uint8_t bit)
{
	struct ue__unreg unreg;

	memset(&unreg, 0, sizeof(unreg));
	unreg.size = sizeof(unreg);
	unreg.disable_bit = bit;
	unreg.disable_addr = (uint64_t)(uintptr_t)word;
	return ue__ioctl(fd, DIAG_IOCSUNREG, &unreg);
}
