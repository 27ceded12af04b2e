/* SPDX-License-Identifier: MIT */
/*
 * Controlling a recorder: environment, stop, snapshots
 */

/* @enabled */

/* Parses "64K". Returns 0 if the text is no number. */
UE__FN size_t ue__recorder_number(const char *s, bool units)
{
	static const char suffixes[] = "KMG";
	const char *suffix;
	uint64_t n = 0;

	while (*s >= '0' && *s <= '9' && n <= UINT32_MAX)
		n = 10 * n + (uint64_t)(*s++ - '0');
	if (units && *s && (suffix = strchr(suffixes, *s)) != NULL) {
		n <<= 10 * (suffix - suffixes + 1);
		s++;
	}
	return *s || n > SIZE_MAX ? 0 : (size_t)n;
}

/* Splits "TEXT:NUMBER". Returns the length of TEXT, and sets *NUMBER if there is a number. */
UE__FN size_t ue__recorder_split(const char *text, bool units, size_t *number)
{
	const char *colon = strrchr(text, ':');
	size_t n = colon && colon[1] ? ue__recorder_number(colon + 1, units) : 0;

	if (!n && !(colon && !units && !strcmp(colon, ":0")))
		return strlen(text);
	*number = n;
	return (size_t)(colon - text);
}

/* Is a size meant, but none there? "PATH:", "PATH:64Q"; but paths may contain colons. */
static inline bool ue__recorder_bad_size(const char *record, size_t path)
{
	const char *colon = strrchr(record, ':');

	return !record[path] && colon && !strchr(colon, '/') &&
	       (!colon[1] || (colon[1] >= '0' && colon[1] <= '9'));
}

UE__FN int ue_recorder_environment(void)
{
	const char *record = getenv("UE_RECORD"), *stop = getenv("UE_RECORD_STOP_ON");
	size_t size = 1 << 20, after = 1000, n;
	char text[4096];
	int error;

	if (!record || !*record || getauxval(AT_SECURE))
		return 0;
	n = ue__recorder_split(record, true, &size);
	if (ue__recorder_bad_size(record, n))
		return -EINVAL;
	if (n >= sizeof(text))
		return -ENAMETOOLONG;
	memcpy(text, record, n);
	text[n] = '\0';
	error = ue_recorder_open(text, size, 0);
	if (!error && stop && *stop) {
		n = ue__recorder_split(stop, false, &after);
		if (n >= 64 || after > INT32_MAX - 1u)
			return -EINVAL;
		memcpy(text, stop, n);
		text[n] = '\0';
		error = ue_recorder_stop_on(text, (unsigned int)after);
	}
	return error ? error : 1;
}

static inline struct ue__recording *ue__recorder_running(void)
{
	if (!__atomic_load_n(&ue__state_v1.recorder, __ATOMIC_ACQUIRE))
		return NULL;
	return (struct ue__recording *)UE__LOAD(&ue__state_v1.recording);
}

UE__FN int ue_recorder_stop_on(const char *name, unsigned int after)
{
	struct ue__recording *r = ue__recorder_running();
	size_t n = name ? strlen(name) : 0;
	uint32_t i;

	if (!r)
		return -ENOENT;
	if (n >= sizeof(r->stop_on) || after > INT32_MAX - 1u)
		return -EINVAL;
	ue__lock();
	/* the first character is stored last: until then writers see an empty name */
	__atomic_store_n(&r->stop_on[0], '\0', __ATOMIC_SEQ_CST);
	for (i = 1; i < n; i++)
		UE__STORE(&r->stop_on[i], name[i]);
	UE__STORE(&r->stop_on[n], '\0');
	if (n)
		__atomic_store_n(&r->stop_on[0], name[0], __ATOMIC_SEQ_CST);
	UE__STORE(&r->head->left, (uint32_t)after + 1);
	ue__recorder_clear_cache(r); /* events of this name take the slow path */
	__atomic_store_n(&r->head->mode, (uint32_t)UE__RECORDER_RUNS, __ATOMIC_SEQ_CST);
	ue__recorder_limit(r, r->largest);
	ue__unlock();
	return 0;
}

UE__FN int ue_recorder_snapshot(const char *path)
{
	const struct ue__recording *r = ue__recorder_running();
	const unsigned char *p;
	uint64_t left;
	int fd, error = 0;
	long n;

	if (!r)
		return -ENOENT;
	if (!ue__recorder_may_be(r->layout.size))
		return -EFBIG;
	fd = ue__capture_open(path, O_WRONLY | O_TRUNC);
	if (fd < 0)
		return fd;
	/*
	 * the counters come first: events written meanwhile are behind them, and are read as well
	 */
	for (p = (const unsigned char *)r->head, left = r->layout.size; left && !error;) {
		n = ue__syscall3(__NR_write, fd, (long)p, (long)(left < 1 << 20 ? left : 1 << 20));
		if (n > 0) {
			p += n;
			left -= (uint64_t)n;
		} else if (n != -EINTR) {
			error = n ? (int)n : -EIO;
		}
	}
	ue__syscall3(__NR_close, fd, 0, 0);
	return error;
}

/* @disabled */

UE__DISABLED(0, int ue_recorder_environment(void))
UE__DISABLED(-ENOENT, int ue_recorder_stop_on(const char *name, unsigned int after))
UE__DISABLED(-ENOENT, int ue_recorder_snapshot(const char *path))
