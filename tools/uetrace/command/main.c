/* SPDX-License-Identifier: MIT */
/* Parses the command line and runs the command. */
#include "command/command.h"
#include "read/read.h"
#include "command/options.h"
#include "select/select.h"
#include "usdt/usdt.h"
#include "util/util.h"
#include "command/outputs.h"
#include "summary/summary.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <user_events.h>

#define VERSION(major, minor, patch) VERSION_TEXT(major, minor, patch)
#define VERSION_TEXT(major, minor, patch) #major "." #minor "." #patch
const char *argp_program_version =
	"uetrace " VERSION(UE_VERSION_MAJOR, UE_VERSION_MINOR, UE_VERSION_PATCH);

/*
 * Default limit on the length of JSON lines. journald splits longer lines, and message brokers
 * reject lines of 1 MB or more.
 */
#define MAX_LINE (48u << 10)

static struct options given = { .max_line = MAX_LINE };

static unsigned long long number(struct argp_state *state, const char *what, const char *s,
				 unsigned long long least, unsigned long long most)
{
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(s, &end, 0);
	if (errno || *end || end == s || *s == '-' || value < least || value > most)
		argp_error(state, "%s must be a number from %llu to %llu, not \"%s\"", what, least,
			   most, s);
	return value;
}

static void read_pattern(struct argp_state *state, const char *s)
{
	if (!*s)
		argp_error(state, "an empty pattern matches no event; use \"*\" for all events");
	add(usdt_pattern(s) ? &given.usdt_patterns : &given.choice.patterns, s);
}

static void read_filter(struct argp_state *state, const char *s)
{
	if (!*s)
		argp_error(state, "an empty filter names no field; omit -f to show all events");
	given.choice.filter = s;
}

static void read_pid(struct argp_state *state, const char *s)
{
	given.pid = (pid_t)number(state, "the process ID", s, 1, 1u << 30);
}

static void read_keyword(struct argp_state *state, const char *s)
{
	given.choice.keyword = number(state, "the keyword", s, 1, ~0ull);
}

/*
 * Parses a size: a number of KiB, or a number with the suffix K, M or G. The number is at most
 * 2^30. Returns the size in KiB.
 */
static unsigned long size(struct argp_state *state, const char *what, const char *s,
			  unsigned long least)
{
	static const char units[] = "KMG";
	char *end, *unit;
	unsigned long long value = strtoull(s, &end, 10);

	unit = *end ? strchr(units, *end) : NULL;
	if (unit)
		end++;
	if (end == s || *end || *s == '-' || value < least || value > 1u << 30)
		argp_error(
			state,
			"%s must be a number of KiB, or a size such as 512K, 8M or 1G, not \"%s\"",
			what, s);
	return (unsigned long)value << (unit ? 10 * (unit - units) : 0);
}

static void read_buffer_size(struct argp_state *state, const char *s)
{
	given.buffer_size = size(state, "the buffer size", s, 1);
}

static void read_heartbeat(struct argp_state *state, const char *s)
{
	given.heartbeat = (unsigned long)number(state, "the heartbeat interval", s, 1, 86400);
}

static void read_max_line(struct argp_state *state, const char *s)
{
	given.max_line = size(state, "the maximum line length", s, 0) << 10;
}

static void read_slowest(struct argp_state *state, const char *s)
{
	given.slowest = (size_t)number(state, "the number of durations", s, 0, 10000);
}

/* Parses a level, which is a number or the first letters of a level name. */
static void read_level(struct argp_state *state, const char *s)
{
	static const char *const names[] = { "critical", "error", "warning", "information",
					     "verbose" };
	unsigned long i;

	for (i = 0; *s && i < ARRAY_SIZE(names); i++) {
		if (strncasecmp(s, names[i], strlen(s)) == 0) {
			given.choice.level = i + 1;
			return;
		}
	}
	if (strchr("0123456789", *s) == NULL || !*s)
		argp_error(state,
			   "the level must be critical, error, warning, information, verbose, "
			   "or a number from 1 to 255, not \"%s\"",
			   s);
	given.choice.level = (unsigned long)number(state, "the level", s, 1, 255);
}

