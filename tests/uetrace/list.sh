#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Runs uetrace list on files. It must list the events that a binary declares, the events of its
# event sets with their fields, and the contents of each kind of recording. A program in the current
# directory may be named without a slash.

. "$(dirname "$0")/../checks.sh"
top=$PWD
uetrace=$top/${1:-build/uetrace}
server=$top/${2:-build/examples/server}

list()
{
	tell list "$@"
}

# The program has fields of all types, structs, arrays, several event sets of one provider, and an
# event that is declared twice.
cat >"$dir/types.c" <<'END'
#include <user_events_recorder.h>

UE_EVENT_SET(info, "Types", UE_LEVEL_INFORMATION, 0x1);
UE_EVENT_SET(failed, "Types", UE_LEVEL_ERROR, 0x3, "grouped");
UE_EVENT_SET(options, "Types", UE_LEVEL_ERROR, 0x4, "A1GgHx");

int main(void)
{
	static const int ints[3] = { 1, 2, 3 };
	static const uint8_t id[16];

	ue_recorder_environment();
	UE_TRACE(plain, UE_U32(status, 200), UE_STR(path, "/"));
	UE_LOG(info, "Numbers", UE_U8(a, 1), UE_I16(b, 2), UE_U32(c, 3), UE_I64(d, 4), UE_X32(e, 5), UE_F32(f, 6),
	       UE_F64(g, 7));
	UE_LOG(info, "Others", UE_BOOL(a, 1), UE_ERRNO(b, 2), UE_PID(c, 3), UE_TIME64(d, 4), UE_PORT(e, 5),
	       UE_CHAR(f, 'f'), UE_UUID(g, id), UE_IPV4(h, id), UE_IPV6(i, id));
	UE_LOG(info, "Texts", UE_STR(a, "a"), UE_STR16(b, u"b"), UE_STRN(c, "c", 1), UE_XML(d, "<d/>"), UE_JSON(e, "1"),
	       UE_LATIN1(f, "f"), UE_BYTES(g, id, 4));
	UE_LOG(failed, "Nested", UE_ARRAY(I32, some, ints, 3), UE_FIXED_ARRAY(I32, three, ints, 3),
	       UE_STRUCT(to, UE_STR(city, "Oslo"), UE_STRUCT(at, UE_F64(x, 1), UE_F64(y, 2))), UE_U8(last, 1));
	for (int i = 0; i < 2; i++)
		UE_LOG(info, "Twice", UE_ACTIVITY(id), UE_U32(a, 1));
	UE_LOG(info, "Twice", UE_U32(a, 1));
	UE_LOG(info, "Twice", UE_STR(a, "other"));
	UE_LOG(info, "Empty");
	/* a listing has the start before the stop, in any order of the source */
	UE_LOG(options, "Job", UE_ACTIVITY(id), UE_OPCODE(UE_OPCODE_ACTIVITY_STOP));
	UE_LOG(options, "Job", UE_ACTIVITY(id), UE_OPCODE(UE_OPCODE_ACTIVITY_START));
	return 0;
}
END
"${CC:-gcc}" -std=gnu11 -Iinclude -o "$dir/types" "$dir/types.c" || fail "types.c does not compile"
cat >"$dir/expected" <<'END'
Types_L2K3Ggrouped
    events of provider Types, level 2 (error), keyword 0x3, group grouped
    Types:Nested
        s32[] some
        s32[3] three
        string to.city
        f64 to.at.x
        f64 to.at.y
        u8 last
Types_L2K4A1GgHx
    events of provider Types, level 2 (error), keyword 0x4, group g, options A1GgHx
    Types:Job (start)
    Types:Job (stop)
Types_L4K1
    events of provider Types, level 4 (information), keyword 0x1
    Types:Empty
    Types:Numbers
        u8 a
        s16 b
        u32 c
        s64 d
        x32 e
        f32 f
        f64 g
    Types:Others
        bool a
        errno b
        pid c
        time d
        port e
        char f
        uuid g
        ip h
        ip i
    Types:Texts
        string a
        string16 b
        string c
        xml d
        json e
        string f
        bytes g
    Types:Twice
        u32 a
    Types:Twice
        string a
plain
    u32 status
    __rel_loc char[] path
END
# For a binary, uetrace list also prints the USDT probes.
sed -E 's/^    Types:(Nested)$/&  (USDT probe failed:\1)/; s/^    Types:(Job) .*$/&  (USDT probe options:\1)/; s/^    Types:([A-Z][a-z]+)$/&  (USDT probe info:\1)/' "$dir/expected" \
	>"$dir/declared"
