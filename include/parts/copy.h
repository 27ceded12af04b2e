/* SPDX-License-Identifier: MIT */
/*
 * One copy of the code in a program
 */

/* @private */

/*
 * Each file that has events compiles the code that they need; a program keeps one copy. In C++ the
 * linker sees to it, as for any inline function. C has no such functions. So each of these is in a
 * section named .gnu.linkonce.t.SYMBOL, of which GNU ld and gold keep the first, and is a weak
 * symbol, hidden from other libraries. Other linkers keep all sections, unless told --gc-sections,
 * and use the first.
 *
 * clang emits a weak inline function where it is called, and only there. GCC emits it always, or
 * never. There the function is static, its first statement defines SYMBOL as its other name, and
 * each call is of SYMBOL, behind a statement that keeps the static function (UE__CALL).
 *
 * A copy refers to its own file or to symbols that all copies share. Everything else refers to a
 * copy by SYMBOL, since the linker refuses references to a section that it left out. A switch of
 * four cases may become a table with such references.
 *
 * Copies are only alike if text, configuration, machine and sanitizers are: SYMBOL ends in all of
 * that.
 */
#if defined(__cplusplus) || defined(UE_DISABLE) || defined(UE_SHARED) || defined(UE_OWN_COPIES)
/* one copy, or none, or as many as there are files */
#elif !defined(__ELF__) || UE_INLINE_BYTES != 512 || UE_MAX_EVENT != 4064
/* nothing that files have in common */
#elif !defined(UE__KEY_SYSTEM) &&                                                    \
	(defined(UE_SYS_OPEN) || defined(UE_SYS_CLOSE) || defined(UE_SYS_READ) ||    \
	 defined(UE_SYS_IOCTL) || defined(UE_SYS_WRITE) || defined(UE_SYS_WRITEV) || \
	 defined(UE_SYS_FCNTL))
/* files that define the same ones may say so: the tests have a text for it */
#elif !defined(__x86_64__) && !defined(__i386__) && !defined(__aarch64__)
/* not tried */
#elif defined(__clang__)
#define UE__ONE_COPY 1
#elif defined(__PIC__) && \
	(defined(__i386__) || defined(__code_model_medium__) || defined(__code_model_large__))
/* an asm statement cannot name a function */
#else
#define UE__ONE_COPY 1
#define UE__LAZY_COPY 1
#endif

#ifdef UE__ONE_COPY
/* The text of this header: scripts/assemble. */
#define UE__TEXT "0"
#ifndef UE__KEY_SYSTEM
#define UE__KEY_SYSTEM
#endif
#ifdef __OPTIMIZE__
#define UE__KEY_OPTIMIZE "o"
#else
#define UE__KEY_OPTIMIZE
#endif
#if defined(__PIC__) && !defined(__PIE__)
#define UE__KEY_PIC "l"
#else
#define UE__KEY_PIC
#endif
#ifdef UE_NO_AUTO_REGISTER
#define UE__KEY_REGISTER "r"
#else
#define UE__KEY_REGISTER
#endif
#if defined(__SANITIZE_ADDRESS__)
#define UE__KEY_SANITIZE "a"
#elif defined(__SANITIZE_THREAD__)
#define UE__KEY_SANITIZE "t"
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UE__KEY_SANITIZE "a"
#elif __has_feature(thread_sanitizer)
#define UE__KEY_SANITIZE "t"
#elif __has_feature(memory_sanitizer)
#define UE__KEY_SANITIZE "m"
#endif
#endif
#ifndef UE__KEY_SANITIZE
#define UE__KEY_SANITIZE
#endif
/*
 * A file of a program may be for newer machines than the others: what compilers use by themselves.
 */
#if defined(__SSE3__) || defined(__ARM_FEATURE_ATOMICS)
#define UE__KEY_A "A"
#else
#define UE__KEY_A
#endif
#if defined(__SSE4_1__) || defined(__ARM_FEATURE_SVE)
#define UE__KEY_B "B"
#else
#define UE__KEY_B
#endif
#if defined(__AVX__) || defined(__ARM_FEATURE_RCPC)
#define UE__KEY_C "C"
#else
#define UE__KEY_C
#endif
#ifdef __AVX2__
#define UE__KEY_D "D"
#else
#define UE__KEY_D
#endif
#ifdef __AVX512F__
#define UE__KEY_E "E"
#else
#define UE__KEY_E
#endif
#ifdef __BMI__
#define UE__KEY_F "F"
#else
#define UE__KEY_F
#endif
#ifdef __BMI2__
#define UE__KEY_G "G"
#else
#define UE__KEY_G
#endif
#ifdef __MOVBE__
#define UE__KEY_H "H"
#else
#define UE__KEY_H
#endif
#ifdef __LZCNT__
#define UE__KEY_I "I"
#else
#define UE__KEY_I
#endif
#if defined(__SSE2__) || defined(__ARM_FEATURE_PAC_DEFAULT)
#define UE__KEY_J "J"
#else
#define UE__KEY_J
#endif
#if defined(__SSE__) || defined(__MMX__) || defined(__i686__) || defined(__ARM_FEATURE_MOPS)
#define UE__KEY_K "K"
#else
#define UE__KEY_K
#endif
#if defined(__APX_F__) || defined(__GCC_HAVE_SYNC_COMPARE_AND_SWAP_8)
#define UE__KEY_L "L"
#else
#define UE__KEY_L
#endif
#define UE__COPY_SYMBOL(name)                                                                \
#name "_" UE__TEXT UE__KEY_SYSTEM UE__KEY_OPTIMIZE UE__KEY_PIC UE__KEY_REGISTER      \
		UE__KEY_SANITIZE UE__KEY_A UE__KEY_B UE__KEY_C UE__KEY_D UE__KEY_E UE__KEY_F \
			UE__KEY_G UE__KEY_H UE__KEY_I UE__KEY_J UE__KEY_K UE__KEY_L
