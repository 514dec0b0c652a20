"""Makes a mount of a configured file system.

Threats: E3 CVE-2021-41133
Contract: integrity
"""


def attack():
    return reaches("fsmount", -1, 0, 0)


run(attack)
