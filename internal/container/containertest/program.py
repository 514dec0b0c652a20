"""One program that shows the behaviour named by its argument, a JSON object.

Standard library only, no shell, no file of its own: it reaches the sandbox as an
argument of the interpreter. It must work as process 1 of a pid namespace, where
signals that nobody handles do nothing: the crashes below are therefore real ones.
"""

import ctypes
import errno
import faulthandler
import itertools
import json
import mmap
import os
import resource
import signal
import socket
import stat
import sys
import threading
import time

PAGE = mmap.PAGESIZE
CHUNK = 64 << 10
PATTERN = bytes(range(256)) * 16


def write_all(descriptor, data):
    while data:
        data = data[os.write(descriptor, data) :]


def say(value):
    text = value if isinstance(value, str) else json.dumps(value)
    write_all(1, text.encode() + b"\n")


def name_of(error):
    return errno.errorcode.get(error.errno, str(error.errno))


def ignore_signals():
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)


def wait_for_end_of_stdin():
    while os.read(0, CHUNK):
        pass


def hang_forever():
    ignore_signals()
    sleep_forever()


def sleep_forever():
    """In pieces: a signal that comes right before a sleep begins is acted upon behind it."""
    while True:
        time.sleep(0.2)


def echo(_):
    while data := os.read(0, CHUNK):
        write_all(1, data)


def leave(behaviour):
    # Docker's exit code alone cannot tell 137 from SIGKILL: a program that is gone
    # before its host has looked at it is told by that code only.
    if behaviour["code"] == 137:
        wait_for_end_of_stdin()
    os._exit(behaviour["code"])


def touch_beyond_the_end_of_a_mapped_file():
    descriptor = os.open("/output/mapped", os.O_RDWR | os.O_CREAT, 0o600)
    os.ftruncate(descriptor, PAGE)
    view = mmap.mmap(descriptor, PAGE)
    os.ftruncate(descriptor, 0)
    return view[0]


def crash(behaviour):
    {
        "SIGSEGV": faulthandler._read_null,
        "SIGBUS": touch_beyond_the_end_of_a_mapped_file,
        "SIGSYS": lambda: socket.sethostname("renamed"),
    }[behaviour["signal"]]()
    say("survived")


def hang(_):
    ignore_signals()
    say("ready")
    hang_forever()


class Interrupted(BaseException):
    """Raised in the main thread, wherever it is."""


def interrupted(_number, _frame):
    raise Interrupted


def work_forever():
    while True:
        pass


def interrupt_at_each_line(thread):
    while data := os.read(0, CHUNK):
        for _ in range(data.count(b"\n")):
            signal.pthread_kill(thread, signal.SIGURG)


def interruptible(_):
    """As the guard of a session: its second thread reads what the host sends, whatever the first one does."""
    signal.signal(signal.SIGURG, interrupted)
    reader = threading.Thread(target=interrupt_at_each_line, args=(threading.get_ident(),))
    reader.start()
    for state, go_on in (("working", work_forever), ("waiting", sleep_forever)):
        try:
            say(state)
            go_on()
        except Interrupted:
            say("interrupted")
    reader.join()


def close_streams(_):
    say("ready")
    os.closerange(0, 3)
    hang_forever()


def orphan(ready):
    """Leaves a grandchild that no parent waits for and that holds every stream."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    ignore_signals()
    os.write(ready, b"1")
    hang_forever()


def orphans(behaviour):
    reader, ready = os.pipe()
    for _ in range(behaviour["count"]):
        orphan(ready)
        os.read(reader, 1)
    say("ready")
    wait_for_end_of_stdin()
    os._exit(behaviour["code"])


def touch_memory(size):
    view = mmap.mmap(-1, size)
    for offset in range(0, size, PAGE):
        view[offset] = 1
    return view


def allocate(behaviour):
    view = touch_memory(behaviour["bytes"])
    say("allocated")
    wait_for_end_of_stdin()
    view.close()


def allocate_in_child(behaviour):
    child = os.fork()
    if not child:
        touch_memory(behaviour["bytes"])
        os._exit(0)
    _, status = os.waitpid(child, 0)
    say({"signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0})
    wait_for_end_of_stdin()


def allocate_orphaned(behaviour):
    """In a second thread, when the first one has ended: the kernel looks for a new owner of the memory."""
    threading.Thread(target=touch_behind_leader, args=(behaviour["bytes"],)).start()
    ctypes.CDLL(None).syscall({"x86_64": 60, "aarch64": 93}[os.uname().machine], 0)  # exit, of this thread


def touch_behind_leader(size):
    while thread_state(os.getpid()) != "Z":
        time.sleep(0.001)
    touch_memory(size)
    say("allocated")


def thread_state(number):
    with open(f"/proc/self/task/{number}/stat", encoding="ascii") as file:
        return file.read().rpartition(") ")[2][0]


def allocate_shared(behaviour):
    """In a process with this one's memory, for which this one waits in the kernel, as after vfork(2)."""
    stack = mmap.mmap(-1, 1 << 20)
    top = ctypes.addressof(ctypes.c_char.from_buffer(stack)) + len(stack)
    libc = ctypes.PyDLL(None)  # keeps the interpreter's lock
    libc.memset.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t]
    room = mmap.mmap(-1, behaviour["bytes"])
    place = ctypes.addressof(ctypes.c_char.from_buffer(room))
    touch = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(lambda _: bool(libc.memset(place, 1, len(room))))
    flags = 0x100 | 0x4000 | signal.SIGCHLD  # CLONE_VM, CLONE_VFORK
    libc.clone(touch, ctypes.c_void_p(top), flags, None)
    say("allocated")


