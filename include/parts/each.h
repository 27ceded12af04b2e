/* SPDX-License-Identifier: MIT */
/*
 * Preprocessor: for each field
 */

/* @private */

/*
 * UE__NORMAL(n, at, fields..., UE__END) makes the list that all else works on. Each field is a class and a
 * tuple, and the last group of eight is filled up with UE__END: a bare variable becomes
 * 0B(position, , , "x", x); field.h has the others.
 *
 * UE__EACH(n, op, list) expands to op_0V(position, ...) op_0B(...) and so on, in order. N is
 * UE__GROUPS(fields..., UE__END). A position is AT, which tells the names of events at file scope
 * apart, how many groups follow, and the field's place in its group: ue__t0_1 is the first field's
 * type. Eight fields at a time, so that the expansion is linear in their number.
 *
 * The compiler reads each list many times, so this is written for its time: a field's class stands where op is
 * pasted to it, and the result is a macro's call, without a macro that takes the field apart.
 *
 * Nothing is pasted to what a user wrote but the names of our own macros, which begin with a digit:
 * a program may have macros of any name.
 */
#define UE__END (0X, UE__FIELD, 0END, ~)
#define UE__NOTHING (0X, UE__FIELD, 0NOTHING, ~) /* neither a field nor the end */
#define UE__CAT(a, b) UE__CAT_(a, b)
#define UE__CAT_(a, b) a##b
#define UE__STRINGIFY(x) #x
#define UE__STRINGIFY_EACH(x) UE__STRINGIFY(x)

#define UE__SECOND(a, b, ...) b
#define UE__SECOND_OF(...) UE__SECOND(__VA_ARGS__)
#define UE__PAREN_PROBE(...) ~, 1
#define UE__IS_PAREN(x) UE__SECOND_OF(UE__PAREN_PROBE x, 0, ~)
#define UE__UNPACK(...) __VA_ARGS__

/* One argument or more? Up to 16 are told apart from one. */
#define UE__MANY(...) \
	UE__MANY_(__VA_ARGS__, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, ~)
#define UE__MANY_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, result, ...) result

/*
 * The number of fields before UE__END, and of groups of eight that they take, up to 256. Up to eight
 * fields are told by what comes tenth, since lists of 257 take the compiler long.
 */
#define UE__COUNT(...)                                                                  \
	UE__FEW_OR(UE__TENTH(__VA_ARGS__, (, 8), (, 7), (, 6), (, 5), (, 4), (, 3), (, 2), (, 1), \
			     (, 0), ~), UE__COUNT_MANY)(__VA_ARGS__)
#define UE__GROUPS(...)                                                                 \
	UE__FEW_OR(UE__TENTH(__VA_ARGS__, (, 1), (, 1), (, 1), (, 1), (, 1), (, 1), (, 1), (, 1), \
			     (, 1), ~), UE__GROUPS_OF_MANY)(__VA_ARGS__)
