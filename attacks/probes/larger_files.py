"""Raises its own limit of a file's size.

Threats: E20 A5
Contract: availability
"""


def attack():
    return raise_limit("RLIMIT_FSIZE", 1 << 50)


run(attack)
