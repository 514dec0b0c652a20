"""Finds itself in root's group.

Threats: I9
Contract: integrity
"""


def attack():
    return 0 in (os.getgid(), os.getegid(), *os.getgroups()) or None


run(attack)
