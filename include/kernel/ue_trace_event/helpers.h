/* SPDX-License-Identifier: MIT */
/*
 * Helpers for TP_fast_assign and TP_printk. Each inclusion of this file redefines them. If
 * UE__AS_TEXT is defined, TP_printk is stored as text. The helpers then expand to the names that
 * tracers support, and __entry expands to REC, as in the kernel's format files.
 */
#pragma GCC system_header

#undef __entry
#undef __get_dynamic_array
#undef __get_dynamic_array_len
#undef __get_str
#undef __get_sockaddr
#undef __get_bitmask
#undef __get_cpumask
#undef __get_rel_dynamic_array
#undef __get_rel_dynamic_array_len
#undef __get_rel_str
#undef __get_rel_sockaddr
#undef __get_rel_bitmask
#undef __get_rel_cpumask
#undef __print_flags
#undef __print_symbolic
#undef __print_flags_u64
#undef __print_symbolic_u64
#undef __print_hex
#undef __print_hex_str
#undef __print_array
#undef __print_dynamic_array
#undef __print_hex_dump
#undef __print_ns_to_secs
#undef __print_ns_without_secs
#undef __get_buf
#ifdef UE__AS_TEXT
#define __entry REC
#else

#define __get_dynamic_array(item) \
	((void *)((char *)__entry + (__entry->__data_loc_##item & 0xffff)))
#define __get_dynamic_array_len(item) (__entry->__data_loc_##item >> 16)
/* Does not use __get_dynamic_array(), to save a level of macros. */
#define __get_str(item) ((char *)__entry + (__entry->__data_loc_##item & 0xffff))
#define __get_sockaddr(item) ((struct sockaddr *)__get_dynamic_array(item))
#define __get_bitmask(item) \
	UE__STAGE(BITMASK)(__get_dynamic_array(item), __get_dynamic_array_len(item))
#define __get_cpumask(item) __get_bitmask(item)
#define __get_rel_dynamic_array(item) \
	((void *)((char *)(&__entry->__rel_loc_##item + 1) + (__entry->__rel_loc_##item & 0xffff)))
#define __get_rel_dynamic_array_len(item) (__entry->__rel_loc_##item >> 16)
#define __get_rel_str(item) ((char *)__get_rel_dynamic_array(item))
#define __get_rel_sockaddr(item) ((struct sockaddr *)__get_rel_dynamic_array(item))
#define __get_rel_bitmask(item) \
	UE__STAGE(BITMASK)(__get_rel_dynamic_array(item), __get_rel_dynamic_array_len(item))
#define __get_rel_cpumask(item) __get_rel_bitmask(item)

#define __print_flags(flag, delim, ...) \
	UE__PRINT_FLAGS((unsigned long)(flag), ~0ul, delim, __VA_ARGS__)
#define __print_flags_u64(flag, delim, ...) UE__PRINT_FLAGS(flag, ~0ull, delim, __VA_ARGS__)
#define __print_symbolic(value, ...) \
	UE__PRINT_SYMBOL((unsigned long)(value), ~0ul, __VA_ARGS__)
#define __print_symbolic_u64(value, ...) UE__PRINT_SYMBOL(value, ~0ull, __VA_ARGS__)
#define __print_hex(data, size) ue__print_hex(p, data, (int)(size), false)
#define __print_hex_str(data, size) ue__print_hex(p, data, (int)(size), true)
#define __print_array(array, count, size) \
	(BUILD_BUG_ON((size) != 1 && (size) != 2 && (size) != 4 && (size) != 8), \
	 ue__print_array(p, array, (int)(count), size))
#define __print_dynamic_array(field, size) \
	__print_array(__get_dynamic_array(field), __get_dynamic_array_len(field) / (size), size)
#define __print_hex_dump(prefix, type, row, group, data, size, ascii) \
	ue__print_hex_dump(p, prefix, type, (int)(row), (int)(group), data, (size_t)(size), ascii)
#define __print_ns_to_secs(ns) ((unsigned long long)(ns) / 1000000000u)
#define __print_ns_without_secs(ns) ((unsigned int)((unsigned long long)(ns) % 1000000000u))
#define __get_buf(size) trace_seq_acquire(p, size)

#endif
