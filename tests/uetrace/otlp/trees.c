/* SPDX-License-Identifier: MIT */
/*
 * Writes activities that end before their children, start and stop events with the same fields, a
 * large event, a truncated event, and a log as written by OpenTelemetry's C++ exporter, with its
 * own name and without PartA.
 */
#include <user_events_builder.h>
#include <user_events_recorder.h>

UE_EVENT_SET(trees, "Trees", UE_LEVEL_INFORMATION, 0x1);
UE_EVENT_SET(forger, "uetrace", UE_LEVEL_INFORMATION, 0x1);

struct id {
	unsigned char bytes[16];
};

int main(void)
{
	static char large[60], buffer[4000], name[1300], truncated[5000];
	struct id root, child, leaf;
	struct ue_builder b;
	int i, n = 1;

	ue_recorder_environment();
	memset(truncated, 't', sizeof(truncated) - 1);
	ue_activity_new(root.bytes);
	ue_activity_new(child.bytes);
	ue_activity_new(leaf.bytes);
	UE_LOG(trees, "RootStart", UE_OPCODE(UE_OPCODE_ACTIVITY_START), UE_ACTIVITY(root.bytes), n);
	UE_LOG(trees, "ChildStart", UE_OPCODE(UE_OPCODE_ACTIVITY_START),
	       UE_ACTIVITY(child.bytes, root.bytes), n);
	UE_LOG(trees, "RootStop", UE_OPCODE(UE_OPCODE_ACTIVITY_STOP), UE_ACTIVITY(root.bytes), n,
	       UE_NAMED("thread.id", UE_U8(t, 7)), UE_NAMED("n#2", UE_U8(t, 8)));
	UE_LOG(trees, "LeafStart", UE_OPCODE(UE_OPCODE_ACTIVITY_START),
	       UE_ACTIVITY(leaf.bytes, child.bytes),
	       UE_STRUCT(s, n, UE_NAMED("n", UE_U8(t, 9)), UE_NAMED("meta", UE_U8(t, 9))));
	UE_LOG(trees, "ChildStop", UE_OPCODE(UE_OPCODE_ACTIVITY_STOP), UE_ACTIVITY(child.bytes), n);
	UE_LOG(trees, "Inside", UE_ACTIVITY(leaf.bytes), n, UE_NAMED("meta", UE_U8(t, 9)));
	UE_LOG(trees, "LeafStop", UE_OPCODE(UE_OPCODE_ACTIVITY_STOP), UE_ACTIVITY(leaf.bytes), n);
	UE_LOG(trees, "Sale", UE_U16(__csver__, 0x400),
	       UE_STRUCT(PartB, UE_STR(_typeName, "Log"), UE_U16(severityNumber, 17),
			 UE_STR(severityText, "ERROR"), UE_I64(eventId, 2),
			 UE_STR(body, "sold out")),
	       UE_STRUCT(PartC, n));
	UE_LOG(trees, "Truncated", UE_STR(text, truncated));
	UE_LOG(forger, "lost", UE_U64(lost, 99));
	/*
	 * The event has only about 1.7 KB, but its JSON exceeds 1 MB, because JSON repeats a name
	 * for each array element.
	 */
	memset(large, 1, sizeof(large));
	memset(name, 1, sizeof(name) - 1);
	ue_builder_begin(&b, buffer, sizeof(buffer), "Large", 0);
	ue_add_u8(&b, "before", 1);
	ue_add_strn(&b, "text\", \\ {[", large, sizeof(large));
	ue_struct_array_begin(&b, "many");
	for (i = 0; i < 150; i++) {
		ue_struct_array_next(&b);
		ue_add_u8(&b, name, 1);
	}
	ue_struct_end(&b);
	ue_add_u8(&b, "after", 2);
	return ue_builder_write(&b, &trees, NULL, NULL);
}
