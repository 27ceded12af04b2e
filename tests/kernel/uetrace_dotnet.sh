#!/bin/sh
# SPDX-License-Identifier: MIT
#
# uetrace must show the events of a running program that writes them in the same way as the .NET
# runtime. The filter uses a field that is known to uetrace but not to the kernel.

. "${0%/*}/helpers/lib.sh"
need_uetrace

# Masks the time, CPU and thread.
fields()
{
	sed -E 's/^[0-9:]+\.[0-9]+ \[[0-9]{3}\] [^ ]+ //'
}

expected='Shop:Order items=0 who="ann"
Shop:Order items=1 who="ann"
Shop:Order items=2 who="ann"
Microsoft-Windows-DotNETRuntime:80 payload_size=12
dotnet_provider:9 payload_size=12'
assert "$uetrace" run "$programs/dotnet" >out 2>err
assert_eq "$expected" "$(fields <out)" "events of watch"
assert "$uetrace" run -f 'items >= 1' "$programs/dotnet" >out 2>err
assert_eq "$(echo "$expected" | sed -n 2,3p)" "$(fields <out)" "events that pass the filter"
assert "$uetrace" run -e dotnet_provider -l error "$programs/dotnet" >out 2>err
assert_eq "$(echo "$expected" | sed -n 4p)" "$(fields <out)" "events up to the level"
