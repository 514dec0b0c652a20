"""Reaches the call that loads a filter of its own.

Threats: I8
Contract: availability
Held by: the lock alone
"""


def attack():
    return reaches("seccomp", 1, 0, None)


run(attack)
