/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * <eventheader/EventHeaderDynamic.h> for C++17 programs written for LinuxTracepoints: events that
 * are known at run time only. New code uses the builder, which allocates nothing.
 *
 * One thread at a time uses a Provider or a builder. An EventSet is thread-safe and outlives its
 * Provider, disabled; no thread may write to it while the Provider unregisters it.
 */
#ifndef UE_COMPAT_EVENTHEADERDYNAMIC_H
#define UE_COMPAT_EVENTHEADERDYNAMIC_H
#ifndef UE__NO_SYSTEM_HEADER
#pragma GCC system_header
#endif

#include "eventheader-tracepoint.h"
#include <assert.h>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

/* clang-format off */
extern "C++" {
namespace ehd
{
inline namespace ue__v1
{
class EventSet {
	friend class Provider;
	friend class EventBuilder;
	mutable tracepoint_state ue__state = TRACEPOINT_STATE_INIT;
	uint8_t ue__level = 0;
	int ue__errno = EINVAL;

public:
	constexpr EventSet() noexcept {}
	EventSet(const EventSet &) = delete;
	void operator=(const EventSet &) = delete;
	bool Enabled() const noexcept { return TRACEPOINT_ENABLED(&ue__state); }
	int Errno() const noexcept { return ue__errno; } /* of tracepoint_connect() */
};
inline bool Enabled(const EventSet *set) noexcept { return set && set->Enabled(); }
inline bool Enabled(const std::shared_ptr<const EventSet> &set) noexcept
{
	return Enabled(set.get());
}

class Provider {
	std::map<std::pair<uint64_t, int>, std::shared_ptr<EventSet>> ue__sets;
	std::string ue__name, ue__options;
	tracepoint_provider_state ue__state = TRACEPOINT_PROVIDER_STATE_INIT;
	eventheader_provider ue__provider = { &ue__state, ue__options.c_str(), ue__name.c_str() };

	/* ENABLED: of a set that no kernel knows; -1: it is registered. */
	std::shared_ptr<EventSet> ue__set(event_level level, uint64_t keyword, int enabled) noexcept
	{
		try {
			auto &set = ue__sets[{ keyword, level }];
			if (set)
				return set;
			set = std::make_shared<EventSet>();
			set->ue__level = UE__TO_U8(level);
			const eventheader_tracepoint event = { &set->ue__state,
							       nullptr,
							       { 0, 0, 0, 0, 0, UE__TO_U8(level) },
							       keyword };
			set->ue__errno = enabled < 0 ? eventheader_connect(&event, &ue__provider)
						     : 0;
			if (enabled > 0)
				set->ue__state.status_word = 1;
			return set;
		} catch (...) { /* the set may be in the map, as NULL */
			return nullptr;
		}
	}

public:
	explicit Provider(std::string_view name, std::string_view group = {}) noexcept
		: ue__name(name),
		  ue__options(group.empty() ? std::string() : "G" + std::string(group))
	{
		eventheader_open_provider(&ue__provider);
	}
	Provider(const Provider &) = delete;
	void operator=(const Provider &) = delete;
	~Provider() { Unregister(); }
	std::string_view Name() const noexcept { return ue__name; }
	std::string_view Options() const noexcept { return ue__options; }
	int Errno() const noexcept { return 0; }
	void Unregister() noexcept
	{
		eventheader_close_provider(&ue__provider);
		ue__sets.clear();
	}
	std::shared_ptr<const EventSet> FindSet(event_level level, uint64_t keyword) const noexcept
	{
		auto found = ue__sets.find({ keyword, level });
		return found == ue__sets.end() ? nullptr : found->second;
	}
	/* The set; or NULL if there is no memory. */
	std::shared_ptr<const EventSet> RegisterSet(event_level level, uint64_t keyword) noexcept
	{
		return ue__set(level, keyword, -1);
	}
	std::shared_ptr<const EventSet> CreateUnregistered(event_level level, uint64_t keyword,
							   bool enabled = false) noexcept
	{
		return ue__set(level, keyword, enabled);
	}
};

struct Value128 {
	char Data[16];
};

/* Begun by Reset(); the functions that add fields may be chained. */
class EventBuilder {
	std::string ue__meta, ue__data;
	bool ue__failed = true; /* there is no memory, or no event */
	uint8_t ue__version = 0, ue__opcode = 0;
	uint16_t ue__id = 0, ue__tag = 0;

	/* What is added to the encoding of values of a byte, of strings of bytes */
	static constexpr int ue__log2(size_t n)
	{
		return n == 1 ? 0 : n == 2 ? 1 : n == 4 ? 2 : n == 8 ? 3 : n == 16 ? 4 : 99;
	}
	template <class T, int most>
	using ue__if = std::enable_if_t<std::is_trivially_copyable<T>::value &&
						ue__log2(sizeof(T)) <= most,
					EventBuilder &>;

	EventBuilder &ue__append(std::string &to, const void *p, size_t size) noexcept
	{
		try {
			to.append(static_cast<const char *>(p), size);
		} catch (...) {
			ue__failed = true;
		}
		return *this;
	}
	/* Returns where the format is, if there is one. */
	size_t ue__define(std::string_view name, int encoding, int format, uint16_t tag) noexcept
	{
		uint8_t bytes[5] = { 0, UE__TO_U8(encoding | (format || tag ? 0x80 : 0)),
				     UE__TO_U8(format | (tag ? 0x80 : 0)) };
		size_t at = ue__meta.size() + name.size() + 2;

		memcpy(bytes + 3, &tag, 2);
		ue__append(ue__meta, name.data(), name.size());
		ue__append(ue__meta, bytes, tag ? 5 : format ? 3 : 2);
		return format || tag ? at : std::string::npos;
	}
	template <class C> EventBuilder &ue__counted(std::basic_string_view<C> s) noexcept
	{
		uint16_t n = UE__TO_U16(s.size() < 65535 ? s.size() : 65535);

		return ue__append(ue__data, &n, 2).ue__append(ue__data, s.data(), n * sizeof(C));
	}
	template <class C> EventBuilder &ue__terminated(std::basic_string_view<C> s) noexcept
	{
		const C zero = C();

		s = s.substr(0, s.find(zero));
		ue__append(ue__data, s.data(), s.size() * sizeof(C));
		return ue__append(ue__data, &zero, sizeof(C));
	}
	template <class I, class E, class F> EventBuilder &ue__range(I begin, E end, F add) noexcept
	{
		size_t at = ue__data.size();
		uint16_t n = 0;

		ue__append(ue__data, &n, 2);
		for (; begin != end && n < 65535; ++begin, n++)
			add(*begin);
		if (!ue__failed)
			memcpy(&ue__data[at], &n, 2);
		return *this;
	}
	static constexpr int ue__array = event_field_encoding_varray_flag;

public:
	explicit EventBuilder(uint16_t = 256, uint16_t = 256) noexcept {}
	EventBuilder &Reset(std::string_view name, uint16_t tag = 0) noexcept
	{
		ue__meta.clear();
		ue__data.clear();
		ue__failed = false;
		ue__version = ue__opcode = 0;
		ue__id = 0;
		ue__tag = tag;
		return ue__append(ue__meta, name.data(), name.size()).ue__append(ue__meta, "", 1);
	}
	EventBuilder &IdVersion(uint16_t id, uint8_t version) noexcept
	{
		ue__id = id;
		ue__version = version;
		return *this;
	}
	EventBuilder &Opcode(event_opcode opcode) noexcept
	{
		ue__opcode = UE__TO_U8(opcode);
		return *this;
	}
	/* Returns 0, ENOMEM, ERANGE for over 64 KiB, or an errno of ue_event_writev(). */
	int Write(const EventSet &set, const void *activity = nullptr,
		  const void *related = nullptr) const noexcept
	{
		eventheader_extension head = { UE__TO_U16(ue__meta.size()),
					       eventheader_extension_kind_metadata };
		const eventheader_tracepoint event = { &set.ue__state,
						       nullptr,
						       { eventheader_flag_default_with_extension,
							 ue__version, ue__id, ue__tag, ue__opcode,
							 set.ue__level },
						       0 };
		iovec pieces[5] = { {}, {}, { &head, sizeof(head) },
				    { const_cast<char *>(ue__meta.data()), ue__meta.size() },
				    { const_cast<char *>(ue__data.data()), ue__data.size() } };

		if (ue__failed || ue__meta.size() + ue__data.size() > 65535 - 68)
			return ue__failed ? ENOMEM : ERANGE;
		return eventheader_write(&event, activity, related, 5, pieces);
	}

	/*
	 * COUNT is the number of members that follow, 1 to 127; it can be set later, at BOOKMARK.
	 */
	EventBuilder &AddStruct(std::string_view name, uint8_t count, uint16_t tag = 0,
				size_t *bookmark = nullptr) noexcept
	{
		size_t at = ue__define(name, event_field_encoding_struct, count & 127, tag);
		assert(count > 0 && count < 128);
		if (bookmark)
			*bookmark = at;
		return *this;
	}
	EventBuilder &SetStructFieldCount(size_t bookmark, uint8_t count) noexcept
	{
		assert(count > 0 && count < 128);
		if (bookmark < ue__meta.size())
			ue__meta[bookmark] = char((ue__meta[bookmark] & 0x80) | (count & 127));
		return *this;
	}
	template <class T>
	ue__if<T, 4> AddValue(std::string_view name, const T &value, event_field_format format,
			      uint16_t tag = 0) noexcept
	{
		ue__define(name, event_field_encoding_value8 + ue__log2(sizeof(T)), format, tag);
		return RawAddDataValue(value);
	}
	template <class I, class E, class T = std::decay_t<decltype(*std::declval<I>())>>
	ue__if<T, 4> AddValueRange(std::string_view name, I begin, E end, event_field_format format,
				   uint16_t tag = 0) noexcept
	{
		ue__define(name, ue__array | (event_field_encoding_value8 + ue__log2(sizeof(T))),
			   format, tag);
		return ue__range(begin, end, [this](const T &value) { RawAddDataValue(value); });
	}
#define UE__EHD_STRINGS(function, kind, add) \
	template <class C> \
	ue__if<C, 2> function(std::string_view name, std::basic_string_view<C> s, \
			      event_field_format format, uint16_t tag = 0) noexcept \
	{ \
		ue__define(name, (kind) + ue__log2(sizeof(C)), format, tag); \
		return add(s); \
	} \
	template <class C, class I, class E> \
	ue__if<C, 2> function##Range(std::string_view name, I begin, E end, \
				     event_field_format format, uint16_t tag = 0) noexcept \
	{ \
		ue__define(name, ue__array | ((kind) + ue__log2(sizeof(C))), format, tag); \
		return ue__range(begin, end, [this](std::basic_string_view<C> s) { add(s); }); \
	}
	UE__EHD_STRINGS(AddString, event_field_encoding_string_length16_char8, ue__counted)
	UE__EHD_STRINGS(AddBinary, event_field_encoding_binary_length16_char8, ue__counted)
	UE__EHD_STRINGS(AddNulTerminatedString, event_field_encoding_zstring_char8, ue__terminated)
#undef UE__EHD_STRINGS

	/* Definition and value apart: unchecked. */
	EventBuilder &RawAddMetaScalar(std::string_view name, event_field_encoding encoding,
				       event_field_format format, uint16_t tag = 0) noexcept
	{
		ue__define(name, encoding, format, tag);
		return *this;
	}
	EventBuilder &RawAddMetaVcount(std::string_view name, event_field_encoding encoding,
				       event_field_format format, uint16_t tag = 0) noexcept
	{
		ue__define(name, encoding | ue__array, format, tag);
		return *this;
	}
	template <class T> EventBuilder &RawAddDataValue(const T &value) noexcept
	{
		return ue__append(ue__data, &value, sizeof(value));
	}
	template <class T> EventBuilder &RawAddDataValues(const T *values, uint16_t count) noexcept
	{
		return ue__append(ue__data, values, count * sizeof(T));
	}
};
} // namespace ue__v1
} // namespace ehd
}

#endif
