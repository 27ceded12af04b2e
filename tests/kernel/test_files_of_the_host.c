/* SPDX-License-Identifier: MIT */
/*
 * A program may close, open and duplicate any fd. Its files still contain only its own bytes, the
 * files that it opened stay open, and its events can be traced before and after. Each scene runs as
 * a separate process: this program with the scene's name as argument.
 */
#include "witness.h"

UE_TRACEPOINT(host_before, UE_U32(number));
UE_TRACEPOINT(host_after, UE_U32(number));

/* ---- Code that runs in a scene's process ---- */

#define OWN "the program's own line\n"
static char dir[PATH_MAX / 2];

#define must(condition)                                                                   \
	do {                                                                              \
		if (!(condition)) {                                                       \
			fprintf(stderr, "%s:%d: check failed: %s (errno %d)\n", __FILE__, \
				__LINE__, #condition, errno);                             \
			exit(1);                                                          \
		}                                                                         \
	} while (0)

static const char *in_dir(const char *name)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void close_loop(void)
{
	int fd, end = (int)sysconf(_SC_OPEN_MAX);

	for (fd = 3; fd < (end < 4096 ? end : 4096); fd++)
		close(fd);
}

static void close_255(void)
{
	int fd;

	for (fd = 3; fd < 256; fd++)
		close(fd);
}

static void close_all(void)
{
	must(syscall(SYS_close_range, 3, ~0U, 0) == 0);
}

static void become_daemon(void)
{
	must(daemon(1, 1) == 0);
	close_loop();
}

static void keep_all(void)
{
}

static void (*close_them)(void);

/* Opens the log, which gets the lowest free fd. stdio closes the log at exit. */
static FILE *open_log(int flags)
{
	int fd = open(in_dir("log"), O_WRONLY | O_CREAT | flags, 0600);

	must(fd >= 0);
	return fdopen(fd, "w");
}

/* Writes many events. The first event may be lost. */
static void write_events(void)
{
	uint32_t i;

	for (i = 0; i < 10; i++)
		trace_host_after(i);
}

static void write_log(int flags)
{
	FILE *log;

	trace_host_before(1);
	close_them();
	log = open_log(flags);
	fputs(OWN, log);
	write_events();
	fputs(OWN, log);
	/* deliberately left open; exit() closes it */
}

static void log_truncated(void)
{
	write_log(O_TRUNC);
}

static void log_appended(void)
{
	write_log(O_APPEND);
}

/* Checks that the files still belong to the program and are empty. */
static void close_empty(const int *fds, int n)
{
	struct stat status;
	int i;

	for (i = 0; i < n; i++)
		must(fstat(fds[i], &status) == 0 && status.st_size == 0);
	for (i = 0; i < n; i++)
		close(fds[i]);
}

/*
 * If all descriptors above the limit are in use, the program must not use the upper eighth of the
 * fd range.
 */
static void many_files(void)
{
	int fds[1024], i, n = 0;
	char path[32];
	struct rlimit limit;

	trace_host_before(1);
	close_them();
	must(getrlimit(RLIMIT_NOFILE, &limit) == 0);
	for (n = 0; n < 1000 && n < (int)limit.rlim_cur * 3 / 4; n++) {
		snprintf(path, sizeof(path), "many%d", n);
		fds[n] = open(in_dir(path), O_RDWR | O_CREAT | O_TRUNC, 0600);
		must(fds[n] >= 0);
	}
	write_events();
	ue_status();
	ue_unregister_all();
	ue_register_all();
	close_empty(fds, n);
	for (i = 0; i < 10; i++) /* the library retries the registration from time to time */
		write_events();
}

/*
 * A documented limitation: If all descriptors above the limit were in use, the library's fd has a
 * lower number. If the program then closes all fds and opens as many files as possible, one of the
 * new files gets this number. ue_status() detects this.
 */
static void every_number(void)
{
	static int fds[1100];
	int n = 0, error;

	trace_host_before(1);
	close_them();
	while (n < 1100 && (fds[n] = open(in_dir("every"), O_RDWR | O_CREAT | O_TRUNC, 0600)) >= 0)
		n++;
	must(ue_status().fd >= 0 || ue_status().error == -EBADF);
	write_events();
	ue_unregister_all();
	error = ue_register_all();
	must(error == 0 || error == -EMFILE);
	close_empty(fds, n);
	must(ue_register_all() == 0);
	write_events();
}

/*
 * Checks that nothing was written to the pipe's descriptors, and that the program's own data
 * arrives.
 */
static void use_pair(const int ends[2])
{
	int i;
	char c;

	for (i = 0; i < 2; i++)
		must(recv(ends[i], &c, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN);
	for (i = 0; i < 2; i++)
		must(send(ends[i], "x", 1, 0) == 1 && recv(ends[!i], &c, 1, 0) == 1 && c == 'x');
}

static void with_socket(void)
{
	int ends[2];

	trace_host_before(1);
	close_them();
	must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
	write_events();
	use_pair(ends);
	ue_unregister_all();
	use_pair(ends);
	ue_register_all();
	write_events();
}

static void with_pipe(void)
{
	int ends[2];

	trace_host_before(1);
	close_them();
	must(pipe(ends) == 0);
	close(ends[0]); /* a write by the library would kill the program with SIGPIPE */
	write_events();
	ue_unregister_all();
	must(fcntl(ends[1], F_GETFD) == 0);
	ue_register_all();
	write_events();
}

/* ---- Plug-ins of a host that has no events ---- */

static struct library plug_in_of(const char *name)
{
#ifdef UE_TEST_NO_CMOCKA
	must(false); /* static programs cannot load libraries */
#else
	return load(built(name), RTLD_LOCAL);
#endif
}

static void plug_in(void)
{
	struct library l = plug_in_of("lib/plugin.so");
	int ends[2], i;

	trace_host_before(1);
	close_them();
	must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
	for (i = 0; i < 10; i++)
		l.write((uint32_t)i);
	use_pair(ends);
	dlclose(l.handle);
	use_pair(ends);
	write_events();
}

/*
 * Each library must continue to write its own events, regardless of the order in which the
 * libraries detect that their files were closed.
 */
static void two_libraries(void)
{
	struct library a = plug_in_of("lib/plugin.so"), b = plug_in_of("lib/plugin_cxx.so");
	int i;

	trace_host_before(1);
	close_them();
	for (i = 0; i < 10; i++) {
		b.write(4000000001u);
		a.write(4000000002u);
		trace_host_after((uint32_t)i);
	}
	must(a.status().failed == 0 && b.status().failed == 0);
	dlclose(a.handle);
	b.write(4000000001u);
	dlclose(b.handle);
}

/* Loads and unloads a plug-in while the host opens files and writes its own events. */
static void start_threads(void);
static void end_threads(void);

static void plug_ins_beside_threads(void)
{
	int i;

	trace_host_before(1);
	start_threads();
	for (i = 0; i < 20; i++) {
		struct library l = plug_in_of("lib/plugin.so");

		l.write((uint32_t)i);
		dlclose(l.handle);
	}
	end_threads();
	write_events();
}

/* ---- Threads ---- */

static bool stop;
static unsigned long opened, foreign;

static void *writes(void *data)
{
	uint32_t i;

	for (i = 0; !__atomic_load_n(&stop, __ATOMIC_RELAXED); i++)
		trace_host_after(i);
	return data;
}

/* Opens and closes files. The files must remain empty. */
static void *opens(void *data)
{
	struct stat status;
	int fd;

	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		fd = open(in_dir("empty"), O_RDWR | O_CREAT, 0600);
		if (fd < 0)
			continue;
		__atomic_fetch_add(&opened, 1, __ATOMIC_RELAXED);
		if (fstat(fd, &status) == 0 && status.st_size != 0)
			__atomic_fetch_add(&foreign, 1, __ATOMIC_RELAXED);
		close(fd);
	}
	return data;
}

static pthread_t threads[9];

static void start_threads(void)
{
	threads_begin(threads, 1, opens);
	threads_begin(threads + 1, 8, writes);
	while (__atomic_load_n(&opened, __ATOMIC_RELAXED) < 10)
		usleep(1000);
}

static void end_threads(void)
{
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	threads_join(threads, 9);
	must(foreign == 0);
}

static void exit_with_threads(void)
{
	trace_host_before(1);
	start_threads();
}

static void unregister_with_threads(void)
{
	int i;

	trace_host_before(1);
	start_threads();
	for (i = 0; i < 20; i++) {
		ue_unregister_all();
		must(ue_register_all() == 0);
	}
	end_threads();
	write_events();
}

static void close_with_threads(void)
{
	int i;

	trace_host_before(1);
	start_threads();
	for (i = 0; i < 50; i++)
		close_all();
	end_threads();
	write_events();
	must(ue_status().failed == 0 && (ue_status().lost > 0 || !trace_host_after_enabled()));
}

/* Overwrites the library's fd with dup2(), which requires a higher fd limit. */
static void overwritten(void)
{
	int fd = ue_status().fd, log, i;
	struct rlimit limit;
	struct stat status;

	trace_host_before(1);
	log = fileno(open_log(O_TRUNC));
	must(getrlimit(RLIMIT_NOFILE, &limit) == 0);
	if (fd >= (int)limit.rlim_cur) {
		must(dup2(log, fd) < 0 && errno == EBADF);
		limit.rlim_cur = (rlim_t)fd + 1;
		if (limit.rlim_cur > limit.rlim_max)
			limit.rlim_max = limit.rlim_cur;
		must(setrlimit(RLIMIT_NOFILE, &limit) == 0);
	}
	must(dup2(log, fd) == fd);
	/*
	 * the library detects an overwritten fd in ue_status(), at registration, and before it
	 * closes a file
	 */
	must(ue_status().fd != fd);
	for (i = 0; i < 10; i++)
		trace_host_after((uint32_t)i);
	must(fstat(fd, &status) == 0 && status.st_size == 0);
	must(write(fd, OWN OWN, strlen(OWN OWN)) > 0);
	ue_unregister_all();
	must(fcntl(fd, F_GETFD) >= 0);
	ue_register_all();
	write_events();
	must(fstat(fd, &status) == 0 && status.st_size == (off_t)strlen(OWN OWN));
}

/*
 * A child of vfork() may only call exec and _exit. If a child overwrites the library's fd
 * nevertheless, the parent's events continue.
 */
static void vfork_child(void)
{
	pid_t child;
	int i;

	trace_host_before(1);
	child = vfork();
	if (child == 0) {
		syscall(SYS_close_range, 3, ~0U, 0);
		trace_host_after(100);
		_exit(0);
	}
	must(child > 0 && waitpid(child, NULL, 0) == child);
	for (i = 0; i < 10; i++)
		trace_host_after((uint32_t)i);
	must(ue_status().failed == 0 && ue_status().fd >= 0);
}

static const struct scene {
	const char *name;
	void (*play)(void);
	void (*close_them)(void);
	bool log;	/* the log must contain exactly two lines */
	bool one_limit; /* run only with the default limits */
} scenes[] = {
	{ "log-255", log_truncated, close_255, true, true },
	{ "log-loop", log_truncated, close_loop, true, true },
	{ "log-all", log_truncated, close_all, true, false },
	{ "log-daemon", log_truncated, become_daemon, true, true },
	{ "append-255", log_appended, close_255, true, true },
	{ "append-all", log_appended, close_all, true, true },
	{ "append-daemon", log_appended, become_daemon, true, true },
	{ "many-255", many_files, close_255, false, true },
	{ "many-all", many_files, close_all, false, false },
	{ "every-255", every_number, close_255, false, true },
	{ "every-all", every_number, close_all, false, false },
	{ "socket-loop", with_socket, close_loop, false, true },
	{ "socket-all", with_socket, close_all, false, false },
	{ "pipe-255", with_pipe, close_255, false, true },
	{ "pipe-all", with_pipe, close_all, false, true },
	{ "plugin-255", plug_in, close_255, false, true },
	{ "plugin-all", plug_in, close_all, false, false },
	{ "libraries-loop", two_libraries, close_loop, false, true },
	{ "libraries-all", two_libraries, close_all, false, false },
	{ "threads-exit", exit_with_threads, keep_all, false, false },
	{ "threads-unregister", unregister_with_threads, keep_all, false, true },
	{ "threads-close", close_with_threads, keep_all, false, true },
	{ "threads-plugin", plug_ins_beside_threads, keep_all, false, true },
	{ "overwritten", overwritten, keep_all, true, false },
	{ "vfork", vfork_child, keep_all, false, true },
};
enum { SCENES = sizeof(scenes) / sizeof(scenes[0]) };

#ifdef UE_TEST_NO_CMOCKA
static bool has_libraries(const struct scene *scene)
{
	return scene->play == plug_in || scene->play == two_libraries ||
	       scene->play == plug_ins_beside_threads;
}
#endif

static int play(const char *name)
{
	size_t i;

	alarm(300);
	for (i = 0; i < SCENES && strcmp(scenes[i].name, name) != 0; i++)
		;
	must(i < SCENES);
	close_them = scenes[i].close_them;
	scenes[i].play();
	exit(0);
}

/* ---- Code that checks the scenes ---- */

/* Resource limits of a scene. */
static const struct limits {
	const char *name;
	rlim_t soft, hard;
	uid_t user;
} limits[] = {
	{ "usual", 1024, 4096, 0 },	      { "ulimit -n 64", 64, 64, 0 },
	{ "soft = hard", 1024, 1024, 65534 }, { "ulimit -n 64, soft = hard", 64, 64, 65534 },
	{ "many", 1048576, 1048576, 65534 },
};
enum { USUAL = 1, LIMITS = sizeof(limits) / sizeof(limits[0]) };

static int run(const struct scene *scene, const struct limits *l, char *out, size_t size)
{
	int ends[2], status;
	size_t n = 0;
	ssize_t got;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		struct rlimit limit = { l->soft, l->hard };

		dup2(ends[1], 1);
		dup2(ends[1], 2);
		if (setrlimit(RLIMIT_NOFILE, &limit) < 0 || (l->user && setuid(l->user) < 0))
			_exit(99);
		execl("/proc/self/exe", program_invocation_name, scene->name, dir, NULL);
		_exit(98);
	}
	close(ends[1]);
	/* read until the scene's last process exits; the parent of a daemon exits earlier */
	while (n + 1 < size && (got = read(ends[0], out + n, size - 1 - n)) > 0)
		n += (size_t)got;
	out[n] = '\0';
	close(ends[0]);
	if (waitpid(pid, &status, 0) != pid)
		return -1;
	return status;
}

