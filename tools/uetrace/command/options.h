/* SPDX-License-Identifier: MIT */
/*
 * The command line as main.c parses it. Lower directories do not see it: they get settings of their
 * own, which the commands fill from it.
 */
#ifndef UETRACE_OPTIONS_H
#define UETRACE_OPTIONS_H

#include "select/select.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct options {
	char **words; /* the operands: a program and its arguments, patterns, or files */
	struct choice choice;
	char **probes;	 /* definitions of --probe */
	char **counters; /* --counter: "event.field" */
	char **programs; /* show --program: binaries with TP_printk texts; run --also: plug-ins */
	char **usdt_patterns;	/* "usdt:FILE:PROVIDER:NAME" */
	const char *hist_event; /* hist: event and field */
	const char *hist_field;
	bool latency;	  /* the command is latency */
	size_t slowest;	  /* number of durations that latency prints with their events */
	const char *from; /* latency: first and second event, NULL without --from */
	const char *to;
	const char *by;		   /* latency: fields that both events share */
	char **command;		   /* run: the program and its arguments, else NULL */
	const char *output;	   /* file, or NULL for standard output */
	bool append;		   /* append to the file; SIGHUP reopens it */
	unsigned long heartbeat;   /* seconds between reports of uetrace itself; 0: none */
	pid_t pid;		   /* 0: all processes */
	unsigned long buffer_size; /* KiB for each CPU; 0: the kernel's default */
	bool json;
	bool otlp;
	bool origin;	  /* JSON with host, boot and process name */
	const char *host; /* replaces the name of the machine */
	bool recorded;	  /* the events come from files, not from this machine and boot */
	size_t max_line;  /* bytes of a line of JSON; 0: no limit */
	bool stats;
	bool follow;  /* show: waits for events that are written later */
	bool all;     /* run: includes the events of other programs */
	bool usdt;    /* records with uprobes */
	bool persist; /* register: events outlive uetrace */
};

#endif
