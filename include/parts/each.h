/* SPDX-License-Identifier: MIT */
/*
 * Preprocessor: for each field
 */

@private

/*
 * Preprocessor machinery
 * ======================
 *
 * A field is a tuple, made by the UE_<TYPE> macros; a bare name becomes one on the way:
 *
 *	(0V, type, "name", variable, value, C type, name)		one value
 *	(0P, type, "name", variable, pointer, count, C type, name)	two values
 *	(0S, type, "name", name, members..., UE__END)			a struct
 *	(0R, type, "name", variable, pointer, count, members..., UE__END) an array of structs
 *	(0X, option...)							no field
 *
 * UE__EACH(op, c, fields..., UE__END) expands to op_0V(c, type, ...), op_0P(...) and so on, in
 * order. C is a prefix that tells variables of nested structs apart. Eight fields at a time,
 * so that the expansion is linear in the number of fields; members of a struct are put off
 * until the outer UE__EACH is done, which takes one pass of UE__SCAN for each level.
 */
#define UE__END (0X, 0END, ~)
#define UE__CAT(a, b) UE__CAT_(a, b)
#define UE__CAT_(a, b) a##b
#define UE__STRINGIFY(x) #x
#define UE__EMPTY()
#define UE__SCAN(...) UE__SCAN_3(UE__SCAN_3(UE__SCAN_3(__VA_ARGS__)))
#define UE__SCAN_3(...) UE__SCAN_1(UE__SCAN_1(UE__SCAN_1(__VA_ARGS__)))
#define UE__SCAN_1(...) __VA_ARGS__

#define UE__SECOND(a, b, ...) b
#define UE__SECOND_OF(...) UE__SECOND(__VA_ARGS__)
#define UE__PAREN_PROBE(...) ~, 1
#define UE__IS_PAREN(x) UE__SECOND_OF(UE__PAREN_PROBE x, 0, ~)
#define UE__UNPACK(...) __VA_ARGS__

/* One argument or more? Up to 16 are told apart from one. */
#define UE__MANY(...) \
	UE__MANY_(__VA_ARGS__, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, ~)
#define UE__MANY_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, result, ...) result

/* The number of fields before UE__END, and of chunks of eight that they take, up to 128. */
#define UE__COUNT(...) \
	UE__PICK(__VA_ARGS__, 128, 127, 126, 125, 124, 123, 122, 121, 120, 119, 118, 117, 116, 115, 114, 113, 112, \
	111, 110, 109, 108, 107, 106, 105, 104, 103, 102, 101, 100, 99, 98, 97, 96, 95, 94, \
	93, 92, 91, 90, 89, 88, 87, 86, 85, 84, 83, 82, 81, 80, 79, 78, 77, 76, 75, 74, 73, \
	72, 71, 70, 69, 68, 67, 66, 65, 64, 63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, \
	51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, \
	30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, \
	9, 8, 7, 6, 5, 4, 3, 2, 1, 0, ~)
#define UE__CHUNKS(...) \
	UE__PICK(__VA_ARGS__, 16, 16, 16, 16, 16, 16, 16, 16, 15, 15, 15, 15, 15, 15, 15, 15, 14, 14, 14, 14, 14, \
	14, 14, 14, 13, 13, 13, 13, 13, 13, 13, 13, 12, 12, 12, 12, 12, 12, 12, 12, 11, 11, \
	11, 11, 11, 11, 11, 11, 10, 10, 10, 10, 10, 10, 10, 10, 9, 9, 9, 9, 9, 9, 9, 9, 8, \
	8, 8, 8, 8, 8, 8, 8, 7, 7, 7, 7, 7, 7, 7, 7, 6, 6, 6, 6, 6, 6, 6, 6, 5, 5, 5, 5, 5, \
	5, 5, 5, 4, 4, 4, 4, 4, 4, 4, 4, 3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 1, \
	1, 1, 1, 1, 1, 1, 1, 1, ~)
#define UE__PICK( \
	a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, \
	a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35, \
	a36, a37, a38, a39, a40, a41, a42, a43, a44, a45, a46, a47, a48, a49, a50, a51, a52, \
	a53, a54, a55, a56, a57, a58, a59, a60, a61, a62, a63, a64, a65, a66, a67, a68, a69, \
	a70, a71, a72, a73, a74, a75, a76, a77, a78, a79, a80, a81, a82, a83, a84, a85, a86, \
	a87, a88, a89, a90, a91, a92, a93, a94, a95, a96, a97, a98, a99, a100, a101, a102, \
	a103, a104, a105, a106, a107, a108, a109, a110, a111, a112, a113, a114, a115, a116, \
	a117, a118, a119, a120, a121, a122, a123, a124, a125, a126, a127, a128, a129, n, \
	...) n
#define UE__CHUNKS_1(run, op, c, a, b, d, e, f, g, h, i, ...) run(op, c, 0, a, b, d, e, f, g, h, i)
#define UE__CHUNKS_2(run, op, c, a, b, d, e, f, g, h, i, ...) \
	run(op, c, 1, a, b, d, e, f, g, h, i) UE__CHUNKS_1(run, op, c, __VA_ARGS__)