def fork_many(behaviour):
    children, refusal = [], ""
    try:
        while len(children) < behaviour["count"]:
            child = os.fork()
            if not child:
                hang_forever()
            children.append(child)
    except OSError as error:
        refusal = name_of(error)
    say({"started": len(children), "errno": refusal})
    wait_for_end_of_stdin()


def thread_many(behaviour):
    started, refusal = 0, ""
    try:
        while started < behaviour["count"]:
            threading.Thread(target=hang_forever_in_thread, daemon=True).start()
            started += 1
    except RuntimeError:
        refusal = "EAGAIN"
    say({"started": started, "errno": refusal})
    wait_for_end_of_stdin()
    os._exit(0)


def hang_forever_in_thread():
    while True:
        time.sleep(3600)


def burn(behaviour):
    """Uses CPU time in this process and in `count` children, each forever when ms is 0."""
    for _ in range(behaviour["count"]):
        if not os.fork():
            burn_here(behaviour["ms"])
            os._exit(0)
    burn_here(behaviour["ms"])
    say("burnt")


def burn_here(milliseconds):
    """Counts from here: a process's own clock has what the runtime used in it before it joined the sandbox."""
    begun = time.process_time()
    while not milliseconds or (time.process_time() - begun) * 1000 < milliseconds:
        pass


def fill_bytes(behaviour):
    block, written, number = b"x" * behaviour["file_bytes"], 0, 0
    try:
        while written < behaviour["bytes"]:
            path = os.path.join(behaviour["path"], f"fill-{number}")
            with open(path, "wb", buffering=0) as file:
                written += file.write(block)
            number += 1
        say({"bytes": written, "errno": ""})
    except OSError as error:
        say({"bytes": written, "errno": name_of(error)})


def fill_inodes(behaviour):
    created = 0
    try:
        while created < behaviour["count"]:
            os.mkdir(os.path.join(behaviour["path"], f"inode-{created}"))
            created += 1
        say({"files": created, "errno": ""})
    except OSError as error:
        say({"files": created, "errno": name_of(error)})


def open_many(behaviour):
    opened, refusal = [], ""
    try:
        while len(opened) < behaviour["count"]:
            opened.append(os.open("/dev/null", os.O_RDONLY))
    except OSError as error:
        refusal = name_of(error)
    for descriptor in opened:
        os.close(descriptor)
    say({"files": len(opened), "errno": refusal})


def restless(_):
    """Never leaves the output as it was, by two children and two threads."""
    ways = (count_on, swap_links, swap_directories, grow)
    for way in ways[:2]:
        if not os.fork():
            way()
    for way in ways[2:]:
        threading.Thread(target=way, daemon=True).start()
    while not all(os.path.lexists("/output/" + name) for name in ("counter", "swapped", "moved", "growing")):
        time.sleep(0.001)
    say("ready")
    hang_forever()


def count_on():
    descriptor = os.open("/output/counter", os.O_RDWR | os.O_CREAT, 0o600)
    for number in itertools.count():
        os.pwrite(descriptor, b"%020d" % number, 0)