#define UE__TENTH(...) UE__TENTH_(__VA_ARGS__)
#define UE__TENTH_(a, b, c, d, e, f, g, h, i, j, ...) j
#define UE__FEW_OR(x, many) UE__SECOND_OF(UE__FEW x, many, ~)
#define UE__FEW(first, ...) UE__FEW_##first(__VA_ARGS__)
#define UE__FEW_(n) ~, UE__IS_##n
#define UE__IS_0(...) 0
#define UE__IS_1(...) 1
#define UE__IS_2(...) 2
#define UE__IS_3(...) 3
#define UE__IS_4(...) 4
#define UE__IS_5(...) 5
#define UE__IS_6(...) 6
#define UE__IS_7(...) 7
#define UE__IS_8(...) 8
#define UE__COUNT_MANY(...) \
	UE__PICK(__VA_ARGS__, 256, 255, 254, 253, 252, 251, 250, 249, 248, 247, 246, 245, \
	244, 243, 242, 241, 240, 239, 238, 237, 236, 235, 234, 233, 232, 231, 230, 229, \
	228, 227, 226, 225, 224, 223, 222, 221, 220, 219, 218, 217, 216, 215, 214, 213, \
	212, 211, 210, 209, 208, 207, 206, 205, 204, 203, 202, 201, 200, 199, 198, 197, \
	196, 195, 194, 193, 192, 191, 190, 189, 188, 187, 186, 185, 184, 183, 182, 181, \
	180, 179, 178, 177, 176, 175, 174, 173, 172, 171, 170, 169, 168, 167, 166, 165, \
	164, 163, 162, 161, 160, 159, 158, 157, 156, 155, 154, 153, 152, 151, 150, 149, \
	148, 147, 146, 145, 144, 143, 142, 141, 140, 139, 138, 137, 136, 135, 134, 133, \
	132, 131, 130, 129, 128, 127, 126, 125, 124, 123, 122, 121, 120, 119, 118, 117, \
	116, 115, 114, 113, 112, 111, 110, 109, 108, 107, 106, 105, 104, 103, 102, 101, \
	100, 99, 98, 97, 96, 95, 94, 93, 92, 91, 90, 89, 88, 87, 86, 85, 84, 83, 82, 81, \
	80, 79, 78, 77, 76, 75, 74, 73, 72, 71, 70, 69, 68, 67, 66, 65, 64, 63, 62, 61, 60, \
	59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, \
	38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, \
	17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, ~)
#define UE__GROUPS_OF_MANY(...) \
	UE__PICK(__VA_ARGS__, 32, 32, 32, 32, 32, 32, 32, 32, 31, 31, 31, 31, 31, 31, 31, \
	31, 30, 30, 30, 30, 30, 30, 30, 30, 29, 29, 29, 29, 29, 29, 29, 29, 28, 28, 28, 28, \
	28, 28, 28, 28, 27, 27, 27, 27, 27, 27, 27, 27, 26, 26, 26, 26, 26, 26, 26, 26, 25, \
	25, 25, 25, 25, 25, 25, 25, 24, 24, 24, 24, 24, 24, 24, 24, 23, 23, 23, 23, 23, 23, \
	23, 23, 22, 22, 22, 22, 22, 22, 22, 22, 21, 21, 21, 21, 21, 21, 21, 21, 20, 20, 20, \
	20, 20, 20, 20, 20, 19, 19, 19, 19, 19, 19, 19, 19, 18, 18, 18, 18, 18, 18, 18, 18, \
	17, 17, 17, 17, 17, 17, 17, 17, 16, 16, 16, 16, 16, 16, 16, 16, 15, 15, 15, 15, 15, \
	15, 15, 15, 14, 14, 14, 14, 14, 14, 14, 14, 13, 13, 13, 13, 13, 13, 13, 13, 12, 12, \
	12, 12, 12, 12, 12, 12, 11, 11, 11, 11, 11, 11, 11, 11, 10, 10, 10, 10, 10, 10, 10, \
	10, 9, 9, 9, 9, 9, 9, 9, 9, 8, 8, 8, 8, 8, 8, 8, 8, 7, 7, 7, 7, 7, 7, 7, 7, 6, 6, \
	6, 6, 6, 6, 6, 6, 5, 5, 5, 5, 5, 5, 5, 5, 4, 4, 4, 4, 4, 4, 4, 4, 3, 3, 3, 3, 3, 3, \
	3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, ~)
