"""Moves a process to another node.

Threats: E19
Contract: availability
Held by: seccomp alone
"""


def attack():
    return reaches("migrate_pages", 0, 0, None, None)


run(attack)
