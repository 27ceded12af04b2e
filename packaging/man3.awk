# SPDX-License-Identifier: MIT
#
# Manual pages of section 3 from the headers' comments:
#
#	awk -f man3.awk -v out=DIRECTORY -v version=2.0.0 -v date=2026-01-31 include/user_events.h ...
#
# A page is a comment, with the functions and macros that it lists or that follow it. Its name is the first
# function, or else the first macro; the others are links. What is said of a chapter, a type or constants goes to
# the NOTES of the page that follows. Of several places that have a name the first counts. In the comments
#
#	MACRO(arguments)	alone in a line: the page of this macro begins
#	tag<TAB>text		a row of a table, and so is a line that begins with -E, or consists of names
#	<TAB>text		a line of an example
#	Title, ====		a chapter begins
#
# A sentence that begins with "Returns" is the first of RETURN VALUE, one with "Thread-safe" of ATTRIBUTES.

# P is the page's number, PART its section, MODE what its last lines were ("": prose, which PROSE collects).

# Adds to a section of page P: a request of man's, as it is, then S.
function put(section, request, s)
{
	gsub(/\\/, "\\e", s)
	gsub(/-/, "\\-", s)
	gsub(/'/, "\\(aq", s)
	gsub(/`/, "\\(ga", s)
	gsub(/\^/, "\\(ha", s)
	gsub(/~/, "\\(ti", s)
	if (request ~ /\\fB$/)
		s = s "\\fR"
	else
		gsub(/(ue|UE)_[A-Za-z0-9_]+/, "\\fB&\\fR", s)
	text[p, section] = text[p, section] request (s ~ /^[.]/ ? "\\&" : "") s "\n"
}

# Gives page P the name, and SYNOPSIS the line, unless another page has the name.
function own(name, line)
{
	if (name in page || name !~ /^(ue_[a-z]|UE_[A-Z])|\.h$/)
		return 0
	page[name] = p
	names[p] = name ~ /^ue_/ && names[p] !~ /^ue_/ ? name " " names[p] : names[p] name " "
	header_of[p] = header
	chapter_of[p] = header chapter
	if (line != "")
		put("SYNOPSIS", "", line)
	return 1
}

# The same for all names in a line. "u8 u16" are what TYPE in names stands for.
function own_line(line,   s, word, n, i)
{
	s = line
	gsub(/\([^)]*\)/, "", s)
	n = is_header || (line ~ /^ue_/ && s == line) ? 0 : split(s, word, /[ ,;]+/)
	for (i = 1; i <= n; i++)
		if (own(word[i], line)) {
			is_page = 1
			line = ""
		} else if (s ~ /^[a-z0-9 ]+$/)
			types[p] = types[p] word[i] " "
}

# Puts one sentence on a line.
function end_paragraph(   sentence, n, i, before)
{
	if (mode == "example")
		put(part, ".fi\n.RE", "")
	if (match(prose, /^[a-z_]+\.h - /)) {
		is_header = is_page = header_page = p
		own(header)
		prose = toupper(substr(prose, RLENGTH + 1, 1)) substr(prose, RLENGTH + 2)
	}
	n = split(prose, sentence, /[.] /)
	for (i = 1; i <= n; i++) {
		before = part
		if (sentence[i] ~ /^Thread-safe/)
			part = "ATTRIBUTES"
		else if (sentence[i] ~ /^Returns / && text[p, part] != "")
			part = "RETURN VALUE"
		put(part, i == 1 || part != before ? ".PP\n" : "", sentence[i] (i < n ? "." : ""))
	}
	mode = prose = ""
}

# A row of a table, whose further lines are put behind it.
function row(tag, s,   macro, n, i)
{
	end_paragraph()
	mode = "table"
	own_line(tag)
	n = split(tag, macro, /\), /)
	for (i = 1; i <= n; i++)
		put(part, (text[p, part] ~ /,\\fR\n$/ ? ".TQ" : ".TP") "\n\\fB", macro[i] (i < n ? ")," : ""))
	if (s != "")
		put(part, "", s)
}

function comment_line(s,   bare, cell, n, i)
{
	bare = s
	gsub(/\([^)]*\)/, "", bare)
	if (s == "") {
		end_paragraph()
		if (text[p, part] ~ /[.]\n$/)
			part = "DESCRIPTION"
	} else if (s ~ /^==+$|^\* ----/) {
		begin_chapter(prose)
	} else if (s ~ /[^\t ]\t+ *[^\t ]/ || s ~ /^ +-E/) {
		sub(/^[\t ]+/, "", s)
		if (s !~ /\t/)
			sub(/  +/, "\t", s)
		n = split(s, cell, /\t+ */)
		for (i = 1; i <= n; i += 2)
			row(cell[i], cell[i + 1])
	} else if (mode == "table" && sub(/^\t\t+/, "", s)) {
		put(part, "", s)
	} else if (prose == "" && (mode == "" || mode == "macro") && bare ~ /^UE_[A-Z_]+;?$/ && bare != s) {
		if (is_page && mode == "")
			p++
		hold()
		own_line(s)
		mode = "macro"
	} else if (prose == "" && bare ~ /^\t?((ue|UE)_[A-Za-z0-9_]+,? ?)+$/ || mode == "table" && s ~ /^\t/) {
		sub(/^\t/, "", s)
		row(s)
	} else if (sub(/^\t/, "", s)) {
		if (mode != "example")
			end_paragraph()
		put(part, mode == "" ? ".PP\n.RS 4\n.nf\n" : "", s)
		mode = "example"
	} else {
		if (mode != "")
			end_paragraph()
		prose = prose (prose == "" ? "" : " ") s
	}
}

# Keeps the description for the next page's NOTES.
function hold()
{
	text[p, "NOTES"] = text[p, "NOTES"] text[p, "DESCRIPTION"]
	text[p, "DESCRIPTION"] = ""
}

# Names without a page get one at the end of a chapter; what else is held has none.
function begin_chapter(title)
{
	if (names[p] != "")
		p++
	text[p, "NOTES"] = text[p, "SYNOPSIS"] = structs[p] = ""
	prose = title ~ /: / ? title : ""
	chapter = title "."
	is_chapter = 1
	over = title == "Implementation"
}

function end_comment()
{
	if (is_page)
		p++
	else if (is_chapter || is_held)
		hold()
	text[p, "DESCRIPTION"] = text[p, "RETURN VALUE"] = text[p, "ATTRIBUTES"] = ""
	is_page = is_header = is_chapter = is_held = declarations = joined = 0
	part = "DESCRIPTION"
}

# Takes a prototype, a type, or the first line of a macro. Where the first one has a page already, that page has the
# other macros, too. Constants before the first chapter are of the header's page.
function declare(s,   name, here)
{
	here = p
	declarations++
	if (sub(/^#define /, "", s)) {
		name = s
		sub(/[^A-Z0-9_].*/, "", name)
		if (name in page && declarations == 1)
			joined = page[name]
		p = joined ? joined : p
		if (sub(/^[A-Z0-9_]+\([^)]*\)/, "&\n", s))
			is_page += own(name, substr(s, 1, index(s, "\n") - 1)) && p == here
		else if (s ~ / /) {
			p = chapter == "" && !joined ? header_page : p
			sub(/ UE__[A-Z0-9_]*/, "", s)
			is_held += own(name, "#define " s) && p == here && declarations == 1
		}
		p = here
	} else if (sub(/^(UE__[A-Z]+|static inline) +/, "", s)) {
		gsub(/\n[\t ]+/, "\n\t", s)
		if (s ~ /;$/ && match(s, /[ *]ue_[a-z0-9][a-z0-9_]*\(/))
			is_page += own(substr(s, RSTART + 1, RLENGTH - 2), s)
	} else if (match(s, /(struct |enum |\*)ue_[a-z][a-z_]*/)) {
		name = substr(s, RSTART, RLENGTH)
		sub(/.*[ *]/, "", name)
		structs[p] = structs[p] name " "
		is_held += declarations == 1
		sub(/\n[^\n]*rest is private.*/, "\n\t/* and private members */\n};", s)
		gsub(/ = UE__[A-Z0-9_]+/, "", s)
		if (s !~ /UE__|[{] [/]. private members/ && text[p, "DESCRIPTION"] !~ /members are private/)
			put("SYNOPSIS", "", s)
	}
}

BEGIN { p = 1 }
FNR == 1 {
	end_comment()
	begin_chapter("")
	chapter = ""
	header = FILENAME
	sub(/.*\//, "", header)
}
over { next }
/^\/\*/ {
	end_comment()
	in_comment = 1
}
in_comment {
	in_comment = !sub(/ ?\*\/.*/, "")
	sub(/^(\/\*| \*) ?/, "")
	comment_line($0)
	if (!in_comment)
		end_paragraph()
	next
}
declaration == "" && !/^(UE__API|UE__FN|static inline|typedef|#define) |^(struct|enum) [a-z_]+ \{/ { next }
{ declaration = declaration (declaration == "" ? "" : "\n") $0 }
declaration ~ /^(struct|enum)/ ? /^\}|\};$/ : declaration ~ /^#|[;{]$/ {
	declare(declaration)
	declaration = ""
}

# Prints S in lines of 80 columns, but for what is shown as it is.
function print_text(s,   line, n, i)
{
	n = split(s, line, "\n")
	for (i = 1; i < n; i++) {
		as_it_is = line[i] == ".nf" ? 1 : line[i] == ".fi" ? 0 : as_it_is
		while (!as_it_is && line[i - 1] !~ /^\.T/ && length(line[i]) > 79 && match(substr(line[i], 1, 79), /.* /)) {
			print substr(line[i], 1, RLENGTH - 1) >file
			line[i] = substr(line[i], RLENGTH + 1)
			sub(/^[.]/, "\\\\\\&&", line[i])
		}
		print line[i] >file
	}
}

END {
	end_comment()
	begin_chapter("")
	for (q = 1; q <= p; q++)
		title[q] = substr(names[q], 1, index(names[q], " ") - 1)
	for (q = 1; q <= p; q++) {
		if (title[q] == "")
			continue
		file = out "/" title[q] ".3"
		about = text[q, "DESCRIPTION"]
		if (about == "") {
			about = text[q, "DESCRIPTION"] = text[q, "NOTES"]
			text[q, "NOTES"] = ""
		}
		sub(/^[.]PP\n/, "", about)
		sub(/\n.*/, "", about)
		gsub(/\\f.|\(\)/, "", about)
		gsub(/ \([^)]*\)/, "", about)
		sub(/;.*|[.:,]+$/, "", about)
		while (length(about) > 90 && sub(/[:,] [^:,]*$/, "", about))
			;
		if (about !~ /^[A-Z][a-z]*[A-Z_+]/)
			about = tolower(substr(about, 1, 1)) substr(about, 2)
		list = names[q]
		sub(/ $/, "", list)
		gsub(/ /, ", ", list)
		see = ""
		for (r = 1; r <= p; r++)
			if (r != q && title[r] != "" && (chapter_of[r] == chapter_of[q] || \
			    title[r] == header_of[q] || title[q] == header_of[r]))
				see = see (see == "" ? "" : ",\n") ".BR " title[r] " (3)"
		printf ".TH %s 3 %s \"user_events.h %s\" \"user_events.h\"\n", toupper(title[q]), date, version >file
		print_text(".nh\n.SH NAME\n" list " \\- " about "\n.SH SYNOPSIS\n.nf\n.ta T 8n\n\\fB#include <" \
			   header_of[q] ">\\fR\n\n" text[q, "SYNOPSIS"] ".fi\n")
		n = split("DESCRIPTION,RETURN VALUE,ATTRIBUTES,NOTES", section, ",")
		for (i = 1; i <= n; i++)
			if (sub(/^(\.PP\n)?/, "", text[q, section[i]]) && text[q, section[i]] != "")
				print_text(".SH \"" section[i] "\"\n" text[q, section[i]])
		print_text(".SH SEE ALSO\n" see "\n")
		close(file)
		links = names[q] structs[q]
		n = split(names[q], word, " ")
		for (i = 1; i <= n; i++)
			if (sub(/TYPE$/, "", word[i]))
				for (j = split(types[q], type, " "); j > 0; j--)
					links = links word[i] type[j] " "
		n = split(links, word, " ")
		for (i = 1; i <= n; i++)
			if (word[i] != title[q] && !(word[i] in page && page[word[i]] != q)) {
				print ".so man3/" title[q] ".3" >(out "/" word[i] ".3")
				close(out "/" word[i] ".3")
			}
	}
}
