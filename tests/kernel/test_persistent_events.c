/* SPDX-License-Identifier: MIT */
/*
 * With UE_PERSIST, an event remains after its last user has exited, until it is deleted with
 * ue_event_delete(). Registering and deleting it require CAP_PERFMON, and the error message says
 * so. An event is in use until each process that registered it has closed user_events_data, for
 * example with ue_unregister_all().
 */
#define UE_NO_AUTO_REGISTER
#include "witness.h"

#include <glob.h>

UE_EVENT_SET(lasting, "9lead.My-App", UE_LEVEL_INFORMATION, 0x1, "webHopt");

static void write_declared(int v)
{
	UE_TRACE(lasts, v);
	UE_LOG(lasting, "Lasts", v);
}

/* Registers the specs of all declared events with UE_PERSIST. */
static void persist(void)
{
	static struct ue_event kept;
	struct ue_event *event;
	char spec[512];

	for (event = ue_event_find(NULL, NULL); event; event = ue_event_find(NULL, event)) {
		if (ue_event_spec(event, spec, sizeof(spec)) > 0)
			ue_event_register(&kept, spec, UE_PERSIST);
		ue_event_unregister(&kept);
	}
}

static int persists_its_events(void *data)
{
	persist();
	expect(ue_register_all() == 0);
	expect(ue_status().registered == 2);
	write_declared(0);
	return 0;
}

static int writes_its_events(void *data)
{
	expect(ue_register_all() == 0);
	write_declared(7);
	return 0;
}

/*
 * Must run first. If this process had already opened user_events_data, its children would inherit
 * the file, which would keep their events in use until this process closes it.
 */
TEST(test_declared_events_persist_if_registered_as_persistent_before)
{
	join(spawn(persists_its_events, NULL));
	usleep(100000);
	assert_true(event_exists("lasts"));
	assert_true(event_exists("9lead.My-App_L4K1GwebHopt"));
	trace_enable("lasts");
	trace_enable("9lead.My-App_L4K1GwebHopt");
	join(spawn(writes_its_events, NULL));
	trace_text();
	assert_string_equal(text, "lasts: v=0x7 (7)\n"
				  "9lead.My-App_L4K1GwebHopt: eventheader_flags=(7) version=(0) "
				  "id=0x0 (0) tag=0x0 (0) opcode=(0) level=(4)\n");
	trace_disable("lasts");
	trace_disable("9lead.My-App_L4K1GwebHopt");
	wait_for(ue_event_delete("lasts") == 0);
	wait_for(ue_event_delete("9lead.My-App_L4K1GwebHopt") == 0);
}

TEST(test_persistent_event_stays_until_it_is_deleted)
{
	struct ue_event event = { 0 };

	assert_int_equal(ue_event_register(&event, "persists u32 a", UE_PERSIST), 0);
	assert_int_equal(ue_event_delete("persists"), -EBUSY);
	ue_unregister_all();
	usleep(100000);
	assert_true(event_exists("persists"));
	assert_int_equal(ue_event_register(&event, "persists u32 a", 0), 0);
	assert_int_equal(ue_event_delete("persists"), -EBUSY);
	ue_unregister_all();
	assert_true(event_exists("persists"));
	wait_for(ue_event_delete("persists") == 0);
	assert_false(event_exists("persists"));
	assert_int_equal(ue_event_delete("persists"), -ENOENT);
}

static int registers_and_dies(void *data)
{
	struct ue_event event = { 0 };

	expect(ue_event_register(&event, "outlives u32 a; __rel_loc char[] s", UE_PERSIST) == 0);
	return 0;
}

/* Persistent events can be enabled before the program that writes them runs. */
TEST(test_persistent_event_outlives_its_process_and_is_enabled_before)
{
	struct ue_event event = { 0 };

	join(spawn(registers_and_dies, NULL));
	assert_true(event_exists("outlives"));
	trace_enable("outlives");
	assert_int_equal(ue_event_register(&event, "outlives u32 a; __rel_loc char[] s", 0), 0);
	assert_true(ue_event_enabled(&event));
	/* the loc word is size << 16 | offset */
	assert_int_equal(ue_event_write(&event, "\x07\0\0\0\0\0\x03\0hi", 11), 0);
	assert_traced("outlives: a=0x7 (7) s=hi");
	trace_disable("outlives");
	ue_unregister_all();
	wait_for(ue_event_delete("outlives") == 0);
	assert_false(event_exists("outlives"));
}

TEST(test_event_without_persist_is_removed_with_its_last_user)
{
	struct ue_event event = { 0 };

	assert_int_equal(ue_event_register(&event, "goes u32 a", 0), 0);
	assert_true(event_exists("goes"));
	assert_int_equal(ue_event_unregister(&event), 0);
	assert_false(ue_event_enabled(&event));
	ue_unregister_all();
	wait_for(!event_exists("goes"));
}

