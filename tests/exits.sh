#!/bin/bash
# SPDX-License-Identifier: MIT
#
# When a process exits, a program or library with registered events must make no system call. In
# dlclose(), a library must unregister its events. The programs either run under a seccomp filter
# that kills them for any system call except exit_group(), or count the calls made in dlclose().

. "$(dirname "$0")/checks.sh"
include=$PWD/include
cd "$dir" || exit 1

cat >kernel.h <<'END'
/* A kernel that accepts all registrations. The system calls are made, so the filter sees them. */
#include <sys/syscall.h>
#include <unistd.h>
#ifdef __cplusplus
extern "C" {
#endif
extern int ioctls;
int event(int x);
#ifdef __cplusplus
}
#endif
#define UE_SYS_IOCTL(fd, request, argument) (ioctls++, syscall(SYS_ioctl, fd, request, argument), 0)
#define UE_SYS_OPEN(path, flags) syscall(SYS_openat, -100, "/dev/null", flags)
END
cat >events.c <<'END'
#include <user_events.h>
int event(int x)
{
	UE_TRACE(one, x);
	return (int)ue_status().registered;
}
END
cat >quiet.c <<'END'
#include <stddef.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

int ioctls; /* of any copy of the library in this process */

int end_quietly(void);
int end_quietly(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = { 4, code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return 77;
	return 0;
}
END
cat >calls.c <<'END'
int event(int x);
int end_quietly(void);
int main(void)
{
	return event(1) == 1 ? end_quietly() : 2;
}
END
cat >loads.c <<'END'
#include <dlfcn.h>
#include <stdlib.h>

extern int ioctls;
int end_quietly(void);

static void *library;
static int (*event)(int);

static void load(void)
{
	library = dlopen("./library.so", RTLD_NOW);
	event = library ? (int (*)(int))dlsym(library, "event") : NULL;
	if (!event || event(1) != 1)
		exit(2);
}

int main(int argc, char **argv)
{
	int before, i;

	(void)argv;
	for (i = 0; i < 3; i++) {
		load();
		before = ioctls;
		if (argc > 1 && (dlclose(library) || ioctls != before + 1 || dlopen("./library.so", RTLD_NOLOAD)))
			return 3;
	}
	if (argc > 1)
		load();
	return end_quietly();
}
END

# builds COMPILER OPTION LANGUAGE: builds and runs each kind of program with this compiler
builds()
{
	local cc=$1 code="-x $3 $2 -I$include -include kernel.h" name kinds="pie pic linked static loads"

	command -v "$cc" >/dev/null || { echo "skipped: $cc is not installed"; return; }
	rm -f $kinds
	$cc $code -fPIC -shared -o library.so events.c && $cc $code -fPIC -c -o pic.o events.c &&
		$cc $code -fPIE -c -o pie.o events.c || fail "$*: events.c does not compile"
	$cc -pie -o pie pie.o calls.o quiet.o && $cc -pie -o pic pic.o calls.o quiet.o &&
		$cc -o linked calls.o quiet.o ./library.so -Wl,-rpath,. &&
		$cc -rdynamic -o loads loads.o quiet.o -ldl || fail "$*: a program does not link"
	$cc -static -o static pic.o calls.o quiet.o 2>/dev/null || echo "skipped: $cc -static: no static libc"
	for name in $kinds "loads close"; do
		[ -x "${name%% *}" ] || continue
		(exec ./$name)
		status=$?
		[ $status != 77 ] || { echo "this kernel has no seccomp filters"; exit 77; }
		expect "$*: exit status of $name" 0 $status
	done
}

for file in calls loads quiet; do
	cc -O1 -fPIE -c -o $file.o $file.c || fail "$file.c does not compile"
done
builds gcc -O2 c
builds clang -O0 c
builds g++ -O2 c++
[ $checks -gt 0 ] || exit 77
echo "$checks checks"
