/* SPDX-License-Identifier: MIT */
/*
 * Builder: a function for each type
 */

/* @private */

#ifdef UE__DECLARED_ONLY
#define UE__BODY(...) ;
#else
#define UE__BODY(...) { __VA_ARGS__ }
#endif
#define UE__BUILD_VALUES(_) \
	_(u8, U8) _(u16, U16) _(u32, U32) _(u64, U64) _(i8, I8) _(i16, I16) _(i32, I32) \
	_(i64, I64) _(x8, X8) _(x16, X16) _(x32, X32) _(x64, X64) _(ptr, PTR) _(f32, F32) \
	_(f64, F64) _(bool, BOOL) _(char, CHAR) _(char16, CHAR16) _(char32, CHAR32) \
	_(pid, PID) _(errno, ERRNO) _(port, PORT) _(time32, TIME32) _(time64, TIME64)
#define UE__BUILD_POINTERS(_) _(uuid, UUID) _(ipv4, IPV4) _(ipv6, IPV6)
#define UE__BUILD_STRINGS(_) \
	_(str, STR) _(str16, STR16) _(str32, STR32) _(latin1, LATIN1) _(xml, XML) _(json, JSON)
#define UE__BUILD_COUNTED(_) _(strn, STRN) _(str16n, STR16N) _(str32n, STR32N) _(bytes, BYTES)

#define UE__BUILD_VALUE(name_, type) \
	UE__API void ue_add_##name_(struct ue_builder *b, const char *name, ue__c_0##type value) \
	UE__BODY(ue__add_scalar(b, name, UE__T_0##type, ue__in_0##type(value));) \
	UE__BUILD_ARRAYS(ue_add_array_##name_, ue_add_fixed_array_##name_, UE__T_0##type, \
			 ue__c_0##type)
#define UE__BUILD_POINTER(name_, type) \
	UE__API void ue_add_##name_(struct ue_builder *b, const char *name, const void *value) \
	UE__BODY(ue__add_value(b, name, UE__T_0##type, value);) \
	UE__BUILD_ARRAYS(ue_add_array_##name_, ue_add_fixed_array_##name_, UE__T_0##type, void)
#define UE__BUILD_STRING(name_, type) \
	UE__API void ue_add_##name_(struct ue_builder *b, const char *name, ue__c_0##type value) \
	UE__BODY(ue__add_data(b, name, UE__T_0##type, value ? (const void *)value : "\0\0\0", 1);) \
	UE__BUILD_ARRAYS(ue_add_array_##name_, ue_add_fixed_array_##name_, UE__T_0##type, \
			 ue__c_0##type)
#define UE__BUILD_ARRAYS(array, fixed_array, t, ctype) \
	UE__API void array(struct ue_builder *b, const char *name, ctype const *p, size_t count) \
	UE__BODY(ue__add_data(b, name, (t) | UE__T_VARRAY, p, count);) \
	UE__API void fixed_array(struct ue_builder *b, const char *name, ctype const *p, size_t n) \
	UE__BODY(ue__add_data(b, name, (t) | UE__T_CARRAY, p, n);)
#define UE__BUILD_COUNT(name_, type) \
	UE__API void ue_add_##name_(struct ue_builder *b, const char *name, ue__c_0##type p, \
				   size_t count) \
	UE__BODY(ue__add_data(b, name, UE__T_0##type, p, count);)
UE__BUILD_VALUES(UE__BUILD_VALUE)
UE__BUILD_POINTERS(UE__BUILD_POINTER)
UE__BUILD_STRINGS(UE__BUILD_STRING)
UE__BUILD_COUNTED(UE__BUILD_COUNT)

