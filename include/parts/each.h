/* SPDX-License-Identifier: MIT */
/*
 * Preprocessor: for each field
 */

/* @private */

/*
 * UE__NORMAL(n, at, fields..., UE__END) makes the list that all else works on. Each field is a
 * class and a tuple: a bare variable becomes 0B(position, , , "x", x); field.h has the others. Up
 * to eight fields are one group, of that length: N is 0N3 for three. Of more, N is the number of
 * groups of eight, and the last of them is filled up with UE__END.
 *
 * UE__EACH(n, op, list) expands to op_0V(position, ...) op_0B(...) and so on, in order. N is
 * UE__GROUPS(fields..., UE__END). A position is AT, which tells the names of events at file scope
 * apart, how many groups follow, and the field's place in its group: ue__t0_1 is the first field's
 * type. Eight fields at a time, so that the expansion is linear in their number.
 *
 * The compiler reads each list many times, so this is written for its time: a field's class stands
 * where op is pasted to it, and the result is a macro's call, without a macro that takes the field
 * apart.
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
/* One, two, or three and more? */
#define UE__UP_TO_3(...) \
	UE__MANY_(__VA_ARGS__, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 1, ~)
#define UE__MANY_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, result, ...) result

/*
 * The number of fields before UE__END, and of groups of eight that they take, up to 256. Up to
 * eight fields are told by what comes tenth, since lists of 257 take the compiler long.
 */
#define UE__COUNT(...)                                                                  \
	UE__FEW_OR(UE__TENTH_(__VA_ARGS__, (, 8), (, 7), (, 6), (, 5), (, 4), (, 3), (, 2), (, 1), \
			      (, 0), ~), UE__COUNT_MANY)(__VA_ARGS__)
#define UE__GROUPS(...)                                                                 \
	UE__FEW_OR(UE__TENTH_(__VA_ARGS__, (, 0N8), (, 0N7), (, 0N6), (, 0N5), (, 0N4), (, 0N3), \
			      (, 0N2), (, 0N1), (, 0N0), ~), UE__GROUPS_OF_MANY)(__VA_ARGS__)
/* The groups of COUNT fields. */
#define UE__GROUPS_BY(count, ...) \
	UE__SECOND_OF(UE__ONE_GROUP_##count, UE__GROUPS_OF_MANY, ~)(__VA_ARGS__)
#define UE__ONE_GROUP_0 ~, UE__IS_0N0
#define UE__ONE_GROUP_1 ~, UE__IS_0N1
#define UE__ONE_GROUP_2 ~, UE__IS_0N2
#define UE__ONE_GROUP_3 ~, UE__IS_0N3
#define UE__ONE_GROUP_4 ~, UE__IS_0N4
#define UE__ONE_GROUP_5 ~, UE__IS_0N5
#define UE__ONE_GROUP_6 ~, UE__IS_0N6
#define UE__ONE_GROUP_7 ~, UE__IS_0N7
#define UE__ONE_GROUP_8 ~, UE__IS_0N8
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
#define UE__IS_0N0(...) 0N0
#define UE__IS_0N1(...) 0N1
#define UE__IS_0N2(...) 0N2
#define UE__IS_0N3(...) 0N3
#define UE__IS_0N4(...) 0N4
#define UE__IS_0N5(...) 0N5
#define UE__IS_0N6(...) 0N6
#define UE__IS_0N7(...) 0N7
#define UE__IS_0N8(...) 0N8
#define UE__COUNT_MANY(...)                                                             \
	UE__PICK(__VA_ARGS__, 256, 255, 254, 253, 252, 251, 250, UE__10(24), UE__10(23), \
		 UE__10(22), UE__10(21), UE__10(20), UE__10(19), UE__10(18), UE__10(17), \
		 UE__10(16), UE__10(15), UE__10(14), UE__10(13), UE__10(12), UE__10(11), \
		 UE__10(10), UE__10(9), UE__10(8), UE__10(7), UE__10(6), UE__10(5), UE__10(4), \
		 UE__10(3), UE__10(2), UE__10(1), UE__10(), ~)
/* Up to 64 fields exactly, then 16 or 32: the others are UE__END. */
#define UE__GROUPS_OF_MANY(...)                                                         \
	UE__PICK(__VA_ARGS__, UE__64(32), UE__64(32), UE__64(16), UE__8(8), UE__8(7), UE__8(6), \
		 UE__8(5), UE__8(4), UE__8(3), UE__8(2), UE__8(1), 1, ~)
/* The 258th argument. */
#define UE__PICK(...) UE__SECOND_OF(UE__DROP(UE__DROP(UE__DROP(UE__DROP(__VA_ARGS__)))))
/* All but the first 64. */
#define UE__DROP(...) UE__DROP_(__VA_ARGS__)
#define UE__DROP_(a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4, \
		  c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4, e5, e6, e7, e8, \
		  f1, f2, f3, f4, f5, f6, f7, f8, g1, g2, g3, g4, g5, g6, g7, g8, h1, h2, h3, h4, \
		  h5, h6, h7, h8, ...)                                                     \
	__VA_ARGS__
