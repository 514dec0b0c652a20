"""Reads the limits of another process.

Threats: C4 E20
Contract: confidentiality
"""


def attack():
    return first(foreign(), lambda pid: resource.prlimit(pid, resource.RLIMIT_NOFILE))


run(attack)
