"""Raises its own limit of open files beyond what a policy gives.

Threats: E20 A6
Contract: availability
"""


def attack():
    return raise_limit("RLIMIT_NOFILE", 4096)


run(attack)
