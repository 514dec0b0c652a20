"""Gives advice on the memory of a process.

Threats: E7
Contract: integrity
Held by: seccomp alone
"""


def attack():
    return reaches("process_madvise", -1, None, 0, 0, 0)


run(attack)
