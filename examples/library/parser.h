/* SPDX-License-Identifier: MIT */
#ifndef PARSER_H
#define PARSER_H

/* Returns the number of fields in a line of comma-separated values. */
int parser_fields(const char *line);

#endif
