#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""records.py [LIMIT] <FILE: prints each record of each request as a separate request, one per line.

Checks and removes the observed time that each log must have. Exits with 1 if a key occurs twice in an object or a
list of attributes, or if a line is longer than LIMIT (49152) bytes.
"""
import json
import sys


def members(pairs):
    assert len({k for k, _ in pairs}) == len(pairs), f"a key occurs twice in an object: {pairs}"
    return dict(pairs)


def check(value):
    """Checks that the keys of attributes and of kvlistValue are unique."""
    if isinstance(value, dict):
        for each in value.values():
            check(each)
    elif isinstance(value, list):
        keys = [e["key"] for e in value if isinstance(e, dict) and "key" in e]
        assert len(set(keys)) == len(keys), f"a key occurs twice: {keys}"
        for each in value:
            check(each)


limit = int(sys.argv[1]) if len(sys.argv) > 1 else 49152
for line in sys.stdin:
    assert len(line.encode()) <= limit, f"a line of {len(line.encode())} bytes"
    request = json.loads(line, object_pairs_hook=members)
    check(request)
    for kind, resources in request.items():
        scopes, records = ("scopeLogs", "logRecords") if kind == "resourceLogs" else ("scopeSpans", "spans")
        for resource in resources:
            for scope in resource[scopes]:
                for record in scope[records]:
                    if records == "logRecords":
                        assert int(record.pop("observedTimeUnixNano")) > 1700000000 * 10**9
                        # a record of events lost before the first event has no time
                        assert int(record.get("timeUnixNano", record.get("eventName") == "lost"))
                        assert record["body"]["stringValue"], record
                    print(json.dumps({kind: [{"resource": resource["resource"], scopes: [
                        {"scope": scope["scope"], records: [record]}]}]}, separators=(",", ":"), ensure_ascii=False))
