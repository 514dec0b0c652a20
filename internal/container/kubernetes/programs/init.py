"""The first process of a sandbox in a pod. Its end is the end of all others in there.

It looks at what the sandbox has, before there is anything of a run in it, and tells the
keeper; it watches the clocks while a run is under way; and it ends when the keeper lets go of
the pipe, dies, or a clock has run out. Both pipes have lost their names by the time a script
could look for them, and nothing in the sandbox opens what this process holds open: it is not
dumpable. What a script signals to it is dropped. The profile of the sandbox lets it send no
signal and wait for nobody.
"""

import ctypes
import errno
import hashlib
import json
import os
import select
import signal
import sys
import time

CONTROL = "/control"
CGROUP = "/sys/fs/cgroup"
ALONE_S = 600  # for how long it waits for a keeper, as wait.py does
SAMPLE_MS = 50  # how late a clock can be
CPUINFO_BYTES = 8192


def read(path, most=65536):
    """Return the text of a small file, or None where it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read(most).decode("utf-8", "backslashreplace")
    except OSError:
        return None


def unified():
    return os.path.exists(CGROUP + "/cgroup.controllers")


class Figures:
    """What the kernel counts for the sandbox. Its files are open from before there is a run."""

    V2 = {
        "cpu": "cpu.stat usage_usec",
        "memory_peak": "memory.peak",
        "pids_peak": "pids.peak",
        "oom_kills": "memory.events oom_kill",
    }
    V1 = {
        "cpu": "cpuacct/cpuacct.usage",
        "memory_peak": "memory/memory.max_usage_in_bytes",
        "oom_kills": "memory/memory.oom_control oom_kill",
    }

    def __init__(self):
        self.nanos = 1000 if unified() else 1  # in what CPU time is counted
        self.files = {}
        for name, place in (self.V2 if unified() else self.V1).items():
            path, _, field = place.partition(" ")
            try:
                self.files[name] = os.open(f"{CGROUP}/{path}", os.O_RDONLY | os.O_CLOEXEC), field
            except OSError:
                continue  # this kernel does not count it

    def read(self, name):
        """Return one figure, -1 where nobody counts it."""
        if name not in self.files:
            return -1
        file, field = self.files[name]
        for line in os.pread(file, 65536, 0).decode().splitlines():
            key, _, value = line.rpartition(" ")
            if key == field and value.isdigit():
                return int(value)
        return -1

    def cpu_ns(self):
        """Return the CPU time used so far, in nanoseconds, -1 where nobody counts it."""
        used = self.read("cpu")
        return used * self.nanos if used >= 0 else -1

    def all(self):
        """Return every figure by its name."""
        others = {name: self.read(name) for name in ("memory_peak", "pids_peak", "oom_kills")}
        return {"cpu_ns": self.cpu_ns(), **others}


def limits():
    """Return the limits of the sandbox's control group, each as the kernel writes it."""
    if unified():
        names = {name: name for name in ("memory.max", "memory.swap.max", "cpu.max", "pids.max")}
    else:
        names = {
            "memory.max": "memory/memory.limit_in_bytes",
            "memory.memsw": "memory/memory.memsw.limit_in_bytes",
            "cpu.quota": "cpu/cpu.cfs_quota_us",
            "cpu.period": "cpu/cpu.cfs_period_us",
            "pids.max": "pids/pids.max",
        }
    return {name: (read(f"{CGROUP}/{file}") or "").strip() for name, file in names.items()}


def landlock(libc):
    """Return the kernel's Landlock ABI, or the negative errno of the refusal."""
    create_ruleset, version = 444, 1
    abi = libc.syscall(ctypes.c_long(create_ruleset), None, ctypes.c_size_t(0), ctypes.c_uint32(version))
    return abi if abi >= 0 else -ctypes.get_errno()