enum {
	RUN = 1,
	WATCH = 2,
	LIST = 4,
	SHOW = 8,
	HIST = 16,
	LATENCY = 32,
	REGISTER = 64,
	LIVE = RUN | WATCH,
	EVENTS = LIVE | SHOW,
	SUMMARY = HIST | LATENCY,
};

/*
 * The options and the commands that accept them. An option whose description depends on the command
 * has several rows.
 */
static const struct {
	unsigned int commands;
	const char *name;
	int letter; /* short option, or 0 */
	const char *argument, *doc;
	/* variable to set, or function that parses the argument */
	bool *flag;
	const char **text;
	char ***list;
	void (*read)(struct argp_state *state, const char *argument);
} options[] = {
	{ RUN, "event", 'e', "PATTERN",
	  "show only events that match PATTERN, or SYSTEM:PATTERN for kernel events "
	  "(repeatable)",
	  .read = read_pattern },
	{ SHOW | LATENCY, "event", 'e', "PATTERN",
	  "show only events that match PATTERN (repeatable)", .read = read_pattern },
	{ WATCH, "pid", 'p', "PID", "show only this process and its descendants",
	  .read = read_pid },
	{ SHOW, "pid", 'p', "PID", "show only this process or thread", .read = read_pid },
	{ SUMMARY, "pid", 'p', "PID",
	  "use only events of this process and, if live, of its descendants", .read = read_pid },
	{ LIVE, "filter", 'f', "FILTER",
	  "show only events that match FILTER, in the kernel's syntax: 'status >= 500 && bytes "
	  "> 0'; event sets also have a level and a keyword: 'level <= 3 && keyword & 6'",
	  .read = read_filter },
	{ SHOW, "filter", 'f', "FILTER",
	  "show only events that match FILTER: 'status >= 500 && path ~ \"/api*\"'",
	  .read = read_filter },
	{ SUMMARY, "filter", 'f', "FILTER", "use only events that match FILTER",
	  .read = read_filter },
	{ EVENTS, "level", 'l', "LEVEL",
	  "show only events of this or a more severe level: critical (1), error (2), warning "
	  "(3), information (4), verbose (5); an event without a level is shown only if a "
	  "pattern names it",
	  .read = read_level },
	{ EVENTS, "keyword", 'k', "MASK",
	  "from event sets, show only events whose keyword is 0 or shares a bit with MASK",
	  .read = read_keyword },
	{ EVENTS, "output", 'o', "FILE",
	  "write the events to FILE; the suffix .json selects a timeline, .ctf a CTF directory",
	  .text = &given.output },
	{ SUMMARY, "output", 'o', "FILE", "write the result to FILE", .text = &given.output },
	{ LIVE, "append", 0, NULL, "append to FILE; SIGHUP reopens it", .flag = &given.append },
	{ LIVE, "heartbeat", 0, "SECONDS",
	  "write a status line every SECONDS seconds, and whenever the clock is set",
	  .read = read_heartbeat },
	{ EVENTS, "counter", 0, "EVENT.FIELD", "plot the field in a timeline (repeatable)",
	  .list = &given.counters },
	{ EVENTS, "row", 0, "FIELD",
	  "draw one row of a timeline per value of FIELD, or per activity, instead of per "
	  "thread",
	  .text = &given.row },
	{ EVENTS | LIST, "json", 0, NULL, "write one JSON object per line", .flag = &given.json },
	{ EVENTS, "origin", 0, NULL, "write lines of JSON with the host and the program",
	  .flag = &given.origin },
	{ EVENTS, "host", 0, "NAME", "host name for files that do not contain one",
	  .text = &given.host },
	{ EVENTS, "otlp", 0, NULL, "write one OpenTelemetry request per line",
	  .flag = &given.otlp },
	{ EVENTS, "max-line", 0, "SIZE",
	  "truncate lines of JSON to SIZE, in KiB or with a suffix such as 1M (default: 48; 0 "
	  "means no limit)",
	  .read = read_max_line },
	{ EVENTS, "stats", 0, NULL, "show a table of counts, rates and gaps instead of the events",
	  .flag = &given.stats },
	{ LIVE, "buffer-size", 0, "SIZE",
	  "size of the kernel's buffer for each CPU, in KiB or with a suffix such as 8M",
	  .read = read_buffer_size },
	{ LIVE, "probe", 0, "DEFINITION",
	  "add a kprobe, uprobe or eprobe and show its events; with -e 'probe:*', show no "
	  "other events",
	  .list = &given.probes },
	{ LIVE, "usdt", 0, NULL, "record with uprobes, as on kernels without user_events",
	  .flag = &given.usdt },
	{ LIST, "usdt", 0, NULL,
	  "list events of running programs, as on kernels without user_events",
	  .flag = &given.usdt },
	{ RUN, "all", 'a', NULL, "also show the events of other programs", .flag = &given.all },
	{ RUN, "also", 0, "FILE",
	  "also show the events of a plug-in that the program opens later (repeatable)",
	  .list = &given.programs },
	{ SHOW, "follow", 'F', NULL, "wait for new events of a recorder", .flag = &given.follow },
	{ SHOW, "program", 0, "FILE",
	  "print TRACE_EVENTs with the formats in this binary (repeatable)",
	  .list = &given.programs },
	{ REGISTER, "persist", 0, NULL, "keep the events until 'uetrace delete' is run",
	  .flag = &given.persist },
	{ LATENCY, "from", 0, "EVENT", "measure from this event", .text = &given.from },
	{ LATENCY, "to", 0, "EVENT", "measure to this event", .text = &given.to },
	{ LATENCY, "slowest", 0, "N", "also print the N longest durations, with their events",
	  .read = read_slowest },
	{ LATENCY, "by", 0, "FIELD",
	  "pair events with the same value of FIELD, or FIELD,FIELD if the names differ "
	  "(default: events of the same thread)",
	  .text = &given.by },
};

