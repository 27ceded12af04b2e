/* SPDX-License-Identifier: MIT */
/*
 * System calls
 */

@enabled

/*
 * Volatile, since an event's words are written by the kernel and through the linker's bounds:
 * clang finds no store to a static event and would take its initial zero for its value.
 */
#define UE__LOAD(p) __atomic_load_n((const volatile __typeof__(*(p)) *)(p), __ATOMIC_RELAXED)
#define UE__STORE(p, v) __atomic_store_n(p, v, __ATOMIC_RELAXED)
#define UE__INCREMENT(p) ((void)__atomic_fetch_add(p, 1, __ATOMIC_RELAXED))
#define UE__UNLIKELY(x) __builtin_expect(!!(x), 0)

#if defined(O_CLOEXEC)
#define UE__CLOEXEC O_CLOEXEC
#elif defined(__O_CLOEXEC) /* glibc under -std=c11 */
#define UE__CLOEXEC __O_CLOEXEC
#else
#define UE__CLOEXEC 02000000
#endif

/*
 * System calls. They return -errno and leave errno alone. Writes bypass libc's write(), which
 * is a cancellation point; syscall() is bound by its symbol, since strict modes of the
 * compilers hide its declaration.
 */
#define UE__SYSTEM(result, call)                \
	do {                                    \
		int ue__errno = errno;          \
		(result) = (call);              \
		if ((result) < 0)               \
			(result) = -errno;      \
		errno = ue__errno;              \
	} while (0)

#ifdef __cplusplus
extern "C" {
#endif
extern long ue__libc_syscall(long number, ...) __asm__("syscall");
#ifdef __cplusplus
}
#endif

static inline long ue__syscall3(long number, long a, long b, long c)
{
	long result;

#if defined(__x86_64__) && defined(__LP64__)
	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "0"(number), "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "memory");
#else
	UE__SYSTEM(result, ue__libc_syscall(number, a, b, c));
#endif
	return result;
}

#ifndef UE_SYS_OPEN
#define UE_SYS_OPEN(path, flags) open(path, flags)
#endif
#ifndef UE_SYS_CLOSE
#define UE_SYS_CLOSE(fd) close(fd)
#endif
#ifndef UE_SYS_READ
#define UE_SYS_READ(fd, buffer, size) read(fd, buffer, size)
#endif
#ifndef UE_SYS_IOCTL
#ifdef __GLIBC__
#define UE_SYS_IOCTL(fd, request, argument) ioctl(fd, request, argument)
#else /* others declare the request as int, as POSIX does */
#define UE_SYS_IOCTL(fd, request, argument) ioctl(fd, (int)(request), argument)
#endif
#endif

static inline long ue__write(int fd, const struct iovec *iov, int count)
{
	long n;

	if (count == 1) {
#ifdef UE_SYS_WRITE
		UE__SYSTEM(n, UE_SYS_WRITE(fd, iov->iov_base, iov->iov_len));
#else
		n = ue__syscall3(SYS_write, (long)(unsigned int)fd, (long)iov->iov_base,
				 (long)iov->iov_len);
#endif
	} else {
#ifdef UE_SYS_WRITEV
		UE__SYSTEM(n, UE_SYS_WRITEV(fd, iov, count));
#else
		n = ue__syscall3(SYS_writev, fd, (long)iov, count);
#endif
	}
	return n;
}

UE__FN int ue__open(const char *path, int flags)
{
	int fd;

	UE__SYSTEM(fd, UE_SYS_OPEN(path, flags));
	return fd;
}

UE__FN void ue__close(int fd)
{
	int result;

	UE__SYSTEM(result, UE_SYS_CLOSE(fd));
	(void)result;
}

/* A descriptor that the program was given, too, is not for what it executes. */
UE__FN void ue__close_on_exec(int fd)
{
	int result;

	UE__SYSTEM(result, fcntl(fd, F_SETFD, FD_CLOEXEC));
	(void)result;
}

UE__FN int ue__ioctl(int fd, unsigned long request, void *argument)
{
	int result;

	UE__SYSTEM(result, UE_SYS_IOCTL(fd, request, argument));
	return result;
}
