/* SPDX-License-Identifier: MIT */
/*
 * Finding user_events_data
 */

@enabled

/*
 * Registration
 */
static const char *const ue__paths[] = {
	"/sys/kernel/tracing/user_events_data",
	"/sys/kernel/debug/tracing/user_events_data",
};
enum { UE__PATHS = sizeof(ue__paths) / sizeof(ue__paths[0]) };

/* An fd above those that stdio believes to be its own, even if they are closed. */
UE__FN int ue__open_high(const char *path)
{
	int low[3], n = 0, fd;

	while ((fd = ue__open(path, O_RDWR | UE__CLOEXEC)) >= 0 && fd < 3 && n < 3)
		low[n++] = fd;
	while (n > 0)
		ue__close(low[--n]);
	return fd;
}

/*
 * Tries user_events_data on each mount of /proc/self/mounts that may have it:
 * "device point type options...", with blanks in POINT as \040. 0 if there is no tracefs.
 */
UE__FN int ue__open_mounts(char path[128])
{
	char buffer[512], type[16];
	size_t field = 0, length = 0, octal = 0;
	int mounts = ue__open("/proc/self/mounts", O_RDONLY | UE__CLOEXEC);
	int result = 0;
	long n = 0, i = 0;

	if (mounts < 0)
		return 0;
	for (;;) {
		char c;

		if (i == n) {
			UE__SYSTEM(n, UE_SYS_READ(mounts, buffer, sizeof(buffer)));
			if (n <= 0)
				break;
			i = 0;
		}
		c = buffer[i++];
		if (c == ' ' || c == '\n') {
			if (field == 1)
				path[length < 90 ? length : 0] = '\0';
			if (field == 2 && length < sizeof(type)) {
				bool debug = length == 7 && memcmp(type, "debugfs", 7) == 0;
				bool trace = length == 7 && memcmp(type, "tracefs", 7) == 0;

				if ((debug || trace) && path[0]) {
					size_t end = strlen(path);
					struct ue__text t = ue__text_in(path + end, 128 - end);
					int fd;

					ue__put(&t, debug ? "/tracing" : "");
					ue__put(&t, "/user_events_data");
					fd = ue__open_high(path);
					if (fd > 0) {
						result = fd;
						break;
					}
					if (fd != -ENOENT && fd != -ENOTDIR)
						result = fd;
					else if (trace && result == 0)
						result = -EOPNOTSUPP;
				}
			}
			field = c == '\n' ? 0 : field + 1;
			length = 0;
			continue;
		}
		if (field == 1) {
			/* \ooo: the backslash is overwritten by the third digit's result */
			if (c == '\\') {
				octal = 1;
				path[length < 127 ? length : 127] = 0;
				continue;
			}
			if (octal) {
				if (length < 127)
					path[length] = (char)((path[length] << 3) | (c - '0'));
				if (octal++ < 3)
					continue;
				octal = 0;
			} else if (length < 127) {
				path[length] = c;
			}
		} else if (field == 2 && length < sizeof(type)) {
			type[length] = c;
		}
		length++;
	}
	ue__close(mounts);
	return result;
}

/* The fd, found if need be. Under the lock. */
UE__FN int ue__fd(void)
{
	struct ue__state *s = &ue__state_v1;
	int i, fd, error = -ENOENT;

	if (s->fd)
		return s->fd - 1;
	for (i = 0; i < UE__PATHS; i++) {
		fd = ue__open_high(ue__paths[i]);
		if (fd >= 0) {
			s->path = i + 1;
			UE__STORE(&s->fd, fd + 1);
			return fd;
		}
		if (fd != -ENOENT && fd != -ENOTDIR)
			error = fd;
	}
	fd = ue__open_mounts(s->mounted);
	if (fd > 0) {
		s->path = 0;
		UE__STORE(&s->fd, fd + 1);
		return fd;
	}
	s->mounted[0] = '\0';
	return error != -ENOENT || fd == 0 ? error : fd;
