"""Handles its own page faults, to stop the kernel in the middle of a copy.

Threats: E5
Contract: integrity
Held by: seccomp alone
"""


def attack():
    return call("userfaultfd", 0)


run(attack)
