"""Raises the core limit, to have the host's crash handler fed.

Threats: C12
"""


def attack():
    return raise_limit("RLIMIT_CORE", 1 << 20)


run(attack)
