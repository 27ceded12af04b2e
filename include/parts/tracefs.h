/* SPDX-License-Identifier: MIT */
/*
 * Finding user_events_data
 */

/* @enabled */

#define UE__USUAL_PATH "/sys/kernel/tracing/user_events_data"

/* Opens PATH on an fd above 2: 0 to 2 belong to stdio, even where they are closed. */
UE__SETUP int ue__open_high(const char *path)
{
	int low[3], n = 0, fd;

	while ((fd = ue__open(path, UE__RDWR | UE__CLOEXEC)) >= 0 && fd < 3 && n < 3)
		low[n++] = fd;
	while (n > 0)
		ue__close(low[--n]);
	return fd;
}

static UE__ALWAYS_INLINE bool ue__is_absent(int error)
{
	return error == -ENOENT || error == -ENOTDIR;
}

/* What was read of /proc/self/mounts: "device point type options..." a line. */
struct ue__mounts {
	char text[32768]; /* a point has up to 4095 characters, of which blanks are \040 */
	char path[4096 + 64];
};

/*
 * Opens the user_events_data of a mount that LINE tells of. Returns 0 if it has none, and is no
 * tracefs.
 */
UE__SETUP int ue__try_mount(const char *line, char path[4096 + 64])
{
	const char *p = line + strcspn(line, " "), *type = p + (*p != '\0');
	struct ue__text t = ue__text_in(path, 4096);
	bool tracefs;
	int fd;

	type += strcspn(type, " ");
	tracefs = strncmp(type, " tracefs ", 9) == 0;
	if (!tracefs && strncmp(type, " debugfs ", 9) != 0)
		return 0;
	while (++p < type) {
		char c = *p;

		if (c == '\\' && type - p > 3) { /* three octal digits */
			c = (char)((p[1] - '0') << 6 | (p[2] - '0') << 3 | (p[3] - '0'));
			p += 3;
		}
		ue__put_bytes(&t, &c, 1);
	}
	if (t.length >= t.size) /* longer than any path */
		return 0;
	t.size += 64;
	ue__put(&t, tracefs ? "/user_events_data" : "/tracing/user_events_data");
	fd = ue__open_high(path);
	if (ue__is_absent(fd))
		return tracefs ? -EOPNOTSUPP : 0;
	return fd;
}

/* Searches all mounts. Returns the fd, 0 if there is no tracefs, or why there is none. */
UE__SETUP int ue__open_mounts(void)
{
	struct ue__state *s = &ue__state_v1;
	int file = ue__open("/proc/self/mounts", UE__RDONLY | UE__CLOEXEC), result = 0, fd = 0;
	struct ue__mounts *m = file < 0 ? NULL : (struct ue__mounts *)ue__map(sizeof(*m));
	size_t kept = 0;
	char *line, *end;
	long n;

	while (m && fd <= 0 &&
	       (n = ue__read(file, m->text + kept, sizeof(m->text) - 1 - kept)) > 0) {
		m->text[kept + (size_t)n] = '\0';
		for (line = m->text; fd <= 0 && (end = strchr(line, '\n')) != NULL;
		     line = end + 1) {
			*end = '\0';
			fd = ue__try_mount(line, m->path);
			if (fd != 0 && (result == 0 || fd != -EOPNOTSUPP))
				result = fd;
		}
		kept = strlen(line);
		if (kept == sizeof(m->text) - 1)
			kept /= 2; /* overlayfs has long options, which nobody asks for */
		memmove(m->text, line, kept);
	}
	if (file >= 0)
		ue__close(file);
	if (fd > 0 && !s->mounted)
		s->mounted = (char *)ue__map(sizeof(m->path));
	if (fd > 0 && s->mounted)
		memcpy(s->mounted, m->path, sizeof(m->path));
	if (m)
		munmap(m, sizeof(*m));
	if (fd > 0)
		s->path = s->mounted;
	return result;
}

/*
 * Opens user_events_data; AGAIN: where it was. If /sys/kernel/tracing refuses, the mounts are
 * searched only on the program's demand: one without permission would read them all at each start.
 */
UE__SETUP int ue__open_data(bool again)
{
	struct ue__state *s = &ue__state_v1;
	int i, fd, events, error = -ENOENT;

	if (again && s->path)
		return ue__open_high(s->path);
	for (i = 0; i < 2; i++) {
		const char *path = i == 0 ? UE__USUAL_PATH
					  : "/sys/kernel/debug/tracing/user_events_data";

		fd = ue__open_high(path);
		if (fd >= 0) {
			s->path = path;
			return fd;
		}
		if (!ue__is_absent(fd)) {
			error = fd;
		} else if (i == 0) { /* a tracefs? It may be, where this process may not look */
			events = ue__open("/sys/kernel/tracing/events", UE__RDONLY | UE__CLOEXEC);
			if (events >= 0)
				ue__close(events);
			if (!ue__is_absent(events))
				error = -EOPNOTSUPP;
		}
		if (i == 0 && error != -ENOENT && !s->search_mounts)
			return error;
	}
	fd = again ? 0 : ue__open_mounts();
	return fd > 0 || (fd < 0 && error == -ENOENT) ? fd : error;
}
