/* SPDX-License-Identifier: MIT */
/*
 * Checks the structures of layout 1, which all files of a program share even if the files were
 * compiled with different 1.x versions of the headers. If a structure's layout changes, change the
 * number in every name that ends in _v1 and in the namespace ue__v1.
 */
#include <user_events_builder.h>
#include <user_events_capture.h>
#include <user_events_otel.h>
#include <user_events_probe.h>
#include <user_events_recorder.h>

#if defined(__x86_64__) && defined(__LP64__)
#define HAS(type, size) \
	UE__I_STATIC_ASSERT(sizeof(struct type) == (size), "another layout needs another number")
#define AT(type, member, offset)                                     \
	UE__I_STATIC_ASSERT(offsetof(struct type, member) == (offset), \
			  "another layout needs another number")

HAS(ue_event, 40);
AT(ue_event, enabled, 0);
AT(ue_event, index, 4);
AT(ue_event, desc, 8);
AT(ue_event, next, 16);
AT(ue_event, fd, 24);
AT(ue_event, serial, 28);
AT(ue_event, level, 32);
AT(ue_event, state, 33);
HAS(ue_event_set, 40);
HAS(ue__f_desc, 12);
AT(ue__f_desc, variant, 0);
AT(ue__f_desc, level, 1);
AT(ue__f_desc, types, 2);
AT(ue__f_desc, values, 4);
AT(ue__f_desc, pieces, 6);
AT(ue__f_desc, size, 8);
AT(ue__f_desc, flags, 10);
HAS(ue__i_callbacks, 24);
AT(ue__i_callbacks, spec, 8);
AT(ue__i_callbacks, print, 16);
HAS(ue__i_hook, 32);
AT(ue__i_hook, next, 0);
AT(ue__i_hook, wants, 8);
AT(ue__i_hook, gone, 16);
AT(ue__i_hook, run, 24);
HAS(ue__i_span, 16);
HAS(ue__i_iovec, 16);
HAS(ue__state, 752);
AT(ue__state, fd, 0);
AT(ue__state, closed_fd, 4);
AT(ue__state, lock, 8);
AT(ue__state, flags, 12);
AT(ue__state, serial, 16);
AT(ue__state, spare_word, 20);
AT(ue__state, list, 24);
AT(ue__state, hooks, 32);
AT(ue__state, path, 40);
AT(ue__state, file, 552);
AT(ue__state, cut, 568);
AT(ue__state, reopen_error, 608);
AT(ue__state, error, 612);
AT(ue__state, name, 620);
HAS(ue__probe_lists, 584);
HAS(ue__recorder_state, 48);
HAS(ue_otel, 56);
HAS(ue_otel_span, 72);
HAS(ue_builder, 392);
HAS(ue_capture, 48);
HAS(ue_status, 1480);
#endif
