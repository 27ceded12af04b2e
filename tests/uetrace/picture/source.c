/* SPDX-License-Identifier: MIT */
/*
 * Writes events for timelines: nested activities, activities that continue in other threads,
 * unfinished activities, STOP events without a START event, and values of all types. The program
 * records its own events to $UE_RECORD.
 */
#include <math.h>
#include <pthread.h>
#include <unistd.h>

#include <user_events_builder.h>
#include <user_events_recorder.h>

UE_EVENT_SET(work, "Picture_Work", UE_LEVEL_INFORMATION, 0x5);
UE_EVENT_SET(verbose, "Picture_Work", UE_LEVEL_VERBOSE, 0x0);

struct id {
	uint8_t bytes[16];
};

static struct id new_id(void)
{
	struct id id;

	ue_activity_new(id.bytes);
	return id;
}

static void values(void)
{
	static const uint32_t u32[] = { 0, 1, 0xffffffff };
	static const double f64[] = { 0.1, -1e300, 5e-324 };
	static const uint16_t lone[] = { 'a', 0xd800, 'b' };
	static const char odd[] = "a\"\\\x01\x7f\xff\xc3\xa4\xed\xa0\x80\xf0\x9f\x98\x80z";
	uint64_t big = UINT64_MAX, exact = UINT64_C(1) << 53;
	int64_t small = INT64_MIN;
	int minus = -5, i;
	char buffer[300];
	struct ue_builder b;

	UE_LOG(work, "Numbers", UE_U8(u8, 255), UE_U64(big, big), UE_U64(exact, exact),
	       UE_I64(small, small), UE_I8(i8, -128), UE_X32(hex, 0xBEEF), UE_BOOL(yes, true),
	       UE_BOOL(no, false), UE_F64(tenth, 0.1), UE_F32(third, 1.f / 3), UE_F64(nan, NAN),
	       UE_F64(inf, -INFINITY), UE_F64(whole, 3.0), UE_PID(pid, -1), UE_ERRNO(error, 2),
	       UE_PORT(port, 80), UE_TIME64(time, 0), UE_TAG(0x1234), UE_ID(7, 3));
	UE_LOG(verbose, "Groups", UE_ARRAY(U32, u32, u32, 3), UE_ARRAY(F64, f64, f64, 3),
	       UE_ARRAY(U32, none, u32, 0), UE_FIXED_ARRAY(U32, fixed, u32, 3),
	       UE_STRUCT(outer, UE_U8(a, 1), UE_STRUCT(inner, UE_STR(b, "x")), UE_U8(c, 2)));
	ue_builder_begin(&b, buffer, sizeof(buffer), "Peers", 0);
	ue_struct_array_begin(&b, "peers");
	for (i = 0; i < 2; i++) {
		ue_struct_array_next(&b);
		ue_add_port(&b, "port", i ? 0xbb01 : 0x5000);
		ue_add_u64(&b, "bytes", i ? UINT64_MAX : 1);
	}
	ue_struct_end(&b);
	ue_builder_write(&b, &verbose, NULL, NULL);
	UE_LOG(work, "Texts and \"names\"", UE_STR(odd, odd), UE_STR(empty, ""),
	       UE_STR(meta, "mine"), UE_STR(stop, "mine, too"), UE_STR16N(lone, lone, 3),
	       UE_BYTES(bytes, "\x01\xfe", 2), UE_UUID(uuid, "0123456789abcdef"),
	       UE_IPV4(ip, "\x7f\0\0\1"));
	UE_TRACE(picture_typed, big, small, minus, UE_STR(odd), UE_CHAR(letter, 'x'),
		 UE_ARRAY(U32, list, u32, 3), UE_FIXED_ARRAY(CHAR, chars, "abcd", 4));
	UE_TRACE(picture_empty);
}

