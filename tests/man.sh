#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Checks that each public function and macro has a manual page or a link to one, and that two
# formatters accept the pages without a warning. The list of names comes from the compiler.

. "$(dirname "$0")/checks.sh"
make -s man B="$dir" || fail "make man"
for header in include/*.h; do echo "#include \"$header\""; done >"$dir/all.c"
cc -I. -Iinclude -DUE_SHARED -E -P "$dir/all.c" >"$dir/declared" &&
	{ cc -I. -Iinclude -E -dM "$dir/all.c" && c++ -x c++ -I. -Iinclude -E -dM "$dir/all.c"; } >"$dir/macros" ||
	fail "the compiler does not take the headers"

export LC_ALL=C.UTF-8
grep -oE '\<ue_[a-z0-9]\w* *\(' "$dir/declared" | tr -d ' (' | sort -u >"$dir/functions"
# all defined macros, except for include guards and macros that programs may define
{
	sed -nE 's/^#define (UE_[A-Z0-9]\w*).*/\1/p' "$dir/macros"
	grep -ohE '(ifn?def |defined\()UE_[A-Z]\w*' include/*.h | grep -oE 'UE_\w+'
} | grep -v _USER_EVENTS | sort -u >"$dir/constants"
[ "$(wc -l <"$dir/functions")" -gt 150 ] && [ "$(wc -l <"$dir/constants")" -gt 100 ] || fail "too few names were found"
sed -nE "s/^template .*struct (ue_[a-z]\\w*) \\{.*/\\1/p" include/*.h >"$dir/templates"
sort "$dir/functions" "$dir/constants" "$dir/templates" >"$dir/names"
(cd "$dir/man/man3" && printf '%s\n' *) | sed 's/\.3$//' | sort >"$dir/pages"
expect "names without a page" "" "$(comm -23 "$dir/names" "$dir/pages")"
expect "pages of no name" "" "$(comm -13 "$dir/names" "$dir/pages" | grep -vE '\.h$|_TYPE$' | while read -r name; do
	grep -qw "$name" "$dir/declared" || echo "$name"
done)"

# Let the formatter print "-", quotes, "^" and "~" as ASCII characters.
printf '%s\n' '.char - \[hy]' ".char ' \\[cq]" '.char ` \[oq]' '.char ^ \[u02C6]' '.char ~ \[u02DC]' >"$dir/man.local"
cd "$dir/man" || exit
for page in man3/*; do
	if target=$(sed -n 's/^\.so //p' "$page") && [ -n "$target" ]; then
		grep -q '^\.TH' "$target" || fail "$page leads to $target, which is no page"
		continue
	fi
	expect "mandoc of $page" "" "$(mandoc -T lint -W warning "$page" 2>&1)"
	expect "groff of $page" "" "$(groff -man -ww -Tascii "$page" 2>&1 >"$dir/page")"
	expect "escapes that are shown in $page" "" "$(grep -E '\\(f[BR]|&)|^ *\.[A-Z][A-Z]\>' "$dir/page")"
	expect "what only the header's reader can use in $page" "" "$(grep 'chapters' "$dir/page")"
	expect "minus signs and quotes of $page" "" "$(groff -M "$dir" -man -Tutf8 "$page" | LC_ALL=C grep '[^ -~[:cntrl:]]')"
	lexgrog "$page" | grep -q ' - .' || fail "$page has no name and description that man's index takes"
	for section in NAME SYNOPSIS DESCRIPTION 'SEE ALSO'; do
		grep -qE "^\.SH \"?$section\"?$" "$page" || fail "$page has no $section"
	done
	checks=$((checks + 1))
done
while read -r name; do
	target=$(sed -n 's/^\.so //p' "man3/$name.3")
	sed -n '/^\.SH SYNOPSIS/,/^\.fi/p' "${target:-man3/$name.3}" | sed 's/\\f[BR]//g' >"$dir/synopsis"
	grep -qE "\<$name\(|_TYPE\(" "$dir/synopsis" || fail "$name is not in its page's synopsis"
done <"$dir/functions"

# section NAME: prints the section NAME of the page in $dir/page
section()
{
	sed -n "/^$1\$/,/^[A-Z]/p" "$dir/page" | sed '1d; /^[A-Z]/d; s/^ *//' | tr -s ' \n' ' '
}
shown() # PAGE
{
	MANPAGER=cat MANWIDTH=100 man -l "man3/$1.3" >"$dir/page" 2>"$dir/err" && [ ! -s "$dir/err" ] ||
		fail "man -l $1: $(cat "$dir/err")"
}
shown ue_event_register
expect "a page's name" "ue_event_register - Registers an event whose name and fields are known at run time " "$(section NAME)"
expect "its synopsis" "#include <user_events.h> int ue_event_register(struct ue_event *event, const char *spec, \
unsigned int flags); " "$(section SYNOPSIS)"
has() # SECTION PATTERN
{
	[[ "$(section "$1")" =~ $2 ]] || fail "$1 of the page has no '$2': $(section "$1")"
	checks=$((checks + 1))
}
has DESCRIPTION 'flags 0, UE_PERSIST, UE_MULTI_FORMAT'
has DESCRIPTION 'Returns 0 or .*-EADDRINUSE the name is registered with other fields.* others any other error from open\(\) or ioctl\(\)'
has DESCRIPTION 'Thread-safe; not async-signal-safe'
has 'SEE ALSO' 'user_events.h\(3\)'
shown ue_event_writev
has NAME '^ue_event_write, ue_event_writev - '
shown UE_TRACE
has SYNOPSIS '^#include <user_events.h> UE_TRACE\(name, fields...\)'
expect "its example" "#include <user_events.h> UE_TRACE(request_done, status, bytes, UE_STR(path)); " "$(section EXAMPLES)"
shown UE_SPAN_END
has EXAMPLES 'UE_LOG\(app_info, "Parsed", UE_IN_SPAN\(&span\), headers\); UE_SPAN_END\(.*status\); $'
shown ue_event
has DESCRIPTION 'must be zero before its first use'
shown UE_U32
has DESCRIPTION 'UE_X8 UE_X16 UE_X32 UE_X64 UE_PTR hexadecimal'
shown ue_recorder_reader
has SYNOPSIS 'uint64_t torn; .* /\* The remaining members are private. \*/ }; $'
shown user_events.h
has DESCRIPTION "bpftrace -e 'usdt:./server:user_events:request_done"
has 'SEE ALSO' 'ue_event_register Registers an event .* UE_EVENT_SET, UE_DECLARE_EVENT_SET, UE_LOG,'
echo "manual pages: $checks checks"
