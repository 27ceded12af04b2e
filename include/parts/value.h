/* SPDX-License-Identifier: MIT */
/*
 * Values: what a field evaluates to
 */

/* @private */

/*
 * Each value becomes 64 bits, by a function of its type's name. It is that function's argument, so
 * the compiler converts it, and warns of that, as where a variable of the type is initialised.
 */
UE__SHORT uint64_t ue__from_FLOAT(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

UE__SHORT uint64_t ue__from_DOUBLE(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

#define ue__from_INTEGER(value) (uint64_t)(value)
#define ue__from_POINTER(value) (uint64_t)(uintptr_t)(value)
#define UE__IN_ROW(name, kernel, log2, shape, kind, format, ctype, how, ok) \
	UE__SHORT uint64_t ue__in_0##name(ctype value)              \
	{                                                               \
		return ue__from_##how(value);                           \
	}
UE__TYPES(UE__IN_ROW)
#undef UE__IN_ROW
#undef ue__from_INTEGER
#undef ue__from_POINTER

UE__SHORT uint64_t ue__in_pointer(const volatile void *value)
{
	return (uint64_t)(uintptr_t)value;
}

#ifdef __cplusplus
struct ue__address { /* a pointer, or its number */
	uint64_t value;
	ue__address(const volatile void *p) : value((uint64_t)(uintptr_t)p) {}
	ue__address(uintptr_t n) : value(n) {}
};
UE__SHORT uint64_t ue__in_0PTR(ue__address value)
{
	return value.value;
}
UE__SHORT uint64_t ue__arg(const uint64_t &value)
{
	return value;
}
UE__SHORT uint64_t ue__arg(const ue__span &value)
{
	return (uint64_t)(uintptr_t)&value;
}
/* A number of elements, negative ones too: the encoders find them. */
template <class ue__T> UE__SHORT uint64_t ue__in_count(ue__T n)
{
	return static_cast<uint64_t>(n);
}
#else
#define ue__arg(value) (value)
#define ue__in_0PTR(value) ((uint64_t)(uintptr_t)(value))
#define UE__CAST_0PTR ~, ue__in_0PTR
#define ue__in_count(n) ((uint64_t)(n)) /* also of a negative number: the encoders find it */
#endif

/* By its address: of a wrong argument, clang then shows neither function nor candidates. */
#define UE__IN_AS(kind) UE__SECOND_OF(UE__CAST_##kind, (*ue__in_##kind), ~)

/* A negative array size here is a fixed array's N outside 1..65535. */
#define UE__FIXED_LENGTH(n) \
	(UE__T_LENGTH(n) + 0 * sizeof(char[(n) > 0 && (n) <= 65535 ? 1 : -1]))
/* A negative array size here is a pointer to elements of another size than the type's. */
#define UE__ELEMENTS(t, p)                                                                   \
	(ue__in_pointer(p) +                                                                 \
	 0 * sizeof(char[UE__ELEMENT_FITS(t, __extension__ sizeof(*(p))) ? 1 : -1]))
#define UE__ELEMENT_FITS(t, size)                                                            \
	(UE__SHAPE_OF(t) == UE__SHAPE_VALUE   ? (size) == 1u << UE__LOG2_OF(t) :             \
	 UE__SHAPE_OF(t) == UE__SHAPE_ZSTRING ? (size) == sizeof(void *) :                   \
						UE__SHAPE_OF(t) == UE__SHAPE_POINTER)

#ifdef UE_DISABLE
/* Type-checks values that nobody asks for. */
UE__SHORT void ue__ignore(int none, ...)
{
	(void)none;
}
#endif
