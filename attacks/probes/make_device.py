"""Makes a device node in a place that it can write, and opens it.

Threats: I10
Contract: integrity
"""


def makes(directory):
    path = os.path.join(directory, "hotcell-device")
    os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 11))  # /dev/kmsg
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
        return True
    finally:
        os.unlink(path)


def attack():
    refusals = []
    for directory in ("/tmp", "/output", "/dev"):
        try:
            if makes(directory):
                return directory
        except OSError as error:
            refusals.append(error)
    raise refusals[0]


run(attack)
