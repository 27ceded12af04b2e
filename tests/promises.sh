#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Checks tests/promises.txt: each file must exist, run, and contain the named test, and each page
# must contain the named text.

. "$(dirname "$0")/checks.sh"
make -s print-tests >"$dir/targets" || fail "make print-tests"
python3 - "$dir/targets" <<'END' || exit 1
import fnmatch, os, re, sys

TARGETS = set(open(sys.argv[1]).read().split())
# the make target that runs a file, or None if `make check-kernel` runs the whole directory
RUN_BY = [("tests/kernel/*.sh", None), ("tests/kernel/test_*.c", None), ("tests/fake_kernel/abi/*", "abi_table"),
          ("tests/compile/good/*", "compile_fast"), ("tests/compile/bad/*", "compile_fast"),
          ("tests/compile/sdt", "compile_gcc"), ("tests/uetrace/*.sh", "uetrace_{}"), ("*", "{}")]
texts = {}


def read(path):
    if path not in texts:
        texts[path] = open(path).read() if os.path.isfile(path) else None
    return texts[path]


def contains(path, test):
    if path.endswith("/rows.c"):
        return f'{{ "{test}", {{' in read(path) or test.startswith("TAKEN(") and test in read(path)
    if re.match(r"tests/(unit|kernel|uetrace)/.*\.cc?$", path):
        return re.search(rf"^TEST(_[A-Z]+)*\({test}[,)]", read(path), re.M)
    return test in read(path) and (path.endswith((".c", ".h")) or os.access(path, os.X_OK))


def runs(path):
    target = next(target for pattern, target in RUN_BY if fnmatch.fnmatch(path, pattern))
    name = target and target.format(os.path.splitext(os.path.basename(path))[0])
    return not name or name in TARGETS or f"{name}.asan" in TARGETS


def check(line):
    """Returns why a line is wrong, or None."""
    columns = line.split("\t")
    if len(columns) != 3 or not all(columns):
        return "not three columns"
    _, path, test = columns
    if path in ("impossible", "not promised"):
        return None
    if path == "differs":
        page, text = test.split(": ", 1)
        return None if text in (read(page) or "") else f"{page} does not contain: {text}"
    if read(path) is None:
        return f"{path} does not exist"
    if not contains(path, test):
        return f"{path} does not contain the test: {test}"
    return None if runs(path) else f"no make target runs {path}"


lines = [line for line in read("tests/promises.txt").splitlines() if line and not line.startswith("#")]
wrong = [f"tests/promises.txt: {line}: {why}" for line in lines if (why := check(line))]
print("\n".join(wrong) if wrong else f"promises: {len(lines)} checks")
sys.exit(1 if wrong or len(lines) < 300 else 0)
END
