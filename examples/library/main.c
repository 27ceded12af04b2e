/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "parser.h"

int main(void)
{
	char line[256];

	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		printf("%d\n", parser_fields(line));
	}
	return 0;
}
