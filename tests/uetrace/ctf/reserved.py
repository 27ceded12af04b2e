#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that a CTF 1.8 metadata file uses no name that the grammar reserves (C.1.2), and no
name twice.

	reserved.py FOLDER/metadata

Prints the number of names or, with exit status 1, the first invalid name.
"""
import re
import sys

RESERVED = set("""align callsite const char clock double enum env event floating_point float integer int long
	short signed stream string struct trace typealias typedef unsigned variant void
	_Bool _Complex _Imaginary""".split())


def named(text):
	"""Yields the names in the text, each with the position of the struct that contains it,
	or 0."""
	tokens = re.findall(r'[A-Za-z_]\w*|[-\d]\w*|:=|[^\s\w]', text)
	blocks, count = [], 0
	for i, token in enumerate(tokens):
		before, after = tokens[i - 1] if i else "", tokens[i + 1] if i + 1 < len(tokens) else ""
		if token == "{":
			count += 1
			blocks.append((before, count))
		elif token == "}":
			blocks.pop()
		elif not re.match("[A-Za-z_]", token):
			continue
		elif blocks and blocks[-1][0] == "struct" and after in (";", "["):
			if before != "[":
				yield token, blocks[-1][1]	# a member
		elif before == ":=" and token not in ("struct", "variant"):
			yield token, 0				# an alias
		elif before == "=" and tokens[i - 2] == "name" and blocks[-1][0] == "clock":
			yield token, 0
		elif before == "." and after == ".":
			yield token, 0				# map = clock.NAME.value
		elif after == "=" and blocks and blocks[-1][0] == "env":
			yield token, blocks[-1][1]


def main():
	text = re.sub(r'/\*.*?\*/', " ", open(sys.argv[1], encoding="utf-8").read(), flags=re.S)
	text = re.sub(r'"(\\.|[^"\\])*"', '""', text)
	seen, n = set(), 0
	for name, struct in named(text):
		n += 1
		if name in RESERVED:
			sys.exit(f"{name} is reserved")
		# some readers compare names after they have removed an underscore, others before
		for form in {name, name.removeprefix("_")} if struct else ():
			if (form, struct) in seen:
				sys.exit(f"{form} occurs twice")
		seen |= {(name, struct), (name.removeprefix("_"), struct)}
	print(n)


main()
