/* SPDX-License-Identifier: MIT */
/*
 * Values
 */

@private

/*
 * Values: what a field evaluates to, and the type of a bare variable.
 */
static inline uint64_t ue__in_float(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static inline uint64_t ue__in_double(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static inline uint64_t ue__in_string(const char *value)
{
	return (uint64_t)(uintptr_t)value;
}

static inline uint64_t ue__in_pointer(const volatile void *value)
{
	return (uint64_t)(uintptr_t)value;
}

#ifdef __cplusplus
#define UE__CAST(type, value) static_cast<type>(value)
static inline uint64_t ue__in_address(const volatile void *value)
{
	return (uint64_t)(uintptr_t)value;
}
static inline uint64_t ue__in_address(uintptr_t value)
{
	return value;
}
static inline uint64_t ue__arg(const uint64_t &value)
{
	return value;
}
static inline uint64_t ue__arg(const ue__span &value)
{
	return (uint64_t)(uintptr_t)&value;
}
#else
#define UE__CAST(type, value) ((type)(value))
#define ue__in_address(value) ((uint64_t)(uintptr_t)(value))
#define ue__arg(value) (value)
#endif

#define UE__IN_INTEGER(type, value) UE__CAST(uint64_t, UE__CAST(type, value))
#define UE__IN_U8(value) UE__IN_INTEGER(uint8_t, value)
#define UE__IN_U16(value) UE__IN_INTEGER(uint16_t, value)
#define UE__IN_U32(value) UE__IN_INTEGER(uint32_t, value)
#define UE__IN_U64(value) UE__CAST(uint64_t, value)
#define UE__IN_I8(value) UE__IN_INTEGER(int8_t, value)
#define UE__IN_I16(value) UE__IN_INTEGER(int16_t, value)
#define UE__IN_I32(value) UE__IN_INTEGER(int32_t, value)
#define UE__IN_I64(value) UE__IN_INTEGER(int64_t, value)
#define UE__IN_X8 UE__IN_U8
#define UE__IN_X16 UE__IN_U16
#define UE__IN_X32 UE__IN_U32
#define UE__IN_X64 UE__IN_U64
#define UE__IN_PTR(value) ue__in_address(value)
#define UE__IN_F32(value) ue__in_float(UE__CAST(float, value))
#define UE__IN_F64(value) ue__in_double(UE__CAST(double, value))
#define UE__IN_BOOL(value) UE__IN_INTEGER(bool, value)
#define UE__IN_CHAR(value) UE__IN_INTEGER(char, value)
#define UE__IN_CHAR16 UE__IN_U16
#define UE__IN_CHAR32 UE__IN_U32
#define UE__IN_PID UE__IN_I32
#define UE__IN_ERRNO UE__IN_I32
#define UE__IN_PORT UE__IN_U16
#define UE__IN_TIME32 UE__IN_I32
#define UE__IN_TIME64 UE__IN_I64
#define UE__IN_UUID(value) ue__in_pointer(value)
#define UE__IN_IPV4(value) ue__in_pointer(value)
#define UE__IN_IPV6(value) ue__in_pointer(value)
#define UE__IN_STR(value) ue__in_string(value)
#define UE__IN_STR16(value) ue__in_pointer(value)
#define UE__IN_STR32(value) ue__in_pointer(value)
#define UE__IN_LATIN1(value) ue__in_string(value)
#define UE__IN_XML(value) ue__in_string(value)
#define UE__IN_JSON(value) ue__in_string(value)
#define UE__IN_STRN(value) ue__in_string(value)
#define UE__IN_STR16N(value) ue__in_pointer(value)
#define UE__IN_STR32N(value) ue__in_pointer(value)
#define UE__IN_BYTES(value) ue__in_pointer(value)

/* The C types of parameters, for UE_TRACEPOINT. */
#define UE__C_U8 uint8_t
#define UE__C_U16 uint16_t
#define UE__C_U32 uint32_t
#define UE__C_U64 uint64_t
#define UE__C_I8 int8_t
#define UE__C_I16 int16_t
#define UE__C_I32 int32_t
#define UE__C_I64 int64_t
#define UE__C_X8 uint8_t
#define UE__C_X16 uint16_t
#define UE__C_X32 uint32_t
#define UE__C_X64 uint64_t
#define UE__C_PTR const void *
#define UE__C_F32 float
#define UE__C_F64 double
#define UE__C_BOOL bool
#define UE__C_CHAR char
#define UE__C_CHAR16 uint16_t
#define UE__C_CHAR32 uint32_t
#define UE__C_PID int32_t
#define UE__C_ERRNO int32_t
#define UE__C_PORT uint16_t
#define UE__C_TIME32 int32_t
#define UE__C_TIME64 int64_t
#define UE__C_UUID const void *
#define UE__C_IPV4 const void *
#define UE__C_IPV6 const void *
#define UE__C_STR const char *
#define UE__C_STR16 const void *
#define UE__C_STR32 const void *
#define UE__C_LATIN1 const char *
#define UE__C_XML const char *
#define UE__C_JSON const char *
#define UE__C_STRN const char *
#define UE__C_STR16N const void *
#define UE__C_STR32N const void *
#define UE__C_BYTES const void *
