/* SPDX-License-Identifier: MIT */
/*
 * The command line as parsed by main.c. Only the commands use this struct. Other directories have
 * settings structs, which the commands fill in.
 */
#ifndef UETRACE_OPTIONS_H
#define UETRACE_OPTIONS_H

#include "select/select.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct options {
	char **words; /* operands: patterns, files, or a program and its arguments */
	struct choice choice;
	char **probes;	 /* --probe: probe definitions */
	const char *row; /* --row: field whose values are the rows of a timeline, or NULL */
	char **counters; /* --counter: "event.field" */
	char **programs; /* show --program: binaries with TP_printk strings; run --also: plug-ins */
	char **usdt_patterns;	/* "usdt:FILE:PROVIDER:NAME" */
	const char *hist_event; /* hist: name of the event */
	const char *hist_field;
	bool latency;	  /* true if the command is latency */
	size_t slowest;	  /* latency: number of slowest durations to print with their events */
	const char *from; /* latency --from: first event, or NULL */
	const char *to;
	const char *by;	    /* latency: field with the same value in both events */
	char **command;	    /* run: program and its arguments; otherwise NULL */
	const char *output; /* output file, or NULL for standard output */
	bool append;	    /* true to append to the file, and to reopen it on SIGHUP */
	/* interval between status events, in seconds; 0 for none */
	unsigned long heartbeat;
	pid_t pid;		   /* 0 for all processes */
	unsigned long buffer_size; /* buffer size in KiB per CPU; 0 for the kernel's default */
	bool json;
	bool otlp;
	bool origin;	  /* true to add host, boot ID and process name to JSON */
	const char *host; /* --host: replaces the host name */
	bool recorded;	  /* true if the events come from recordings */
	size_t max_line;  /* maximum length of a JSON line in bytes; 0 for no limit */
	bool stats;
	bool follow;  /* show: wait for further events */
	bool all;     /* run: include events of other programs */
	bool usdt;    /* record with uprobes */
	bool persist; /* register: keep the events after uetrace exits */
};

#endif
