/* SPDX-License-Identifier: MIT */
/*
 * Finding user_events_data
 */

/* @enabled */

enum { UE__PATHS = 2 };

static UE__ALWAYS_INLINE const char *ue__path_at(int i)
{
	return i == 0 ? "/sys/kernel/tracing/user_events_data"
		      : "/sys/kernel/debug/tracing/user_events_data";
}

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

/* Where user_events_data is, by /proc/self/mounts: "device point type options...". */
struct ue__mounts {
	char path[4096 + 64]; /* point; with blanks as \040 in the file */
	char type[16];
	size_t field, length, octal;
	int result; /* the fd, or why there is none */
	char buffer[16384];
};

/* Tries the mount whose line was read. Returns whether the file is found. */
UE__SETUP bool ue__try_mount(struct ue__mounts *m)
{
	bool debug = strcmp(m->type, "debugfs") == 0, trace = strcmp(m->type, "tracefs") == 0;
	struct ue__text t;
	int fd;

	if ((!debug && !trace) || !m->path[0])
		return false;
	t = ue__text_in(m->path + strlen(m->path), 64);
	ue__put(&t, debug ? "/tracing" : "");
	ue__put(&t, "/user_events_data");
	fd = ue__open_high(m->path);
	if (fd > 0 || (fd != -ENOENT && fd != -ENOTDIR))
		m->result = fd;
	else if (trace && m->result == 0)
		m->result = -EOPNOTSUPP;
	return fd > 0;
}

/* Parses the next character of the file. Returns whether user_events_data is found. */
UE__SETUP bool ue__read_mount(struct ue__mounts *m, char c)
{
	bool found = false;

	if (c == ' ' || c == '\n') {
		if (m->field == 1)
			m->path[m->length < 4096 ? m->length : 0] = '\0';
		if (m->field == 2) {
			m->type[m->length < sizeof(m->type) ? m->length : 0] = '\0';
			found = ue__try_mount(m);
		}
		m->field = c == '\n' ? 0 : m->field + 1;
		m->length = m->octal = 0;
		return found;
	}
	if (m->field == 1 && (c == '\\' || m->octal)) {
		/* \ooo: three digits after the backslash are one character */
		char *p = m->path + (m->length < 4096 ? m->length : 0);

		*p = c == '\\' ? '\0' : (char)((*p << 3) | (c - '0'));
		if (c == '\\')
			m->octal = 0;
		if (m->octal++ < 3)
			return false;
		m->octal = 0;
	} else if (m->field == 1 && m->length < 4096) {
		m->path[m->length] = c;
	} else if (m->field == 2 && m->length < sizeof(m->type)) {
		m->type[m->length] = c;
	}
	m->length++;
	return false;
}

/* The fd, 0 if there is no tracefs, or why there is none. */
UE__SETUP int ue__open_mounts(void)
{
	int file = ue__open("/proc/self/mounts", UE__RDONLY | UE__CLOEXEC), result = 0;
	struct ue__mounts *m = file < 0 ? NULL : (struct ue__mounts *)ue__map(sizeof(*m));
	bool found = false;
	long n, i;

	while (m && !found && (n = ue__read(file, m->buffer, sizeof(m->buffer))) > 0) {
		for (i = 0; i < n && !found; i++)
			found = ue__read_mount(m, m->buffer[i]);
	}
	if (file >= 0)
		ue__close(file);
	if (m) {
		result = m->result;
		if (found && !ue__state_v1.mounted)
			ue__state_v1.mounted = (char *)ue__map(sizeof(m->path));
		if (found && ue__state_v1.mounted)
			memcpy(ue__state_v1.mounted, m->path, sizeof(m->path));
		munmap(m, sizeof(*m));
	}
	return result;
}

/* Does PATH exist? If this process may not look, it may be a tracefs. */
UE__SETUP bool ue__exists(const char *path)
{
	int fd = ue__open(path, UE__RDONLY | UE__CLOEXEC);

	if (fd >= 0)
		ue__close(fd);
	return fd != -ENOENT && fd != -ENOTDIR;
}

/*
 * Opens user_events_data. If /sys/kernel/tracing refuses, the mounts are searched only with
 * SEARCH_MOUNTS: a program without permission would read all mounts at each start.
 */
UE__SETUP int ue__open_data(bool search_mounts)
{
	struct ue__state *s = &ue__state_v1;
	int i, fd, error = -ENOENT;

	for (i = 0; i < UE__PATHS; i++) {
		fd = ue__open_high(ue__path_at(i));
		if (fd >= 0) {
			s->path = i + 1;
			return fd;
		}
		if (fd != -ENOENT && fd != -ENOTDIR)
			error = fd;
		else if (i == 0 && ue__exists("/sys/kernel/tracing/events"))
			error = -EOPNOTSUPP;
		if (i == 0 && error != -ENOENT && !search_mounts)
			return error;
	}
	fd = ue__open_mounts();
	if (fd > 0) {
		s->path = 0;
		return fd;
	}
	return error != -ENOENT || fd == 0 ? error : fd;
}

/* The path of the fd; "" for one that was passed to ue_use_fd(), and where memory was short. */
UE__SETUP const char *ue__path(void)
{
	const struct ue__state *s = &ue__state_v1;

	if (s->path > 0)
		return ue__path_at(s->path - 1);
	return s->path == 0 && s->mounted ? s->mounted : "";
}
