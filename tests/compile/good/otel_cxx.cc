// SPDX-License-Identifier: MIT
// Compiles the logs and spans of otel.c as C++, and adds logs in templates and logs with C++
// strings.
#include <string>
#include "otel.c"

template <class T> static inline void otel_template(const T &value)
{
	UE_OTEL_LOG(otel_shop, UE_OTEL_INFO, "template", value, UE_NAMED("a.b", value));
}

void otel_cxx(const std::string &name);
void otel_cxx(const std::string &name)
{
	otel_template(name);
	otel_template(1.5);
	auto lambda = [&] { UE_OTEL_LOG(otel_shop, UE_OTEL_WARN, name.c_str(), name); };

	lambda();
}
