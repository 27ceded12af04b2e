/* SPDX-License-Identifier: MIT */
/*
 * The program defines macros with the names of field types and with common field names, both before
 * and after it includes the header.
 */
#define V 1
#define P 2
#define S 3
#define R 4
#define X 5
#define B 6
#define U8 unsigned char
#define BOOL int
#define CHAR char
#define PTR void *
#define STR "string"
#define BYTES 1024
#define ERRNO errno
#define PID 1
#define ID 7
#define TAG 8
#define END 9
#define OPCODE 10
#define ACTIVITY 11
#include <user_events.h>
#define I32 int
#define U32 unsigned
#define U64 unsigned long long
#define X64 12
#define F64 double
#define UUID "uuid"
/* names that the header uses for parameters or members */
#define text "hello"
#define event 7
#define level 8
#define desc 9
#define types 10
#define keyword 11
#define keyword_ 12
#define type 13
#define use 14
#define object 15
#define head 16
#define value 17
#define set 18
#define tag 19
#define name 20
#define kind 21
#define sum 22
#define meta 23
#define k0 24
#define declared 25

UE_EVENT_SET(macros_set, "Macros", UE_LEVEL_WARNING, 0x1);
UE_TRACEPOINT(macros_point, UE_U8(a), UE_BOOL(b), UE_PTR(p), UE_STR(s), UE_BYTES(d));

void macros(const char *message, const U8 *data, size_t size);
void macros(const char *message, const U8 *data, size_t size)
{
	static const uint8_t id[16] = { 0 };
	static const uint32_t list[] = { 1, 2 };
	int bare = size > 1, other = 1;

	UE_TRACE(macros_trace, bare, UE_U8(a, 1), UE_BOOL(b, true), UE_CHAR(c, 'c'),
		 UE_STR(message), UE_BYTES(data, data, size), UE_PID(pid, 1), UE_X64(x, 1),
		 UE_ARRAY(U32, list, list, 2), UE_FIXED_ARRAY(U8, four, data, 4),
		 UE_UUID(uuid, id));
	UE_LOG(macros_set, "Log", bare, UE_ID(1, 2), UE_TAG(3), UE_OPCODE(4), UE_ACTIVITY(id),
	       UE_F64(f, 1.0), UE_STRUCT(s, bare, UE_U64(u, 1)),
	       UE_ARRAY(STR, strings, &message, 1), UE_TAGGED(5, UE_I32(i, 1)),
	       UE_AS(UE_FORMAT_HEX, other), UE_ERRNO(error, 2));
	trace_macros_point(1, true, message, message, data, size);
}
