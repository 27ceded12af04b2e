#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Builds a program with a DTrace provider in the same way as an autotools project. The program must
# have its probes both as events and as USDT probes.

. "$(dirname "$0")/checks.sh"
dtrace=$PWD/tools/dtrace/ue-dtrace include=$PWD/include
strict="-Wall -Wextra -pedantic -Werror -Wconversion -Wcast-qual -Wredundant-decls"
cd "$dir" || exit 1

cat >demo.d <<'END'
#!/usr/sbin/dtrace -s
#include <nowhere.h>
#define Oid unsigned int
#define ANY "/*"
typedef struct { int a; } point_t;
typedef struct pair { int *a; long b; } pair_t;
typedef char *text_t, unread;
typedef unsigned short int small_t __attribute__((may_alias));
typedef const small_t *smalls_t;
typedef void (*callback_t)(int, small_t), function_t(const int);
typedef char *string;
typedef char word_t[16];
/* a provider { probe in_a_comment(); }
 */
provider demo {
	# it's a comment in libvirt's files
	probe query__start(const char *);	// its text
	probe query__done(const char *, int rows, string why) : (string a, int b);
	probe get__key(int conn, const char *key, uint64_t bytes);
	probe all(char, unsigned short, Oid, long, unsigned long long, bool, enum color c,
		  struct point *p, point_t *q, void (*done)(int, int), char name[16], strange_t, int32_t same, int32_t same);
	probe alone();
	probe by_value(double, float f, point_t point, struct pair by_value, const pair_t third, text_t, text_t *, small_t,
		       const smalls_t, callback_t, word_t, string, small_t small_t);
	probe none(void);
	probe unused(int, double_p, const a_float, int8_t);
};
provider other_one {
	probe tick(int n)
};
#pragma D attributes Evolving/Evolving/Common provider demo provider
#pragma D attributes Private/Private/Unknown provider other_one args
/*#pragma D attributes Private/Private/Unknown provider demo module
#pragma D attributes Private/Private/Unknown provider demo function
# it's PHP's way */
END
cat >part.c <<'END'
#include "demo.h"
typedef long long strange_t;
enum color { RED, BLUE = -2 };
struct pair { int *a; long b; };
static struct pair pair(double d)
{
	struct pair pair = { 0, 0 };
	pair.b = (long)d;
	return pair;
}
void part(int n);
void part(int n)
{
	char key[3] = { 'k', 'e', 'y' }; /* ends in no NUL */
	const char *const text = "select 1";
	TRACE_DEMO_QUERY_START(text);
	if (TRACE_DEMO_QUERY_DONE_ENABLED())
		TRACE_DEMO_QUERY_DONE(text, n++, "why not");
	TRACE_DEMO_GET_KEY(n, key, sizeof(key));
	TRACE_DEMO_ALL('c', 65535, 4000000000u, -1L, 1ull << 63, n > 0, BLUE, (struct point *)0, 0, (void (*)(int, int))0,
		       key, (strange_t)-5, n, n);
	TRACE_DEMO_BY_VALUE(n * 0.75, 1.5f, pair(n), pair(n + 0.5), pair(0), 0, 0, 7, 0, 0, 0, text, 9);
	TRACE_DEMO_ALONE();
	if (n < 0)
		TRACE_DEMO_NONE();
}
END
cat >part2.cc <<'END'
#include "demo.h"
template <class T> static void tick(T n) { OTHER_ONE_TICK(n); OTHER_ONE_TICK(n); }
extern "C" void part2(int n);
void part2(int n) { tick(n); tick((short)n); if (TRACE_DEMO_ALONE_ENABLED()) TRACE_DEMO_ALONE(); }
END
cat >main.c <<'END'
#include <stdio.h>
#include <user_events_capture.h>
extern void part(int), part2(int);
static struct ue_capture capture;
static char memory[1 << 16];
int main(void)
{
	static char text[2048];
	struct ue_event *event = NULL;

	part(1); /* nobody listens */
	while ((event = ue_event_find(NULL, event)))
		if (ue_event_spec(event, text, sizeof(text)) > 0)
			printf("%s\n", text);
	ue_capture_memory(&capture, memory, sizeof(memory));
	part(1);
	part2(7);
	ue_capture_stop(&capture);
	printf("%d ticks\n", ue_capture_count(&capture, "other_one__tick"));
	fflush(stdout);
	return ue_capture_dump(&capture, NULL, 1) < 0;
}
END

