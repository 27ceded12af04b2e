/* SPDX-License-Identifier: MIT */
/*
 * Mistakes in UE_TRACE and UE_LOG. Each mistake is the body of a function f(), compiled in a
 * separate file.
 */
#include <user_events.h>

#define LONG(x) UE_I32(x##_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long, 1)
#define EIGHT(p) UE_U8(p##0, 1), UE_U8(p##1, 1), UE_U8(p##2, 1), UE_U8(p##3, 1), \
	UE_U8(p##4, 1), UE_U8(p##5, 1), UE_U8(p##6, 1), UE_U8(p##7, 1)
UE_EVENT_SET(set, "Bad_Set", 4, 1);
UE_TRACEPOINT(point, UE_U32(number), UE_STR(text));
struct item;
struct pair {
	int a, b;
};
struct reply {
	int status;
};

void f(int a, int x, int y, size_t n, float ratio, const char *s, const unsigned char *id,
       const int *values, const uint16_t *shorts, const uint32_t *words, const double *reals,
       const struct reply *r, struct pair p)
{

/* expect: missing.*(undeclared|not declared)|undeclared identifier .missing */
	UE_TRACE(event, UE_U32(missing));

/* expect: missing.*(undeclared|not declared)|undeclared identifier .missing */
	UE_TRACE(event, missing);

/* expect: types: UE_U8 to 64 */
	UE_TRACE(event, UE_U128(n));

/* expect: types: UE_U8 to 64 */
	UE_LOG(set, "event", UE_ENUM(x));

/* expect: types: UE_U8 to 64 */
	UE_TRACE(event, UE_STRING(s));

/* expect: field \\?"a . x\\?" is not a variable */
	UE_TRACE(event, a + x);

/* expect: field .*errno.* is not a variable: an expression or macro needs a type and a name */
	UE_TRACE(event, errno);

/* expect: field .*errno.* is not a variable: an expression or macro needs a type and a name */
	UE_LOG(set, "event", errno);

/* expect: field \\?"int x\\?" is not a variable */
	UE_TRACE(event, int x);

/* expect: duplicate member .x.|redeclaration of .*x */
	UE_TRACE(event, x, y, x);

/* expect: name and fields of event long_event exceed 511 bytes */
	UE_TRACE(long_event, LONG(a), LONG(b), LONG(c), LONG(d), LONG(e), LONG(f));

/* expect: .cannot name an event: write UE_TRACE.name, fields */
	UE_TRACE();

/* expect: 5.{1,2} cannot name an event */
	UE_TRACE(5, x);

/* expect: request-done.{1,2} cannot name an event */
	UE_TRACE(request-done, x);

/* expect: text.* cannot name an event.*without quotes */
	UE_TRACE("text", x);

/* expect: the event .{1,2}enable.{1,2} would hide the file */
	UE_TRACE(enable, x);

/* expect: the event .{1,2}filter.{1,2} would hide the file */
	UE_TRACE(filter);

/* expect: done.* cannot name an event.*without quotes */
	UE_TRACE("done");

/* expect: a field is missing between two commas or at the end */
	UE_TRACE(done, , x);

/* expect: a field is missing between two commas or at the end */
	UE_TRACE(done, x, );

/* expect: a field is missing between two commas or at the end */
	UE_LOG(set, "done", x, );

/* expect: a comma is missing after the field */
	UE_TRACE(done, UE_I32(x) UE_I32(y));

/* expect: cannot name an event: write UE_TRACE.name, fields */
	UE_TRACE(done UE_I32(y, 1), x);

/* expect: a comma is missing after the field */
	UE_TRACE(done, UE_I32(x) y);

/* expect: field .{1,2}r->status.{1,2} is not a variable.*UE_I32.name, r->status. */
	UE_TRACE(done, r->status);

/* expect: UE_I32.name, a = r->status. */
	UE_TRACE(event, a = r->status);

/* expect: UE_BYTES.name, pointer, size. */
	UE_LOG(set, "Received", UE_BYTES(id, id));

/* expect: a pointer needs a length: write UE_ARRAY.I32, name, pointer, count. */
	UE_TRACE(done, UE_ARRAY(I32, values, values));

/* expect: (.s.{1,2} is a pointer, not a number|a pointer is not a number): use UE_STR */
	UE_TRACE(event, UE_I32(s));

/* expect: (.status.{1,2} is a pointer, not a number|a pointer is not a number): use UE_STR */
	UE_LOG(set, "event", UE_U64(status, s));

/* expect: (.ratio.{1,2} is a pointer, not a number|a pointer is not a number): use UE_STR */
	UE_LOG(set, "event", UE_F64(ratio, s));

/* expect: elements of .*list.* differ in size */
	UE_TRACE(event, UE_ARRAY(U32, list, shorts, n));

/* expect: elements of .*list.* differ in size */
	UE_LOG(set, "event", UE_FIXED_ARRAY(F32, list, reals, 2));

/* expect: elements of .*list.* is not a pointer|invalid type argument of unary|indirection requires pointer */
	UE_TRACE(event, UE_ARRAY(I32, list, a, n));

/* expect: not a pointer to char */
	UE_TRACE(event, UE_STR(a));

/* expect: not a pointer to char */
	UE_LOG(set, "event", UE_STR(s, 5));

/* expect: not a pointer to char */
	UE_TRACE(event, UE_STR(text, values));

/* expect: not a pointer to char */
	UE_TRACE(event, UE_STRN(text, a, n));

/* expect: .*bytes.* is not a pointer|or not a pointer */
	UE_TRACE(event, UE_BYTES(bytes, a, n));

/* expect: .*uuid.* is not a pointer|or not a pointer */
	UE_LOG(set, "event", UE_UUID(uuid, a));

/* expect: to unary|static_cast */
	UE_TRACE(event, UE_BYTES(bytes, values, &n));

/* expect: to unary|static_cast */
	UE_LOG(set, "event", UE_ARRAY(I32, list, values, "3"));

/* expect: the type of an array is I32, U8, STR or another type without UE_ */
	UE_TRACE(event, UE_ARRAY(int, list, values, n));

/* expect: the type of an array is I32, U8, STR or another type without UE_ */
	UE_TRACE(event, UE_FIXED_ARRAY(UE_I32, list, values, 4));

/* expect: a fixed array has 1 to 65535 elements */
	UE_LOG(set, "event", UE_FIXED_ARRAY(U32, list, words, 0));

/* expect: a fixed array has 1 to 65535 elements */
	UE_LOG(set, "event", UE_FIXED_ARRAY(U8, list, id, 65536));

/* expect: is not a number, string, pointer or array of numbers */
	struct item *items[2] = { 0, 0 };
	UE_LOG(set, "event", items);

/* expect: field \\?"[a-z]*\\?".*(is not a number|UE_TRACE does not support).*UE_I32 */
	__extension__ __int128 large = 1;
	UE_TRACE(event, large);

/* expect: field \\?"[a-z]*\\?".*(is not a number|UE_TRACE does not support).*UE_I32 */
	int matrix[2][2] = { { 1, 2 }, { 3, 4 } };
	UE_TRACE(event, matrix);

/* expect: field \\?"[a-z]*\\?".*(is not a number|UE_TRACE does not support).*UE_I32 */
	UE_TRACE(event, p);

/* expect: incompatible type|no viable|no match|aggregate|arithmetic|invalid|cannot convert */
	UE_TRACE(event, UE_U32(n, p));

/* expect: field \\?"list\\?".*UE_TRACE does not support floats.*use UE_LOG */
	UE_TRACE(event, UE_FIXED_ARRAY(U32, list, words, 4));

/* expect: field \\?"ratio\\?".*UE_TRACE does not support floats.*use UE_LOG */
	UE_TRACE(event, ratio);

/* expect: field \\?"ratio\\?".*UE_TRACE does not support floats.*use UE_LOG */
	UE_TRACE(event, UE_F64(ratio, *reals));

/* expect: field \\?"frame\\?".*arrays except 1 to 1024 bytes */
	static unsigned char frame[1025];
	UE_TRACE(event, frame);

/* expect: field .*a.b.*UE_NAMED.*: use UE_LOG */
	UE_TRACE(event, UE_NAMED("a.b", x));

/* expect: UE_ID, UE_OPCODE, UE_TAG and UE_ACTIVITY are options of UE_LOG */
	UE_TRACE(event, UE_OPCODE(1), a);

/* expect: field \\?"peer\\?": UE_TRACE does not support UE_STRUCT: use UE_LOG */
	UE_TRACE(event, UE_STRUCT(peer, a));

/* expect: UE_AS.. takes a UE_FORMAT_ */
	UE_LOG(set, "event", UE_AS(18, UE_I32(a)));

/* expect: UE_AS.. takes a UE_FORMAT_ */
	UE_LOG(set, "event", UE_AS(128, UE_I32(a)));

/* expect: UE_AS\(\) of struct \\?"s\\?" */
	UE_LOG(set, "event", UE_AS(UE_FORMAT_HEX, UE_STRUCT(s, a)));

/* expect: UE_TAGGED.. takes a 16-bit tag */
	UE_LOG(set, "event", UE_TAGGED(65536, UE_I32(a)));

/* expect: UE_ID.. takes 1 to 65535 */
	UE_LOG(set, "event", UE_ID(0, 1), UE_I32(a));

/* expect: has at most one UE_ID, UE_OPCODE, UE_TAG, UE_ACTIVITY */
	UE_LOG(set, "event", UE_ID(1, 1), a, UE_ID(2, 1));

/* expect: write a set without quotes, and the name of the event in quotes */
	UE_LOG(set, "");

/* expect: UE_LOG.set, .{1,2}Name.{1,2}, fields */
	UE_LOG(set);

/* expect: UE_LOG.set, .{1,2}Name.{1,2}, fields */
	UE_LOG(set, s, UE_U32(n, 1));

/* expect: UE_LOG.set, .{1,2}Name.{1,2}, fields */
	UE_LOG(set, done, x);

/* expect: UE_LOG.set, .{1,2}Name.{1,2}, fields */
	UE_LOG(set, "done" x);

/* expect: (first argument must be a set of UE_EVENT_SET|cannot convert|cannot initialize) */
	UE_LOG("set", "event", UE_U32(n, 1));

/* expect: first argument must be a set of UE_EVENT_SET|no matching|invalid|cannot (conv|init) */
	UE_LOG(a, "event", UE_U32(n, 1));

/* expect: .orders. (undeclared|was not declared)|undeclared identifier .orders. */
	UE_LOG(orders, "Order", n);

/* expect: struct \\?"nothing\\?" needs 1 to 63 members */
	UE_LOG(set, "event", UE_STRUCT(nothing));

/* expect: UE_EVENT_SET must be outside of functions */
	UE_EVENT_SET(orders, "Orders", UE_LEVEL_INFORMATION, 0x1);
	UE_LOG(orders, "Order", n);

/* expect: UE_TRACEPOINT must be outside of functions */
	UE_TRACEPOINT(in_function, UE_I32(key));

/* expect: an event or struct has more than 64 fields */
	UE_TRACE(many, EIGHT(a), EIGHT(b), EIGHT(c), EIGHT(d), EIGHT(e), EIGHT(g), EIGHT(h),
		 EIGHT(i), UE_U8(last, 1));

/* expect: an event or struct has more than 64 fields */
	UE_LOG(set, "event", UE_STRUCT(many, EIGHT(a), EIGHT(b), EIGHT(c), EIGHT(d), EIGHT(e),
				       EIGHT(g), EIGHT(h), EIGHT(i), UE_U8(last, 1)));

/* expect: too few arguments|no matching function|not enough */
	trace_point(1);

/* expect: integer from pointer|pointer to integer|invalid conv|no matching|cannot (init|conv) */
	trace_point(s, s);

/* expect: pointer from integer|integer to pointer|invalid conv|no matching|cannot (init|conv) */
	trace_point(1, a);