/* Returns the key that argp uses for an option. */
static int key_of(size_t i)
{
	return options[i].letter ? options[i].letter : 256 + (int)i;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	size_t i;

	if (key == 'h')
		argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
	if (key == ARGP_KEY_ARG) {
		/* keep all remaining words, because they may be options of the program */
		given.words = state->argv + state->next - 1;
		state->next = state->argc;
		return 0;
	}
	for (i = 0; i < ARRAY_SIZE(options); i++) {
		if (key != key_of(i))
			continue;
		if (options[i].flag)
			*options[i].flag = true;
		else if (options[i].text)
			*options[i].text = argument;
		else if (options[i].list)
			add(options[i].list, argument);
		else
			options[i].read(state, argument);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

/* Stores the options of a command in chosen, in the format that argp expects. */
static void options_of(unsigned int command, struct argp_option chosen[ARRAY_SIZE(options) + 3])
{
	size_t i, n = 0;

	for (i = 0; i < ARRAY_SIZE(options); i++) {
		if (options[i].commands & command)
			chosen[n++] = (struct argp_option){ options[i].name,	 key_of(i),
							    options[i].argument, 0,
							    options[i].doc,	 0 };
	}
	/* former name of -o, still accepted */
	if (command == SHOW)
		chosen[n++] = (struct argp_option){ "to", 'o', "FILE", OPTION_HIDDEN, NULL, 0 };
	/* accepted only to print a message with the right command */
	if (command == RUN)
		chosen[n++] = (struct argp_option){ "pid", 'p', "PID", OPTION_HIDDEN, NULL, 0 };
	chosen[n++] = (struct argp_option){ NULL, 'h', NULL, OPTION_HIDDEN, NULL, 0 };
	chosen[n] = (struct argp_option){ 0 };
}

static int watch(struct options *o)
{
	o->choice.patterns = o->words;
	return cmd_watch(o);
}

static int show(struct options *o)
{
	o->recorded = true;
	if (o->stats && output_format(o) >= OUTPUT_PICTURE)
		die_usage("cannot write the table of --stats to %s; omit -o or use .txt",
			  o->output);
	return cmd_show(o);
}

/* Summarises recordings or, if none are given, live events. */
static int summary(struct options *o)
{
	return o->words && *o->words ? cmd_show(o) : cmd_watch(o);
}

/*
 * If the user typed a file name in place of EVENT or FIELD, returns the file name, otherwise NULL.
 */
static const char *misplaced(char **words)
{
	if (is_recording(words[0]))
		return words[0];
	/* A field and a file may have the same name, so accept the word if a recording follows. */
	if (words[1] && !is_recording(words[2] ? words[2] : "") &&
	    (is_recording(words[1]) || strchr(words[1], '/')))
		return words[1];
	return NULL;
}

static int hist(struct options *o)
{
	const char *file = misplaced(o->words);

	if (file)
		die_usage("cannot use the file %s as an event or field; use: uetrace hist "
			  "EVENT FIELD %s; to list its events and fields: uetrace list %s",
			  file, file, file);
	if (!o->words[1])
		die_usage("usage: uetrace hist EVENT FIELD [FILE]...");
	o->hist_event = o->words[0];
	o->hist_field = o->words[1];
	o->words += 2;
	add(&o->choice.patterns, o->hist_event);
	return summary(o);
}

static int latency(struct options *o)
{
	if (!o->from != !o->to || (o->by && !o->from))
		die_usage("--from EVENT needs --to EVENT, and --by FIELD needs both");
	o->latency = true;
	if (o->from) {
		add(&o->choice.patterns, o->from);
		add(&o->choice.patterns, o->to);
	}
	return summary(o);
}

static const struct command {
	const char *name;
	int (*run)(struct options *o);
	bool needs_words;
	bool in_order;
	unsigned int options; /* the command's bit in the options table */
	const char *usage;
	const char *doc; /* 'uetrace --help' prints only the first line */
} commands[] = {
	{ "run", cmd_run, true, true, RUN, "[--] PROGRAM [ARG...]",
	  "Runs PROGRAM and shows its events.\nThe events are enabled before the program "
	  "starts. The program's output appears between the events, unless -o FILE writes them "
	  "to a file." },
	{ "watch", watch, false, false, WATCH, "[PATTERN | ./PROGRAM]...",
	  "Shows events of running programs and of programs that start later.\vPATTERN is a "
	  "name with wildcards, such as 'request_*', or SYSTEM:PATTERN for kernel events. "
	  "Without PATTERN, all user events are shown. An argument with a slash is a PROGRAM: "
	  "all events that it declares are shown, from the first one on." },
	{ "list", cmd_list, false, false, LIST, "[PATTERN | ./PROGRAM | RECORDING]...",
	  "Lists events and their fields.\nLists registered events with their tracers, the "
	  "events that a binary declares (without running it), or the events in a recording." },
	{ "show", show, true, false, SHOW, "FILE...",
	  "Shows recordings: perf.data, trace.dat, flight recorders.\nMerges several files by "
	  "time.\vA program that calls ue_recorder_environment() records into the file named "
	  "by the environment variable UE_RECORD. As a FILE, - means standard input, for "
	  "example a pipe from perf record -o -. This command needs neither root nor a kernel "
	  "with user_events." },
	{ "hist", hist, true, false, HIST, "EVENT FIELD [FILE]...",
	  "Draws a histogram of a field.\nReads recordings or, without FILE, live events until "
	  "interrupted.\vEVENT is a name with wildcards: 'request_done', "
	  "'MyProvider:Request*', 'sched:sched_switch'. A member of a struct is STRUCT.MEMBER." },
	{ "latency", latency, false, false, LATENCY, "[FILE]...",
	  "Measures the time from START to STOP, or between two events.\nMeasures activities, "
	  "or two events given as options. Reads recordings or, without FILE, live events "
	  "until interrupted." },
	{ "register", cmd_register, true, false, REGISTER, "{'SPEC' | ./PROGRAM}...",
	  "Registers events until interrupted.\vSPEC describes an event in the kernel's "
	  "syntax: 'name u32 status; __rel_loc char[] path'. An argument with a slash is a "
	  "PROGRAM: all events that it declares are registered." },
	{ "with", cmd_with, true, true, 0, "{'SPEC' | ./PROGRAM}... -- COMMAND [ARG...]",
	  "Registers events, runs a recorder, and exits with its status.\vWith this command, "
	  "perf can record the events of a PROGRAM that has not started yet: uetrace with "
	  "./server -- perf record -e 'user_events:*' ./server" },
	{ "delete", cmd_delete, true, false, 0, "NAME...",
	  "Deletes persistent events.\nNAME.HEX deletes one format of NAME." },
	{ "probe", cmd_probe, true, true, 0,
	  "add 'DEFINITION'...\nlist\nenable NAME...\ndisable NAME...\nfilter NAME ['FILTER']\n"
	  "trigger NAME ['TRIGGER']\nformat NAME\nremove NAME...\nremove --all",
	  "Manages kernel, user, return and event probes.\n"
	  "Definitions use the syntax of the kernel.\v"
	  "p:open do_sys_openat2 file=+0($arg2):ustring\n"
	  "r:opened do_sys_openat2 fd=$retval\n"
	  "p:put ./server:store_put key=+0(%di):ustring\n"
	  "e:slow user_events/request_done ms=$ms:u32" },
};

static void check_output(struct options *o, bool summary)
{
	enum output_format format;

	o->json = o->json || o->origin;
	format = output_format(o);
	if (format == OUTPUT_UNKNOWN)
		die_usage("cannot choose the format of %s by its suffix; use .txt, .log or none "
			  "for text, .jsonl for JSON, .otlp.jsonl for OpenTelemetry, .json for a "
			  "timeline, or .ctf for a directory in the Common Trace Format",
			  o->output);
	if (summary && format != OUTPUT_TEXT)
		die_usage("cannot write a histogram to %s; use a name that ends in .txt",
			  o->output);
	if ((o->append || o->heartbeat) && format >= OUTPUT_PICTURE)
		die_usage("--append and --heartbeat need a line-based format: text, --json or "
			  "--otlp");
	if (o->append && (!o->output || strcmp(o->output, "-") == 0))
		die_usage("--append needs -o FILE");
	if (o->counters && format != OUTPUT_PICTURE)
		die_usage("--counter needs a timeline: use -o FILE.json without --json");
	if (o->row && format != OUTPUT_PICTURE)
		die_usage("--row needs a timeline: use -o FILE.json without --json");
	o->json = format == OUTPUT_JSON;
}

/*
 * Rejects "uetrace probe --remove" and similar mistakes with a message that shows the right
 * command.
 */
static void reject_dashes(char **argv)
{
	static const char *const words[] = { "add",    "list",	  "enable", "disable",
					     "filter", "trigger", "format", "remove" };
	size_t i;

	for (i = 0; argv[1] && strncmp(argv[1], "--", 2) == 0 && i < ARRAY_SIZE(words); i++) {
		if (strcmp(argv[1] + 2, words[i]) == 0)
			die_usage("%s is a command, not an option; use: uetrace probe %s%s%s",
				  argv[1], words[i], argv[2] ? " " : "", argv[2] ? argv[2] : "");
	}
}

static int dispatch(const struct command *command, int argc, char **argv)
{
	struct argp_option chosen[ARRAY_SIZE(options) + 3];
	struct argp argp = {
		.options = chosen,
		.parser = parse,
		.args_doc = command->usage,
		.doc = command->doc,
	};
	int status;

	argv[0] = text("uetrace %s", command->name);
	options_of(command->options, chosen);
	if (command->run == cmd_probe)
		reject_dashes(argv);
	argp_parse(&argp, argc, argv, command->in_order ? ARGP_IN_ORDER : 0, NULL, NULL);
	if (command->options == RUN && given.pid)
		die_usage("run does not support -p; to trace a running program: uetrace watch "
			  "-p %d",
			  given.pid);
	if (command->needs_words && !given.words)
		die_usage("usage: uetrace %s %s; see uetrace %s --help", command->name,
			  strchr(command->usage, '\n') ? "..." : command->usage, command->name);
	if (!command->in_order && list_has(given.words, ""))
		die_usage("cannot use an empty argument for %s", argv[0]);
	check_output(&given, command->options & SUMMARY);
	status = command->run(&given);
	if (!output_flush() && !status)
		status = EXIT_FAILURE;
	return status;
}

static error_t parse_none(int key, char *argument, struct argp_state *state)
{
	if (key == ARGP_KEY_NO_ARGS)
		argp_state_help(state, stderr,
				ARGP_HELP_SHORT_USAGE | ARGP_HELP_DOC | ARGP_HELP_EXIT_ERR);
	if (key == ARGP_KEY_ARG)
		argp_error(state, "unknown command \"%s\"; uetrace --help lists the commands",
			   argument);
	if (key == 'h')
		argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
	return ARGP_ERR_UNKNOWN;
}

/* Returns the directory of the libtraceevent plugin installed with this program, or NULL. */
static char *plugin_folder(void)
{
	static const char *const places[] = { "../lib/user_events/plugins", "." };
	char *program = realpath("/proc/self/exe", NULL), *end, *folder = NULL;
	size_t i;

	end = program ? strrchr(program, '/') : NULL;
	for (i = 0; end && !folder && i < ARRAY_SIZE(places); i++) {
		char *file = text("%.*s/%s/plugin_user_events.so", (int)(end - program), program,
				  places[i]);

		folder = realpath(file, NULL);
		free(file);
	}
	free(program);
	if (folder)
		*strrchr(folder, '/') = '\0';
	return folder;
}

static char *help_filter(int key, const char *doc, void *input)
{
	char *folder, *help;
	size_t size, i;
	FILE *out;

	(void)input;
	if (key != ARGP_KEY_HELP_EXTRA)
		return (char *)(uintptr_t)doc;
	out = open_memstream(&help, &size);
	if (!out)
		die("out of memory");
	fputs("Commands:\n", out);
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		fprintf(out, "  %-8s  %.*s\n", commands[i].name,
			(int)strcspn(commands[i].doc, "\n\v"), commands[i].doc);
	fputs("\nFor help on a command: uetrace COMMAND --help\nTracing needs root. The "
	      "commands register, with and delete need only permission to write "
	      "user_events_data. Reading files needs neither.",
	      out);
	folder = plugin_folder();
	if (folder)
		fprintf(out,
			"\n\nTo make perf script and trace-cmd report decode events in the "
			"same way:\n  export TRACEEVENT_PLUGIN_DIR=%s",
			folder);
	free(folder);
	fclose(out);
	return help;
}

int main(int argc, char **argv)
{
	static const struct argp_option help_option[] = {
		{ NULL, 'h', NULL, OPTION_HIDDEN, NULL, 0 }, { 0 }
	};
	static const struct argp argp = {
		.options = help_option,
		.parser = parse_none,
		.help_filter = help_filter,
		.args_doc = "COMMAND [ARG...]",
		.doc = "Shows the events of programs that use user_events, as they happen.",
	};
	char *helped[] = { argv[0], argc > 2 ? argv[2] : NULL, (char *)"--help", NULL };
	size_t i;

	/* treat "help COMMAND" like "COMMAND --help", and "help" like "--help" */
	if (argc > 1 && strcmp(argv[1], "help") == 0) {
		if (argc == 2)
			helped[1] = helped[2];
		argc = argc == 2 ? 2 : 3;
		argv = helped;
	}
	for (i = 0; argc > 1 && i < ARRAY_SIZE(commands); i++) {
		if (strcmp(argv[1], commands[i].name) == 0)
			return dispatch(&commands[i], argc - 1, argv + 1);
	}
	argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, NULL);
	return EXIT_FAILURE;
}
