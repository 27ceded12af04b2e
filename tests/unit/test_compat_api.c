/* SPDX-License-Identifier: MIT */
/*
 * Tests the functions that LinuxTracepoints' macros call. Tracepoints are connected, written and
 * closed as in LinuxTracepoints, and EventHeader events follow the format.
 *
 * Also compiled as C++, with EventHeaderDynamic.h.
 */
#include "log_witness.h"

#include <eventheader/TraceLoggingProvider.h>
#include <eventheader/eventheader-tracepoint.h>
#include <tracepoint/tracepoint-provider.h>
#include <tracepoint/tracepoint-state.h>

static tracepoint_provider_state provider = TRACEPOINT_PROVIDER_STATE_INIT;
static tracepoint_state first = TRACEPOINT_STATE_INIT, second = TRACEPOINT_STATE_INIT;

static void is_connected(const tracepoint_state *tp, const tracepoint_provider_state *to,
			 bool registered)
{
	struct iovec none = { NULL, 0 };

	assert_ptr_equal(tp->provider_state, to);
	assert_int_equal(tp->write_index, registered ? 0 : -1);
	assert_true(to || (!tp->tracepoint_list_link.next && !tp->tracepoint_list_link.prev));
	assert_int_equal(TRACEPOINT_ENABLED(tp), 0);
	assert_int_equal(tracepoint_write(tp, 1, &none), 0);
}

TEST_SETUP(test_a_tracepoint_follows_the_state_of_its_provider, traced)
{
	tracepoint_definition definition = { &first, "compat_first " };
	tracepoint_definition const *list[] = { &definition, NULL, &definition };

	fake_kernel_disable("*", FAKE_FTRACE);
	is_connected(&first, NULL, false);
	tracepoint_close_provider(&provider);
	for (int open = 0; open < 2; open++) {
		assert_int_equal(provider.data_file, open - 1);
		assert_int_equal(tracepoint_connect(&first, &provider, "compat_first "), 0);
		assert_int_equal(tracepoint_connect(&second, &provider, "compat_second u32 a"), 0);
		assert_int_equal(tracepoint_connect(&first, &provider, "compat_first "), 0);
		is_connected(&first, &provider, open);
		is_connected(&second, &provider, open);
		assert_int_equal(tracepoint_open_provider(&provider), 0);
		is_connected(&first, NULL, false);
		is_connected(&second, NULL, false);
	}
	assert_int_equal(tracepoint_open_provider_with_tracepoints(&provider, list, list + 3), 0);
	is_connected(&first, &provider, true);
	assert_int_equal(tracepoint_connect(&first, NULL, NULL), 0);
	is_connected(&first, NULL, false);
	tracepoint_close_provider(&provider);
	assert_int_equal(provider.data_file, -1);
}

TEST_SETUP(test_the_written_bytes_are_those_of_the_pieces, traced)
{
	uint32_t value = 7;
	struct iovec pieces[] = { { NULL, 0 }, { &value, sizeof(value) } }, none = { NULL, 0 };

	tracepoint_open_provider(&provider);
	assert_int_equal(tracepoint_connect(&first, &provider, "compat_first"), 0);
	assert_int_equal(tracepoint_connect(&second, &provider, "compat_second u32 a"), 0);
	assert_int_equal(tracepoint_connect(&second, &provider, "bad/name u32 a"), EINVAL);
	assert_int_equal(tracepoint_connect(&second, &provider, "compat_second u32 a"), 0);
	fake_kernel_enable("*", FAKE_FTRACE);
	assert_true(TRACEPOINT_ENABLED(&first) && TRACEPOINT_ENABLED(&second));
	assert_int_equal(tracepoint_write(&second, 2, pieces), 0);
	assert_int_equal(tracepoint_write(&second, 1, &none), EINVAL);
	assert_int_equal(tracepoint_write(&first, 1, &none), 0);
	assert_int_equal(fake_kernel_records(), 2);
	assert_int_equal(fake_kernel_record(0)->data[0], 7);
	tracepoint_close_provider(&provider);
	assert_int_equal(tracepoint_write(&second, 2, pieces), 0);
	assert_int_equal(fake_kernel_records(), 2);
}

