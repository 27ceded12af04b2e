/* SPDX-License-Identifier: MIT */
/* Parses and matches the command-line patterns "usdt:FILE:PROVIDER:NAME". */
#include "select/select.h"
#include "usdt/uprobes.h"
#include "util/util.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

bool usdt_pattern(const char *pattern)
{
	return strncmp(pattern, "usdt:", 5) == 0;
}

/* Splits the pattern at the last two colons, because the file name may contain colons. */
void patterns_add(struct probe_patterns *patterns, const char *pattern)
{
	struct probe_pattern *w = &patterns->list[patterns->n++];
	char *name, *provider;

	w->copy = text("%s", pattern + strlen("usdt:"));
	name = strrchr(w->copy, ':');
	if (name)
		*name++ = '\0';
	provider = strrchr(w->copy, ':');
	if (provider)
		*provider++ = '\0';
	w->file = provider ? w->copy : "";
	w->provider = provider ? provider : w->copy;
	w->name = name;
	if (!name || !*w->provider || !*name)
		die_usage("invalid USDT pattern %s; use usdt:FILE:PROVIDER:NAME, with wildcards",
			  pattern);
}

bool patterns_mark(struct probe_patterns *patterns, const struct known *file)
{
	bool named = false;
	struct stat st;
	size_t i;

	for (i = 0; i < patterns->n; i++) {
		struct probe_pattern *w = &patterns->list[i];

		w->here = *w->file && stat(w->file, &st) == 0 && st.st_dev == file->dev &&
			  st.st_ino == file->ino;
		named |= w->here;
		w->here |= !*w->file;
	}
	return named;
}

bool patterns_match(const struct probe_patterns *patterns, const struct usdt_probe *probe,
		    char **texts)
{
	bool matched = false;
	size_t i;

	for (i = 0; i < patterns->n; i++) {
		const struct probe_pattern *w = &patterns->list[i];

		if (w->here && fnmatch(w->provider, probe->provider, 0) == 0 &&
		    fnmatch(w->name, probe->name, 0) == 0) {
			selection_mark_matched(texts[i]);
			matched = true;
		}
	}
	return matched;
}

void patterns_free(struct probe_patterns *patterns)
{
	size_t i;

	for (i = 0; i < patterns->n; i++)
		free(patterns->list[i].copy);
	free(patterns->list);
}
