"""Tries, one by one, what the profile is to deny and what it is to leave, and prints
how each went: "done", or the name of the error. It runs as root with every capability
and without a seccomp filter: what stops it is the profile or nothing."""

import ctypes
import errno
import json
import mmap
import os
import shutil
import signal
import socket
import subprocess
import threading

libc = ctypes.CDLL(None, use_errno=True)
CLONE_NEWUSER, MS_RDONLY, PTRACE_ATTACH = 0x10000000, 1, 16


def call(function, *arguments):
    if function(*arguments) < 0:
        raise OSError(ctypes.get_errno(), "")


def opened(path, flags=os.O_RDONLY):
    os.close(os.open(path, flags))


def written(path):
    with open(path, "w") as file:
        file.write("x")


def in_child(function):
    """A new process tries: what it has done to itself ends with it."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, outcome(function).encode())
        os._exit(0)
    os.waitpid(child, 0)
    if (said := os.read(reader, 100).decode()) != "done":
        raise OSError(getattr(errno, said, 0), "")


def traced():
    child = os.fork()
    if child == 0:
        signal.pause()
    try:
        call(libc.ptrace, PTRACE_ATTACH, child, None, None)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def executed_copy():
    shutil.copy("/usr/bin/python3", "/tmp/python")
    subprocess.run(["/tmp/python", "-c", ""], check=True)


def executable_map():
    written("/tmp/code")
    with open("/tmp/code", "r+b") as file:
        mmap.mmap(file.fileno(), 1, prot=mmap.PROT_READ | mmap.PROT_EXEC).close()


def threads():
    thread = threading.Thread(target=lambda: None)
    thread.start()
    thread.join()


def moved():
    os.mkdir("/tmp/dir")
    written("/tmp/dir/a")
    os.rename("/tmp/dir/a", "/tmp/dir/b")
    os.remove("/tmp/dir/b")
    os.rmdir("/tmp/dir")


def killed_child():
    child = os.fork()
    if child == 0:
        signal.pause()
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def written_label(command):
    with open("/proc/self/attr/current", "w") as file:
        file.write(command)


DENIED = {
    "write outside its zones": lambda: written("/run/x"),
    "read outside its zones": lambda: opened("/run/secret"),
    "write into the bundle": lambda: written("/bundle/x"),
    "make a device": lambda: os.mknod("/tmp/null", 0o020666, os.makedev(1, 3)),
    "give a file away": lambda: (written("/tmp/c"), os.chown("/tmp/c", 1, 1)),
    "execute what it wrote": executed_copy,
    "map what it wrote as code": executable_map,
    "mount": lambda: call(libc.mount, b"none", b"/output", b"tmpfs", MS_RDONLY, None),
    "unmount": lambda: call(libc.umount2, b"/bundle", 2),
    "trace a process": traced,
    "write its own code pages": lambda: opened("/proc/self/mem", os.O_RDWR),
    "make an Internet socket": lambda: socket.socket().close(),
    "make a Unix socket": lambda: socket.socketpair(),
    "make a netlink socket": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close(),
    "make a user namespace": lambda: in_child(lambda: call(libc.unshare, CLONE_NEWUSER)),
    "name the host": lambda: socket.sethostname("hotcell-test"),
    "signal another": lambda: os.kill(os.getppid(), 0),
    "open sysrq-trigger": lambda: opened("/proc/sysrq-trigger", os.O_WRONLY),
    "write a sysctl": lambda: opened("/proc/sys/kernel/hostname", os.O_WRONLY),
    "read a sysctl": lambda: opened("/proc/sys/kernel/core_pattern"),
    "read the kernel's memory map": lambda: opened("/proc/iomem"),
    "read kallsyms": lambda: opened("/proc/kallsyms"),
    "write an oom score": lambda: opened("/proc/self/oom_score_adj", os.O_WRONLY),
    "leave its profile": lambda: written_label("changeprofile unconfined"),
}

ALLOWED = {
    "write output": lambda: written("/output/x"),
    "write scratch": lambda: written("/tmp/x"),
    "rename and remove": moved,
    "look at a link of the image": lambda: os.lstat("/lib"),
    "make links": lambda: (written("/output/a"), os.link("/output/a", "/output/b"), os.symlink("/etc/passwd", "/output/c")),
    "read the bundle": lambda: opened("/bundle/table.csv"),
    "read the image": lambda: opened("/etc/passwd"),
    "list places": lambda: [os.listdir(place) for place in ("/", "/usr", "/bundle", "/output", "/tmp", "/proc", "/dev")],
    "read of the machine": lambda: [opened("/proc/" + name) for name in ("cpuinfo", "meminfo", "stat", "self/status", "self/maps")],
    "use devices": lambda: [opened("/dev/null", os.O_RDWR), opened("/dev/urandom")],
    "load a library": lambda: __import__("numpy"),
    "start a thread": threads,
    "start itself": lambda: subprocess.run(["/usr/bin/python3", "-c", ""], check=True),
    "signal itself": lambda: os.kill(os.getpid(), 0),
    "signal a child": killed_child,
}


def outcome(function):
    try:
        function()
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error.errno))
    except Exception as error:
        return repr(error)
    return "done"


with open("/proc/self/attr/current") as file:
    label = file.read().strip("\0\n")
print(json.dumps({
    "label": label,
    "allowed": {name: outcome(function) for name, function in ALLOWED.items()},
    "denied": {name: outcome(function) for name, function in DENIED.items()},
}))