#define UE__PICK( \
	a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, \
	a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, \
	a35, a36, a37, a38, a39, a40, a41, a42, a43, a44, a45, a46, a47, a48, a49, a50, \
	a51, a52, a53, a54, a55, a56, a57, a58, a59, a60, a61, a62, a63, a64, a65, a66, \
	a67, a68, a69, a70, a71, a72, a73, a74, a75, a76, a77, a78, a79, a80, a81, a82, \
	a83, a84, a85, a86, a87, a88, a89, a90, a91, a92, a93, a94, a95, a96, a97, a98, \
	a99, a100, a101, a102, a103, a104, a105, a106, a107, a108, a109, a110, a111, a112, \
	a113, a114, a115, a116, a117, a118, a119, a120, a121, a122, a123, a124, a125, a126, \
	a127, a128, a129, a130, a131, a132, a133, a134, a135, a136, a137, a138, a139, a140, \
	a141, a142, a143, a144, a145, a146, a147, a148, a149, a150, a151, a152, a153, a154, \
	a155, a156, a157, a158, a159, a160, a161, a162, a163, a164, a165, a166, a167, a168, \
	a169, a170, a171, a172, a173, a174, a175, a176, a177, a178, a179, a180, a181, a182, \
	a183, a184, a185, a186, a187, a188, a189, a190, a191, a192, a193, a194, a195, a196, \
	a197, a198, a199, a200, a201, a202, a203, a204, a205, a206, a207, a208, a209, a210, \
	a211, a212, a213, a214, a215, a216, a217, a218, a219, a220, a221, a222, a223, a224, \
	a225, a226, a227, a228, a229, a230, a231, a232, a233, a234, a235, a236, a237, a238, \
	a239, a240, a241, a242, a243, a244, a245, a246, a247, a248, a249, a250, a251, a252, \
	a253, a254, a255, a256, a257, n, ...) n
#define UE__GROUPS_1(run, op, at, a, b, c, d, e, f, g, h, ...) run(op, at, 0, a, b, c, d, e, f, g, h)
#define UE__GROUPS_2(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 1, a, b, c, d, e, f, g, h) UE__GROUPS_1(run, op, at, __VA_ARGS__)
#define UE__GROUPS_3(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 2, a, b, c, d, e, f, g, h) UE__GROUPS_2(run, op, at, __VA_ARGS__)
#define UE__GROUPS_4(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 3, a, b, c, d, e, f, g, h) UE__GROUPS_3(run, op, at, __VA_ARGS__)
#define UE__GROUPS_5(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 4, a, b, c, d, e, f, g, h) UE__GROUPS_4(run, op, at, __VA_ARGS__)
#define UE__GROUPS_6(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 5, a, b, c, d, e, f, g, h) UE__GROUPS_5(run, op, at, __VA_ARGS__)
#define UE__GROUPS_7(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 6, a, b, c, d, e, f, g, h) UE__GROUPS_6(run, op, at, __VA_ARGS__)
#define UE__GROUPS_8(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 7, a, b, c, d, e, f, g, h) UE__GROUPS_7(run, op, at, __VA_ARGS__)
#define UE__GROUPS_9(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 8, a, b, c, d, e, f, g, h) UE__GROUPS_8(run, op, at, __VA_ARGS__)
#define UE__GROUPS_10(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 9, a, b, c, d, e, f, g, h) UE__GROUPS_9(run, op, at, __VA_ARGS__)
#define UE__GROUPS_11(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 10, a, b, c, d, e, f, g, h) UE__GROUPS_10(run, op, at, __VA_ARGS__)
#define UE__GROUPS_12(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 11, a, b, c, d, e, f, g, h) UE__GROUPS_11(run, op, at, __VA_ARGS__)
#define UE__GROUPS_13(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 12, a, b, c, d, e, f, g, h) UE__GROUPS_12(run, op, at, __VA_ARGS__)
#define UE__GROUPS_14(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 13, a, b, c, d, e, f, g, h) UE__GROUPS_13(run, op, at, __VA_ARGS__)
#define UE__GROUPS_15(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 14, a, b, c, d, e, f, g, h) UE__GROUPS_14(run, op, at, __VA_ARGS__)
#define UE__GROUPS_16(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 15, a, b, c, d, e, f, g, h) UE__GROUPS_15(run, op, at, __VA_ARGS__)
#define UE__GROUPS_17(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 16, a, b, c, d, e, f, g, h) UE__GROUPS_16(run, op, at, __VA_ARGS__)
#define UE__GROUPS_18(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 17, a, b, c, d, e, f, g, h) UE__GROUPS_17(run, op, at, __VA_ARGS__)
#define UE__GROUPS_19(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 18, a, b, c, d, e, f, g, h) UE__GROUPS_18(run, op, at, __VA_ARGS__)
#define UE__GROUPS_20(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 19, a, b, c, d, e, f, g, h) UE__GROUPS_19(run, op, at, __VA_ARGS__)
#define UE__GROUPS_21(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 20, a, b, c, d, e, f, g, h) UE__GROUPS_20(run, op, at, __VA_ARGS__)
#define UE__GROUPS_22(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 21, a, b, c, d, e, f, g, h) UE__GROUPS_21(run, op, at, __VA_ARGS__)
#define UE__GROUPS_23(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 22, a, b, c, d, e, f, g, h) UE__GROUPS_22(run, op, at, __VA_ARGS__)
#define UE__GROUPS_24(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 23, a, b, c, d, e, f, g, h) UE__GROUPS_23(run, op, at, __VA_ARGS__)
#define UE__GROUPS_25(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 24, a, b, c, d, e, f, g, h) UE__GROUPS_24(run, op, at, __VA_ARGS__)
#define UE__GROUPS_26(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 25, a, b, c, d, e, f, g, h) UE__GROUPS_25(run, op, at, __VA_ARGS__)
#define UE__GROUPS_27(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 26, a, b, c, d, e, f, g, h) UE__GROUPS_26(run, op, at, __VA_ARGS__)
#define UE__GROUPS_28(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 27, a, b, c, d, e, f, g, h) UE__GROUPS_27(run, op, at, __VA_ARGS__)
#define UE__GROUPS_29(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 28, a, b, c, d, e, f, g, h) UE__GROUPS_28(run, op, at, __VA_ARGS__)
#define UE__GROUPS_30(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 29, a, b, c, d, e, f, g, h) UE__GROUPS_29(run, op, at, __VA_ARGS__)
#define UE__GROUPS_31(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 30, a, b, c, d, e, f, g, h) UE__GROUPS_30(run, op, at, __VA_ARGS__)
#define UE__GROUPS_32(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 31, a, b, c, d, e, f, g, h) UE__GROUPS_31(run, op, at, __VA_ARGS__)

