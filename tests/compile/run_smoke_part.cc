// SPDX-License-Identifier: MIT
// The C++ file of the smoke program: templates, lambdas, members.
#include "run_smoke.h"

template <class T> static void in_template(T value)
{
	UE_TRACE(smoke_template, value);
}

namespace smoke
{
struct object {
	uint8_t member;
	explicit object(uint8_t m) : member(m) { UE_TRACE(smoke_constructor, UE_U8(m, member)); }
	void method() const { UE_TRACE(smoke_method, UE_U8(m, member)); }
};
} // namespace smoke

void smoke_part_cc(void)
{
	smoke_in_header(2);
	in_template<uint64_t>(3);
	[](int32_t n) { UE_TRACE(smoke_lambda, n); }(-4);
	smoke::object(5).method();
	// Variables whose names could be hidden by the macros' internal structs.
	int32_t flags = -6;
	uint64_t size = 7;
	UE_LOG(smoke_set, "from C++", flags, size);
}