flags=$'-include flags.h -DA="\\"a b\\"" -DB=\'c d\' \\\n-DC=1\n-DD=2' # as written in a makefile
cat >flags.h <<'END'
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
_Static_assert(sizeof(A) == sizeof("a b") && sizeof(TEXT(B)) == sizeof("c d") && C == 1 && D == 2, "CFLAGS");
END

# build CC CXX OUT: builds a program with an edited header, with old and strict language dialects,
# and with a single object file
build()
{
	"$dtrace" -h -s demo.d -o demo.h.tmp && sed 's/DEMO_/TRACE_DEMO_/' demo.h.tmp >demo.h &&
		$1 -std=gnu89 -O2 $strict -Wno-long-long -c part.c && $2 -std=c++98 -O1 $strict -c part2.cc &&
		$1 -O2 -g -I"$include" -c main.c &&
		CC=$1 CFLAGS=$flags "$dtrace" -xnolibs -x lazyload -64 -G -fPIC -DPIC -o demo.o -s demo.d \
			$text main.lo part.lo part2.lo &&
		$2 main.o part.o part2.o demo.o -o "$3" || fail "$1 does not build it"
}

events='demo__query__start __rel_loc char[] arg0
demo__query__done __rel_loc char[] arg0; s32 rows; __rel_loc char[] why
demo__get__key s32 conn; u64 key; u64 bytes
demo__all s8 arg0; u16 arg1; u32 arg2; s64 arg3; u64 arg4; u8 arg5; s32 c; u64 p; u64 q; u64 done; u64 name; s64 arg11; '\
's32 same; s32 arg13
demo__by_value u64 arg0; u64 f; u64 point; u64 by_value; u64 third; u64 arg5; u64 arg6; u16 arg7; u64 arg8; u64 arg9; '\
'u64 arg10; __rel_loc char[] arg11; u16 small_t
demo__alone
demo__none
other_one__tick s32 n
4 ticks'
payloads='query__start", "arg0": "select 1"
query__done", "arg0": "select 1", "rows": 1, "why": "why not"
get__key", "conn": 2, "key": SET, "bytes": 3
all", "arg0": 99, "arg1": 65535, "arg2": 4000000000, "arg3": -1, "arg4": 9223372036854775808, "arg5": 1, "c": -2, '\
'"p": 0, "q": 0, "done": 0, "name": SET, "arg11": -5, "same": 2, "arg13": 2
by_value", "arg0": 4609434218613702656, "f": 4609434218613702656, "point": SET, "by_value": SET, "third": SET, "arg5": 0, '\
'"arg6": 0, "arg7": 7, "arg8": 0, "arg9": 0, "arg10": 0, "arg11": "select 1", "small_t": 9
alone"
alone"'
probes='demo:all -1 2 4 -8 8 1 -4 8 8 8 8 -8
demo:alone
demo:by_value 8 8 8 8 8 8 8 2 8 8 8 8
demo:get__key -4 8 8
demo:none
demo:query__done 8 -4 8
demo:query__start 8
demo:unused -4 -8 -8 -1
other_one:tick -4'
[ "$(uname -m)" = x86_64 ] || { echo "0 checks: this test looks at a machine of 64 bits"; exit 77; }
for cc in gcc clang; do
	command -v $cc >/dev/null || continue
	case $cc in
	gcc) text=--strings=query__start,query__done ;;
	clang) text='--strings --no-strings=get__key,all --no-strings=by_value' ;;
	esac
	build $cc ${cc/gcc/g++} demo
	./demo >out || fail "./demo ends with $?"
	expect "$cc: the events of probes in use" "$(echo "$events" | sort)" "$(grep -v '^{' out | sort)"
	expect "$cc: payloads" "$payloads" "$(sed -n 's/, "meta".*//; s/^{ "n": "user_events:demo__//p' out |
		sed -E 's/"(key|name|point|by_value|third)": [1-9][0-9]+/"\1": SET/g')"
	expect "$cc: USDT probes, with the sizes of their arguments" "$probes" \
		"$(readelf -nW demo | awk '/Provider:/ { printf "%s", $NF } /Name:/ { printf ":%s", $2 }
			/Arguments:/ { gsub(/@[^ ]*/, ""); sub(/ *Arguments:/, ""); sub(/ $/, ""); print }' | sort)"
	expect "$cc: code in a file with probes" "part" "$(nm part.o | awk '$2 ~ /[TtDdBbWwVv]/ { print $3 }')"
	printf '%s\n' '#include "demo.h"' 'void f(int *); void f(int *n) { TRACE_DEMO_GET_KEY(++*n, 0, 0); }' >one.c
	$cc -O2 -c one.c || fail "one.c"
	expect "$cc: a probe that nobody listens to" "$([ $cc = gcc ] && echo mov test jne ret || echo cmpl jne ret)" \
		"$(objdump -d --no-show-raw-insn one.o | awk '/^ .*:\t/ { printf "%s%s", s, $2; s = " " } /ret/ { exit }')"
