/* SPDX-License-Identifier: MIT */
/*
 * Types and sets in the notation of the kernel
 */

/* @enabled */

/* The kernel's notation of a type. */
UE__SETUP void ue__put_type(struct ue__text *t, uint32_t type)
{
	/* a text, which the linker merges: each file of a program would have a table of its own */
#define UE__KERNEL_NAME(name, kernel, log2, shape, kind, format, ctype, how, ok) kernel ";"
	const char *name = UE__TYPES(UE__KERNEL_NAME);
#undef UE__KERNEL_NAME
	unsigned int row = UE__ROW_OF(type);
	bool loc;

	for (; row; row--)
		name += strcspn(name, ";") + 1;
	if (type & UE__T_CARRAY) {
		ue__put(t, UE__ROW_OF(type) == UE__ROW_CHAR ? "char[" : "unsigned char[");
		ue__put_number(t, UE__LENGTH_OF(type), 10);
		ue__put(t, "]");
		return;
	}
	loc = (type & UE__T_VARRAY) || UE__SHAPE_OF(type) > UE__SHAPE_POINTER;
	ue__put(t, loc ? "__rel_loc " : "");
	ue__put_bytes(t, name, strcspn(name, ";"));
	ue__put(t, loc ? "[]" : "");
}

#define UE__SET_RULES                                                                          \
	"a set's provider is an identifier, its level 1 to 255, its group [0-9a-z]*, and its " \
	"name, PROVIDER_LxKyGgroup, at most 255 bytes"

/* The text that registers an event set: -EINVAL for a name that readers would not know. */
UE__SETUP int ue__set_spec(char out[512], const char *provider, unsigned int level,
			   uint64_t keyword, const char *group)
{
	struct ue__text t = ue__text_in(out, 512);
	const char *g = group ? group : "";

	ue__put(&t, provider);
	ue__put(&t, "_L");
	ue__put_number(&t, level, 16);
	ue__put(&t, "K");
	ue__put_number(&t, keyword, 16);
	if (*g) {
		ue__put(&t, "G");
		ue__put(&t, g);
	}
	if (t.length > 255 || !ue__is_name(provider, strlen(provider)) || level < 1 ||
	    level > 255 || g[strspn(g, "0123456789abcdefghijklmnopqrstuvwxyz")])
		return -EINVAL;
	ue__put(&t, " " UE__SET_FIELDS);
	return 0;
}
