/* SPDX-License-Identifier: MIT */
/* The program provides its own versions of the system calls that the library makes. */
#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif
int my_open(const char *path, int flags);
int my_close(int fd);
ssize_t my_read(int fd, void *buffer, size_t size);
int my_ioctl(int fd, unsigned long request, void *argument);
ssize_t my_write(int fd, const void *buffer, size_t size);
ssize_t my_writev(int fd, const struct iovec *iov, int count);
#ifdef __cplusplus
}
#endif
#define UE_SYS_OPEN(path, flags) my_open(path, flags)
#define UE_SYS_CLOSE(fd) my_close(fd)
#define UE_SYS_READ(fd, buffer, size) my_read(fd, buffer, size)
#define UE_SYS_IOCTL(fd, request, argument) my_ioctl(fd, request, argument)
#define UE_SYS_WRITE(fd, buffer, size) my_write(fd, buffer, size)
#define UE_SYS_WRITEV(fd, iov, count) my_writev(fd, iov, count)
#define UE_INLINE_BYTES 128
#include <user_events.h>

void call(const char *s);
void call(const char *s)
{
	UE_TRACE(call, UE_STR(s));
}