done

# All object files of a program share one copy of the library's code.
for part in demo other; do
	echo "provider ${part}s { probe tick(int count, string text); };" >$part.s.d
	"$dtrace" -h -s $part.s.d -o $part.s.h && "$dtrace" -G -DUE_SHARED -s $part.s.d -o $part.s.o || fail "UE_SHARED"
	# size of code, descriptor and event, without debugging information
	[ "$(size $part.s.o | awk 'END { print $1 + $2 + $3 }')" -lt 400 ] || fail "UE_SHARED: $(size $part.s.o)"
done
# a probe with three arguments takes about 200 bytes
for probes in 10 110; do
	{ echo 'provider many {' && for ((i = 0; i < probes; i++)); do echo "probe p$i(int a, char *b, long c);"; done && echo '};'; } >many.d
	"$dtrace" -G -DUE_SHARED -s many.d -o many.$probes.o || fail "many.d"
done
bytes=$(size many.*.o | awk 'NR > 1 { n[NR] = $1 + $2 + $3 } END { d = n[3] - n[2]; print int((d < 0 ? -d : d) / 100) }')
[ "$bytes" -gt 100 ] && [ "$bytes" -lt 220 ] || fail "a probe has $bytes bytes"
gcc -O2 -I"$include" -DUE_SHARED -DUE_IMPLEMENTATION -include user_events_capture.h -x c -c /dev/null -o ue.o || fail "ue.o"
cat >shared.c <<'END'
#include "demo.s.h"
#include "other.s.h"
#include <user_events_capture.h>
static struct ue_capture capture;
static char memory[1 << 16];
int main(void)
{
	ue_capture_memory(&capture, memory, sizeof(memory));
	DEMOS_TICK(1, "one");
	OTHERS_TICK(2, "two");
	return ue_capture_dump(&capture, 0, 1) < 0;
}
END
gcc -O2 -DUE_SHARED -I"$include" shared.c demo.s.o other.s.o ue.o -o shared || fail "UE_SHARED"
expect "UE_SHARED" '"count": 1, "text": "one" "count": 2, "text": "two"' "$(./shared | sed 's/, "meta".*//; s/.*s__tick", //' | xargs -d '\n')"

# macros of <sys/sdt.h> that write events
cat >sdt.c <<'END'
#define UE_SDT_USER_EVENTS
#include <user_events_sdt.h>
#include <user_events_capture.h>
static struct ue_capture capture;
static char memory[1 << 16];
static int n;
static int next(void) { return ++n; }
int main(int argc, char **argv)
{
	ue_capture_memory(&capture, memory, sizeof(memory));
	DTRACE_PROBE(app, none);
	if (argc)
		DTRACE_PROBE3(app, some, next() - 5, argv[argc], sizeof(int));
	else
		DTRACE_PROBE(app, none);
	STAP_PROBE12(app, many, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, next());
	return ue_capture_dump(&capture, 0, 1) < 0;
}
END
for cc in gcc g++; do
	$cc -x "$([ $cc = gcc ] && echo c || echo c++)" -D_GNU_SOURCE $strict -I"$include" sdt.c -o sdt || fail "$cc sdt.c"
	expect "$cc: sys/sdt.h" 'none", "some", "arg0": -4, "arg1": 0, "arg2": 4, "many", "arg0": 1, "arg1": 2, "arg2": 3, "arg3": 4, '\
'"arg4": 5, "arg5": 6, "arg6": 7, "arg7": 8, "arg8": 9, "arg9": 10, "arg10": 11, "arg11": 2, ' \
		"$(./sdt | sed 's/, "meta".*/, /; s/^{ "n": "user_events:app__/"/' | tr -d '\n' | sed 's/^"//')"
done

expect "the names of SystemTap's macros" "$("$dtrace" -h -s demo.d -o ours.h; grep -o 'define [A-Z_]*(' ours.h | grep -v 'e UE_' | sort)" \
	"$(command -v dtrace >/dev/null && dtrace -h -s demo.d -o theirs.h >/dev/null && grep -o 'define [A-Z_]*(' theirs.h | sort -u ||
		grep -o 'define [A-Z_]*(' ours.h | grep -v 'e UE_' | sort)"

