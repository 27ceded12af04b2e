/* SPDX-License-Identifier: MIT */
/*
 * Attributes of compilers, and numbers of either byte order
 */

/* @private */

#if defined(__GNUC__)
#ifdef __clang__ /* warns if something marked as unused is used */
#define UE__DECODE_UNUSED
#else
#define UE__DECODE_UNUSED __attribute__((__unused__))
#endif
#define UE__DECODE_COLD static UE__DECODE_UNUSED __attribute__((__noinline__, __cold__))
#define UE__DECODE_NOINLINE static UE__DECODE_UNUSED __attribute__((__noinline__))
/* For what is short once constant arguments are folded, which GCC does not expect. */
#define UE__DECODE_INLINE static inline __attribute__((__always_inline__))
#define UE__DECODE_UNLIKELY(x) __builtin_expect(!!(x), 0)
#else
#define UE__DECODE_COLD static inline
#define UE__DECODE_NOINLINE static inline
#define UE__DECODE_INLINE static inline
#define UE__DECODE_UNLIKELY(x) (x)
#endif

static inline uint16_t ue__decode_u16(const uint8_t *p, int big)
{
	if (big)
		return (uint16_t)(p[0] << 8 | p[1]);
	return (uint16_t)(p[1] << 8 | p[0]);
}

static inline uint32_t ue__decode_u32(const uint8_t *p, int big)
{
	if (big)
		return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
	return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static inline uint64_t ue__decode_u64(const uint8_t *p, int big)
{
	uint64_t first = ue__decode_u32(p, big), second = ue__decode_u32(p + 4, big);

	return big ? first << 32 | second : second << 32 | first;
}

static inline uint64_t ue__decode_load(const uint8_t *p, size_t size, int big)
{
	switch (size) {
	case 1:
		return *p;
	case 2:
		return ue__decode_u16(p, big);
	case 4:
		return ue__decode_u32(p, big);
	default:
		return ue__decode_u64(p, big);
	}
}
