"""Stands before every probe. Standard library only.

A probe defines attack(), which returns evidence when it truly succeeded, and calls
run(attack). What it prints is read by who runs it: ESCAPED:<name> when it
succeeded, HELD:<name>:<reason> when the kernel refused or there was nothing to
find. Anything else is a defect of the probe, but for death by SIGSYS and for an
ending that its header names.

Everything with native code is imported here: later the sandbox lets none in.
"""

import ctypes
import errno
import fcntl
import glob
import json
import mmap
import os
import platform
import resource
import signal
import socket
import stat
import struct
import sys
import termios
import threading
import time

NAME = "@name@"
# What is laid out on the host (secret: a path; tcp_port; abstract: a socket's name;
# shm_id: SysV; victim: text in the environment of a process), and the run's limits.
HOST = json.loads("@host@")
SECRET = b"hotcell-secret:"
LIMITS = HOST["limits"]

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.syscall.restype = ctypes.c_long

# System call numbers by processor and name, from the table that the filters are made
# with: those of the processor that the runner was built for.
CALLS = json.loads("@calls@")


def call(name, *arguments):
    """Makes a system call by number, so that no wrapper of libc stands between."""
    if platform.machine() not in CALLS:
        raise SystemExit(f"the probes were made for {', '.join(CALLS)} and run on {platform.machine()}")
    return numbered(CALLS[platform.machine()][name], name, *arguments)


def numbered(number, name, *arguments):
    prepared = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    result = LIBC.syscall(ctypes.c_long(number), *prepared)
    if result == -1:
        raise OSError(ctypes.get_errno(), name)
    return result


def libc(name, *arguments):
    result = getattr(LIBC, name)(*arguments)
    if result == -1:
        raise OSError(ctypes.get_errno(), name)
    return result


def reaches(name, *arguments, refusals=("EPERM", "ENOSYS")):
    """Tells whether a call reaches the kernel's code for it, by its failing on its arguments."""
    try:
        call(name, *arguments)
    except OSError as error:
        code = errno.errorcode.get(error.errno, str(error.errno))
        return None if code in refusals else code
    return "done"


def map_memory(size, protection, flags=0x22, descriptor=-1, address=None):
    """Returns an address. The default is private and anonymous."""
    LIBC.mmap.restype = ctypes.c_void_p
    address = LIBC.mmap(ctypes.c_void_p(address), ctypes.c_size_t(size), protection, flags, descriptor, ctypes.c_long(0))
    if address in (None, ctypes.c_void_p(-1).value):
        raise OSError(ctypes.get_errno(), "mmap")
    return address


RETURN_42 = {
    "x86_64": b"\xb8\x2a\x00\x00\x00\xc3",  # mov eax, 42; ret
    "aarch64": b"\x40\x05\x80\x52\xc0\x03\x5f\xd6",  # mov w0, #42; ret
}[platform.machine()]


def execute(address):
    """Calls the code at an address."""
    return ctypes.CFUNCTYPE(ctypes.c_int)(address)()


def holds_secret(path):
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        return os.read(descriptor, len(SECRET)) == SECRET
    except OSError:
        return False
    finally:
        os.close(descriptor)


def first(candidates, test):
    """Returns the first candidate for which test holds; a refusal by the kernel is not one."""
    for candidate in candidates:
        try:
            if test(candidate):
                return candidate
        except OSError:
            continue
    return None


def processes():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def foreign():
    return [pid for pid in processes() if pid != os.getpid()]


def status_field(name, pid="self"):
    with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as file:
        for line in file:
            key, _, value = line.partition(":")
            if key == name:
                return value.strip()
    return None


def walk_image():
    """Yields every directory but what is below /proc, with the names of its files."""
    for directory, subdirectories, files in os.walk("/"):
        if directory == "/" and "proc" in subdirectories:
            subdirectories.remove("proc")
        yield directory, files


def open_for_writing(path):
    """Tells whether a file opens for writing; a mask, which is /dev/null in its place, is none."""
    descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
    try:
        return stat.S_ISREG(os.fstat(descriptor).st_mode)
    finally:
        os.close(descriptor)


def remove(path):
    try:
        os.unlink(path)
    except OSError as error:
        if error.errno != errno.ENOENT:
            raise


def fill_with_bytes(directory, limit):
    """Writes files until they hold more than limit bytes; ENOSPC ends it. Leaves none."""
    paths, written, block = [], 0, b"x" * (1 << 18)
    try:
        while written <= limit:
            paths.append(os.path.join(directory, f"hotcell-{NAME}-{len(paths)}"))
            with open(paths[-1], "wb", buffering=0) as file:
                written += file.write(block)
        return f"{written} bytes"
    finally:
        for path in paths:
            remove(path)


def fill_with_names(directory, limit):
    """Makes more directories than limit; ENOSPC ends it. Leaves none."""
    made = []
    try:
        while len(made) <= limit:
            path = os.path.join(directory, f"hotcell-{NAME}-{len(made)}")
            os.mkdir(path)
            made.append(path)
        return f"{len(made)} directories"
    finally:
        for path in made:
            os.rmdir(path)


def raise_limit(name, value):
    try:
        resource.setrlimit(getattr(resource, name), (value, value))
    except ValueError as error:  # how Python puts EPERM
        raise PermissionError(errno.EPERM, name) from error
    return value


def any_of(*attempts):
    """Returns the evidence of the first attempt that succeeds; raises the last refusal when each was refused."""
    refusal = None
    for attempt in attempts:
        try:
            evidence = attempt()
        except OSError as error:
            refusal = error
            continue
        if evidence is not None and evidence is not False:
            return evidence
    if refusal is not None:
        raise refusal
    return None


def ignore_signals():
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            continue


def run(attack):
    try:
        evidence = attack()
    except OSError as error:
        print(f"HELD:{NAME}:{errno.errorcode.get(error.errno, error.errno)}", flush=True)
        return
    if evidence is None or evidence is False:
        print(f"HELD:{NAME}:nothing found", flush=True)
        return
    print(f"ESCAPED:{NAME} {evidence}", flush=True)