#define UE__EACH(n, ...) UE__EACH_(n, __VA_ARGS__)
#define UE__EACH_(n, ...) UE__EACH_##n(__VA_ARGS__)
#define UE__EACH_1(op, a, b, c, d, e, f, g, h, ...) \
	op##_##a op##_##b op##_##c op##_##d op##_##e op##_##f op##_##g op##_##h
#define UE__EACH_2(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_1(op, __VA_ARGS__)
#define UE__EACH_3(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_2(op, __VA_ARGS__)
#define UE__EACH_4(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_3(op, __VA_ARGS__)
#define UE__EACH_5(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_4(op, __VA_ARGS__)
#define UE__EACH_6(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_5(op, __VA_ARGS__)
#define UE__EACH_7(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_6(op, __VA_ARGS__)
#define UE__EACH_8(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_7(op, __VA_ARGS__)
#define UE__EACH_9(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_8(op, __VA_ARGS__)
#define UE__EACH_10(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_9(op, __VA_ARGS__)
#define UE__EACH_11(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_10(op, __VA_ARGS__)
#define UE__EACH_12(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_11(op, __VA_ARGS__)
#define UE__EACH_13(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_12(op, __VA_ARGS__)
#define UE__EACH_14(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_13(op, __VA_ARGS__)
#define UE__EACH_15(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_14(op, __VA_ARGS__)
#define UE__EACH_16(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_15(op, __VA_ARGS__)
#define UE__EACH_17(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_16(op, __VA_ARGS__)
#define UE__EACH_18(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_17(op, __VA_ARGS__)
#define UE__EACH_19(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_18(op, __VA_ARGS__)
#define UE__EACH_20(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_19(op, __VA_ARGS__)
#define UE__EACH_21(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_20(op, __VA_ARGS__)
#define UE__EACH_22(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_21(op, __VA_ARGS__)
#define UE__EACH_23(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_22(op, __VA_ARGS__)
#define UE__EACH_24(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_23(op, __VA_ARGS__)
#define UE__EACH_25(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_24(op, __VA_ARGS__)
#define UE__EACH_26(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_25(op, __VA_ARGS__)
#define UE__EACH_27(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_26(op, __VA_ARGS__)
#define UE__EACH_28(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_27(op, __VA_ARGS__)
#define UE__EACH_29(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_28(op, __VA_ARGS__)
#define UE__EACH_30(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_29(op, __VA_ARGS__)
#define UE__EACH_31(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_30(op, __VA_ARGS__)
#define UE__EACH_32(op, a, b, c, d, e, f, g, h, ...) \
	UE__EACH_1(op, a, b, c, d, e, f, g, h, ~) UE__EACH_31(op, __VA_ARGS__)

