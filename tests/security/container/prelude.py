"""Stands before every attack. Standard library only.

An attack defines attack(), which returns evidence when it truly succeeded, and
calls run(attack). What it prints is for the driver: ESCAPED:<name> when it
succeeded, HELD:<name>:<reason> when the kernel refused or there was nothing to
find. Anything else is a defect of the attack, but for death by SIGSYS.
"""

import ctypes
import errno
import glob
import json
import os
import platform
import socket
import stat
import struct
import sys
import time

NAME = sys.argv[1]
# What the driver has laid out on the host: secret (path), tcp_port, abstract
# (socket name), shm_id (SysV), victim (text in a host process's environment).
HOST = json.loads(sys.argv[2])
SECRET = b"hotcell-secret:"

LIBC = ctypes.CDLL(None, use_errno=True)

CALLS = {
    "shmat": 30, "getpid": 39, "ptrace": 101, "syslog": 103, "personality": 135, "modify_ldt": 154,
    "pivot_root": 155, "acct": 163, "iopl": 172, "set_mempolicy": 238, "add_key": 248, "keyctl": 250,
    "inotify_init1": 294, "unshare": 272, "splice": 275, "vmsplice": 278, "perf_event_open": 298,
    "fanotify_init": 300, "name_to_handle_at": 303, "open_by_handle_at": 304, "setns": 308,
    "process_vm_readv": 310, "memfd_create": 319, "bpf": 321, "userfaultfd": 323, "io_uring_setup": 425,
    "open_tree": 428, "fsopen": 430, "clone": 56, "clone3": 435, "pidfd_open": 434, "pidfd_getfd": 438,
    "mq_open": 240, "capset": 126, "clock_settime": 227, "execveat": 322, "mmap": 9,
}  # fmt: skip


def call(name, *arguments):
    """Makes a system call by number, so that no wrapper of libc stands between."""
    if platform.machine() != "x86_64":
        raise SystemExit("the attacks know the system call numbers of x86_64 only")
    prepared = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    LIBC.syscall.restype = ctypes.c_long
    result = LIBC.syscall(ctypes.c_long(CALLS[name]), *prepared)
    if result == -1:
        raise OSError(ctypes.get_errno(), name)
    return result


def libc(name, *arguments):
    result = getattr(LIBC, name)(*arguments)
    if result == -1:
        raise OSError(ctypes.get_errno(), name)
    return result


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


def open_for_writing(path):
    """Tells whether a file opens for writing; a mask, which is /dev/null in its place, is none."""
    descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
    try:
        return stat.S_ISREG(os.fstat(descriptor).st_mode)
    finally:
        os.close(descriptor)


def raise_limit(name, value):
    import resource

    try:
        resource.setrlimit(getattr(resource, name), (value, value))
    except ValueError as error:  # how Python puts EPERM
        raise PermissionError(errno.EPERM, name) from error
    return value


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
