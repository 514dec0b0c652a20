"""Watches a directory.

Threats: C4 E18 A6
Contract: confidentiality
Held by: seccomp alone
"""


def attack():
    return call("inotify_init1", 0)


run(attack)
