"""Picks a mounted file system to change it.

Threats: E3 CVE-2021-41133
Contract: integrity
"""


def attack():
    return call("fspick", -100, b"/", 0)


run(attack)
