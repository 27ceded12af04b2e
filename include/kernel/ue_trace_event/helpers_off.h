/* SPDX-License-Identifier: MIT */
/*
 * For the pass that keeps TP_printk as text: its helpers are names that tracers know, and __entry
 * is what the kernel's own formats call it. helpers_on.h takes this back. Both are read many times.
 */
#pragma push_macro("__get_dynamic_array")
#undef __get_dynamic_array
#pragma push_macro("__get_dynamic_array_len")
#undef __get_dynamic_array_len
#pragma push_macro("__get_str")
#undef __get_str
#pragma push_macro("__get_sockaddr")
#undef __get_sockaddr
#pragma push_macro("__get_bitmask")
#undef __get_bitmask
#pragma push_macro("__get_cpumask")
#undef __get_cpumask
#pragma push_macro("__get_rel_dynamic_array")
#undef __get_rel_dynamic_array
#pragma push_macro("__get_rel_dynamic_array_len")
#undef __get_rel_dynamic_array_len
#pragma push_macro("__get_rel_str")
#undef __get_rel_str
#pragma push_macro("__get_rel_sockaddr")
#undef __get_rel_sockaddr
#pragma push_macro("__get_rel_bitmask")
#undef __get_rel_bitmask
#pragma push_macro("__get_rel_cpumask")
#undef __get_rel_cpumask
#pragma push_macro("__print_flags")
#undef __print_flags
#pragma push_macro("__print_symbolic")
#undef __print_symbolic
#pragma push_macro("__print_flags_u64")
#undef __print_flags_u64
#pragma push_macro("__print_symbolic_u64")
#undef __print_symbolic_u64
#pragma push_macro("__print_hex")
#undef __print_hex
#pragma push_macro("__print_hex_str")
#undef __print_hex_str
#pragma push_macro("__print_array")
#undef __print_array
#pragma push_macro("__print_dynamic_array")
#undef __print_dynamic_array
#pragma push_macro("__print_hex_dump")
#undef __print_hex_dump
#pragma push_macro("__print_ns_to_secs")
#undef __print_ns_to_secs
#pragma push_macro("__print_ns_without_secs")
#undef __print_ns_without_secs
#pragma push_macro("__get_buf")
#undef __get_buf
#pragma push_macro("TRACE_DEFINE_ENUM")
#undef TRACE_DEFINE_ENUM
#define TRACE_DEFINE_ENUM(constant) UE__TEXTS_ENUM(constant, #constant) UE__END_OF_MACRO
#pragma push_macro("TRACE_DEFINE_SIZEOF")
#undef TRACE_DEFINE_SIZEOF
/* as the text has it: with macros expanded, "sizeof(struct pair)" */
#define TRACE_DEFINE_SIZEOF(type) \
	UE__TEXTS_ENUM(sizeof(type), "sizeof(" __stringify(type) ")") UE__END_OF_MACRO
#define __entry REC