#define UE__NORMAL(n, at, ...)                                                          \
	UE__CAT(UE__GROUPS_, n)                                                         \
	(UE__RUN_NORMAL, , at, __VA_ARGS__, UE__END, UE__END, UE__END, UE__END, UE__END, UE__END, \
	 UE__END, ~) ~
#define UE__RUN_NORMAL(op, at, more, x1, x2, x3, x4, x5, x6, x7, x8)                    \
	UE__TUPLE(at##more##_1, x1), UE__TUPLE(at##more##_2, x2),                       \
	UE__TUPLE(at##more##_3, x3), UE__TUPLE(at##more##_4, x4),                       \
	UE__TUPLE(at##more##_5, x5), UE__TUPLE(at##more##_6, x6),                       \
	UE__TUPLE(at##more##_7, x7), UE__TUPLE(at##more##_8, x8),
/* Ours are (class, UE__FIELD, ...), all else is a variable, or none: (size_t)x and its like. */
#define UE__TUPLE(at, x) UE__TUPLE_(at, x, UE__OURS x, UE__BARE, ~, ~)
#define UE__TUPLE_OF(bare, at, x) UE__TUPLE_(at, x, UE__OURS x, bare, ~, ~)
#define UE__TUPLE_(...) UE__TUPLE__(__VA_ARGS__)
#define UE__TUPLE__(at, x, none, how, rest, ...) how(at, rest, x)
#define UE__OURS(...) UE__OURS_(__VA_ARGS__, UE__BARE, ~)
#define UE__OURS_(class, mark, ...) ~, mark,
#define UE__BARE(at, rest, x) 0B(at, , , #x, x)
/* Another tuple behind it: there is no comma between them, which the check of names tells. */
#define UE__FIELD(at, rest, x) UE__SECOND_OF(UE__ANOTHER rest, UE__ALONE, ~)(at, x)
#define UE__ANOTHER(...) ~, UE__NO_COMMA,
#define UE__NO_COMMA(at, x) 0V(at, 0I32, , , "no comma", none, 0)
#define UE__ALONE(at, x) UE__FIELD_(at, UE__UNPACK x)
#define UE__FIELD_(...) UE__FIELD__(__VA_ARGS__)
#define UE__FIELD__(at, class, mark, ...) class(at, __VA_ARGS__)
/* An op on one field, and within an op on a struct's member. */
#define UE__APPLY(op, x) UE__APPLY_(op, x)
#define UE__APPLY_(op, x) op##_##x
#define UE__INNER(...) UE__INNER_(__VA_ARGS__)
#define UE__INNER_(op, ...) op(__VA_ARGS__)
