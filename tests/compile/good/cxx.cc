// SPDX-License-Identifier: MIT
// flags: -fno-exceptions -fno-rtti
// Writes events in every kind of C++ function: templates, lambdas, members, constructors,
// namespaces.
#include <user_events.h>

UE_EVENT_SET(cxx_set, "Compile_Cxx", 4, 1);

namespace app
{
UE_TRACEPOINT(cxx_point, UE_U32(n), UE_STR(s));
namespace
{
UE_TRACEPOINT(cxx_anonymous, UE_U32(n));
}

class object
{
	int member = 1;

public:
	object() { UE_TRACE(cxx_constructor, UE_I32(m, member)); }
	~object() { UE_TRACE(cxx_destructor, UE_I32(m, this->member)); }
	object(const object &) = delete;
	object &operator=(const object &) = delete;
	inline void method() const
	{
		const int &copy = member;
		UE_TRACE(cxx_method, copy);
		UE_LOG(cxx_set, "method", copy);
		cxx_point(static_cast<uint32_t>(member));
	}
	template <class T> void generic(T value) const
	{
		UE_TRACE(cxx_member_template, value, UE_I32(m, member));
	}
	static void cxx_point(uint32_t n) { app::trace_cxx_point(n, "s"); }
	virtual void overridden() { UE_TRACE(cxx_virtual); }
};

enum class scoped : uint16_t { one, two };
enum plain { three };

template <class T, int N> T in_template(T value)
{
	UE_TRACE(cxx_template, value, UE_I32(n, N));
	UE_LOG(cxx_set, "template", value, UE_I32(n, N));
	return value;
}

template <class... T> void variadic(T... values)
{
	UE_TRACE(cxx_variadic, UE_U64(count, sizeof...(values)));
	auto nested = [&](int n) { UE_LOG(cxx_set, "nested", n); };
	nested(3);
}
} // namespace app

extern "C" void in_extern_c(int n);
extern "C" void in_extern_c(int n)
{
	UE_TRACE(cxx_extern_c, n);
}

extern "C" {
UE_TRACEPOINT(cxx_point_extern_c, UE_I32(n));
}

void bare(app::scoped s, app::plain p, const char16_t *c16, const char32_t *c32, const wchar_t *w,
	  char16_t one16, char32_t one32, int &reference, const double &real);
void bare(app::scoped s, app::plain p, const char16_t *c16, const char32_t *c32, const wchar_t *w,
	  char16_t one16, char32_t one32, int &reference, const double &real)
{
	UE_TRACE(cxx_bare, s, p, c16, c32, w, one16, one32, reference);
	UE_LOG(cxx_set, "bare", s, p, c16, c32, w, one16, one32, reference, real);
	UE_LOG(cxx_set, "strings", UE_STR16(c16), UE_STR32(c32), UE_STR(null, nullptr));
}

void use(int n);
void use(int n)
{
	app::object o;
	o.method();
	o.generic(2.5f > 2 ? 1u : 0u);
	o.generic(static_cast<int64_t>(3));
	app::in_template<uint8_t, 1>(1);
	app::in_template<long, 2>(2);
	app::variadic(1, 'c', 2.5);
	app::trace_cxx_anonymous(1);
	auto lambda = [&n](int m) {
		UE_TRACE(cxx_lambda, n, m);
		UE_LOG(cxx_set, "lambda", n, m);
	};
	lambda(1);
	[] { UE_TRACE(cxx_no_capture); }();
	trace_cxx_point_extern_c(1);
}
