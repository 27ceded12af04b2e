/* SPDX-License-Identifier: MIT */
/*
 * Runs a fuzzer without libFuzzer. Each argument is an input file or a directory of input files,
 * and each input is run once. With WRITE_INPUT, "-w FILE INPUT" writes the recording that the input
 * describes to FILE.
 */
#ifdef UE_FUZZ_REPLAY
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t replayed[1 << 20];

static size_t replay_read(const char *path)
{
	FILE *file = fopen(path, "re");
	size_t size = file ? fread(replayed, 1, sizeof(replayed), file) : 0;

	if (!file || ferror(file) || size == sizeof(replayed)) {
		fprintf(stderr, "%s: cannot be read\n", path);
		exit(2);
	}
	fclose(file);
	return size;
}

int main(int argc, char **argv)
{
	unsigned long inputs = 0;
	FTSENT *entry;
	FTS *files;

#ifdef WRITE_INPUT
	if (argc == 4 && strcmp(argv[1], "-w") == 0) {
		FILE *to = fopen(argv[2], "we");

		if (!to)
			return 2;
		WRITE_INPUT(replayed, replay_read(argv[3]), to);
		return fclose(to) != 0;
	}
#endif
	files = argc > 1 ? fts_open(argv + 1, FTS_PHYSICAL | FTS_NOCHDIR, NULL) : NULL;
	while (files && (entry = fts_read(files)) != NULL) {
		if (entry->fts_info == FTS_D || entry->fts_info == FTS_DP)
			continue;
		/* print the name before the run, because a failed check does not return */
		fprintf(stderr, "%s\n", entry->fts_path);
		LLVMFuzzerTestOneInput(replayed, replay_read(entry->fts_path));
		inputs++;
	}
	if (files)
		fts_close(files);
	printf("%lu inputs, each once, nothing found\n", inputs);
	return inputs ? 0 : 2;
}
#endif
