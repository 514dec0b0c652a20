"""Tells what a process in a sandbox has, as one line of JSON, and waits.

Standard library only. It judges nothing: the host compares what is said here with
what it sees from outside, and one engine's sandbox with another's. Its argument is
a JSON object with the paths to look at.
"""

import ctypes
import json
import os
import platform
import resource
import socket
import stat
import sys

ASKED = json.loads(sys.argv[1])


def lines(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read().splitlines()


def status():
    return {key: value.strip() for key, _, value in (line.partition(":") for line in lines("/proc/self/status"))}


NAMESPACES = "cgroup ipc mnt net pid pid_for_children time time_for_children user uts".split()


def namespaces():
    """Returns the namespaces by name. A process that is not dumpable cannot list its own."""
    known = [name for name in NAMESPACES if os.path.lexists("/proc/self/ns/" + name)]
    return {name: os.readlink("/proc/self/ns/" + name) for name in known}


def mounts():
    """Returns the last mount on each point, which hides those before."""
    found = {}
    for line in lines("/proc/self/mountinfo"):
        left, right = line.split(" - ", 1)
        point, options = left.split()[4:6]
        kind = right.split()[0]
        guards = sorted({"ro", "nosuid", "nodev", "noexec"} & set(options.split(",")))
        found[point] = f"{kind} {','.join(guards)}"
    return found


def sizes():
    """Returns the caps of file systems in memory, as the kernel shows them: stage 1 has no statfs(2)."""
    found = {}
    for line in lines("/proc/self/mountinfo"):
        left, right = line.split(" - ", 1)
        options = dict(option.partition("=")[::2] for option in right.split()[-1].split(","))
        if left.split()[4] in ("/tmp", "/output", "/dev"):
            found[left.split()[4]] = {key: options.get(key) for key in ("size", "nr_inodes")}
    return found


def visible(path):
    """Says what a masked path shows: nothing, or how much."""
    try:
        kind = os.stat(path).st_mode
        if stat.S_ISDIR(kind):
            return f"{len(os.listdir(path))} entries" if os.listdir(path) else "hidden"
        if stat.S_ISCHR(kind) and os.stat(path).st_rdev == os.makedev(1, 3):
            return "hidden"
        return "a file"
    except (FileNotFoundError, NotADirectoryError):
        return "hidden"


def devices():
    found = {}
    for directory, _, names in os.walk("/dev"):
        for name in names:
            path = os.path.join(directory, name)
            kind = os.lstat(path)
            if stat.S_ISCHR(kind.st_mode) or stat.S_ISBLK(kind.st_mode):
                found[path] = f"{os.major(kind.st_rdev)}:{os.minor(kind.st_rdev)} {access(path)}"
    return found


def access(path):
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY))
    except OSError:
        return "closed"
    return "opens"


def limits():
    names = sorted(name for name in dir(resource) if name.startswith("RLIMIT_"))
    return {name: list(resource.getrlimit(getattr(resource, name))) for name in names}


def descriptors():
    kinds = {stat.S_IFIFO: "pipe", stat.S_IFSOCK: "pipe"}  # which of the two is the engine's choice
    found = {}
    for number in range(1024):
        try:
            kind = stat.S_IFMT(os.fstat(number).st_mode)
        except OSError:
            continue
        found[str(number)] = kinds.get(kind, oct(kind))
    return found


def scheduling():
    fields = lines("/proc/self/stat")[0].rpartition(")")[2].split()
    return {"nice": fields[16], "real_time_priority": fields[37], "policy": fields[38]}


def umask():
    mask = os.umask(0)
    os.umask(mask)
    return oct(mask)


def report():
    own = status()
    return {
        "namespaces": namespaces(),
        "mounts": mounts(),
        "sizes": sizes(),
        "masked": {path: visible(path) for path in ASKED["masked"]},
        "shared_memory": os.path.lexists("/dev/shm") and "present",
        "message_queues": os.path.isdir("/dev/mqueue") and [access("/dev/mqueue"), os.listdir("/dev/mqueue")],
        "devices": devices(),
        "capabilities": {key: own[key] for key in own if key.startswith("Cap")},
        "no_new_privs": own["NoNewPrivs"],
        "seccomp": own["Seccomp"],
        "seccomp_filters": own.get("Seccomp_filters"),
        "uids": own["Uid"].split(),
        "gids": own["Gid"].split(),
        "groups": own["Groups"].split(),
        "uid_map": lines("/proc/self/uid_map")[0].split(),
        "gid_map": lines("/proc/self/gid_map")[0].split(),
        "set_groups": lines("/proc/self/setgroups"),
        "limits": limits(),
        "descriptors": descriptors(),
        "environment": sorted(f"{key}={value}" for key, value in os.environ.items()),
        "working_directory": os.getcwd(),
        "root": os.readlink("/proc/self/root"),
        "pid": os.getpid(),
        "parent": os.getppid(),
        "processes": sorted(int(name) for name in os.listdir("/proc") if name.isdigit()),
        "host_name": socket.gethostname(),
        "domain_name": lines("/proc/sys/kernel/domainname"),
        "kernel": platform.release(),
        "umask": umask(),
        "oom_score_adj": lines("/proc/self/oom_score_adj"),
        "dumpable": ctypes.CDLL(None).prctl(3, 0, 0, 0, 0),
        "blocked_signals": own["SigBlk"],
        "ignored_signals": own["SigIgn"],
        "tracer": own["TracerPid"],
        "scheduling": scheduling(),
        "processors": own["Cpus_allowed_list"],
        "speculation": {key: own[key] for key in own if key.startswith("Speculation")},
        "terminal": any(os.isatty(number) for number in range(3)),
        "network": sorted(line.split(":")[0].strip() for line in lines("/proc/net/dev") if ":" in line),
        "groups_seen": sorted({"/" + line.split(":", 2)[2].strip("/.") for line in lines("/proc/self/cgroup")}),
    }


print(json.dumps(report()), flush=True)
while os.read(0, 4096):
    pass
