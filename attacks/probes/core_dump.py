"""Raises the core limit, to have the host's crash handler fed.

Threats: C12
Contract: confidentiality
"""


def attack():
    return raise_limit("RLIMIT_CORE", 1 << 20)


run(attack)
