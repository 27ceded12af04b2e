/* SPDX-License-Identifier: MIT */
/* Describes events for the list command, as text or JSON. */
#ifndef UETRACE_DECLARED_FIELDS_H
#define UETRACE_DECLARED_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <user_events_decode.h>

struct note_event;

/* Description of an event for the list command. */
struct listed {
	char *system; /* NULL for an event in a set */
	char *name;
	uint8_t opcode; /* event in a set: 1 starts an activity, 2 stops it */
	char *probe;	/* USDT probe "PROVIDER:NAME"; NULL if unknown or equal to name */
	size_t sites;	/* number of sites with separate USDT semaphores */
	bool disagrees; /* true if the file also declares this name with other fields */
	char **types;
	char **fields;	  /* field names, in the order of types */
	char ***declared; /* for each field: list of types declared by sites, or NULL */
	char **listeners;
	char **instances;     /* trace instances in which the event is enabled */
	struct listed **logs; /* known events of an event set */
	size_t n_logs;
	void *known_logs; /* tsearch() tree of logs */
};

/* Describes an event using a spec such as "name type field; type field". */
struct listed listed_specified(const char *system, const char *spec);
/* Describes an event using the text of its format file. */
struct listed listed_formatted(const char *system, const char *name, const char *file);
void listed_free(struct listed *listed);
/*
 * Prints an event. If registered is true, the JSON output includes the tracers that enabled the
 * event.
 */
void listed_put(const struct listed *listed, bool json, bool registered);

/*
 * Adds an EventHeader event to a set unless the set already contains it. probe is the name of the
 * event's USDT probe, or NULL.
 */
void listed_log(struct listed *set, const struct ue_decode_event *event, const char *probe);

/* Adds the field types declared by one of the event's sites. */
void listed_site(struct listed *listed, const struct note_event *site);

/* Returns true if both events have the same field names and types. */
bool listed_same_fields(const struct listed *a, const struct listed *b);

#endif
