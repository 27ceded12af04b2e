/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * <eventheader/EventHeaderDynamic.h> for C++17 programs written for LinuxTracepoints. It writes
 * events whose fields are known only at run time. New code should use user_events_builder.h, which
 * allocates no memory.
 *
 * A Provider or a builder may be used by only one thread at a time. An EventSet is thread-safe.
 * After its Provider is destroyed, it stays valid but disabled. While the Provider unregisters the
 * EventSet, no thread may write to it.
 */
#ifndef UE_COMPAT_EVENTHEADERDYNAMIC_H
#define UE_COMPAT_EVENTHEADERDYNAMIC_H
#ifndef UE__I_NO_SYSTEM_HEADER
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
inline namespace ue__ehd_v1
{
class EventSet {
	friend class Provider;
	friend class EventBuilder;
	mutable tracepoint_state ue__state_ = TRACEPOINT_STATE_INIT;
	uint8_t ue__level_ = 0;
	int ue__errno_ = EINVAL;

public:
	constexpr EventSet() noexcept {}
	EventSet(const EventSet &) = delete;
	void operator=(const EventSet &) = delete;
	bool Enabled() const noexcept { return TRACEPOINT_ENABLED(&ue__state_); }
	int Errno() const noexcept { return ue__errno_; } /* error of tracepoint_connect(), or 0 */
};
inline bool Enabled(const EventSet *set) noexcept { return set && set->Enabled(); }
inline bool Enabled(const std::shared_ptr<const EventSet> &set) noexcept
{
	return Enabled(set.get());
}

class Provider {
	std::map<std::pair<uint64_t, int>, std::shared_ptr<EventSet>> ue__sets_;
	std::string ue__name_, ue__options_;
	tracepoint_provider_state ue__state_ = TRACEPOINT_PROVIDER_STATE_INIT;
	eventheader_provider ue__provider_ = { &ue__state_, ue__options_.c_str(),
					       ue__name_.c_str() };

	/*
	 * Creates a set. ENABLED is -1 to register it, or the enable word of a set that is not
	 * registered.
	 */
	std::shared_ptr<EventSet> ue__set_(event_level level, uint64_t keyword,
					   int enabled) noexcept
	{
		try {
			auto &set = ue__sets_[{ keyword, level }];
			if (set)
				return set;
			set = std::make_shared<EventSet>();
			set->ue__level_ = UE__I_CAST(uint8_t, level);
			const eventheader_tracepoint event = { &set->ue__state_,
							       nullptr,
							       { 0, 0, 0, 0, 0, uint8_t(level) },
							       keyword };
			set->ue__errno_ = enabled < 0 ? eventheader_connect(&event, &ue__provider_)
						     : 0;
			if (enabled > 0)
				set->ue__state_.status_word = 1;
			return set;
		} catch (...) { /* the map may already contain a NULL entry for the set */
			return nullptr;
		}
	}

public:
	explicit Provider(std::string_view name, std::string_view group = {}) noexcept
		: ue__name_(name),
		  ue__options_(group.empty() ? std::string() : "G" + std::string(group))
	{
		eventheader_open_provider(&ue__provider_);
	}
	Provider(const Provider &) = delete;
	void operator=(const Provider &) = delete;
	~Provider() { Unregister(); }
	std::string_view Name() const noexcept { return ue__name_; }
	std::string_view Options() const noexcept { return ue__options_; }
	int Errno() const noexcept { return 0; }
	void Unregister() noexcept
	{
		eventheader_close_provider(&ue__provider_);
		ue__sets_.clear();
	}
	std::shared_ptr<const EventSet> FindSet(event_level level, uint64_t keyword) const noexcept
	{
		auto found = ue__sets_.find({ keyword, level });
		return found == ue__sets_.end() ? nullptr : found->second;
	}
	/* Returns the set, or NULL if out of memory. */
	std::shared_ptr<const EventSet> RegisterSet(event_level level, uint64_t keyword) noexcept
	{
		return ue__set_(level, keyword, -1);
	}
	std::shared_ptr<const EventSet> CreateUnregistered(event_level level, uint64_t keyword,
							   bool enabled = false) noexcept
	{
		return ue__set_(level, keyword, enabled);
	}
};

struct Value128 {
	char Data[16];
};

/* Builds an event. Reset() begins the event. The functions that add fields can be chained. */
class EventBuilder {
	std::string ue__defs_, ue__data_;
	bool ue__failed = true; /* out of memory, or no event was begun */
	uint8_t ue__version = 0, ue__opcode = 0;
	uint16_t ue__id = 0, ue__tag = 0;

	/* Returns log2 of the unit size N, which is added to the encoding for one-byte units. */
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
	/* Defines a field. Returns the position of its format byte, if it has one. */
	size_t ue__define(std::string_view name, int encoding, int format, uint16_t tag) noexcept
	{
		uint8_t bytes[5] = { 0, UE__I_CAST(uint8_t, encoding | (format || tag ? 0x80 : 0)),
				     UE__I_CAST(uint8_t, format | (tag ? 0x80 : 0)) };
		size_t at = ue__defs_.size() + name.size() + 2;

		memcpy(bytes + 3, &tag, 2);
		ue__append(ue__defs_, name.data(), name.size());
		ue__append(ue__defs_, bytes, tag ? 5 : format ? 3 : 2);
		return format || tag ? at : std::string::npos;
	}
	template <class C> EventBuilder &ue__counted(std::basic_string_view<C> s) noexcept
	{
		uint16_t n = UE__I_CAST(uint16_t, s.size() < 65535 ? s.size() : 65535);

		return ue__append(ue__data_, &n, 2).ue__append(ue__data_, s.data(), n * sizeof(C));
	}
	template <class C> EventBuilder &ue__terminated_(std::basic_string_view<C> s) noexcept
	{
		const C zero = C();

		s = s.substr(0, s.find(zero));
		ue__append(ue__data_, s.data(), s.size() * sizeof(C));
		return ue__append(ue__data_, &zero, sizeof(C));
	}
	template <class I, class E, class F> EventBuilder &ue__range(I begin, E end, F add) noexcept
	{
		size_t at = ue__data_.size();
		uint16_t n = 0;

		ue__append(ue__data_, &n, 2);
		for (; begin != end && n < 65535; ++begin, n++)
			add(*begin);
		if (!ue__failed)
			memcpy(&ue__data_[at], &n, 2);
		return *this;
	}
	static constexpr int ue__array = event_field_encoding_varray_flag;

public:
	explicit EventBuilder(uint16_t = 256, uint16_t = 256) noexcept {}
	EventBuilder &Reset(std::string_view name, uint16_t tag = 0) noexcept
	{
		ue__defs_.clear();
		ue__data_.clear();
		ue__failed = false;
		ue__version = ue__opcode = 0;
		ue__id = 0;
		ue__tag = tag;
		return ue__append(ue__defs_, name.data(), name.size()).ue__append(ue__defs_, "", 1);
	}
	EventBuilder &IdVersion(uint16_t id, uint8_t version) noexcept
	{
		ue__id = id;
		ue__version = version;
		return *this;
	}
	EventBuilder &Opcode(event_opcode opcode) noexcept
	{
		ue__opcode = UE__I_CAST(uint8_t, opcode);
		return *this;
	}
	/*
	 * Writes the event. Returns 0, ENOMEM, ERANGE if it exceeds 64 KiB, or an errno of
	 * ue_event_writev().
	 */
	int Write(const EventSet &set, const void *activity = nullptr,
		  const void *related = nullptr) const noexcept
	{
		eventheader_extension head = { UE__I_CAST(uint16_t, ue__defs_.size()),
					       eventheader_extension_kind_metadata };
		const eventheader_tracepoint event = { &set.ue__state_,
						       nullptr,
						       { eventheader_flag_default_with_extension,
							 ue__version, ue__id, ue__tag, ue__opcode,
							 set.ue__level_ },
						       0 };
		iovec pieces[5] = { {}, {}, { &head, sizeof(head) },
				    { const_cast<char *>(ue__defs_.data()), ue__defs_.size() },
				    { const_cast<char *>(ue__data_.data()), ue__data_.size() } };

		if (ue__failed || ue__defs_.size() + ue__data_.size() > 65535 - 68)
			return ue__failed ? ENOMEM : ERANGE;
		return eventheader_write(&event, activity, related, 5, pieces);
	}

	/*
	 * Adds a struct. COUNT is the number of members that follow, 1 to 127. It can also be set
	 * later, through BOOKMARK.
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
		if (bookmark < ue__defs_.size())
			ue__defs_[bookmark] = char((ue__defs_[bookmark] & 0x80) | (count & 127));
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
	UE__EHD_STRINGS(AddNulTerminatedString, event_field_encoding_zstring_char8, ue__terminated_)
#undef UE__EHD_STRINGS

	/* The Raw functions add definitions and values separately, without checks. */
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
		return ue__append(ue__data_, &value, sizeof(value));
	}
	template <class T> EventBuilder &RawAddDataValues(const T *values, uint16_t count) noexcept
	{
		return ue__append(ue__data_, values, count * sizeof(T));
	}
};
} // namespace ue__ehd_v1
} // namespace ehd
}

#endif
