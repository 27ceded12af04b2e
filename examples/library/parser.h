/* SPDX-License-Identifier: MIT */
#ifndef PARSER_H
#define PARSER_H

/* The number of fields in a line of comma-separated values. */
int parser_fields(const char *line);

#endif
