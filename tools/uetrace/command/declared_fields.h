/* SPDX-License-Identifier: MIT */
/* Describes events for the command list, as text and as JSON. */
#ifndef UETRACE_DECLARED_FIELDS_H
#define UETRACE_DECLARED_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <user_events_decode.h>

struct note_event;

/* What there is to tell about an event. */
struct listed {
	char *system; /* NULL: it is one of a set's */
	char *name;
	uint8_t opcode; /* of an event of a set: 1 starts an activity, 2 stops it */
	char *probe;	/* USDT, "PROVIDER:NAME"; NULL: it has the event's name, or is not known */
	size_t sites;	/* of a file, that each have a USDT semaphore of their own */
	bool disagrees; /* the file has another event of this name */
	char **types;
	char **fields;	  /* their names */
	char ***declared; /* for each field, the different types its sites declare, or NULL */
	char **listeners;
	char **instances;     /* where it is enabled, the main one left out */
	struct listed **logs; /* of an event set: its events, as far as they are known */
	size_t n_logs;
	void *known_logs; /* the same as a tree, see tsearch() */
};

/* An event "name type field; type field". */
struct listed listed_specified(const char *system, const char *spec);
/* An event of which this is the text of its format file. */
struct listed listed_formatted(const char *system, const char *name, const char *file);
void listed_free(struct listed *listed);
/* registered: JSON tells who listens to it */
void listed_put(const struct listed *listed, bool json, bool registered);

/*
 * Adds the event of this set, of which an EventHeader event tells name and fields, unless it is
 * there already. probe: or NULL
 */
void listed_log(struct listed *set, const struct ue_decode_event *event, const char *probe);

/* Adds the types that a site of the event declares. */
void listed_site(struct listed *listed, const struct note_event *site);

/* The same names and types? */
bool listed_same_fields(const struct listed *a, const struct listed *b);

#endif