def refusal(path):
    """Return the errno name with which the kernel refuses to let this user write there."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK))
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error.errno))
    return ""


def bundle():
    """Return the digest of the manifest of the bundle that is mounted, "" for none."""
    try:
        with open("/bundle/bundle.json", "rb") as file:
            return "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def report(libc, termination, figures):
    return {
        "status": read("/proc/self/status"),
        "uid_map": read("/proc/self/uid_map"),
        "mountinfo": read("/proc/self/mountinfo", 1 << 20),
        "cgroup": read("/proc/self/cgroup"),
        "unified": unified(),
        "limits": limits(),
        "figures": figures.all(),
        "interfaces": [line.partition(":")[0].strip() for line in (read("/proc/net/dev") or "").splitlines()[2:]],
        "kernel": os.uname().release,
        "meminfo": read("/proc/meminfo"),
        "cpuinfo": (read("/proc/cpuinfo", CPUINFO_BYTES) or "").partition("\n\n")[0],
        "landlock": landlock(libc),
        "termination": refusal(termination),
        "token": os.path.lexists("/var/run/secrets") or os.path.lexists("/run/secrets"),
        "bundle": bundle(),
    }


class Pipes:
    """The two pipes between this process and the keeper."""

    def __init__(self):
        self.end = self.opened("end", os.O_RDONLY)
        self.words = self.opened("words", os.O_WRONLY)
        self.rest = b""

    @staticmethod
    def opened(name, flag):
        """Open a pipe once the keeper has made it."""
        deadline = time.monotonic() + ALONE_S
        while time.monotonic() < deadline:
            try:
                return os.open(f"{CONTROL}/{name}", flag | os.O_NOFOLLOW | os.O_CLOEXEC)
            except FileNotFoundError:
                time.sleep(0.005)
        sys.exit("nobody has come for the sandbox")

    def say(self, words):
        """Tell the keeper."""
        content = json.dumps(words).encode() + b"\n"
        while content:
            content = content[os.write(self.words, content) :]

    def heard(self):
        """Return what the keeper has said, or None once it has let go."""
        chunk = os.read(self.end, 4096)
        if not chunk:
            return None
        *lines, self.rest = (self.rest + chunk).split(b"\n")
        return [json.loads(line) for line in lines]


def parent(pid):
    """Return the number of a process's parent, or None where there is no such process.

    One whose first thread has ended is a process still.
    """
    text = read(f"/proc/{pid}/stat", 1024)
    return text.rpartition(")")[2].split()[1] if text else None


class Command:
    """The process that exec started: the one beside this that has no parent in here.

    Processes that it leaves keep exec's streams open, and with them exec's end: that of the
    process itself nobody else tells.
    """

    def __init__(self):
        self.pid = ""

    def over(self):
        """Tell whether it was there and is not any more."""
        if not self.pid:
            others = [name for name in os.listdir("/proc") if name.isdigit() and name != "1"]
            self.pid = next((name for name in others if parent(name) == "0"), "")
            return bool(others) and not self.pid
        return parent(self.pid) != "0"


class Clocks:
    """What a run may use, from its beginning."""

    def __init__(self, figures):
        self.figures = figures
        self.begun = False
        self.command = Command()

    def begin(self, words):
        """Start the clocks of a run."""
        self.cpu = words["cpu_ns"]
        self.deadline = time.monotonic() + words["wall_s"]
        self.setup = self.figures.cpu_ns()
        self.begun = True

    def over(self):
        """Return the name of the clock that has run out, "command" for its end, or ""."""
        if not self.begun:
            return ""
        if self.command.over():
            return "command"
        if time.monotonic() > self.deadline:
            return "wall_clock"
        used = self.figures.cpu_ns()
        if used < 0 or used - self.setup >= self.cpu:
            return "cpu_time"
        return ""


def watch(pipes, clocks):
    """Return what ended the sandbox, "" for the keeper."""
    poll = select.poll()
    poll.register(pipes.end, select.POLLIN)
    while True:
        if poll.poll(SAMPLE_MS if clocks.begun else None):
            heard = pipes.heard()
            if heard is None:
                return ""
            for words in heard:
                clocks.begin(words)
                pipes.say({"begun": True})
        over = clocks.over()
        if over:
            return over


def main():
    libc = ctypes.CDLL(None, use_errno=True)
    set_dumpable = 4
    if libc.prctl(set_dumpable, 0, 0, 0, 0) != 0:
        sys.exit("a sandbox whose first process can be read is none")
    # The kernel drops what nobody handles where this process is the first of its namespace: a
    # script must not end it. A kubelet kills it, then.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    pipes = Pipes()
    # What a runtime keeps of these goes to the node's logs.
    null = os.open("/dev/null", os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    figures = Figures()
    clocks = Clocks(figures)
    pipes.say({"report": report(libc, sys.argv[1], figures)})
    by = watch(pipes, clocks)
    setup = clocks.setup if clocks.begun else 0
    pipes.say({"end": {"by": by, "setup_ns": setup, **figures.all()}})
    os._exit(0)


main()
