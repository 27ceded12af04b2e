/* SPDX-License-Identifier: MIT */
/* Describes events for the command list, as text and as JSON. */
#ifndef UETRACE_DECLARED_FIELDS_H
#define UETRACE_DECLARED_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <user_events_decode.h>

struct note_event;

/* A description of an event. */
struct listed {
	char *system; /* NULL: the event belongs to a set */
	char *name;
	uint8_t opcode; /* event of a set: 1 starts an activity, 2 stops it */
	char *probe;	/* USDT probe "PROVIDER:NAME"; NULL: unknown, or the name of the event */
	size_t sites;	/* number of call sites with separate USDT semaphores */
	bool disagrees; /* the file has a different event with the same name */
	char **types;
	char **fields;	  /* names of the fields */
	char ***declared; /* for each field, the different types its sites declare, or NULL */
	char **listeners;
	char **instances;     /* trace instances in which it is enabled, except the main one */
	struct listed **logs; /* the known events of an event set */
	size_t n_logs;
	void *known_logs; /* tree of logs, see tsearch() */
};

/* Describes an event from its spec, "name type field; type field". */
struct listed listed_specified(const char *system, const char *spec);
/* Describes an event from the text of its format file. */
struct listed listed_formatted(const char *system, const char *name, const char *file);
void listed_free(struct listed *listed);
/* Prints an event. registered: JSON includes the tracers that enabled it. */
void listed_put(const struct listed *listed, bool json, bool registered);

/* Adds an EventHeader event to its set, unless the set has it. probe: USDT probe, or NULL. */
void listed_log(struct listed *set, const struct ue_decode_event *event, const char *probe);

/* Adds the types that a site of the event declares. */
void listed_site(struct listed *listed, const struct note_event *site);

/* Returns whether the fields have the same names and types. */
bool listed_same_fields(const struct listed *a, const struct listed *b);

#endif
