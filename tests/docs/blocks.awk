# SPDX-License-Identifier: MIT
# Writes the fenced blocks of a Markdown page to the directory OUT: the block to NNN.kind, and the
# words after the kind to NNN.tags. Indented fences are ignored.
/^```/ {
	if (open) {
		close(file)
		open = 0
	} else {
		open = 1
		n++
		kind = substr($1, 4)
		file = sprintf("%s/%03d.%s", OUT, n, kind == "" ? "none" : kind)
		tags = ""
		for (i = 2; i <= NF; i++)
			tags = tags " " $i
		print tags " " > (file ".tags")
		close(file ".tags")
		printf "" > file
	}
	next
}
open { print > file }
