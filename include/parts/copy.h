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
 * calls are of SYMBOL. So GCC sees no call of the static functions; UE__COPY and UE__KEEP, which
 * scripts/assemble writes, name those that a function needs.
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
#elif (defined(__BMI2__) + defined(__BMI__) + defined(__LZCNT__) + defined(__MOVBE__)) % 4 != 0
/* machines that have some of x86-64-v3's instructions, and not all */
#elif defined(__MMX__) ? !defined(__SSE2__) : (defined(__i386__) && !defined(__i686__))
/* old ones */
#elif defined(__APX_F__) || defined(__ARM_FEATURE_MOPS)
/* new ones */
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
#if defined(__PIC__) && !defined(__PIE__) && defined(__OPTIMIZE__)
#define UE__KEY_CODE "lo"
#elif defined(__PIC__) && !defined(__PIE__)
#define UE__KEY_CODE "l"
#elif defined(__OPTIMIZE__)
#define UE__KEY_CODE "o"
#else
#define UE__KEY_CODE
#endif
#ifdef __has_feature
#define UE__SANITIZES(what) __has_feature(what)
#else
#define UE__SANITIZES(what) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || UE__SANITIZES(address_sanitizer)
#define UE__KEY_SANITIZE "a"
#elif defined(__SANITIZE_THREAD__) || UE__SANITIZES(thread_sanitizer)
#define UE__KEY_SANITIZE "t"
#elif UE__SANITIZES(memory_sanitizer)
#define UE__KEY_SANITIZE "m"
#else
#define UE__KEY_SANITIZE
#endif
/*
 * A file of a program may be for newer machines than the others: what compilers use by themselves.
 * Each of a list has what stands below it.
 */
#if defined(__AVX512F__) || defined(__ARM_FEATURE_SVE)
#define UE__KEY_MACHINE "F"
#elif defined(__AVX2__) || defined(__ARM_FEATURE_ATOMICS)
#define UE__KEY_MACHINE "E"
#elif defined(__AVX__)
#define UE__KEY_MACHINE "D"
#elif defined(__SSE4_1__)
#define UE__KEY_MACHINE "C"
#elif defined(__SSE3__)
#define UE__KEY_MACHINE "B"
#elif defined(__SSE2__)
#define UE__KEY_MACHINE "A"
#else
#define UE__KEY_MACHINE
#endif
#if defined(__BMI2__) || defined(__ARM_FEATURE_RCPC) && defined(__ARM_FEATURE_PAC_DEFAULT)
#define UE__KEY_MORE "I"
#elif defined(__ARM_FEATURE_RCPC)
#define UE__KEY_MORE "H"
#elif defined(__ARM_FEATURE_PAC_DEFAULT)
#define UE__KEY_MORE "G"
#else
#define UE__KEY_MORE
#endif
#define UE__COPY_SYMBOL(name) \
#name "_" UE__TEXT UE__KEY_SYSTEM UE__KEY_CODE UE__KEY_SANITIZE UE__KEY_MACHINE UE__KEY_MORE
#define UE__IN_COPY(symbol) __attribute__((__section__(".gnu.linkonce.t." symbol)))
#endif

/*
 * CALLED are the attributes that callers see, ATTRIBUTES those of the code. UE__COPY begins the
 * body. UE__THE is the function for macros: there scripts/assemble sees no call.
 */
#if defined(UE__LAZY_COPY)
#define UE__FUNCTION(symbol, called, attributes, type, name, parameters) \
	extern UE__HIDDEN called type name parameters __asm__(symbol);   \
	static inline UE__IN_COPY(symbol) attributes type name##_copy parameters
#define UE__COPY(name, ...)                                                          \
	__asm__(".ifndef %c0\n\t.weak %c0\n\t.set %c0, %c1\n\t.hidden %c0\n\t.endif" \
		:                                                                    \
		: "X"(name), __VA_ARGS__)
#define UE__KEEP(...) __asm__("" : : __VA_ARGS__)
#define UE__THE(name)                       \
	__extension__({                     \
		UE__KEEP("X"(name##_copy)); \
		&name;                      \
	})
#elif defined(UE__ONE_COPY)
#define UE__FUNCTION(symbol, called, attributes, type, name, parameters) \
	UE__HIDDEN inline UE__IN_COPY(symbol) __attribute__((__weak__))  \
	attributes type name parameters __asm__(symbol);                 \
	UE__HIDDEN inline UE__IN_COPY(symbol) __attribute__((__weak__))  \
	attributes type name parameters
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wstatic-in-inline"
#pragma clang diagnostic ignored "-Wstatic-local-in-inline"
#else
#define UE__FUNCTION(symbol, called, attributes, type, name, parameters) \
	UE__FN attributes type name parameters
#endif
#ifndef UE__LAZY_COPY
#define UE__COPY(...) ((void)0)
#define UE__KEEP(...) ((void)0)
#define UE__THE(name) (&name)
#endif

/*
 * What a program has once. UE__SETUP runs at registration and after failures: each file that has
 * events compiles it, so the compiler's time counts for more than the code's. UE__ENTRY and UE__HOT
 * are what sites call, in other files with UE_SHARED; hot, since what cold code calls alone would
 * be optimised for size.
 */
#define UE__ONCE(type, name, parameters) \
	UE__FUNCTION(UE__COPY_SYMBOL(name), , UE__PLAIN, type, name, parameters)
#define UE__SETUP(type, name, parameters) \
	UE__FUNCTION(UE__COPY_SYMBOL(name), UE__IS_COLD, UE__CHEAP, type, name, parameters)
#define UE__COLD(type, name, parameters)                                                       \
	UE__FUNCTION(UE__COPY_SYMBOL(name), UE__IS_COLD, UE__IS_COLD UE__NOT_INLINE UE__PLAIN, \
		     type, name, parameters)
#define UE__IS_COLD __attribute__((__cold__))
#ifdef UE__LAZY_COPY /* calls are of the symbol, never of what could be inlined */
#define UE__NOT_INLINE
#else
#define UE__NOT_INLINE UE__NOINLINE
#endif
#ifdef __clang__
#define UE__AS_IT_IS UE__NOT_INLINE __attribute__((__hot__))
#else /* nor a clone for one of several callers: encode_more.h reads arguments in place */
#define UE__AS_IT_IS UE__NOT_INLINE __attribute__((__noclone__, __hot__))
#endif
#ifdef UE__ONE_COPY
#define UE__ENTRY(type, name, parameters) \
	UE__FUNCTION(UE__COPY_SYMBOL(name), , , type, name, parameters)
#define UE__HOT(type, name, parameters) \
	UE__FUNCTION(UE__COPY_SYMBOL(name), , UE__AS_IT_IS UE__PLAIN, type, name, parameters)
#else
#define UE__ENTRY(type, name, parameters) UE__API UE__NOINLINE type name parameters
#define UE__HOT(type, name, parameters) UE__API UE__AS_IT_IS UE__PLAIN type name parameters
#endif
