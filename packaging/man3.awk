# SPDX-License-Identifier: MIT
#
# Generates manual pages of section 3 from the header comments, in the directory OUT; see
# install.mk. A page consists of a comment and the declarations after it. It is named after the
# first declaration, and links to it are created for the other names. In comments, lines such as
# UE_TRACE(name, fields...) also count as declarations, and so do the tags of tables, whose rows are
# tag<TAB>text. Two tabs continue a row, and one tab starts an example. All other text is prose. If
# the first example of a header contains a name of the page, the page ends with this example.

# Adds all names in S that have no page yet to page P. Returns true if any name in S belongs to P.
function own(s,   word, n, i, name, found)
{
	gsub(/\([^*)][^)]*\)?|\/\*.*/, "", s)
	n = split(s, word, /[ ,;*(){<]+/)
	for (i = 1; i <= n; i++) {
		if (word[i] ~ /^(ue_[a-z]|UE_[A-Z])/ && !(word[i] in page)) {
			page[word[i]] = p
			names[p] = names[p] (names[p] == "" ? "" : ", ") word[i]
		}
		found += word[i] in page && page[word[i]] == p
		for (name in page) # the table of ue_add_TYPE() contains "u8" for ue_add_u8
			if (page[name] == p && word[i] !~ /_/ && sub(/TYPE$/, word[i], name))
				page[name] = p
	}
	return found
}

# Returns the text S as roff input, with the library's names in bold.
function roff(s)
{
	gsub(/\\/, "\\e", s)
	gsub(/(ue|UE)_[A-Za-z0-9_]+/, "\\fB&\\fR", s)
	return (s ~ /^[.']/ ? "\\&" : "") s "\n"
}

# Returns true if a name of page Q occurs in the first example of its header.
function shows(q,   name)
{
	for (name in page)
		if (page[name] == q && index(example[header[q]], "\\fB" name "\\fR"))
			return 1
	return 0
}

BEGIN { FS = "\t+ *|  +" }
/^ \* Implementation$|^\/\* \* ---- (Types|Format) ----/ { nextfile }
/^\/\*/ { header[++p] = h }
/^\/\*/, /\*\// {
	gsub(/^(\/\*| \*) ?| ?\*\/.*/, "")
	line = $0
	sub(/^[\t ]+/, "")
	if (match($0, /^[a-z_]+\.h - /))
		names[p] = header[p] = h = substr($0, 1, RLENGTH - 3)
	else if (names[p] == h && !ended[h]) {
		ended[h] = example[h] != "" && line ~ /^[^\t]/
		gap[h] = line == "" && example[h] != "" ? "\n" : gap[h]
		if (line ~ /^\t/) {
			example[h] = example[h] gap[h] roff(substr(line, 2))
			gap[h] = ""
		}
	}
	if (/^==+$/) {
		text[p] = about[p] = ""
	} else if (/^$/) {
		text[p] = text[p] ".PP\n"
	} else if (NF > 1 || line ~ /^\t?((ue|UE)_[A-Za-z0-9_]+(\([^)]*\))?[,;]? ?)+$/ && line !~ /^\t.*;$/) {
		if (names[p] != h && own($1))
			synopsis[p] = synopsis[p] roff($1)
		sub(FS, "\n")
		text[p] = text[p] ".TP\n" roff($0)
	} else if (line ~ /^\t/ && (line !~ /^\t\t/ || text[p] ~ /\.(fi|PP)\n$/)) {
		text[p] = text[p] ".nf\n" roff(line) ".fi\n"
	} else {
		text[p] = text[p] roff($0)
		about[p] = about[p] $0 " "
	}
	next
}
/^[^\t }]/ { shown = /^([a-zU]|#define UE_[A-Z0-9_]+ )/ && own($0) }
shown && NF {
	gsub(/UE__[A-Z_]+(\([A-Z_]*\))? |^static inline /, "")
	sub(/^\t\t+ */, "\t")
	if (length() > 66 && /^[a-z].*\(/) # longer than a man page line of 80 columns allows
		sub(/, /, ",\n\t")
	shown = !sub(/private.*/, "&\n};")
	synopsis[p] = synopsis[p] roff($0)
}
END {
	for (name in page) {
		# if there is a page with this name, the page replaces this link
		split(names[page[name]], title, ",")
		print ".so man3/" title[1] ".3" >(out "/" name ".3")
		close(out "/" name ".3")
	}
	for (q = p; q > 0; q--) {
		if (names[q] == "")
			continue
		split(names[q], title, ",")
		gsub(/^[a-z_]+\.h - |[.:;] .*/, "", about[q])
		# remove the table of contents of a header
		sub(/\.PP\nThe chapters[ .:]([^\n]*\n[^.])*[^\n]*\n/, "", text[q])
		sub(/\.PP\nContents:\n(\.PP\n)?(\.TP\n[^.]*)*/, "", text[q])
		gsub(/\.PP\n\.TP/, ".TP", text[q])
		gsub(/^\.PP\n|\.PP\n$/, "", text[q])
		see[header[q]] = ".TP\n" names[q] "\n" about[q] "\n" see[header[q]]
		print ".TH " toupper(title[1]) " 3 " date " \"user_events.h " version "\" user_events.h\n" \
			".nh\n.ad l\n.ta T 8n\n.tr -\\-'\\(aq`\\(ga^\\(ha~\\(ti\n" \
			".SH NAME\n" names[q] " \\- " about[q] "\n" \
			".SH SYNOPSIS\n.nf\n#include <" header[q] ">\n\n" synopsis[q] ".fi\n" \
			".SH DESCRIPTION\n" text[q] \
			(shows(q) ? ".SH EXAMPLES\n.nf\n" example[header[q]] ".fi\n" : "") ".SH SEE ALSO\n" \
			(title[1] == header[q] ? see[header[q]] : ".BR " header[q] " (3)") >(out "/" title[1] ".3")
		close(out "/" title[1] ".3")
	}
}
