/* SPDX-License-Identifier: MIT */
/* The command line. */
#include "picture.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <user_events.h>

#define VERSION(major, minor, patch) VERSION_TEXT(major, minor, patch)
#define VERSION_TEXT(major, minor, patch) #major "." #minor "." #patch
const char *argp_program_version =
	"uetrace " VERSION(UE_VERSION_MAJOR, UE_VERSION_MINOR, UE_VERSION_PATCH);

enum {
	KEY_JSON = 256,
	KEY_ORIGIN,
	KEY_OTLP,
	KEY_STATS,
	KEY_PROBE,
	KEY_PERSIST,
	KEY_COUNTER,
	KEY_USDT,
	KEY_FROM,
	KEY_TO,
	KEY_BY,
	KEY_PROGRAM,
	KEY_ALSO,
	KEY_BUFFER_SIZE,
};

/* Everything that a subcommand can be told. */
struct arguments {
	struct options o;
	char **words;
	bool persist;
};

static unsigned long long parse_number(struct argp_state *state, const char *what, const char *s,
				       unsigned long long least, unsigned long long most)
{
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(s, &end, 0);
	if (errno || *end || end == s || *s == '-' || value < least || value > most)
		argp_error(state, "%s is a number from %llu to %llu, not \"%s\"", what, least, most,
			   s);
	return value;
}

/* Reads KiB, or a number with K, M or G behind it. */
static unsigned long parse_size(struct argp_state *state, const char *s)
{
	static const char units[] = "KMG";
	char *end, *unit;
	unsigned long long value = strtoull(s, &end, 10);

	unit = *end ? strchr(units, *end) : NULL;
	if (unit)
		end++;
	if (end == s || *end || *s == '-' || value < 1 || value > 1u << 30)
		argp_error(state,
			   "a buffer's size is a number of KiB, or as 512K, 8M or 1G, not \"%s\"",
			   s);
	return (unsigned long)value << (unit ? 10 * (unit - units) : 0);
}

