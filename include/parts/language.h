/* SPDX-License-Identifier: MIT */
/*
 * C and C++
 */

/* @public */

/*
 * Macros write casts as UE__U64(x), since compilers would warn of them in the user's file. For all
 * else, warnings that this header cannot heed are off, and those of C++ that code of both languages
 * cannot heed.
 */
#pragma GCC diagnostic push
#ifdef UE_DISABLE
#pragma GCC diagnostic ignored "-Wunused-parameter" /* functions that do nothing */
#endif
#ifdef __clang__
#if __has_warning("-Walloca")
#pragma GCC diagnostic ignored "-Walloca" /* descriptors limit the sizes */
#endif
/* it warns of what is marked as unused and is used */
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-variable"
/* unsigned numbers wrap on purpose: hashes, masks, ages */
#pragma clang attribute push(__attribute__((no_sanitize("integer"))), apply_to = function)
#define UE__UNUSED
#else
#pragma GCC diagnostic ignored "-Walloca"
#define UE__UNUSED __attribute__((__unused__))
#endif
#define UE__HIDDEN __attribute__((__visibility__("hidden")))
#ifdef __cplusplus
/*
 * GCC makes statics of templates and inline functions unique objects, which keep a library
 * loaded at dlclose(), unless they are hidden; a local static is so by its type only.
 */
#define UE__HIDDEN_TYPE UE__HIDDEN
#define UE__FN inline UE__HIDDEN
#define UE__SHORT UE__FN /* not static: exported templates of modules could not call it */
#define UE__NOINLINE __attribute__((__noinline__))
#define UE__U64 uint64_t
#define UE__U64_OF(x) (x) /* what has 64 bits in C++ */
#ifdef __clang__	  /* which looks long for operators of enumerators */
#define UE__BITS_OF(enumerator) uint64_t(enumerator)
#else
#define UE__BITS_OF(enumerator) enumerator
#endif
#define UE__NUMBER_OF(enumerator) uint64_t(enumerator) /* no operator is looked for */
#define UE__U32 uint32_t
#define UE__U16 uint16_t
#define UE__U8 uint8_t
#define UE__INT int
#define UE__TYPE(name) name /* within a module, "struct name" would be another one */
#define UE__NULL nullptr
#define UE__ENUM64 enum : uint64_t
#define UE__STATIC_ASSERT static_assert
#define UE__SIZE_T size_t
#pragma GCC diagnostic ignored "-Wold-style-cast"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
#pragma GCC diagnostic ignored "-Wattributes" /* g++: inline and noinline, for its linkage */
#pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"
#pragma GCC diagnostic ignored "-Wshadow" /* g++: ue_status() and struct ue_status, as stat() */
extern "C++" {
#else
#ifdef __OPTIMIZE__
#define UE__FN static UE__UNUSED
#define UE__NOINLINE __attribute__((__noinline__))
#else /* where GCC keeps functions that nobody calls, unless they are inline */
#define UE__FN static inline UE__UNUSED
#define UE__NOINLINE
#endif
#define UE__HIDDEN_TYPE
#define UE__SHORT static inline
#define UE__U64 (uint64_t)
#define UE__U64_OF(x) ((uint64_t)(x))
#ifdef __clang__ /* which gives one 32 bits whose value is a mistake */
#define UE__BITS_OF(enumerator) (uint64_t) enumerator
#else
#define UE__BITS_OF(enumerator) enumerator
#endif
#define UE__NUMBER_OF(enumerator) enumerator
#define UE__U32 (uint32_t)
#define UE__U16 (uint16_t)
#define UE__U8 (uint8_t)
#define UE__INT (int)
#define UE__TYPE(name) struct name
#define UE__NULL NULL
#define UE__ENUM64 __extension__ enum /* beyond int */
#define UE__STATIC_ASSERT _Static_assert
#define UE__SIZE_T (size_t)
#endif
/* Functions that other files of the program may call: UE_SHARED. */
#if !defined(UE_SHARED) || defined(UE_DISABLE)
#define UE__API UE__FN
#elif defined(__cplusplus)
#define UE__API extern "C" UE__HIDDEN
#else
#define UE__API extern UE__HIDDEN
#endif
/* Compiled quickly, not well. GCC drops unused functions of this kind only if they are inline. */
#if defined(__clang__)
#define UE__CHEAP __attribute__((__optnone__, __noinline__, __cold__))
#elif defined(__OPTIMIZE__) && !defined(UE_SHARED) && !defined(__cplusplus)
#define UE__CHEAP inline __attribute__((__optimize__("O0"), __cold__))
#elif defined(__OPTIMIZE__)
#define UE__CHEAP __attribute__((__optimize__("O0"), __cold__))
#else
#define UE__CHEAP __attribute__((__cold__))
#endif
/* A function that UE_DISABLE compiles out answers RESULT. */
#define UE__DISABLED(result, ...) \
	UE__API __VA_ARGS__       \
	{                         \
		return result;    \
	}
#define UE__SETUP_API UE__API UE__CHEAP
/* Compiled with few of GCC's passes: in half the time, to code that is nearly as fast. */
#if defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__) && !defined(__clang__) && \
	!defined(UE_SHARED)
#define UE__PLAIN __attribute__((__optimize__("O1")))
#else
#define UE__PLAIN
#endif
#define UE__ALWAYS_INLINE inline __attribute__((__always_inline__))
#define UE__FILE_COLD UE__FN UE__NOINLINE __attribute__((__cold__))
#define UE__FILE_HOT UE__FN UE__NOINLINE __attribute__((__hot__))