def swap_links():
    """One name is a file, a link out of the directory, a pipe and a second name in turn."""
    make = (
        lambda path: os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)),
        lambda path: os.symlink("/etc/passwd", path),
        os.mkfifo,
        lambda path: os.link("/output/counter", path),
    )
    while not os.path.exists("/output/counter"):
        pass
    for number in itertools.count():
        make[number % len(make)]("/output/next")
        os.rename("/output/next", "/output/swapped")
        if number % len(make) == len(make) - 1:  # two names of one file: rename does nothing
            os.unlink("/output/swapped")


def swap_directories():
    os.mkdir("/output/moved")
    with open("/output/moved/inner", "w", encoding="utf-8") as file:
        file.write("inner")
    while True:
        os.rename("/output/moved", "/output/away")
        os.rename("/output/away", "/output/moved")


def grow():
    descriptor = os.open("/output/growing", os.O_RDWR | os.O_CREAT, 0o600)
    for number in itertools.count():
        os.ftruncate(descriptor, number % 4096)


def write_files(behaviour):
    for path, content in behaviour["files"].items():
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
    say("written")
    wait_for_end_of_stdin()


def plant_links(_):
    os.symlink("/etc/passwd", "/output/symlink")
    os.mkfifo("/output/pipe")
    with open("/output/first", "w", encoding="utf-8") as file:
        file.write("linked")
    os.link("/output/first", "/output/second")


def read_file(behaviour):
    try:
        with open(behaviour["path"], encoding="utf-8") as file:
            say({"content": file.read(), "errno": ""})
    except OSError as error:
        say({"content": "", "errno": name_of(error)})


def list_directory(behaviour):
    try:
        say({"names": sorted(os.listdir(behaviour["path"])), "errno": ""})
    except OSError as error:
        say({"names": [], "errno": name_of(error)})


def attempt(action, *arguments):
    try:
        action(*arguments)
    except OSError as error:
        return name_of(error)
    return ""


def append_to(path):
    with open(path, "ab", buffering=0) as file:
        file.write(b"x")