/* A number, or the beginning of its name. */
static unsigned long parse_level(struct argp_state *state, const char *s)
{
	static const char *const names[] = { "critical", "error", "warning", "information",
					     "verbose" };
	unsigned long i;

	for (i = 0; *s && i < ARRAY_SIZE(names); i++) {
		if (strncasecmp(s, names[i], strlen(s)) == 0)
			return i + 1;
	}
	if (strchr("0123456789", *s) == NULL || !*s)
		argp_error(state,
			   "a level is critical, error, warning, information, verbose, or a number "
			   "from 1 to 255, not \"%s\"",
			   s);
	return (unsigned long)parse_number(state, "a level", s, 1, 255);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 'e':
		add(usdt_pattern(argument) ? &a->o.usdt_patterns : &a->o.patterns, argument);
		return 0;
	case KEY_USDT:
		a->o.usdt = true;
		return 0;
	case 'f':
		a->o.filter = argument;
		return 0;
	case 'o':
		a->o.output = argument;
		return 0;
	case 'p':
		a->o.pid = (pid_t)parse_number(state, "a process id", argument, 1, 1u << 30);
		return 0;
	case 'l':
		a->o.level = parse_level(state, argument);
		return 0;
	case 'h':
		argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
		return 0;
	case 'k':
		a->o.keyword = parse_number(state, "a keyword", argument, 1, ~0ull);
		return 0;
	case 'F':
		a->o.follow = true;
		return 0;
	case 'a':
		a->o.all = true;
		return 0;
	case KEY_JSON:
		a->o.json = true;
		return 0;
	case KEY_OTLP:
		a->o.otlp = true;
		return 0;
	case KEY_ORIGIN:
		a->o.json = a->o.origin = true;
		return 0;
	case KEY_STATS:
		a->o.stats = true;
		return 0;
	case KEY_PROBE:
		add(&a->o.probes, argument);
		return 0;
	case KEY_COUNTER:
		add(&a->o.counters, argument);
		return 0;
	case KEY_PROGRAM:
	case KEY_ALSO:
		add(&a->o.programs, argument);
		return 0;
	case KEY_FROM:
		a->o.from = argument;
		return 0;
	case KEY_TO:
		a->o.to = argument;
		return 0;
	case KEY_BY:
		a->o.by = argument;
		return 0;
	case KEY_BUFFER_SIZE:
		a->o.buffer_size = parse_size(state, argument);
		return 0;
	case KEY_PERSIST:
		a->persist = true;
		return 0;
	case ARGP_KEY_ARG:
		/* all the rest: a program's options are its own */
		a->words = state->argv + state->next - 1;
		state->next = state->argc;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* Like parse(), but options may stand behind arguments. */
static error_t parse_any_order(int key, char *argument, struct argp_state *state)
{
	struct arguments *a = state->input;

	if (key == ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN; /* all of them come as ARGP_KEY_ARGS */
	if (key == ARGP_KEY_ARGS) {
		a->words = state->argv + state->next;
		return 0;
	}
	return parse(key, argument, state);
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

/* Each option, once for each text that it has, and the commands that take it. */
static const struct {
	unsigned int commands;
	const char *name;
	int key;
	const char *argument, *doc;
} options[] = {
	{ RUN, "event", 'e', "PATTERN",
	  "only events that match (repeatable); SYSTEM:PATTERN for the kernel's" },
	{ SHOW | LATENCY, "event", 'e', "PATTERN", "only events that match (repeatable)" },
	{ WATCH, "pid", 'p', "PID", "only this process, and what it forks" },
	{ SHOW, "pid", 'p', "PID", "only this process, or this thread" },
	{ SUMMARY, "pid", 'p', "PID", "only this process; live, also what it forks" },
	{ LIVE, "filter", 'f', "FILTER",
	  "only what this kernel filter lets through: 'status >= 500 && bytes > 0'; of event sets also level "
	  "and keyword: 'level <= 3 && keyword & 6'" },
	{ SHOW, "filter", 'f', "FILTER",
	  "only what this filter lets through: 'status >= 500 && path ~ \"/api*\"'" },
	{ SUMMARY, "filter", 'f', "FILTER", "only what this filter lets through" },
	{ EVENTS, "level", 'l', "LEVEL",
	  "of event sets, only critical (1), error (2), warning (3), information (4) or verbose (5) ones, and "
	  "those before it; other events if a pattern names them" },
	{ EVENTS, "keyword", 'k', "MASK",
	  "of event sets, only those with a keyword in MASK, or none" },
	{ EVENTS, "output", 'o', "FILE",
	  "write the events to FILE; a picture if it ends in .json, a folder in .ctf" },
	{ SUMMARY, "output", 'o', "FILE", "write to FILE" },
	{ EVENTS, "counter", KEY_COUNTER, "EVENT.FIELD",
	  "in a picture, the field as a curve (repeatable)" },
	{ EVENTS | LIST, "json", KEY_JSON, NULL, "one JSON object a line" },
	{ EVENTS, "origin", KEY_ORIGIN, NULL, "JSON with host and program" },
	{ EVENTS, "otlp", KEY_OTLP, NULL, "one request of OpenTelemetry a line" },
	{ EVENTS, "stats", KEY_STATS, NULL,
	  "a table of counts, rates and gaps instead of the events" },
	{ LIVE, "buffer-size", KEY_BUFFER_SIZE, "SIZE",
	  "the kernel's buffer of each CPU: KiB, or 8M" },
	{ LIVE, "probe", KEY_PROBE, "DEFINITION",
	  "a kprobe, uprobe or eprobe on the same timeline; -e 'probe:*' shows nothing else" },
	{ LIVE, "usdt", KEY_USDT, NULL, "by uprobes, as on kernels without user_events" },
	{ LIST, "usdt", KEY_USDT, NULL, "of running programs, as on kernels without user_events" },
	{ RUN, "all", 'a', NULL, "other programs' events, too" },
	{ RUN, "also", KEY_ALSO, "FILE",
	  "the events of this plug-in, too, which the program opens later (repeatable)" },
	{ SHOW, "follow", 'F', NULL, "of a recorder, go on while it is written" },
	{ SHOW, "program", KEY_PROGRAM, "FILE",
	  "print the TRACE_EVENTs of this binary with their text (repeatable)" },
	{ REGISTER, "persist", KEY_PERSIST, NULL, "keep them until 'uetrace delete'" },
	{ LATENCY, "from", KEY_FROM, "EVENT", "from this event" },
	{ LATENCY, "to", KEY_TO, "EVENT", "to this one" },
	{ LATENCY, "by", KEY_BY, "FIELD",
	  "of the same value of FIELD (or FIELD,FIELD of the two); without, of the same thread" },
};

/* The options of a command, for argp. */
static void options_of(unsigned int command, struct argp_option chosen[ARRAY_SIZE(options) + 3])
{
	size_t i, n = 0;

	for (i = 0; i < ARRAY_SIZE(options); i++) {
		if (options[i].commands & command)
			chosen[n++] = (struct argp_option){ options[i].name,	 options[i].key,
							    options[i].argument, 0,
							    options[i].doc,	 0 };
	}
	/* its name before it was called as in the other commands */
	if (command == SHOW)
		chosen[n++] = (struct argp_option){ "to", 'o', "FILE", OPTION_HIDDEN, NULL, 0 };
	chosen[n++] = (struct argp_option){ NULL, 'h', NULL, OPTION_HIDDEN, NULL, 0 };
	chosen[n] = (struct argp_option){ 0 };
}

static int run(struct arguments *a)
{
	a->o.command = a->words;
	return cmd_run(&a->o);
}

static int watch(struct arguments *a)
{
	a->o.patterns = a->words;
	return cmd_watch(&a->o);
}

static int list(struct arguments *a)
{
	return cmd_list(a->words, a->o.json, a->o.usdt);
}

static int show(struct arguments *a)
{
	a->o.recorded = true;
	if (a->o.stats && output_format(&a->o) >= OUTPUT_PICTURE)
		die_usage("--stats is a table, and %s is none: show one of them", a->o.output);
	return cmd_show(&a->o, a->words);
}

/* Of files, or of what happens now. */
static int summary(struct arguments *a, char **files)
{
	if (!files || !*files)
		return cmd_watch(&a->o);
	return cmd_show(&a->o, files);
}

/* EVENT FIELD [FILE]...: is a file where a name belongs? */
static const char *misplaced(char **words)
{
	if (is_recording(words[0]))
		return words[0];
	/* a field may be called as a file is */
	if (words[1] && !is_recording(words[2] ? words[2] : "") &&
	    (is_recording(words[1]) || strchr(words[1], '/')))
		return words[1];
	return NULL;
}

static int hist(struct arguments *a)
{
	const char *file = misplaced(a->words);

	if (file)
		die_usage("%s is a file, which comes after the event and its field: "
			  "uetrace hist EVENT FIELD %s; 'uetrace list %s' tells the fields",
			  file, file, file);
	if (!a->words[1])
		die_usage("usage: uetrace hist EVENT FIELD [FILE]...");
	a->o.hist_event = a->words[0];
	a->o.hist_field = a->words[1];
	add(&a->o.patterns, a->o.hist_event);
	return summary(a, a->words + 2);
}

static int latency(struct arguments *a)
{
	if (!a->o.from != !a->o.to || (a->o.by && !a->o.from))
		die_usage(
			"uetrace latency takes --from EVENT and --to EVENT together, and --by FIELD "
			"with them");
	a->o.latency = true;
	if (a->o.from) {
		add(&a->o.patterns, a->o.from);
		add(&a->o.patterns, a->o.to);
	}
	return summary(a, a->words);
}

static int registers(struct arguments *a)
{
	return cmd_register(a->words, a->persist);
}

static int with(struct arguments *a)
{
	return cmd_with(a->words);
}

static int deletes(struct arguments *a)
{
	return cmd_delete(a->words);
}

static int probe(struct arguments *a)
{
	return cmd_probe(a->words);
}

static const struct command {
	const char *name;
	int (*run)(struct arguments *a);
	bool needs_words;
	bool in_order;
	unsigned int options; /* in the table above */
	const char *usage;
	const char *doc; /* up to the first line's end, also what 'uetrace --help' says of it */
} commands[] = {
	{ "run", run, true, true, RUN, "[--] PROGRAM [ARG...]",
	  "Runs PROGRAM and shows its events.\nThey are enabled before it starts." },
	{ "watch", watch, false, false, WATCH, "[PATTERN | ./PROGRAM]...",
	  "Shows events of the whole system, also of later programs.\v"
	  "PATTERN is a name with wildcards, 'request_*', or SYSTEM:PATTERN for the kernel's own "
	  "events; without any, all user events. Of a PROGRAM, with a slash, the events that it "
	  "declares, also the first ones, whoever runs it." },
	{ "list", list, false, false, LIST, "[PATTERN | ./PROGRAM | RECORDING]...",
	  "Lists events and their fields.\nThose that are registered, and who listens to them; what a "
	  "binary would emit, without running it; or those in a recording." },
	{ "show", show, true, false, SHOW, "FILE...",
	  "Shows recordings: perf.data, trace.dat, flight recorders.\nAll in one order of time.\v"
	  "Programs that call ue_recorder_environment() record into the file that the environment "
	  "variable UE_RECORD names. - is standard input, also a pipe of perf record -o -. Needs neither root nor "
	  "a kernel with user_events." },
	{ "hist", hist, true, false, HIST, "EVENT FIELD [FILE]...",
	  "Draws a histogram of a field.\nOf files, or of what happens until it is interrupted.\v"
	  "EVENT is a name with wildcards: 'request_done', 'MyProvider:Request*', "
	  "'sched:sched_switch'. A member of a struct is STRUCT.MEMBER." },
	{ "latency", latency, false, false, LATENCY, "[FILE]...",
	  "Measures the time from START to STOP, or between two events.\nOf activities, or of the events that "
	  "the options name; in files, or of what happens until it is interrupted." },
	{ "register", registers, true, false, REGISTER, "{'SPEC' | ./PROGRAM}...",
	  "Registers events, until uetrace is ended.\v"
	  "SPEC is in the kernel's notation: 'name u32 status; __rel_loc char[] path'. Of a "
	  "PROGRAM, with a slash, all that it declares." },
	{ "with", with, true, true, 0, "{'SPEC' | ./PROGRAM}... -- COMMAND [ARG...]",
	  "Registers events, runs a recorder, and exits as that did.\v"
	  "perf finds the events of a PROGRAM that does not run yet: "
	  "uetrace with ./server -- perf record -e 'user_events:*' ./server" },
	{ "delete", deletes, true, false, 0, "NAME...",
	  "Deletes persistent events.\nOf NAME.HEX, only that format of NAME." },
	{ "probe", probe, true, true, 0,
	  "add 'DEFINITION'...\nlist\nenable NAME...\ndisable NAME...\nfilter NAME ['FILTER']\n"
	  "trigger NAME ['TRIGGER']\nformat NAME\nremove NAME...\nremove --all",
	  "Manages kernel, user, return and event probes.\nIn the kernel's own syntax.\v"
	  "p:open do_sys_openat2 file=+0($arg2):ustring\nr:opened do_sys_openat2 fd=$retval\n"
	  "p:put ./server:store_put key=+0(%di):ustring\ne:slow user_events/request_done ms=$ms:u32" },
};

static void check_output(struct options *o, bool summary)
{
	enum output_format format = output_format(o);

	if (format == OUTPUT_UNKNOWN)
		die_usage("%s: no format has this ending: .json is a picture, .ctf a folder, "
			  ".jsonl and .otlp.jsonl are lines of JSON, .txt, .log and none are text",
			  o->output);
	if (summary && format != OUTPUT_TEXT)
		die_usage("%s: a histogram is text: give it the ending .txt", o->output);
	if (o->counters && format != OUTPUT_PICTURE)
		die_usage("--counter is for pictures: write to a FILE.json, without --json");
	o->json = format == OUTPUT_JSON;
}

/* "uetrace probe --remove --all": the commands of probe look like options to some. */
static void refuse_dashes(char **argv)
{
	static const char *const words[] = { "add",    "list",	  "enable", "disable",
					     "filter", "trigger", "format", "remove" };
	size_t i;

	for (i = 0; argv[1] && strncmp(argv[1], "--", 2) == 0 && i < ARRAY_SIZE(words); i++) {
		if (strcmp(argv[1] + 2, words[i]) == 0)
			die_usage("%s is a command, without dashes: uetrace probe %s%s%s", argv[1],
				  words[i], argv[2] ? " " : "", argv[2] ? argv[2] : "");
	}
}

static int dispatch(const struct command *command, int argc, char **argv)
{
	struct arguments a = { .persist = false };
	struct argp_option chosen[ARRAY_SIZE(options) + 3];
	struct argp argp = {
		.options = chosen,
		.parser = command->in_order ? parse : parse_any_order,
		.args_doc = command->usage,
		.doc = command->doc,
	};
	char *name = text("uetrace %s", command->name);
	int status;

	argv[0] = name;
	options_of(command->options, chosen);
	if (command->run == probe)
		refuse_dashes(argv);
	argp_parse(&argp, argc, argv, command->in_order ? ARGP_IN_ORDER : 0, NULL, &a);
	if (command->needs_words && !a.words)
		die_usage("usage: uetrace %s %s; see uetrace %s --help", command->name,
			  strchr(command->usage, '\n') ? "..." : command->usage, command->name);
	check_output(&a.o, command->run == hist || command->run == latency);
	status = command->run(&a);
	if (!output_flush() && !status)
		status = EXIT_FAILURE;
	if (a.words != a.o.patterns)
		list_free(a.o.patterns);
	list_free(a.o.probes);
	list_free(a.o.counters);
	list_free(a.o.usdt_patterns);
	free(name);
	return status;
}

static error_t parse_none(int key, char *argument, struct argp_state *state)
{
	(void)argument;
	if (key == ARGP_KEY_NO_ARGS)
		argp_usage(state);
	if (key == ARGP_KEY_ARG)
		argp_error(state, "there is no command \"%s\"", argument);
	if (key == 'h')
		argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
	return key == 'h' ? 0 : ARGP_ERR_UNKNOWN;
}

/* Where the plugin for libtraceevent is if it was installed, or built, together with this program. */
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
	char *folder, *help, *longer;
	size_t i;

	(void)input;
	if (key != ARGP_KEY_HELP_EXTRA)
		return (char *)(uintptr_t)doc;
	help = text("Commands:\n");
	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		longer = text("%s  %-8s  %.*s\n", help, commands[i].name,
			      (int)strcspn(commands[i].doc, "\n\v"), commands[i].doc);
		free(help);
		help = longer;
	}
	folder = plugin_folder();
	longer = text(
		"%s\n'uetrace COMMAND --help' tells more. Tracing needs root. register, with and delete "
		"need permission to write user_events_data; whatever reads files needs neither.%s%s",
		help,
		folder ? "\n\nperf script and trace-cmd report decode events in the same way after\n"
			 "  export TRACEEVENT_PLUGIN_DIR="
		       : "",
		folder ? folder : "");
	free(folder);
	free(help);
	return longer;
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

	/* "help COMMAND" is "COMMAND --help", "help" "--help" */
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