#define UE__HIDDEN_SYMBOL __attribute__((__visibility__("hidden")))
#define UE__IN_COPY(name) __attribute__((__section__(".gnu.linkonce.t." UE__COPY_SYMBOL(name))))
#endif

/*
 * CALLED are the attributes that callers see. UE__COPY begins the body; UE__THE is the function,
 * for calls that UE__CALL does not see, by its address.
 */
#if defined(UE__LAZY_COPY)
#define UE__FUNCTION(called, attributes, type, name, parameters)    \
	extern UE__HIDDEN_SYMBOL called type(name)                  \
	parameters __asm__(UE__COPY_SYMBOL(name));                  \
	static inline UE__IN_COPY(name) __attribute__((__unused__)) \
	called attributes type name##_copy parameters
#define UE__COPY(name)                                                               \
	__asm__(".ifndef %c1\n\t.weak %c1\n\t.set %c1, %c0\n\t.hidden %c1\n\t.endif" \
		:                                                                    \
		: "X"(name##_copy), "X"(name))
#define UE__KEEP_COPY(name) __asm__ volatile("" : : "X"(name##_copy))
#define UE__THE(name)                \
	__extension__({              \
		UE__KEEP_COPY(name); \
		&name;               \
	})
#define UE__CALL(name, ...)          \
	__extension__({              \
		UE__KEEP_COPY(name); \
		name(__VA_ARGS__);   \
	})
#elif defined(UE__ONE_COPY)
#define UE__FUNCTION(called, attributes, type, name, parameters)               \
	UE__HIDDEN_SYMBOL inline UE__IN_COPY(name) __attribute__((__weak__))   \
	called attributes type name parameters __asm__(UE__COPY_SYMBOL(name)); \
	UE__HIDDEN_SYMBOL inline UE__IN_COPY(name) __attribute__((__weak__))   \
	called attributes type name parameters
#define UE__COPY(name) ((void)0)
#define UE__THE(name) (&name)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wstatic-in-inline"
#pragma clang diagnostic ignored "-Wstatic-local-in-inline"
#else
#define UE__FUNCTION(called, attributes, type, name, parameters) \
	UE__FN called attributes type name parameters
#define UE__COPY(name) ((void)0)
#define UE__THE(name) (&name)
#endif

/*
 * What a program has once. UE__SETUP runs at registration and after failures: each file that has
 * events compiles it, so the compiler's time counts for more than the code's. UE__ENTRY and UE__HOT
 * are what sites call, in other files with UE_SHARED; hot, since what cold code calls alone would be
 * optimised for size.
 */
#define UE__ONCE(type, name, parameters) UE__FUNCTION(, , type, name, parameters)
#define UE__SETUP(type, name, parameters) \
	UE__FUNCTION(__attribute__((__cold__)), UE__CHEAP, type, name, parameters)
#define UE__COLD(type, name, parameters) \
	UE__FUNCTION(__attribute__((__cold__)), UE__NOT_INLINE, type, name, parameters)
#ifdef UE__LAZY_COPY /* calls are of the symbol, never of what could be inlined */
#define UE__NOT_INLINE
#else
#define UE__NOT_INLINE UE__NOINLINE
#endif
#ifdef __clang__
#define UE__AS_IT_IS UE__NOT_INLINE
#else /* nor a clone for one of several callers: encode_more.h reads arguments in place */
#define UE__AS_IT_IS UE__NOT_INLINE __attribute__((__noclone__))
#endif
#ifdef UE__ONE_COPY
#define UE__ENTRY(type, name, parameters) UE__FUNCTION(, , type, name, parameters)
#define UE__HOT(type, name, parameters) \
	UE__FUNCTION(, UE__AS_IT_IS __attribute__((__hot__)), type, name, parameters)
#else
#define UE__ENTRY(type, name, parameters) UE__API UE__NOINLINE type name parameters
#define UE__HOT(type, name, parameters) \
	UE__API UE__AS_IT_IS __attribute__((__hot__)) type name parameters
#endif
