"""Configures a file system that is to be mounted.

Threats: E3 CVE-2021-41133 CVE-2022-0185
Contract: integrity
Held by: seccomp alone
"""


def attack():
    return reaches("fsconfig", -1, 6, None, None, 0)


run(attack)