# blocks: prints the events of a listing, sorted by name
blocks()
{
	awk '/^[^ ]/ { name = $0; n = 0 } { printf "%s\t%04d\t%s\n", name, n++, $0 }' "$1" | LC_ALL=C sort | cut -f 3
}
UE_RECORD=$dir/types.uer:keep "$dir/types" || fail "types failed"
list "$dir/types.uer"
expect "a capture" "0 $(cat "$dir/expected")" "$status $(cat "$dir/out")"
expect "nothing to tell of a capture" "" "$(cat "$dir/err")"
UE_RECORD=$dir/types.uer "$dir/types" || fail "types failed"
list "$dir/types.uer"
expect "a flight recorder" "0 $(cat "$dir/expected")" "$status $(cat "$dir/out")"
list "$dir/types"
expect "a binary" "0 $(cat "$dir/declared")" "$status $(blocks "$dir/out")"
list --json "$dir/types"
expect "JSON of an event of a set" 1 "$(grep -cF '"name": "Types_L2K3Ggrouped", "provider": "Types", "level": 2, "keyword": "0x3", "group": "grouped", "fields": [ { "type": "u8", "name": "eventheader_flags" }' "$dir/out")"
expect "JSON of its fields" 1 "$(grep -cF '], "events": [ { "name": "Types:Nested", "fields": [ { "type": "s32[]", "name": "some" }, { "type": "s32[3]", "name": "three" }, { "type": "string", "name": "to.city" }, { "type": "f64", "name": "to.at.x" }, { "type": "f64", "name": "to.at.y" }, { "type": "u8", "name": "last" } ], "probe": "failed:Nested" } ] }' "$dir/out")"
if command -v python3 >/dev/null; then
	python3 -c 'import json, sys; [json.loads(line) for line in sys.stdin]' <"$dir/out" || fail "the output is not valid JSON"
fi
# Every event of the program is listed exactly once, under its set.
cat >"$dir/many.c" <<'END'
#include <stdio.h>
#include <user_events_builder.h>
#include <user_events_recorder.h>

UE_EVENT_SET(many, "Many", UE_LEVEL_INFORMATION, 0x1);

int main(void)
{
	char name[16], buffer[256];
	struct ue_builder b;

	ue_recorder_environment();
	for (int i = 0; i < 10000; i++) {
		snprintf(name, sizeof(name), "event%d", i / 2);
		ue_builder_begin(&b, buffer, sizeof(buffer), name, 0);
		ue_add_u8(&b, "a", 1);
		ue_builder_write(&b, &many, NULL, NULL);
	}
	return 0;
}
END
"${CC:-gcc}" -std=gnu11 -Iinclude -o "$dir/many" "$dir/many.c" || fail "many.c does not compile"
UE_RECORD=$dir/many.uer:4M:keep "$dir/many" || fail "many failed"
list "$dir/many.uer"
expect "many events of a set" "0 5000 1" "$status $(grep -c Many:event "$dir/out") $(grep -c 'Many:event4999$' "$dir/out")"

# The name of a UE_LOG event may be any text, and its USDT probe has the same name. In an object
# file, probes have no addresses yet.
cat >"$dir/names.c" <<'END'
#include <user_events.h>

UE_EVENT_SET(info, "Names", UE_LEVEL_INFORMATION, 0x1);

int main(void)
{
	struct ue_event_set *set = &info;

	UE_LOG(info, "2nd try, 100% of \"a b\"\t{%d} $1", UE_U8(a, 1));
	UE_LOG(*set, "of a set that nobody knows", UE_U8(a, 1));
	return 0;
}
END
"${CC:-gcc}" -std=gnu11 -Iinclude -c -o "$dir/names.o" "$dir/names.c" || fail "names.c does not compile"
"${CC:-gcc}" -o "$dir/names" "$dir/names.o" || fail "names.o does not link"
list "$dir/names"
expect "names that are no identifiers" '0 Names_L4K1
    events of provider Names, level 4 (information), keyword 0x1
    Names:2nd try, 100% of "a b"?{%d} $1  (USDT probe info:2nd try, 100% of "a b"?{%d} $1)
        u8 a' "$status $(cat "$dir/out")"
list --json "$dir/names"
expect "the same in JSON" 1 "$(grep -cF '"probe": "info:2nd try, 100% of \"a b\"\t{%d} $1"' "$dir/out")"
list "$dir/names.o"
expect "an object file" "1 uetrace: cannot list the events of $dir/names.o: it is an object file; list the linked program instead" \
	"$status $(cat "$dir/err")"
# Filters and hist accept the names that uetrace list prints.
expect "a filter by a listed name" 1 "$("$uetrace" show -f 'to.at.y == 2 && to.city == "Oslo"' "$dir/types.uer" 2>/dev/null | wc -l)"

# perf recordings are recognised by their contents, with any of perf's usual file names.
list tests/data/perf_packed.data
expect "perf.data" "0 Example_Server_L2K1
    events of provider Example_Server, level 2 (error), keyword 0x1
    Example_Server:CannotServe
        string path
        errno error