static unsigned int complaints;

#define complain(scene, how, ...)                            \
	do {                                                 \
		complaints++;                                \
		print_error("%s, %s: ", (scene)->name, how); \
		print_error(__VA_ARGS__);                    \
		print_error("\n");                           \
	} while (0)

static void expect_own_bytes(const struct scene *scene, const char *how)
{
	if (scene->log && strcmp(get(in_dir("log")), OWN OWN) != 0)
		complain(scene, how,
			 "the log must contain two lines, but has %zu bytes: \"%.200s\"",
			 strlen(text), text);
}

static void hold(bool traced)
{
	static struct ue_event before, after, c;

	ue_event_register(&before, "host_before u32 number", 0);
	ue_event_register(&after, "host_after u32 number", 0);
	ue_event_register(&c, "plugin_c u32 number", 0);
	/* large enough for scenes without threads, and quick to read */
	put(instance("buffer_size_kb"), "64");
	put(instance("events/user_events/enable"), traced ? "1" : "0");
	trace_clear();
}

static void play_all(bool traced, unsigned int first, unsigned int end)
{
	static char out[65536];
	size_t i, k;

	hold(traced);
	complaints = 0;
	for (k = first; k < end; k++) {
		for (i = 0; i < SCENES; i++) {
			const struct scene *scene = &scenes[i];
			int status;

			if (k && scene->one_limit)
				continue;
#ifdef UE_TEST_NO_CMOCKA
			if (has_libraries(scene))
				continue;
#endif
			strcpy(dir, "/tmp/host.XXXXXX");
			assert_true(mkdtemp(dir) && chmod(dir, 0777) == 0);
			trace_clear();
			status = run(scene, &limits[k], out, sizeof(out));
			if (status)
				complain(scene, limits[k].name, "status %#x: %s",
					 (unsigned int)status, out);
			expect_own_bytes(scene, limits[k].name);
			if (!traced)
				continue;
			trace_text();
			/* in the meantime, threads may have filled the buffer */
			if (!strstr(scene->name, "threads") &&
			    !strstr(text, "host_before: number=0x1 (1)\n"))
				complain(scene, limits[k].name,
					 "no event recorded before the files were closed");
			/* the first event may detect the lost fd; all other events are recorded */
			if (!strstr(scene->name, "threads-exit") &&
			    !strstr(text, "host_after: number=0x9 (9)\n"))
				complain(scene, limits[k].name,
					 "the last event was not recorded:\n%.500s", text);
			/* plug-ins write these numbers to their own events only */
			if (strstr(text, "host_after: number=0xee6b2801 (4000000001)\n") ||
			    strstr(text, "host_after: number=0xee6b2802 (4000000002)\n"))
				complain(scene, limits[k].name,
					 "a plug-in's number in another event");
		}
	}
	assert_int_equal(complaints, 0);
}

TEST(test_an_untraced_program_keeps_its_files)
{
	play_all(false, 0, USUAL);
}

TEST(test_a_traced_program_keeps_its_files_and_its_events)
{
	play_all(true, 0, USUAL);
}

TEST(test_files_survive_other_rlimits)
{
	play_all(true, USUAL, LIMITS);
}

int main(int argc, char **argv)
{
	if (argc == 3) {
		snprintf(dir, sizeof(dir), "%s", argv[2]);
		return play(argv[1]);
	}
	/* give an unprivileged user access, as an administrator would do */
	chmod("/sys/kernel/tracing", 0755);
	chmod("/sys/kernel/tracing/user_events_data", 0666);
	return run_all_tests(group_begin, group_end);
}