# refuse MESSAGE FILE.d ARG...: checks that ue-dtrace rejects the file with this message
refuse()
{
	local message=$1
	printf '%s\n' "$2" >bad.d
	shift 2
	rm -f bad.out
	expect "refused: $*" "ue-dtrace: $message"$'\n 1' "$("$dtrace" -o bad.out "$@" 2>&1 >/dev/null; echo " $?")"
	[ ! -e bad.out ] || fail "$message: there is an output"
}
refuse 'bad.d:2: probe a: " void x " is not a valid type' $'\nprovider x { probe a(void x); };' -h -s bad.d
refuse 'bad.d:1: probe a: " * " is not an argument' 'provider x { probe a(*); };' -h -s bad.d
refuse 'bad.d:1: probe a: " int . . . " is not an argument' 'provider x { probe a(int ...); };' -h -s bad.d
refuse 'bad.d:1: probe a is defined twice' 'provider x { probe a(); probe a(); };' -h -s bad.d
refuse 'bad.d:3: a closing bracket is missing' $'/*\n*/\nprovider x { probe a(' -h -s bad.d
refuse 'bad.d:1: provider x: a probe or "}" is missing' 'provider x { prob a(); };' -h -s bad.d
refuse 'bad.d:4: probe a: " void x " is not a valid type' \
	$'#!/usr/sbin/dtrace -s\n#pragma D option quiet\n#pragma D option quiet\nprovider x { probe a(void x); };' -C -h -s bad.d
refuse 'bad.d:1: probe a: " void x " is not a valid type' 'provider x { probe a(void x); };' -C -h -s bad.d
refuse 'use either -h or -G, not both' '' -h -G -s bad.d
refuse 'cannot read nowhere.d' '' -h -s nowhere.d
refuse 'unsupported option -n; see --help' '' -n BEGIN
refuse 'unsupported option --string; see --help' '' -h --string -s bad.d
refuse '-s needs an argument' '' -h -s
for only in -h "-s demo.d"; do
	# shellcheck disable=SC2086 # several words
	"$dtrace" $only >out 2>err
	expect "$only alone" "1 usage: ue-dtrace -h -s FILE.d [-o OUT.h]" "$? $(head -n 1 err)"
done
printf '%s\n' 'provider y { probe a(int); /* a comment' '#define b provider' '# it ends here */ probe b(); };' >comment.d
"$dtrace" -h -s comment.d || fail "a comment behind a probe"
expect "names behind a comment" Y_B "$(grep -o 'Y_B(' comment.h | tr -d '(')"
expect "--help" 0 "$("$dtrace" --help >out 2>&1; echo $?)"
echo 'BEGIN{}' >conftest.d
"$dtrace" -G -s conftest.d -o conftest.o || fail "a file without a provider, by which configure looks for -G"
echo '#!/usr/sbin/dtrace -s
#include "types.h"
#ifdef Short
#define Long Short
#endif
provider x { probe a(Long); };' >inc.d
printf '%s\n' '#define Long unsigned long' '#if 0' '#define Long' '#endif' >types.h
refuse 'bad.d:20: probe a: " void x " is not a valid type' \
	"$(printf 'typedef int t%d;\n' {1..18})"$'\n#include "types.h"\nprovider x { probe a(void x); };' -C -h -s bad.d
(cd / && "$dtrace" -C -h -s "$dir/inc.d" -I "$dir" -DY=1 -U Z -o"$dir/inc.h") || fail "-C"
"$dtrace" -G -s inc.d -C && strings -a inc.o >out
expect "-C follows #include, the names of outputs" 'x__a;arg0;' "$(grep 'x__a;' out)"

# File names that look like an option to dirname, or like an assignment to awk.
for name in -x 'x=1'; do
	echo 'provider x { probe a(int); };' >"./$name.d"
	"$dtrace" -h -s "$name.d" && "$dtrace" -G -s "$name.d" || fail "a file named $name.d"
	expect "outputs of $name.d" "1 1" "$(grep -c '^#define X_A(' <"./$name.h") $(nm "./$name.o" | grep -c ' ue_dtrace_write_x__a$')"
done

# An earlier parser copied its whole output for each probe, so a file with 3,000 probes took 45 s of
# CPU time.
{ echo 'provider large {' && for ((i = 0; i < 3000; i++)); do echo "probe p$i(int a, char *b, long c);"; done && echo '};'; } >large.d
(ulimit -t 8 && "$dtrace" -h -s large.d) || fail "a file with 3000 probes"
expect "probes of a large file" 3000 "$(grep -c '^#define LARGE_P[0-9]*(' large.h)"
echo "$checks checks"
