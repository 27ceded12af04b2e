/* SPDX-License-Identifier: MIT */
/* Prints kernel events and TP_printk events with libtraceevent. */
#include "event/event.h"
#include "binary/binary.h"
#include "util/util.h"

#include <event-parse.h>
#include <stdlib.h>
#include <string.h>

/* libtraceevent's parser is recursive; its recursion depth roughly equals the bracket depth */
#define FORMAT_MAX (1u << 16)
#define DEPTH_MAX 100

/* Returns true if libtraceevent can parse the format without exhausting the stack. */
static bool harmless(const char *format)
{
	size_t n, open = 0;

	for (n = 0; format[n]; n++) {
		if (strchr("([{?", format[n]) && ++open > DEPTH_MAX)
			return false;
		if (strchr(")]}", format[n]) && open)
			open--;
	}
	return n < FORMAT_MAX;
}

/*
 * Creates a handle for a single event. Events of different files cannot share a handle, because
 * their event IDs may collide.
 */
static struct tep_handle *tep_like(const struct event *event)
{
	const bool host = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	struct tep_handle *tep = tep_alloc();

	if (!tep)
		die("out of memory");
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_file_bigendian(tep, event->swapped != host ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(tep, event->long_size ? event->long_size : (int)sizeof(long));
	return tep;
}

/* Uses the TP_printk string of a TRACE_EVENT event if the program's binary is known. */
static void parse_text(struct event *event)
{
	char *format = texts_format(event->shown, event->format_text);
	struct tep_handle *tep;

	if (format && harmless(format)) {
		tep = tep_like(event);
		if (tep_parse_format(tep, &event->tep, format, strlen(format), event->system) ==
			    0 &&
		    event->tep && !((unsigned int)event->tep->flags & TEP_EVENT_FL_FAILED)) {
			event->handle = event->own = tep;
		} else {
			tep_free(tep);
			event->tep = NULL;
		}
	}
	free(format);
}

void event_parse(struct event *event)
{
	bool user = !event->live && system_is_user(event->system);
	size_t known;

	if (event->tep || (user && event->eventheader))
		return;
	known = user && event->programs ? programs_read(*event->programs) : 0;
	/* parse again only if more binaries have become known since the last call */
	if (event->parsed && known == event->programs_known)
		return;
	event->parsed = true;
	event->programs_known = known;
	if (user)
		parse_text(event);
	else if (harmless(event->format_text) &&
		 tep_parse_format(event->handle, &event->tep, event->format_text,
				  strlen(event->format_text), event->system) != 0)
		event->tep = NULL;
}
