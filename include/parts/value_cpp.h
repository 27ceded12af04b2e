/* SPDX-License-Identifier: MIT */
/*
 * The type of a bare variable, in C++
 */

/* @private */

#ifdef __cplusplus

template <class ue__T> struct ue__plain { typedef ue__T type; };
template <class ue__T> struct ue__plain<ue__T &> { typedef typename ue__plain<ue__T>::type type; };
template <class ue__T> struct ue__plain<ue__T &&> { typedef typename ue__plain<ue__T>::type type; };
template <class ue__T> struct ue__plain<const ue__T> {
	typedef typename ue__plain<ue__T>::type type;
};
template <class ue__T> struct ue__plain<volatile ue__T> {
	typedef typename ue__plain<ue__T>::type type;
};
template <class ue__T> struct ue__plain<const volatile ue__T> {
	typedef typename ue__plain<ue__T>::type type;
};
template <class ue__T, size_t ue__N> struct ue__plain<ue__T[ue__N]> {
	typedef typename ue__plain<ue__T>::type type[ue__N];
};
template <class ue__T, size_t ue__N> struct ue__plain<const ue__T[ue__N]> {
	typedef typename ue__plain<ue__T>::type type[ue__N];
};

/* TYPE of a scalar, and of a counted string of such units: 0 if there is none. */
template <uint64_t ue__Type, uint64_t ue__String> struct ue__types_of {
	static constexpr uint64_t type = ue__Type;
	static constexpr uint64_t string = ue__String;
};
template <class ue__T, bool ue__IsEnum = __is_enum(ue__T)>
struct ue__scalar : ue__types_of<0, 0> {};
template <class ue__T>
struct ue__scalar<ue__T, true> : ue__types_of<ue__scalar<__underlying_type(ue__T)>::type, 0> {};
#define UE__SCALAR(cpp, type, string) \
	template <> struct ue__scalar<cpp, false> : ue__types_of<type, string> {};
UE__SCALAR(bool, UE__T_0BOOL, 0)
UE__SCALAR(char, UE__T_0CHAR, UE__T_0STRN)
UE__SCALAR(signed char, UE__T_0I8, 0)
UE__SCALAR(unsigned char, UE__T_0U8, 0)
UE__SCALAR(short, UE__T_0I16, 0)
UE__SCALAR(unsigned short, UE__T_0U16, 0)
UE__SCALAR(int, UE__T_0I32, 0)
UE__SCALAR(unsigned int, UE__T_0U32, 0)
UE__SCALAR(long, sizeof(long) == 8 ? UE__T_0I64 : UE__T_0I32, 0)
UE__SCALAR(unsigned long, sizeof(long) == 8 ? UE__T_0U64 : UE__T_0U32, 0)
UE__SCALAR(long long, UE__T_0I64, 0)
UE__SCALAR(unsigned long long, UE__T_0U64, 0)
UE__SCALAR(float, UE__T_0F32, 0)
UE__SCALAR(double, UE__T_0F64, 0)
UE__SCALAR(char16_t, UE__T_0CHAR16, UE__T_0STR16N)
UE__SCALAR(char32_t, UE__T_0CHAR32, UE__T_0STR32N)
UE__SCALAR(wchar_t, sizeof(wchar_t) == 2 ? UE__T_0CHAR16 : UE__T_0CHAR32,
	   sizeof(wchar_t) == 2 ? UE__T_0STR16N : UE__T_0STR32N)
#ifdef __cpp_char8_t
UE__SCALAR(char8_t, UE__T_0CHAR, UE__T_0STRN)
#endif
#undef UE__SCALAR

/* The NUL-terminated form of a counted string. */
constexpr uint64_t ue__terminated(uint64_t counted)
{
	return counted == UE__T_0STRN   ? UE__T_0STR :
	       counted == UE__T_0STR16N ? UE__T_0STR16 :
					 UE__T_0STR32;
}

template <class ue__T> ue__T &&ue__declval();
template <class ue__T> struct ue__void { typedef void type; };

/* What is no field has a value all the same, so that UE__CHECK alone tells the mistake. */
struct ue__no_field {
	static constexpr uint64_t type = UE__T_NONE;
	template <class ue__T> static uint64_t ue__value(const ue__T &) { return 0; }
};
template <class ue__T, uint64_t ue__Type> struct ue__scalar_value {
	static constexpr uint64_t type = ue__Type;
	static uint64_t ue__value(ue__T v) { return static_cast<uint64_t>(v); }
};
template <class ue__T> struct ue__scalar_value<ue__T, 0> : ue__no_field {};
template <class ue__T, class = void>
struct ue__auto : ue__scalar_value<ue__T, ue__scalar<ue__T>::type> {};
template <> struct ue__auto<float> {
	static constexpr uint64_t type = UE__T_0F32;
	static uint64_t ue__value(float v) { return ue__from_FLOAT(v); }
};
template <> struct ue__auto<double> {
	static constexpr uint64_t type = UE__T_0F64;
	static uint64_t ue__value(double v) { return ue__from_DOUBLE(v); }
};
template <> struct ue__auto<decltype(nullptr)> {
	static constexpr uint64_t type = UE__T_0PTR;
	static uint64_t ue__value(decltype(nullptr)) { return 0; }
};
template <class ue__T> struct ue__auto<ue__T *> {
	static constexpr uint64_t string = ue__scalar<typename ue__plain<ue__T>::type>::string;
	static constexpr uint64_t type = string ? ue__terminated(string) : (uint64_t)UE__T_0PTR;
	static uint64_t ue__value(ue__T *v) { return (uint64_t)(uintptr_t)v; }
};
template <class ue__T, size_t ue__N> struct ue__auto<ue__T[ue__N]> {
	typedef ue__scalar<ue__T> element;
	static constexpr uint64_t type =
		!element::type	 ? UE__T_NONE :
		!element::string ? UE__ELEMENT_OF(element::type) | UE__T_ELEMENTS(ue__N) :
		ue__N <= 65535	 ? ue__terminated(element::string) | UE__T_BOUNDED |
							 UE__T_LENGTH(ue__N) :
				   ue__terminated(element::string);
	static uint64_t ue__value(const volatile ue__T *v) { return (uint64_t)(uintptr_t)v; }
};
/* Whatever has data() and size(): std::string, string_view, array, vector, span. */
template <class ue__T>
struct ue__auto<ue__T, typename ue__void<decltype(ue__declval<const ue__T &>().data(),
					      ue__declval<const ue__T &>().size())>::type> {
	typedef typename ue__plain<decltype(*ue__declval<const ue__T &>().data())>::type unit;
	typedef ue__scalar<unit> element;
	static constexpr uint64_t type =
		!element::type ? UE__T_NONE :
		UE__T_SPAN | (element::string ? element::string : element::type | UE__T_VARRAY);
	static ue__span ue__value(const ue__T &v)
	{
		return ue__span{ static_cast<const void *>(v.data()),
				 static_cast<size_t>(v.size()) };
	}
};
/*
 * What sites ask of the type (trace.h). By the type's name, not deduced from an argument: a
 * template for each type, not each site.
 */
template <class ue__T> struct ue__bare;
#define UE__TYPE_0B(at, as, tag, string, x) typedef decltype(x) ue__x##at;
#define UE__ENUM_0B(at, as, tag, string, x) ue__t##at = as(ue__bare<ue__x##at>::ue__type) tag,
#define UE__IN(at, x) ue__bare<ue__x##at>::ue__value(x)
#endif
