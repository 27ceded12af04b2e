/* SPDX-License-Identifier: MIT */
/*
 * System calls
 */

/* @enabled */

/*
 * The kernel's numbers, since strict modes of the compilers hide many of their names. Few machines
 * have others than most.
 */
#if defined(__alpha__)
#define UE__BY_MACHINE(most, alpha, mips, parisc, sparc, xtensa) alpha
#elif defined(__mips__)
#define UE__BY_MACHINE(most, alpha, mips, parisc, sparc, xtensa) mips
#elif defined(__hppa__)
#define UE__BY_MACHINE(most, alpha, mips, parisc, sparc, xtensa) parisc
#elif defined(__sparc__)
#define UE__BY_MACHINE(most, alpha, mips, parisc, sparc, xtensa) sparc
#elif defined(__xtensa__)
#define UE__BY_MACHINE(most, alpha, mips, parisc, sparc, xtensa) xtensa
#else
#define UE__BY_MACHINE(most, alpha, mips, parisc, sparc, xtensa) most
#endif
#define UE__RDONLY 0
#define UE__RDWR 2
#define UE__CLOEXEC UE__BY_MACHINE(0x80000, 0x200000, 0x80000, 0x200000, 0x400000, 0x80000)
#define UE__MAP_ANONYMOUS UE__BY_MACHINE(0x20, 0x10, 0x800, 0x10, 0x20, 0x800)
#define UE__RLIMIT_NOFILE UE__BY_MACHINE(7, 6, 5, 7, 6, 7)
#define UE__SIG_SETMASK UE__BY_MACHINE(2, 3, 3, 2, 4, 2)
#define UE__SIGNAL_BYTES UE__BY_MACHINE(8, 8, 16, 8, 8, 8)

/*
 * System calls. They return -errno, leave errno alone and are no cancellation points, which libc's
 * open(), close(), read(), write() and ioctl() are. syscall() is bound by its symbol, since strict
 * modes of the compilers hide its declaration.
 */
#define UE__SYSTEM(result, call)           \
	do {                               \
		int ue__errno = errno;     \
		(result) = (call);         \
		if ((result) < 0)          \
			(result) = -errno; \
		errno = ue__errno;         \
	} while (0)

#ifdef __cplusplus
extern "C" {
#endif
extern long ue__libc_syscall(long number, ...) __asm__("syscall");
#ifdef __cplusplus
}
#endif

/* In the way of events; ue__syscall5() is for what is not. */
static UE__ALWAYS_INLINE long ue__syscall3(long number, long a, long b, long c)
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

UE__SETUP long ue__syscall5(long number, long a, long b, long c, long d, long e)
{
	long result;

#if defined(__x86_64__) && defined(__LP64__)
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
			 : "rcx", "r11", "memory");
#else
	UE__SYSTEM(result, ue__libc_syscall(number, a, b, c, d, e));
#endif
	return result;
}

UE__SETUP int ue__pid(void)
{
	return (int)ue__syscall5(__NR_getpid, 0, 0, 0, 0, 0);
}

static UE__ALWAYS_INLINE long ue__write(int fd, const struct ue__iovec *iov, int count)
{
	long n;

	if (count == 1) {
#ifdef UE_SYS_WRITE
		UE__SYSTEM(n, UE_SYS_WRITE(fd, iov->iov_base, iov->iov_len));
#else
		n = ue__syscall3(__NR_write, (long)(unsigned int)fd, (long)iov->iov_base,
				 (long)iov->iov_len);
#endif
	} else {
#ifdef UE_SYS_WRITEV
		UE__SYSTEM(n, UE_SYS_WRITEV(fd, (const struct iovec *)(const void *)iov, count));
#else
		n = ue__syscall3(__NR_writev, fd, (long)iov, count);
#endif
	}
	return n;
}

UE__SETUP int ue__open(const char *path, int flags)
{
	long fd;

#ifdef UE_SYS_OPEN
	UE__SYSTEM(fd, UE_SYS_OPEN(path, flags));
#else
	fd = ue__syscall5(__NR_openat, -100 /* AT_FDCWD */, (long)path, flags, 0, 0);
#endif
	return (int)fd;
}

UE__SETUP void ue__close(int fd)
{
	long result;

#ifdef UE_SYS_CLOSE
	UE__SYSTEM(result, UE_SYS_CLOSE(fd));
#else
	result = ue__syscall5(__NR_close, fd, 0, 0, 0, 0);
#endif
	(void)result;
}

static UE__ALWAYS_INLINE long ue__read(int fd, void *buffer, size_t size)
{
	long n;

#ifdef UE_SYS_READ
	UE__SYSTEM(n, UE_SYS_READ(fd, buffer, size));
#else
	n = ue__syscall5(__NR_read, fd, (long)buffer, (long)size, 0, 0);
#endif
	return n;
}

static UE__ALWAYS_INLINE int ue__ioctl(int fd, unsigned long request, void *argument)
{
	long result;

#ifdef UE_SYS_IOCTL
	UE__SYSTEM(result, UE_SYS_IOCTL(fd, request, argument));
#else
	result = ue__syscall5(__NR_ioctl, fd, (long)request, (long)argument, 0, 0);
#endif
	return (int)result;
}

#ifdef __NR_fcntl
#define UE__FCNTL __NR_fcntl
#else
#define UE__FCNTL __NR_fcntl64
#endif

/* Where the program opens files in its own way, a descriptor need not be the kernel's. */
UE__SETUP int ue__fcntl(int fd, int command, long argument)
{
	long result;

#if defined(UE_SYS_FCNTL)
	UE__SYSTEM(result, UE_SYS_FCNTL(fd, command, argument));
#elif defined(UE_SYS_OPEN)
	(void)fd;
	(void)command;
	(void)argument;
	result = -ENOSYS;
#else
	result = ue__syscall5(UE__FCNTL, fd, command, argument, 0, 0);
#endif
	return (int)result;
}