TEST_SETUP(test_eventheader_events_contain_the_passed_parts, traced)
{
	static const uint8_t id[16] = { 1 }, other[16] = { 2 };
	static const struct {
		eventheader_extension extension;
		char name[6];
	} meta = { { 6, eventheader_extension_kind_metadata }, "Event" };
	eventheader_provider group = { &provider, "Ggroup", "Test_Compat" };
	eventheader_tracepoint event = { &first,
					 &meta.extension,
					 { eventheader_flag_default, 3, 2, 9, 1, 4 },
					 0x1f },
			       bare = event, *all[] = { &event, NULL, &event };
	const struct ref_header header = { 3, 2, 9, 1, 4 };
	char name[EVENTHEADER_NAME_MAX], spec[EVENTHEADER_COMMAND_MAX], longest[300];
	struct iovec pieces[4] = { { NULL, 0 }, { NULL, 0 }, { NULL, 0 }, { NULL, 0 } };

	assert_int_equal(
		eventheader_open_provider_with_events(&group, (eventheader_tracepoint const **)all,
						      (eventheader_tracepoint const **)all + 3),
		0);
	assert_int_equal(fake_kernel_enable("Test_Compat_L4K1fGgroup", FAKE_FTRACE), 1);
	for (int ids = 0; ids < 3; ids++) {
		assert_int_equal(eventheader_write(&event, ids ? id : NULL, ids > 1 ? other : NULL,
						   3, pieces),
				 0);
		ref_begin(&ref, "Event");
		recorded("Test_Compat_L4K1fGgroup", &header, ids ? id : NULL,
			 ids > 1 ? other : NULL);
		/* the pieces include the metadata */
		bare.metadata = NULL;
		bare.header.flags = eventheader_flag_default_with_extension;
		pieces[2].iov_base = (void *)(uintptr_t)&meta;
		pieces[2].iov_len = sizeof(meta);
		assert_int_equal(eventheader_write(&bare, ids ? id : NULL, ids > 1 ? other : NULL,
						   3, pieces),
				 0);
		ref_begin(&ref, "Event");
		recorded("Test_Compat_L4K1fGgroup", &header, ids ? id : NULL,
			 ids > 1 ? other : NULL);
	}
	assert_int_equal(EVENTHEADER_FORMAT_TRACEPOINT_NAME(name, sizeof(name), "P", -1, -1, "Gg"),
			 24);
	assert_string_equal(name, "P_LffKffffffffffffffffGg");
	EVENTHEADER_FORMAT_COMMAND(spec, sizeof(spec), "P", 4, 0x1f, NULL);
	assert_string_equal(spec, "P_L4K1f " EVENTHEADER_COMMAND_TYPES);
	memset(longest, 'x', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	group.name = longest;
	assert_int_equal(eventheader_connect(&event, &group), E2BIG);
	assert_int_equal(eventheader_connect(&event, NULL), 0);
	eventheader_close_provider(&group);
}

#ifdef __cplusplus
#include <eventheader/EventHeaderDynamic.h>

#include <signal.h>
#include <sys/wait.h>

TEST_SETUP(test_dynamic_events_contain_the_added_fields, traced)
{
	static const uint8_t id[16] = { 1 }, bytes[] = { 1, 2, 3 };
	static const char *const strings[] = { "abc", "de" };
	const struct ref_header header = { 3, 2, 9, 1, 5 };
	std::shared_ptr<const ehd::EventSet> set;
	ehd::EventBuilder b;
	size_t bookmark;

	assert_int_equal(b.Write(ehd::EventSet()), ENOMEM);
	{
		ehd::Provider p("Test_Compat", "group");

		assert_string_equal(p.Name().data(), "Test_Compat");
		assert_string_equal(p.Options().data(), "Ggroup");
		assert_true(p.FindSet(event_level_verbose, 1) == nullptr);
		set = p.RegisterSet(event_level_verbose, 1);
		assert_true(set && set->Errno() == 0 && !Enabled(set) &&
			    set == p.FindSet(event_level_verbose, 1));
		assert_int_equal(fake_kernel_enable("Test_Compat_L5K1Ggroup", FAKE_FTRACE), 1);
		assert_true(Enabled(set) && Enabled(set.get()) &&
			    !Enabled(p.CreateUnregistered(event_level_error, 1)));
		b.Reset("Event", 9).IdVersion(2, 3).Opcode(event_opcode_activity_start);
		b.AddValue("x", uint16_t(7), event_field_format_hex_int)
			.AddStruct("s", 1, 5, &bookmark);
		b.AddValue("g", *reinterpret_cast<const ehd::Value128 *>(id),
			   event_field_format_uuid, 0x1234);
		b.AddString<char>("t", "text", event_field_format_default)
			.SetStructFieldCount(bookmark, 2);
		b.AddBinary<char>("b", std::string_view("\0\1", 2), event_field_format_default);
		b.AddNulTerminatedString("w", std::u16string_view(u"ab\0c", 4),
					 event_field_format_default);
		b.AddValueRange("r", bytes, bytes + 3, event_field_format_default);
		b.AddStringRange<char>("sr", strings, strings + 2, event_field_format_default);
		b.AddNulTerminatedStringRange<char>("zr", strings, strings + 2,
						    event_field_format_string_json);
		b.RawAddMetaScalar("raw", event_field_encoding_value8, event_field_format_default);
		b.RawAddMetaVcount("raws", event_field_encoding_value8, event_field_format_default);
		b.RawAddDataValue(bytes[0]).RawAddDataValue(uint16_t(2)).RawAddDataValues(bytes, 2);
		assert_int_equal(b.Write(*set, id), 0);
		ref_begin(&ref, "Event");
		ref_define(&ref, "x", REF_VALUE16, 0, 0, REF_HEX, 0);
		ref_put_u16(&ref, 7);
		ref_define(&ref, "s", REF_STRUCT, 0, 0, 2, 5);
		ref_value(&ref, "g", REF_VALUE128, REF_UUID, 0x1234, id, 16);
		ref_counted(&ref, "t", REF_STRING8, 0, 0, "text", 4, 1);
		ref_counted(&ref, "b", REF_BINARY, 0, 0, "\0\1", 2, 1);
		ref_value(&ref, "w", REF_ZSTRING16, 0, 0, u"ab", 6);
		ref_counted(&ref, "r", REF_VALUE8 | REF_VARIABLE, 0, 0, bytes, 3, 1);
		ref_define(&ref, "sr", REF_STRING8, REF_VARIABLE, 0, 0, 0);
		ref_put(&ref, "\2\0\3\0abc\2\0de", 11);
		ref_define(&ref, "zr", REF_ZSTRING8, REF_VARIABLE, 0, REF_JSON, 0);
		ref_put(&ref, "\2\0abc\0de", 9);
		ref_define(&ref, "raw", REF_VALUE8, 0, 0, 0, 0);
		ref_define(&ref, "raws", REF_VALUE8, REF_VARIABLE, 0, 0, 0);
		ref_put(&ref, "\1\2\0\1\2", 5);
		recorded("Test_Compat_L5K1Ggroup", &header, id, NULL);
		b.Reset("Large").AddString<char>("s", std::string(65000, 'x'),
						 event_field_format_default);
		b.AddString<char>("s", std::string(1000, 'x'), event_field_format_default);
		assert_int_equal(b.Write(*set), ERANGE);
		/* names, types and lengths take 7 bytes, which leaves 68 bytes for headers */
		b.Reset("L").AddString<char>("s", std::string(65535 - 68 - 7, 'x'),
					     event_field_format_default);
		assert_int_equal(b.Write(*set), 0);
		assert_int_equal(fake_kernel_records(), 1);
		fake_kernel_clear_records();
		b.Reset("L").AddString<char>("s", std::string(65535 - 68 - 6, 'x'),
					     event_field_format_default);
		assert_int_equal(b.Write(*set), ERANGE);
	}
	assert_false(Enabled(set));
	assert_int_equal(b.Reset("Late").Write(*set), 0);
	assert_int_equal(fake_kernel_records(), 0);
}

/*
 * Sets the number of members of a struct to COUNT in a child process. Returns the signal that kills
 * the child, or 0.
 */
static int signal_of_count(bool set_later, uint8_t count)
{
	ehd::EventBuilder b;
	size_t bookmark = 0;
	int status = 0;
	pid_t pid;

	b.Reset("Event").AddStruct("s", 1, 0, &bookmark);
	pid = fork();
	if (pid == 0) {
		signal(SIGABRT, SIG_DFL);
		close(STDERR_FILENO);
		if (set_later)
			b.SetStructFieldCount(bookmark, count);
		else
			b.AddStruct("t", count);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST(test_a_struct_of_no_or_over_127_members_is_an_assertion)
{
	for (int set_later = 0; set_later < 2; set_later++) {
		assert_int_equal(signal_of_count(set_later, 0), SIGABRT);
		assert_int_equal(signal_of_count(set_later, 1), 0);
		assert_int_equal(signal_of_count(set_later, 127), 0);
		assert_int_equal(signal_of_count(set_later, 128), SIGABRT);
	}
}

/* An iterator over string views with only the operations that OpenTelemetry's log exporter uses. */
struct view_iterator {
	const char *const *at;
	bool operator==(view_iterator other) const
	{
		return at == other.at;
	}
	bool operator!=(view_iterator other) const
	{
		return at != other.at;
	}
	std::string_view operator*() const
	{
		return *at;
	}
	view_iterator &operator++()
	{
		at++;
		return *this;
	}
};

TEST_SETUP(test_a_log_of_the_opentelemetry_exporter_is_complete, traced)
{
	static const char *const strings[] = { "abc", "de" };
	static const bool flags[] = { true, false };
	static const double numbers[] = { 0.5 };
	const auto level = static_cast<event_level>(6); /* level for traces */
	const struct ref_header header = { 0, 0, 0, 0, 6 };
	ehd::Provider p("opentelemetry_logs");
	std::shared_ptr<const ehd::EventSet> set = p.RegisterSet(level, 1);
	size_t part_b = 0, part_c = 0;
	ehd::EventBuilder b;

	assert_true(set && !set->Enabled());
	assert_int_equal(fake_kernel_enable("opentelemetry_logs_L6K1", FAKE_FTRACE), 1);
	assert_true(set->Enabled());
	b.Reset("Logs");
	b.AddValue("__csver__", static_cast<uint16_t>(0x400), event_field_format_unsigned_int);
	b.AddStruct("PartB", 1, 0, &part_b);
	b.AddString<char>("_typeName", "Log", event_field_format_default);
	b.AddValue("severityNumber", static_cast<uint16_t>(1), event_field_format_default);
	b.AddString<char>("body", "text", event_field_format_default);
	b.AddStruct("PartC", 1, 0, &part_c);
	b.AddValue("bool", true, event_field_format_boolean);
	b.AddValue("i64", int64_t(-2), event_field_format_signed_int);
	b.AddValue("f64", numbers[0], event_field_format_float);
	b.AddValueRange("bools", flags, flags + 2, event_field_format_boolean);
	b.AddValueRange("f64s", numbers, numbers + 1, event_field_format_float);
	b.AddStringRange<char>("views", view_iterator{ strings }, view_iterator{ strings + 2 },
			       event_field_format_default);
	b.SetStructFieldCount(part_b, 3);
	b.SetStructFieldCount(part_c, 6);
	assert_int_equal(b.Write(*set), 0);
	ref_begin(&ref, "Logs");
	ref_define(&ref, "__csver__", REF_VALUE16, 0, 0, REF_UNSIGNED, 0);
	ref_put_u16(&ref, 0x400);
	ref_define(&ref, "PartB", REF_STRUCT, 0, 0, 3, 0);
	ref_define(&ref, "_typeName", REF_STRING8, 0, 0, 0, 0);
	ref_put_counted(&ref, "Log", 3, 1);
	ref_define(&ref, "severityNumber", REF_VALUE16, 0, 0, 0, 0);
	ref_put_u16(&ref, 1);
	ref_define(&ref, "body", REF_STRING8, 0, 0, 0, 0);
	ref_put_counted(&ref, "text", 4, 1);
	ref_define(&ref, "PartC", REF_STRUCT, 0, 0, 6, 0);
	ref_define(&ref, "bool", REF_VALUE8, 0, 0, REF_BOOL, 0);
	ref_put(&ref, flags, 1);
	ref_define(&ref, "i64", REF_VALUE64, 0, 0, REF_SIGNED, 0);
	ref_put(&ref, "\376\377\377\377\377\377\377\377", 8);
	ref_define(&ref, "f64", REF_VALUE64, 0, 0, REF_FLOAT, 0);
	ref_put(&ref, numbers, 8);
	ref_define(&ref, "bools", REF_VALUE8, REF_VARIABLE, 0, REF_BOOL, 0);
	ref_put_counted(&ref, flags, 2, 1);
	ref_define(&ref, "f64s", REF_VALUE64, REF_VARIABLE, 0, REF_FLOAT, 0);
	ref_put_counted(&ref, numbers, 1, 8);
	ref_define(&ref, "views", REF_STRING8, REF_VARIABLE, 0, 0, 0);
	ref_put(&ref, "\2\0\3\0abc\2\0de", 11);
	recorded("opentelemetry_logs_L6K1", &header, NULL, NULL);
}
#endif

TESTS_MAIN