#define UE__8(x) x, x, x, x, x, x, x, x
#define UE__64(x) UE__8(x), UE__8(x), UE__8(x), UE__8(x), UE__8(x), UE__8(x), UE__8(x), UE__8(x)
#define UE__10(x) x##9, x##8, x##7, x##6, x##5, x##4, x##3, x##2, x##1, x##0

#define UE__GROUPS_1(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 0, a, b, c, d, e, f, g, h)
#define UE__GROUPS_0N0 UE__GROUPS_1
#define UE__GROUPS_0N1 UE__GROUPS_1
#define UE__GROUPS_0N2 UE__GROUPS_1
#define UE__GROUPS_0N3 UE__GROUPS_1
#define UE__GROUPS_0N4 UE__GROUPS_1
#define UE__GROUPS_0N5 UE__GROUPS_1
#define UE__GROUPS_0N6 UE__GROUPS_1
#define UE__GROUPS_0N7 UE__GROUPS_1
#define UE__GROUPS_0N8 UE__GROUPS_1
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
#define UE__GROUPS_16(run, op, at, ...)                \
	UE__GROUPS_8(run, op, at##8, __VA_ARGS__)      \
	UE__LATER(UE__GROUPS_8, run, op, at, UE__DROP(__VA_ARGS__, UE__64(UE__END)))
#define UE__GROUPS_32(run, op, at, ...)                \
	UE__GROUPS_16(run, op, at##16, __VA_ARGS__)    \
	UE__LATEST(UE__GROUPS_16, run, op, at,          \
		  UE__DROP(UE__DROP(__VA_ARGS__, UE__64(UE__END), UE__64(UE__END))))
#define UE__LATER(next, ...) next(__VA_ARGS__)
#define UE__LATEST(next, ...) next(__VA_ARGS__)

#define UE__EACH(n, ...) UE__EACH_(n, __VA_ARGS__)
#define UE__EACH_(n, ...) UE__EACH_##n(__VA_ARGS__)
#define UE__EACH_1(op, a, b, c, d, e, f, g, h, ...) \
	op##_##a op##_##b op##_##c op##_##d op##_##e op##_##f op##_##g op##_##h
#define UE__EACH_0N0(...)
#define UE__EACH_0N1(op, a, ...) op##_##a
#define UE__EACH_0N2(op, a, b, ...) op##_##a op##_##b
#define UE__EACH_0N3(op, a, b, c, ...) op##_##a op##_##b op##_##c
#define UE__EACH_0N4(op, a, b, c, d, ...) op##_##a op##_##b op##_##c op##_##d
#define UE__EACH_0N5(op, a, b, c, d, e, ...) op##_##a op##_##b op##_##c op##_##d op##_##e
#define UE__EACH_0N6(op, a, b, c, d, e, f, ...) \
	op##_##a op##_##b op##_##c op##_##d op##_##e op##_##f
#define UE__EACH_0N7(op, a, b, c, d, e, f, g, ...) \
	op##_##a op##_##b op##_##c op##_##d op##_##e op##_##f op##_##g
#define UE__EACH_0N8 UE__EACH_1
#define UE__RUN_EACH(op, at, more, ...) UE__EACH_1(op, __VA_ARGS__, ~)
#define UE__EACH_2(op, ...) UE__GROUPS_2(UE__RUN_EACH, op, , __VA_ARGS__)
#define UE__EACH_3(op, ...) UE__GROUPS_3(UE__RUN_EACH, op, , __VA_ARGS__)
#define UE__EACH_4(op, ...) UE__GROUPS_4(UE__RUN_EACH, op, , __VA_ARGS__)
#define UE__EACH_5(op, ...) UE__GROUPS_5(UE__RUN_EACH, op, , __VA_ARGS__)
#define UE__EACH_6(op, ...) UE__GROUPS_6(UE__RUN_EACH, op, , __VA_ARGS__)
#define UE__EACH_7(op, ...) UE__GROUPS_7(UE__RUN_EACH, op, , __VA_ARGS__)
#define UE__EACH_8(op, ...) UE__GROUPS_8(UE__RUN_EACH, op, , __VA_ARGS__)
#define UE__EACH_16(op, ...) UE__GROUPS_16(UE__RUN_EACH, op, , __VA_ARGS__)
#define UE__EACH_32(op, ...) UE__GROUPS_32(UE__RUN_EACH, op, , __VA_ARGS__)

#define UE__NORMAL(n, at, ...) UE__NORMAL_##n(at, __VA_ARGS__)
#define UE__NORMAL_0N0(...) ~
#define UE__NORMAL_0N1(at, a, ...) \
	UE__TUPLE(at##0_1, a), ~
#define UE__NORMAL_0N2(at, a, b, ...) \
	UE__TUPLE(at##0_1, a), UE__TUPLE(at##0_2, b), ~
#define UE__NORMAL_0N3(at, a, b, c, ...) \
	UE__TUPLE(at##0_1, a), UE__TUPLE(at##0_2, b), UE__TUPLE(at##0_3, c), ~
#define UE__NORMAL_0N4(at, a, b, c, d, ...) \
	UE__TUPLE(at##0_1, a), UE__TUPLE(at##0_2, b), UE__TUPLE(at##0_3, c), \
	UE__TUPLE(at##0_4, d), ~
#define UE__NORMAL_0N5(at, a, b, c, d, e, ...) \
	UE__TUPLE(at##0_1, a), UE__TUPLE(at##0_2, b), UE__TUPLE(at##0_3, c), \
	UE__TUPLE(at##0_4, d), UE__TUPLE(at##0_5, e), ~
#define UE__NORMAL_0N6(at, a, b, c, d, e, f, ...) \
	UE__TUPLE(at##0_1, a), UE__TUPLE(at##0_2, b), UE__TUPLE(at##0_3, c), \
	UE__TUPLE(at##0_4, d), UE__TUPLE(at##0_5, e), UE__TUPLE(at##0_6, f), ~
#define UE__NORMAL_0N7(at, a, b, c, d, e, f, g, ...) \
	UE__TUPLE(at##0_1, a), UE__TUPLE(at##0_2, b), UE__TUPLE(at##0_3, c), \
	UE__TUPLE(at##0_4, d), UE__TUPLE(at##0_5, e), UE__TUPLE(at##0_6, f), \
	UE__TUPLE(at##0_7, g), ~
#define UE__NORMAL_0N8(at, a, b, c, d, e, f, g, h, ...) \
	UE__TUPLE(at##0_1, a), UE__TUPLE(at##0_2, b), UE__TUPLE(at##0_3, c), \
	UE__TUPLE(at##0_4, d), UE__TUPLE(at##0_5, e), UE__TUPLE(at##0_6, f), \
	UE__TUPLE(at##0_7, g), UE__TUPLE(at##0_8, h), ~
#define UE__NORMAL_2(at, ...) UE__NORMAL_GROUPS(UE__GROUPS_2, at, __VA_ARGS__)
#define UE__NORMAL_3(at, ...) UE__NORMAL_GROUPS(UE__GROUPS_3, at, __VA_ARGS__)
#define UE__NORMAL_4(at, ...) UE__NORMAL_GROUPS(UE__GROUPS_4, at, __VA_ARGS__)
#define UE__NORMAL_5(at, ...) UE__NORMAL_GROUPS(UE__GROUPS_5, at, __VA_ARGS__)
#define UE__NORMAL_6(at, ...) UE__NORMAL_GROUPS(UE__GROUPS_6, at, __VA_ARGS__)
#define UE__NORMAL_7(at, ...) UE__NORMAL_GROUPS(UE__GROUPS_7, at, __VA_ARGS__)
#define UE__NORMAL_8(at, ...) UE__NORMAL_GROUPS(UE__GROUPS_8, at, __VA_ARGS__)
#define UE__NORMAL_16(at, ...) UE__NORMAL_GROUPS(UE__GROUPS_16, at, __VA_ARGS__)
#define UE__NORMAL_32(at, ...) UE__NORMAL_GROUPS(UE__GROUPS_32, at, __VA_ARGS__)
#define UE__NORMAL_GROUPS(groups, at, ...)                                              \
	groups(UE__RUN_NORMAL, , at, __VA_ARGS__, UE__END, UE__END, UE__END, UE__END,           \
	       UE__END, UE__END, UE__END, UE__END) ~
#define UE__RUN_NORMAL(op, at, more, x1, x2, x3, x4, x5, x6, x7, x8)                    \
	UE__TUPLE(at##more##_1, x1), UE__TUPLE(at##more##_2, x2),                       \
	UE__TUPLE(at##more##_3, x3), UE__TUPLE(at##more##_4, x4),                       \
	UE__TUPLE(at##more##_5, x5), UE__TUPLE(at##more##_6, x6),                       \
	UE__TUPLE(at##more##_7, x7), UE__TUPLE(at##more##_8, x8),
/*
 * Ours are (class, UE__FIELD, ...), all else is a variable, or none: (size_t)x and its like. What
 * is behind one of ours, before the next comma, is REST: there should be a comma between them, as
 * the check of names tells. The field itself takes no part in that, since each step would read it
 * again.
 */
#define UE__TUPLE(at, x) UE__TUPLE_BY(UE__OURS x, UE__BARE, ~, ~)(at, x)
#define UE__TUPLE_OF(bare, at, x) UE__TUPLE_BY(UE__OURS x, bare, ~, ~)(at, x)
#define UE__TUPLE_BY(...) UE__TUPLE_BY_(__VA_ARGS__)
#define UE__TUPLE_BY_(none, how, rest, ...) how(rest)
#define UE__OURS(...) UE__OURS_(__VA_ARGS__, UE__BARE, ~)
#define UE__OURS_(class, mark, ...) ~, mark,
#define UE__BARE(rest) UE__BARE_
#define UE__BARE_(at, x) 0B(at, , , #x, x)
#define UE__FIELD(rest) UE__SECOND_OF(UE__BEHIND rest(0ALONE, ~), UE__NO_COMMA, ~)
#define UE__BEHIND(what, ...) UE__BEHIND_##what
#define UE__BEHIND_0ALONE ~, UE__ALONE
#define UE__NO_COMMA(at, x) 0V(at, 0I32, , , "no comma", none, 0)
#define UE__ALONE(at, x) UE__FIELD_(at, UE__UNPACK x)
#define UE__FIELD_(...) UE__FIELD__(__VA_ARGS__)
#define UE__FIELD__(at, class, mark, ...) class(at, __VA_ARGS__)
/* An op on one field, and within an op on a struct's member. */
#define UE__APPLY(op, x) UE__APPLY_(op, x)
#define UE__APPLY_(op, x) op##_##x
#define UE__INNER(...) UE__INNER_(__VA_ARGS__)
#define UE__INNER_(op, ...) op(__VA_ARGS__)
