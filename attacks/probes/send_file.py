"""Lets the kernel send a file of the image to the output.

Threats: I3 E17
Contract: integrity
Held by: seccomp alone
"""


def attack():
    path = "/output/hotcell-" + NAME
    target = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        return os.sendfile(target, os.open("/etc/ld.so.cache", os.O_RDONLY), 0, 4096)
    finally:
        os.close(target)
        remove(path)


run(attack)