TEST(test_first_registration_decides_whether_an_event_persists)
{
	struct ue_event first = { 0 }, second = { 0 };

	assert_int_equal(ue_event_register(&first, "decides u32 a", 0), 0);
	assert_int_equal(ue_event_register(&second, "decides u32 a", UE_PERSIST), 0);
	assert_int_equal(ue_event_unregister(&first), 0);
	assert_int_equal(ue_event_unregister(&second), 0);
	ue_unregister_all();
	wait_for(!event_exists("decides"));
}

/*
 * Returns the number of formats registered for the name "formats". To the name of each format's
 * tracepoint, the kernel appends a number that counts all formats since boot.
 */
static size_t formats(void)
{
	glob_t found = { 0 };
	size_t n;

	glob(TRACEFS "/events/user_events_multi/formats.*", 0, NULL, &found);
	n = found.gl_pathc;
	globfree(&found);
	return n;
}

TEST(test_a_name_is_deleted_with_all_its_formats)
{
	struct ue_event first = { 0 }, second = { 0 };
	unsigned int flags = UE_PERSIST | UE_MULTI_FORMAT;

	assert_int_equal(ue_event_register(&first, "formats u32 a", flags), 0);
	assert_int_equal(ue_event_register(&second, "formats char[4] c", flags), 0);
	assert_int_equal(formats(), 2);
	assert_int_equal(ue_event_delete("formats"), -EBUSY);
	ue_unregister_all();
	wait_for(ue_event_delete("formats") == 0);
	assert_int_equal(formats(), 0);
	assert_int_equal(ue_event_delete("formats"), -ENOENT);
}

static int without_capability(void *data)
{
	struct ue_event event = { 0 };
	int fd = open(TRACEFS "/user_events_data", O_RDWR | O_CLOEXEC);

	expect(fd >= 0);
	expect(setuid(NOBODY) == 0);
	expect(ue_use_fd(fd) == 0);
	expect(ue_event_register(&event, "forbidden u32 a", UE_PERSIST) == -EPERM);
	expect(ue_status().error == -EPERM);
	expect(strstr(ue_status().message, "forbidden"));
	expect(strstr(ue_status().message, "CAP_PERFMON"));
	expect(!ue_event_enabled(&event));
	expect(ue_event_register(&event, "forbidden u32 a", 0) == 0);
	expect(ue_event_unregister(&event) == 0);
	return 0;
}

TEST(test_persistent_event_without_cap_perfmon_is_rejected_with_a_message)
{
	join(spawn(without_capability, NULL));
	wait_for(!event_exists("forbidden"));
}

static int deletes_without_capability(void *data)
{
	double until = seconds() + 10;
	int error;

	expect(chmod(TRACEFS, 0711) == 0 && chmod(TRACEFS "/user_events_data", 0666) == 0);
	expect(setuid(NOBODY) == 0);
	/* the kernel drops the last reference after a delay */
	do
		error = ue_event_delete("kept");
	while (error == -EBUSY && seconds() < until);
	expect(error == -EPERM);
	return 0;
}

TEST(test_deleting_a_persistent_event_without_cap_perfmon_is_denied)
{
	struct ue_event event = { 0 };

	assert_int_equal(ue_event_register(&event, "kept u32 a", UE_PERSIST), 0);
	ue_unregister_all();
	join(spawn(deletes_without_capability, NULL));
	chmod(TRACEFS "/user_events_data", 0640);
	chmod(TRACEFS, 0700);
	assert_true(event_exists("kept"));
	wait_for(ue_event_delete("kept") == 0);
	assert_false(event_exists("kept"));
}

static int writes_dynamic_events(void *data)
{
	double until = seconds() + 10;
	ssize_t wrote;
	int fd;

	expect(chmod(TRACEFS, 0711) == 0 && chmod(TRACEFS "/dynamic_events", 0666) == 0);
	expect(setuid(NOBODY) == 0);
	fd = open(TRACEFS "/dynamic_events", O_WRONLY | O_APPEND | O_CLOEXEC);
	expect(fd >= 0);
	expect(write(fd, "u:added u32 a\n", 14) == -1 && errno == EPERM);
	/* the kernel drops the last reference after a delay */
	do
		wrote = write(fd, "-:there u32 a\n", 14);
	while (wrote == -1 && errno == EBUSY && seconds() < until);
	expect(wrote == -1 && errno == EPERM);
	return 0;
}

TEST(test_dynamic_events_adds_and_deletes_with_cap_perfmon_only)
{
	struct ue_event event = { 0 };

	assert_int_equal(ue_event_register(&event, "there u32 a", UE_PERSIST), 0);
	ue_unregister_all();
	join(spawn(writes_dynamic_events, NULL));
	chmod(TRACEFS "/dynamic_events", 0640);
	chmod(TRACEFS, 0700);
	assert_false(event_exists("added"));
	assert_true(event_exists("there"));
	wait_for(ue_event_delete("there") == 0);
}

KERNEL_TESTS_MAIN
