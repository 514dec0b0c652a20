"""Splices a file of the image into a pipe.

Threats: I3 E17 CVE-2022-0847
Contract: integrity
Held by: seccomp alone
"""


def attack():
    reader, writer = os.pipe()
    source = os.open("/etc/ld.so.cache", os.O_RDONLY)
    return call("splice", source, None, writer, None, 1, 0) == 1


run(attack)