#define UE__CHUNKS_3(run, op, c, a, b, d, e, f, g, h, i, ...) \
	run(op, c, 2, a, b, d, e, f, g, h, i) UE__CHUNKS_2(run, op, c, __VA_ARGS__)
#define UE__CHUNKS_4(run, op, c, a, b, d, e, f, g, h, i, ...) \
	run(op, c, 3, a, b, d, e, f, g, h, i) UE__CHUNKS_3(run, op, c, __VA_ARGS__)
#define UE__CHUNKS_5(run, op, c, a, b, d, e, f, g, h, i, ...) \
	run(op, c, 4, a, b, d, e, f, g, h, i) UE__CHUNKS_4(run, op, c, __VA_ARGS__)
#define UE__CHUNKS_6(run, op, c, a, b, d, e, f, g, h, i, ...) \
	run(op, c, 5, a, b, d, e, f, g, h, i) UE__CHUNKS_5(run, op, c, __VA_ARGS__)
#define UE__CHUNKS_7(run, op, c, a, b, d, e, f, g, h, i, ...) \
	run(op, c, 6, a, b, d, e, f, g, h, i) UE__CHUNKS_6(run, op, c, __VA_ARGS__)
#define UE__CHUNKS_8(run, op, c, a, b, d, e, f, g, h, i, ...) \
	run(op, c, 7, a, b, d, e, f, g, h, i) UE__CHUNKS_7(run, op, c, __VA_ARGS__)
#define UE__CHUNKS_9(run, op, c, a, b, d, e, f, g, h, i, ...) \
	run(op, c, 8, a, b, d, e, f, g, h, i) UE__CHUNKS_8(run, op, c, __VA_ARGS__)
#define UE__CHUNKS_10(run, op, c, a, b, d, e, f, g, h, i, ...) \
	run(op, c, 9, a, b, d, e, f, g, h, i) UE__CHUNKS_9(run, op, c, __VA_ARGS__)
#define UE__CHUNKS_11(run, op, c, a, b, d, e, f, g, h, i, ...) \
	run(op, c, 10, a, b, d, e, f, g, h, i) UE__CHUNKS_10(run, op, c, __VA_ARGS__)
#define UE__CHUNKS_12(run, op, c, a, b, d, e, f, g, h, i, ...) \
	run(op, c, 11, a, b, d, e, f, g, h, i) UE__CHUNKS_11(run, op, c, __VA_ARGS__)
#define UE__CHUNKS_13(run, op, c, a, b, d, e, f, g, h, i, ...) \
	run(op, c, 12, a, b, d, e, f, g, h, i) UE__CHUNKS_12(run, op, c, __VA_ARGS__)
#define UE__CHUNKS_14(run, op, c, a, b, d, e, f, g, h, i, ...) \
	run(op, c, 13, a, b, d, e, f, g, h, i) UE__CHUNKS_13(run, op, c, __VA_ARGS__)
#define UE__CHUNKS_15(run, op, c, a, b, d, e, f, g, h, i, ...) \
	run(op, c, 14, a, b, d, e, f, g, h, i) UE__CHUNKS_14(run, op, c, __VA_ARGS__)
#define UE__CHUNKS_16(run, op, c, a, b, d, e, f, g, h, i, ...) \
	run(op, c, 15, a, b, d, e, f, g, h, i) UE__CHUNKS_15(run, op, c, __VA_ARGS__)

#define UE__EACH(op, c, ...) UE__OVER(UE__RUN, op, c, __VA_ARGS__)
#define UE__OVER(run, op, c, ...)                                                            \
	UE__CAT(UE__CHUNKS_, UE__CHUNKS(__VA_ARGS__))                                        \
	(run, op, c, __VA_ARGS__, UE__END, UE__END, UE__END, UE__END, UE__END, UE__END, UE__END, ~)
#define UE__RUN(op, c, more, x1, x2, x3, x4, x5, x6, x7, x8)                                \
	UE__ONE(op, c, x1)                                                                   \
	UE__ONE(op, c, x2)                                                                   \
	UE__ONE(op, c, x3)                                                                   \
	UE__ONE(op, c, x4)                                                                   \
	UE__ONE(op, c, x5) UE__ONE(op, c, x6) UE__ONE(op, c, x7) UE__ONE(op, c, x8)
#define UE__ONE(op, c, x) UE__ONE_(op, c, UE__CAT(UE__FIELD_, UE__IS_PAREN(x))(x))
#define UE__FIELD_1(x) UE__UNPACK x
#define UE__FIELD_0(x) 0B, UE__BARE(x), #x, ue__v_##x, UE__IN(x), int, x
#define UE__ONE_(...) UE__ONE__(__VA_ARGS__)
#define UE__ONE__(op, c, class, ...) op##_##class(c, __VA_ARGS__)
/* Within an op: its members' turn comes in a later scan. */
#define UE__EACH_LATER() UE__EACH_ID UE__EMPTY()()
#define UE__EACH_ID() UE__EACH_AGAIN
#define UE__EACH_AGAIN(op, c, ...) UE__EACH(op, c, __VA_ARGS__)
