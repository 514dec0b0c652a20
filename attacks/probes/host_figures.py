"""Reads what the kernel tells of the whole host: its command line, configuration, modules, disks, keys.

Threats: C3 E21
Contract: confidentiality
"""

NAMES = (
    "cmdline", "config.gz", "modules", "partitions", "diskstats", "key-users", "locks", "swaps", "softirqs",
    "schedstat", "consoles", "ioports", "driver", "tty", "mtrr", "pressure", "vmstat", "zoneinfo", "buddyinfo",
)  # fmt: skip


def reads(name):
    path = "/proc/" + name
    if os.path.isdir(path):
        return bool(os.listdir(path))
    return bool(os.read(os.open(path, os.O_RDONLY), 16))


def attack():
    return [name for name in NAMES if first([name], reads)] or None


run(attack)
