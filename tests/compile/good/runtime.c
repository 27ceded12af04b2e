/* SPDX-License-Identifier: MIT */
/* Calls every public function: run-time events and sets, the builder, and diagnostics. */
#include <sys/uio.h>
#include <user_events_builder.h>

static struct ue_event event;
static struct ue_event_set set;

int runtime(const void *payload, size_t size, const struct iovec *iov);
int runtime(const void *payload, size_t size, const struct iovec *iov)
{
	struct ue_status status = ue_status();
	int result = ue_event_register(&event, "runtime u32 a", UE_PERSIST | UE_MULTI_FORMAT);

	if (result == 0 && ue_event_enabled(&event)) {
		ue_event_write(&event, payload, size);
		ue_event_writev(&event, iov, 2);
	}
	ue_event_unregister(&event);
	ue_event_delete("runtime");
	ue_event_set_register(&set, "Compile_Runtime", 4, 1, NULL);
	if (ue_event_set_enabled(&set))
		UE_LOG(set, "event", UE_BYTES(payload, payload, size));
	ue_event_set_unregister(&set);
	ue_register_all();
	ue_unregister_all();
	ue_use_fd(3);
	return ue_strerror(result)[0] ? status.error : 0;
}

#define ADD_VALUES(_)                                                                 \
	_(u8) _(u16) _(u32) _(u64) _(i8) _(i16) _(i32) _(i64) _(x8) _(x16) _(x32) _(x64) _(f32) \
	_(f64) _(bool) _(char) _(char16) _(char32) _(pid) _(errno) _(port) _(time32) _(time64)

int builder(void *memory, size_t size, const void *p, const char *s, const char *const *list);
int builder(void *memory, size_t size, const void *p, const char *s, const char *const *list)
{
	struct ue_builder b;
	uint8_t id[16];

	ue_activity_new(id);
	ue_builder_begin(&b, memory, size, "event", 1);
	ue_builder_id(&b, 1, 2);
	ue_builder_opcode(&b, UE_OPCODE_INFO);
#define ADD(type) ue_add_##type(&b, #type, 1);
	ADD_VALUES(ADD)
	ue_add_ptr(&b, "ptr", p);
	ue_add_uuid(&b, "uuid", p);
	ue_add_ipv4(&b, "ipv4", p);
	ue_add_ipv6(&b, "ipv6", p);
	ue_add_str(&b, "str", s);
	ue_add_str16(&b, "str16", p);
	ue_add_str32(&b, "str32", p);
	ue_add_latin1(&b, "latin1", s);
	ue_add_xml(&b, "xml", s);
	ue_add_json(&b, "json", s);
	ue_add_strn(&b, "strn", s, 1);
	ue_add_str16n(&b, "str16n", p, 1);
	ue_add_str32n(&b, "str32n", p, 1);
	ue_add_bytes(&b, "bytes", p, 1);
	ue_add_array_u8(&b, "array", &id[0], 16);
	ue_add_fixed_array_u8(&b, "fixed", &id[0], 16);
	ue_add_array_str(&b, "list", list, 1);
	ue_add_array_uuid(&b, "ids", p, 1);
	ue_struct_begin(&b, "struct");
	ue_field_tag(&b, 3);
	ue_field_format(&b, UE_FORMAT_HEX);
	ue_add_u32(&b, "member", 1);
	ue_struct_end(&b);
	ue_struct_array_begin(&b, "structs");
	ue_struct_array_next(&b);
	ue_add_u32(&b, "member", 1);
	ue_struct_end(&b);
	return ue_builder_write(&b, &set, id, NULL);
}