Example_Server_L4K1
    events of provider Example_Server, level 4 (information), keyword 0x1
    Example_Server:RequestStart (start)
        string path
        s32 fd
    Example_Server:RequestStop (stop)
        s32 status
        u64 bytes
        f64 ms
request_done
    s32 status
    u64 bytes
    __rel_loc char[] path" "$status $(cat "$dir/out")"
tests/fuzz/perf_seeds.py "$dir" || fail "no recordings"
list "$dir/big_endian"
expect "of another machine" "0 request_done" "$status $(head -n 1 "$dir/out")"
cp tests/data/perf_one.data "$dir/perf.data"
cd "$dir" || exit 1
list perf.data
expect "without a slash" "0 request_done" "$status $(head -n 1 out)"
head -c 5000 perf.data >cut.data
list cut.data
expect "a truncated recording" 1 $status
grep -qE 'cut.data: .* at byte [0-9]+$' err || fail "a truncated recording: $(cat err)"
list types
expect "a program in the current directory" "0 $(cat declared)" "$status $(blocks out)"
expect "the type of the file" 'uetrace: types is not an event; listing the events of ./types' "$(grep -v '^uetrace: tracefs is not mounted; ' err)"
echo nothing >text
list ./text
expect "a name that is neither an event nor a file" "1 uetrace: cannot list ./text: it is neither an ELF binary nor a recording" "$status $(cat err)"
list "${server%/*}/runtime"
expect "a program that only registers events while it runs" "1 uetrace: ${server%/*}/runtime declares no events. Events that it registers \
while it runs (ue_event_register(), include/compat) are shown from then on; to show their first occurrences, too: uetrace \
register --persist 'SPEC'" "$status $(cat err)"
list ./types ./perf.data
expect "several files" "0 2" "$status $(grep -cE '^(plain|request_done)$' out)"

# Probe sites with the same name but different semaphores are marked, because some tools set only
# one of the semaphores. The sites of one UE_LOG share a semaphore, and so do sites in the same
# function.
cat >sites.c <<'END'
#include <user_events.h>

UE_EVENT_SET(set, "Sites", UE_LEVEL_INFORMATION, 1);
UE_TRACEPOINT(function, UE_I32(i));

int main(int argc, char **argv)
{
	(void)argv;
	UE_TRACE(twice, argc);
	UE_TRACE(once, argc);
	UE_TRACE(twice, argc);
	UE_LOG(set, "Logged", argc);
	UE_LOG(set, "Logged", argc);
	trace_function(1);
	trace_function(2);
	return 0;
}
END
"${CC:-gcc}" -std=gnu11 -I"$top/include" -o sites sites.c || fail "sites.c does not compile"
list ./sites
expect "sites" "0 function once Sites_L4K1 twice (2 sites)" "$status $(grep '^[^ ]' out | LC_ALL=C sort -f | xargs)"
list --json ./sites
expect "sites in JSON" 1 "$(grep -c '"name": "twice", "fields": \[ .* \], "sites": 2 }' out)"
expect "sites of others in JSON" 1 "$(grep -c '"sites"' out)"
sed -i '0,/twice, argc/s//&, UE_STR(name, "")/' sites.c
"${CC:-gcc}" -std=gnu11 -I"$top/include" -o sites sites.c || fail "sites.c does not compile"
list ./sites
expect "fields that disagree" 2 "$(grep -c '^twice  .*(an event of this name has other fields)$' out)"
expect "fields of others" 2 "$(grep -c 'other fields' out)"

# For a program, the probes of its libraries are listed, too.
list "${server%/*}/library"
grep -q '^parser_line$' out || fail "a library: $(cat out)"

# A probe's provider name contains an escape character, which must not reach the terminal.
printf '#include <user_events_sdt.h>\nint main(void)\n{\n\tDTRACE_PROBE(my_own, step);\n\treturn 0;\n}\n' >own.c
"${CC:-gcc}" -std=gnu11 -I"$top/include" -o own own.c || fail "own.c does not compile"
LC_ALL=C sed 's/my_own\x00step/my\x1bown\x00step/g' own >controls
list ./controls
grep -q '^usdt:my?own:step$' out || fail "a provider's name: $(cat -v out)"
LC_ALL=C sed 's/my_own\x00step/my\xe2\x80\xae\x6e\x00step/g' own >controls
list ./controls
grep -q '^usdt:my?n:step$' out || fail "a name that changes the direction: $(cat -v out)"
list --json ./controls
grep -qF '{ "system": "usdt:my\u202en", "name": "step"' out || fail "the same in JSON: $(cat -v out)"

echo "uetrace list: $checks checks"