def create_in(path):
    os.close(os.open(os.path.join(path, "planted"), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    os.unlink(os.path.join(path, "planted"))


def change_file(behaviour):
    """Reports how each way to change the file at `path` is refused; "" means that it worked."""
    path = behaviour["path"]
    say(
        {
            "append": attempt(append_to, path),
            "truncate": attempt(os.truncate, path, 0),
            "chmod": attempt(os.chmod, path, 0o777),
            "rename": attempt(os.rename, path, path + ".renamed"),
            "unlink": attempt(os.unlink, path),
            "link": attempt(os.link, path, "/output/linked"),
            "create": attempt(create_in, os.path.dirname(path)),
        }
    )


def find_writable(_):
    """Tries to create a file in every directory outside /proc and to open every file for writing."""
    found = []
    for directory, subdirectories, files in os.walk("/"):
        if directory == "/":
            subdirectories.remove("proc")
        if not attempt(create_in, directory):
            found.append(directory)
        for name in files:
            path = os.path.join(directory, name)
            if stat.S_ISREG(looked_at(path).st_mode) and not attempt(open_for_writing, path):
                found.append(path)
    say(sorted(found))


def looked_at(path):
    """What it is, or nothing: what AppArmor lets nobody look at, nobody opens."""
    try:
        return os.lstat(path)
    except PermissionError:
        return os.stat_result([0] * 10)


def open_for_writing(path):
    os.close(os.open(path, os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK))


def namespaces():
    """Returns its namespaces by name. A process that is not dumpable cannot list them."""
    names = "cgroup ipc mnt net pid pid_for_children time time_for_children user uts".split()
    return {name: os.readlink("/proc/self/ns/" + name) for name in names if os.path.lexists("/proc/self/ns/" + name)}


def environment(_):
    """Says what the C library has: a process that is not dumpable cannot read its /proc/self/environ."""
    entries = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
    say([entry.decode() for entry in itertools.takewhile(bool, (entries[place] for place in itertools.count()))])


def flood(behaviour):
    """Writes PATTERN to `streams` in turn, `bytes` to each, or forever when bytes is 0."""
    written = 0
    while not behaviour["bytes"] or written < behaviour["bytes"]:
        for descriptor in behaviour["streams"]:
            write_all(descriptor, PATTERN)
        written += len(PATTERN)


def interfaces():
    with open("/proc/net/dev", encoding="ascii") as file:
        return sorted(line.split(":")[0].strip() for line in file if ":" in line)


def has_local_routes():
    """A loopback interface that is up has its addresses in these tables."""
    routes = ""
    for path in ("/proc/net/fib_trie", "/proc/net/if_inet6"):
        try:
            with open(path, encoding="ascii") as file:
                routes += file.read()
        except FileNotFoundError:
            continue
    return "127.0.0.1" in routes or "0" * 31 + "1" in routes


def connect(family, address):
    with socket.socket(getattr(socket, family), socket.SOCK_STREAM) as connection:
        connection.settimeout(2)
        connection.connect(tuple(address) if isinstance(address, list) else "\0" + address)


def network(behaviour):
    attempts = [attempt_to_connect(*target) for target in behaviour["targets"]]
    say({"interfaces": interfaces(), "loopback_up": has_local_routes(), "attempts": attempts})


def attempt_to_connect(family, address):
    try:
        connect(family, address)
    except TimeoutError:
        return "ETIMEDOUT"
    except OSError as error:
        return name_of(error)
    return ""


def process_status():
    with open("/proc/self/status", encoding="ascii", errors="replace") as file:
        return {key: value.strip() for key, _, value in (line.partition(":") for line in file)}


def descriptors():
    found = {}
    for name in os.listdir("/proc/self/fd"):
        try:
            found[name] = os.readlink("/proc/self/fd/" + name)
        except FileNotFoundError:  # the listing's own
            continue
    return found


def mounts():
    found = []
    with open("/proc/self/mountinfo", encoding="utf-8") as file:
        for line in file:
            left, right = line.rstrip("\n").split(" - ")
            target, options = left.split()[4:6]
            kind, _, super_options = right.split(" ", 2)
            found.append(
                {
                    "target": target,
                    "options": options.split(","),
                    "type": kind,
                    "super_options": super_options.split(","),
                }
            )
    return found


def usable_devices(top):
    """Returns every device node below top and outside /proc that can be opened, with its numbers."""
    found = []
    for directory, subdirectories, files in os.walk(top):
        if directory == "/":
            subdirectories.remove("proc")
        for name in files:
            path = os.path.join(directory, name)
            status = looked_at(path)
            if (stat.S_ISCHR(status.st_mode) or stat.S_ISBLK(status.st_mode)) and can_open(path):
                numbers = f"{os.major(status.st_rdev)}:{os.minor(status.st_rdev)}"
                found.append({"path": path, "numbers": numbers})
    return found


def can_open(path):
    for access in (os.O_RDONLY, os.O_WRONLY):
        if not attempt(open_device, path, access):
            return True
    return False


def open_device(path, access):
    os.close(os.open(path, access | os.O_NONBLOCK | os.O_NOCTTY))


def identity(behaviour):
    status = process_status()
    say(
        {
            "uids": list(os.getresuid()),
            "gids": list(os.getresgid()),
            "groups": os.getgroups(),
            "capabilities": {key: status[key] for key in status if key.startswith("Cap")},
            "no_new_privs": status.get("NoNewPrivs", ""),
            "seccomp": status.get("Seccomp", ""),
            "descriptors": descriptors(),
            "working_directory": os.getcwd(),
            "hostname": socket.gethostname(),
            "namespaces": namespaces(),
            "mounts": mounts(),
            "devices": usable_devices(behaviour["path"]),
            "processes": sorted(int(name) for name in os.listdir("/proc") if name.isdigit()),
            "pid": os.getpid(),
            "session": os.getsid(0),
            "terminal": any(os.isatty(descriptor) for descriptor in range(3)),
            "core_limit": resource.getrlimit(resource.RLIMIT_CORE),
            "file_limit": resource.getrlimit(resource.RLIMIT_NOFILE),
            "size_limit": resource.getrlimit(resource.RLIMIT_FSIZE),
        }
    )
    wait_for_end_of_stdin()


BEHAVIOURS = {
    "echo": echo,
    "exit": leave,
    "crash": crash,
    "hang": hang,
    "interruptible": interruptible,
    "close-streams": close_streams,
    "orphans": orphans,
    "allocate": allocate,
    "allocate-in-child": allocate_in_child,
    "allocate-shared": allocate_shared,
    "allocate-orphaned": allocate_orphaned,
    "fork-many": fork_many,
    "thread-many": thread_many,
    "burn": burn,
    "fill-bytes": fill_bytes,
    "fill-inodes": fill_inodes,
    "open-many": open_many,
    "restless": restless,
    "write-files": write_files,
    "plant-links": plant_links,
    "read-file": read_file,
    "list-directory": list_directory,
    "change-file": change_file,
    "find-writable": find_writable,
    "environment": environment,
    "flood": flood,
    "network": network,
    "identity": identity,
}

requested = json.loads(sys.argv[1])
BEHAVIOURS[requested["name"]](requested)
