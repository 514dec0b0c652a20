"""Raises its own limit of processor time.

Threats: E20 A1
Contract: availability
"""


def attack():
    return raise_limit("RLIMIT_CPU", 1 << 30)


run(attack)
