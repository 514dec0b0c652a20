"""Lets the kernel copy a file of the image to the output.

Threats: I3 E17
Contract: integrity
Held by: seccomp alone
"""


def attack():
    path = "/output/hotcell-" + NAME
    target = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        return reaches("copy_file_range", os.open("/etc/ld.so.cache", os.O_RDONLY), None, target, None, 4096, 0)
    finally:
        os.close(target)
        remove(path)


run(attack)