static void *elsewhere(void *argument)
{
	const struct id *outer = argument;
	struct id inner = new_id();

	/* the parent activity was started by another thread and continues in this one */
	UE_LOG(work, "RemoteStart", UE_OPCODE(UE_OPCODE_ACTIVITY_START),
	       UE_ACTIVITY(inner.bytes, outer->bytes));
	UE_LOG(work, "Continued", UE_ACTIVITY(outer->bytes));
	UE_LOG(work, "RemoteStop", UE_OPCODE(UE_OPCODE_ACTIVITY_STOP),
	       UE_ACTIVITY(inner.bytes, outer->bytes), UE_STR(how, "well"));
	UE_LOG(work, "MovedStop", UE_OPCODE(UE_OPCODE_ACTIVITY_STOP), UE_ACTIVITY(outer->bytes));
	return NULL;
}

static void nested(int depth, const struct id *parent)
{
	struct id id = new_id();
	int i;

	UE_LOG(work, "NestedStart", UE_OPCODE(UE_OPCODE_ACTIVITY_START), UE_I32(depth, depth),
	       UE_ACTIVITY(id.bytes, parent ? parent->bytes : NULL));
	for (i = 0; depth && i < 2; i++)
		nested(depth - 1, &id);
	UE_TRACE(picture_depth, depth);
	UE_LOG(work, "NestedStop", UE_OPCODE(UE_OPCODE_ACTIVITY_STOP), UE_I32(depth, depth),
	       UE_ACTIVITY(id.bytes, parent ? parent->bytes : NULL));
}

/*
 * Simulates a thread that serves many connections, in which each activity starts before the
 * previous one ends.
 */
static void overlapping(void)
{
	struct id ids[6], within[6];
	int i;

	for (i = 0; i < 6; i++) {
		ids[i] = new_id();
		within[i] = new_id();
		UE_LOG(work, "Connection", UE_OPCODE(UE_OPCODE_ACTIVITY_START), UE_I32(i, i),
		       UE_ACTIVITY(ids[i].bytes));
	}
	for (i = 0; i < 6; i++)
		UE_LOG(work, "query_begin", UE_OPCODE(UE_OPCODE_ACTIVITY_START), UE_I32(i, i),
		       UE_ACTIVITY(within[i].bytes, ids[i].bytes));
	for (i = 5; i >= 0; i--)
		UE_LOG(work, "query_end", UE_OPCODE(UE_OPCODE_ACTIVITY_STOP), UE_I32(i, i),
		       UE_ACTIVITY(within[i].bytes, ids[i].bytes));
	for (i = 0; i < 6; i++)
		UE_LOG(work, "Connection", UE_OPCODE(UE_OPCODE_ACTIVITY_STOP), UE_I32(i, i),
		       UE_ACTIVITY(ids[i].bytes));
}

int main(void)
{
	struct id moved = new_id(), open = new_id();
	pthread_t thread;

	if (ue_recorder_environment() != 1)
		return 1;
	values();
	UE_LOG(work, "OrphanStop", UE_OPCODE(UE_OPCODE_ACTIVITY_STOP), UE_ACTIVITY(moved.bytes));
	UE_LOG(work, "MovedStart", UE_OPCODE(UE_OPCODE_ACTIVITY_START), UE_STR(from, "main"),
	       UE_ACTIVITY(moved.bytes));
	pthread_create(&thread, NULL, elsewhere, &moved);
	pthread_join(thread, NULL);
	nested(3, NULL);
	overlapping();
	UE_LOG(work, "OpenStart", UE_OPCODE(UE_OPCODE_ACTIVITY_START), UE_ACTIVITY(open.bytes));
	UE_LOG(work, "CollectStart", UE_OPCODE(UE_OPCODE_COLLECTION_START),
	       UE_ACTIVITY(open.bytes));
	UE_LOG(work, "CollectStop", UE_OPCODE(UE_OPCODE_COLLECTION_STOP), UE_ACTIVITY(open.bytes));
	return 0;
}
