/* SPDX-License-Identifier: MIT */
/*
 * The files of recorders
 */

/* @enabled */

#ifdef __cplusplus
extern "C" {
#endif
extern int ue__libc_usleep(unsigned int microseconds) __asm__("usleep");
extern int ue__libc_rename(const char *from, const char *to) __asm__("rename");
#ifdef __GLIBC__
extern int ue__libc_fallocate(int fd, int mode, int64_t from, int64_t size) __asm__("fallocate64");
#else
extern int ue__libc_fallocate(int fd, int mode, int64_t from, int64_t size) __asm__("fallocate");
#endif
#ifdef __cplusplus
}
#endif

/* flock(): a mapping keeps the lock when the file is closed. */
enum { UE__LOCK_SHARED = 1, UE__LOCK_ONE = 2, UE__LOCK_TRY = 4 };
static inline int ue__recorder_flock(int fd, int how)
{
	int error = (int)ue__syscall3(__NR_flock, fd, how | UE__LOCK_TRY, 0);

	/* where files cannot be locked, assume that nobody uses it */
	return error == -EWOULDBLOCK ? error : 0;
}

/* Copy-on-write file systems need new blocks to overwrite data, which a full disk does not have. */
UE__FN bool ue__recorder_copies_on_write(int fd)
{
	static const unsigned long types[] = { 0x9123683eul /* btrfs */,
					       0xca451a4eul /* bcachefs */ };
	struct statfs fs;
	size_t i;
	int error;

	UE__SYSTEM(error, fstatfs(fd, &fs));
	for (i = 0; !error && i < sizeof(types) / sizeof(*types); i++) {
		if (((unsigned long)fs.f_type & 0xffffffffu) == types[i])
			return true;
	}
	return false;
}

/* May a file be of SIZE bytes? To ask the kernel for more ends a program by SIGXFSZ. */
UE__FN bool ue__recorder_may_be(uint64_t size)
{
	return size <= ue__capture_most();
}

UE__FN int ue__recorder_allocate(int fd, uint64_t size)
{
	int error, tries;

	if (!ue__recorder_may_be(size))
		return -EFBIG;
	if (ue__recorder_copies_on_write(fd))
		return -EOPNOTSUPP;
	for (tries = 0; tries < 100; tries++) {
		UE__SYSTEM(error, ue__libc_fallocate(fd, 0, 0, (int64_t)size));
		if (error != -EINTR) /* tmpfs returns it at every signal */
			break;
	}
	return error;
}

UE__FN bool ue__recorder_map(void **memory, void *where, int fd, size_t size)
{
	int saved = errno;
	int flags = fd < 0 ? MAP_SHARED | UE__MAP_ANONYMOUS : MAP_SHARED;

	*memory = mmap(where, size, PROT_READ | PROT_WRITE, flags | (where ? MAP_FIXED : 0), fd, 0);
	errno = saved;
	return *memory != MAP_FAILED;
}

/* Renames the file of another recorder, of any version, to PATH.old. */
UE__FN int ue__recorder_move(int fd, const char *path)
{
	char old[4096];
	size_t n = strlen(path);
	uint32_t magic = 0;
	int error;

	if (ue__syscall3(__NR_read, fd, (long)&magic, 4) != 4 ||
	    (magic != UE__RECORDER_MAGIC && magic != __builtin_bswap32(UE__RECORDER_MAGIC)))
		return -EEXIST;
	if (n + 5 > sizeof(old))
		return -ENAMETOOLONG;
	memcpy(old, path, n);
	memcpy(old + n, ".old", 5);
	UE__SYSTEM(error, ue__libc_rename(path, old));
	return error;
}

UE__FN int ue__recorder_open_file(const char *path, struct stat *status)
{
	int flags = O_RDWR, fd, error;

#if defined(O_NOFOLLOW)
	flags |= O_NOFOLLOW;
#elif defined(__O_NOFOLLOW)
	flags |= __O_NOFOLLOW;
#endif
	fd = ue__capture_open(path, flags);
	if (fd < 0)
		return fd;
	UE__SYSTEM(error, fstat(fd, status));
	if (!error && !S_ISREG(status->st_mode))
		error = -EINVAL;
	if (!error && status->st_uid != geteuid())
		error = -EPERM; /* its owner may truncate it */
	if (error) {
		ue__syscall3(__NR_close, fd, 0, 0);
		return error;
	}
	return fd;
}

/* Does PATH still name this file? */
static inline bool ue__recorder_is_at(const char *path, const struct stat *file)
{
	struct stat now;
	int error;

	UE__SYSTEM(error, stat(path, &now));
	return !error && now.st_dev == file->st_dev && now.st_ino == file->st_ino;
}

/* Reads the layout of a recorder's file. Returns -EEXIST for any other file. */
UE__FN int ue__recorder_join(int fd, const struct stat *status, struct ue__recorder_head *layout)
{
	struct ue__recorder_head head;
	bool swap;
	long n;

	n = ue__syscall3(__NR_read, fd, (long)&head, sizeof(head));
	if (n == (long)sizeof(head) &&
	    ue__recorder_valid(&head, (uint64_t)status->st_size, layout, &swap) && !swap)
		return 0;
	return -EEXIST;
}

/*
 * Opens and locks PATH. Returns its fd. If others record into it, *JOINS is set, and LAYOUT becomes
 * the file's; else the file is new. -EAGAIN: another process is opening it.
 */
UE__FN int ue__recorder_open_once(const char *path, struct ue__recorder_head *layout, bool *joins)
{
	struct ue__recorder_head found;
	struct stat status;
	int fd = ue__recorder_open_file(path, &status), error;

	if (fd < 0)
		return fd;
	error = -EAGAIN;
	*joins = ue__recorder_flock(fd, UE__LOCK_ONE) != 0;
	if (*joins) {
		if (!ue__recorder_flock(fd, UE__LOCK_SHARED) && ue__recorder_is_at(path, &status))
			error = ue__recorder_join(fd, &status, &found);
		if (!error)
			*layout = found;
	} else if (!ue__recorder_is_at(path, &status)) {
		error = -EAGAIN;
	} else if (!status.st_size) {
		error = ue__recorder_allocate(fd, layout->size);
		if (error)
			ue__syscall3(__NR_unlinkat, -100, (long)path, 0); /* AT_FDCWD */
	} else {
		error = ue__recorder_move(fd, path);
		error = error ? error : -EAGAIN;
	}
	if (error) {
		ue__syscall3(__NR_close, fd, 0, 0);
		return error;
	}
	return fd;
}
