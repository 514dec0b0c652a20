"""Keeps its memory open to /proc and to core dumps.

Threats: E12 C12
Contract: integrity
Held by: seccomp alone
"""


def attack():
    return call("prctl", 4, 1, 0, 0, 0) == 0  # PR_SET_DUMPABLE


run(attack)
