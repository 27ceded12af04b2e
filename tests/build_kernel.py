#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/kernel/build-kernel on a terminal, with a kernel of ten lines: Ctrl-C ends it and all that
it started, at each step; the next start goes on and prints an image that is there.
What it and vm say when there is no image, and when QEMU crashes."""
import fcntl
import glob
import os
import pty
import shutil
import signal
import subprocess
import sys
import time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
AT = TOP + "/build/build-kernel-test"
CACHE = AT + "/cache"
# Each step says that it began, and waits for a file of its name.
MAKEFILE = """
tinyconfig:
	@touch .config
olddefconfig:
	@touch $(STEPS)/configuring
	@until [ -e $(STEPS)/configure ]; do sleep 0.05; done
bzImage:
	@echo '  CC      one.o'
	@touch $(STEPS)/compiling
	@until [ -e $(STEPS)/compile ]; do sleep 0.05; done
	@mkdir -p arch/x86/boot && echo image >arch/x86/boot/bzImage
"""


def fail(message):
    for process in left():
        os.kill(process, signal.SIGKILL)
    sys.exit("FAILED: " + message)


def write(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, mode)


def wait_for(what, condition):
    for _ in range(600):
        if condition():
            return
        time.sleep(0.05)
    fail("waited in vain for: " + what)


def start():
    """build-kernel in a session of its own, on a terminal. What it prints goes to a file."""
    try:
        child, terminal = pty.fork()
    except OSError as error:
        print("skipped: there is no terminal to interrupt:", error)
        sys.exit(0)
    if child == 0:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.dup2(os.open(AT + "/image", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
        os.execv(TOP + "/tests/kernel/build-kernel", ["build-kernel"])
    os.set_blocking(terminal, False)
    return child, terminal


def end(child, terminal):
    """Its exit status, and the file that it printed."""
    for _ in range(600):
        time.sleep(0.05)
        try:
            os.read(terminal, 4096)
        except OSError:
            pass  # nothing there, or nobody has the terminal any more
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            os.close(terminal)
            with open(AT + "/image") as file:
                return os.waitstatus_to_exitcode(status), file.read().strip()
    os.kill(child, signal.SIGKILL)


def left():
    """Processes that run in the kernel's tree."""
    found = []
    for cwd in glob.glob("/proc/[0-9]*/cwd"):
        try:
            if os.readlink(cwd).startswith(CACHE):
                found.append(int(cwd.split("/")[2]))
        except OSError:
            pass
    return found


def lock_is_free():
    with open(CACHE + "/lock") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def told(*command, **variables):
    return subprocess.run(command, env=dict(os.environ, **variables), stderr=subprocess.PIPE,
                          text=True, check=False).stderr


def main():
    shutil.rmtree(AT, ignore_errors=True)
    write(AT + "/linux/Makefile", MAKEFILE)
    write(AT + "/linux/scripts/kconfig/merge_config.sh",
          "#!/bin/sh\nshift 2\ncat \"$@\" >.config\n", 0o755)
    subprocess.run(["tar", "-C", AT, "-cf", AT + "/linux-6.12.tar", "linux"], check=True)
    for tool in "flex", "bison", "bc", "xz":
        write(AT + "/bin/" + tool, "#!/bin/sh\n", 0o755)
    for name in "UE_KERNEL", "UE_KERNEL_WITHOUT", "MAKEFLAGS", "MFLAGS":
        os.environ.pop(name, None)
    os.environ.update(PATH=AT + "/bin:" + os.environ["PATH"], UE_CACHE=CACHE, STEPS=AT,
                      UE_LINUX=AT + "/linux-6.12.tar")
    for began, goes_on in ("configuring", "configure"), ("compiling", "compile"):
        child, terminal = start()
        wait_for(began, lambda: os.path.exists(AT + "/" + began))
        os.write(terminal, b"\x03")
        status, image = end(child, terminal)
        if status != 130 or image:
            fail("%s, Ctrl-C: status %d, printed '%s'" % (began, status, image))
        if left() or not lock_is_free():
            fail("%s, Ctrl-C: processes %s still run" % (began, left()))
        write(AT + "/" + goes_on, "")
    status, image = end(*start())
    if status != 0 or not os.path.isfile(image):
        fail("goes on: status %d, printed '%s'" % (status, image))
    first = told(TOP + "/tests/kernel/build-kernel", "without", UE_LINUX=AT + "/nothing")
    if not first.startswith("build-kernel: UE_KERNEL_WITHOUT is not set, so a kernel is built"):
        fail("before a kernel is built: " + first)
    write(AT + "/bin/qemu-system-x86_64", "#!/bin/sh\nkill -SEGV $$\n", 0o755)
    crash = told(TOP + "/tests/kernel/vm", "true", UE_KERNEL=image)
    if "vm: QEMU itself crashed; try again, or with -c 1\n" not in crash:
        fail("QEMU crashes: " + crash)
    print("interrupted twice, then an image")


main()
