#!/bin/bash
# SPDX-License-Identifier: MIT
#
# uetrace must print a field in the same way in a kernel-typed and in a self-describing event. For
# kernel-typed events, this requires the program's binary; without the binary, the kernel's types
# are used.

. "$(dirname "$0")/../checks.sh"
uetrace=${1:-build/uetrace}

cat >"$dir/fields.c" <<'END'
#include <arpa/inet.h>
#include <stdbool.h>
#include <user_events_recorder.h>

UE_EVENT_SET(set, "Alike", UE_LEVEL_INFORMATION, 0x1);

enum colour { RED, GREEN };

#define BARE e, b, ch, sc, uc, s, us, l, ul, p, text
#define NAMED                                                                                   \
	UE_BYTES(bytes, raw, 4), UE_BYTES(nothing, raw, 0), UE_ARRAY(U8, u8s, raw, 4),          \
		UE_FIXED_ARRAY(U8, four, raw, 4), UE_ARRAY(BOOL, bools, bools, 3),              \
		UE_ARRAY(I16, i16s, i16s, 2), UE_X32(x, 255), UE_PORT(port, htons(80)),         \
		UE_ERRNO(error, 2), UE_PID(pid, -1), UE_TIME32(time32, 1000000000),             \
		UE_TIME64(time64, 1000000000), UE_BOOL(yes, 2), UE_CHAR16(c16, 'z')
#define MORE                                                                                    \
	UE_UUID(uuid, "0123456789abcdef"), UE_IPV4(ip, "\x7f\0\0\1"),                           \
		UE_IPV6(ip6, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1"), UE_STR16(s16, u"wide"),       \
		UE_STR32(s32, U"wider"), UE_STRN(part, "partial", 4), UE_LATIN1(latin, "l"),    \
		UE_XML(xml, "<a/>"), UE_JSON(json, "[1]"), UE_PTR(address, 0x1234),             \
		UE_FIXED_ARRAY(CHAR, chars, "1234\0\0\0\0", 8), UE_ARRAY(CHAR, some, "ab", 2),  \
		UE_ARRAY(PORT, ports, ports, 2)

int main(void)
{
	static const unsigned char raw[4] = { 1, 2, 0xab, 0xcd };
	static const bool bools[3] = { 1, 0, 1 };
	static const int16_t i16s[2] = { -1, 1 };
	uint16_t ports[2] = { htons(80), htons(443) };
	enum colour e = GREEN;
	bool b = true;
	char ch = 'x';
	signed char sc = -3;
	unsigned char uc = 200;
	short s = -300;
	unsigned short us = 60000;
	long l = -5;
	unsigned long ul = 5;
	void *p = (void *)0x1234;
	const char *text = "a \"word\"\n";

	ue_recorder_environment();
	UE_TRACE(bare, BARE);
	UE_LOG(set, "bare", BARE);
	UE_TRACE(named, NAMED);
	UE_LOG(set, "named", NAMED);
	UE_TRACE(more, MORE);
	UE_LOG(set, "more", MORE);
	return 0;
}
END
${CC:-gcc} -std=gnu11 -Iinclude "$dir/fields.c" -o "$dir/fields" || fail "the program does not compile"
UE_RECORD=$dir/a.uer:keep "$dir/fields" || fail "the program failed"

# fields NAME [OPTION]...: prints the fields of the events called NAME, without the provider
fields()
{
	local name=$1

	shift
	"$uetrace" show "$@" "$dir/a.uer" 2>"$dir/err" | sed -n "s/.* $name //p"
}

for event in bare named more; do
	self=$(fields "Alike:$event")
	expect "$event" "$self" "$(fields "$event" --program "$dir/fields")"
done
expect "bare" 'e=1 b=true ch="x" sc=-3 uc=200 s=-300 us=60000 l=-5 ul=5 p=0x1234 text="a \"word\"\n"' \
	"$(fields Alike:bare)"
expect "named" 'bytes=01 02 ab cd nothing= u8s=[1,2,171,205] four=[1,2,171,205] bools=[true,false,true] i16s=[-1,1] x=0xFF port=80 error=ENOENT(2) pid=-1 time32=2001-09-09T01:46:40 time64=2001-09-09T01:46:40 yes=true c16="z"' \
	"$(fields Alike:named)"
expect "more" 'uuid=30313233-3435-3637-3839-616263646566 ip=127.0.0.1 ip6=::1 s16="wide" s32="wider" part="part" latin="l" xml="<a/>" json="[1]" address=0x1234 chars="1234" some="ab" ports=[80,443]' \
	"$(fields Alike:more)"
# without the binary, the fields are printed with the types in the kernel's format
expect "without the binary" 'e=1 b=1 ch="x" sc=-3 uc=200 s=-300 us=60000 l=-5 ul=5 p=4660 text="a \"word\"\n"' \
	"$(fields bare)"
# JSON is read by programs, so it must be the same with and without the binary
expect "JSON" "$("$uetrace" show --json "$dir/a.uer" 2>/dev/null)" \
	"$("$uetrace" show --json --program "$dir/fields" "$dir/a.uer" 2>/dev/null)"

echo "fields of both kinds of events: $checks checks"
