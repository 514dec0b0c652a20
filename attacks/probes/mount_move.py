"""Moves a mount by descriptor.

Threats: E3 CVE-2021-41133
Contract: integrity
"""


def attack():
    return reaches("move_mount", -1, b"", -1, b"", 0)


run(attack)
